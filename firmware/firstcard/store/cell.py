"""A cell: a few bytes that survive a power cut at any instant, old or new, in two copies of the fast memory."""

import binascii

from firstcard.store.log import CELLS, put_word, word

SIZE = 64  # of a copy: length (1), 0, age (2), up to 56 bytes, check sum (4)
MOST = 56
# Numbers of cells
LOCKOUT = 1  # wrong logins
SERVICED = 2  # not empty: service mode was entered by the strap, and the journal does not know yet
TEST = 3  # of the self-test


def _copy(memory, number, which):
    buf = bytearray(SIZE)
    memory.read(CELLS + (2 * number + which) * SIZE, buf)
    if buf[0] > MOST or word(buf, SIZE - 4) != binascii.crc32(memoryview(buf)[: SIZE - 4], number + 1) & 0xFFFFFFFF:
        return -1, b""
    return buf[2] | buf[3] << 8, bytes(buf[4 : 4 + buf[0]])


def _newest(memory, number):
    a, b = _copy(memory, number, 0), _copy(memory, number, 1)
    if a[0] < 0 or b[0] < 0:
        return (0, a) if a[0] >= 0 else (1, b)
    return (0, a) if a[0] - b[0] & 0x8000 == 0 else (1, b)


def maybe(memory, number):
    """False: nothing is in a cell, surely. It costs a tenth of loading it."""
    length = bytearray(1)
    memory.read(CELLS + 2 * number * SIZE, length)
    if length[0]:
        return True
    memory.read(CELLS + (2 * number + 1) * SIZE, length)
    return bool(length[0])


def load(memory, number):
    """The bytes of a cell, b"" if nothing was ever saved or both copies are bad."""
    return _newest(memory, number)[1][1]


def save(memory, number, data):
    """Replace the bytes of a cell, at most MOST; durable on return."""
    which, (age, _) = _newest(memory, number)
    buf = bytearray(SIZE)
    buf[0] = len(data)
    age = age + 1 & 0xFFFF
    buf[2], buf[3] = age & 255, age >> 8
    buf[4 : 4 + len(data)] = data
    put_word(buf, SIZE - 4, binascii.crc32(memoryview(buf)[: SIZE - 4], number + 1))
    memory.write(CELLS + (2 * number + 1 - which) * SIZE, buf)
