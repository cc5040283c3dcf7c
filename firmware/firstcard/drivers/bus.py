"""Bus: the I2C bus of the table, and the latch's own way onto it.

The mark of a lock does not wait for a collection or for the console: the hard interrupt that says the edge was a card
sends it (edge.py). That interrupt leaves the bus alone while somebody is at work on it, so everybody says so, and lets
a mark that is on its way arrive. Every call may raise OSError: nobody answers there.
"""

import binascii
import struct

import machine
import uctypes
from machine import I2C, Pin

from firstcard.drivers.edge import BUS, CHECK, FRAM, I2C_AT, MESSAGE, WORDS

_BLOCKS = (0x40044000, 0x40048000)  # RP2040 datasheet 2.2.4
_STATUS, _ACTIVE = 0x70, 0x20
_CLEAR_STOP = 0x60
_PATIENCE = 200  # looks at the status: some milliseconds, longer than any mark takes


class Bus:
    """I2C block `number` on two pins."""

    def __init__(self, number, sda, scl, baud):
        self._i2c = I2C(number, sda=Pin(sda), scl=Pin(scl), freq=baud)
        self._at = _BLOCKS[number]

    # Nothing is allocated while BUS is set: a collection there would keep the interrupt from the bus for 20 ms.

    def _take(self):
        WORDS[BUS] += 1
        for _ in range(_PATIENCE):
            if not machine.mem32[self._at + _STATUS] & _ACTIVE:
                break
        machine.mem32[self._at + _CLEAR_STOP]  # else the next transfer takes the mark's end for its own

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
            WORDS[I2C_AT] = self._at
