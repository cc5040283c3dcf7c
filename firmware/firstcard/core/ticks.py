"""Tick arithmetic over the board's 30-bit `ticks_us`, identical on every Python.

Same results and the same error as `time.ticks_diff` and `time.ticks_add` of MicroPython on the RP2040 (its
documentation, module `time`; I-26 and the H section of public reports: raw `<` and `+` on ticks fail at the wrap).
The unix port has a longer period, so its own functions cannot be used for values that come from a board.

No intermediate result leaves the 31-bit small-int range, so nothing is allocated and the functions may be called
with the heap locked.
"""

MASK = 0x3FFFFFFF  # ticks run 0..MASK and wrap
HALF = 0x20000000  # differences lie in -HALF..HALF-1


def diff(late, early):
    """`late - early` in ticks, signed; right across the wrap while they lie less than half a period (9 min) apart."""
    gap = (late - early) & MASK
    return gap - MASK - 1 if gap >= HALF else gap


def add(ticks, delta):
    """`ticks + delta` on the ring. Raises OverflowError for a delta that `diff` could not give back."""
    if delta <= -HALF or delta >= HALF:
        raise OverflowError("ticks interval overflow")
    if delta > 0:
        ticks -= MASK
        ticks -= 1
    return (ticks + delta) & MASK
