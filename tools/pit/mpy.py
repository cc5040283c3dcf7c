"""Compiled modules (.mpy, version 6 of MicroPython's format) taken apart into the code of their functions.

The format is that of py/persistentcode.c in MicroPython 1.27: a head, the strings, the constants, then the code of the
module with that of its functions inside, each as `length * 8 + has children * 4 + kind - 2` and the bytes themselves.
"""

from typing import NamedTuple

from pit.errors import PitError

BYTECODE, NATIVE, VIPER, ASM = 2, 3, 4, 5
_VERSION = 6
_ARCH_FLAGS = 0x40  # in the third byte of the head: a number follows the head
_RELOCATED = 0x70  # scope flags of code that was linked from C: rodata, bss and relocations follow
_ALONE, _TEXTS, _TUPLE = range(5), (5, 6), 10  # kinds of constants: without content, ended by a zero, of constants


class Code(NamedTuple):
    """One function (or generator, lambda, class body). `depth` 0 is the module itself, 1 what stands in it."""

    depth: int
    kind: int
    data: bytes


def codes(mpy):
    """All code of a module (bytes), in the order of the file: list of Code. PitError on what is not such a file."""
    reader = _Reader(mpy)
    try:
        reader.head()
        reader.code(0)
    except IndexError:
        raise PitError("not a compiled module: it ends too early")
    if reader.at != len(mpy):
        raise PitError(f"not a compiled module: {len(mpy) - reader.at} bytes are left over")
    return reader.found


class _Reader:
    def __init__(self, data):
        self.data = data
        self.at = 0
        self.found = []

    def byte(self):
        self.at += 1
        return self.data[self.at - 1]

    def number(self):
        value, more = 0, True
        while more:
            byte = self.byte()
            value, more = value << 7 | byte & 0x7F, byte & 0x80
        return value

    def bytes(self, length):
        self.at += length
        if self.at > len(self.data):
            raise IndexError
        return bytes(self.data[self.at - length:self.at])

    def head(self):
        magic, version, flags, _ = self.bytes(4)
        if magic != ord("M") or version != _VERSION:
            raise PitError(f"not a compiled module of version {_VERSION}")
        if flags & _ARCH_FLAGS:
            self.number()
        names, constants = self.number(), self.number()
        for _ in range(names):
            length = self.number()
            if not length & 1:  # else the number of a word that is in MicroPython
                self.bytes((length >> 1) + 1)
        for _ in range(constants):
            self.constant()

    def constant(self):
        kind = self.byte()
        if kind in _ALONE:
            return
        count = self.number()
        if kind == _TUPLE:
            for _ in range(count):
                self.constant()
        else:
            self.bytes(count + (kind in _TEXTS))

    def code(self, depth):
        head = self.number()
        kind = (head & 3) + BYTECODE
        self.found.append(Code(depth, kind, self.bytes(head >> 3)))
        if kind != BYTECODE:
            self._scope(kind)
        if head & 4:
            for _ in range(self.number()):
                self.code(depth + 1)

    def _scope(self, kind):
        flags = self.number()  # of NATIVE: where its prelude begins
        if kind == ASM:
            self.number()
            self.number()
        elif kind == VIPER and flags & _RELOCATED:
            raise PitError("a module that was linked from C cannot be taken apart")
