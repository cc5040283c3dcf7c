"""Display: rows of text on an SSD1306 (I2C, 128 x 64), written in slices so that the bus is free again in half a ms.

There is no picture of the display in memory: a band of 8 pixels is drawn when it is its turn (MicroPython's framebuf),
and its letters are made larger on the way out. `free()` is asked before every transfer, see keypad.py. The display
cannot be read back: one that has lost its power for a moment is dark and still answers, so now and then it is set up
anew.
"""

import framebuf
from micropython import const

from firstcard.core.screen import ROWS

_WIDTH = const(128)
_BANDS = const(8)
_SLICE = const(16)  # bytes: 0.45 ms at 400 kHz with address and control byte
_COMMANDS, _DATA = const(0x00), const(0x40)  # control bytes (SSD1306 data sheet 8.1.5.2)
# Off; clock, 64 lines, no offset, line 0, charge pump, page addressing, as the glass is mounted (columns and lines
# reversed), pins, contrast, precharge, VCOMH level; show memory, not inverted; on (data sheet 9 and 10)
_SET_UP = b"\x00\xae\xd5\x80\xa8\x3f\xd3\x00\x40\x8d\x14\x20\x02\xa1\xc8\xda\x12\x81\x9f\xd9\xf1\xdb\x40\xa4\xa6\xaf"
# Four bits of a column, each twice: for letters of double height
_TWICE = b"\x00\x03\x0c\x0f\x30\x33\x3c\x3f\xc0\xc3\xcc\xcf\xf0\xf3\xfc\xff"


class Display:
    """Display at `address` of an I2C bus."""

    def __init__(self, bus, address, free):
        self._bus = bus
        self._address = address
        self._free = free
        self._shown = [""] * len(ROWS)
        self._line = bytearray(_WIDTH)  # one band, letters of single size
        self._drawing = framebuf.FrameBuffer(self._line, _WIDTH, 8, framebuf.MONO_VLSB)
        self._place = bytearray(4)
        self._slice = bytearray(1 + _SLICE)
        self._slice[0] = _DATA
        self._band = -1  # that is being written
        self._column = 0
        self.renew()

    def renew(self):
        """Set it up and draw everything anew."""
        self._ready = False
        self._due = (1 << _BANDS) - 1  # a bit for each band to be written
        self._band = -1

    def show(self, rows):
        """These texts from now on, one for each of core.screen.ROWS."""
        for n, text in enumerate(rows):
            if text != self._shown[n]:
                self._shown[n] = text
                first, _, high = ROWS[n]
                for band in range(first, first + high):
                    self._due |= 1 << band
                    if band == self._band:
                        self._band = -1

    def step(self):
        """Write one slice, if there is one and the bus is free. False: nothing is left. Raises OSError."""
        if not self._due:
            return False
        if not self._free():
            return True
        if not self._ready:
            self._bus.writeto(self._address, _SET_UP)
            self._ready = True
            return True
        if self._band < 0:
            self._begin()
            return True
        self._fill()
        self._bus.writeto(self._address, self._slice)
        self._column += _SLICE
        if self._column == _WIDTH:
            self._due &= ~(1 << self._band)
            self._band = -1
        return self._due != 0

    def _begin(self):
        """The next band: draw its text, and tell the display where it goes."""
        band = 0
        while not self._due >> band & 1:
            band += 1
        for n, (first, wide, high) in enumerate(ROWS):
            if first <= band < first + high:
                self._drawing.fill(0)
                self._drawing.text(self._shown[n], 0, 0)
                self._wide = wide
                self._half = band - first if high > 1 else -1
        self._place[0], self._place[1], self._place[2], self._place[3] = _COMMANDS, 0xB0 | band, 0x00, 0x10
        self._bus.writeto(self._address, self._place)
        self._band, self._column = band, 0

    def _fill(self):
        """The slice: the band's columns from `_column` on, letters as large as the row wants them."""
        line, out, wide, half = self._line, self._slice, self._wide, self._half
        for n in range(_SLICE):
            bits = line[(self._column + n) // wide]
            if half >= 0:
                bits = _TWICE[bits >> 4 if half else bits & 15]
            out[1 + n] = bits
