"""A simulated table around the real engine: clock, chips, beams and shoe, with no hardware and no waiting.

Runs unchanged on CPython (`pit run --on host`) and on MicroPython's unix port (`--on unix`). Time moves only in
`advance`. What it keeps of the real table: sweeps take time and see a chip only if it lay there when its antenna
began, the lock comes debounce time after the edge, frames take wire time, the order of the tasks. What it leaves out
is said in README.md beside it.
"""

from firstcard.app.engine import Engine
from firstcard.core.events import LOCK_EDGE, READ_FAULT, READ_OK, READ_UNREADABLE, UNKNOWN_CHIP, ZONES
from firstcard.rules import load
from firstcard.store.registry import GENUINE
from firstcard.store.texts import Texts
from .shoe import Shoe

TICK_MS = 50
EMPTY_US, CHIP_US = 1_200, 6_000  # share of a sweep that an antenna takes: three of them work at once
IDLE_GAP_MS, HURRY_GAP_MS = 1_500, 30
TRAY_TURN = 8  # sweeps after which the tray is read, if nobody is in a hurry
BYTE_US = 87  # 10 bits at 115,200 baud
KEY_MS = 30  # from a key to what it does
COVERED_MS, LAG_MS = 60, 20  # a card at one beam; beam B after beam A
TEXTS = "build/texts.bin"
HEALTH = {"silent": 3, "stuck": 1, "hot": 7, "reset": 5}  # of a reader, by its fault; as drivers/pn5180.py has it


class SimError(Exception):
    """Something that this table does not model; the text says what can be used instead."""


class Chips:
    """The chip registry: rows of UID (hex) and cents, or below 0 what is wrong with the chip (core.events)."""

    def __init__(self, rows):
        self._values = {bytes.fromhex(uid): cents for uid, cents in rows}

    def check(self):
        return GENUINE

    def lookup(self, uid):
        return self._values.get(bytes(uid), UNKNOWN_CHIP)


