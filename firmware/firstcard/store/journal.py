"""The journal: records of 128 bytes in flash, each written once, each with a hash over the one before it.

A record holds facts, as many as fit: what has been told, by whom, when. The blocks are a port: `count`,
`read(block, at, buf)`, `blank(block)`, `program(block, at, data)` into erased flash (True: it reads back so),
`erase(block)`. They are used in a ring. What was written is never erased before it has been read out and released.
Layout and meaning: JOURNAL.md. Pure.
"""

import binascii
import hashlib

from firstcard.store.log import put_word, word

BLOCK = 4096
RECORD = 128
SLOTS = 32  # records of a block
CHAIN = 12  # bytes of SHA-256 over the record before
PAYLOAD = 32
END = 124  # check sum
MARK = 0x4A
VERSION = 1
TRIES = 8  # places that flash does not take, one behind the other: then it is broken
ROOM = 3  # erased blocks that a table needs to open: the longest round fits

# Facts by name: their number. What they hold is in JOURNAL.md; most are events of the same name (core/events.py).
FACTS = {"boot": 1, "lock": 2, "unsettled": 3, "unsettled-decided": 4, "card": 5, "extra": 6, "alarm": 7,
         "alarm-cleared": 8, "settle": 9, "round": 10, "limits": 11, "fault": 12, "fault-cleared": 13, "reveal": 14,
         "login": 15, "read": 16, "reset": 17, "key": 18, "note": 19, "state": 20,
         "login-failed": 21, "logout": 22, "mode": 23, "time": 24, "rules": 25, "key-switch": 26,
         "settle-withdrawn": 27}


def head_of(buf, seq, boot, ms, wall):
    """Begin a record in `buf`; its payload is empty."""
    buf[0], buf[1], buf[2], buf[3] = MARK, VERSION, 0, 0
    put_word(buf, 4, seq)
    put_word(buf, 8, boot)
    put_word(buf, 12, ms)
    put_word(buf, 16, wall)
    for i in range(PAYLOAD, END):
        buf[i] = 0xFF


def good(buf):
    """Is this a whole record?"""
    return buf[0] == MARK and buf[1] == VERSION and word(buf, END) == (
        binascii.crc32(memoryview(buf)[:END]) & 0xFFFFFFFF)


class Journal:
    """Writes records. `seq`: number of the last one (0: none); `free`: erased blocks ahead of the one in use."""

    def __init__(self, blocks):
        self.blocks = blocks
        self.seq = 0
        self.boot = 0  # power-up in which it was written
        self.hash = bytes(32)  # SHA-256 of the last record
        self.block = 0
        self.slot = 0  # where the next record goes; SLOTS: into the next block
        self.free = 0
        self.bad = 0  # places that flash did not take
        self.oldest = 1  # number of the first record that is still there
        self.stuck = False  # flash takes nothing any more

    def room(self):
        """Records that can still be written."""
        if self.stuck:
            return 0
        return self.free * SLOTS + SLOTS - self.slot

    def write(self, buf):
        """Write the record in `buf` (begun by head_of): chain and check sum are put in. What flash did not take is no
        record, and the next place is tried, TRIES of them. False: there is no room, or it is stuck."""
        buf[20:PAYLOAD] = self.hash[:CHAIN]
        put_word(buf, END, binascii.crc32(memoryview(buf)[:END]))
        for _ in range(TRIES):
            if self.slot == SLOTS:
                if not self.free:
                    return False
                self.block = (self.block + 1) % self.blocks.count
                self.free -= 1
                self.slot = 0
            slot, self.slot = self.slot, self.slot + 1
            if self.blocks.program(self.block, slot * RECORD, buf):
                if not self.seq:
                    self.oldest = word(buf, 4)
                self.seq = word(buf, 4)
                self.hash = hashlib.sha256(buf).digest()
                return True
            self.bad += 1
        self.stuck = True
        return False

    def erase_one(self, released):
        """Erase the oldest block if all its records are up to number `released`; False if there is none. Interrupts
        are off for 45 ms."""
        used = self.blocks.count - self.free
        if used < 2:
            return False
        tail = (self.block - used + 1) % self.blocks.count
        after = self.first(tail + 1)
        if not after or after - 1 > released:
            return False
        if not self.blocks.blank(tail):  # else it was erased before a restart
            self.blocks.erase(tail)
        self.oldest = after
        self.free += 1
        return True

    def place(self):
        """Where the journal ends, for `go_on` after a restart."""
        return self.seq, self.block, self.slot, self.free, self.oldest

    def go_on(self, place):
        """Look for what was written behind a place that was noted; False if the place itself is not as it was."""
        self.seq, self.block, self.slot, self.free, self.oldest = place
        if self.blocks.count <= self.block:
            return False
        if self.seq and not (self.slot and self._take(self.block, self.slot - 1) == 2):
            return False
        while True:
            slot, block = self.slot, self.block
            if slot == SLOTS:
                if not self.free:
                    return True
                slot, block = 0, (block + 1) % self.blocks.count
            found = self._take(block, slot)
            if not found:
                return True
            if slot < self.slot:
                self.block = block
                self.free -= 1
            self.slot = slot + 1

    def _take(self, block, slot):
        """Look at one place: 0 it is blank, 1 something torn, 2 a record, which is the last one now."""
        buf = bytearray(RECORD)
        self.blocks.read(block, slot * RECORD, buf)
        if good(buf):
            self.seq, self.hash = word(buf, 4), hashlib.sha256(buf).digest()
            self.boot = word(buf, 8)
            return 2
        return 1 if buf.count(b"\xff") < RECORD else 0

    def search(self):
        """Find the last record without a hint. `seq` stays 0 where there is none."""
        count = self.blocks.count
        self.block, self.slot, self.seq, self.oldest = count - 1, SLOTS, 0, 1
        first = [self.first(block) for block in range(count)]
        used = [n for n in first if n]
        self.free = count
        if used:
            self.oldest = min(used)
            self.block, self.slot = first.index(max(used)), 0
            for slot in range(SLOTS):
                if self._take(self.block, slot):
                    self.slot = slot + 1
            self.free = 0
            while self.free < count - 1 and self.blocks.blank((self.block + self.free + 1) % count):
                self.free += 1

    def first(self, block):
        """Number of the first whole record of a block, or 0."""
        buf = bytearray(RECORD)
        for slot in range(SLOTS):
            self.blocks.read(block % self.blocks.count, slot * RECORD, buf)
            if good(buf):
                return word(buf, 4)
            if not slot and buf.count(b"\xff") == RECORD:
                return 0
        return 0
