"""The board's side of `pit run --on DEVICE`: the simulated table on a bare board, in real time, fed over the console.

A line that begins with `mock ` is for the sensors: `mock {"start": setup}` makes a new table, `mock {"wait": [n, ms]}`
says `# mock due n` when so much table time has passed, anything else is one action of pit.targets.base, such as
`mock {"place": {...}}`. The answer is `# mock ok` with the table's ms, or `# mock` and what is wrong. All other lines
are the operator's. It waits for whoever reads, as no table may; but nobody bets here.
"""

import json
import select
import sys
import time

from .table import SimTable

MOST = 8192  # bytes of a line: a setup with its chips
PAUSE_MS = 5


class Bench:
    """`setup`: of the table before the first `start`; `root`: above build/texts.bin; `lock`, `lamp`: set a level."""

    def __init__(self, setup, root, lock, lamp):
        self._root, self._lock, self._lamp = root, lock, lamp
        self._line = bytearray()
        self._make(setup)

    def _make(self, setup):
        self._table = None  # its memory first
        self._table = SimTable(setup, self._root)
        self._began = time.ticks_ms()
        self._due = None  # (number, table's ms) of a wait

    def feed(self, byte):
        """A byte of the console; a whole line is obeyed."""
        if byte not in b"\r\n":
            if len(self._line) < MOST:
                self._line.append(byte)
            return
        line, self._line = bytes(self._line), bytearray()
        if line[:5] == b"mock ":
            self._mock(line[5:])
        else:
            self._table.engine.console_bytes(line + b"\n", len(line) + 1)

    def _mock(self, text):
        try:
            request = json.loads(text)
            if "start" in request:
                self._make(request["start"])
            elif "wait" in request:
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
            for line in self._table.take():
                sys.stdout.write(line)
        if self._due and self._table.now_ms >= self._due[1]:
            print("# mock due", self._due[0], self._table.now_ms)
            self._due = None
        self._lock(self._table.is_locked())
        self._lamp(self._table.lamp_on)


def run(setup, root, lock, lamp):
    """Never returns."""
    bench = Bench(setup, root, lock, lamp)
    poll = select.poll()
    poll.register(sys.stdin, select.POLLIN)
    while True:
        while poll.poll(PAUSE_MS):
            bench.feed(sys.stdin.buffer.read(1)[0])
        bench.turn()
