"""The dealer's keypad: a TCA9534 on I2C and twenty keys between its lines, wired as drivers/keypad.py says.

Lines 0 to 3 are rows, 4 to 7 columns, each with a pull-up; the fifth row of keys goes to ground. Whatever is pressed,
levels follow from what is connected. INT falls when an input differs from what was read last, and rises when it is
read or comes back (data sheet 8.3.3); lines that are outputs do not count. Two outputs that fight are an error.
"""

from pit.emu.cabled import Cabled
from pit.emu.modelerror import ModelError

ROWS = 4
INPUTS, OUTPUTS, POLARITY, DIRECTIONS = range(4)


class Keypad(Cabled):
    """`pressed`: numbers (4 x row + column) of the keys that are down. `reads`, `writes`: transfers counted."""

    ADDRESS = 0x20

    def __init__(self, int_pin):
        self._int_pin = int_pin
        self.pressed = set()
        self.reads = self.writes = 0

    def powered(self):
        self._registers = [0, 0xFF, 0, 0xFF]
        self._pointer, self._begun = INPUTS, False
        self._board.drive(self._int_pin, True)
        self._read = self._levels()

    def press(self, key, ms=80):
        """Press a key now and let go of it `ms` later; 0: it stays down."""
        self.down(key)
        if ms:
            self._board.after_us(ms * 1000, lambda: self.up(key))

    def bounce(self, key, ms=80, times=6, us=700):
        """A press whose contact opens and closes `times` before it stays, and again when it is let go of."""
        for start_us in (0, ms * 1000):
            for n in range(2 * times + 1):
                move = self.down if (n + (start_us > 0)) % 2 == 0 else self.up
                self._board.after_us(start_us + n * us + 1, lambda move=move: move(key))

    def down(self, key):
        self.pressed.add(key)
        self._update()

    def up(self, key):
        self.pressed.discard(key)
        self._update()

    def _levels(self):
        """Levels of the eight lines, a bit each."""
        inputs, outputs = self._registers[DIRECTIONS], self._registers[OUTPUTS]
        nets = [{line} for line in range(8)] + [{"ground"}]
        for key in self.pressed:
            row, column = divmod(key, 4)
            one = next(net for net in nets if 4 + column in net)
            other = next(net for net in nets if (row if row < ROWS else "ground") in net)
            if one is not other:
                nets.remove(other)
                one |= other
        levels = 0
        for net in nets:
            driven = {outputs >> line & 1 for line in net - {"ground"} if not inputs >> line & 1}
            if "ground" in net:
                driven.add(0)
            if len(driven) > 1:
                raise ModelError(f"keypad: a high and a low output are connected by keys {sorted(self.pressed)}")
            if driven != {0}:
                levels |= sum(1 << line for line in net - {"ground"})
        return levels

    def _update(self):
        changed = (self._levels() ^ self._read) & self._registers[DIRECTIONS]
        if self.present:
            self._board.drive(self._int_pin, not changed)

    # as a device of the bus

    def start(self, reading):
        self._begun = False

    def write(self, value):
        if not self._begun:
            self._begun, self._pointer = True, value & 3
            return True
        self.writes += 1
        if self._pointer != INPUTS:
            self._registers[self._pointer] = value
        self._update()
        return True

    def read(self):
        self.reads += 1
        if self._pointer != INPUTS:
            return self._registers[self._pointer]
        self._read = self._levels()
        self._update()
        return self._read ^ self._registers[POLARITY]

    def stop(self):
        pass
