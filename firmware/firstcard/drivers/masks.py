"""Masks: whom the next 16-slot request asks. A stack in 304 bytes of a reading's block.

A mask is the low bits of a UID; only chips that have them answer. Length and value are kept apart: a mask that ends in
zeros is not a shorter one (ISSUES E2).
"""

import micropython
from micropython import const

# Words of the stack, see reading.py: masks on it, length and value of the one taken last, lengths, values (word pairs)
_DEPTH = const(0)
_BITS = const(1)
_MASK = const(2)
_LENGTHS = const(4)  # a byte each
_VALUES = const(12)
_MOST = const(32)  # masks on the stack
_LONGEST = const(60)  # bits, of a 16-slot request: two chips that still collide there have the same UID


@micropython.viper
def everybody(s: ptr32):
    """The next request is for all: the stack holds the empty mask."""
    b = ptr8(s)
    b[_LENGTHS * 4] = 0
    s[_VALUES] = 0
    s[_VALUES + 1] = 0
    s[_DEPTH] = 1


@micropython.viper
def split(s: ptr32, slot: int) -> int:
    """Put on the stack who has answered in `slot`: the mask taken last and four bits more, the slot's number. Returns
    0, or 1 if there is no room or no longer mask.
    """
    b = ptr8(s)
    depth = int(s[_DEPTH])
    bits = int(s[_BITS])
    if depth == _MOST or bits == _LONGEST:
        return 1
    b[_LENGTHS * 4 + depth] = bits + 4
    s[_DEPTH] = depth + 1
    depth = _VALUES + (depth << 1)
    s[depth] = s[_MASK]
    s[depth + 1] = s[_MASK + 1]
    depth = (depth << 2) + (bits >> 3)
    b[depth] = int(b[depth]) | slot << (bits & 4)
    return 0


@micropython.viper
def take(s: ptr32):
    """Take the mask on top of the stack: _BITS and _MASK."""
    b = ptr8(s)
    depth = int(s[_DEPTH]) - 1
    s[_DEPTH] = depth
    s[_BITS] = b[_LENGTHS * 4 + depth]
    s[_MASK] = s[_VALUES + (depth << 1)]
    s[_MASK + 1] = s[_VALUES + 1 + (depth << 1)]