class SimTable:
    """`setup`: see pit.targets.base. `root`: the project; its text file is packed there (pit.sim.files)."""

    unique, build, files = "0000000000000000", "-", "ok"  # what a board says of itself
    slowness = 1  # of the sweeps, against those of a table with few chips
    answer_us = 0  # how long the firmware thinks about an operator's line

    def __init__(self, setup, root, memory=None, blocks=None, remembers=True):
        board = __import__("boards." + setup["board"], None, None, ("NAME",))
        self._board = board
        self._one_chip = getattr(board, "READER", "") == "mfrc522"
        self._us = 0
        self._queue = []  # [us, order, function, arguments]
        self._order = 0
        self._out = []
        self._tray = board.ANTENNAS  # its antenna comes behind those of the zones
        self._chips = [[] for _ in range(board.ANTENNAS + 1)]
        self._faults = {}  # antenna -> kind
        self._lock = True
        self._armed = False
        self._nonces = 0
        self._covers = [0, 0]  # how many things are at each beam
        self._edge_us = -1  # the latch has fired and not reported yet
        self._line_free_us = 0
        self._plaque_fault = None
        self._hurried = False
        self._sweeping = False
        self._sweep_number = 0
        self._changed = False
        self._last = [b""] * (board.ANTENNAS + 1)
        self._good_us, self._reads = [0] * (board.ANTENNAS + 1), [0] * (board.ANTENNAS + 1)
        self.leds = b""
        self.lamp_on = self.switch_on = False
        self._setup, self._root = setup, root
        self._dark = False
        self.memory, self.blocks = memory, blocks
        if remembers and not memory:  # a bare Pico has no room for them
            from .memory import Blocks, Memory

            self.memory, self.blocks = Memory(), Blocks()
        self.mark = None
        self._tries = bytearray(3)
        self.shoe = Shoe(self, self)
        self._power_up()

    def _power_up(self, cause="power"):
        """The firmware starts; memory, flash, chips and shoe are as they were."""
        setup, board = self._setup, self._board
        self._lock, self._armed = True, False
        self._hurried = self._sweeping = False
        self._last = [b""] * (board.ANTENNAS + 1)
        self.lamp_on = False
        self._boot_us = self._us
        if self.memory:
            from firstcard.store.mark import Mark

            self.mark = Mark(self.memory)
        profile = load(setup["profile"], setup["options"])
        settings = {name: setup[name] for name in ("limits", "keys", "profile", "options")}
        texts = Texts(open(self._root + "/" + TEXTS, "rb"))
        self.engine = Engine(board, profile, settings, Chips(setup["registry"]), texts, self)
        if getattr(board, "KEYPAD", 0):
            from firstcard.app.dealer import Dealer

            Dealer(self.engine)
        self.engine.start(cause)
        for beam in (0, 1):
            if self._covers[beam]:
                self.engine.beam(beam, 1, self.us())
        self._at(1_000, self._tick)
        self._at(2_000, self._sweep)
        self.shoe.start()  # it has its power from the table

    def _power(self, kind):
        """The power goes, or comes back: what the firmware had in hand is gone."""
        if (kind == "cut") == self._dark:
            raise SimError("the power is %s already" % ("off" if self._dark else "on"))
        self._dark = kind == "cut"
        self._queue = [row for row in self._queue if row[2] not in self._inside()]
        if self._dark:
            self._lock, self._armed, self._edge_us = True, False, -1
            self._sweep_number += 1
        else:
            self._power_up()

    def _inside(self):
        """What only the firmware does."""
        return [self._tick, self._sweep, self._antenna_end, self._survived, self._restart,
                self._pressed]

    def _tell(self, name, *arguments):
        """Something reaches the engine, if it is there."""
        if not self._dark:
            getattr(self.engine, name)(*arguments)

    # what targets use

    @property
    def now_ms(self):
        return self._us // 1000

    def take(self):
        """Output lines since the last call."""
        out, self._out = self._out, []
        return out

    def said(self):
        """Output lines that nobody has taken yet."""
        return self._out

    def advance(self, ms):
        """Let at most `ms` pass; stops after the first thing that put out a line."""
        end = self._us + ms * 1000
        while not self._out and self._queue and self._queue[0][0] <= end:
            us, _, function, arguments = self._queue.pop(0)
            self._us = max(self._us, us)
            function(*arguments)
        if not self._out:
            self._us = end

    def do(self, action):
        """One action of pit.targets.base."""
        for name, value in action.items():
            getattr(self, "_do_" + name)(value)

    # ports of the engine

    def ms(self):
        return (self._us - self._boot_us) // 1000

    def us(self):
        return self._us - self._boot_us & 0x3FFFFFFF

    def arm(self):
        if self._covers != [0, 0]:
            return None
        self._lock = False
        self._armed = True
        return True

    def lock(self):
        self._lock = True
        self._armed = False

    def is_locked(self):
        return self._lock

    def show(self, leds):
        self.leds = bytes(leds)

    def prove(self, later=False):
        return self._plaque_fault is None

    def key_turned(self):
        return self.switch_on

    def lamp(self, on):
        self.lamp_on = on

    def shoe_write(self, data):
        self._at(len(data) * BYTE_US, self._say, data)

    def _say(self, data):
        for byte in data:
            self.shoe.hear(byte)

    def hurry(self):
        self._hurried = True
        if not self._sweeping:
            self._sweep_number += 1  # the waiting one is void
            self._at(100, self._sweep)

    def out(self, line):
        self._out.append(line)
        return True

    def readers_ok(self):
        dead = [n for n, kind in self._faults.items() if n != self._tray and kind in ("silent", "stuck", "hot")]
        return 0 if len(dead) == (1 if self._one_chip else self._board.ANTENNAS) else -1

    def reader(self, antenna):
        return ((self._us - self._good_us[antenna]) // 1000, self._reads[antenna], 0, 0, 0,
                HEALTH.get(self._faults.get(antenna), 0))

    def spots(self, count, zones):
        told = [[self.reader(zones * spot + n) for n in range(zones)] for spot in range(count)]
        return ([max(one[0] for one in ones) for ones in told],
                [spot + 1 for spot, ones in enumerate(told) if any(any(one[2:]) for one in ones)])

    def heap(self):
        return 0, 0

    def collect(self):
        pass

    def random(self, n):
        self._nonces += 1
        return bytes([(self._nonces + 37 * i) & 255 for i in range(n)])

    def test(self, part):
        """A part of the self-test: (verdict, figure)."""
        if part == "readers":
            count = self._board.ANTENNAS + (1 if self._board.TRAY_ANTENNA else 0)
            wrong = ["reader-%d:%s" % (n, self._faults[n]) for n in sorted(self._faults)]
            return ",".join(wrong) or "ok", "%d of %d" % (count - len(wrong), count)
        if part == "plaque":
            return self._plaque_fault or "ok", "0 mA"
        self.lock()
        blocked = self._covers != [0, 0]
        return ("blocked" if part == "edge" else "not-fired") if blocked else "ok", "0 us"

    def wall(self, seconds=None):
        """There is no clock chip: who asks for the time after a restart has to set it."""
        return None

    def keep(self, settings):
        self._setup = dict(self._setup)
        self._setup["profile"], self._setup["options"] = settings["profile"], settings["options"]

    def restart(self, why):
        """The firmware starts anew, once it has come to an end of what it is doing. There is no service mode here."""
        self._at(0, self._restart, why)

    def _restart(self, why):
        self._queue = [row for row in self._queue if row[2] not in self._inside()]
        self._sweep_number += 1
        self._edge_us = -1
        self._power_up(why)

    def tries(self, place, count=None):
        from firstcard.store import cell

        kept = self._tries
        if self.memory:
            kept[:] = (cell.load(self.memory, cell.LOCKOUT) + bytes(3))[:3]
        if count is not None:
            kept[place] = min(count, 255)
            if self.memory:
                cell.save(self.memory, cell.LOCKOUT, kept)
        return kept[place]

    # time

    def _at(self, us, function, *arguments):
        """Call later; what falls due at the same instant keeps its order."""
        self._order += 1
        row = [self._us + us, self._order, function, arguments]
        i = len(self._queue)
        while i and self._queue[i - 1][0] > row[0]:
            i -= 1
        self._queue.insert(i, row)

    def _tick(self):
        self.engine.tick()
        self._at(TICK_MS * 1000, self._tick)

    def _sweep(self, number=0):
        if number != self._sweep_number and number:
            return
        self._sweeping = True
        self._changed = self._hurried = False
        self._antenna(0)

    def _antenna(self, n):
        """Antenna `n` begins: what lies there now is what it will report."""
        chips = b"".join(self._chips[n])
        took = (EMPTY_US + CHIP_US * len(self._chips[n])) * self.slowness
        self._at(took, self._antenna_end, n, chips, self.us())

    def _antenna_end(self, n, chips, start_us):
        status = READ_OK
        kind = self._faults.get(n)
        if kind:
            status = READ_UNREADABLE if kind == "noisy" else READ_FAULT
            chips = b""
        elif self._one_chip and len(chips) > 8:  # two chips at a reader of ISO 14443A
            status, chips = READ_UNREADABLE, b""
        self._reads[n] += 1
        if status == READ_OK:
            self._good_us[n] = self._us
        if chips != self._last[n]:
            self._last[n] = chips
            self._changed = self._changed or n != self._tray
        self.engine.reading(n, chips, status, start_us, self.us())
        if n + 1 < self._tray:
            self._antenna(n + 1)
            return
        if n == self._tray:
            return
        self.engine.sweep_end()
        self._sweeping = False
        if self._hurried or self._changed:
            gap = HURRY_GAP_MS
        else:
            gap = self._board.SWEEP_GAP_MS if self.engine.round.state > 1 else IDLE_GAP_MS
            if self._board.TRAY_ANTENNA and not self._reads[0] % TRAY_TURN:
                self._antenna(self._tray)
        self._sweep_number += 1
        self._at(gap * 1000, self._sweep, self._sweep_number)

    # what people and the shoe do

    def _antenna_of(self, place):
        if place["zone"] == "tray":
            return self._tray
        return (place["spot"] - 1) * len(ZONES) + ZONES.index(place["zone"])

    def _do_place(self, place):
        self._chips[self._antenna_of(place)] += [bytes.fromhex(u) for u in place["uids"]]

    def _do_remove(self, place):
        lying = self._chips[self._antenna_of(place)]
        if place["uids"] is None:
            lying[:] = []
            return
        for u in place["uids"]:
            lying.remove(bytes.fromhex(u))

    def _do_line(self, line):
        data = line.encode() + b"\n"
        if self.answer_us:
            self._at(self.answer_us, self._tell, "console_bytes", data, len(data))
        else:
            self.engine.console_bytes(data, len(data))

    def _do_press(self, key):
        if not self.engine.dealer:
            raise SimError("this board has no keypad")
        self._at(KEY_MS * 1000, self._pressed, key)

    def _pressed(self, key):
        self.engine.dealer.press(key)

    def _do_turn(self, on):
        self.switch_on = on

    def _do_edge(self, edge):
        self.edge(**edge)

    def _do_draw(self, card):
        self.shoe.draw(card["code"], card.get("to") == "burn")

    def _do_frame(self, frame):
        if "type" in frame:
            self.shoe.say(frame)
        else:
            self.shoe.draw(frame["code"], beams=False)

    # the shoe's wire and its beams

    def now_us(self):
        return self._us

    def after(self, us, function, *arguments):
        self._at(int(us), function, *arguments)

    def busy_us(self):
        return max(0, self._line_free_us - self._us)

    def put(self, data, spoiled):
        """Bytes of the shoe; they arrive when the last one has been sent."""
        self._line_free_us = max(self._us, self._line_free_us) + len(data) * BYTE_US * (2 if spoiled else 1)
        if spoiled:
            self._at(self.busy_us(), self._tell, "line_error")
        else:
            self._at(self.busy_us(), self._tell, "shoe_bytes", data, len(data))

    def edge(self, back=False, ms=COVERED_MS, lag_ms=LAG_MS, inward=False):
        """A card passes the beams; `back`: the first of them only; `inward`: from outside."""
        self._cover(1 if inward else 0, ms, 0)
        if not back:
            self._cover(0 if inward else 1, ms, lag_ms)

    def cut(self, beam, is_cut):
        self._change(beam, 1 if is_cut else -1)

    def _cover(self, beam, ms, delay_ms):
        if delay_ms:
            self._at(delay_ms * 1000, self._change, beam, 1)
        else:
            self._change(beam, 1)
        self._at((delay_ms + ms) * 1000, self._change, beam, -1)

    def _change(self, beam, by):
        before = self._covers[beam] > 0
        self._covers[beam] += by
        covered = self._covers[beam] > 0
        if covered == before:
            return
        if not beam and covered and self._armed and not self._lock:
            self._lock = True
            self._edge_us = self._us
            self._at(self._board.DEBOUNCE_US, self._survived, self._us)
        elif not beam and self._edge_us >= 0 and self._us - self._edge_us < self._board.DEBOUNCE_US:
            self._edge_us = -1  # a glitch
            self._lock = not self._armed
        self._tell("beam", beam, int(covered), self.us())

    def _survived(self, us):
        if self._edge_us == us:
            self._edge_us = -1
            us = us - self._boot_us & 0x3FFFFFFF
            if self._armed and self.mark and not self.memory.broken:
                self.mark.set(us)
            self._armed = False
            self.engine.locked(LOCK_EDGE, us)

    def _do_fault(self, fault):
        kind = fault.get("kind")
        if "reader" in fault:
            n = fault["reader"]
            if n > self._tray:  # the number of its select lines
                n = self._tray
            if kind == "ok":
                self._faults.pop(n, None)
            else:
                self._faults[n] = kind
        elif "shoe" in fault:
            self.shoe.fault(fault["shoe"])
        elif "power" in fault:
            self._power(fault["power"])
        elif "plaque" in fault:
            self._plaque_fault = None if fault["plaque"] == "ok" else fault["plaque"]
        else:
            raise SimError("the simulated table has no fault %r yet: play it with --on rp2040" % (fault,))
