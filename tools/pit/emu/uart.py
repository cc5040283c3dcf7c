"""PL011 UARTs with a wire: paced bytes, real FIFOs, interrupts on levels, DMA requests, a start bit on the pin.

Defects of the stock emulator mended here (datasheet 4.2):
 - its transmit interrupt is raised again by every register access: `machine.UART(...)` of MicroPython 1.27 never
   returns. Here it is raised when the FIFO falls to its trigger level, as on the chip.
 - bytes take no time in either direction, and the transmit FIFO is always empty. Here each takes its bits.
 - the receive FIFO drops bytes silently. Here the overrun is flagged in the next byte, interrupts, and is counted.
 - no receive time-out (32 bit periods of silence), without which MicroPython does not see the last bytes of a frame.
 - no receive request to DMA, and UARTDMACR is not stored.
 - the receive pin never moves. Here it falls at the start bit and is high again when the byte is in: a firmware that
   wakes on the pin works. The data bits between are not drawn.
"""

from collections import deque

from rp2040py.peripherals.uart import RPUART

UART_BASES = (0x40034, 0x40038)
BITS_PER_BYTE = 10  # start, eight data, stop
RX_PINS = (1, 5)  # the usual receive pins, unless plug() is given another
_CR = 0x30
_DR, _RSR, _FR, _IFLS, _DMACR = 0x00, 0x04, 0x18, 0x34, 0x48
_BUSY, _RXFE, _TXFF, _RXFF, _TXFE = 1 << 3, 1 << 4, 1 << 5, 1 << 6, 1 << 7  # UARTFR
_FRAMING, _OVERRUN = 1 << 8, 1 << 11  # flags beside the byte in UARTDR
_RX, _TX, _RT, _FE, _OE = 1 << 4, 1 << 5, 1 << 6, 1 << 7, 1 << 10  # interrupts
_RXDMAE, _TXDMAE = 1 << 0, 1 << 1
_IFLS_RESET = 0x12  # both FIFOs: half
_LEVELS = (4, 8, 16, 24, 28, 28, 28, 28)  # bytes of 32 for each trigger setting
_FIFO = 32
_TIMEOUT_BITS = 32
_BAUD_TOLERANCE = 0.04  # beyond, the last bit is sampled outside of its place


