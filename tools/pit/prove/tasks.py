"""Proof: whatever a task does, the table locks, says which task it was, restarts, and the round is the same.

On the emulated board with the whole application, linked with a hook in the place where every task says that it goes on.
It looks at two words of memory, the number of a task and what that task is to do now.
"""

import json
import re

from pit import build, firmware, image, inplace, keys
from pit.bench.rig import uid
from pit.emu import snapshot
from pit.emu.table import Table
from pit.prove import noise
from pit.prove.proof import Proof, Result
from pit.runner import BENCH_KEY

TASKS = ("tick", "sweeper", "locks", "shoe", "console", "panel")
DEEDS = {"raise": "task", "memory": "heap", "cancel": "task", "wait": "task", "hang": "watchdog"}
"""What a task does, and the cause of the boot that follows."""
WORDS = {"raise": "ValueError: worn out", "memory": "emory", "cancel": "CancelledError",
         "wait": "it was not heard of any more", "hang": "the watchdog bit"}
"""What `crash` says then, among other things."""
STATES = ("OPEN", "LOCKED", "CLOSED")
NOISE = (("host", 100_000), ("board", 2_000), ("unread", 100))  # where, lines
SPOT, CHIPS, WAGER = 3, 3, 1500
LATE_MS = 4000 + 1000 + 200  # a poke, the wait, a tick
BITE_MS = 1000 + 8000 + 200  # a poke, since only then a task that waits can hang; the watchdog, a tick
HOOK = """
import array
import asyncio
import time
import uctypes
from firstcard.app import supervisor
words = array.array("i", [0, 0])
ORDER = (2, 3, 4, 1, 6, 5)  # in which the tasks are started
hog = []
started = []
here = supervisor.Supervisor.here
create = asyncio.create_task
def fill():
    size = 4096
    while size > 15:
        try:
            while True:
                hog.append(bytearray(size))
        except MemoryError:
            size //= 2
    while True:
        hog.append([0])
def lose(task):
    asyncio.core._io_queue.remove(task)
    try:
        asyncio.core._task_queue.remove(task)
    except RuntimeError:
        pass
def watched(self, task):
    here(self, task)
    who, deed = words
    if not who:
        return
    if deed > 3 and who != task:
        words[0] = 0
        if deed == 4:
            started[ORDER.index(who)].cancel()
        else:
            lose(started[ORDER.index(who)])
    elif deed < 4 and who == task:
        words[0] = 0
        if deed == 1:
            raise ValueError("worn out")
        elif deed == 2:
            fill()
        time.sleep(1 << 20)
def starting(coroutine):
    started.append(create(coroutine))
    return started[-1]
supervisor.Supervisor.here = watched
asyncio.create_task = starting
print("# hook: words at", uctypes.addressof(words))
"""
CODES = {"raise": 1, "memory": 2, "hang": 3, "cancel": 4, "wait": 5}
START = b'__import__("micropython").kbd_intr(-1)\nimport failing_hook\n'


class Failing:
    """A table with the hook, in the state OPEN with one wager or LOCKED in the round that it began."""

    def __init__(self):
        files = build.files("fc7", {"keys": {"supervisor": BENCH_KEY}}, [(uid(n), 500) for n in range(9)])
        files.update(build.modules(tests={"failing_hook.py": HOOK}))
        files[inplace.PATH] = inplace.pack(files)
        files["main.py"] = START + files["main.py"]
        self.table = Table(image.make_fs(files), firmware.image_path())
        self.board = board = self.table.board
        board.send(b"\r\n")
        self.words_at = int(board.expect(rb"# hook: words at (\d+)", 5000)[1])
        board.expect(rb'"state":"CLOSED"', 5000)
        self.login()
        self.ask("open")
        self.table.place(SPOT, "main", [uid(n) for n in range(CHIPS)])
        board.run_ms(1500)

    def login(self):
        nonce = self.ask("login supervisor").split()[-1]
        self.ask("answer " + keys.answer(BENCH_KEY, "supervisor", nonce))

    def ask(self, line, ms=3000):
        """Send an operator line; its last line."""
        self.board.send(line.encode() + b"\r\n")
        return self.board.expect(rb"(?m)^((?:OK|ERROR).*)\r\n", ms)[1].decode()

    def lock(self):
        """The first card: LOCKED."""
        self.table.draw("9C")
        self.board.expect(rb'"event":"card"', 2000)
        self.board.run_ms(200)

    def events(self, since=0):
        """Events told since a place of the output."""
        return [json.loads(line) for line in re.findall(rb"(?m)^! (\{.*\})\r?$", bytes(self.board.out[since:]))]

    def tell(self, task, deed):
        """The task is to do that, when it goes on next."""
        self.board.mcu.write_uint32(self.words_at + 4, CODES[deed])
        self.board.mcu.write_uint32(self.words_at, TASKS.index(task) + 1)
        if task == "console":  # it goes on when somebody types
            if deed == "wait":  # else it might answer first, and be missed by nobody until somebody types again
                assert self.board.run_ms(2000, lambda: not self.board.mcu.read_uint32(self.words_at))
            self.board.send(b"id\r\n")


