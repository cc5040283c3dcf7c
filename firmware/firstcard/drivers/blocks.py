"""Blocks of a chip's memory, read by address: only what has been read twice alike counts. For tests and technicians.

What a chip is worth never comes from here: everybody can write it. Sources: ISO 15693-3 READ SINGLE and READ MULTIPLE
BLOCKS; ISSUES 6 (byte 0 of an answer is its flags), 7 (wrong data now and then), 13 (no READ_DATA of an answer that is
not there), 22 (never unaddressed), E4 (any start block). It waits for the air: 8 ms for a block, 12 ms for four.
"""

import time

from firstcard.drivers.nap import nap
from firstcard.drivers.pn5180 import FIELD_OFF, FIELD_ON, REQUEST, STATUS
from firstcard.drivers.readerbus import STUCK, play, script

OK, SILENT, GARBLED, DIFFERENT, DEAD = 0, 1, 2, 3, 4
ERROR = 0x100  # and the chip's own code
MOST = 28  # blocks at a time
_POWER_US = 1300
_REQUEST_US, _BYTE_US = 1620, 302
_ANSWER_US = 900  # t1, SOF, EOF and some patience, without the bytes
_SEND = 26  # in REQUEST


def read(select, tx_config, uid, first, count=1):
    """(OK, 4 * count bytes) of chip `uid` (8 bytes, order of the air) at reader `select`, or (what is wrong, b"").
    `tx_config`: pn5180.tx_config(select).
    """
    if play(select, FIELD_ON, bytearray(4)) == STUCK:
        return DEAD, b""
    try:
        nap(_POWER_US)
        code, data = _once(select, tx_config, uid, first, count)
        if code == OK:
            code, again = _once(select, tx_config, uid, first, count)
            if code == OK and data != again:
                code = DIFFERENT
    finally:
        play(select, FIELD_OFF, bytearray(4))
    return (code, data) if code == OK else (code, b"")


def _once(select, tx_config, uid, first, count):
    more = bytes((first,)) if count == 1 else bytes((first, count - 1))
    request = bytes((0x22, 0x20 if count == 1 else 0x23)) + uid + more
    frames = bytearray(REQUEST[:_SEND])
    frames[4:8] = tx_config.to_bytes(4, "little")
    reply = bytearray(4 * count + 9)
    if play(select, bytes(frames) + script(b"\x09\x00" + request), reply) == STUCK:
        return DEAD, b""
    begun = time.ticks_us()
    limit_us = _REQUEST_US + _BYTE_US * (len(request) + 4 * count) + _ANSWER_US
    while True:
        nap(200)
        if play(select, STATUS, reply) == STUCK:
            return DEAD, b""
        if reply[0] & 1:  # RX_IRQ
            break
        if time.ticks_diff(time.ticks_us(), begun) > limit_us:
            return GARBLED if reply[1] & 0x40 else SILENT, b""
    size = reply[4] | (reply[5] & 1) << 8
    if reply[6] & 7 or not 2 <= size <= len(reply):  # CRC, protocol, collision; or no answer's length
        return GARBLED, b""
    if play(select, script(b"\x0a\x00", size), reply) == STUCK:
        return DEAD, b""
    nap(310)  # t2: the chip is not listening yet
    if reply[0] & 1:
        return ERROR | reply[1], b""
    return (OK, bytes(reply[1:size])) if size == 4 * count + 1 else (GARBLED, b"")
