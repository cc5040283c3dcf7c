"""In place: functions run their bytecode where it stands in flash, and the copy in RAM goes back to the heap.

MicroPython copies all code to RAM when it imports a module. A function made of bytecode is an object of four words, the
last the address of that copy (py/objfun.h, mp_obj_fun_bc_t); generator functions are the same. /code.xip holds the same
bytecode (tools/pit/inplace.py), and flash is memory that can be read like RAM: so the address is set to the place in
flash, and the next collection frees the copy.

Why this is safe:
- An address moves only after every byte of an entry was found equal, in flash as it is now, to what the function has in
  RAM. An entry is one whole function, and a function never runs on behind its end, so what is equal as far as the entry
  goes behaves the same. Where objects look otherwise (another MicroPython), nothing is equal and nothing happens.
- MicroPython never writes to bytecode; what differs from import to import (names, constants) is in a table beside it.
- littlefs moves or erases a block of data only when its own file is written or deleted; wear of others makes no
  difference. Nothing in the firmware writes /code.xip. A program that does has to reset the board before the next
  function is called: copying files to a running table is the one thing that makes this unsafe.
- A stale copy of a chunk, left in free blocks by an earlier copy of the file, may be erased at any time. So a chunk is
  used only if it carries the nonce of the file, is found exactly once, and the next chunk of the file points at it.
- While flash is erased or programmed nothing can be read from it. That holds for the interpreter itself, which is in
  the same flash: the port stops everything meanwhile. Interrupt handlers that must not wait are viper code in RAM;
  native and viper functions are other types and are never touched.

Whoever calls has to see to one thing: no function of a module may be running or suspended (a begun generator) while
it is moved. A running function holds an address in the middle of its code, and that keeps no copy alive.
"""

import array
import binascii
import sys

import machine
import micropython
import rp2
import uctypes
from micropython import const

PATH = "code.xip"  # beside the modules, see main.py
_OURS = "firstcard."  # MicroPython's own modules are in flash anyway
_MAGIC = b"fcX1"
_HEAD = const(28)  # bytes; in words: magic, nonce 0 and 1, number | chunks << 16, length of the file, entries, CRC
_SUMMED = const(24)
_BLOCK = const(4096)
_FLASH_END = const(0x10200000)  # 2 MiB, the file system at its end


def _function():
    pass


def _generator():
    yield


_FUNCTION = type(_function)
_GENERATOR = type(_generator)


@micropython.viper
def _scan(base: int, blocks: int, head, found):
    """Look into every block for chunks with magic and nonce of `head`: found[number] = address, or 1 if there are two.

    A block of a file begins with up to 8 pointers; how many depends on its number.
    """
    own = ptr32(head)  # noqa: F821
    places = ptr32(found)  # noqa: F821
    total = own[3] >> 16
    while blocks:
        words = ptr32(base)  # noqa: F821
        at = 0
        while at < 9:
            if words[at] == own[0] and words[at + 1] == own[1] and words[at + 2] == own[2]:
                number = words[at + 3] & 0xFFFF
                pointers = 0
                rest = number
                while rest:
                    pointers += 1
                    rest = 0 if rest & 1 else rest >> 1
                if number < total and pointers == at:
                    places[number] = 1 if places[number] else base + 4 * at
            at += 1
        base += _BLOCK
        blocks -= 1


