"""Found: the chips of a reading, those first that were told to be quiet. A list in 528 bytes of its block."""

import micropython
from micropython import const

# Words of the list, see reading.py. A UID is a pair of words, 8 bytes, least significant first.
_COUNT = const(1)
_HUSHED = const(2)
_UIDS = const(4)
# What keep() makes of an answer, as exchange.listen() has it
_ONE = const(1)
_NOISY = const(3)


@micropython.viper
def keep(f: ptr32, reply: ptr32) -> int:
    """Take the UID out of an answer whose flags are bits 16 to 23 of `reply`. Returns _ONE, or _NOISY for what cannot
    be an answer.
    """
    low = int(reply[1])
    high = int(reply[2])
    if int(reply[0]) & 0x10000 or low & high == -1 or low | high == 0:  # error flag; a dead line
        return _NOISY
    count = int(f[_COUNT])
    n = 0
    while n < count:
        place = _UIDS + (n << 1)
        if int(f[place]) == low and int(f[place + 1]) == high:  # it has missed that it was to be quiet
            count = int(f[_HUSHED]) - 1
            if n <= count:  # to the end of those that are quiet, and out of them
                f[_HUSHED] = count
                count = _UIDS + (count << 1)
                f[place] = f[count]
                f[place + 1] = f[count + 1]
                f[count] = low
                f[count + 1] = high
            return _ONE
        n += 1
    f[_COUNT] = count + 1
    count = _UIDS + (count << 1)
    f[count] = low
    f[count + 1] = high
    return _ONE
