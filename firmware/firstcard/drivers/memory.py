"""Memory: the FRAM on I2C, and the journal's blocks of flash: the ports of store/log.py and store/journal.py.

The blocks are files of one block each, `/journal/00` and on, laid out when the file system is made: the data of a file
that is never written lies where it lies, and a file of one block has no pointers in it. /journal.map names them
(pit.image). So they can be erased and programmed like raw flash, and littlefs never touches them.
"""

import array

import rp2

from firstcard.drivers.bus import Bus

MAP = "/journal.map"
BLOCK = 4096
_PIECE = 48  # bytes, 1.2 ms at 400 kHz


class Fram:
    """FRAM at `address` of a Bus. Every call may raise OSError: it does not answer."""

    def __init__(self, bus, address):
        self._bus = bus
        self._address = address
        self._at = bytearray(2)
        self._parts = [self._at, None]

    def read(self, at, buf):
        """Fill `buf` from address `at`, in one call: put() may come between two of them."""
        self._bus.readfrom_mem_into(self._address, at, buf, addrsize=16)

    def expect(self, message):
        """The latch may send this message by itself when an edge has locked."""
        self._bus.expect(self._address, message)

    def put(self, message):
        """Write a message that begins with its address; durable on return. Allocates nothing."""
        self._bus.writeto(self._address, message)

    def write(self, at, data):
        """Write `data` at address `at`; durable on return. In pieces, so that a lock's mark never waits long."""
        for n in range(0, len(data), _PIECE):
            self._at[0], self._at[1] = at + n >> 8, at + n & 255
            self._parts[1] = data if len(data) <= _PIECE else memoryview(data)[n : n + _PIECE]
            self._bus.writevto(self._address, self._parts)


class Blocks:
    """The journal's blocks. `count` is 0 where the map is missing."""

    def __init__(self):
        self._flash = rp2.Flash()
        self._numbers = array.array("H")
        try:
            with open(MAP, "rb") as file:
                self._numbers.extend(array.array("H", file.read()))
        except OSError:
            pass
        self.count = len(self._numbers)

    def read(self, block, at, buf):
        self._flash.readblocks(self._numbers[block], buf, at)

    def blank(self, block):
        """Is the whole block erased?"""
        buf = bytearray(256)
        for at in range(0, BLOCK, 256):
            self.read(block, at, buf)
            if buf.count(b"\xff") != 256:
                return False
        return True

    def program(self, block, at, data):
        """Program `data` into erased flash, interrupts off for half a millisecond. True: it reads back so."""
        page = bytearray(b"\xff" * 256)
        start = at & 255
        page[start : start + len(data)] = data
        self._flash.writeblocks(self._numbers[block], page, at - start)
        self.read(block, at, memoryview(page)[: len(data)])
        return page[: len(data)] == data

    def erase(self, block):
        """Erase, interrupts off for 45 ms."""
        self._flash.ioctl(6, self._numbers[block])


def bus(board):
    """The board's bus for FRAM, keypad, display and clock chip, or None where it has none of them."""
    if not board.FRAM:
        return None
    return Bus(board.I2C, board.I2C_SDA, board.I2C_SCL, board.I2C_BAUD)
