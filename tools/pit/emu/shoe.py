"""The card shoe: speaks OTS-1 over the table's UART0 and injects the faults that a shoe can have.

Every line carries the next sequence number and waits for its ACK; without one it is sent again up to three times, 50 ms
apart, and then stays only in the ring of 32 for RPL.
"""

from pit.emu import ots1

# Of a state line: LID, JAM, EMP.
STATES = {"jam": "JAM", "lid": "LID", "empty": "EMP"}
NEXT_CARD = ("misread", "double", "return")  # spoils the next card
FAULTS = ("silent", "gap", "reboot", "ok", *NEXT_CARD, *STATES)
READ_US = 120_000  # edge -> the card is read
HEARTBEAT_US = 500_000
ACK_US = 50_000  # after the line's last byte
BYTE_US = 1e7 / 115_200
RESENDS = 3
RING = 32
REBOOT_US = 300_000  # reset -> HLO
UNKNOWN = "??"


class Shoe:
    """`log`: (us, line without CR LF) of everything sent; `heard`: (us, type, fields) of everything the table said.

    `unacknowledged`: sequence numbers that the table never acknowledged. `blocked`: what INH asked for; `game`: what
    MOD named. `card`: number of the last card drawn.
    """

    def __init__(self, uart=0, decks=6, heartbeat=True):
        self.uart, self.decks, self.heartbeat = uart, decks, heartbeat
        self.log, self.heard, self.unacknowledged = [], [], []
        self.blocked, self.game = False, None
        self.silent = False
        self._next_card = None
        self._states = dict.fromkeys(STATES, 0)
        self._life = 0  # counts restarts: what was to be said in an earlier one is not said
        self._reset()

    def _reset(self):
        self._life += 1
        self.sequence = self.card = 0
        self._ring = {}  # sequence -> line, in the order of sending
        self._waiting = {}  # sequence -> (resends left, alarm)

    def attach(self, board):
        """Wire the shoe to a board that has just been powered: the shoe starts with it."""
        self._board = board
        self._port = board.uart(self.uart)
        self._port.listen(self._on_byte)
        self._line, self._resets = bytearray(), board.resets
        self._reset()
        self._started_us = board.now_us
        board.after_us(0, self._hello)
        board.after_us(HEARTBEAT_US, self._beat)

    # ---- what it says ----

    def send(self, kind, *fields):
        """One line of type `kind` with the next sequence number. Returns that number."""
        number = self.sequence
        self.sequence = number + 1 & 0xFF
        text = ots1.line(number, kind, *fields)
        self._ring.pop(number, None)
        self._ring[number] = text
        if len(self._ring) > RING:
            del self._ring[next(iter(self._ring))]
        self._transmit(number, RESENDS)
        return number

    def edge(self):
        """A card starts to leave: EDG, at once. Returns the number of the card."""
        self.card += 1
        self.send("EDG", self.card, self._ms())
        return self.card

    def read(self, number, code, confidence=99, orientation="U"):
        """Card `number` has been read as `code` (`AS` ... `KC`, `??`): CRD, or what a fault makes of it."""
        fault, self._next_card = self._next_card, None
        if fault == "misread":
            self.send("MIS", number, "NOCODE")
        elif fault == "double":
            self.send("DBL", number, 95)
        elif fault == "return":
            self.send("RTN", number)
        elif code == UNKNOWN:
            self.send("CRD", number, UNKNOWN, 0, "?", self._ms())
        else:
            self.send("CRD", number, code, confidence, orientation, self._ms())

    def draw(self, code):
        """The frames of one card: EDG now, CRD 120 ms later."""
        number, life = self.edge(), self._life

        def is_read():
            if life == self._life:
                self.read(number, code)

        self._board.after_us(READ_US, is_read)

    @property
    def returns_next(self):
        """The next card drawn will be pulled back (fault `return`): it covers beam A only."""
        return self._next_card == "return"

    def fault(self, kind):
        """Inject one fault.

        `silent`: says and hears nothing until `ok`. `gap`: a sequence number is left out. `misread`, `double`,
        `return`: of the next card. `jam`, `lid`, `empty`: the state line with 1, and with 0 at `ok`. `reboot`:
        everything forgotten, HLO 300 ms later. `ok` ends what lasts.
        """
        if kind not in FAULTS:
            raise ValueError(f"shoe fault {kind!r}: one of {', '.join(FAULTS)}")
        if kind == "silent":
            self.silent = True
        elif kind == "gap":
            self.sequence = self.sequence + 1 & 0xFF
        elif kind == "reboot":
            self._forget_waiting()
            self._reset()
            self.silent = True
            self._board.after_us(REBOOT_US, self._boot)
        elif kind in NEXT_CARD:
            self._next_card = kind
        elif kind in STATES:
            self._states[kind] = 1
            self.send(STATES[kind], 1)
        else:
            self.silent, self._next_card = False, None
            for name in [name for name, on in self._states.items() if on]:
                self._states[name] = 0
                self.send(STATES[name], 0)

    def _boot(self):
        self.silent = False
        self._started_us = self._board.now_us
        self._hello()

    def _hello(self):
        self.send("HLO", 1, "EMU", "OTS1", "0001", "00000000", self.decks, "EDG")

    def _beat(self):
        if self.heartbeat:
            flags = sum(on << bit for bit, on in enumerate(self._states.values()))
            self.send("HBT", self.card, flags, int((self._board.now_us - self._started_us) // 1_000_000))
        self._board.after_us(HEARTBEAT_US, self._beat)

    def _ms(self):
        return int((self._board.now_us - self._started_us) // 1000)

    # ---- sending and being acknowledged ----

    def _transmit(self, number, resends):
        if not self.silent:
            text = self._ring[number]
            self.log.append((self._board.now_us, text[:-2]))
            self._port.send(text)
        self._drop_waiting(number)
        limit_us = self._port.sending * BYTE_US + ACK_US
        self._waiting[number] = (resends, self._board.after_us(limit_us, lambda: self._unheard(number)))

    def _unheard(self, number):
        resends, _ = self._waiting.pop(number)
        if resends and number in self._ring:
            self._transmit(number, resends - 1)
        else:
            self.unacknowledged.append(number)

    def _drop_waiting(self, number):
        if number in self._waiting:
            self._waiting.pop(number)[1].cancel()

    def _forget_waiting(self):
        for number in list(self._waiting):
            self._drop_waiting(number)

    # ---- what it hears ----

    def _on_byte(self, byte):
        if self.silent or self._board.resets != self._resets:  # unheard, or cut short by a reset of the RP2040
            self._resets = self._board.resets
            self._line.clear()
        if self.silent:
            return
        self._line.append(byte)
        if byte == 0x0A or len(self._line) > ots1.MAX_LINE:
            text = bytes(self._line)
            self._line.clear()
            self._obey(text)

    def _obey(self, text):
        if not text.endswith(b"\r\n"):
            raise ots1.ShoeProtocolError(f"a line without CR LF, or too long: {text!r}")
        sequence, kind, fields = ots1.parse_table(text[:-2])
        self.heard.append((self._board.now_us, kind, fields or [f"{sequence:02X}"]))
        if kind == "ACK":
            self._drop_waiting(sequence)
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
        numbers = list(self._ring)
        if first in self._ring:
            for number in numbers[numbers.index(first) :]:
                self._transmit(number, RESENDS)
