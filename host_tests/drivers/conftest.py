"""Fixtures of the driver tests: the drivers alone on the emulated table, imported at the prompt; each test on a fork
of it.
"""

import ast

import pytest

from pit import build, firmware, image
from pit.emu import snapshot
from pit.emu.table import Table

IMPORTS = """
import array, board, gc, machine, micropython, rp2, time
from firstcard.drivers import bus, clock, field, inventory, latch, leds, pn5180, port, readerbus, readers, reading
from firstcard.drivers import shoe, system, wake
from firstcard.drivers.nap import nap
T = time.ticks_us
D = time.ticks_diff
def allocated(f):
    f()
    gc.collect()
    gc.disable()
    before = gc.mem_alloc()
    f()
    n = gc.mem_alloc() - before
    gc.enable()
    return n
"""


NAMES = ("keypad", "screen", "money", "calendar")  # what drivers know of the core
CORE = tuple(f"firstcard/core/{name}.mpy" for name in NAMES)


class Lab:
    """The table, its prompt, and what the firmware's side of the LOCK pin did."""

    def __init__(self, table):
        self.table, self.board = table, table.board

    def run(self, code, ms=20_000):
        """Execute statements on the board. An exception there is an exception here."""
        out, errors = self.board.exec(code, ms)
        assert not errors, errors
        return out

    def value(self, expression, ms=20_000):
        """Value of an expression on the board."""
        return ast.literal_eval(self.run(f"print(repr(({expression})))", ms))

    def lock_log(self):
        """[(us, level)] of LOCK."""
        return [(ns / 1000, level) for ns, level in self.table.lock_log]


@pytest.fixture(scope="session")
def lab_at_prompt():
    files = {name: data for name, data in build.plain_modules().items()
             if "/drivers/" in name or name in ("board.mpy", *CORE)}
    with Table(image.make_fs(files), firmware.image_path(), heartbeat=False) as table:
        lab = Lab(table)
        lab.run(IMPORTS)
        yield lab
        assert not table.board.faults


@pytest.fixture
def on_lab(lab_at_prompt):
    """Function (fn) -> fn(lab) computed on a fork: every test finds the same board."""

    def run(fn):
        def checked():
            result = fn(lab_at_prompt)
            assert not lab_at_prompt.board.faults, lab_at_prompt.board.faults
            assert not lab_at_prompt.table.bus.violations
            return result

        return snapshot.in_fork(checked)

    return run


@pytest.fixture
def figure(record_property, capsys):
    """Function (name, value, unit, budget): print a measured figure and see that it keeps its budget."""

    def say(name, value, unit, budget):
        record_property(name, value)
        with capsys.disabled():
            print(f"\n  {name}: {value} {unit} (budget {budget})", end="")
        assert value <= budget

    return say
