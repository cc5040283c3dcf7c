"""Shoe: the shoe's serial line, received by DMA, and watched by a hard timer while bets are open.

`machine.UART` loses most of what arrives while a flash erase holds the CPU; a DMA channel that copies the data register into a
2 KiB ring (178 ms at 115,200 baud) loses nothing. The driver's own receive interrupt has to be masked for that, but its transmit
interrupt not: with IMSC = 0 it could send 32 bytes and no more.

While bets are open `_follow` looks at the ring every 5 ms and raises LOCK by itself when a frame `@ss,EDG` or `@ss,CRD` has begun:
no task, queue or allocation is in that path. The lock instant is the look that first saw the `@`, less 5 ms.

Between frames nothing runs: the start bit of the next one interrupts once (`listen`).
"""

import array

import machine
import micropython
import rp2
import uctypes
from machine import UART, Pin
from micropython import const

from firstcard.drivers.latch import WORDS

_RING = const(2048)
_COUNT = 0x7FFFF800  # bytes until the channel stops, a multiple of the ring: years of a shoe; then read_into starts it again
_FOLLOW_MS = const(5)
_LEAD_US = const(5000)

# words of the latch (latch.py): the same numbers
_WAKE = const(0)
_FRAMES = const(5)
_FRAME_TICK = const(6)
_ARMED = const(7)
_LOCK_SET = const(11)
_OVERRIDE = const(0x3300)
_WAKE_SHOE = const(2)

# words of the line: what _follow and the start bit use
_DMA = const(0)  # address of the channel's registers
_BASE = const(1)  # address of the ring
_TAKEN = const(2)  # bytes read: counted up from -_COUNT, as the channel counts down from _COUNT
_SEEN = const(3)  # bytes followed
_MATCH = const(4)  # how far the beginning of a frame has been seen
_TICK = const(5)  # of the look that saw its '@'
_OVERRUNS = const(6)
_INTE_CLEAR = const(7)  # address, and bit of the start bit's interrupt
_START_BIT = const(8)
_line = array.array("i", [0] * 9)

_TIMER_PAGE = const(0x40054)


@micropython.viper
def _follow(timer_):
    """Hard timer: look for the beginning of a frame that locks."""
    a = ptr32(_line)
    w = ptr32(WORDS)
    dma = ptr32(a[_DMA])
    ring = ptr8(a[_BASE])
    page = _TIMER_PAGE
    timer = ptr32(page << 12)
    end = 0 - int(dma[2])  # TRANS_COUNT
    at = int(a[_SEEN])
    match = int(a[_MATCH])
    if end - at > _RING:
        at = end - _RING
        match = 0
    while at < end:
        c = int(ring[at & (_RING - 1)])
        at += 1
        if c == 64:  # '@'
            match = 1
            a[_TICK] = (int(timer[10]) - _LEAD_US) & 0x3FFFFFFF
        elif match == 0:
            pass
        elif match < 3:  # the sequence number
            match += 1
        elif match == 3 and c == 44:  # ','
            match = 4
        elif match == 4 and c == 69:  # E
            match = 5
        elif match == 5 and c == 68:  # D
            match = 6
        elif match == 4 and c == 67:  # C
            match = 7
        elif match == 7 and c == 82:  # R
            match = 8
        elif (match == 6 and c == 71) or (match == 8 and c == 68):  # G; D
            match = 0
            if int(w[_ARMED]) and int(w[_FRAMES]) == 0:
                lock = ptr32(w[_LOCK_SET])
                lock[0] = _OVERRIDE
                w[_FRAMES] = 1
                w[_FRAME_TICK] = a[_TICK]
                w[_WAKE] = int(w[_WAKE]) | 1
        else:
            match = 0
    a[_SEEN] = at
    a[_MATCH] = match


@micropython.viper
def _on_start_bit(pin):
    """A byte begins to arrive: tell the tasks, and do not interrupt again until listen()."""
    a = ptr32(_line)
    w = ptr32(WORDS)
    inte = ptr32(a[_INTE_CLEAR])
    inte[0] = int(a[_START_BIT])
    w[_WAKE] = int(w[_WAKE]) | _WAKE_SHOE


