"""The readers behind five select lines: strobe, BUSY multiplexer, common reset, one SPI bus, and a fault per reader.

Rules of the board (boards/README.md): the select lines move only while the strobe is high, and 100 ns before and after
it was low; a number without a reader shows BUSY high (pull-up). One alarm exists at most: the selected reader's BUSY
falling.
"""

from pit.emu.modelerror import BusViolation

FAULTS = ("silent", "stuck", "noisy", "reset", "hot", "unlit", "wedged", "hung", "ok")
DEAD = ("silent", "stuck", "hung")
SELECT_LINES = 5
SETTLE_NS = 100  # select lines quiet before and after the strobe
RESET_PULSE_NS = 10_000  # RESET_N low at least that long (PN5180 data sheet, table 141)
MAX_BAUD = 7_000_000  # PN5180 data sheet, 11.4
SSPSR, SSPSR_BUSY = 0x0C, 1 << 4  # status register of the SPI block (RP2040 datasheet 4.4)
FLOATING = 0xFF  # MISO with nobody on it
NEIGHBOURS = 3  # two antennas nearer than that disturb each other
GRACE_NS = 100_000  # after an injected fault: what was begun in good faith is no violation
MAX_FIELDS = 4  # the supply carries no more


class ReaderBus:
    """`readers`: {antenna number: Pn5180}; `pins`: board data with SELECT, STROBE, BUSY, READER_RESET and SPI.

    `violations`: (ns, text) of every field that came up too near to another one or as one too many; a test asserts that
    it is empty. `frames`: frames seen. `radiating`: antennas whose field is up. `max_radiating`: the most at one time.
    """

    def __init__(self, readers, pins):
        self.readers, self.pins = readers, pins
        self.violations, self.frames = [], 0
        self.radiating, self.max_radiating = set(), 0
        self._faults = {}
        self._wires = {}  # what is wrong with the wiring: see wire()
        self._board = None

    # ---- wiring ----

    def attach(self, board):
        """Wire the bus to a board that has just been powered."""
        self._board = board
        self._lines = 0
        self._number, self._strobe, self._busy = 0, False, None
        self._frame, self._reading, self._reply, self._selected = bytearray(), False, b"", None
        self._resets = board.resets
        self._moved_ns = self._raised_ns = -SETTLE_NS
        self._disturbed_ns = -GRACE_NS
        self._reset_ns = None
        self._alarm = self._alarm_ns = None
        pins = self.pins
        for gp in (pins.STROBE, pins.READER_RESET):  # both have pull-ups: an undriven pin selects and resets nothing
            board.drive(gp, True)
        for bit in range(SELECT_LINES):
            board.on_pin(pins.SELECT + bit, self._select_listener(bit))
        board.on_pin(pins.STROBE, self._on_strobe)
        board.on_pin(pins.READER_RESET, self._on_reset)
        self._spi = board.spi(pins.SPI)
        self._spi.device = self
        for reader in self.readers.values():
            reader.restart(board.now_ns)
        self._show_busy(board.now_ns)

    def _select_listener(self, bit):
        weight = 1 << bit

        def moved(level, ns):
            if self._board.resets != self._resets:
                self._abandon(ns)
            if self._strobe:
                raise BusViolation(f"select line A{bit} moved while the strobe was low (reader {self._number})")
            if ns - self._raised_ns < SETTLE_NS:
                raise BusViolation(f"select line A{bit} moved {ns - self._raised_ns:.0f} ns after the strobe rose")
            self._lines = self._lines | weight if level else self._lines & ~weight
            self._number = self._lines
            if "select" in self._wires:
                line, stuck = self._wires["select"]
                self._number = self._number & ~(1 << line) | stuck << line
            self._moved_ns = ns
            self._show_busy(ns)

        return moved

    def _abandon(self, ns):
        """The RP2040 was reset: its pins fall back in no order; a frame or a reset pulse then ends unjudged."""
        self._resets = self._board.resets
        self._strobe, self._raised_ns = False, -SETTLE_NS
        if self._reset_ns is not None:
            self._reset_ns = None
            for reader in self.readers.values():
                reader.restart(ns)

    def _on_reset(self, level, ns):
        if "reset" in self._wires:
            return
        if self._board.resets != self._resets:
            self._abandon(ns)
        if self._strobe:
            raise BusViolation("reset line moved while the strobe was low")
        elif not level:
            self._reset_ns = ns
            for reader in self.readers.values():
                reader.hold_reset(ns)
        elif self._reset_ns is not None:
            if ns - self._reset_ns < RESET_PULSE_NS:
                raise BusViolation(f"reset pulse of {(ns - self._reset_ns) / 1000:.1f} us, at least 10 us")
            self._reset_ns = None
            for number, reader in self.readers.items():
                reader.restart(ns)
                if self._faults.get(number) == "hung":
                    del self._faults[number]
        self._show_busy(ns)

    # ---- frames ----

    def _on_strobe(self, level, ns):
        if self._board.resets != self._resets:
            self._abandon(ns)
        if level is not self._strobe:  # the strobe is active low: _strobe True is level False
            return
        self._strobe = not level
        if level:
            self._end(ns)
        else:
            self._begin(ns)
        self._show_busy(ns)

    def _begin(self, ns):
        number = self._number
        if ns - self._moved_ns < SETTLE_NS:
            raise BusViolation(f"strobe low {ns - self._moved_ns:.0f} ns after the select lines moved")
        disturbed = ns - self._disturbed_ns < GRACE_NS  # the driver may have looked at BUSY just before the fault
        if self._busy and not disturbed and not self._wires:
            raise BusViolation(f"strobe low while BUSY of reader {number} is high")
        spi = self._spi
        if spi.spi_mode != 0 or spi.clock_frequency > MAX_BAUD:
            speed = f"mode {spi.spi_mode} at {spi.clock_frequency / 1e6:.1f} Mbit/s"
            raise BusViolation(f"SPI {speed}: a PN5180 wants mode 0, at most 7 Mbit/s")
        dead = disturbed or self._faults.get(number) in DEAD
        if number in self._wires.get("swap", ()):
            first, second = self._wires["swap"]
            number = second if number == first else first
        reader = self.readers.get(number)
        if "clock" in self._wires or reader is not None and reader.busy_until_ns == float("inf"):
            dead = True  # nothing arrives, or it is held in reset
        self._selected = reader = None if dead else reader
        self._frame = bytearray()
        self._reading = reader is not None and reader.reply is not None
        self._reply = reader.reply if self._reading else b""

    def exchange(self, byte):
        """One byte on the wire, from the SPI block: returns what MISO carries."""
        if not self._strobe:
            raise BusViolation(f"byte {byte:#04x} clocked while no reader was selected")
        frame = self._frame
        at = len(frame)
        frame.append(byte)
        if self._selected is None:
            return FLOATING
        if at == 0 and self._selected is self.readers.get(self._number):
            self._set_busy(True)
        if "mosi" in self._wires:
            return FLOATING
        if self._reading and "miso" in self._wires:
            number, level = self._wires["miso"]
            if number in (None, self._number):
                return 0xFF if level else 0x00
        if self._reading:
            if byte != FLOATING:
                raise BusViolation(f"reader {self._number}: byte {byte:#04x} sent while a reply waits to be read")
            return self._reply[at] if at < len(self._reply) else FLOATING
        return FLOATING

    def _end(self, ns):
        self._raised_ns = ns
        self.frames += 1
        if self._spi.read_uint32(SSPSR) & SSPSR_BUSY:
            raise BusViolation(f"strobe raised in the middle of a byte (reader {self._number})")
        frame, reader = bytes(self._frame), self._selected
        if not frame:
            raise BusViolation(f"strobe low and high again without a byte (reader {self._number})")
        if reader is None:
            return
        if "mosi" in self._wires:
            reader.nonsense(ns)
        elif self._reading:
            reader.reply_taken(len(frame), ns)
        else:
            reader.frame(frame, ns)

    # ---- BUSY ----

    def _show_busy(self, ns):
        """Put the selected reader's BUSY on the pin, and see that it falls in time."""
        number = self._number
        reader = self.readers.get(number)
        fault = self._faults.get(number)
        if reader is None or fault in ("stuck", "hung"):
            self._set_busy(True)
        elif fault == "silent":
            self._set_busy(False)
        else:
            until_ns = reader.busy_until_ns
            self._set_busy(until_ns > ns or (self._strobe and len(self._frame) > 0))
            if ns < until_ns < float("inf") and not self._strobe:
                self._wake(until_ns, ns)

    def _wake(self, until_ns, ns):
        if self._alarm is not None:
            if self._alarm_ns == until_ns:
                return
            self._alarm.cancel()
        self._alarm_ns = until_ns
        self._alarm = self._board.after_us((until_ns - ns) / 1000, self._on_alarm)

    def _on_alarm(self):
        due_ns, self._alarm, self._alarm_ns = self._alarm_ns, None, None
        self._show_busy(max(due_ns, self._board.now_ns))

    def _set_busy(self, level):
        if "busy" in self._wires:
            number, stuck = self._wires["busy"]
            level = stuck if number in (None, self._number) else level
        if level is not self._busy:
            self._busy = level
            self._board.drive(self.pins.BUSY, level)

    # ---- fields and faults ----

    def on_field(self, number, on, ns):
        """A reader's field came up or went down (given to every Pn5180 as its `on_field`)."""
        if not on:
            self.radiating.discard(number)
            return
        near = [n for n in sorted(self.radiating) if abs(n - number) < NEIGHBOURS and n != number]
        if near:
            self.violations.append((ns, f"antenna {number} radiates beside {near}"))
        self.radiating.add(number)
        self.max_radiating = max(self.max_radiating, len(self.radiating))
        if len(self.radiating) > MAX_FIELDS:
            self.violations.append((ns, f"{len(self.radiating)} fields at once: {sorted(self.radiating)}"))

    def wire(self, kind, *what):
        """A fault of the wiring: `miso`, `busy` (reader or None: the common line, level at which it is stuck); `swap`
        (two readers: their NSS); `select` (line, level); `reset` (level at which all readers see it); `mosi`, `clock`
        (broken: the same for the strobe)."""
        self._wires[kind] = what
        ns = self._board.now_ns
        if kind == "reset" and not what[0]:
            for reader in self.readers.values():
                reader.hold_reset(ns)
        self._show_busy(ns)

    def fault(self, number, kind):
        """Reader `number` is from now on `silent` (MISO FF, BUSY low), `stuck` (BUSY high), `noisy` or `ok`.

        Noisy: every answer window is filled with noise. `reset`: it resets itself, once. `hot`: see Pn5180.heat();
        `unlit`: its field does not come up. A reader that was silent or stuck and is `ok` again has been without power:
        it has forgotten everything. Until a reset `wedged` cannot be configured, until a hard one `hung` is stuck.
        """
        reader = self.readers[number]
        if kind not in FAULTS:
            raise ValueError(f"reader fault {kind!r}: one of {', '.join(FAULTS)}")
        now_ns = self._board.now_ns
        was = self._faults.get(number, "ok")
        if kind == "reset" or was in DEAD or kind in DEAD or kind == "wedged":
            reader.restart(now_ns)
            if number == self._number:
                self._selected, self._disturbed_ns = None, now_ns  # a frame in the middle is lost
        if kind == "wedged":
            reader.wedged = True
        elif kind != "reset":
            self._faults[number] = kind
            reader.field.noisy = kind == "noisy"
            reader.unlit = kind == "unlit"
            reader.heat(kind == "hot", now_ns)
        self._show_busy(now_ns)
