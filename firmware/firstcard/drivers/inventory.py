"""Inventory: reads every chip of one antenna by bounded steps, without allocating and without waiting.

ISO 15693: field on, 1 ms, then a one-slot request (a probe: nobody, one chip, many) or at once 16 slots; every slot
in which answers collide, or that is noise, is asked again with four more mask bits. A machine is one preallocated
block; `start` gives it an antenna, `advance` moves it on when its next step is due.

A thorough reading goes on where a plain one ends: it wakes chips that were told to be quiet (RESET TO READY), reads,
tells every chip that it has read to be quiet, and asks who is left, waiting longer for late answers. When nobody has
answered three times running the set is SURE: a chip that another one covered, that missed a request or answered late
has been asked alone. Whoever answers is read as well, and all is asked anew.

Air times are those of the PN5180 datasheet (tables 64, 65) and ISO 15693-3. Every timer counts from the end of the
frame that was sent: counted from anything else it misses the window in which chips answer, and they vanish silently.
"""

import array

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
_READY_US = const(1835)  # t1 and the answer to RESET TO READY, late ones as well
_LATE_US = const(30)  # an answer that begins so late is still heard
_T2_US = const(310)  # after an answer, before the reader may send
_PATIENCE_US = const(300)  # longer than the standard grants an answer to begin
_AGAIN_US = const(60)
_LIMIT_US = const(1500)  # later than this what was expected counts as missing
_SILENCES = const(3)  # probes without an answer that make a set sure
_PASSES = const(8)  # how often a thorough reading begins anew

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
NOISE = const(10)  # noisy slots
_HUSHED = const(11)  # chips that were told to be quiet: the first of UIDS
_SILENT = const(12)  # probes without an answer
_PASS = const(13)  # of a thorough reading: 0 not begun, 1 first, ...
_THOROUGH = const(14)
_WAIT = const(15)  # patience, us
_MASK = const(16)
_SENT = const(18)
_AIR = const(19)  # how long the last frame is on the air
_HEARD = const(20)  # by the last probe, and 1
_REPLY = const(21)  # IRQ_STATUS, then RX_STATUS; or two bytes off, so that a UID fills words 22 and 23
_SCRIPT = const(25)
_TX_CONFIG = const(26)  # in the script
_LENGTHS = const(36)  # of the masks on the stack, a byte each
_MASKS = const(44)
_UIDS = const(108)
_LIMIT = const(236)  # so many chips are too many to be sure of any
_FIRST = const(237)  # chips of the first pass of a thorough reading
_AFI = const(238)  # in every request, 0: none
_SIZE = const(956)  # bytes
_SEND = const(126)  # byte of the script where SEND_DATA begins
_STACK = const(32)

_DARK = const(0)
_LIT = const(1)
_WAKING = const(2)
_PROBE = const(3)
_ROUND = const(4)
_GUARD = const(5)
_ROUSING = const(6)
_HUSH = const(7)
# heard in a slot
_NOBODY = const(0)
_ONE = const(1)
_MANY = const(2)
_NOISY = const(3)

_TIMER_PAGE = const(0x40054)


def machine(limit=MAX_CHIPS, afi=0):
    """A new block for one machine. A stack of `limit` chips (at most MAX_CHIPS) or more is unreadable: so many weaken
    the field until some of them keep silent, and nobody could tell. `afi`: only chips of that family (0: all).
    """
    block = bytearray(_SIZE)
    block[_LIMIT * 4] = limit
    block[_AFI * 4] = afi
    block[_SCRIPT * 4 : _SCRIPT * 4 + len(REQUEST)] = REQUEST
    return array.array("i", block)


@micropython.viper
def word(m: ptr32, index: int) -> int:
    """STARTED or ENDED of a block, ticks of 30 bits. Other numbers are small: block[OUTCOME] will do."""
    return int(m[index]) & 0x3FFFFFFF


def uids(block):
    """The chips found: bytes, 8 a chip, least significant first."""
    words = 2 * block[CHIPS]
    return bytes(memoryview(block)[_UIDS : _UIDS + words]) if words else b""


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


def conclude(block):
    """End a thorough reading: 0; 1 if nobody but the chips found can be there; 3 if some of them answered only when
    asked thoroughly.
    """
    if block[_PHASE]:
        _dark(block)
    if block[OUTCOME] or block[_SILENT] < _SILENCES:
        return 0
    return 3 if block[CHIPS] > block[_FIRST] else 1


