"""Inventory: reads every chip of one antenna by bounded steps, without allocating and without waiting.

ISO 15693: field on, 1 ms, then a one-slot request (a probe: nobody, one chip, many) or at once 16 slots; every slot in which
answers collide, or that is noise, is asked again with four more mask bits. A machine is three preallocated blocks (`Inventory`);
`start` gives it an antenna, `step` moves it on when `due_us` says that its next step is due.

Air times are those of the PN5180 datasheet (tables 64, 65) and ISO 15693-3. Every timer counts from the end of the frame that was
sent: counted from anything else it misses the window in which chips answer, and they vanish silently.
"""

import micropython
from micropython import const

from firstcard.drivers.pn5180 import (
    ALIVE,
    FIELD_OFF,
    FIELD_ON,
    FIRST_EOF,
    IRQ,
    NEXT_EOF,
    PROBED,
    READ_UID,
    REQUEST,
    SLOT_FIRST_EOF,
    SLOT_NEXT_EOF,
    STATUS,
)
from firstcard.drivers.readerbus import play

OK = const(0)  # status: READ_OK, READ_UNREADABLE, READ_FAULT of the seam
UNREADABLE = const(1)
FAULT = const(2)
MAX_CHIPS = const(64)
MAX_NOISE = const(8)  # noisy slots that are asked again before the antenna counts as unreadable

_LAG_US = const(8)  # from NSS high to the first edge on the air, and the clocks of reader and chip
_RF_ON_US = const(110)
_POWER_US = const(1000)  # the chips wake up
_REQUEST_US = const(1620)  # request without mask, 5 bytes
_BYTE_US = const(302)
_EOF_US = const(38)
_SOF_US = const(475)  # t1 (323.3 at most) and the SOF of an answer: no SOF by then, nobody is there
_ANSWER_US = const(4251)  # t1 and a whole answer
_T2_US = const(310)  # after an answer, before the reader may send
_AGAIN_US = const(60)
_LIMIT_US = const(1500)  # later than this what was expected counts as missing

# words of `state`
_PHASE = const(0)
_DUE = const(1)
_SELECT = const(2)
_SLOT = const(3)
_COUNT = const(4)
_DEPTH = const(5)
_BITS = const(6)
_SENT = const(7)
_AIR = const(8)
_STARTED = const(9)
_ENDED = const(10)
_STATUS = const(11)
_NOISE = const(12)
_SPLITS = const(13)
_ROUNDS = const(14)
_STEPS = const(15)
# bytes of `state`
_MASK = const(64)  # the mask of this round, 8 bytes
_LENGTHS = const(72)  # of the masks to come, in bits: kept apart from their value
_MASKS = const(104)  # 8 bytes each
_STACK = const(32)
_UIDS = const(360)
_SIZE = const(872)
_ROUND_OVER = const(16)  # in _SLOT

_DARK = const(0)
_LIT = const(1)
_WAKING = const(2)
_PROBE = const(3)
_ROUND = const(4)
_GUARD = const(5)
_NOBODY = const(0)
_ONE = const(1)
_MANY = const(2)
_NOISY = const(3)

_TX_CONFIG_AT = const(4)  # places in REQUEST
_SEND_AT = const(26)
_TIMER_PAGE = const(0x40054)


class Inventory:
    """One machine: `state` (numbers, masks, UIDs), `script` (the request it builds), `reply` (what the reader said)."""

    def __init__(self):
        self.state = bytearray(_SIZE)
        self.script = bytearray(REQUEST)
        self.reply = bytearray(16)
        self.antenna = -1


@micropython.viper
def due_us(state) -> int:
    """Microseconds until the next step (0 or less: now)."""
    m = ptr32(state)  # noqa: F821
    page = _TIMER_PAGE
    timer = ptr32(page << 12)  # noqa: F821
    return int(m[_DUE]) - int(timer[10])


@micropython.viper
def word(state, index: int) -> int:
    """A number of a finished machine, 30 bits (ticks compare with time.ticks_diff)."""
    m = ptr32(state)  # noqa: F821
    return int(m[index]) & 0x3FFFFFFF


