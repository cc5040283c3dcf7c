"""The lock's mark: that the latch has fired, in the fast memory before anything else, whatever the log is busy with.

It is one write of a message that lies ready. The latch's interrupt makes it by itself where the memory can be written
from there (drivers/edge.py); else a callback does, between two bytecodes, without the log knowing. It stands for the
edge of round `number` for as long as the log has none. Layout: JOURNAL.md. Pure.
"""

import binascii
import struct

AT = 32704  # address in the memory
SIZE = 12  # round (4), instant in us (4), check sum (4)


class Mark:
    """`memory`: port of store/log.py with `put(message)`: write a message that begins with its address, big endian, and
    `expect(message)`: an interrupt may put it, with instant and check sum filled in."""

    def __init__(self, memory):
        self._memory = memory
        self._message = bytearray(2 + SIZE)
        struct.pack_into(">H", self._message, 0, AT)
        self._check = memoryview(self._message)[2:10]
        self.number = 0  # of the round that is open, or is about to be

    def expect(self, number):
        """The next edge is that of round `number`."""
        self._memory.expect(None)
        self.number = number
        struct.pack_into("<I", self._message, 2, number)
        self._memory.expect(self._message)

    def set(self, us):
        """The latch has fired at `us`; durable on return. Allocates no more than a check sum."""
        struct.pack_into("<I", self._message, 6, us)
        struct.pack_into("<I", self._message, 10, binascii.crc32(self._check))
        self._memory.put(self._message)

    def clear(self):
        """No round has a mark."""
        self._memory.write(AT, bytes(SIZE))

    def instant(self, number):
        """us of the edge of that round, or -1 if there is no mark of it."""
        buf = bytearray(SIZE)
        self._memory.read(AT, buf)
        marked, us, check = struct.unpack("<III", buf)
        return us if marked == number and binascii.crc32(memoryview(buf)[:8]) == check else -1
