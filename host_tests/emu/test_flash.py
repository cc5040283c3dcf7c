"""The flash model: busy times, what goes on meanwhile, serial number, power cuts in every operation."""

import random

import pytest

from pit.emu import snapshot
from pit.emu.board import Board
from pit.emu.flash import UNIQUE_ID, PowerCut, torn
from pit.image import make_fs, read_fs

_ERASE = "import rp2, time\nf = rp2.Flash()\nt = time.ticks_us()\nf.ioctl(6, 150)\nprint(time.ticks_us() - t)"
_PROGRAM = ("import rp2, time\nf = rp2.Flash()\nf.ioctl(6, 150)\nb = bytes(range(256))\nt = time.ticks_us()\n"
            "f.writeblocks(150, b, 0)\nprint(time.ticks_us() - t)")
_OVERWRITE = "f = open('a.txt', 'w')\nf.write('new' * 100)\nf.close()\n"


def test_erase_and_program_take_their_time(forked):
    def measure(board):
        erase = int(board.exec(_ERASE)[0])
        program = int(board.exec(_PROGRAM)[0])
        return erase, program, [op.kind for op in board.flash.ops]

    erase_us, program_us, kinds = forked(measure)
    assert 45_000 <= erase_us < 45_500
    assert 400 <= program_us < 900  # with 256 bytes over the wire and the call
    assert kinds == ["E", "E", "P"]


def test_erase_without_busy_time_is_instant_as_stock(forked):
    def measure(board):
        board.flash.erase_us = 0
        return int(board.exec(_ERASE)[0])

    assert forked(measure) < 500


def test_wires_and_alarms_go_on_while_the_cpu_stalls_and_a_run_ends_on_time(forked):
    def watch(board):
        board.exec("import rp2, machine\nf = rp2.Flash()\n"
                   "n = 0\ndef h(p):\n global n\n n += 1\n"
                   "machine.Pin(2, machine.Pin.IN).irq(h, machine.Pin.IRQ_RISING, hard=True)")
        board.send(b"f.ioctl(6, 150)\x04")
        board.run_ms(2)
        assert board.flash.ops, "the erase has begun"
        start, cycles, seen = board.now_us, board.mcu.core.cycles, []
        for k in range(1, 5):
            board.after_us(5_000 * k, lambda: (seen.append(board.now_us - start), board.drive(2, True)))
            board.after_us(5_000 * k + 100, lambda: board.drive(2, False))
        board.run_ms(30)
        late, executed = board.now_us - start, board.mcu.core.cycles - cycles
        board.run_ms(30)
        return seen, late, executed, board.exec("print(n)")[0]

    seen, late, executed, handled = forked(watch)
    assert seen == [5_000, 10_000, 15_000, 20_000]
    assert late == 30_000, "a run may end inside an erase"
    assert executed < 100
    assert handled == "1\n", "four edges while interrupts were masked: one call"


def test_unique_id(forked):
    out = forked(lambda board: board.exec("import machine; print(machine.unique_id().hex())")[0])
    assert out == UNIQUE_ID.hex() + "\n"


def test_program_tears_only_downwards_and_erase_only_upwards():
    rnd = random.Random(1)
    before, after = bytes([0xF5] * 64), bytes([0x05] * 64)
    for _ in range(200):
        mixed = torn("P", before, after, rnd)
        assert all(old & byte == byte and byte & new == new for old, byte, new in zip(before, mixed, after))
        erased = torn("E", before, b"\xff" * 64, rnd)
        assert all(byte & old == old for old, byte in zip(before, erased))


def test_tear_must_be_known(chip):
    with pytest.raises(ValueError, match="sideways"):
        chip.flash.cut(1, "sideways")


@pytest.fixture(scope="module")
def writer(uf2):
    """A board at the REPL with a file, to be overwritten by its forks."""
    with Board(uf2, make_fs({"a.txt": b"old"})) as board:
        board.exec("pass")
        yield board


def _cut_at(board, at_op, tear):
    """Image of the file system after a cut at that operation, and whether the cut came at all."""
    board.flash.cut(at_op, tear, seed=at_op)
    try:
        board.exec(_OVERWRITE)
    except PowerCut:
        return board.fs_bytes(), True
    return board.fs_bytes(), False


@pytest.mark.parametrize("tear", ["before", "torn", "after"])
def test_a_cut_at_any_operation_leaves_the_old_or_the_new_file(writer, tear):
    texts = []
    for at_op in range(1, 30):
        image, cut = snapshot.in_fork(_cut_at, writer, at_op, tear)
        texts.append(read_fs(image)["a.txt"])
        assert texts[-1] in (b"old", b"new" * 100)
        if not cut:
            break
    assert not cut and texts[-1] == b"new" * 100
    assert len(texts) > 2 and texts[0] == b"old"


def test_a_board_starts_again_from_a_torn_flash(writer):
    def flash(board):
        board.flash.cut(2, "torn")
        with pytest.raises(PowerCut):
            board.exec(_OVERWRITE)
        return board.flash_bytes()

    with Board(None, flash=snapshot.in_fork(flash, writer)) as board:
        assert board.exec("print(open('a.txt').read()[:3])")[0] in ("old\n", "new\n")
