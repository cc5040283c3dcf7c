"""Code in place: the board runs functions from /code.xip where it lies in flash, and trusts only what is certain.

Every function object is looked at from outside, in memory: wherever its address has gone, there must be the bytes that
the compiler wrote for it.
"""

import ast

import pytest

from pit import build, firmware, image, inplace, mpy
from pit.emu import snapshot
from pit.emu.board import Board
from pit.emu.table import Table

OTHER_NONCE = b"other123"

PREPARE = """
import gc, machine, os, sys, time
from firstcard.core import blackjack, hands, money, round
from firstcard.proto import jsonline, lines
from firstcard.drivers import inplace, port, readers, shoe
def functions(names, found, depth=3):
    for name, value in names.items():
        if type(value) in (inplace._FUNCTION, inplace._GENERATOR):
            found[id(value)] = machine.mem32[id(value) + 12]
        elif type(value) is type and depth:
            functions(value.__dict__, found, depth - 1)
def addresses():
    found = {}
    for name, module in sys.modules.items():
        if name.startswith("firstcard.") and module is not inplace:
            functions(module.__dict__, found)
    return found
def free():
    gc.collect()
    return gc.mem_free()
"""

MOVE = """
before, had = addresses(), free()
mover = inplace.Mover()
mover.move_new()
counts = mover.chunks, mover.moved
del mover
after = addresses()
print(*counts, free() - had)
for found in (before, after):
    for one in found:
        print(one, found[one], end=" ")
    print()
"""


@pytest.fixture(scope="module")
def modules():
    """The modules with the names of the sources: dict of path -> .mpy."""
    return build.plain_modules()


@pytest.fixture(scope="module")
def prompt(modules):
    """A board with them imported, before anything moved; used through snapshot.in_fork only."""
    files = {**modules, inplace.PATH: inplace.pack(modules), "other.xip": inplace.pack(modules, OTHER_NONCE),
             "log": bytes(9000)}
    with Board(firmware.image_path(), image.make_fs(files)) as board:
        assert board.exec(PREPARE) == ("", "")
        yield board


def prompt_value(board, expression):
    return snapshot.in_fork(lambda: board.exec(f"print({expression})")[0])


@pytest.fixture
def figure_lines(capsys):
    """Function (text): print it whatever happens to the test's output."""
    def say(text):
        with capsys.disabled():
            print(f"\n  {text}", end="")
    return say


@pytest.fixture
def moves(prompt, modules):
    """Function (change=None, then="") -> Moves: what move_new() did after `change(board)`."""

    def run(change=None, then=""):
        return snapshot.in_fork(_moves, prompt, modules, change, then)

    return run


class Moves:
    """counts as the firmware told them, heap gained (bytes), addresses moved: list of (from, to); output of `then`."""

    def __init__(self, chunks, moved, gained, addresses, said):
        self.chunks, self.moved, self.gained, self.addresses, self.said = chunks, moved, gained, addresses, said


def _moves(board, modules, change, then):
    if change:
        change(board)
        board.flash.remember()
    ram = bytes(board.mcu.sram)
    out, errors = board.exec(MOVE, 60_000)
    assert not errors, errors
    (chunks, moved, gained), before, after = [[int(word) for word in line.split()] for line in out.splitlines()]
    before, after = dict(zip(before[::2], before[1::2])), dict(zip(after[::2], after[1::2]))
    went = [(before[at], after[at]) for at in before if before[at] != after[at]]
    own = {code.data for data in modules.values() for code in mpy.codes(data)}
    for was, is_ in went:
        _same(ram[was - 0x20000000:], board.flash_bytes()[is_ - image.FLASH_BASE:], own)
    said, errors = board.exec(then, 60_000) if then else ("", "")
    assert not errors and not board.faults, (errors, board.faults)
    return Moves(chunks, moved, gained, went, said)


def _same(ram, flash, own):
    """What the function had in RAM is one of our functions (the longest that fits), and all of it is in flash."""
    code = max((code for code in own if ram.startswith(code)), key=len)
    assert flash.startswith(code)


def places(board, nonce=inplace.NONCE):
    """Offsets in flash of the chunks with `nonce`, by number."""
    flash, found, at = board.flash_bytes(), {}, 0
    head = inplace.MAGIC + nonce
    while (at := flash.find(head, at)) >= 0:
        found[flash[at + 12]] = at
        at += 1
    return found


