"""Console port: bytes of the operator's line over USB, in both directions without ever waiting.

Out: stock stdout waits up to 500 ms for a connected host that does not read. So whole lines queue in a bounded
buffer, and bytes go to USB only when TinyUSB's FIFO (256 bytes) is known to have room: the buffer control word of
endpoint 2 IN tells whether the last packet was taken (AVAILABLE is clear), and if it is still clear after TinyUSB has
had its turn, the FIFO is empty. A line that does not fit is dropped whole and counted. Nothing is written before the
host has sent its first byte: what a table says while it boots is kept for whoever connects, not lost.

Whether the host has left is seen by a mark in the control word of an endpoint that is not used: TinyUSB clears all of
them when the bus is reset, and without its ENABLE bit the controller does not look at it.

In: one byte per readiness; a stdin that has nothing must not be read (I-24, I-25). No echo.
"""

import select
import sys
import time

import micropython
from micropython import const

_FIFO = const(256)  # CFG_TUD_CDC_TX_BUFSIZE of the image
_RAM_PAGE = const(0x50100)  # USB DPSRAM (RP2040 datasheet 4.1.2.5): EP15 IN control 0x78, EP2 IN buffer control 0x90
_MARK = const(0x40)
_SIE_PAGE = const(0x50110)  # SIE_STATUS at 0x50, its bit 4 SUSPENDED: the bus has been silent for 3 ms


@micropython.viper
def _packet_waits() -> int:
    """1 while the host has not taken the last packet."""
    page = _RAM_PAGE
    ram = ptr32(page << 12)
    return (int(ram[0x90 >> 2]) >> 10) & 1


@micropython.viper
def _host_left() -> int:
    """1 if the bus was reset since the last call (also at the first one) or is suspended: unplugged, or PC asleep."""
    page = _RAM_PAGE
    ram = ptr32(page << 12)
    page = _SIE_PAGE
    sie = ptr32(page << 12)
    there = int(ram[0x78 >> 2]) == _MARK
    ram[0x78 >> 2] = _MARK
    if there and not (int(sie[0x50 >> 2]) >> 4) & 1:
        return 0
    return 1


@micropython.viper
def _copy(queue: ptr8, to: int, line: ptr8, n: int):
    """Put `n` bytes of `line` into the queue from `to` on."""
    while n:
        n -= 1
        queue[to + n] = line[n]


class Port:
    """`queue`: a memoryview of bytes. `stdin` is what asyncio waits on. `dropped`: lines that found no room."""

    def __init__(self, queue):
        self.stdin = sys.stdin
        self._read = sys.stdin.buffer.readinto
        self._write = sys.stdout.buffer.write
        poll = select.poll()
        poll.register(sys.stdin, select.POLLIN)
        self._poll = poll.ipoll  # it allocates nothing
        self._queue = queue
        self._at = 0  # next byte to send
        self.pending = 0  # bytes that wait
        self._byte = bytearray(1)
        self._room = _FIFO
        self.host = False  # has spoken since power-up
        self.dropped = 0
        self.host_left = _host_left

    def waits(self):
        """Has the host sent something that is not read yet?"""
        for _ in self._poll(0):
            return True
        return False

    def read_into(self, buf):
        """Read what has arrived into `buf`, at most its size and one line: who sends many waits for his turn after
        each. Returns how many bytes. Never waits."""
        n = last = 0
        while n < len(buf) and last != 10 and last != 13:
            for _ in self._poll(0):
                break
            else:
                break
            if not self._read(self._byte, 1):
                break
            buf[n] = last = self._byte[0]
            n += 1
        if n:
            self.host = True
        return n

    def out(self, line):
        """Queue one whole line (bytes, ending in \\n; \\r is put before it). False = no room, dropped and counted."""
        space = len(self._queue)
        size = len(line) + 1
        if self.pending + size > space:
            self.dropped += 1
            return False
        self._put(line, size - 2)
        self._put(b"\r\n", 2)
        self.flush()
        return True

    def _put(self, line, n):
        """Queue `n` bytes, for which there is room."""
        space = len(self._queue)
        to = (self._at + self.pending) % space
        first = min(n, space - to)
        _copy(self._queue, to, line, first)
        if first < n:
            _copy(self._queue, 0, line[first:], n - first)
        self.pending += n

    def empty(self):
        """Has the host taken everything?"""
        self._poll(0)
        return not self.pending and not _packet_waits()

    def drain(self, ms):
        """Wait until the host has taken everything, at most `ms`."""
        began = time.ticks_ms()
        while self.flush() and time.ticks_diff(time.ticks_ms(), began) < ms:
            time.sleep_ms(1)

    def flush(self):
        """Hand over to USB what cannot block. Returns how many bytes are left."""
        space = len(self._queue)
        while self.host and self.pending:
            if not _packet_waits():
                self._poll(0)  # lets TinyUSB move its FIFO on
                if not _packet_waits():
                    self._room = _FIFO
            n = min(self.pending, self._room, space - self._at)
            if not n:
                break
            self._room -= n
            n = self._write(self._queue, self._at, n)
            self._at = (self._at + n) % space
            self.pending -= n
        return self.pending