def go_on(block):
    """A thorough reading has asked what it was told to ask: tell it what comes next. False = it is done."""
    turn = block[_PASS]
    heard = block[_HEARD]
    if turn == 0:
        block[_PASS] = 1
        return _order(block, _ROUSING, 0x02, 0x26, 0)
    if turn == 1:
        block[_PASS] = 2
        block[_FIRST] = block[CHIPS]
        block[_WAIT] = _PATIENCE_US
    elif heard == 1:
        block[_SILENT] = block[_SILENT] + 1
    elif heard:
        block[_SILENT] = 0
        block[_PASS] = turn + 1
    block[_HEARD] = 0
    if block[_HUSHED] < block[CHIPS]:
        return _order(block, _HUSH, 0x22, 0x02, 8)
    if block[_SILENT] < _SILENCES and turn < _PASSES:
        block[_BITS] = 0
        return not _request(block, 0x26)
    return False


def _order(block, phase, flags, command, more):
    """Send RESET TO READY (0x26) to all, or STAY QUIET (0x02) to the next chip found. True = sent."""
    hushed = block[_HUSHED]
    block[_PHASE] = phase
    block[_HUSHED] = hushed + (more >> 3)
    then_us = _T2_US if more else _READY_US + _T2_US
    return not _send(block, flags, command, 2, more, (_UIDS << 2) + (hushed << 3), then_us)


@micropython.viper
def _dark(m: ptr32):
    """Field off: the reading has ended."""
    page = _TIMER_PAGE
    timer = ptr32(page << 12)
    play(int(m[_SELECT]), FIELD_OFF, int(m) + _REPLY * 4)
    m[ENDED] = timer[10]
    m[_PHASE] = _DARK


@micropython.viper
def start(m: ptr32, antenna: int, how: int, tx_config: ptr32) -> int:
    """Begin to read `antenna`. `how`, bits: 1 = more than one chip lay there last time, do not probe; 2 = thorough.
    Returns 1 = the reader is at fault.
    """
    page = _TIMER_PAGE
    timer = ptr32(page << 12)
    reply = int(m) + _REPLY * 4
    n = _SLOT
    while n <= _MASK + 1:
        m[n] = 0
        n += 1
    m[_SELECT] = antenna
    m[STARTED] = timer[10]
    m[_THOROUGH] = how >> 1
    if how & 1:
        _all(m)
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
    """Make the next step if it is due. Returns the microseconds until the following one, -1 = finished, -2 = a thorough
    reading is to be told how to go on (go_on) or to end (conclude).
    """
    page = _TIMER_PAGE
    timer = ptr32(page << 12)
    wait = int(m[_DUE]) - int(timer[10])
    if wait > 0:
        return wait
    left = int(_step(m))
    if left:
        return 0 - left
    wait = int(m[_DUE]) - int(timer[10])
    return wait if wait > 0 else 0


@micropython.viper
def _step(m: ptr32) -> int:
    """One step of at most a few hundred microseconds. Returns 1 when the antenna is finished and its field is off, 2
    when a thorough reading has asked all."""
    page = _TIMER_PAGE
    timer = ptr32(page << 12)
    select = int(m[_SELECT])
    reply = int(m) + _REPLY * 4
    phase = int(m[_PHASE])
    slot = int(m[_SLOT])
    heard = _NOBODY
    left = 0
    if phase == _LIT or phase == _PROBE or phase == _ROUND:
        frames = STATUS
        if phase == _LIT:
            frames = IRQ
        elif phase == _PROBE:
            if slot == 0:
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
                    if int(_later(m, int(m[_AIR]) + int(m[_WAIT]) + (_ANSWER_US + _LAG_US))) == 0:
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
                _all(m)
            m[_HEARD] = heard + 1
        m[_SLOT] = slot
        thorough = int(m[_THOROUGH])
        if left == 0 and heard and int(m[OUTCOME]) == 0 and (phase == _ROUND or heard >= _MANY or thorough):
            m[_PHASE] = _GUARD  # t2: the chip that answered is not listening yet
            m[_DUE] = int(m[_SENT]) + int(m[_AIR]) + int(m[_WAIT]) + (_ANSWER_US + _LATE_US + _T2_US + _LAG_US)
            return 0
    if left == 0 and int(m[OUTCOME]) == 0:
        if phase == _WAKING and int(m[_THOROUGH]):
            return 2
        if phase == _WAKING or phase == _ROUSING:
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
        elif int(m[_THOROUGH]):
            return 2
    if left:
        m[OUTCOME] = FAULT
    _dark(m)
    return 1


