"""The dealer's display: an SSD1306 on I2C with 128 x 64 pixels, as far as a display that shows text needs it.

Knows page addressing, the set-up commands and the data sheet's rules for what it shows: nothing before `AF`, nothing
without the charge pump. GDDRAM keeps what was in it (noise at power-up). A command that it does not know is an error.
Columns and lines are mounted reversed (A1, C8), so column 0 of page 0 is the top left when both were sent.
"""

import random

from pit.emu.cabled import Cabled
from pit.emu.modelerror import NotModelled

WIDTH, PAGES = 128, 8
_ARGUMENTS = {0x20: 1, 0x81: 1, 0x8D: 1, 0xA8: 1, 0xD3: 1, 0xD5: 1, 0xD9: 1, 0xDA: 1, 0xDB: 1}
_PLAIN = (0xA0, 0xA1, 0xA4, 0xA6, 0xAE, 0xAF, 0xC0, 0xC8)


class Display(Cabled):
    """`ram`: PAGES rows of WIDTH bytes, bit 0 on top. `messages`: (bytes, is data) lengths of every message."""

    ADDRESS = 0x3C

    def __init__(self):
        self.messages = []

    def powered(self):
        noise = random.Random(1306)
        self.ram = [bytearray(noise.randbytes(WIDTH)) for _ in range(PAGES)]
        self._on = self._pump = False
        self._settings = {}
        self._page = self._column = 0
        self._command, self._control, self._length = [], None, 0

    @property
    def lit(self):
        """Does it show anything at all?"""
        return (self._on and self._pump and self._settings.get(0xA8) == [63] and self._settings.get(0xD3) == [0]
                and self._settings.get(0xDA) == [0x12] and 0xA1 in self._settings and 0xC8 in self._settings)

    def pixels(self):
        """64 rows of 128 bools, dark when it shows nothing."""
        return [[bool(self.lit and self.ram[y >> 3][x] >> (y & 7) & 1) for x in range(WIDTH)] for y in range(8 * PAGES)]

    # as a device of the bus

    def start(self, reading):
        if reading:
            raise NotModelled("display: it is never read")
        self._control, self._length = None, 0

    def write(self, value):
        if self._control is None:
            if value not in (0x00, 0x40):
                raise NotModelled(f"display: control byte 0x{value:02X}")
            self._control = value
            return True
        self._length += 1
        if self._control:
            self.ram[self._page][self._column] = value
            self._column = (self._column + 1) % WIDTH  # page addressing: it stays in its page
        else:
            self._take(value)
        return True

    def _take(self, value):
        if self._command:
            self._command.append(value)
        elif value in _ARGUMENTS:
            self._command = [value]
        else:
            self._do(value)
            return
        if len(self._command) > _ARGUMENTS[self._command[0]]:
            first, *rest = self._command
            self._command = []
            if first == 0x20 and rest != [0x02]:
                raise NotModelled("display: page addressing only")
            if first == 0x8D:
                self._pump = rest == [0x14]
            self._settings[first] = rest

    def _do(self, value):
        if value < 0x10:
            self._column = self._column & 0xF0 | value
        elif value < 0x20:
            self._column = (value & 7) << 4 | self._column & 0x0F
        elif 0x40 <= value < 0x80:
            if value != 0x40:
                raise NotModelled("display: it is not scrolled")
        elif 0xB0 <= value <= 0xB7:
            self._page = value & 7
        elif value in _PLAIN:
            if value in (0xAE, 0xAF):
                self._on = value == 0xAF
            self._settings[value] = []
        else:
            raise NotModelled(f"display: command 0x{value:02X}")

    def read(self):
        raise NotModelled("display: it is never read")

    def stop(self):
        if self._control is not None:
            self.messages.append((self._length, bool(self._control)))
