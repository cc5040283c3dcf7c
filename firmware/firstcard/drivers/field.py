"""Field: a reading begins when the field of its antenna is turned on, and ends when it is turned off."""

import micropython
from micropython import const

from firstcard.drivers.masks import everybody
from firstcard.drivers.pn5180 import ALIVE, FIELD_OFF, FIELD_ON
from firstcard.drivers.readerbus import play

_RF_ON_US = const(110)

# Words of a block, see reading.py
_SELECT = const(0)
_DUE = const(1)
_SENT = const(2)
_WAIT = const(4)
_REPLY = const(5)
_TX_CONFIG = const(10)
_PHASE = const(20)
_STARTED = const(21)
_ENDED = const(22)
_SLOT = const(23)
_OUTCOME = const(24)
_THOROUGH = const(27)
_PASS = const(29)
_MASKS = const(31)
_DEPTH = const(31)
_BITS = const(32)
_MASK = const(33)
_CHIPS = const(108)
_HUSHED = const(109)
_DARK = const(0)
_LIT = const(1)
_FAULT = const(2)

_TIMER_PAGE = const(0x40054)


@micropython.viper
def dark(m: ptr32):
    """Field off: the reading has ended."""
    page = _TIMER_PAGE
    timer = ptr32(page << 12)
    play(int(m[_SELECT]), FIELD_OFF, int(m) + _REPLY * 4)
    m[_ENDED] = timer[10]
    m[_PHASE] = _DARK


@micropython.viper
def start(m: ptr32, antenna: int, how: int, tx_config: ptr32) -> int:
    """Begin to read `antenna`. `how`, bits: 1 = more than one chip lay there last time, do not probe; 2 = thorough.
    Returns 1 = the reader is at fault.
    """
    page = _TIMER_PAGE
    timer = ptr32(page << 12)
    reply = int(m) + _REPLY * 4
    m[_SELECT] = antenna
    m[_STARTED] = timer[10]
    n = _SLOT
    while n <= _PASS:
        m[n] = 0
        n += 1
    m[_WAIT] = 0
    m[_CHIPS] = 0
    m[_HUSHED] = 0
    m[_MASK] = 0
    m[_MASK + 1] = 0
    m[_BITS] = 0
    m[_DEPTH] = 0
    m[_THOROUGH] = how >> 1
    if how & 1:
        everybody(int(m) + _MASKS * 4)
    m[_TX_CONFIG] = tx_config[antenna]
    m[_PHASE] = _LIT
    stuck = int(play(antenna, ALIVE, reply))
    if stuck == 0 and int(m[_REPLY]) & 1 and int(m[_REPLY]) != -1:
        stuck = int(play(antenna, FIELD_ON, reply))
        m[_SENT] = timer[10]
        m[_DUE] = int(m[_SENT]) + _RF_ON_US
        if stuck == 0:
            return 0
    m[_ENDED] = timer[10]
    m[_OUTCOME] = _FAULT
    m[_PHASE] = _DARK
    return 1
