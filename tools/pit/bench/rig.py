"""Tables for the bench: the real application on the emulated table, opened for bets, and its modules at the prompt.

The application is the one that `make build` makes, every module of it. Only main.py has one more line: it imports a
hook that waits for an edge on a pin which no fc7 wires (GP23 to GP25 belong to the radio of a Pico W) and then, in a
soft interrupt and so in the middle of whatever the application does, does the job whose number stands in its memory:
erases or programs flash, collects garbage, or begins to note what the lock has taken. Until then it does nothing.
"""

import re

from pit import build, chips, firmware, image, inplace, keys
from pit.bench.inventories import Inventories
from pit.emu.table import Table
from pit.runner import BENCH_KEY

JOB_PIN, BUSY_PIN = 23, 25
ERASE, PROGRAM, COLLECT, OBSERVE, COUNT = 1, 2, 3, 4, 5  # jobs
# words of the hook's memory: the job, locks noted so far, the last one's cause and tick, result of the last arming + 1,
# then a word for each spot's main and tip: value + 1, or 0 where the lock has told none; bytes of heap that are free
_JOB, LOCKS, CAUSE, LOCK_US, ARMED, WAGERS = 0, 1, 2, 3, 4, 5
BLANK = b"\xff"
LIMITS = {"min": 100, "max": 50_000}
START = b'__import__("micropython").kbd_intr(-1)\nimport bench_hook\n'
HOOK = '''
"""Bench hook: does a job when a pin rises; GP25 is high while that lasts."""

import array
import gc
import uctypes
import rp2
from machine import Pin
from firstcard.drivers import latch

SPOTS = 7
words = array.array("i", [0] * (6 + 2 * SPOTS))
page = bytes(range(256))
busy = Pin(%(busy)d, Pin.OUT, value=0)


def observe():
    from firstcard.app.ports import Ports
    from firstcard.core.round import Round

    arm = Ports.arm

    def tell(self, *effect):
        self.out.append(effect)
        if effect[0] == "lock":
            for i in range(2 * SPOTS):
                words[5 + i] = 0
            for place in effect[4]:
                words[3 + 2 * place[0][1] + (place[1][1] == "tip")] = place[2][1] + 1
            words[2] = 1 if effect[2] == "edge" else 2
            words[3] = effect[3]
            words[1] += 1

    def armed(self):
        words[4] = 0
        result = arm(self)
        words[4] = 1 if result else 2
        return result

    Round.tell = tell
    Ports.arm = armed


def work(pin):
    busy.value(1)
    job = words[0]
    if job == 1:
        rp2.Flash().ioctl(6, %(block)d)
    elif job == 2:
        rp2.Flash().writeblocks(%(block)d, page, 0)
    elif job == 3 or job == 5:
        if job == 3:
            gc.collect()
        words[5 + 2 * SPOTS] = gc.mem_free()
    else:
        observe()
    busy.value(0)


kept = Pin(%(job)d, Pin.IN)
kept.irq(work, Pin.IRQ_RISING)
print("# bench: edges at", uctypes.addressof(latch.WORDS) + 4 * latch.EDGES, "words at", uctypes.addressof(words))
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
        hook = HOOK % {"busy": BUSY_PIN, "block": block, "job": JOB_PIN}
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
        self.table = Table(fs, firmware.image_path())
        self.board = self.table.board
        self.board.drive(JOB_PIN, False)
        self.edges_at = None
        self.inventories = None

    def boot(self):
        """Run until the table is CLOSED and log in as supervisor."""
        self.board.send(b"\r\n")
        found = self.board.expect(rb"# bench: edges at (\d+) words at (\d+)", 5000)
        self.edges_at, self._words_at = int(found[1]), int(found[2])
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

    def word(self, n):
        """A word of the bench hook's memory."""
        return self.board.mcu.read_uint32(self._words_at + 4 * n)

    def begin(self, job):
        """Ask the bench hook for a job; the hook begins it some microseconds later."""
        self.board.mcu.write_uint32(self._words_at + 4 * _JOB, job)
        self.board.drive(JOB_PIN, True)
        self.board.after_us(100, lambda: self.board.drive(JOB_PIN, False))

    def observe(self):
        """From now on the hook notes what the lock takes, and what arming says."""
        self.begin(OBSERVE)
        self.board.run_ms(20)

    def free_heap(self, collect=True):
        """Bytes free, just after a collection or as it is: then what nobody uses any more is missing."""
        self.begin(COLLECT if collect else COUNT)
        self.board.run_ms(60)
        return self.word(WAGERS + 2 * self.table.pins.SPOTS)

    def forget_arming(self):
        """Let `word(ARMED)` be 0 until the next arming has ended."""
        self.board.mcu.write_uint32(self._words_at + 4 * ARMED, 0)

    def noted(self):
        """The last lock that the hook has noted, as the `lock` event of the console tells it."""
        wagers = []
        for spot in range(1, self.table.pins.SPOTS + 1):
            for place, zone in enumerate(("main", "tip")):
                value = self.word(WAGERS + 2 * (spot - 1) + place)
                if value:
                    wagers.append({"spot": spot, "zone": zone, "value": value - 1})
        return {"cause": ("", "edge", "frame")[self.word(CAUSE)], "us": self.word(LOCK_US), "wagers": wagers}

    def close(self):
        self.table.close()


def with_bets(per_spot=3):
    """A Rig with an open table and `per_spot` chips on every box, long enough to have been told as bets."""
    values = {uid(n): 500 + 100 * n for n in range(64)}
    rig = Rig(application(sorted(values.items())))
    rig.inventories = Inventories(rig.table, values)
    rig.boot()
    rig.observe()
    rig.open()
    for spot in range(1, rig.table.pins.SPOTS + 1):
        rig.table.place(spot, "main", [uid((spot - 1) * per_spot + n) for n in range(per_spot)])
    rig.board.expect(rb'"event":"bet","spot":7', 10_000)
    rig.board.run_ms(700)
    return rig


class Lab:
    """The emulated table with the application's modules and no main.py.

    `extra`: bench modules (path -> source). They are linked with the application (pit.shrink renames). `files`: further
    files on the board (path -> bytes).
    """

    def __init__(self, extra, board_source=None, files=None):
        contents = modules({"bench_timed.py": TIMED, **extra}, board_source)
        self.table = Table(image.make_fs({**contents, **(files or {})}), firmware.image_path(), heartbeat=False)
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