@micropython.viper
def _opened(m: ptr32) -> int:
    """The EOF that opens a slot has just been sent. Always 0."""
    m[_PHASE] = _ROUND
    m[_AIR] = _EOF_US
    m[_DUE] = int(m[_SENT]) + int(m[_WAIT]) + (_EOF_US + _SOF_US + _LAG_US)
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
    n = 0
    while n < count:
        place = _UIDS + (n << 1)
        if int(m[place]) == low and int(m[place + 1]) == high:  # it has missed that it was to be quiet
            count = int(m[_HUSHED]) - 1
            if n <= count:  # to the end of those that are quiet, and out of them
                m[_HUSHED] = count
                count = _UIDS + (count << 1)
                m[place] = m[count]
                m[place + 1] = m[count + 1]
                m[count] = low
                m[count + 1] = high
            return _ONE
        n += 1
    m[CHIPS] = count + 1
    count = _UIDS + (count << 1)
    m[count] = low
    m[count + 1] = high
    if n + 1 >= int(m[_LIMIT]):
        m[OUTCOME] = UNREADABLE
    return _ONE


@micropython.viper
def _all(m: ptr32):
    """The next round is for everybody: the stack holds the empty mask."""
    b = ptr8(m)
    b[_LENGTHS * 4] = 0
    m[_MASKS] = 0
    m[_MASKS + 1] = 0
    m[_DEPTH] = 1


@micropython.viper
def _split(m: ptr32, heard: int):
    """Put the mask of the slot just heard on the stack: four bits longer, the slot's number in them."""
    b = ptr8(m)
    depth = int(m[_DEPTH])
    bits = int(m[_BITS])
    if heard == _NOISY:
        m[NOISE] = int(m[NOISE]) + 1
    # 60 bits are the longest mask of a 16-slot request: two chips that still collide there have the same UID
    if depth == _STACK or int(m[NOISE]) > MAX_NOISE or bits == 60:
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
    slot = 0
    m[_PHASE] = _PROBE
    if flags == 0x06:
        depth = int(m[_DEPTH]) - 1
        m[_DEPTH] = depth
        m[_BITS] = b[_LENGTHS * 4 + depth]
        m[_MASK] = m[_MASKS + (depth << 1)]
        m[_MASK + 1] = m[_MASKS + 1 + (depth << 1)]
        m[_PHASE] = _ROUND
    elif int(m[_THOROUGH]):
        slot = 15  # it goes on after silence: not the script that then turns the field off
    bits = int(m[_BITS])
    m[_SLOT] = slot
    size = 3
    afi = int(m[_AFI])
    if afi:
        flags |= 0x10
        b[_SEND + 5] = afi
        size = 4
    b[_SEND + 2 + size] = bits
    return int(_send(m, flags, 0x01, size, (bits + 7) >> 3, _MASK * 4, _SOF_US))


@micropython.viper
def _send(m: ptr32, flags: int, command: int, size: int, more: int, source: int, then_us: int) -> int:
    """Send a request of `size` bytes and `more` from byte `source` of the block; due `then_us` after its end."""
    b = ptr8(m)
    page = _TIMER_PAGE
    timer = ptr32(page << 12)
    at = _SEND
    size += more
    b[at] = 2 + size
    b[at + 1] = 0x09  # SEND_DATA, whole bytes
    b[at + 2] = 0
    b[at + 3] = flags
    b[at + 4] = command
    at += 3 + size - more
    b[at + more] = 0
    while more:
        more -= 1
        b[at + more] = b[source + more]
    stuck = int(play(int(m[_SELECT]), int(m) + _SCRIPT * 4, int(m) + _REPLY * 4))
    m[_SENT] = timer[10]
    m[_AIR] = _REQUEST_US + _BYTE_US * (size - 3)
    m[_DUE] = int(m[_SENT]) + int(m[_AIR]) + int(m[_WAIT]) + then_us + _LAG_US
    return stuck