class PacedUart(RPUART):
    """One UART of the chip. The circuit's side: send(), listen(), baud, overruns, framing_errors."""

    def __init__(self, stock, index):
        super().__init__(stock.rp2040, stock.name, stock.irq, stock.dreq)
        self._pads = None
        self._rx_pin = RX_PINS[index]
        self.baud = 115200  # of the device at the other end
        self.overruns = 0  # bytes lost because the receive FIFO was full
        self.framing_errors = 0  # bytes spoiled by different baud rates
        clock = self.rp2040.clock
        self._clock = clock
        self._tx_alarm = clock.create_alarm(self._sent)
        self._rx_alarm = clock.create_alarm(self._arrived)
        self._timeout = clock.create_alarm(self._timed_out)
        self._wire = deque()  # bytes on their way to the firmware
        self._wire_ns = 0.0  # when the byte in flight has arrived; absolute, so that rounding does not add up
        self._callbacks = []
        self._clear()

    def _clear(self):
        self._tx = deque()
        self._shifting = None  # the byte on the wire, or None
        self._ifls = _IFLS_RESET
        self._dmacr = 0
        self._overrun = False

    def plug(self, pads, rx_pin=None):
        """Connect a wire to the receive pin (default GP1 or GP5): it idles high."""
        self._pads = pads
        self._rx_pin = self._rx_pin if rx_pin is None else rx_pin
        self._draw(True)

    def send(self, data):
        """Put `data` on the wire to the firmware, after what is already on it, at `baud`."""
        idle = not self._wire
        self._wire.extend(data)
        if idle and self._wire:
            self._wire_ns = self._clock.nanos
            self._start_bit()

    def listen(self, fn):
        """`fn(byte)` for every byte from the firmware, when its stop bit has passed."""
        self._callbacks.append(fn)

    @property
    def sending(self):
        """Bytes still on their way to the firmware."""
        return len(self._wire)

    def _start_bit(self):
        self._draw(False)
        self._wire_ns += BITS_PER_BYTE * 1e9 / self.baud
        self._rx_alarm.schedule(max(0.0, self._wire_ns // 8 * 8 - self._clock.nanos))

    def _draw(self, level):
        if self._pads is not None:
            self._pads.drive(self._rx_pin, level)

    def _arrived(self):
        byte = self._wire.popleft()
        self._draw(True)
        if self.enabled and self.rx_enabled:
            self.feed_byte(byte)
        if self._wire:
            self._start_bit()

    def feed_byte(self, value):
        """A byte has arrived whole."""
        word = value
        if abs(self.baud_rate / self.baud - 1) > _BAUD_TOLERANCE:
            word = 0xFF | _FRAMING
            self.framing_errors += 1
            self._interrupt_status |= _FE
        if self.rx_fifo.item_count >= self._depth:
            self._overrun = True
            self.overruns += 1
            self._interrupt_status |= _OE
        else:
            self.rx_fifo.push(word | (_OVERRUN if self._overrun else 0))
            self._overrun = False
        if self.rx_fifo.item_count >= self._rx_level:
            self._interrupt_status |= _RX
        self._timeout.schedule(_TIMEOUT_BITS * self._bit_ns)
        self.check_interrupts()
        self._request()

    def _timed_out(self):
        if not self.rx_fifo.empty:
            self._interrupt_status |= _RT
            self.check_interrupts()

    def _read_byte(self):
        if self.rx_fifo.empty:
            return 0
        word = self.rx_fifo.pull()
        if self.rx_fifo.item_count < self._rx_level:
            self._interrupt_status &= ~_RX
        if self.rx_fifo.empty:
            self._interrupt_status &= ~_RT
            self._timeout.cancel()
        self.check_interrupts()
        self._request()
        return word

    def _write_byte(self, byte):
        if len(self._tx) < self._depth:
            self._tx.append(byte)
        if self._shifting is None:
            self._shift()
        if len(self._tx) > self._tx_level:
            self._interrupt_status &= ~_TX
            self.check_interrupts()
        self._request()

    def _shift(self):
        self._shifting = self._tx.popleft()
        self._tx_alarm.schedule(BITS_PER_BYTE * self._bit_ns // 8 * 8)

    def _sent(self):
        byte, self._shifting = self._shifting, None
        before = len(self._tx)
        if self._tx:
            self._shift()
        if before == 0 or before > self._tx_level >= len(self._tx):
            self._interrupt_status |= _TX
            self.check_interrupts()
        self._request()
        for fn in self._callbacks:
            fn(byte)

    @property
    def _depth(self):
        return _FIFO if self.fifos_enabled else 1

    @property
    def _rx_level(self):
        return _LEVELS[self._ifls >> 3 & 7] if self.fifos_enabled else 1

    @property
    def _tx_level(self):
        return _LEVELS[self._ifls & 7] if self.fifos_enabled else 0

    @property
    def _bit_ns(self):
        return 1e9 / self.baud_rate

    @property
    def baud_rate(self):
        """Bits per second by the divider; a divider of 0, which the chip does not allow, counts as 1."""
        return self.rp2040.clk_peri / (max(1.0, self.baud_divider) * 16)

    @property
    def flags(self):
        """UARTFR."""
        received, sending = self.rx_fifo.item_count, len(self._tx)
        return ((_RXFF if received >= self._depth else 0) | (_RXFE if not received else 0)
                | (_TXFF if sending >= self._depth else 0) | (_TXFE if not sending else 0)
                | (_BUSY if sending or self._shifting is not None else 0))

    def check_interrupts(self):
        """Pass the masked status on to the NVIC."""
        self.rp2040.set_interrupt(self.irq, bool(self._interrupt_status & self._interrupt_mask))

    def _request(self):
        """Tell the DMA what it may do, for as long as UARTDMACR lets us."""
        dma = self.rp2040.dma
        for enabled, ready, channel in ((self._dmacr & _RXDMAE, not self.rx_fifo.empty, self.dreq.rx),
                                        (self._dmacr & _TXDMAE, len(self._tx) < self._depth, self.dreq.tx)):
            if enabled and ready:
                dma.set_dreq(channel)
            else:
                dma.clear_dreq(channel)

    def read_uint32(self, offset):
        """Register at `offset`."""
        if offset == _DR:
            return self._read_byte()
        if offset == _FR:
            return self.flags
        if offset == _RSR:
            return 0
        if offset == _IFLS:
            return self._ifls
        if offset == _DMACR:
            return self._dmacr
        return super().read_uint32(offset)

    def write_uint32(self, offset, value):
        """Register at `offset`."""
        if offset == _DR:
            self._write_byte(value & 0xFF)
        elif offset == _IFLS:
            self._ifls = value & 0x3F
        elif offset == _DMACR:
            self._dmacr = value & 0x7
            self._request()
        elif offset != _RSR:
            super().write_uint32(offset, value)
            if offset == _CR:
                self._request()  # stock asks for DMA whenever the block is enabled

    def reset(self):
        """The chip's side back to power-on; what is on the wire stays on it."""
        super().reset()
        self._tx_alarm.cancel()
        self._timeout.cancel()
        self._clear()
        self._request()


def mend(mcu):
    """Put both UARTs into the chip."""
    for index, base in enumerate(UART_BASES):
        mcu.uart[index] = mcu.peripherals[base] = PacedUart(mcu.uart[index], index)
