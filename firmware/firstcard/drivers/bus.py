"""Bus: the I2C bus of the table, and the latch's own way onto it.

The mark of a lock does not wait for a collection or for the console: the hard interrupt that says the edge was a card
sends it (edge.py). That interrupt leaves the bus alone while somebody is at work on it, so everybody says so, and lets
a mark that is on its way arrive. Every call may raise OSError: nobody answers there.
"""

import binascii
import struct

import micropython
import uctypes
from machine import I2C, Pin
from micropython import const

from firstcard.drivers.edge import BUS, CHECK, FRAM, I2C_AT, MESSAGE, WORDS

_BLOCK_PAGE = const(0x40044)  # RP2040 datasheet 2.2.4, address >> 12; the second block is 4 pages on
_TIMER_PAGE = const(0x40054)
_PATIENCE_US = const(3000)  # longer than any mark takes


@micropython.viper
def _settle(page: int):
    """Let a mark that is on its way arrive, and forget its end: else the next transfer takes it for its own."""
    i2c = ptr32(page << 12)
    page = _TIMER_PAGE
    timer = ptr32(page << 12)
    begun = int(timer[10])  # TIMERAWL
    while int(i2c[0x70 >> 2]) & 0x20 and int(timer[10]) - begun < _PATIENCE_US:  # IC_STATUS: MST_ACTIVITY
        pass
    begun = int(i2c[0x60 >> 2])  # IC_CLR_STOP_DET


class Bus:
    """I2C block `number` on two pins."""

    def __init__(self, number, sda, scl, baud):
        self._i2c = I2C(number, sda=Pin(sda), scl=Pin(scl), freq=baud)
        self._page = _BLOCK_PAGE + 4 * number

    # Nothing is allocated while BUS is set: a collection there would keep the interrupt from the bus for 20 ms. The
    # address of a register, as a number, would be an object.

    def _take(self):
        WORDS[BUS] += 1
        _settle(self._page)

    def writeto(self, address, data):
        """Send `data`."""
        self._take()
        try:
            self._i2c.writeto(address, data)
        finally:
            WORDS[BUS] -= 1

    def writevto(self, address, parts):
        """Send several buffers as one."""
        self._take()
        try:
            self._i2c.writevto(address, parts)
        finally:
            WORDS[BUS] -= 1

    def readfrom_mem_into(self, address, at, buf, addrsize=8):
        """Fill `buf` from the place `at` of the device, which is sent as `addrsize` bits."""
        self._take()
        try:
            self._i2c.readfrom_mem_into(address, at, buf, addrsize=addrsize)
        finally:
            WORDS[BUS] -= 1

    def expect(self, address, message):
        """From now on an edge sends `message` to the device at `address`, with its instant and check sum put in
        (store/mark.py). `message` has to stay where it is. None: no edge sends anything."""
        WORDS[I2C_AT] = 0
        if message:
            check = binascii.crc32(memoryview(message)[2:6]) ^ 0xFFFFFFFF
            WORDS[CHECK] = struct.unpack("<i", struct.pack("<I", check))[0]
            WORDS[MESSAGE] = uctypes.addressof(message)
            WORDS[FRAM] = address
            WORDS[I2C_AT] = self._page << 12