@micropython.viper
def same(state, uids: ptr8, count: int) -> int:  # noqa: F821
    """1 if the machine's chips are exactly the `count` ones in `uids`, in this order."""
    m = ptr32(state)  # noqa: F821
    if int(m[_COUNT]) != count:
        return 0
    b = ptr8(state)  # noqa: F821
    n = 0
    while n < count << 3:
        if b[_UIDS + n] != uids[n]:
            return 0
        n += 1
    return 1


def uids(state):
    """The chips found: bytes, 8 a chip, least significant first."""
    return bytes(memoryview(state)[_UIDS : _UIDS + 8 * word(state, _COUNT)])


@micropython.viper
def start(state, script, reply, antenna: int, many: int, tx_config: ptr8) -> int:  # noqa: F821
    """Begin to read `antenna`. `many`: more than one chip lay there last time, do not probe. 1 = the reader is at fault."""
    m = ptr32(state)  # noqa: F821
    b = ptr8(state)  # noqa: F821
    s = ptr8(script)  # noqa: F821
    page = _TIMER_PAGE
    timer = ptr32(page << 12)  # noqa: F821
    m[_SELECT] = antenna
    m[_STARTED] = timer[10]
    n = _SLOT
    while n < _STEPS + 1:
        if n != _STARTED:
            m[n] = 0
        n += 1
    if many:  # the stack holds the empty mask
        m[_DEPTH] = 1
        b[_LENGTHS] = 0
    n = 0
    while n < 4:
        s[_TX_CONFIG_AT + n] = tx_config[n]
        n += 1
    r = ptr8(reply)  # noqa: F821
    if int(play(antenna, ALIVE, reply)) or not int(r[0]) & 1 or (int(r[0]) & int(r[1]) & int(r[2]) & int(r[3])) == 255:
        return int(_end(state, reply, FAULT))
    if int(play(antenna, FIELD_ON, reply)):
        return int(_end(state, reply, FAULT))
    m[_SENT] = timer[10]
    m[_DUE] = int(timer[10]) + _RF_ON_US
    m[_PHASE] = _LIT
    return 0


@micropython.viper
def step(state, script, reply) -> int:
    """One step of at most a few hundred microseconds. Returns 1 when the antenna is finished and its field is off."""
    m = ptr32(state)  # noqa: F821
    r = ptr8(reply)  # noqa: F821
    page = _TIMER_PAGE
    timer = ptr32(page << 12)  # noqa: F821
    select = int(m[_SELECT])
    b = ptr8(state)  # noqa: F821
    phase = int(m[_PHASE])
    m[_STEPS] = int(m[_STEPS]) + 1
    if phase == _GUARD:
        return int(_go_on(state, script, reply))
    if phase == _WAKING:
        if int(m[_DEPTH]):
            m[_SLOT] = _ROUND_OVER
            return int(_go_on(state, script, reply))
        return int(_request(state, script, reply, 0x26))
    if phase == _LIT:
        if int(play(select, IRQ, reply)):
            return int(_end(state, reply, FAULT))
        if not int(r[1]) & 2:  # TX_RFON_IRQ
            return int(_later(state, reply, _RF_ON_US, 0))
        m[_PHASE] = _WAKING
        m[_DUE] = int(m[_SENT]) + _RF_ON_US + _POWER_US
        return 0

    slot = int(m[_SLOT])
    if phase == _PROBE:
        left = int(play(select, PROBED, reply))
    elif slot == 15:
        left = int(play(select, STATUS, reply)) | 1
    elif slot:
        left = int(play(select, SLOT_NEXT_EOF, reply))
    else:
        left = int(play(select, SLOT_FIRST_EOF, reply))
    if left == 0:
        if phase == _PROBE:
            m[_ENDED] = timer[10]
            m[_PHASE] = _DARK
            return 1
        m[_SENT] = timer[10]  # nobody in this slot, the next one is open
        m[_SLOT] = slot + 1
        m[_AIR] = _EOF_US
        m[_DUE] = int(m[_SENT]) + (_EOF_US + _SOF_US + _LAG_US)
        return 0
    if left & 2 or (int(r[0]) & int(r[1]) & int(r[2]) & int(r[3])) == 255:
        return int(_end(state, reply, FAULT))

    heard = _NOBODY
    if not int(r[0]) & 1:  # RX_IRQ
        if int(r[1]) & 0x40:  # SOF: an answer is on the air
            if int(_later(state, reply, int(m[_AIR]) + _ANSWER_US + _LAG_US, 1)):
                heard = _NOISY
            else:
                return 0
        elif not int(r[0]) & 2:  # TX_IRQ: still sending
            return int(_later(state, reply, int(m[_AIR]) + _SOF_US, 0))
    elif int(r[6]) & 4:  # collision
        heard = _MANY
    elif int(r[6]) & 3 or r[4] != 10 or int(r[5]) & 1:  # CRC, protocol error, length
        heard = _NOISY
    else:
        if int(play(select, READ_UID, reply)):
            return int(_end(state, reply, FAULT))
        heard = int(_keep(state, reply))

    if phase == _PROBE:
        if heard == _ONE:
            return int(_end(state, reply, OK))
        if heard:
            m[_COUNT] = 0
            m[_DEPTH] = 1
            b[_LENGTHS] = 0
            slot = 15
        else:
            return int(_end(state, reply, OK))
    elif heard >= _MANY:
        _split(state, heard)
    if int(m[_STATUS]):
        return int(_end(state, reply, int(m[_STATUS])))
    m[_SLOT] = slot + 1
    if heard == _NOBODY:
        return int(_go_on(state, script, reply))
    m[_PHASE] = _GUARD  # t2: the chip that answered is not listening yet
    m[_DUE] = int(m[_SENT]) + int(m[_AIR]) + (_ANSWER_US + _T2_US + _LAG_US)
    return 0


