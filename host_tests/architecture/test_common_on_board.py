"""The plain tests of host_tests/common in the firmware's own image on the emulated RP2040 (1.27, 31-bit small ints).

What they test is as on a board: shrunk, the tests being part of the program, and running in place in flash.
"""

from pathlib import Path

import pytest

from pit import build, firmware, inplace
from pit.emu.board import Board
from pit.image import make_fs

ROOT = Path(__file__).resolve().parents[2]
COMMON = ROOT / "host_tests" / "common"
TESTS = sorted(path.stem for path in COMMON.glob("test_*.py"))

MOVE = """
from firstcard.drivers import inplace
mover = inplace.Mover()
def move():
    mover.move_new()
    return mover.moved
"""

RUN = """
import gc, sys, moving
module = __import__("host_tests.common.{0}", None, None, ("x",))
moving.move()
gc.collect()
for name in sorted(dir(module)):
    if name.startswith("test_"):
        try:
            getattr(module, name)()
            print("passed", name)
        except Exception as error:
            print("FAILED", name)
            sys.print_exception(error)
del module, sys.modules["host_tests.common.{0}"]
gc.collect()
"""


@pytest.fixture(scope="module")
def board():
    tests = {f"host_tests/common/{path.name}": path.read_text() for path in COMMON.glob("*.py")}
    files = {path: data for path, data in build.modules(tests={**tests, "moving.py": MOVE}).items()
             if "/app/" not in path}
    files[inplace.PATH] = inplace.pack(files)
    with Board(firmware.image_path(), make_fs(files)) as board:
        yield board


@pytest.mark.parametrize("name", TESTS)
def test_on_board(board, name):
    out, errors = board.exec(RUN.format(name), 120_000)
    written = [line[4 : line.index("(")] for line in (COMMON / f"{name}.py").read_text().split("\n") if
               line.startswith("def test_")]
    assert not errors, errors
    assert out.split("\n")[:-1] == [f"passed {test}" for test in sorted(written)], out


def test_they_ran_in_flash(board):
    """What all of them together have imported."""
    assert int(board.exec("import moving\nprint(moving.move())")[0]) > 50
