"""Inventory: reads every chip of one antenna by bounded steps, without allocating and without waiting.

ISO 15693: field on, 1 ms, then a one-slot request (a probe: nobody, one chip, many) or at once 16 slots; every slot
in which answers collide, or that is noise, is asked again with four more mask bits. A machine is one preallocated
block (reading.py); `start` (field.py) gives it an antenna, `advance` moves it on when its next step is due.

How a thorough reading goes on where a plain one ends: thorough.py.
"""

import micropython
from micropython import const

from firstcard.drivers.exchange import later, listen, send
from firstcard.drivers.field import dark
from firstcard.drivers.found import keep
from firstcard.drivers.masks import everybody, split, take
from firstcard.drivers.pn5180 import (
    FIRST_EOF,
    IRQ,
    LAST_SLOT,
    NEXT_EOF,
    PROBED,
    SLOT_FIRST_EOF,
    SLOT_NEXT_EOF,
)
from firstcard.drivers.readerbus import play

_MAX_NOISE = const(8)  # noisy slots that are asked again before the antenna counts as unreadable

_RF_ON_US = const(110)
_POWER_US = const(1000)  # the chips wake up
_SOF_US = const(475)  # from the end of a request until an answer must have begun
_SLOT_US = const(521)  # EOF 38, t1 and SOF of an answer 475, lag 8
_EOF_US = const(38)
_T2_US = const(348)  # from a look that finds an answer: t2 310, the look 30, lag 8; else the reader waits, unseen
_GUARD_US = const(4599)  # t1 and a whole answer 4251, begun late 30, t2 310, lag 8: the chip listens again

# Words of a block, see reading.py; _PARAMETERS is a byte
_SELECT = const(0)
_DUE = const(1)
_SENT = const(2)
_AIR = const(3)
_WAIT = const(4)
_REPLY = const(5)
_PARAMETERS = const(67)
_PHASE = const(20)
_ENDED = const(22)
_SLOT = const(23)
_OUTCOME = const(24)
_NOISE = const(25)
_HEARD = const(26)
_THOROUGH = const(27)
_AFI = const(30)
_MASKS = const(31)
_DEPTH = const(31)
_BITS = const(32)
_MASK = const(33)
_FOUND = const(107)
_LIMIT = const(107)
_CHIPS = const(108)
# _PHASE
_DARK = const(0)
_LIT = const(1)
_WAKING = const(2)
_PROBE = const(3)
_ROUND = const(4)
_GUARD = const(5)
_ROUSING = const(6)
# _OUTCOME
_UNREADABLE = const(1)
_FAULT = const(2)
# what listen() has heard
_NOBODY = const(0)
_ONE = const(1)
_MANY = const(2)
_NOISY = const(3)
_WAITING = const(4)

_TIMER_PAGE = const(0x40054)


