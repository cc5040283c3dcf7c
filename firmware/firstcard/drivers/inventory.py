"""Inventory: reads every chip of one antenna by bounded steps, without allocating and without waiting.

ISO 15693: field on, 1 ms, then a one-slot request (a probe: nobody, one chip, many) or at once 16 slots; every slot
in which answers collide, or that is noise, is asked again with four more mask bits. A machine is one preallocated
block; `start` gives it an antenna, `advance` moves it on when its next step is due.

Air times are those of the PN5180 datasheet (tables 64, 65) and ISO 15693-3. Every timer counts from the end of the
frame that was sent: counted from anything else it misses the window in which chips answer, and they vanish silently.
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

# outcome of a finished machine: READ_OK, READ_UNREADABLE, READ_FAULT of the seam
OK = const(0)
UNREADABLE = const(1)
FAULT = const(2)
MAX_CHIPS = const(64)
MAX_NOISE = const(8)  # noisy slots that are asked again before the antenna counts as unreadable

_LAG_US = const(8)  # from NSS high to the first edge on the air, and the drift of three clocks
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

# The block, in words. Masks and UIDs are pairs of words.
_PHASE = const(0)
_DUE = const(1)
_SELECT = const(2)
STARTED = const(3)  # a chip laid there later may have been missed
ENDED = const(4)  # the field is off
_SLOT = const(5)  # from here on zeroed by start()
CHIPS = const(6)
_DEPTH = const(7)
_BITS = const(8)  # length of the mask, kept apart from its value
OUTCOME = const(9)
_NOISE = const(10)
_SPLITS = const(11)
_ROUNDS = const(12)
_STEPS = const(13)
_MASK = const(14)
_SENT = const(16)
_AIR = const(17)  # how long the last frame is on the air
_REPLY = const(18)  # IRQ_STATUS, then RX_STATUS; or two bytes off, so that a UID fills words 19 and 20
_SCRIPT = const(22)
_TX_CONFIG = const(23)  # in the script
_LENGTHS = const(34)  # of the masks on the stack, a byte each
_MASKS = const(42)
_UIDS = const(106)
_SIZE = const(936)  # bytes
_SEND = const(114)  # byte of the script where SEND_DATA begins
_STACK = const(32)

_DARK = const(0)
_LIT = const(1)
_WAKING = const(2)
_PROBE = const(3)
_ROUND = const(4)
_GUARD = const(5)
# heard in a slot
_NOBODY = const(0)
_ONE = const(1)
_MANY = const(2)
_NOISY = const(3)

_TIMER_PAGE = const(0x40054)


def machine():
    """A new block for one machine."""
    block = bytearray(_SIZE)
    block[_SCRIPT * 4 : _SCRIPT * 4 + len(REQUEST)] = REQUEST
    return block


@micropython.viper
def word(m: ptr32, index: int) -> int:
    """STARTED, ENDED (ticks, 30 bits), OUTCOME, CHIPS or another number of a block."""
    return int(m[index]) & 0x3FFFFFFF


def uids(block):
    """The chips found: bytes, 8 a chip, least significant first."""
    size = 8 * word(block, CHIPS)
    return bytes(memoryview(block)[_UIDS * 4 : _UIDS * 4 + size]) if size else b""


@micropython.viper
def same(m: ptr32, known: ptr8, size: int) -> int:
    """1 if the chips found are the `size` bytes of UIDs in `known`, in this order."""
    if int(m[CHIPS]) << 3 != size:
        return 0
    b = ptr8(m)
    while size:
        size -= 1
        if b[_UIDS * 4 + size] != known[size]:
            return 0
    return 1


@micropython.viper
def start(m: ptr32, antenna: int, many: int, tx_config: ptr32) -> int:
    """Begin to read `antenna`. `many`: more than one chip lay there last time, do not probe. 1 = the reader is at
    fault.
    """
    page = _TIMER_PAGE
    timer = ptr32(page << 12)
    b = ptr8(m)
    reply = int(m) + _REPLY * 4
    n = _SLOT
    while n <= _MASK + 1:
        m[n] = 0
        n += 1
    m[_SELECT] = antenna
    m[STARTED] = timer[10]
    m[_DEPTH] = many  # the stack holds the empty mask
    b[_LENGTHS * 4] = 0
    m[_MASKS] = 0
    m[_MASKS + 1] = 0
    m[_TX_CONFIG] = tx_config[antenna]
    m[_PHASE] = _LIT
    stuck = int(play(antenna, ALIVE, reply))
    if stuck == 0 and int(m[_REPLY]) & 1 and int(m[_REPLY]) != -1:
        stuck = int(play(antenna, FIELD_ON, reply))
        m[_SENT] = timer[10]
        m[_DUE] = int(m[_SENT]) + _RF_ON_US
        if stuck == 0:
            return 0
    m[ENDED] = timer[10]
    m[OUTCOME] = FAULT
    m[_PHASE] = _DARK
    return 1


@micropython.viper
def advance(m: ptr32) -> int:
    """Make the next step if it is due. Returns the microseconds until the following one, or -1: finished."""
    page = _TIMER_PAGE
    timer = ptr32(page << 12)
    wait = int(m[_DUE]) - int(timer[10])
    if wait > 0:
        return wait
    if int(_step(m)):
        return -1
    wait = int(m[_DUE]) - int(timer[10])
    return wait if wait > 0 else 0


@micropython.viper
def _step(m: ptr32) -> int:
    """One step of at most a few hundred microseconds. Returns 1 when the antenna is finished and its field is off."""
    page = _TIMER_PAGE
    timer = ptr32(page << 12)
    select = int(m[_SELECT])
    reply = int(m) + _REPLY * 4
    phase = int(m[_PHASE])
    slot = int(m[_SLOT])
    m[_STEPS] = int(m[_STEPS]) + 1
    heard = _NOBODY
    left = 0
    if phase == _LIT or phase == _PROBE or phase == _ROUND:
        frames = STATUS
        if phase == _LIT:
            frames = IRQ
        elif phase == _PROBE:
            frames = PROBED
        elif slot == 0:
            frames = SLOT_FIRST_EOF
        elif slot < 15:
            frames = SLOT_NEXT_EOF
        left = int(play(select, frames, reply))
        irq = int(m[_REPLY])
        if phase == _LIT:
            if left == 0:
                if irq & 0x200 == 0:  # TX_RFON_IRQ
                    return int(_later(m, _RF_ON_US))
                m[_PHASE] = _WAKING
                m[_DUE] = int(m[_SENT]) + (_RF_ON_US + _POWER_US)
                return 0
        elif left == 0 and slot < 15:  # sent, and nobody answered
            m[_SENT] = timer[10]
            if phase == _PROBE:
                m[ENDED] = m[_SENT]
                m[_PHASE] = _DARK
                return 1
            m[_SLOT] = slot + 1
            return int(_opened(m))
        elif left < 2:
            left = 0
            received = int(m[_REPLY + 1]) & 0x701FF
            if irq == -1:  # a dead line (ISSUES 11)
                left = 2
            elif irq & 1 == 0:  # RX_IRQ
                if irq & 0x4000:  # SOF: an answer is on the air
                    if int(_later(m, int(m[_AIR]) + (_ANSWER_US + _LAG_US))) == 0:
                        return 0
                    heard = _NOISY
                elif irq & 2 == 0:  # TX_IRQ: still sending
                    left = int(_later(m, int(m[_AIR]) + _SOF_US))
                    if left == 0:
                        return 0
            elif received & 0x40000:
                heard = _MANY
            elif received != 10:  # CRC or protocol error, or not the length of an answer
                heard = _NOISY
            else:
                left = int(play(select, READ_UID, reply + 2))
                heard = int(_keep(m))
        if phase == _ROUND:
            if heard >= _MANY:
                _split(m, heard)
            slot += 1
        else:
            slot = 16
            if heard >= _MANY:
                m[_DEPTH] = 1  # the stack holds the empty mask
        m[_SLOT] = slot
        if left == 0 and heard and int(m[OUTCOME]) == 0 and (phase == _ROUND or heard >= _MANY):
            m[_PHASE] = _GUARD  # t2: the chip that answered is not listening yet
            m[_DUE] = int(m[_SENT]) + int(m[_AIR]) + (_ANSWER_US + _T2_US + _LAG_US)
            return 0
    if left == 0 and int(m[OUTCOME]) == 0:
        if phase == _WAKING:
            if int(m[_DEPTH]) == 0:
                left = int(_request(m, 0x26))
            else:
                left = int(_request(m, 0x06))
            if left == 0:
                return 0
        elif slot < 16:
            frames = FIRST_EOF
            if slot > 1:
                frames = NEXT_EOF
            left = int(play(select, frames, reply))
            m[_SENT] = timer[10]
            if left == 0:
                return int(_opened(m))
        elif int(m[_DEPTH]):
            left = int(_request(m, 0x06))
            if left == 0:
                return 0
    if left:
        m[OUTCOME] = FAULT
    play(select, FIELD_OFF, reply)
    m[ENDED] = timer[10]
    m[_PHASE] = _DARK
    return 1


@micropython.viper
def _opened(m: ptr32) -> int:
    """The EOF that opens a slot has just been sent. Always 0."""
    m[_PHASE] = _ROUND
    m[_AIR] = _EOF_US
    m[_DUE] = int(m[_SENT]) + (_EOF_US + _SOF_US + _LAG_US)
    return 0


@micropython.viper
def _later(m: ptr32, after_us: int) -> int:
    """Look again `after_us` after the last frame, or soon if that is past. 1 = too late by far, no more looking."""
    page = _TIMER_PAGE
    timer = ptr32(page << 12)
    now = int(timer[10])
    due = int(m[_SENT]) + after_us
    if now - due > _LIMIT_US:
        return 1
    if due - now < _AGAIN_US:
        due = now + _AGAIN_US
    m[_DUE] = due
    return 0


@micropython.viper
def _keep(m: ptr32) -> int:
    """Store the UID just read. Returns _ONE, or _NOISY for what cannot be an answer."""
    low = int(m[_REPLY + 1])
    high = int(m[_REPLY + 2])
    if int(m[_REPLY]) & 0x10000 or low & high == -1 or low | high == 0:  # error flag; a dead line
        return _NOISY
    count = int(m[CHIPS])
    if count == MAX_CHIPS:
        m[OUTCOME] = UNREADABLE
        return _ONE
    m[CHIPS] = count + 1
    count = _UIDS + (count << 1)
    m[count] = low
    m[count + 1] = high
    return _ONE


@micropython.viper
def _split(m: ptr32, heard: int):
    """Put the mask of the slot just heard on the stack: four bits longer, the slot's number in them."""
    b = ptr8(m)
    depth = int(m[_DEPTH])
    bits = int(m[_BITS])
    m[_NOISE + 3 - heard] = int(m[_NOISE + 3 - heard]) + 1  # _SPLITS for _MANY
    # 60 bits are the longest mask of a 16-slot request: two chips that still collide there have the same UID
    if depth == _STACK or int(m[_NOISE]) > MAX_NOISE or bits == 60:
        m[OUTCOME] = UNREADABLE
        return
    b[_LENGTHS * 4 + depth] = bits + 4
    m[_DEPTH] = depth + 1
    depth = _MASKS + (depth << 1)
    m[depth] = m[_MASK]
    m[depth + 1] = m[_MASK + 1]
    depth = (depth << 2) + (bits >> 3)
    b[depth] = int(b[depth]) | int(m[_SLOT]) << (bits & 4)


