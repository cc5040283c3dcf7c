"""Memories as the store's ports see them: a FRAM and blocks of NOR flash, with power cuts at any operation.

`cut_at` counts operations down: at 1 the power fails in the next one, as `tear` says: `before` it, in the middle
(`torn`) or `after` it. Runs on CPython and MicroPython. Flash forgives nothing: programming a bit that is 0 to 1, or
erasing while bets are open, is an error of the firmware and raises.
"""

FRAM_SIZE = 32768
BLOCK = 4096
BLOCKS = 12


class PowerCut(Exception):
    """The power failed in an operation; the memories are as the cut left them."""


class Power:
    """What the memories of one table share. `pick(n)`: a number below n, how far a torn operation gets."""

    def __init__(self, pick=lambda n: n // 2):
        self.pick = pick
        self.cut_at = None
        self.tear = "torn"
        self.ops = 0

    def fails(self):
        """Count an operation: None, or how it is cut."""
        self.ops += 1
        if self.cut_at is None:
            return None
        self.cut_at -= 1
        return self.tear if self.cut_at <= 0 else None


class Memory:
    """FRAM: every byte is written when it has come."""

    def __init__(self, power=None):
        self.data = bytearray(FRAM_SIZE)
        self.power = power or Power()
        self.broken = False
        self.writes = 0

    def read(self, at, buf):
        if self.broken:
            raise OSError(5)
        buf[:] = memoryview(self.data)[at : at + len(buf)]

    def expect(self, message):
        """A PC has no interrupts."""

    def write(self, at, data):
        if self.broken:
            raise OSError(5)
        if at + len(data) > FRAM_SIZE:
            raise ValueError("behind the end of the memory")
        self.writes += 1
        how = self.power.fails()
        n = len(data) if how in (None, "after") else 0 if how == "before" else self.power.pick(len(data))
        self.data[at : at + n] = memoryview(data)[:n]
        if how:
            raise PowerCut("FRAM write of %d bytes at %d, %s" % (len(data), at, how))

    def put(self, message):
        self.write(message[0] << 8 | message[1], message[2:])


class Blocks:
    """The journal's blocks of flash."""

    def __init__(self, power=None, count=BLOCKS):
        self.count = count
        self.data = bytearray(b"\xff" * (BLOCK * count))
        self.power = power or Power()
        self.erases = [0] * count
        self.programs = 0
        self.bad = ()  # (block, at) that do not take what is programmed

    def read(self, block, at, buf):
        start = block * BLOCK + at
        buf[:] = memoryview(self.data)[start : start + len(buf)]

    def blank(self, block):
        """Is the whole block erased?"""
        return self.data[block * BLOCK : (block + 1) * BLOCK].count(b"\xff") == BLOCK

    def program(self, block, at, data):
        start = block * BLOCK + at
        self.programs += 1
        for old, new in zip(self.data[start : start + len(data)], data):
            if new & ~old & 255:
                raise ValueError("flash of block %d at %d is not erased" % (block, at))
        how = self.power.fails()
        n = len(data) if how in (None, "after") else 0 if how == "before" else self.power.pick(len(data))
        if (block, at) in self.bad:
            n = 0
        self.data[start : start + n] = memoryview(data)[:n]
        if how:
            raise PowerCut("page program in block %d at %d, %s" % (block, at, how))
        return bytes(self.data[start : start + len(data)]) == bytes(data)

    def erase(self, block):
        how = self.power.fails()
        start = block * BLOCK
        if how != "before":
            self.erases[block] += 1
            n = BLOCK if how != "torn" else self.power.pick(BLOCK)
            self.data[start : start + n] = b"\xff" * n
        if how:
            raise PowerCut("erase of block %d, %s" % (block, how))
