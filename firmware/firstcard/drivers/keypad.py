"""Keypad: 20 keys on the eight lines of a TCA9534 (I2C), looked at only while its INT says that something has changed.

Lines 0 to 3 are rows, 4 to 7 columns, all with pull-ups; the fifth row is ground. A row that is looked at is an output
and low, the others are inputs, so two keys at once short nothing. At rest all rows are low: any key pulls its column
down and INT with it, which stays low until the lines are read (TCA9534 data sheet 8.3.3).

INT goes to a state machine and not to a pin's interrupt: that one would stand beside the card's own, at its priority.
The I2C belongs to the lock's record first: `free()` is asked before every transfer, none of which lasts 0.2 ms.
"""

import array

import micropython
import rp2
from machine import Pin
from micropython import const

from firstcard.core.keypad import NOT_NOW, NOTHING, SEVERAL

_INPUTS, _OUTPUTS, _DIRECTIONS = const(0), const(1), const(3)  # registers
_ROWS = const(4)
_MACHINE = const(6)  # PIO 1, machine 2: 0 and 1 are the strip's
_HZ = const(1_000_000)

_words = array.array("i", [0])


@rp2.asm_pio()
def _changed():
    wrap_target()  # names of the PIO assembler
    wait(0, pin, 0)
    irq(rel(0))
    wait(1, pin, 0)
    wrap()


@micropython.viper
def _on_changed(sm):
    """INT has fallen."""
    w = ptr32(_words)
    w[0] = 1


class Matrix:
    """Expander at `address` of an I2C bus, INT at pin `gp`. `words[0]` is not 0 once a key has moved (wake.py)."""

    def __init__(self, bus, address, gp, free):
        self._bus = bus
        self._address = address
        self._free = free
        self._pair = bytearray(2)
        self._seen = bytearray(1)
        self.words = _words
        self._int = Pin(gp, Pin.IN, Pin.PULL_UP)
        sm = rp2.StateMachine(_MACHINE, _changed, freq=_HZ, in_base=self._int)
        sm.irq(_on_changed, hard=True)
        sm.active(1)
        self._machine = sm

    def moved(self):
        """Has a key moved since the last look?"""
        return not self._int.value()

    def _write(self, register, value):
        self._pair[0], self._pair[1] = register, value
        self._bus.writeto(self._address, self._pair)

    def _low(self, directions):
        """Lines that are low, with these as inputs; -1: not now."""
        if not self._free():
            return -1
        self._write(_DIRECTIONS, directions)
        if not self._free():
            return -1
        self._bus.readfrom_mem_into(self._address, _INPUTS, self._seen)
        return ~self._seen[0] & 0xFF

    def rest(self):
        """All rows low, INT high again. True: nothing is pressed. Raises OSError: it does not answer."""
        if not self._free():
            return False
        self._write(_OUTPUTS, 0)  # it may have lost its power since
        return not self._low(0xF0) & 0xF0

    def scan(self):
        """Number of the pressed key (4 x row + column), NOTHING, SEVERAL or NOT_NOW. Raises OSError."""
        ground = self._low(0xFF)
        found = NOTHING
        if ground > 0 and ground & 15:
            return SEVERAL  # a row that is an input is low: another key of a column that is at ground
        for row in range(_ROWS + 1):
            low = ground if row == _ROWS else self._low(0xFF ^ 1 << row)
            if ground < 0 or low < 0:
                return NOT_NOW
            if row < _ROWS:
                low &= ~ground
            for column in range(4):
                if low >> 4 + column & 1:
                    found = 4 * row + column if found == NOTHING else SEVERAL
        return found
