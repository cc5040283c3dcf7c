"""Chip registry: value by UID from a signed file that stays on flash.

    magic, u16 bits, u16 count, an index of (1 << bits) + 1 u16, then 12 bytes a chip, then 32 bytes HMAC-SHA256

All little endian. A chip lies in the drawer that `drawer()` works out of its UID: the index says which records are in
it, so a lookup takes two short reads, however many chips there are. A record is the 8-byte UID in the order of the air
and 4 bytes: cents, and from bit 28 on what is wrong with the chip. Written on the host by pit.registry, signed with the
table's own key. A chip's own memory is never asked for its value: everybody can write it.
"""

from firstcard.core.events import UNKNOWN_CHIP

MAGIC = b"FCC1"
HEAD = 8
RECORD = 12
TAG = 32
AT_ONCE = 8  # records read at a time: about what is in a drawer
STEP = 1024  # bytes signed at a time
STEPS = 16  # of them in one call of check(): about 20 ms
BUSY, GENUINE, FALSE = 0, 1, 2  # results of check()


def drawer(uid, at, bits):
    """Number of the drawer of the chip uid[at:at+8]."""
    n = 0
    mask = (1 << bits) - 1
    for place in range(at, at + 8):
        n = (n * 37 ^ uid[place]) & mask
    return n


class Registry:
    """`source`: a file with seek() and readinto(), or None: no chip is known. `signing`: the two begun hashes of an
    HMAC with the table's key for registries; without them the file counts as false.

    Raises ValueError for a file that is none or is cut short. lookup() allocates nothing of its own and keeps nothing.
    """

    def __init__(self, source, signing=None):
        self._source = source
        self._buf = buf = bytearray(AT_ONCE * RECORD)
        self._pair = memoryview(buf)[:4]
        self.count = self._bits = 0
        self._result = GENUINE
        self._signing = signing  # over what check() has seen so far
        if source:
            size = source.seek(0, 2)
            self._read(0, buf, 0)
            self._bits = buf[4]
            self.count = buf[6] | buf[7] << 8
            self._records = HEAD + 2 * (1 << (buf[4] & 15)) + 2
            self._end = self._records + RECORD * self.count
            if buf[:4] != MAGIC or buf[4] > 15 or buf[5] or size != self._end + TAG:
                raise ValueError("chip registry is none, or cut short: load it again")
            self._at = 0
            self._result = BUSY if signing else FALSE

    def check(self):
        """Go on holding the file against its signature; told again and again, at last GENUINE or FALSE."""
        if self._result != BUSY:
            return self._result
        piece = bytearray(STEP)
        inner, outer = self._signing
        for _ in range(STEPS):
            left = min(STEP, self._end - self._at)
            if not left:
                outer.update(inner.digest())
                self._read(self._end, piece, TAG)
                self._result = GENUINE if outer.digest() == piece[:TAG] else FALSE
                self._signing = None
                break
            part = memoryview(piece)[:left]
            self._read(self._at, part, left)
            inner.update(part)
            self._at += left
        return self._result

    def lookup(self, uid, at=0):
        """Cents of the chip with UID uid[at:at+8], or what is wrong with it: below 0 (core.events)."""
        if not self.count:
            return UNKNOWN_CHIP
        buf = self._buf
        self._read(HEAD + 2 * drawer(uid, at, self._bits), self._pair, 4)
        n = buf[0] | buf[1] << 8
        end = buf[2] | buf[3] << 8
        while n < end:
            some = min(end - n, AT_ONCE)
            self._read(self._records + n * RECORD, buf, some * RECORD)
            n += some
            record = some * RECORD
            while record:
                record -= RECORD
                for place in range(8):
                    if buf[record + place] != uid[at + place]:
                        break
                else:
                    if buf[record + 11] >> 4:
                        return -(buf[record + 11] >> 4)
                    return buf[record + 8] | buf[record + 9] << 8 | buf[record + 10] << 16 | buf[record + 11] << 24
        return UNKNOWN_CHIP

    def _read(self, at, buf, least):
        """Fill `buf` from the file's byte `at` on, with at least so many bytes."""
        self._source.seek(at)
        if self._source.readinto(buf) < least:
            raise OSError("chip registry cannot be read")
