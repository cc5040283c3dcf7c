"""The card shoe: speaks OTS-1 to a table, moves its beams, and has every fault that a shoe can have.

One shoe for all: the simulated table, the emulated board and, on a serial line, a real board (`pit shoe`); it runs on
MicroPython too. It knows no clock and no wire, but is given them.

Every line carries the next sequence number and waits for its ACK; without one it is sent again up to three times, 50 ms
apart, and then stays only in the ring of 32 for RPL.
"""

from . import ots1
from .frames import fields

# Of the next card
NEXT_CARD = {
    "misread": "not read: MIS",
    "double": "two cards at once: DBL, and the beams are covered for longer",
    "return": "shows its edge and goes back: RTN",
    "unread": "EDG and nothing more",
    "unsaid": "beams, and not a word of the shoe",
    "unannounced": "CRD without EDG",
    "unseen": "EDG and CRD, and the beams see nothing",
    "untold": "CRD without EDG, and the beams see nothing",
    "late": "EDG 200 ms after the beams",
    "slow": "CRD 400 ms after the edge",
    "denied": "leaves by the beams, and the shoe says RTN",
    "garbled": "each line is spoiled when it is sent first",
    "lost": "each line is swallowed when it is sent first",
    "twice": "each line is sent twice",
    "framing": "each line has framing errors when it is sent first",
}
# Bit of the heartbeat's flags, type of the line
STATES = {"jam": (1, "JAM"), "lid": (2, "LID"), "empty": (4, "EMP")}
# What lasts until `ok`
LASTING = ("silent", "deaf", "flood", "blocked")
AT_ONCE = {
    "gap": "a line is sent that never arrives: its sequence number is missing",
    "skip": "a card's number is missing",
    "reboot": "everything forgotten, HLO 300 ms later",
    "cut": "the cut card: CUT",
    "load": "new cards: SHF, numbers restart",
    "put-back": "the last card goes back into the shoe: RTN",
    "push-in": "something is pushed into the mouth from outside",
    "noise": "bytes between the lines that mean nothing",
    "long": "a line that is longer than a line may be",
}
FAULTS = LASTING + tuple(sorted(list(NEXT_CARD) + list(STATES) + list(AT_ONCE))) + ("ok",)

READ_US = 120_000  # edge -> the card is read
LATE_US = 200_000  # edge -> EDG
LATE_READ_US = 260_000
SLOW_US = 400_000
BURN_US = 200_000  # read -> the dealer's burn mark: a hand's time, after the freeze is decided
HEARTBEAT_US = 500_000
ACK_US = 50_000  # after the line's last byte
RESENDS = 3
RING = 32
REBOOT_US = 300_000  # reset -> HLO
FLOOD_US = 20_000  # between two bursts of a flood
UNKNOWN = "??"
DOUBLE_MS = 110  # two cards, one upon the other, cover a beam for so long


