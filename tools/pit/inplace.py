"""/code.xip: the bytecode of all functions in a form that the board can run where it lies in flash.

firmware/firstcard/drivers/inplace.py finds it there and says why that is safe. The file is a row of chunks; each fills
the data of exactly one block of littlefs, so that it stands in one piece wherever the block is:

    block 0 has no pointers, block n has (number of times that 2 divides n) + 1 of 4 bytes before the data; the first
    of them is the number of block n - 1, which is how the board sees that chunks belong together.

A chunk, little endian: magic 4, nonce 8, number 2, number of chunks 2, length of the file 4, entries 4, CRC-32 of all
this and of the index 4; the index, sorted by key: key 4 (see key()), offset in the chunk 2, length 2; the code, each
piece at a multiple of 4 of the chunk, as it is in RAM. The code itself needs no sum: it is compared when it is used.
The last chunk is empty: it is there to point at the one before it.
"""

import struct
import zlib
from typing import NamedTuple

from pit import mpy
from pit.errors import PitError

PATH = "code.xip"
MAGIC = b"fcX1"
NONCE = b"emulated"
"""8 bytes, another 8 in each installation: of two files on one board only the one with the right nonce is looked at."""

NONCE_AT = 4  # bytes before it

BLOCK = 4096
SHORTEST = 12  # bytes: the heap gives 16 at least, so even these are worth it
_HEAD = struct.Struct("<4s8sHHII")
_CRC = struct.Struct("<I")
_ENTRY = struct.Struct("<IHH")
HEAD_SIZE = _HEAD.size + _CRC.size
LONGEST = BLOCK - 4 * 8 - HEAD_SIZE - _ENTRY.size  # bytes: fits every chunk (block 128 has 8 pointers)


class Chunk(NamedTuple):
    """One chunk, read: `codes` are (offset in the chunk, bytes)."""

    number: int
    total: int
    nonce: bytes
    file_size: int
    codes: list


def data_size(number):
    """Bytes of data in block `number` of a littlefs file."""
    return BLOCK - 4 * pointers(number)


def pointers(number):
    """Pointers before the data in block `number` of a littlefs file."""
    return (number & -number).bit_length()


def key(code):
    """What the index is sorted by: the first 30 bits of the code, which is what viper can compare at once."""
    return int.from_bytes(code[:4], "big") >> 2


def functions(modules):
    """The code worth having in flash: list of bytes in the order of the modules, each once.

    `modules`: compiled modules (bytes). The modules' own code runs once and is not among it. None is the beginning of
    another, so that at most one of them can be what a function on the board begins with.
    """
    found = {}
    for module in modules:
        for code in mpy.codes(module):
            if code.kind == mpy.BYTECODE and code.depth and SHORTEST <= len(code.data) <= LONGEST:
                found[code.data] = None
    in_order = sorted(found)
    for code, following in zip(in_order, in_order[1:]):
        if following.startswith(code):
            del found[code]
    return list(found)


def pack(modules, nonce=NONCE):
    """The file for compiled modules: dict of path -> bytes; other files in it are passed over."""
    if len(nonce) != len(NONCE):
        raise PitError(f"a nonce has {len(NONCE)} bytes, not {len(nonce)}")
    rows = _rows(functions(data for path, data in modules.items() if path.endswith(".mpy")))
    total = len(rows) + 1
    size = sum(data_size(number) for number in range(total - 1)) + HEAD_SIZE
    out = b"".join(_chunk(codes, nonce, number, total, size).ljust(data_size(number), b"\xff")
                   for number, codes in enumerate(rows))
    return out + _chunk([], nonce, total - 1, total, size)


def _rows(codes):
    """Codes spread over chunks, neighbours kept together: list of lists."""
    rows, room = [], 0
    for code in codes:
        need = _aligned(len(code)) + _ENTRY.size
        if need > room:
            room = data_size(len(rows)) - HEAD_SIZE
            rows.append([])
        rows[-1].append(code)
        room -= need
    return rows


def _chunk(codes, nonce, number, total, size):
    codes = sorted(codes, key=key)
    head = _HEAD.pack(MAGIC, nonce, number, total, size, len(codes))
    at = HEAD_SIZE + _ENTRY.size * len(codes)
    index = b""
    for code in codes:
        index += _ENTRY.pack(key(code), at, len(code))
        at += _aligned(len(code))
    body = b"".join(code.ljust(_aligned(len(code)), b"\xff") for code in codes)
    return head + _CRC.pack(zlib.crc32(index, zlib.crc32(head))) + index + body


def _aligned(length):
    return length + 3 & -4


def unpack(data):
    """The chunks of a file: list of Chunk. PitError if it is not whole."""
    chunks, at = [], 0
    while at < len(data):
        chunks.append(_read(data[at:at + data_size(len(chunks))]))
        at += data_size(len(chunks) - 1)
    if not chunks or any((chunk.number, chunk.total, chunk.file_size) != (number, len(chunks), len(data))
                         for number, chunk in enumerate(chunks)):
        raise PitError(f"this is no whole {PATH}")
    return chunks


def _read(data):
    if len(data) < HEAD_SIZE:
        raise PitError(f"this is no {PATH}: a chunk of {len(data)} bytes")
    magic, nonce, number, total, size, count = _HEAD.unpack_from(data)
    index = data[HEAD_SIZE:HEAD_SIZE + _ENTRY.size * count]
    if magic != MAGIC or _CRC.unpack_from(data, _HEAD.size)[0] != zlib.crc32(index, zlib.crc32(data[:_HEAD.size])):
        raise PitError(f"this is no {PATH}: a chunk is damaged")
    codes = [(at, data[at:at + length]) for _, at, length in _ENTRY.iter_unpack(index)]
    return Chunk(number, total, nonce, size, codes)
