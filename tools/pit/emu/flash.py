"""The flash chip: erases and writes take their time, power may fail in any of them, and it has a serial number.

Defects of the stock emulator mended here (W25Q16JV data sheet, 8.2 and 9.6):
 - erase and program are instant. Here the chip is busy for `erase_us` a sector and `prog_us` a page. The firmware spins
   on the status register meanwhile, interrupts masked, out of RAM: the loop stalls the CPU instead of running that
   spin, while alarms, wires and PIO go on.
 - command 0x4B is not answered: `machine.unique_id()` is ff * 8.
"""

import random
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from pit.image import FLASH_BASE, read_uf2

FLASH_SIZE = 2 << 20
ERASE_US = 45_000  # 4 KiB sector, typical; the data sheet allows 400 ms
PROG_US = 400  # 256 byte page, typical; the data sheet allows 3 ms
UNIQUE_ID = bytes.fromhex("E6614103E7123456")
_READ_STATUS, _UNIQUE_ID, _PROGRAM, _ERASE_4K, _ERASE_64K = 0x05, 0x4B, 0x02, 0x20, 0xD8
_BUSY = 1 << 0  # status register 1
_ID_AFTER = 5  # command and four dummy bytes
_SIZES = {_ERASE_4K: 4096, _ERASE_64K: 65536}
_SECTOR, _PAGE = 4096, 256
TEARS = ("before", "torn", "after")


class PowerCut(Exception):
    """The power failed during a flash operation. The board is dead; its flash is as the cut left it."""


class FlashOp(NamedTuple):
    """One erase ('E') or page program ('P'): emulated us, kind, offset in the chip, bytes."""

    us: float
    kind: str
    address: int
    size: int


class FlashModel:
    """Timing, log and power cuts of the flash chip behind the chip's SSI.

    cut_at_op  raise PowerCut at the n-th operation from now on (1 = the next), or None
    tear       'before' (nothing of it is done), 'torn' (some of it) or 'after' (all of it)
    rnd        random.Random for torn operations
    ops        log of FlashOp
    """

    def __init__(self, mcu, loop, erase_us=ERASE_US, prog_us=PROG_US):
        self.erase_us, self.prog_us = erase_us, prog_us
        self.cut_at_op, self.tear, self.rnd = None, "torn", random.Random(0)
        self.unique_id = UNIQUE_ID
        self.ops = []
        self._mcu, self._loop, self._ssi = mcu, loop, mcu.ssi
        self._busy_until = 0.0
        self._stock_shift, self._stock_apply = mcu.ssi._shift_byte, mcu.ssi._apply_command
        mcu.ssi._shift_byte, mcu.ssi._apply_command = self._shift, self._apply
        self._known = bytearray()  # what the flash commands alone have made of the content
        self.remember()

    def remember(self):
        """Take the present content as the right one (the image has been loaded from outside)."""
        self._known[:] = self._mcu.flash[:FLASH_SIZE]

    def stray(self):
        """Offset of the first byte that was changed by no flash command, or None."""
        content = bytes(self._mcu.flash[:FLASH_SIZE])
        if content == self._known:
            return None
        return next(offset for offset, (is_, was) in enumerate(zip(content, self._known)) if is_ != was)

    def cut(self, at_op, tear="torn", seed=0):
        """Fail the power at the `at_op`-th operation from now on; see the attributes."""
        if tear not in TEARS:
            raise ValueError(f"tear is one of {TEARS}, not {tear!r}")
        self.cut_at_op, self.tear, self.rnd = at_op, tear, random.Random(seed)

    def _shift(self, byte):
        """One byte to the chip and one back, which the SSI does while chip select is low."""
        answer = self._stock_shift(byte)
        sent = self._ssi._tx_buffer
        command = sent[0]
        if command == _READ_STATUS and len(sent) > 1 and self._mcu.clock.nanos < self._busy_until:
            self._loop.stall_until = self._busy_until
            return answer | _BUSY
        if command == _UNIQUE_ID and len(sent) > _ID_AFTER:
            return self.unique_id[(len(sent) - _ID_AFTER - 1) % len(self.unique_id)]
        return answer

    def _apply(self):
        """Chip select rises: the command is complete."""
        sent = self._ssi._tx_buffer
        command = sent[0] if sent else None
        if command not in (_PROGRAM, _ERASE_4K, _ERASE_64K) or not self._ssi._write_enabled or len(sent) < 4:
            self._stock_apply()
            return
        kind = "P" if command == _PROGRAM else "E"
        size = min(len(sent) - 4, _PAGE) if kind == "P" else _SIZES[command]
        address = int.from_bytes(sent[1:4], "big")
        if kind == "E":
            address &= -size
        self.ops.append(FlashOp(self._mcu.clock.nanos / 1000, kind, address, size))
        if self.cut_at_op is not None:
            self.cut_at_op -= 1
            if self.cut_at_op <= 0:
                self._cut(kind, address, size)
        self._do(address, size)
        busy_us = self.prog_us if kind == "P" else self.erase_us * (size // _SECTOR)
        self._busy_until = self._mcu.clock.nanos + busy_us * 1000

    def _do(self, address, size):
        self._stock_apply()
        self._known[address:address + size] = self._mcu.flash[address:address + size]

    def _cut(self, kind, address, size):
        flash = self._mcu.flash
        before = bytes(flash[address:address + size])
        if self.tear != "before":
            self._do(address, size)
        if self.tear == "torn":
            flash[address:address + size] = torn(kind, before, bytes(flash[address:address + size]), self.rnd)
            self._known[address:address + size] = flash[address:address + size]
        raise PowerCut(f"{'page program' if kind == 'P' else 'erase'} at 0x{address:06X}, {size} bytes, {self.tear}")

    def close(self):
        """Let go of the chip (see Board.close)."""
        self._ssi._shift_byte = self._ssi._apply_command = None
        self._mcu = self._loop = self._ssi = self._stock_shift = self._stock_apply = None


def torn(kind, before, after, rnd):
    """What an interrupted operation leaves: bytes of the length of `before`.

    A program stops in the middle of a byte, some of whose bits have fallen. An erase raises all cells together: either
    a first part of the sector reads erased, or every byte has some of its bits back.
    """
    split = rnd.randrange(len(before) + 1)
    if kind == "E" and rnd.random() < 0.5:
        return bytes(old | rnd.randrange(256) for old in before)
    mixed = bytearray(after[:split] + before[split:])
    if split < len(mixed):
        some = rnd.randrange(256)
        mixed[split] = before[split] & (after[split] | some) if kind == "P" else before[split] | some
    return bytes(mixed)


def content(uf2, whole):
    """2 MiB for the chip: `whole` (bytes, padded) or, if that is None, the UF2 file `uf2` (path or content)."""
    if whole is not None:
        return bytes(whole) + b"\xff" * (FLASH_SIZE - len(whole))
    if isinstance(uf2, (bytes, bytearray)):
        return _flatten(bytes(uf2))
    stat = Path(uf2).stat()
    return _flatten_file(str(uf2), stat.st_mtime_ns, stat.st_size)


@lru_cache(maxsize=2)
def _flatten_file(path, _mtime_ns, _size):
    return _flatten(Path(path).read_bytes())


def _flatten(data):
    image = bytearray(b"\xff" * FLASH_SIZE)
    for address, sector in read_uf2(data).items():
        offset = address - FLASH_BASE
        image[offset:offset + len(sector)] = sector
    return bytes(image)