class Shoe:
    """`wire`: now_us() -> time; after(us, fn, *args): call later; put(data, spoiled): bytes on the line to the table;
    busy_us(): until the last of them has left. `beams`: edge(back, ms, lag_ms, inward), cut(0 or 1, bool); or None.

    `log`: (us, line without CR LF) of everything sent; `heard`: (us, type, fields) of everything the table said.
    `unacknowledged`: sequence numbers that the table never acknowledged. `blocked`: what INH asked for; `game`: what
    MOD named. `card`: number of the last card drawn.
    """

    def __init__(self, wire=None, beams=None, decks=6, heartbeat=True):
        self.wire, self.beams, self.decks, self.heartbeat = wire, beams, decks, heartbeat
        self.log, self.heard, self.unacknowledged = [], [], []
        self.blocked, self.game = False, None
        self._lasting = set()
        self._next_card = None
        self._states = {name: False for name in STATES}
        self._life = 0  # counts restarts: what was to be said in an earlier one is not said
        self._tokens = 0
        self._started_us = 0
        self._last_words = bytearray()
        self._reset()

    def _reset(self):
        self._life += 1
        self.sequence = self.card = 0
        self._ring = []  # (sequence, line), in the order of sending
        self._waiting = {}  # sequence -> (resends left, token)
        self._last_words = bytearray()

    def start(self):
        """The shoe gets its power."""
        self._reset()
        self._started_us = self.wire.now_us()
        self._soon(0, self._boot)

    def _boot(self):
        self._lasting.discard("silent")
        self._started_us = self.wire.now_us()
        self._hello()
        self._soon(HEARTBEAT_US, self._beat)

    def _soon(self, us, function, *arguments):
        """Call later, unless the shoe restarts meanwhile."""
        self.wire.after(us, self._if_alive, self._life, function, arguments)

    def _if_alive(self, life, function, arguments):
        if life == self._life:
            function(*arguments)

    # what it says

    def send(self, kind, *fields, first=None):
        """One line of type `kind` with the next sequence number. Returns that number. `first`: what becomes of it when
        it is sent first (garbled, lost, twice, framing)."""
        number = self.sequence
        self.sequence = number + 1 & 0xFF
        self._ring = [row for row in self._ring if row[0] != number][1 - RING :]
        self._ring.append((number, ots1.line(number, kind, *fields)))
        self._transmit(number, RESENDS, first)
        return number

    def say(self, frame):
        """One frame by the names of its fields (sim.frames); what is left out is what an honest shoe would say. Its
        number is from now on that of the last card."""
        kind = frame["type"]
        if kind in ("EDG", "CRD", "MIS", "DBL"):
            self.card = frame.get("n", self.card + (kind in ("EDG", "CRD")))
        elif kind == "SHF":
            self.card = 0
        return self.send(kind, *fields(frame, self.card, self._ms()))

    def edge(self, number, first=None):
        """Card `number` starts to leave: EDG."""
        self.card = number
        self.send("EDG", number, self._ms(), first=first)

    def read(self, number, code, fault=None, confidence=99, orientation="U"):
        """Card `number` has been read as `code` (`AS` ... `KC`, `??`): CRD, or what a fault makes of it."""
        self.card = max(self.card, number)
        if fault == "misread":
            self.send("MIS", number, "NOCODE")
        elif fault == "double":
            self.send("DBL", number, 95)
        elif fault == "return" or fault == "denied":
            self.send("RTN", number)
        elif code == UNKNOWN:
            self.send("CRD", number, UNKNOWN, 0, "?", self._ms(), first=fault)
        else:
            self.send("CRD", number, code, confidence, orientation, self._ms(), first=fault)

    def draw(self, code, burn=False, beams=True):
        """A card leaves the shoe: beams and EDG now, CRD 120 ms later, or what the fault of the next card makes of it.

        `burn`: the dealer marks it as a burn card. `beams` False: the frames alone.
        """
        fault, self._next_card = self._next_card, None
        if self.beams and beams and fault not in ("unseen", "untold"):
            if fault == "double":
                self.beams.edge(ms=DOUBLE_MS)
            else:
                self.beams.edge(back=fault == "return")
        if fault == "unsaid":
            return
        number = self.card + 1
        if fault == "late":
            self._soon(LATE_US, self.edge, number)
        elif fault not in ("unannounced", "untold"):
            self.edge(number, fault)
        us = SLOW_US if fault == "slow" else LATE_READ_US if fault == "late" else READ_US
        if fault != "unread":
            self._soon(us, self.read, number, code, fault)
        if burn:
            self._soon(us + BURN_US, self.send, "BRN", number)

    def fault(self, kind):
        """Inject one fault of FAULTS; `ok` ends what lasts."""
        if kind not in FAULTS:
            raise ValueError("shoe fault %r: one of %s" % (kind, ", ".join(FAULTS)))
        if kind == "ok":
            self._mend()
        elif kind in NEXT_CARD:
            self._next_card = kind
        elif kind in STATES:
            self._states[kind] = True
            self.send(STATES[kind][1], 1)
        elif kind in LASTING:
            self._lasting.add(kind)
            if kind == "flood":
                self._flood()
            elif kind == "blocked":
                self.beams.cut(0, True)
        else:
            getattr(self, "_do_" + kind.replace("-", "_"))()

    def _mend(self):
        if "blocked" in self._lasting:
            self.beams.cut(0, False)
        self._lasting.clear()
        self._next_card = None
        for name in sorted(STATES):
            if self._states[name]:
                self._states[name] = False
                self.send(STATES[name][1], 0)

    def _do_gap(self):
        self.sequence = self.sequence + 1 & 0xFF

    def _do_skip(self):
        self.card += 1

    def _do_reboot(self):
        self._reset()
        self._lasting.add("silent")
        self._soon(REBOOT_US, self._boot)

    def _do_cut(self):
        self.send("CUT", self.card, 52)

    def _do_load(self):
        self.say({"type": "SHF", "shoe_id": "S2", "cards": 52 * self.decks})

    def _do_put_back(self):
        self.send("RTN", self.card)

    def _do_push_in(self):
        self.beams.edge(inward=True)

    def _do_noise(self):
        self._put(b"\x00\xff~garbage*1234\r\n,EDG,\x7f\n\n", False)

    def _do_long(self):
        self._put(b"@%02X,KEY," % self.sequence + b"n" * ots1.MAX_LINE + b"*0000\r\n", False)

    def _flood(self):
        """Again and again the same old line, as fast as the line can carry it."""
        if "flood" in self._lasting:
            while self.wire.busy_us() < FLOOD_US:
                self._put(ots1.line(self.sequence - 1, "HBT", self.card, 0, 0), False)
            self._soon(FLOOD_US // 2, self._flood)

    def _hello(self):
        self.send("HLO", 1, "EMU", "OTS1", "0001", "00000000", self.decks, "EDG")

    def _beat(self):
        if self.heartbeat:
            flags = sum([STATES[name][0] for name in STATES if self._states[name]])
            self.send("HBT", self.card, flags, (self.wire.now_us() - self._started_us) // 1_000_000)
        self._soon(HEARTBEAT_US, self._beat)

    def _ms(self):
        return (self.wire.now_us() - self._started_us) // 1000

    # sending and being acknowledged

    def _put(self, data, spoiled):
        if "silent" not in self._lasting:
            self.wire.put(data, spoiled)

    def _transmit(self, number, resends, first=None):
        text = [row[1] for row in self._ring if row[0] == number][0]
        if "silent" not in self._lasting:
            self.log.append((self.wire.now_us(), text[:-2]))
        if first == "garbled":
            self._put(text[:-7] + b"x" + text[-6:], False)
        elif first != "lost":
            self._put(text, first == "framing")
            if first == "twice":
                self._put(text, False)
        self._tokens += 1
        self._waiting[number] = (resends, self._tokens)
        self._soon(self.wire.busy_us() + ACK_US, self._overdue, number, self._tokens)

    def _overdue(self, number, token):
        if number in self._waiting and self._waiting[number][1] == token:
            self._unheard(number)

    def _unheard(self, number):
        resends = self._waiting.pop(number)[0]
        if resends and [row for row in self._ring if row[0] == number]:
            self._transmit(number, resends - 1)
        else:
            self.unacknowledged.append(number)

    # what it hears

    def hear(self, byte):
        """One byte from the table."""
        if "silent" in self._lasting or "deaf" in self._lasting:
            self._last_words = bytearray()
            return
        self._last_words.append(byte)
        if byte == 0x0A or len(self._last_words) > ots1.MAX_LINE:
            text = bytes(self._last_words)
            self._last_words = bytearray()
            if text[-2:] != b"\r\n":
                raise ots1.ShoeProtocolError("a line without CR LF, or too long: %r" % text)
            self._obey(text[:-2])

    def forget_line(self):
        """The table was reset: half a line of it is void."""
        self._last_words = bytearray()

    def _obey(self, text):
        sequence, kind, fields = ots1.parse_table(text)
        self.heard.append((self.wire.now_us(), kind, fields or ["%02X" % sequence]))
        if kind == "ACK":
            self._waiting.pop(sequence, None)
        elif kind == "NAK":
            if sequence in self._waiting:
                self._unheard(sequence)
        elif kind == "WHO":
            self._hello()
        elif kind == "RPL":
            self._replay(int(fields[0], 16))
        elif kind == "INH":
            self.blocked = fields[0] == "1"
        else:
            self.game = fields[0]

    def _replay(self, first):
        """Everything from sequence number `first` on, as far as the ring still holds it."""
        numbers = [row[0] for row in self._ring]
        if first in numbers:
            for number in numbers[numbers.index(first) :]:
                self._transmit(number, RESENDS)
