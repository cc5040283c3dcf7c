"""Thorough: how a thorough reading goes on where a plain one ends, and when its set is sure.

It wakes chips that were told to be quiet (RESET TO READY), reads, tells every chip that it has read to be quiet, and
asks who is left, waiting longer for late answers. When nobody has answered three times running the set is SURE: a chip
that another one covered, that missed a request or answered late has been asked alone. Whoever answers is read as well,
and all is asked anew.
"""

from micropython import const

from firstcard.drivers.reading import (
    BITS,
    CHIPS,
    FIRST,
    HEARD,
    HUSH,
    HUSHED,
    OUTCOME,
    PASS,
    PHASE,
    ROUSING,
    SILENT,
    UIDS,
    WAIT,
)
from firstcard.drivers.exchange import send
from firstcard.drivers.field import dark
from firstcard.drivers.inventory import request

_READY_US = const(1835)  # t1 and the answer to RESET TO READY, late ones as well
_T2_US = const(310)  # after an answer, before the reader may send
_PATIENCE_US = const(300)  # longer than the standard grants an answer to begin
_SILENCES = const(3)  # probes without an answer that make a set sure
_PASSES = const(8)  # how often it begins anew


def conclude(block):
    """End a thorough reading: 0; 1 if nobody but the chips found can be there; 3 if some of them answered only when
    asked thoroughly.
    """
    if block[PHASE]:
        dark(block)
    if block[OUTCOME] or block[SILENT] < _SILENCES:
        return 0
    return 3 if block[CHIPS] > block[FIRST] else 1


def go_on(block):
    """A thorough reading has asked what it was told to ask: tell it what comes next. False = it is done."""
    turn = block[PASS]
    heard = block[HEARD]
    if turn == 0:
        block[PASS] = 1
        return _order(block, ROUSING, 0x02, 0x26, 0)
    if turn == 1:
        block[PASS] = 2
        block[FIRST] = block[CHIPS]
        block[WAIT] = _PATIENCE_US
    elif heard == 1:
        block[SILENT] = block[SILENT] + 1
    elif heard:
        block[SILENT] = 0
        block[PASS] = turn + 1
    block[HEARD] = 0
    if block[HUSHED] < block[CHIPS]:
        return _order(block, HUSH, 0x22, 0x02, 8)
    if block[SILENT] < _SILENCES and turn < _PASSES:
        block[BITS] = 0
        return not request(block, 0x26)
    return False


def _order(block, phase, flags, command, more):
    """Send RESET TO READY (0x26) to all, or STAY QUIET (0x02) to the next chip found. True = sent."""
    hushed = block[HUSHED]
    block[PHASE] = phase
    block[HUSHED] = hushed + (more >> 3)
    then_us = _T2_US if more else _READY_US + _T2_US
    return not send(block, flags, command, 2, more, (UIDS << 2) + (hushed << 3), then_us)