@micropython.viper
def _later(state, reply, after_us: int, answer: int) -> int:
    """Look again `after_us` after the last frame, or soon if that is past. Too late by far: the end (1)."""
    m = ptr32(state)  # noqa: F821
    page = _TIMER_PAGE
    timer = ptr32(page << 12)  # noqa: F821
    now = int(timer[10])
    due = int(m[_SENT]) + after_us
    if now - due > _LIMIT_US:
        if not answer:
            _end(state, reply, FAULT)
        return 1
    if due - now < _AGAIN_US:
        due = now + _AGAIN_US
    m[_DUE] = due
    return 0


@micropython.viper
def _keep(state, reply) -> int:
    """Store the UID in `reply`. Returns _ONE, or _NOISY for what cannot be an answer."""
    m = ptr32(state)  # noqa: F821
    b = ptr8(state)  # noqa: F821
    r = ptr8(reply)  # noqa: F821
    ones = 255
    some = 0
    n = 2
    while n < 10:
        ones = ones & int(r[n])
        some = some | int(r[n])
        n += 1
    if int(r[0]) & 1 or ones == 255 or some == 0:
        return _NOISY
    count = int(m[_COUNT])
    if count >= MAX_CHIPS:
        m[_STATUS] = UNREADABLE
        return _ONE
    chip = 0
    while chip < count:  # a chip asked twice after noise counts once
        n = 0
        while n < 8 and b[_UIDS + (chip << 3) + n] == r[n + 2]:
            n += 1
        if n == 8:
            return _ONE
        chip += 1
    n = 0
    while n < 8:
        b[_UIDS + (count << 3) + n] = r[n + 2]
        n += 1
    m[_COUNT] = count + 1
    return _ONE


