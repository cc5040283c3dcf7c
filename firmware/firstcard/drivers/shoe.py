"""Shoe: the shoe's serial line, received by DMA, and watched by a hard timer while bets are open.

`machine.UART` loses most of what arrives while a flash erase holds the CPU; a DMA channel that copies the data
register into a 2 KiB ring (178 ms at 115,200 baud) loses nothing. The driver's own receive interrupt has to be masked
for that, but its transmit interrupt not: with IMSC = 0 it could send 32 bytes and no more.

While bets are open `_follow` looks at the ring every 5 ms and raises LOCK by itself when a frame `@ss,EDG` or
`@ss,CRD` has begun: no task, queue or allocation is in that path. The lock instant is the look that first saw the
`@`, less 5 ms.

Between frames nothing runs: the start bit of the next one interrupts once (`listen`). Not so while bets are open: the
shoe announces a card as it leaves, and the start bit's handler would stand before the card's own, so the timer tells
then that something has come. Masking the pin is not enough for that: the port's interrupt (rp2 `machine_pin.c`) goes by
the raw INTR, lowest pin first, and calls every handler whose trigger matches; so the handler is taken away.

Beam: what moves at one of the two light beams in the mouth of the shoe. A state machine is blocked in `wait` for the
next change and pushes; a DMA pair stamps TIMERAWL at that push, as the latch does for its own edge. No interrupt: who
wants to know looks (the latch's handlers wake the tasks at each card).
"""

import array
import time

import machine
import micropython
import rp2
import uctypes
from machine import UART, Pin
from micropython import const

from firstcard.drivers.edge import WORDS

_RING = const(2048)
_COUNT = const(0x3FFFF800)  # bytes until the channel stops, a multiple of the ring: half a year of heartbeats
_ENOUGH = const(0x20000000)  # when fewer are left, a silent moment is used to start it again
_FOLLOW_MS = const(5)
_LEAD_US = const(5000)

# words of the latch: the numbers of edge.py, here again because viper code wants its constants in its own module
_WAKE_LATCH = const(0)
_FRAMES = const(4)
_FRAME_TICK = const(5)
_ARMED = const(6)
_LOCK_SET = const(7)
_OVERRIDE = const(0x3300)

# words of the line: what _follow and the start bit use
_WAKE = const(0)  # not 0: a byte has begun to arrive (wake.py)
_DMA = const(1)  # address of the channel's registers
_BASE = const(2)  # address of the ring
_SEEN = const(3)  # bytes followed: counted up from -_COUNT, as the channel counts down from _COUNT
_SINCE = const(4)  # bytes since the last '@'
_TICK = const(5)  # of the look that saw it
_LAST = const(6)  # the last four bytes
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
    since = int(a[_SINCE])
    last = int(a[_LAST])
    if end - at > _RING:
        at = end - _RING
    while at < end:
        c = int(ring[at & (_RING - 1)])
        at += 1
        since += 1
        last = (last << 8) | c
        if c == 64:  # '@'
            since = 0
            a[_TICK] = (int(timer[10]) - _LEAD_US) & 0x3FFFFFFF
        elif since == 6 and (last == 0x2C454447 or last == 0x2C435244):  # ",EDG" or ",CRD" after the sequence number
            if int(w[_ARMED]) and int(w[_FRAMES]) == 0:
                lock = ptr32(w[_LOCK_SET])
                lock[0] = _OVERRIDE
                w[_FRAMES] = 1
                w[_FRAME_TICK] = a[_TICK]
                w[_WAKE_LATCH] = 1
    if at != int(a[_SEEN]):
        a[_WAKE] = 1
    a[_SEEN] = at
    a[_SINCE] = since
    a[_LAST] = last


@micropython.viper
def _on_start_bit(pin):
    """A byte begins to arrive: tell the tasks, and do not interrupt again until listen()."""
    a = ptr32(_line)
    inte = ptr32(a[_INTE_CLEAR])
    inte[0] = int(a[_START_BIT])
    a[_WAKE] = 1


