"""Bounded assembler for operator lines: bytes in, one result per line.

Printable ASCII, at most 96 bytes, ended by CR, LF or CRLF; empty lines are silent. A line with anything else in it
gives one error at its end and the next line starts clean (I-23, I-31: garbage from a probing host must neither hang
nor be obeyed; I-24, I-26: byte by byte, whatever the packet size). A trailing `*hhhh` is a CRC-16/CCITT-FALSE over
everything before the `*` and is checked and removed; any other `*` is ordinary text.
"""

from array import array

import micropython
from micropython import const

from firstcard.proto import crc

MOST = const(96)

# Results of take(), besides NONE for "no line has ended"
NONE = const(-1)
LINE = const(0)
TOO_LONG = const(1)  # the results that are not LINE are also the numbers of their error texts
NOT_PRINTABLE = const(2)
BAD_CRC = const(3)

# Words of _state
_END = const(0)  # of the bytes to take
_FILLED = const(1)  # bytes of the line that has begun
_BAD = const(2)  # error that it will end with
_LENGTH = const(3)  # of the line that has ended
_RESULT = const(4)


class Lines:
    """One assembler per input. Not for interrupts: fed by one task. take() allocates nothing."""

    def __init__(self):
        self.buf = bytearray(MOST)
        self.n = 0  # length of the line in buf after LINE, without its CRC; valid until the next byte
        self.result = NONE  # of take()
        self._state = array("i", [0] * 5)

    def take(self, data, at, n):
        """Take bytes of data[at:n], at most up to the end of a line. Returns the place behind them; `result` is NONE,
        or LINE, TOO_LONG, NOT_PRINTABLE, BAD_CRC when a line has ended."""
        state = self._state
        state[_END] = n
        at = _take(data, at, self.buf, state)
        self.result = result = state[_RESULT]
        if result == LINE:
            self._check(state[_LENGTH])
        return at

    def text(self):
        """The line as a string, after LINE."""
        return bytes(self.buf[: self.n]).decode()

    def words(self):
        """The line's words, after LINE; an empty list for a line of blanks."""
        return self.text().split()

    def reset(self):
        """Forget a begun line (the other side went away)."""
        self._state[_FILLED] = self._state[_BAD] = 0

    def _check(self, n):
        buf = self.buf
        if n >= 5 and buf[n - 5] == 42:
            told = crc.hex4(buf, n - 4)
            if told >= 0:
                n -= 5
                if crc.crc16(buf, n) != told:
                    self.result = BAD_CRC
        self.n = n


@micropython.viper
def _take(data: ptr8, at: int, buf: ptr8, state: ptr32) -> int:
    end = int(state[_END])
    filled = int(state[_FILLED])
    bad = int(state[_BAD])
    result = NONE
    while at < end:
        byte = int(data[at])
        at += 1
        if byte < 32:
            if byte == 10 or byte == 13:
                if filled or bad:
                    result = bad
                    break
            elif bad == LINE:
                bad = NOT_PRINTABLE
        elif byte > 126:
            if bad == LINE:
                bad = NOT_PRINTABLE
        elif filled < MOST:
            buf[filled] = byte
            filled += 1
        elif bad == LINE:
            bad = TOO_LONG
    if result != NONE:
        state[_LENGTH] = filled
        filled = bad = 0
    state[_FILLED] = filled
    state[_BAD] = bad
    state[_RESULT] = result
    return at