def flip(board, at):
    board.mcu.flash[at] ^= 0x10


@pytest.fixture(scope="module")
def all_moved(prompt, modules):
    """What moves when all is well."""
    return snapshot.in_fork(_moves, prompt, modules, None, "")


def inside(moves, start):
    """How many of the moves went to the block that holds `start` (offset in flash)."""
    return sum((to - image.FLASH_BASE) // 4096 == start // 4096 for _, to in moves.addresses)


def test_functions_move_and_the_heap_gains(all_moved, prompt, figure_lines):
    assert all_moved.chunks == len(places(prompt)) - 1 and all_moved.moved == len(all_moved.addresses) > 250
    figure_lines(f"{all_moved.moved} functions of the core and the drivers: heap gained {all_moved.gained} bytes")
    assert all_moved.gained > 15_000
    for number in (CHUNK - 1, CHUNK):
        assert inside(all_moved, places(prompt)[number]) > 10, "what follows breaks these"


def test_a_second_time_nothing_is_left_to_move(moves):
    again = moves(then="mover = inplace.Mover()\nmover.move_new()\nprint(mover.chunks, mover.moved)")
    assert again.said == f"{again.chunks} 0\n"


def test_native_functions_stay(moves):
    """Their objects are the same words before and after."""
    words = """
from firstcard.drivers import inventory, latch
def native():
    return [[machine.mem32[id(value) + at] for at in (0, 4, 8, 12)] for module in (latch, inventory)
            for value in module.__dict__.values()
            if type(value).__name__ == "function" and type(value) is not inplace._FUNCTION]
were = native()
"""
    said = moves(lambda board: board.exec(words), "print(len(were) > 10, native() == were)").said
    assert said == "True True\n"


CHUNK = 8  # one in the midst of the core


def test_stale_copy_of_a_chunk_makes_it_unused(moves, all_moved, prompt):
    """And with it the chunk before it, which nothing certain points at now."""
    at = places(prompt)[CHUNK]
    free_block = image.FS_OFFSET + 190 * 4096

    def copy(board):
        board.mcu.flash[free_block:free_block + 4096] = board.mcu.flash[at & -4096:(at & -4096) + 4096]

    found = moves(copy)
    assert found.chunks == all_moved.chunks - 2 and not inside(found, at) and not inside(found, free_block)
    before = places(prompt)[CHUNK - 1]
    assert found.moved == all_moved.moved - inside(all_moved, at) - inside(all_moved, before)


def test_stale_copy_beside_a_damaged_chunk_is_not_taken_for_it(moves, all_moved, prompt):
    """The copy is whole and the only one: but the next chunk points elsewhere."""
    at = places(prompt)[CHUNK]
    free_block = image.FS_OFFSET + 190 * 4096

    def change(board):
        board.mcu.flash[free_block:free_block + 4096] = board.mcu.flash[at & -4096:(at & -4096) + 4096]
        flip(board, at)

    found = moves(change)
    assert found.chunks < all_moved.chunks and not inside(found, at) and not inside(found, free_block)


@pytest.mark.parametrize("offset", (0, 4, 12, 20, 24, 33))
def test_flipped_byte_in_head_or_index(moves, all_moved, prompt, offset):
    at = places(prompt)[CHUNK]
    found = moves(lambda board: flip(board, at + offset))
    assert found.chunks < all_moved.chunks and not inside(found, at)


def test_flipped_byte_in_the_code_keeps_one_function_in_ram(moves, all_moved, prompt, modules):
    to = next(to for _, to in all_moved.addresses if (to - image.FLASH_BASE) // 4096 == places(prompt)[CHUNK] // 4096)
    for at in (to, to + 11):
        found = moves(lambda board, at=at: flip(board, at - image.FLASH_BASE))
        assert all_moved.moved - found.moved == 1 and to not in [to for _, to in found.addresses]


REWRITE = """
import os
left = {}
with open("/code.xip", "rb") as old, open("/code.new", "wb") as new:
    while left:
        left -= new.write(old.read(min(left, 512)))
os.rename("/code.new", "/code.xip")
del left, old, new
"""


def test_truncated_file_moves_nothing(moves):
    """The blocks of the whole file are still there, and look alive."""
    found = moves(lambda board: board.exec(REWRITE.format(9000), 60_000))
    assert (found.chunks, found.moved) == (0, 0)


def test_file_written_again_is_not_trusted(moves, prompt):
    """The same content in other blocks, and the blocks of before still look alive."""
    def again(board):
        whole = 'os.stat("/code.xip")[6]'
        assert board.exec(REWRITE.format(whole), 60_000) == ("", "")
        assert board.flash_bytes().count(inplace.MAGIC + inplace.NONCE) == 2 * len(places(prompt))

    assert moves(again).moved == 0


def test_file_of_a_new_installation_in_other_blocks(moves, all_moved, prompt):
    found = moves(lambda board: board.exec("os.rename('/other.xip', '/code.xip')"))
    assert found.moved == all_moved.moved
    blocks = {at // 4096 for at in places(prompt, OTHER_NONCE).values()}
    assert {(to - image.FLASH_BASE) // 4096 for _, to in found.addresses} <= blocks


@pytest.mark.parametrize("change", ("os.remove('/code.xip')", "open('/code.xip', 'wb').close()",
                                    "f = open('/code.xip', 'wb')\nf.write(b'fcX1')\nf.close()",
                                    "f = open('/code.xip', 'wb')\nf.write(bytes(40))\nf.close()"))
def test_without_the_file_nothing_moves(moves, change):
    found = moves(lambda board: board.exec(change))
    assert (found.chunks, found.moved) == (0, 0)


def test_code_of_other_modules_moves_nothing_wrong(moves, modules):
    """Modules of the image are older than the file: what differs by a byte stays in RAM. All code from 1,200 bytes into
    a chunk on is spoiled; what stands before it, and very short functions, may still move."""
    at = {}

    def change(board):
        for number, start in places(board).items():
            for offset in range(start + 1200, (start & -4096) + 4096, 64):
                flip(board, offset)
            at[number] = start

    found = moves(change)
    assert found.chunks and found.moved < 150


def test_erase_while_moved_code_runs(moves, all_moved):
    """Another file is written and its blocks erased between and during calls; results and addresses stay."""
    found = moves(then="""
def play():
    return [money.show(n * 737) for n in range(40)], [hands.total(bytes((n % 13 << 2, 36))) for n in range(13)]
want, places_ = play(), addresses()
for n in range(6):
    with open("/log", "ab") as log:
        log.write(bytes(3000))
        assert play() == want
    assert play() == want
assert addresses() == places_
print("same")
""")
    assert found.said == "same\n" and found.moved == all_moved.moved


def test_a_table_runs_in_flash(prompt, figure_lines):
    """The whole program as it is built: heap with the file and without; every function object, seen from outside."""
    kinds = ast.literal_eval(prompt_value(prompt, "[id(inplace._FUNCTION), id(inplace._GENERATOR)]"))
    files = build.files()
    free = []
    for contents in ({path: data for path, data in files.items() if path != inplace.PATH}, files):
        with Table(image.make_fs(contents), firmware.image_path()) as table:
            board = table.board
            board.send(b"\r\nstatus\r\n")
            board.expect(rb'"state":"CLOSED"', 5_000)
            board.send(b"status\r\n")
            free.append(int(board.expect(rb"(?s)CLOSED.*heap=(\d+) ", 3_000)[1]))
            ram, flash, starts = bytes(board.mcu.sram), board.flash_bytes(), places(board)
            assert not board.faults
    words = memoryview(ram).cast("I")
    at = {words[n + 3] - image.FLASH_BASE for n in range(0, len(words), 4) if words[n] in kinds}
    moved = {place for place in at if image.FS_OFFSET <= place < len(flash)}
    entries = {starts[chunk.number] + offset: code for chunk in inplace.unpack(files[inplace.PATH])
               for offset, code in chunk.codes}
    assert moved <= set(entries) and len(moved) > 200
    running = {code.data for path in ("firstcard/app/modes.mpy", "firstcard/drivers/inplace.mpy")
               for code in mpy.codes(files[path])}
    assert not running & {entries[place] for place in moved}, "what runs while others are moved stays where it is"
    figure_lines(f"heap free, table closed: {free[0]} bytes without {inplace.PATH}, {free[1]} with it,"
                 f" {len(moved)} functions in flash")
    assert free[1] > free[0] + 15_000

