"""Exchange: one request to the chips of an antenna and what comes back, without waiting; the head of a reading's block.

Air times are those of the PN5180 datasheet (tables 64, 65) and ISO 15693-3. Every timer counts from the end of the
frame that was sent: counted from anything else it misses the window in which chips answer, and they vanish silently.
"""

import micropython
from micropython import const

from firstcard.drivers.pn5180 import READ_UID
from firstcard.drivers.readerbus import play

# Words of a block, see reading.py; _SEND: byte where the script's SEND_DATA begins, _PARAMETERS of a request
_SELECT = const(0)
_DUE = const(1)
_SENT = const(2)
_AIR = const(3)
_WAIT = const(4)
_REPLY = const(5)
_SCRIPT = const(9)
_SEND = const(62)
# What listen() has heard
_NOBODY = const(0)
_ONE = const(1)
_MANY = const(2)
_NOISY = const(3)
_WAITING = const(4)  # it is due again
_DEAD = const(5)

_LAG_US = const(8)  # from NSS high to the first edge on the air, and the drift of three clocks
_REQUEST_US = const(1620)  # request without mask, 5 bytes
_BYTE_US = const(302)
_SOF_US = const(475)  # t1 (323.3 at most) and the SOF of an answer: no SOF by then, nobody is there
_ANSWER_US = const(4251)  # t1 and a whole answer
_AGAIN_US = const(60)
_LIMIT_US = const(1500)  # later than this what was expected counts as missing
_TIMER_PAGE = const(0x40054)


@micropython.viper
def send(m: ptr32, flags: int, command: int, size: int, more: int, source: int, then_us: int) -> int:
    """Send a request of `size` bytes and `more` from byte `source` of the block; due `then_us` after its end. Returns
    1 = BUSY is stuck. What stands behind `command` is the caller's, from byte _PARAMETERS of the block on.
    """
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


@micropython.viper
def listen(m: ptr32, frames: ptr8) -> int:
    """Look whether somebody answers, by a script that ends with BRANCH and with what is to be done after silence: SENT
    is then when that was done. ONE: READ_UID has been played behind the first two bytes of REPLY.
    """
    page = _TIMER_PAGE
    timer = ptr32(page << 12)
    reply = int(m) + _REPLY * 4
    left = int(play(int(m[_SELECT]), frames, reply))
    if left == 0:
        m[_SENT] = timer[10]
        return _NOBODY
    irq = int(m[_REPLY])
    if left == 2 or irq == -1 or irq & 0x10000:  # a dead line (ISSUES 11); TEMPSENS_ERROR
        return _DEAD
    if irq & 1 == 0:  # RX_IRQ
        if irq & 0x4000:  # SOF: an answer is on the air
            return _NOISY if int(later(m, int(m[_AIR]) + int(m[_WAIT]) + (_ANSWER_US + _LAG_US))) else _WAITING
        return _DEAD if int(later(m, int(m[_AIR]) + _SOF_US)) else _WAITING  # still sending
    received = int(m[_REPLY + 1]) & 0x701FF
    if received & 0x40000:
        return _MANY
    if received != 10:  # CRC or protocol error, or not the length of an answer
        return _NOISY
    return _DEAD if int(play(int(m[_SELECT]), READ_UID, reply + 2)) else _ONE


@micropython.viper
def later(m: ptr32, after_us: int) -> int:
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