@micropython.viper
def _request(m: ptr32, flags: int) -> int:
    """Send an INVENTORY: flags 0x26 one slot, 0x06 sixteen with the mask on top of the stack. 1 = BUSY is stuck."""
    b = ptr8(m)
    page = _TIMER_PAGE
    timer = ptr32(page << 12)
    m[_PHASE] = _PROBE
    if flags == 0x06:
        depth = int(m[_DEPTH]) - 1
        m[_DEPTH] = depth
        m[_BITS] = b[_LENGTHS * 4 + depth]
        m[_MASK] = m[_MASKS + (depth << 1)]
        m[_MASK + 1] = m[_MASKS + 1 + (depth << 1)]
        m[_PHASE] = _ROUND
    bits = int(m[_BITS])
    size = (bits + 7) >> 3
    at = _SEND
    b[at] = 5 + size
    b[at + 1] = 0x09  # SEND_DATA, whole bytes
    b[at + 2] = 0
    b[at + 3] = flags
    b[at + 4] = 0x01
    b[at + 5] = bits
    at += 6
    n = 0
    while n < size:
        b[at + n] = b[_MASK * 4 + n]
        n += 1
    b[at + size] = 0
    stuck = int(play(int(m[_SELECT]), int(m) + _SCRIPT * 4, int(m) + _REPLY * 4))
    m[_SENT] = timer[10]
    m[_SLOT] = 0
    m[_ROUNDS] = int(m[_ROUNDS]) + 1
    m[_AIR] = _REQUEST_US + _BYTE_US * size
    m[_DUE] = int(m[_SENT]) + int(m[_AIR]) + (_SOF_US + _LAG_US)
    return stuck
