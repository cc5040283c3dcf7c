"""The emulated table: a Board with the models of everything that hangs on its pins, and the hands that play on it.

Nothing moves by itself: place chips, draw cards, then let time pass with `table.board.run_ms()`.
"""

from boards import fc7

from firstcard.core import digits
from pit.emu.beams import Beams
from pit.emu.board import Board
from pit.emu.display import Display
from pit.emu.fakeboard import FakeBoard
from pit.emu.fram import Fram
from pit.emu.keypad import Keypad
from pit.emu.mfrc522 import Rc522Bus
from pit.emu.modelerror import NotModelled
from pit.emu.pn5180 import Pn5180
from pit.emu.readerbus import ReaderBus
from pit.emu.rtc import Rtc
from pit.emu.shoe import Shoe
from pit.emu.strip import Strip
from pit.emu.tagfield import Disturbance, Field, Tag

TRAY = "tray"


class Table:
    """`image_fs`: image of the file system (pit.image.make_fs); `uf2`: the MicroPython image, path or bytes.

    `board`: the Board, which a power cut replaces. `bus`, `fields` (by antenna), `beams`, `shoe`, `strip`, `fram`,
    `keypad`, `display` and `rtc` (None where there is none): the models.
    `lock_log`: (ns, level) of every change of LOCK since power-on; `lamp_log` the same of the alarm lamp.
    """

    def __init__(self, image_fs, uf2, pins=fc7, usb=True, heartbeat=True):
        self.pins, self._usb = pins, usb
        self.fields = {}
        if pins.READER == "mfrc522":
            self.bus = Rc522Bus(pins)
        else:
            self.fields = {number: Field() for number in [*range(pins.ANTENNAS), pins.TRAY_ANTENNA]}
            self.bus = ReaderBus({n: Pn5180(n, field, self._on_field) for n, field in self.fields.items()}, pins)
        self.beams = Beams(pins)
        self.shoe = Shoe(pins.SHOE_UART, heartbeat=heartbeat, beams=self.beams)
        self.strip = Strip(pins.LEDS, digits.size(pins.SPOTS) // 3, pins.PLAQUE_RETURN, pins.PLAQUE_CURRENT)
        self.fram = Fram()
        self.keypad = Keypad(pins.KEYPAD_INT) if pins.KEYPAD else None
        self.display = Display() if pins.KEYPAD else None
        self.rtc = Rtc() if pins.RTC else None
        self._flash, self._key_turned = None, False
        self._power_up(Board(uf2, image_fs, usb=usb))

    def _power_up(self, board):
        self.board = board
        self.lock_log, self.lamp_log = [], []
        self._read = 0  # console bytes that console_lines() has handed out
        for pull_up in (self.pins.LOCK, self.pins.SERVICE):
            board.drive(pull_up, True)
        board.on_pin(self.pins.LOCK, lambda level, ns: self.lock_log.append((ns, level)))
        board.on_pin(self.pins.LAMP, lambda level, ns: self.lamp_log.append((ns, level)))
        if self.keypad:
            board.drive(self.pins.KEY_SWITCH, not self._key_turned)
        for model in (self.bus, self.beams, self.strip, self.shoe, self.fram, self.keypad, self.display, self.rtc):
            if model:
                model.attach(board)

    def _on_field(self, number, on, ns):
        self.bus.on_field(number, on, ns)

    # ---- chips ----

    def antenna(self, spot, zone):
        """Number of the antenna of a zone (`main`, `tip`, `line`) of spot 1 to 7; of the tray for zone `tray`."""
        if zone == TRAY:
            return self.pins.TRAY_ANTENNA
        if not 1 <= spot <= self.pins.SPOTS:
            raise ValueError(f"spot {spot}: 1 to {self.pins.SPOTS}")
        return (spot - 1) * len(self.pins.ZONES) + self.pins.ZONES.index(zone)

    def place(self, spot, zone, uids):
        """Lay chips down: `uids` are 8-byte UIDs, least significant byte first."""
        if not self.fields:
            self._only(spot, zone)
            for uid in uids:
                self.bus.place(uid)
            return
        field = self.fields[self.antenna(spot, zone)]
        for uid in uids:
            field.place(Tag(bytes(uid)), self.board.now_ns)

    def remove(self, spot, zone, uids=None):
        """Take chips away, all of them without `uids`. ValueError when one does not lie there."""
        if not self.fields:
            self._only(spot, zone)
            for uid in [chip.uid + bytes(8 - len(chip.uid)) for chip in self.bus.chips] if uids is None else uids:
                self.bus.remove(uid)
            return
        field = self.fields[self.antenna(spot, zone)]
        wanted = [tag.uid for tag in field.tags] if uids is None else [bytes(uid) for uid in uids]
        for uid in wanted:
            found = [tag for tag in field.tags if tag.uid == uid]
            if not found:
                raise ValueError(f"chip {uid.hex()} does not lie on spot {spot}, {zone}")
            field.remove(found[0], self.board.now_ns)

    def _only(self, spot, zone):
        if self.antenna(spot, zone):
            raise NotModelled(f"spot {spot}, {zone}: this board has one antenna, main of spot 1")

    def uids(self, spot, zone):
        """What lies there, in the order in which it was laid down."""
        return [tag.uid for tag in self.fields[self.antenna(spot, zone)].tags]

    def disturb(self, seed, miss=0.0, noise=0.0):
        """Make every field imperfect from now on (see Disturbance); both 0 ends it."""
        for number, field in self.fields.items():
            field.disturbance = Disturbance(seed * 64 + number, miss, noise) if miss or noise else None

    # ---- cards ----

    def edge(self, back=False, delay_us=0, **how):
        """A card passes the beams without a word from the shoe: A for 60 ms, B 20 ms later; `back`: A only."""
        self.beams.edge(back, delay_us, **how)

    def draw(self, code, burn=False):
        """A card leaves the shoe: the edge and its EDG frame now, the CRD frame 120 ms later."""
        self.shoe.draw(code, burn)

    def frame(self, code):
        """The frames of a card alone: EDG now, CRD 120 ms later; the beams see nothing."""
        self.shoe.draw(code, beams=False)

    # ---- what it shows ----

    @property
    def leds(self):
        """The strip's LEDs, a list of (green, red, blue), as the last whole frame left them."""
        return self.strip.leds

    @property
    def lock_level(self):
        """The LOCK pin: True = locked."""
        return self.board.pin(self.pins.LOCK)

    @property
    def lamp_level(self):
        """The alarm lamp: True = on."""
        return self.board.pin(self.pins.LAMP)

    def console_lines(self):
        """The console's new complete lines (bytes without line end), each handed out once."""
        while True:
            end = self.board.out.find(b"\n", self._read)
            if end < 0:
                return
            line = bytes(self.board.out[self._read : end])
            self._read = end + 1
            yield line.rstrip(b"\r")

    # ---- faults and power ----

    def fault(self, fault):
        """One fault, as in a scenario: {reader: antenna, kind}, {spot, zone, kind}, {shoe: kind}, {plaque: kind}
        or {power: kind}."""
        if "reader" in fault:
            self.bus.fault(fault["reader"], fault["kind"])
        elif "spot" in fault:
            self.bus.fault(self.antenna(fault["spot"], fault["zone"]), fault["kind"])
        elif "shoe" in fault:
            self.shoe.fault(fault["shoe"])
        elif "plaque" in fault:
            self.strip.fault(fault["plaque"])
        elif fault.get("power") == "cut":
            self.power_cut()
        elif fault.get("power") == "restore":
            self.restore()
        else:
            raise NotModelled(f"fault {fault}")

    def service(self, on=True):
        """The SERVICE strap: on = pulled low."""
        self.board.drive(self.pins.SERVICE, not on)

    def turn_key(self, on):
        """The supervisor's key switch: on = closed to ground."""
        self._key_turned = on
        self.board.drive(self.pins.KEY_SWITCH, not on)

    def power_cut(self):
        """The power fails: the processor is gone, the flash stays as it is, chips and cards lie where they lie.

        Time goes on (`board` is a dark one) until restore(). Also to be called after a PowerCut out of the flash.
        """
        if self._flash is not None:
            raise ValueError("the power is already cut")
        self._flash = self.board.flash_bytes()
        self.beams.detach()
        if self.rtc:
            self.rtc.detach()
        self.board.close()
        self._power_up(FakeBoard())

    def restore(self):
        """The power comes back: a new power-on from the same flash, the clock begins at 0."""
        if self._flash is None:
            raise ValueError("the power was not cut")
        flash, self._flash = self._flash, None
        self.fram.power_up()
        for field in self.fields.values():
            field.new_clock()
        self.beams.detach()
        self._power_up(Board(None, flash=flash, usb=self._usb))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """End it and free the board's memory; harmless when repeated."""
        if self._flash is None:
            self.board.close()
