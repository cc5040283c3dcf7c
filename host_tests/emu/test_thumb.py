"""What we execute in C of our own is what the emulator executes: every opcode, and the SIO block's registers."""

import random

import pytest

from pit.emu import native
from pit.emu.board import Board

RAM, FLASH, ROM, SIO = 0x20000000, 0x10000000, 0, 0xD0000000
RAM_END = RAM + 264 * 1024
CODE = RAM + 0x8000
DATA = 0x4000  # of RAM, around which addresses point
EDGES = (0, 1, 2, 31, 32, 33, 64, 255, 256, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFF9)
OFFSETS = (0, 4, *range(0x10, 0x30, 4), *range(0x5C, 0x7C, 4), *range(0x60, 0x78, 4), 0x80, 0x100, 0x17C)
FLAGS = ("n", "z", "c", "v")
SECOND = (0xF800, 0xD000, 0xFFFF, 0x8F50, 0x8800, 0x0000)  # of a wide instruction: BL, BL backwards, DMB, MSR ...

needs_c = pytest.mark.skipif(not native.describe().startswith("compiled"), reason="there is no C compiler")


@pytest.fixture(scope="module")
def chip(uf2):
    """The chip, with a core that never runs by itself; the other cycle counts as a sleeping one."""
    with Board(uf2) as board:
        board.mcu.sram[:] = random.Random(1).randbytes(len(board.mcu.sram))
        yield board


def _value(rnd):
    """A number, an address in RAM, or something on the edge; sometimes not aligned."""
    kind = rnd.randrange(8)
    if kind < 3:
        return RAM + DATA + rnd.randrange(0, 256) * (1 if kind == 0 else 4)
    if kind == 3:
        return rnd.choice((FLASH + 0x1000, ROM + 0x100, RAM, RAM_END - 4, SIO + 0x60, 0x40054000)) + rnd.randrange(3)
    return rnd.choice(EDGES) if kind < 6 else rnd.getrandbits(32)


def _state(mcu):
    core = mcu.core
    return [*core.registers], [bool(getattr(core, flag)) for flag in FLAGS], bytes(mcu.sram)


def _set(mcu, registers, flags, at, old):
    core = mcu.core
    for number, value in enumerate(registers):
        core.registers[number] = value
    for flag, value in zip(FLAGS, flags, strict=True):
        setattr(core, flag, value)
    mcu.sram[at:at + len(old)] = old


def _differences(board, opcodes, rnd):
    """(taken, list of texts) over `opcodes`, each in a state drawn from `rnd`."""
    mcu, core, texts, taken = board.mcu, board.mcu.core, [], 0
    whole = bytes(mcu.sram)
    for opcode in opcodes:
        stack = RAM + DATA + 64 * rnd.randrange(1, 9)
        registers = [*(_value(rnd) for _ in range(13)), stack, rnd.getrandbits(32), CODE]
        flags = [rnd.random() < 0.5 for _ in FLAGS]
        core.current_mode = rnd.randrange(2)
        at = CODE - RAM
        mcu.sram[at:at + 4] = opcode.to_bytes(2, "little") + rnd.choice(SECOND).to_bytes(2, "little")
        code = bytes(mcu.sram[at:at + 4])
        _set(mcu, registers, flags, at, code)
        cycles = board.loop.step()
        ours = _state(mcu)
        _set(mcu, registers, flags, 0, whole)
        mcu.sram[at:at + 4] = code
        if not cycles:
            if ours != _state(mcu):
                texts.append(f"{opcode:04x} was left to the core, changed")
            continue
        taken += 1
        theirs_cycles = core.execute_instruction()
        theirs = _state(mcu)
        if (cycles, *ours) != (theirs_cycles, *theirs):
            texts.append(f"{code.hex()}: {cycles}, {ours[:2]}, not {theirs_cycles}, {theirs[:2]}")
        _set(mcu, registers, flags, 0, whole)
    return taken, texts


@needs_c
def test_every_opcode_is_the_cores(chip):
    taken, texts = _differences(chip, range(0x10000), random.Random(2))
    assert not texts[:5]
    assert taken > 40_000


@needs_c
def test_flags_and_shifts_on_the_edge_are_the_cores(chip):
    rnd = random.Random(3)
    opcodes = [rnd.randrange(0x4000, 0x4780) for _ in range(15_000)] + [rnd.randrange(0x4000) for _ in range(15_000)]
    taken, texts = _differences(chip, opcodes, rnd)
    assert not texts[:5]
    assert taken > 29_000


@needs_c
def test_a_listener_to_calls_is_still_called(chip):
    calls, core = [], chip.mcu.core
    stock = core.bl_taken
    core.bl_taken = lambda core, blx: calls.append(blx)
    try:
        _set(chip.mcu, [0] * 13 + [RAM + DATA, 0, CODE], [False] * 4, CODE - RAM, bytes.fromhex("00f000f8"))
        assert chip.loop.step() == 0
        core.execute_instruction()
        assert calls == [False]
    finally:
        core.bl_taken = stock


@needs_c
def test_the_sio_block_is_the_emulators(uf2):
    rnd = random.Random(4)
    with pytest.MonkeyPatch.context() as patch, Board(uf2) as ours:
        patch.setattr(native, "sio", lambda mcu: mcu.sio)
        with Board(uf2) as stock:
            assert type(ours.mcu.sio) is not type(stock.mcu.sio)
            for _ in range(20_000):
                offset = rnd.choice(OFFSETS)
                value = rnd.choice(EDGES) if rnd.random() < 0.5 else rnd.getrandbits(32)
                write = rnd.random() < 0.5 and offset not in (0, 4, 0x5C, 0x78)
                for board in (ours, stock):
                    if write:
                        board.mcu.write_uint32(SIO + offset, value)
                seen = [(None if write else board.mcu.read_uint32(SIO + offset), board.mcu.core.cycles,
                         board.mcu.sio.gpio_value, board.mcu.sio.gpio_output_enable,
                         [pin.output_value for pin in board.mcu.gpio]) for board in (ours, stock)]
                assert seen[0] == seen[1], f"{offset:03x}, {'write' if write else 'read'} {value:08x}"