@micropython.viper
def _read(into: ptr8, size: int) -> int:
    """Copy at most `size` bytes out of the ring."""
    a = ptr32(_line)
    dma = ptr32(a[_DMA])
    ring = ptr8(a[_BASE])
    end = 0 - int(dma[2])
    at = int(a[_TAKEN])
    if end - at > _RING:  # overwritten before it was read
        a[_OVERRUNS] = int(a[_OVERRUNS]) + 1
        at = end
    n = 0
    while at < end and n < size:
        into[n] = ring[at & (_RING - 1)]
        at += 1
        n += 1
    a[_TAKEN] = at
    return n


class Shoe:
    """`board`: SHOE_UART, SHOE_TX, SHOE_RX, SHOE_BAUD."""

    def __init__(self, board):
        base = 0x40034000 + 0x4000 * board.SHOE_UART
        # the receive buffer of the driver stays empty, so it may be small
        self._uart = UART(
            board.SHOE_UART, board.SHOE_BAUD, tx=Pin(board.SHOE_TX), rx=Pin(board.SHOE_RX), rxbuf=32, txbuf=256
        )
        machine.mem32[base + 0x38] = 0x20  # UARTIMSC: transmit only
        machine.mem32[base + 0x48] = 1  # UARTDMACR: RXDMAE
        self._raw = bytearray(2 * _RING)  # twice the ring: it has to be aligned to its size
        _line[_BASE] = (uctypes.addressof(self._raw) + _RING - 1) & ~(_RING - 1)
        self._dma = rp2.DMA()
        _line[_DMA] = 0x50000000 + 0x40 * self._dma.channel
        self._base = base
        self._ctrl = self._dma.pack_ctrl(
            size=0,
            inc_read=False,
            inc_write=True,
            ring_size=11,
            ring_sel=True,
            treq_sel=21 + 2 * board.SHOE_UART,
            irq_quiet=True,
        )
        self._receive()
        _line[_INTE_CLEAR] = 0x40017100 + 4 * (board.SHOE_RX >> 3)  # PROC0_INTE, clear alias
        _line[_START_BIT] = 4 << 4 * (board.SHOE_RX & 7)  # falling edge
        self._pin = Pin(board.SHOE_RX)
        self._pin.irq(_on_start_bit, Pin.IRQ_FALLING, hard=True)
        self._timer = machine.Timer()
        self._watching = False

    def _receive(self):
        _line[_TAKEN] = _line[_SEEN] = -_COUNT
        _line[_MATCH] = 0
        self._dma.config(read=self._base, write=_line[_BASE], count=_COUNT, ctrl=self._ctrl, trigger=True)

    def watch(self, on):
        """Raise LOCK by a frame that begins from now on (also one that is just arriving), or stop doing so."""
        if on != self._watching:
            self._watching = on
            if on:
                _line[_SEEN] = max(-_COUNT, _line[_TAKEN] - 8)
                _line[_MATCH] = 0
                self._timer.init(period=_FOLLOW_MS, mode=machine.Timer.PERIODIC, callback=_follow, hard=True)
            else:
                self._timer.deinit()

    def read_into(self, buf):
        """Copy what has arrived into `buf`, at most its size; returns how many bytes. Allocates nothing."""
        n = _read(buf, len(buf))
        if not n and not self._dma.active():
            self._receive()
        return n

    def listen(self):
        """Interrupt (wake bit 2) at the next start bit. False = something has arrived already: read it, then listen again."""
        register = _line[_INTE_CLEAR] - 0x3000
        machine.mem32[register - 0x10] = _line[_START_BIT]  # INTR: forget the edges that came while masked
        machine.mem32[register + 0x2000] = _line[_START_BIT]
        return self._dma.count == -_line[_TAKEN]

    def write(self, data):
        """Queue bytes to the shoe (256 at most); never waits. Returns how many were taken."""
        return self._uart.write(data)

    def overruns(self):
        """How often the ring was overwritten before it was read: frames are missing."""
        return _line[_OVERRUNS]

    def line_errors(self):
        """Framing, parity, break or overrun errors since the last call, as bits 0..3."""
        errors = machine.mem32[self._base + 0x3C] >> 7 & 15  # UARTRIS
        machine.mem32[self._base + 0x44] = errors << 7  # UARTICR
        return errors
