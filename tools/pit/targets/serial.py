"""A real board with mock sensors (boards/pico_bench.py): `pit run --on /dev/ttyACM0`. Times are those of its clock."""

import json
import secrets
import time

from pit import ports
from pit.errors import NoTable, PitError
from pit.operator import Operator
from pit.targets.base import Target
from pit.targets.lines import item

ANSWER_S = 60.0  # a board is back in two seconds; an emulated one on a busy PC takes longer
GONE_S = 0.5  # a board that restarts is gone by then
SLOWEST = 20  # times real time that an emulated board may need
MOCK, FINE, DUE = "# mock ", "# mock ok ", "# mock due "


class SerialTarget(Target):
    """pit.sim.bench on a board; see there for the lines."""

    name = "serial"
    slow = True

    def __init__(self, name):
        self._name = ports.choose(name)
        self._port = None
        self._begun = b""
        self._waiting = []
        self._now_ms = 0
        self._waits = 0
        self._board = ""
        self._ended = False

    def start(self, setup):
        with Operator.at(self._name) as table:
            self._board = table.identity().get("board", "")
        if not self._is_mocked():
            raise PitError(f"{self._name} is a {self._board or 'table'} with real sensors: files are played on a board "
                           "built by `pit build --board pico_bench`, or with --on host, unix or rp2040")
        self._open()
        run = secrets.token_hex(4)
        self._ask({**setup, "board": self._board, "run": run}, b"mock start ")
        self._see_off()
        self._come_back(run)

    def _open(self):
        self._port = ports.open_port(self._name)
        self._port.timeout = 0.05
        self._begun = b""

    def _see_off(self):
        """Hear the last words of the board until it is gone: it may say why it does not restart."""
        end = time.monotonic() + GONE_S
        try:
            while time.monotonic() < end:
                self._keep(self._line())
        except NoTable:
            time.sleep(GONE_S)
        self._port.close()
        self._waiting.clear()

    def _come_back(self, run):
        """The board restarts, and on USB goes and comes again; its first words are kept."""
        end = time.monotonic() + ANSWER_S
        while True:
            try:
                self._open()
                while True:
                    self._waits += 1
                    self._ask({"wait": [self._waits, 0]})
                    if self._heard(run, time.monotonic() + 1):
                        return
                    if time.monotonic() > end:
                        raise NoTable(f"the board at {self._name} did not come back: reset it and try again")
            except NoTable:
                if time.monotonic() > end:
                    raise
                time.sleep(0.2)

    def _heard(self, run, end):
        """Keep what comes until the new table answers; False when it is too late. Words of the one before are lost."""
        while time.monotonic() < end:
            words = self._line()
            if words.startswith(DUE):
                number, ms, who = words[len(DUE):].split()
                if who == run:
                    self._now_ms = int(ms)
                    return True
                self._waiting.clear()
            else:
                self._keep(words)
        return False

    def _is_mocked(self):
        from pit.wiring import boards

        return any(board.NAME == self._board and board.MOCK for board in boards())

    def do(self, action):
        if "line" in action:
            self._write(action["line"].encode("ascii") + b"\n")
        else:
            self._mock(action)

    def _mock(self, request):
        """One request to the sensors; its answer is awaited, what the table says meanwhile is kept."""
        self._ask(request)
        end = time.monotonic() + ANSWER_S
        while time.monotonic() < end:
            line = self._line()
            if line.startswith(FINE):
                self._now_ms = int(line[len(FINE):])
                return
            if line.startswith(MOCK) and not line.startswith(DUE):
                raise PitError(f"the board cannot do that: {line[len(MOCK):]}")
            self._keep(line)
        raise NoTable(f"the board at {self._name} does not answer: reset it and try again")

    def _ask(self, request, word=b"mock "):
        self._write(word + json.dumps(request, separators=(",", ":")).encode("ascii") + b"\n")

    def _write(self, data):
        try:
            self._port.write(data)
        except OSError as error:
            raise NoTable(f"the board went away ({error})")

    def _line(self):
        """A whole line (text), or nothing yet."""
        try:
            self._begun += self._port.readline()
        except OSError as error:
            raise NoTable(f"the board went away ({error})")
        if not self._begun.endswith(b"\n"):
            return ""
        line, self._begun = self._begun, b""
        return line.decode("ascii", "replace").strip()

    def _keep(self, line):
        if line.startswith("Traceback "):
            self._ended = True
        if self._ended:
            if line and not line.startswith(("Traceback ", "File ")):
                raise PitError(f"the program on {self._name} was ended by {line}: reset the board")
            return
        found = item(line, self.now_ms)
        if found is not None:
            self._now_ms = max(self._now_ms, found["ms"])
            self._waiting.append(found)

    def advance(self, ms):
        if not self._waiting and ms > 0:
            self._waits += 1
            self._ask({"wait": [self._waits, int(ms)]})
            self._until_due(f"{DUE}{self._waits} ", time.monotonic() + ANSWER_S + SLOWEST * ms / 1000)
        items, self._waiting = self._waiting, []
        return items

    def _until_due(self, due, end):
        """Read until the table has said something, or the time has passed there."""
        while not self._waiting:
            line = self._line()
            if line.startswith(due):
                self._now_ms = int(line[len(due):].split()[0])
                return
            self._keep(line)
            if time.monotonic() > end:
                raise NoTable(f"the board at {self._name} does not answer: reset it and try again")

    @property
    def now_ms(self):
        return self._now_ms

    def close(self):
        if self._port:
            self._port.close()
            self._port = None
