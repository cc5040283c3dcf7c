"""Tables for the bench: the real application on the emulated table, opened for bets, and its modules at the prompt.

The application is the one that `make build` makes, every module of it. Only main.py has one more line: it imports a
hook that waits for an edge on a pin which no fc7 wires (GP23 to GP25 belong to the radio of a Pico W) and then, in a
soft interrupt and so in the middle of whatever the application does, erases a flash sector or collects garbage. Until
then it does nothing.
"""

import re

from pit import build, chips, firmware, image, inplace, keys
from pit.bench.inventories import Inventories
from pit.emu.table import Table
from pit.runner import BENCH_KEY

ERASE_PIN, COLLECT_PIN, BUSY_PIN = 23, 24, 25
BLANK = b"\xff"
LIMITS = {"min": 100, "max": 50_000}
START = b'__import__("micropython").kbd_intr(-1)\nimport bench_hook\n'
HOOK = '''
"""Bench hook: erase or collect when a pin rises; GP25 is high while that lasts."""

import gc
import uctypes
import rp2
from machine import Pin
from firstcard.drivers import latch

busy = Pin(%d, Pin.OUT, value=0)


def erase(pin):
    busy.value(1)
    rp2.Flash().ioctl(6, %d)
    busy.value(0)


def collect(pin):
    busy.value(1)
    gc.collect()
    busy.value(0)


kept = Pin(%d, Pin.IN), Pin(%d, Pin.IN)
kept[0].irq(erase, Pin.IRQ_RISING)
kept[1].irq(collect, Pin.IRQ_RISING)
print("# bench: edges at", uctypes.addressof(latch.WORDS) + 4 * latch.EDGES)
'''


def uid(n):
    """UID (8 bytes) of the bench's n-th chip."""
    return bytes.fromhex(chips.nth_uid(n))


def free_block(fs):
    """Number of the last block of a file system image that has never been written: safe to erase."""
    for block in reversed(range(image.FS_BLOCKS)):
        if fs[block * image.BLOCK:(block + 1) * image.BLOCK] == BLANK * image.BLOCK:
            return block
    raise ValueError("the file system has no block left that could be erased")


def board_with(**changes):
    """Text of boards/fc7.py with other values: board_with(FIELDS_AT_ONCE=2)."""
    text = build.board_file("fc7").read_text()
    for name, value in changes.items():
        text, found = re.subn(rf"(?m)^{name} = \S+", f"{name} = {value}", text)
        if found != 1:
            raise ValueError(f"boards/fc7.py has no plain {name}")
    return text


def modules(extra, board_source=None):
    """The application's modules as they are built, linked with `extra` (path -> source): dict of path -> .mpy."""
    changed = {} if board_source is None else {"board.py": board_source}
    return build.modules(tests={**extra, **changed})


def application(registry=(), board_source=None):
    """File system image of the application with the bench hook. `registry`: (uid, cents) of the known chips.

    `board_source`: text of another board file than boards/fc7.py.
    """
    settings = {**build.DEFAULT_SETTINGS, "limits": LIMITS, "keys": {"supervisor": BENCH_KEY}}

    def contents(block):
        hook = HOOK % (BUSY_PIN, block, ERASE_PIN, COLLECT_PIN)
        files = modules({"bench_hook.py": hook}, board_source)
        files[inplace.PATH] = inplace.pack(files)
        files.update(build.data_files(settings, registry))
        files["main.py"] = START + (build.FIRMWARE / "main.py").read_bytes()
        return image.make_fs(files)

    block = free_block(contents(0))
    fs = contents(block)
    if fs[block * image.BLOCK:(block + 1) * image.BLOCK] != BLANK * image.BLOCK:
        raise ValueError(f"block {block} is in use")
    return fs


class Rig:
    """A table with the application running; `fs`: application(). `edges_at`: address of the handler's count of edges;
    `inventories`: Inventories, or None.
    """

    def __init__(self, fs):
        self.table = Table(fs, firmware.image_path(), heartbeat=False)
        self.board = self.table.board
        self.board.drive(ERASE_PIN, False)
        self.board.drive(COLLECT_PIN, False)
        self.edges_at = None
        self.inventories = None

    def boot(self):
        """Run until the table is CLOSED and log in as supervisor."""
        self.board.send(b"\r\n")
        self.edges_at = int(self.board.expect(rb"# bench: edges at (\d+)", 5000)[1])
        self.board.expect(rb'"state":"CLOSED"', 10_000)
        nonce = self.ask("login supervisor")
        self.ask("answer " + keys.answer(BENCH_KEY, "supervisor", nonce))

    def ask(self, line, ms=5000):
        """Send an operator line; what stands behind its OK. ValueError when it is refused."""
        self.board.send(line.encode() + b"\r\n")
        found = self.board.expect(rb"(?m)^(OK|ERROR) ?(.*?)\r\n", ms)
        if found[1] != b"OK":
            raise ValueError(f"{line}: {found[0].decode()}")
        return found[2].decode()

    def status(self):
        """The values of `status`: dict of name -> text."""
        return dict(re.findall(r"(\w+)=(\S+)", self.ask("status")))

    def open(self):
        self.ask("open")

    def pulse(self, pin):
        """Ask the bench hook for its work on `pin`."""
        self.board.drive(pin, True)
        self.board.after_us(100, lambda: self.board.drive(pin, False))

    def close(self):
        self.table.close()


def with_bets(per_spot=3):
    """A Rig with an open table and `per_spot` chips on every box, long enough to have been told as bets."""
    values = {uid(n): 500 + 100 * n for n in range(64)}
    rig = Rig(application(sorted(values.items())))
    rig.inventories = Inventories(rig.table, values)
    rig.boot()
    rig.open()
    for spot in range(1, rig.table.pins.SPOTS + 1):
        rig.table.place(spot, "main", [uid((spot - 1) * per_spot + n) for n in range(per_spot)])
    rig.board.expect(rb'"event":"bet","spot":7', 10_000)
    rig.board.run_ms(700)
    return rig


class Lab:
    """The emulated table with the application's modules and no main.py.

    `extra`: bench modules (path -> source). They are linked with the application (pit.shrink renames).
    """

    def __init__(self, extra, board_source=None):
        contents = modules({"bench_timed.py": TIMED, **extra}, board_source)
        self.table = Table(image.make_fs(contents), firmware.image_path(), heartbeat=False)
        self.board = self.table.board

    def run(self, code, ms=60_000):
        """Execute code at the prompt; its output. An exception there is an exception here."""
        out, errors = self.board.exec(code, ms)
        if errors:
            raise RuntimeError(errors)
        return out

    def numbers(self, code, ms=60_000):
        """Execute code; the numbers in its output."""
        return [float(word) for word in self.run(code, ms).split()]

    def close(self):
        self.table.close()


TIMED = '''
"""Times a function with interrupts masked."""

import gc
import machine
import time


def nothing():
    pass


def timed(f, n=20):
    """Print us and bytes of one f(), the loop's own cost taken off."""
    f()
    f()
    gc.collect()
    gc.disable()
    best = []
    for g in (nothing, f):
        before = gc.mem_alloc()
        state = machine.disable_irq()
        t = time.ticks_us()
        for _ in range(n):
            g()
        t = time.ticks_diff(time.ticks_us(), t)
        machine.enable_irq(state)
        best.append((t / n, (gc.mem_alloc() - before) / n))
    gc.enable()
    print(best[1][0] - best[0][0], best[1][1] - best[0][1])
'''
