"""PL022 SPI masters with wire time, without an alarm per byte.

Defects of the stock emulator mended here (datasheet 4.4):
 - a byte is answered in no time unless a device keeps an alarm of its own, which costs more than the byte.
 - modes 2 and 3 are told apart the wrong way round.
 - the answer sits in an endless FIFO; here both hold eight, and what does not fit is lost, as on the chip.
How: a byte is exchanged with the device when the firmware writes it, and its answer is kept with the instant at which
its last bit has passed. Whoever reads the status or the data later sees what has arrived by then. Only while a DMA
channel works on this block is there an alarm per byte, since nobody else would look.
"""

from collections import deque

from rp2040py.peripherals.spi import RPSPI

SPI_BASES = (0x4003C, 0x40040)
_CR0, _DR, _SR, _CPSR, _MIS, _RIS, _DMACR = 0x00, 0x08, 0x0C, 0x10, 0x1C, 0x18, 0x24
_TFE, _TNF, _RNE, _RFF, _BSY = 1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 4  # SSPSR
_ROR, _RX, _TX = 1 << 0, 1 << 2, 1 << 3  # SSPRIS
_SPO, _SPH = 1 << 6, 1 << 7  # SSPCR0
_FIFO = 8
_IDLE_LINE = 0xFF  # MISO with nobody driving it, held by a pull-up


class TimedSpi(RPSPI):
    """One SPI block. `device.exchange(byte) -> byte` is called when the firmware writes a byte."""

    def __init__(self, stock):
        self._flight = deque()  # (ns of its last bit, answer), in order
        self._answers = deque()  # received, at most eight
        super().__init__(stock.rp2040, stock.name, stock.irq, stock.dreq)
        self.device = None
        self.lost = 0  # bytes that did not fit a FIFO, either way
        self.bytes = 0  # exchanged since power-on
        self._clock = self.rp2040.clock
        self._free_ns = 0.0  # when the last byte written will have passed
        self._byte_ns = 8000.0
        self._by_dma = False
        self._alarm = self._clock.create_alarm(self._passed)
        self._alarm_set = False

    def _settle(self):
        """Move what has arrived by now into the receive FIFO."""
        now, flight = self._clock.nanos, self._flight
        while flight and flight[0][0] <= now:
            answer = flight.popleft()[1]
            if len(self._answers) < _FIFO:
                self._answers.append(answer)
            else:
                self.lost += 1
                self._int_raw |= _ROR

    def steady_ns(self):
        """Until when the status register stays as it is, if nothing is written or read."""
        return self._flight[0][0] if self._flight else float("inf")

    @property
    def _queued(self):
        """Bytes in the transmit FIFO: written, and their first bit not yet on the wire. Call _settle() first."""
        return max(0, len(self._flight) - 1)

    def _write_byte(self, value):
        self._settle()
        if self._queued >= _FIFO:
            self.lost += 1
            return
        now = self._clock.nanos
        self._free_ns = (self._free_ns if self._free_ns > now else now) + self._byte_ns
        self._flight.append((self._free_ns, self.device.exchange(value) if self.device else _IDLE_LINE))
        self.bytes += 1
        if self._by_dma:
            self._request()
            self._set_alarm()

    def _read_byte(self):
        self._settle()
        answer = self._answers.popleft() if self._answers else 0
        if self._by_dma:
            self._request()
        return answer

    @property
    def spi_mode(self):
        """0 to 3: twice the clock's idle level (SPO) plus the sampling edge (SPH)."""
        return (2 if self._control0 & _SPO else 0) + (1 if self._control0 & _SPH else 0)

    # --- DMA ------------------------------------------------------------------------------------------------------

    def look_for_dma(self):
        """A DMA register was written: is a channel at work on this block?"""
        channels = self.rp2040.dma.channels
        self._by_dma = any(channel.active and channel.treq in self.dreq for channel in channels)
        if self._by_dma:
            self._settle()
            self._request()
            self._set_alarm()

    def _set_alarm(self):
        if self._flight and not self._alarm_set:
            self._alarm_set = True
            self._alarm.schedule(max(0.0, self._flight[0][0] - self._clock.nanos))

    def _passed(self):
        self._alarm_set = False
        self.look_for_dma()

    def _request(self):
        dma = self.rp2040.dma
        if self._queued < _FIFO:
            dma.set_dreq(self.dreq.tx)
        else:
            dma.clear_dreq(self.dreq.tx)
        if self._answers:
            dma.set_dreq(self.dreq.rx)
        else:
            dma.clear_dreq(self.dreq.rx)

    # --- registers ------------------------------------------------------------------------------------------------

    def read_uint32(self, offset):
        """Register at `offset`."""
        if offset == _SR:
            self._settle()
            flight = len(self._flight)
            return ((_BSY if flight else 0) | (_TFE if flight <= 1 else 0) | (_TNF if flight <= _FIFO else 0)
                    | (_RNE if self._answers else 0) | (_RFF if len(self._answers) >= _FIFO else 0))
        if offset == _DR:
            return self._read_byte()
        if offset in (_RIS, _MIS):
            self._settle()
            raw = self._int_raw & _ROR
            raw |= (_RX if len(self._answers) >= _FIFO // 2 else 0) | (_TX if self._queued <= _FIFO // 2 else 0)
            return raw if offset == _RIS else raw & self._int_enable
        return super().read_uint32(offset)

    def write_uint32(self, offset, value):
        """Register at `offset`."""
        if offset == _DR:
            self._write_byte(value & ((1 << self.data_bits) - 1))
            return
        super().write_uint32(offset, value)
        if offset in (_CR0, _CPSR) and self._clock_divisor:
            self._byte_ns = max(8.0, self.data_bits * 1e9 / self.clock_frequency // 8 * 8)

    def reset(self):
        """Back to power-on; the device stays connected."""
        super().reset()
        self._flight.clear()
        self._answers.clear()
        self._free_ns = 0.0
        self._alarm.cancel()
        self._alarm_set = self._by_dma = False

def mend(mcu):
    """Put both blocks into the chip, and let them hear of writes to the DMA."""
    blocks = []
    for index, base in enumerate(SPI_BASES):
        block = TimedSpi(mcu.spi[index])
        mcu.spi[index].rp2040 = None  # the old one lives on in its default callback: without the chip
        mcu.spi[index] = mcu.peripherals[base] = block
        blocks.append(block)
    dma = mcu.dma
    stock_write = dma.write_uint32

    def write(offset, value):
        stock_write(offset, value)
        for block in blocks:
            block.look_for_dma()

    dma.write_uint32 = write
