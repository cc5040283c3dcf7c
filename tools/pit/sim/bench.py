"""The board's side of `pit run --on DEVICE`: the simulated table on a bare board, in real time, fed over the console.

A line that begins with `mock ` is for the sensors. `mock start {setup}` restarts the board as a new table, since a
second one does not fit beside the remains of the first; `run` in the setup tells the two apart.
`mock {"wait": [n, ms]}`
says `# mock due n`, the table's ms and `run`, when so much table time has passed. Anything else is one action of
pit.targets.base, such as `mock {"place": {...}}`, and answered by `# mock ok` with the table's ms, or `# mock` and what
is wrong. All other lines are the operator's. It waits for whoever reads, as no table may; but nobody bets here.
"""

import json
import select
import sys
import time

MOST = 4096  # bytes of a line: a setup with its chips
LINE = bytearray(MOST)  # before everything else is loaded, while there is room for it in one piece

from .table import SimTable  # noqa: E402

START = b"mock start "
PAUSE_MS = 5


class Bench:
    """`setup`: of the table; `root`: above build/texts.bin; `lock`, `lamp`: set a level; `restart(text)`."""

    def __init__(self, setup, root, lock, lamp, restart):
        self._lock, self._lamp, self._restart = lock, lamp, restart
        self._run = setup.get("run", "-")
        self._line = memoryview(LINE)
        self._n = 0
        self._due = None  # (number, table's ms) of a wait
        self._held = []  # what the table says before a host has spoken
        self._spoken = False
        self._table = SimTable(setup, root, remembers=False)
        self._began = time.ticks_ms()

    def feed(self, byte):
        """A byte of the console; a whole line is obeyed."""
        self._spoken = True
        if byte not in b"\r\n":
            if self._n < MOST:
                self._line[self._n] = byte
                self._n += 1
            return
        line, self._n = self._line[: self._n], 0
        if bytes(line[: len(START)]) == START:
            self._restart(line[len(START) :])
        elif bytes(line[:5]) == b"mock ":
            self._mock(bytes(line[5:]))
        else:
            self._table.engine.console_bytes(bytes(line) + b"\n", len(line) + 1)

    def _mock(self, text):
        try:
            request = json.loads(text)
            if "wait" in request:
                number, ms = request["wait"]
                self._due = (number, self._table.now_ms + ms)
                return
            else:
                self._table.do(request)
        except Exception as error:  # whatever was asked for: it is told, and the table goes on
            print("# mock", repr(error))
        else:
            print("# mock ok", self._table.now_ms)

    def turn(self):
        """Let the table's time follow the clock; what it says goes out."""
        due = time.ticks_diff(time.ticks_ms(), self._began)
        while self._table.now_ms < due:
            self._table.advance(due - self._table.now_ms)
            self._held += self._table.take()
        shoe = self._table.shoe
        for kept in (shoe.log, shoe.heard, shoe.unacknowledged):
            kept[:] = []  # of use to tests on a PC; here they would fill the heap in minutes
        if self._spoken:
            for line in self._held:
                sys.stdout.write(line)
            self._held = []
        if self._due and self._table.now_ms >= self._due[1]:
            print("# mock due", self._due[0], self._table.now_ms, self._run)
            self._due = None
        self._lock(self._table.is_locked())
        self._lamp(self._table.lamp_on)


def run(setup, root, lock, lamp, restart):
    """Never returns."""
    bench = Bench(setup, root, lock, lamp, restart)
    poll = select.poll()
    poll.register(sys.stdin, select.POLLIN)
    while True:
        while poll.poll(PAUSE_MS):
            bench.feed(sys.stdin.buffer.read(1)[0])
        bench.turn()
