"""The critical state: what has happened since the table was last closed, in two slots of a small fast memory.

A slot begins with the state of a table between two rounds (its base), then come the inputs and the facts since, one
entry each, in order. A restart takes the newest slot and lets the same inputs happen again. An entry is written in one
go and counts once its check sum fits; a slot counts once its head is written, which is the last of its base. The memory
is a port: `read(at, buf)` fills buf, `write(at, data)`. Layout: JOURNAL.md. Pure.
"""

import binascii
import struct

from firstcard.store.cbor import put

SLOTS = (0, 12288)  # addresses
SLOT_SIZE = 12288
RESERVE = 1024  # kept for ending the round when a slot runs full
CELLS = 24576  # the rest of 32 kB: store/cell.py
HEAD = 16  # magic, generation, end of the base, 0, check sum
MAGIC = b"fcs1"
OVERHEAD = 12  # of an entry: length (2), index (1), kind (1), ms (4) before its values, check sum (4) behind
KIND = 3  # place in an entry
VALUES = 8
END = 0x5EE5  # stands behind the last entry, where the next one begins
SMALL = 96  # most entries fit
LONGEST = 640  # one reading of 70 chips

# Kinds of entries: an input of core.machine (its number); FACT + a number of store/journal.py; the following
FACT = 128
BASE = 64
ALARM = 65
SALT = 66
SEQ = 67
FLUSH = 68
SHUFFLE = 70
ALARMED = 71  # an alarm without a spot
COMING = 72  # cards that have left the shoe and are not dealt yet; a lock stands for one
MOVED = 69  # the other slot holds what comes after


def word(buf, at):
    """The 32 bit number at `at`, little endian."""
    return buf[at] | buf[at + 1] << 8 | buf[at + 2] << 16 | buf[at + 3] << 24


def put_word(buf, at, n):
    struct.pack_into("<I", buf, at, n & 0xFFFFFFFF)


class Log:
    """Writes entries. `generation` 0: nothing is valid yet, `begin` and `commit` make the first slot."""

    def __init__(self, memory):
        self.memory = memory
        self.generation = 0
        self.slot = 1  # index into SLOTS of the one in use
        self.at = HEAD  # where the next entry goes, from the slot's start
        self._index = 0
        self._left = None  # generation, index and end of the slot that is being left
        self._buf = bytearray(SMALL)
        self.ended = False  # `entry` has found the end mark

    def append(self, kind, ms, values):
        """Write one entry; it is durable on return. Returns False where only the reserve is left: the caller has to
        come to an end. ValueError when that is used up as well."""
        buf = self._buf
        try:
            end = put(buf, VALUES, values)
            buf[end + 5]  # check sum and end mark have to fit too
        except IndexError:
            buf = bytearray(LONGEST)
            end = put(buf, VALUES, values)
        return self._write(buf, end, kind, ms)

    def _write(self, buf, end, kind, ms):
        size = end + 4
        if self.at + size + (2 if kind == MOVED else OVERHEAD + 4) > SLOT_SIZE:  # room for MOVED stays
            raise ValueError("log full")
        struct.pack_into("<HBBI", buf, 0, size, self._index, kind, ms & 0xFFFFFFFF)
        view = memoryview(buf)
        struct.pack_into("<IH", buf, end, binascii.crc32(view[:end], self.generation), END)
        self.memory.write(SLOTS[self.slot] + self.at, view[: size + 2])
        self._index = self._index + 1 & 255
        self.at += size
        return self.at < SLOT_SIZE - RESERVE

    def entry(self, at):
        """The entry at `at` of the slot in use: (kind, ms, values as they were encoded, index, place behind it), or
        None where there is no whole one."""
        buf, memory, start = self._buf, self.memory, SLOTS[self.slot]
        view = memoryview(buf)
        memory.read(start + at, view[:VALUES])
        size = buf[0] | buf[1] << 8
        self.ended = size == END
        if not OVERHEAD < size <= LONGEST or at + size > SLOT_SIZE:
            return None
        if size > SMALL:
            view = memoryview(bytearray(size))
            view[:VALUES] = memoryview(buf)[:VALUES]
        memory.read(start + at + VALUES, view[VALUES:size])
        if binascii.crc32(view[: size - 4], self.generation) & 0xFFFFFFFF != word(view, size - 4):
            return None
        return view[3], word(view, 4), view[VALUES : size - 4], view[2], at + size

    def checks(self, head):
        """Does the check sum of a slot's head fit?"""
        return binascii.crc32(memoryview(head)[:12]) & 0xFFFFFFFF == word(head, 12)

    def at_end(self, generation, slot, at, index):
        """Go on behind the last entry of a slot that has been read."""
        self.generation, self.slot, self.at, self._index = generation, slot, at, index

    def begin(self):
        """What is appended from now on is the base of the other slot; nothing of it counts until `commit`."""
        self._left = self.generation, self._index, self.at
        self.at_end(self.generation + 1, 1 - self.slot, HEAD, 0)

    def commit(self):
        """The base is complete: from now on this slot is the one that counts."""
        head = bytearray(HEAD)
        head[:4] = MAGIC
        put_word(head, 4, self.generation)
        put_word(head, 8, self.at)
        put_word(head, 12, binascii.crc32(memoryview(head)[:12]))
        self.memory.write(SLOTS[self.slot], head)
        here = self.generation, self.slot, self.at, self._index
        generation, index, at = self._left
        if generation:  # a slot that has been left says so: it is never taken for the newest
            self.at_end(generation, 1 - self.slot, at, index)
            self._write(self._buf, put(self._buf, VALUES, ()), MOVED, 0)
        self.at_end(*here)
