"""Bounded assembler for operator lines: bytes in, one result per line.

Printable ASCII, at most 96 bytes, ended by CR, LF or CRLF; empty lines are silent. A line with anything else in it
gives one error at its end and the next line starts clean (I-23, I-31: garbage from a probing host must neither hang
nor be obeyed; I-24, I-26: byte by byte, whatever the packet size). A trailing `*hhhh` is a CRC-16/CCITT-FALSE over
everything before the `*` and is checked and removed; any other `*` is ordinary text.
"""

from firstcard.proto import crc

MOST = 96

# Results of feed(), besides None for "no line has ended"
LINE = 0
TOO_LONG = 1  # the results that are not LINE are also the numbers of their error texts
NOT_PRINTABLE = 2
BAD_CRC = 3


class Lines:
    """One assembler per input. Not for interrupts: fed by one task. take() allocates nothing."""

    def __init__(self):
        self.buf = bytearray(MOST)
        self.n = 0  # length of the line in buf after LINE, without its CRC; valid until the next byte
        self.result = None  # of take()
        self._filled = 0
        self._bad = 0  # error that this line will end with

    def take(self, data, at, n):
        """Take bytes of data[at:n], at most up to the end of a line. Returns the place behind them; `result` is None,
        or LINE, TOO_LONG, NOT_PRINTABLE, BAD_CRC when a line has ended."""
        buf, filled = self.buf, self._filled
        self.result = None
        while at < n:
            byte = data[at]
            at += 1
            if 31 < byte < 127:
                if filled < MOST:
                    buf[filled] = byte
                    filled += 1
                elif not self._bad:
                    self._bad = TOO_LONG
            elif byte == 10 or byte == 13:
                self._filled = filled
                self.result = self._end()
                if self.result is not None:
                    return at
                filled = 0
            elif not self._bad:
                self._bad = NOT_PRINTABLE
        self._filled = filled
        return at

    def text(self):
        """The line as a string, after LINE."""
        return bytes(self.buf[: self.n]).decode()

    def words(self):
        """The line's words, after LINE; an empty list for a line of blanks."""
        return self.text().split()

    def reset(self):
        """Forget a begun line (the other side went away)."""
        self._filled = self._bad = 0

    def _end(self):
        result = self._bad
        n = self._filled
        self._filled = self._bad = 0
        if result:
            return result
        if n == 0:
            return None
        if n >= 5 and self.buf[n - 5] == 42:
            told = crc.hex4(self.buf, n - 4)
            if told >= 0:
                n -= 5
                if crc.crc16(self.buf, n) != told:
                    return BAD_CRC
        self.n = n
        return LINE


def with_crc(line):
    """`line` (str) with its trailing `*hhhh`, for hosts that send one."""
    return "%s*%04X" % (line, crc.crc16(line.encode()))