@micropython.viper
def _errors(page: int) -> int:
    """Line errors of the UART at `page` << 12, forgotten with that. An address this high would be an object."""
    uart = ptr32(page << 12)
    errors = (int(uart[0x3C >> 2]) >> 7) & 15  # UARTRIS
    uart[0x44 >> 2] = errors << 7  # UARTICR
    return errors


_STAMPS = const(16)  # changes between two looks
_TIMERAWL = const(0x40054028)
_RXF1 = const(0x50200024)


@rp2.asm_pio()
def _changes():
    wrap_target()  # names of the PIO assembler
    wait(1, pin, 0)
    push(noblock)
    wait(0, pin, 0)
    push(noblock)
    wrap()


class Beam:
    """State machine `machine_id` (1 to 3) stamps each change of pin `gp`, beginning with a covered beam."""

    def __init__(self, machine_id, gp):
        self._ring = bytearray(8 * _STAMPS)  # twice the ring: it has to be aligned to its size
        self._drop = bytearray(4)
        size = 4 * _STAMPS
        self._at = (uctypes.addressof(self._ring) + size - 1) & ~(size - 1)
        first = rp2.DMA()
        self._dma = rp2.DMA()
        first.config(
            read=_RXF1 + 4 * (machine_id - 1),
            write=self._drop,
            count=1,
            ctrl=first.pack_ctrl(inc_read=False, inc_write=False, treq_sel=4 + machine_id,
                                 chain_to=self._dma.channel, irq_quiet=True),
        )
        self._dma.config(
            read=_TIMERAWL,
            write=self._at,
            count=1,
            ctrl=self._dma.pack_ctrl(inc_read=False, inc_write=True, ring_size=6, ring_sel=True, treq_sel=0x3F,
                                     chain_to=first.channel, irq_quiet=True),
        )
        first.active(1)
        self._first = first  # a channel that nobody holds is closed
        self._sm = rp2.StateMachine(machine_id, _changes, in_base=Pin(gp))
        self._sm.active(1)
        self._told = self._skip = self._skip_us = 0

    def _waits(self, at):
        """Is there a change number `at`?"""
        return (self._dma.write - self._at >> 2) & _STAMPS - 1 != at & _STAMPS - 1

    def _us(self, at):
        return machine.mem32[self._at + 4 * (at & _STAMPS - 1)] & 0x3FFFFFFF

    def next_us(self):
        """Instant of the oldest change that take() has not given yet, 30 bits; -1 if there is none."""
        while self._waits(self._told):
            us = self._us(self._told)
            if not self._skip or time.ticks_diff(us, self._skip_us) < 0:
                return us
            self._skip -= 1
            self._told += 1
        return -1

    def take(self):
        """Take that change: 1 = it covered the beam, 0 = it cleared it."""
        self._told += 1
        return self._told & 1

    def tested(self, us, fine):
        """Since `us` the latch's self-test has darkened the beam and lit it again: that is nobody's card. If the test
        has failed, nothing of what came since counts."""
        self._skip_us = us
        self._skip = 2
        if not fine:
            self._skip, at = 0, self._told
            while self._waits(at):
                self._skip += time.ticks_diff(self._us(at), us) >= 0
                at += 1