def after(failing, task, deed, state):
    """([what is wrong], {figures}) of one failing. The table is used up."""
    board, table = failing.board, failing.table
    if state == "LOCKED":
        failing.lock()
    elif state == "CLOSED":
        failing.ask("close")
    began, at, resets = len(board.out), board.now_ns, board.resets
    table.lock_log.clear()
    failing.tell(task, deed)
    latest = BITE_MS if deed == "hang" else LATE_MS if deed == "wait" else 1200
    if not board.run_ms(latest + 1000, lambda: board.resets > resets):
        return ["no restart"], {}
    took = (board.now_ns - at) / 1e6
    rose = [ns for ns, level in table.lock_log if level]
    wrong = [] if took < latest + 400 else [f"restarted after {took:.0f} ms"]
    if state == "OPEN" and (not rose or (rose[0] - at) / 1e6 > latest):
        wrong.append("LOCK did not rise in time")
    said = failing.events(began)
    told = [event for event in said if event["event"] == "fault"]
    if deed in ("raise", "cancel", "wait") and [(f["code"], f["seen"]) for f in told] != [("task", task)]:
        wrong.append(f"before the restart: {told}")
    began = len(board.out)
    board.send(b"\r\n")
    try:
        board.expect(rb'"event":"fault","code":"restarted"[^\n]*\n', 3000)
    except TimeoutError:
        wrong.append(f"no word of the restart: {bytes(board.out[began:])[-300:]}")
    board.run_ms(1800)
    wrong += _restarted(failing.events(began), task, deed, state)
    if not table.lock_level or any(not level for ns, level in table.lock_log if not rose or ns > rose[0]):
        wrong.append("LOCK fell")
    if state == "LOCKED" and f"wager spot={SPOT} zone=main value=15\r" not in _lines(failing, "round"):
        wrong.append("the wager is another one: " + _lines(failing, "round"))
    status = _lines(failing, "status")
    if f"memory_errors={int(deed == 'memory')} " not in status:
        wrong.append("MemoryErrors are not counted: " + status)
    failing.login()
    words = _lines(failing, "crash")
    if f"PROGRESS crash {task}, boot 1\r" not in words or WORDS[deed] not in words:
        wrong.append("what is kept of it: " + words)
    wrong += board.faults
    return wrong, {"ms": round(took)}


def _lines(failing, line):
    since = len(failing.board.out)
    failing.ask(line)
    return bytes(failing.board.out[since:]).decode()


def _restarted(said, task, deed, state):
    """What is wrong with the events of a restart."""
    boots = [event for event in said if event["event"] == "boot"]
    if len(boots) != 1 or boots[0]["cause"] != DEEDS[deed]:
        yield f"boot: {boots}"
    named = [event["seen"] for event in said if event["event"] == "fault" and event["code"] == "restarted"]
    if named != [task]:
        yield f"named {named}"
    states = [event["state"] for event in said if event["event"] == "state"]
    if not states or states[-1] != ("LOCKED" if state == "LOCKED" else "CLOSED"):
        yield f"states {states}"


class Tasks(Proof):
    """A unit is a task, a deed and a state; or noise, where, lines and a state."""

    name = "tasks"
    title = ("a task that raises, is cancelled, runs out of memory, waits or hangs: locked, named, restarted, same "
             "round; noise on the console, a host that never reads: the lock holds")

    def units(self, options):
        return [f"{task} {deed} {state}" for task in TASKS for deed in DEEDS for state in STATES] + [
            f"noise {where} {lines} {state}" for where, lines in NOISE for state in ("OPEN", "LOCKED")]

    def prepare(self):
        return Failing()

    def run(self, shared, unit):
        what, *words = unit.split()
        if what == "noise":
            where, lines, state = words
            if where == "host":
                wrong, figures = noise.on_host(state, int(lines))
            else:
                wrong, figures = noise.on_board(shared, state, int(lines), reads=where == "board")
        else:
            wrong, figures = after(shared, what, *words)
        return Result(not wrong, figures, "; ".join(wrong[:3]))

    def finish(self, shared):
        shared.table.close()


def in_forks(failing, cases, workers=2):
    """[wrong] of some (task, deed, state), each on a copy of the table."""
    return snapshot.fork_map(lambda case: after(failing, *case)[0], cases, workers)
