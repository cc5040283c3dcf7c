"""Reading: its memory, one preallocated block; which words of it belong to whom.

The first 20 are exchange.py's, which is about what is on the air; then those of field.py and inventory.py; then
masks.py's, whom to ask next; then found.py's, who has been found. Viper code knows no constants of other modules and
holds copies of what it needs, with the same names: a test compares them (host_tests/drivers/test_reading.py).
"""

import array

import micropython
from micropython import const

from firstcard.drivers.pn5180 import REQUEST

MAX_CHIPS = const(64)
# exchange.py
SELECT = const(0)  # antenna
DUE = const(1)  # when there is something to do, by TIMERAWL
SENT = const(2)  # when the last frame was handed to the reader
AIR = const(3)  # how long it is on the air, us
WAIT = const(4)  # patience beyond the standard, us
REPLY = const(5)  # IRQ_STATUS, then RX_STATUS; or two bytes off, so that a UID fills words 6 and 7
SCRIPT = const(9)
TX_CONFIG = const(10)  # in the script
# field.py, inventory.py
PHASE = const(20)
STARTED = const(21)  # a chip laid there later may have been missed
ENDED = const(22)  # the field is off
SLOT = const(23)
OUTCOME = const(24)
NOISE = const(25)  # noisy slots
HEARD = const(26)  # by the last probe, and 1
THOROUGH = const(27)
SILENT = const(28)  # thorough.py: probes without an answer
PASS = const(29)  # thorough.py: 0 not begun, 1 first, ...
AFI = const(30)  # in every request, 0: none
# masks.py
MASKS = const(31)
DEPTH = const(31)  # masks on the stack
BITS = const(32)  # length of the mask that is being asked
MASK = const(33)  # its value
# found.py
FOUND = const(107)
LIMIT = const(107)  # so many chips are too many to be sure of any
CHIPS = const(108)
HUSHED = const(109)  # of them were told to be quiet: the first of UIDS
FIRST = const(110)  # chips of the first pass of a thorough reading
UIDS = const(111)
_SIZE = const(239)

# PHASE
DARK = const(0)
LIT = const(1)
WAKING = const(2)
PROBE = const(3)
ROUND = const(4)
GUARD = const(5)
ROUSING = const(6)
HUSH = const(7)

# OUTCOME: READ_OK, READ_UNREADABLE, READ_FAULT of the seam
OK = const(0)
UNREADABLE = const(1)
FAULT = const(2)


def machine(limit=MAX_CHIPS, afi=0):
    """A new block. A stack of `limit` chips (at most MAX_CHIPS) or more is unreadable: so many weaken the field until
    some of them keep silent, and nobody could tell. `afi`: only chips of that family (0: all).
    """
    block = bytearray(_SIZE * 4)
    block[LIMIT * 4] = limit
    block[AFI * 4] = afi
    block[SCRIPT * 4 : SCRIPT * 4 + len(REQUEST)] = REQUEST
    return array.array("i", block)


@micropython.viper
def word(m: ptr32, index: int) -> int:
    """STARTED or ENDED of a block, ticks of 30 bits. Other numbers are small: block[OUTCOME] will do."""
    return int(m[index]) & 0x3FFFFFFF


def uids(block):
    """The chips found: bytes, 8 a chip, least significant first."""
    words = 2 * block[CHIPS]
    return bytes(memoryview(block)[UIDS : UIDS + words]) if words else b""


@micropython.viper
def same(m: ptr32, known: ptr8, size: int) -> int:
    """1 if the chips found are the `size` bytes of UIDs in `known`, in this order."""
    if int(m[CHIPS]) << 3 != size:
        return 0
    b = ptr8(m)
    while size:
        size -= 1
        if b[UIDS * 4 + size] != known[size]:
            return 0
    return 1