class Shoe:
    """`board`: SHOE_UART, SHOE_TX, SHOE_RX, SHOE_BAUD.

    `spare`: 1 to 2 KiB that aligning the ring has left over, for whoever wants it. `words`: for wake.py.
    """

    def __init__(self, board):
        base = 0x40034000 + 0x4000 * board.SHOE_UART
        # the receive buffer of the driver stays empty, so it may be small
        self._uart = UART(
            board.SHOE_UART, board.SHOE_BAUD, tx=Pin(board.SHOE_TX), rx=Pin(board.SHOE_RX), rxbuf=32, txbuf=256
        )
        machine.mem32[base + 0x38] = 0x20  # UARTIMSC: transmit only
        machine.mem32[base + 0x48] = 1  # UARTDMACR: RXDMAE
        raw = memoryview(bytearray(2 * _RING))  # twice the ring: it has to be aligned to its size
        before = -uctypes.addressof(raw) % _RING
        _line[_BASE] = uctypes.addressof(raw) + before
        self._ring = raw[before : before + _RING]
        self.spare = raw[before + _RING :] if before < _RING // 2 else raw[:before]
        self._dma = rp2.DMA()
        _line[_DMA] = 0x50000000 + 0x40 * self._dma.channel
        self._base = base
        self._page = 0x40034 + 4 * board.SHOE_UART  # `base` >> 12, but a small int
        self._ctrl = self._dma.pack_ctrl(
            size=0,
            inc_read=False,
            inc_write=True,
            ring_size=11,
            ring_sel=True,
            treq_sel=21 + 2 * board.SHOE_UART,
            irq_quiet=True,
        )
        self.words = _line
        self._receive()
        _line[_INTE_CLEAR] = 0x40017100 + 4 * (board.SHOE_RX >> 3)  # PROC0_INTE, clear alias
        _line[_START_BIT] = 4 << 4 * (board.SHOE_RX & 7)  # falling edge
        self._pin = Pin(board.SHOE_RX)
        self._heed(_on_start_bit, Pin.IRQ_FALLING)
        self._timer = machine.Timer()
        self._watching = False
        self.overruns = 0  # how often the ring was overwritten before it was read: frames are missing

    def _receive(self):
        self._taken = -_COUNT
        self._dma.config(read=self._base, write=_line[_BASE], count=_COUNT, ctrl=self._ctrl, trigger=True)

    def _heed(self, handler, trigger):
        """What the start bit calls; nothing with trigger 0."""
        self._pin.irq(handler, trigger, hard=True)

    def watch(self, on):
        """Raise LOCK by a frame that begins from now on (also one that is just arriving), or stop doing so."""
        if on != self._watching:
            self._watching = on
            if on:
                self._heed(None, 0)
                _line[_SEEN] = max(-_COUNT, self._taken - 8)
                _line[_SINCE] = _line[_LAST] = 0
                self._timer.init(period=_FOLLOW_MS, mode=machine.Timer.PERIODIC, callback=_follow, hard=True)
            else:
                self._timer.deinit()
                self._heed(_on_start_bit, Pin.IRQ_FALLING)
                _line[_WAKE] = 1  # whoever waits has to listen again

    def read_into(self, buf):
        """Copy what has arrived into `buf`; returns how many bytes. More than the ring held counts in `overruns`."""
        at = self._taken
        n = -self._dma.count - at
        if n <= 0:
            if at > -_ENOUGH:
                self._receive()
            return 0
        if n > _RING:  # overwritten before it was read
            self.overruns += 1
            self._taken += n
            return 0
        at &= _RING - 1
        n = min(n, len(buf), _RING - at)
        buf[:n] = self._ring[at : at + n]
        self._taken += n
        return n

    def waiting(self):
        """How many bytes have come and are not read yet."""
        return -self._dma.count - self._taken

    def listen(self):
        """Set words[0] when something comes. False = something has arrived already: read it, then listen again."""
        if self._watching:
            return self._dma.count == -self._taken
        register = _line[_INTE_CLEAR] - 0x3000
        machine.mem32[register - 0x10] = _line[_START_BIT]  # INTR: forget the edges that came while masked
        machine.mem32[register + 0x2000] = _line[_START_BIT]
        return self._dma.count == -self._taken

    def write(self, data):
        """Queue bytes to the shoe (256 at most); never waits. Returns how many were taken."""
        return self._uart.write(data)

    def line_errors(self):
        """Framing, parity, break or overrun errors since the last call, as bits 0..3."""
        return _errors(self._page)