@micropython.viper
def advance(m: ptr32) -> int:
    """Make the next step if it is due. Returns the microseconds until the following one, -1 = finished, -2 = a thorough
    reading is to be told how to go on (thorough.py).
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
    looked = int(timer[10])
    phase = int(m[_PHASE])
    slot = int(m[_SLOT])
    heard = _NOBODY
    dead = 0
    if phase == _LIT:
        dead = int(play(select, IRQ, reply))
        if int(m[_REPLY]) & 0x10000:  # TEMPSENS_ERROR
            dead = 1
        elif dead == 0:
            if int(m[_REPLY]) & 0x200:  # TX_RFON_IRQ
                m[_PHASE] = _WAKING
                m[_DUE] = int(m[_SENT]) + (_RF_ON_US + _POWER_US)
                return 0
            dead = int(later(m, _RF_ON_US))  # too late: it is dark, and would see an empty spot
            if dead == 0:
                return 0
    elif phase == _PROBE or phase == _ROUND:
        frames = LAST_SLOT
        if phase == _PROBE:
            if slot == 0:
                frames = PROBED
        elif slot == 0:
            frames = SLOT_FIRST_EOF
        elif slot < 15:
            frames = SLOT_NEXT_EOF
        heard = int(listen(m, frames))
        if heard == _WAITING:
            return 0
        if heard == _NOBODY and slot < 15:
            if phase == _PROBE:
                m[_ENDED] = m[_SENT]
                m[_PHASE] = _DARK
                return 1
            m[_SLOT] = slot + 1
            m[_AIR] = _EOF_US
            m[_DUE] = int(m[_SENT]) + int(m[_WAIT]) + _SLOT_US
            return 0
        if heard == _ONE:
            heard = int(keep(int(m) + _FOUND * 4, reply))
            if int(m[_CHIPS]) >= int(m[_LIMIT]):
                m[_OUTCOME] = _UNREADABLE
        dead = 1 if heard > _WAITING else 0
        if phase == _ROUND:
            if heard == _MANY or heard == _NOISY:
                if heard == _NOISY:
                    m[_NOISE] = int(m[_NOISE]) + 1
                if int(m[_NOISE]) > _MAX_NOISE or int(split(int(m) + _MASKS * 4, slot)):
                    m[_OUTCOME] = _UNREADABLE
            slot += 1
        else:
            slot = 16
            if heard == _MANY or heard == _NOISY:
                everybody(int(m) + _MASKS * 4)
            m[_HEARD] = heard + 1
        m[_SLOT] = slot
        if dead == 0 and heard and int(m[_OUTCOME]) == 0:
            if phase == _ROUND or heard >= _MANY or int(m[_THOROUGH]):
                m[_PHASE] = _GUARD  # t2: the chip that answered is not listening yet
                due = int(m[_SENT]) + int(m[_AIR]) + int(m[_WAIT]) + _GUARD_US
                if looked + _T2_US - due > 0:  # a look that comes late cannot tell when the answer ended: before it
                    due = looked + _T2_US
                m[_DUE] = due
                return 0
    if dead == 0 and int(m[_OUTCOME]) == 0:
        if phase == _WAKING and int(m[_THOROUGH]):
            return 2
        if phase == _WAKING or phase == _ROUSING:
            dead = int(request(m, 0x06 if int(m[_DEPTH]) else 0x26))
            if dead == 0:
                return 0
        elif slot < 16:
            frames = FIRST_EOF
            if slot > 1:
                frames = NEXT_EOF
            dead = int(play(select, frames, reply))
            m[_SENT] = timer[10]
            if dead == 0:
                m[_PHASE] = _ROUND
                m[_AIR] = _EOF_US
                m[_DUE] = int(m[_SENT]) + int(m[_WAIT]) + _SLOT_US
                return 0
        elif int(m[_DEPTH]):
            dead = int(request(m, 0x06))
            if dead == 0:
                return 0
        elif int(m[_THOROUGH]):
            return 2
    if dead:
        m[_OUTCOME] = _FAULT
    dark(m)
    return 1


@micropython.viper
def request(m: ptr32, flags: int) -> int:
    """Send an INVENTORY: flags 0x26 one slot, 0x06 sixteen with the mask on top of the stack. 1 = BUSY is stuck."""
    b = ptr8(m)
    slot = 0
    m[_PHASE] = _PROBE
    if flags == 0x06:
        take(int(m) + _MASKS * 4)
        m[_PHASE] = _ROUND
    elif int(m[_THOROUGH]):
        slot = 15  # it goes on after silence: not the script that then turns the field off
    bits = int(m[_BITS])
    m[_SLOT] = slot
    size = 3
    afi = int(m[_AFI])
    if afi:
        flags |= 0x10
        b[_PARAMETERS] = afi
        size = 4
    b[_PARAMETERS - 3 + size] = bits
    return int(send(m, flags, 0x01, size, (bits + 7) >> 3, _MASK * 4, _SOF_US))
