"""Chip registry: value by UID, looked up in sorted 12-byte records that stay in a file on flash.

A record is the 8-byte UID in the order of the air (least significant byte first), compared byte by byte, and the value
in cents as 4 bytes, little endian. Written on the host by pit.registry. A chip's own memory is never asked for its
value: everybody can write it.
"""

RECORD = 12
UNKNOWN = -1


class Registry:
    """Over bytes, or a file with seek() and readinto(). lookup() allocates nothing of its own and keeps nothing."""

    def __init__(self, source):
        self._source = source
        self._record = bytearray(RECORD)
        self._in_memory = isinstance(source, (bytes, bytearray))
        size = len(source) if self._in_memory else source.seek(0, 2)
        if size % RECORD:
            raise ValueError("chip registry is cut short: copy it again")
        self.count = size // RECORD

    def lookup(self, uid, at=0):
        """Cents of the chip with UID uid[at:at+8], or UNKNOWN (-1). At most log2(count) + 1 short reads."""
        low = 0
        high = self.count
        record = self._record
        while low < high:
            middle = (low + high) // 2
            self._read(middle)
            differs = 0
            for place in range(8):
                differs = uid[at + place] - record[place]
                if differs:
                    break
            if differs == 0:
                return record[8] | record[9] << 8 | record[10] << 16 | record[11] << 24
            if differs < 0:
                high = middle
            else:
                low = middle + 1
        return UNKNOWN

    def _read(self, index):
        place = index * RECORD
        if self._in_memory:
            source = self._source
            record = self._record
            for byte in range(RECORD):
                record[byte] = source[place + byte]
        else:
            self._source.seek(place)
            if self._source.readinto(self._record) != RECORD:
                raise OSError("chip registry cannot be read")
