"""I2C buses with wire time: every byte takes its nine bits, and who answers at an address is a device.

Defects of the stock emulator mended here:
 - what answers decides how long a byte takes, so a memory that answers at once is free. Here one alarm a bus lets
   each byte last as long as the clock that the firmware has set (data sheet 4.3.14).
 - an address or byte that nobody acknowledges empties the FIFO without a word, so MicroPython waits 50 ms for TX_EMPTY
   and then meets the abort in its next transfer, to another device. It is told (data sheet 4.3.10.1).
 - writing IC_SDA_HOLD and IC_DMA_CR, as MicroPython does when it makes a bus, is a bad access there. They are taken;
   DMA itself is not modelled.

A device has `start(reading)`, `write(byte) -> acknowledged`, `read() -> byte` and `stop()`.
"""

from pit.emu.alarms import grid

_CYCLE_NS = 8  # of clk_sys, which feeds the block
_BITS = 9
_TAKEN = (0x7C, 0x88)  # IC_SDA_HOLD, IC_DMA_CR
_TX_EMPTY = 1 << 4  # of the raw interrupts


class Bus:
    """One I2C block. `devices`: by 7 bit address. `bytes`: how many have passed, addresses too."""

    def __init__(self, mcu, block):
        self.devices = {}
        self.bytes = 0
        self._block, self._device, self._then = block, None, None
        self._alarm = mcu.clock.create_alarm(self._passed)
        block.on_connect, block.on_stop = self._connect, self._stop
        block.on_write_byte, block.on_read_byte = self._write, self._read
        self._stock_write, block.write_uint32 = block.write_uint32, self._register
        self._stock_abort, block._abort = block._abort, self._abort

    @property
    def byte_ns(self):
        """How long a byte and its acknowledgement last."""
        return _BITS * (self._block.scl_high_period + self._block.scl_low_period) * _CYCLE_NS

    def _register(self, offset, value):
        if offset not in _TAKEN:
            self._stock_write(offset, value)

    def _abort(self, reason):
        self._stock_abort(reason)
        self._block._set_interrupts(_TX_EMPTY)

    def _after_a_byte(self, then):
        self.bytes += 1
        self._then = then
        self._alarm.schedule(grid(self.byte_ns))

    def _passed(self):
        then, self._then = self._then, None
        then()

    def _connect(self, address, mode):
        self._device = self.devices.get(address)
        self._after_a_byte(lambda: self._connected(bool(mode)))

    def _connected(self, reading):
        if self._device:
            self._device.start(reading)
        self._block.complete_connect(self._device is not None)

    def _write(self, value):
        self._after_a_byte(lambda: self._block.complete_write(self._device.write(value)))

    def _read(self, more):
        self._after_a_byte(lambda: self._block.complete_read(self._device.read()))

    def _stop(self):
        if self._device:
            self._device.stop()
            self._device = None
        self._block.complete_stop()

    def close(self):
        """Let go of the chip (see Board.close)."""
        self._block.on_connect = self._block.on_stop = self._block.on_write_byte = self._block.on_read_byte = None
        del self._block.write_uint32, self._block._abort
        self._block = self._alarm = self._then = self._stock_write = self._stock_abort = None


def mend(mcu):
    """A Bus for both blocks."""
    return [Bus(mcu, block) for block in mcu.i2c]