@micropython.viper
def _split(state, heard: int):
    """Put the mask of the slot just heard on the stack: four bits longer, the slot's number in them."""
    m = ptr32(state)  # noqa: F821
    b = ptr8(state)  # noqa: F821
    depth = int(m[_DEPTH])
    bits = int(m[_BITS])
    if heard == _NOISY:
        m[_NOISE] = int(m[_NOISE]) + 1
    else:
        m[_SPLITS] = int(m[_SPLITS]) + 1
    # 60 bits are the longest mask of a 16-slot request: two chips that still collide there have the same UID
    if depth == _STACK or int(m[_NOISE]) > MAX_NOISE or (bits == 60 and heard == _MANY):
        m[_STATUS] = UNREADABLE
        return
    to = _MASKS + (depth << 3)
    n = 0
    while n < 8:
        b[to + n] = b[_MASK + n]
        n += 1
    if bits == 60:
        b[_LENGTHS + depth] = 60
    else:
        n = to + (bits >> 3)
        b[n] = int(b[n]) | (int(m[_SLOT]) << (bits & 4))
        b[_LENGTHS + depth] = bits + 4
    m[_DEPTH] = depth + 1


@micropython.viper
def _go_on(state, script, reply) -> int:
    """Open the next slot, or the next round of 16, or finish."""
    m = ptr32(state)  # noqa: F821
    b = ptr8(state)  # noqa: F821
    page = _TIMER_PAGE
    timer = ptr32(page << 12)  # noqa: F821
    slot = int(m[_SLOT])
    if slot < _ROUND_OVER:
        if slot == 1:
            stuck = int(play(int(m[_SELECT]), FIRST_EOF, reply))
        else:
            stuck = int(play(int(m[_SELECT]), NEXT_EOF, reply))
        if stuck:
            return int(_end(state, reply, FAULT))
        m[_SENT] = timer[10]
        m[_PHASE] = _ROUND
        m[_AIR] = _EOF_US
        m[_DUE] = int(m[_SENT]) + (_EOF_US + _SOF_US + _LAG_US)
        return 0
    depth = int(m[_DEPTH])
    if depth == 0:
        return int(_end(state, reply, OK))
    depth -= 1
    m[_DEPTH] = depth
    n = 0
    while n < 8:
        b[_MASK + n] = b[_MASKS + (depth << 3) + n]
        n += 1
    m[_BITS] = b[_LENGTHS + depth]
    if int(m[_BITS]) == 0:
        n = 0
        while n < 8:
            b[_MASK + n] = 0
            n += 1
    return int(_request(state, script, reply, 0x06))


@micropython.viper
def _request(state, script, reply, flags: int) -> int:
    """Send an INVENTORY: flags 0x26 one slot, 0x06 sixteen; the mask length in bits, then the mask's bytes."""
    m = ptr32(state)  # noqa: F821
    b = ptr8(state)  # noqa: F821
    s = ptr8(script)  # noqa: F821
    page = _TIMER_PAGE
    timer = ptr32(page << 12)  # noqa: F821
    bits = int(m[_BITS])
    size = (bits + 7) >> 3
    s[_SEND_AT] = 5 + size
    s[_SEND_AT + 1] = 0x09  # SEND_DATA, all bits of the last byte valid
    s[_SEND_AT + 2] = 0
    s[_SEND_AT + 3] = flags
    s[_SEND_AT + 4] = 0x01
    s[_SEND_AT + 5] = bits
    n = 0
    while n < size:
        s[_SEND_AT + 6 + n] = b[_MASK + n]
        n += 1
    s[_SEND_AT + 6 + size] = 0
    if int(play(int(m[_SELECT]), script, reply)):
        return int(_end(state, reply, FAULT))
    m[_SENT] = timer[10]
    m[_SLOT] = 0
    m[_ROUNDS] = int(m[_ROUNDS]) + 1
    m[_AIR] = _REQUEST_US + _BYTE_US * size
    m[_DUE] = int(m[_SENT]) + int(m[_AIR]) + (_SOF_US + _LAG_US)
    m[_PHASE] = _PROBE if flags & 0x20 else _ROUND
    return 0


@micropython.viper
def _end(state, reply, status: int) -> int:
    """Field off, done. Always 1."""
    m = ptr32(state)  # noqa: F821
    page = _TIMER_PAGE
    timer = ptr32(page << 12)  # noqa: F821
    play(int(m[_SELECT]), FIELD_OFF, reply)
    m[_ENDED] = timer[10]
    m[_STATUS] = status
    m[_PHASE] = _DARK
    return 1
