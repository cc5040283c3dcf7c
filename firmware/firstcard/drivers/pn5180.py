"""PN5180 commands: what the frames of a reader mean, and how one is brought up and told healthy from dead.

Source: NXP PN5180A0xx/C3,C4 data sheet Rev 4.0: commands table 5, start-up table 141, registers IRQ_STATUS (02) and
TEMP_CONTROL (25). A reader that does not answer reads as all ones (pull-up on MISO) or all zeros: never data (ISSUES
11).

Of its temperature the chip tells one bit, TEMPSENS_ERROR of IRQ_STATUS: above the threshold of TEMP_CONTROL, which
stays as the maker has set it. Degrees cannot be read. A reader that is too hot turns its field off, and what it then
"reads" is an empty spot: so the bit ends a reading as a fault, and nothing but bring_up() clears it.
"""

import time

from machine import Pin

from firstcard.drivers.nap import nap
from firstcard.drivers.readerbus import BRANCH, STUCK, play, script

# health of a reader
READY, BUSY_STUCK, ALL_ZEROS, ALL_ONES, NOT_IDLE, NOT_CONFIGURED, TOO_HOT = 0, 1, 2, 3, 4, 5, 7

_WRITE_MULTIPLE = b"\x03"
_IRQ_CLEAR = b"\x03\x01\xff\xff\x0e\x00"  # SET all of it but TEMPSENS_ERROR
_ALL_CLEAR = b"\x03\x01\xff\xff\x0f\x00"
_IDLE = b"\x00\x03\xf8\xff\xff\xff"  # SYSTEM_CONFIG AND: command = idle
_TRANSCEIVE = b"\x00\x02\x03\x00\x00\x00"  # SYSTEM_CONFIG OR: command = transceive
_EOF_ONLY = b"\x18\x03\x3f\xfb\xff\xff"  # TX_CONFIG AND: no start symbol, no data
_TRANSCEIVER = _IRQ_CLEAR + _IDLE + _TRANSCEIVE  # always by way of idle (ISSUES 9)
_STATUS = b"\x05\x02\x13"  # READ_MULTIPLE: IRQ_STATUS, RX_STATUS
_EOF = b"\x09\x00"  # SEND_DATA of nothing
_RF_OFF = b"\x17\x00"

STATUS = script(_STATUS, 8)
IRQ = script(b"\x04\x02", 4)
READ_UID = script(b"\x0a\x00", 10)
FIELD_ON = script(b"\x16\x00")
FIELD_OFF = script(_RF_OFF)
ALIVE = script(b"\x04\x19", 4)  # CRC_TX: bit 0 is lost when a reader resets itself
PROBED = script(_STATUS, 8, BRANCH, _RF_OFF)  # nothing heard: dark again, in one go
FIRST_EOF = script(_WRITE_MULTIPLE + _EOF_ONLY + _TRANSCEIVER, _EOF)
NEXT_EOF = script(_WRITE_MULTIPLE + _TRANSCEIVER, _EOF)
SLOT_FIRST_EOF = script(_STATUS, 8, BRANCH, _WRITE_MULTIPLE + _EOF_ONLY + _TRANSCEIVER, _EOF)
SLOT_NEXT_EOF = script(_STATUS, 8, BRANCH, _WRITE_MULTIPLE + _TRANSCEIVER, _EOF)
LAST_SLOT = script(_STATUS, 8, BRANCH)

# A request: TX_CONFIG as it was after LOAD_RF_CONFIG (4 bytes at 4), transceiver ready, then SEND_DATA (from 26 on).
REQUEST = bytes((25,)) + _WRITE_MULTIPLE + b"\x18\x01" + bytes(4) + _TRANSCEIVER + bytes(16)

_VERSION = script(b"\x07\x12\x02", 2)
_CRC_ON = b"\x19\x02\x01\x00\x00\x00" + b"\x12\x02\x01\x00\x00\x00"  # CRC_TX, CRC_RX OR: enable
_CONFIGURE = script(b"\x11\x0d\x8d", _WRITE_MULTIPLE + _CRC_ON + _ALL_CLEAR)
_TO_IDLE = script(_WRITE_MULTIPLE + _IDLE)
_SOFT_RESET = script(b"\x01\x00\x00\x01\x00\x00")  # SYSTEM_CONFIG OR: bit 8
_TX_CONFIG = script(b"\x04\x18", 4)
_START_UP_MS = 10  # 2.3 to 2.5 ms by the data sheet; the limit is generous, the wait ends with IDLE_IRQ
_reply = bytearray(16)


def hard_reset(gp, settle_us=2500):
    """Reset every reader by the RESET_N line on `gp`. Takes 2.6 ms."""
    line = Pin(gp, Pin.OUT, value=0)
    nap(100)
    line.value(1)
    nap(settle_us)


def _answer(select, frames, size):
    """Play and look at the first `size` bytes: READY, or what is wrong with the line."""
    if play(select, frames, _reply) == STUCK:
        return BUSY_STUCK
    zeros = ones = True
    for at in range(size):
        if _reply[at] != 0:
            zeros = False
        if _reply[at] != 255:
            ones = False
    return ALL_ZEROS if zeros else ALL_ONES if ones else READY


def bring_up(select, fresh):
    """Configure reader `select` for ISO 15693 (100 % ASK, 26 kbit/s), CRC on. Returns its health.

    `fresh`: just reset, so that IDLE_IRQ must come (bounded: ISSUES 8); else whatever it was doing ends first, for
    LOAD_RF_CONFIG in a transceive wedges it (ISSUES 16). Takes about 0.5 ms.
    """
    if fresh:
        start = time.ticks_ms()
        while True:
            health = _answer(select, IRQ, 4)
            if health in (READY, ALL_ZEROS) and _reply[0] & 4:
                break
            if health in (BUSY_STUCK, ALL_ONES):
                return health
            if time.ticks_diff(time.ticks_ms(), start) > _START_UP_MS:
                return NOT_IDLE
            nap(100)
    elif play(select, _TO_IDLE, _reply) == STUCK:
        return BUSY_STUCK
    health = _answer(select, _VERSION, 2)
    if health == READY:
        if play(select, _CONFIGURE, _reply) == STUCK:
            return BUSY_STUCK
        health = alive(select)
    return health


def soft_reset(select):
    """Reset reader `select` alone: it forgets all, and starts up for 2.5 ms."""
    play(select, _SOFT_RESET, _reply)


def ailment(select):
    """What is wrong with reader `select`, which has failed in a reading."""
    if _answer(select, IRQ, 4) == READY and _reply[2] & 1:
        return TOO_HOT
    return alive(select) or NOT_CONFIGURED


def alive(select):
    """READY if reader `select` answers and still has its configuration."""
    health = _answer(select, ALIVE, 4)
    if health in (READY, ALL_ZEROS) and not _reply[0] & 1:
        return NOT_CONFIGURED
    return health


def tx_config(select):
    """TX_CONFIG of a configured reader, 32 bits: what a request has to restore."""
    _answer(select, _TX_CONFIG, 4)
    return int.from_bytes(_reply[0:4], "little")
