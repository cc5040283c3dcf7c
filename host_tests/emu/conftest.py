"""Fixtures of the emulated board: one booted board for all tests of a file, forked for each."""

import os

import pytest
from rp2040py.rp2040 import RP2040
from rp2040py.simulator import Simulator
from rp2040py.utils.logging import ConsoleLogger, LogLevel

from pit import firmware
from pit.emu import snapshot
from pit.emu.board import Board
from pit.image import make_fs


@pytest.fixture(scope="session")
def uf2():
    """Path of the MicroPython image."""
    return firmware.image_path()


@pytest.fixture
def new_board(uf2):
    """Function (files: dict of name -> bytes or text, ...) -> Board at power-on; closed after the test."""
    boards = []

    def make(files=None, **options):
        content = {name: data.encode() if isinstance(data, str) else data for name, data in (files or {}).items()}
        board = Board(uf2, make_fs(content), **options)
        boards.append(board)
        return board

    yield make
    for board in boards:
        board.close()


@pytest.fixture(scope="module")
def repl(uf2):
    """A board at the REPL, to be used only through `forked`: its state must stay."""
    board = Board(uf2, make_fs({}))
    board.exec("pass")
    yield board
    board.close()


@pytest.fixture
def forked(repl):
    """Function (fn) -> fn(board) computed on a snapshot of `repl`."""
    if not hasattr(os, "fork"):
        pytest.skip("needs os.fork")
    return lambda fn: snapshot.in_fork(fn, repl)


class StockChip:
    """The emulator as installed, without a firmware: for the tests that show a defect where it is."""

    def __init__(self):
        self.mcu = RP2040()
        self.mcu.logger = ConsoleLogger(LogLevel.ERROR)
        self.sim = Simulator(rp2040=self.mcu)
        self._alarm = self.mcu.clock.create_alarm(self.sim.stop)

    def run_us(self, us):
        """Let emulated time pass by the emulator's own loop."""
        self._alarm.schedule(us * 1000)
        self.sim.stopped = False
        while not self.sim.stopped:
            self.sim._execute_batch()


@pytest.fixture
def stock():
    """A chip of the emulator as installed."""
    return StockChip()


@pytest.fixture
def chip():
    """Our board with erased flash and its CPU asleep: for tests at the level of registers."""
    board = Board(None, flash=b"", usb=False)
    board.mcu.core.waiting = True
    yield board
    board.close()