@micropython.viper
def _move(function: int, chunks) -> int:
    """Move one function object to flash: 1, or 0 if it is not there.

    chunks: how many, where the last one was found, their addresses. Of all entries at most one fits: none is the
    beginning of another.
    """
    places = ptr32(chunks)  # noqa: F821
    words = ptr32(function)  # noqa: F821
    code = words[3]
    if code >> 28 != 2:  # not in RAM: moved already, or frozen
        return 0
    first = ptr8(code)  # noqa: F821
    key = first[0] << 22 | first[1] << 14 | first[2] << 6 | first[3] >> 2
    at = places[1]
    n = places[0]
    while n:
        chunk = places[2 + at]
        index = ptr32(chunk + _HEAD)  # noqa: F821
        count = ptr32(chunk)[5]  # noqa: F821
        low = 0
        high = count
        while low < high:  # the first entry with this key
            middle = (low + high) >> 1
            if index[middle << 1] < key:
                low = middle + 1
            else:
                high = middle
        while low < count and index[low << 1] == key:
            entry = index[(low << 1) + 1]
            place = chunk + (entry & 0xFFFF)
            length = entry >> 16
            i = 0
            own = ptr32(code)  # noqa: F821
            there = ptr32(place)  # noqa: F821
            whole = length >> 2
            while i < whole and there[i] == own[i]:
                i += 1
            if i == whole:
                i <<= 2
                end = ptr8(place)  # noqa: F821
                while i < length and end[i] == first[i]:
                    i += 1
            if i == length:
                words[3] = place
                places[1] = at
                return 1
            low += 1
        at += 1
        if at == places[0]:
            at = 0
        n -= 1
    return 0


def _usable():
    """Addresses of the chunks of /code.xip that can be used, behind their number and a 0 (see _move)."""
    good = array.array("I", [0, 0])
    try:
        with open(PATH, "rb") as file:
            head = file.read(_HEAD)
            size = file.seek(0, 2)
    except OSError:
        return good
    if len(head) < _HEAD or head[:4] != _MAGIC or size != int.from_bytes(head[16:20], "little"):
        return good
    total = int.from_bytes(head[14:16], "little")
    places = array.array("I", bytes(4 * total))
    blocks = rp2.Flash().ioctl(4, 0)
    base = _FLASH_END - blocks * _BLOCK
    _scan(base, blocks, array.array("I", head), places)  # an array, because bytes may lie at an odd address
    for number in range(total - 1):
        place, following = places[number], places[number + 1]
        if place > 1 and following > 1 and _follows(following, (place - base) // _BLOCK) and _whole(place):
            good.append(place)
    good[0] = len(good) - 2
    return good


def _follows(chunk, block):
    """True if the block of `chunk` points at `block` as the one before it in its file."""
    return machine.mem32[chunk & -_BLOCK] == block


def _whole(chunk):
    """True if head and index of a chunk are as they were written. The code itself is compared when it is used."""
    index = 8 * machine.mem32[chunk + 20]
    if not 0 < index <= _BLOCK - _HEAD:
        return False
    crc = binascii.crc32(uctypes.bytearray_at(chunk, _SUMMED))
    crc = binascii.crc32(uctypes.bytearray_at(chunk + _HEAD, index), crc)
    return crc == machine.mem32[chunk + _SUMMED] & 0xFFFFFFFF


class Mover:
    """Looks for /code.xip (3 ms). `chunks`: how many chunks of it can be used; `moved`: functions moved so far."""

    def __init__(self):
        self._places = _usable()
        self._seen = set()
        self.chunks = self._places[0]
        self.moved = 0

    def move_new(self, apart=()):
        """Move the functions and methods of all our modules that were imported since the last call.

        None of them may be running (above): modules in `apart` are left alone. A collection then frees the copies.
        """
        for name in list(sys.modules):
            if name.startswith(_OURS) and name != __name__ and name not in apart:
                self.move(name)

    def move(self, name):
        """Move the functions and methods of the imported module `name`."""
        if self.chunks and name not in self._seen:
            self._seen.add(name)
            self._walk(sys.modules[name].__dict__)

    @micropython.native
    def _walk(self, names):
        function, generator, places, move, number = _FUNCTION, _GENERATOR, self._places, _move, id
        moved = 0
        for value in names.values():
            kind = type(value)
            if kind is function or kind is generator:
                moved += move(number(value), places)
            elif kind is type and value not in self._seen:
                self._seen.add(value)
                self._walk(value.__dict__)
        self.moved += moved
