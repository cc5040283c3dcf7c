"""The same table under MicroPython's unix port: `pit run --on unix`. One process, one JSON object a line each way."""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from pit import ROOT
from pit.errors import PitError, TableError
from pit.targets.base import Target
from pit.targets.host import rgb
from pit.targets.lines import item

PROGRAM = ROOT / "tools" / "pit" / "sim" / "rpc.py"
HEAP = "16m"  # the unix port's default of 1 MB is less than a PC needs to think about


class UnixTarget(Target):
    """pit.sim.table.SimTable in a child process; see pit.sim.rpc for the lines."""

    name = "unix"

    def __init__(self):
        self._process = None
        self._errors = None
        self._now_ms = 0
        self._leds = b""
        self._waiting = []

    def start(self, setup):
        from pit.sim import files

        files.prepare()
        self._errors = tempfile.TemporaryFile()
        command = [micropython(), "-X", f"heapsize={HEAP}", str(PROGRAM)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors,
                                         cwd=ROOT)
        self._ask({"start": setup, "root": str(ROOT)})

    def do(self, action):
        self._ask({"do": action})

    def advance(self, ms):
        if not self._waiting and ms > 0:
            self._ask({"advance": int(ms)})
        items, self._waiting = self._waiting, []
        return items

    def _ask(self, request):
        """Send one request, take its answer; what came out of the table waits for `advance`."""
        try:
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
            answer = json.loads(line)
        except (OSError, ValueError):
            raise TableError(f"the table on the unix port stopped: {self._last_words()}")
        self._now_ms = answer["ms"]
        if "leds" in answer:
            self._leds = bytes.fromhex(answer["leds"])
        found = (item(text, self._now_ms) for text in answer["out"])
        self._waiting += [one for one in found if one is not None]

    def _last_words(self):
        self.close()
        self._errors.seek(0)
        return self._errors.read().decode(errors="replace").strip()[-2000:] or "it said nothing"

    @property
    def now_ms(self):
        return self._now_ms

    def leds(self):
        return rgb(self._leds)

    def close(self):
        if self._process and self._process.poll() is None:
            self._process.stdin.close()
            try:
                self._process.wait(2)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        if self._process:
            self._process.stdout.close()


def micropython():
    """Path of the `micropython` command that set-up has put beside this Python."""
    beside = Path(sys.executable).with_name("micropython")
    found = str(beside) if beside.exists() else shutil.which("micropython")
    if not found:
        raise PitError("the `micropython` command is missing: run `make setup`")
    return found
