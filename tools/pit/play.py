"""`pit run`: scenario files played one after another on a chosen target, told as a time line or as JSON lines."""

import json
import sys
import time

from rich.console import Console
from rich.text import Text

from pit import scenario
from pit.errors import PitError
from pit.runner import Runner
from pit.timeline import Timeline

PROGRESS_S = 0.5  # how often the progress line on stderr is renewed


def make_target(name):
    """A fresh Target for --on: host, unix, rp2040, or the path of a serial device. Raises PitError."""
    if name == "host":
        from pit.targets.host import HostTarget

        return HostTarget()
    if name == "unix":
        from pit.targets.unix import UnixTarget

        return UnixTarget()
    if name == "rp2040":
        from pit.targets.rp2040 import Rp2040Target

        return Rp2040Target()
    if "/" in name or name.upper().startswith("COM"):
        from pit.targets.serial import SerialTarget

        return SerialTarget(name)
    raise PitError(f"--on {name}: write host, unix, rp2040, or the path of a serial device such as /dev/ttyACM0")


def run_files(paths, on="host", as_json=False, out=None, err=None):
    """Play all files; returns the exit status: 0 all met, 1 an expectation was not, 2 a file is wrong, 3 no table.

    All files are checked before the first is played. Events or the time line go to `out` (default stdout), everything
    else to `err` (default stderr).
    """
    out, err = out or sys.stdout, err or sys.stderr
    scenarios, wrong = [], []
    for path in paths:
        try:
            scenarios.append(scenario.load(path))
        except PitError as error:
            wrong.append(str(error))
    if wrong:
        print("\n".join(wrong), file=err)
        return 2
    return max([_run(one, on, as_json, out, err) for one in scenarios], default=0)


def _run(one, on, as_json, out, err):
    target = make_target(on)
    started = time.monotonic()
    tellers = [Progress(err, one)] if target.slow and err.isatty() else []
    if as_json:
        tellers.append(_json_teller(out, err))
    else:
        console = Console(file=out, highlight=False)
        console.print(Text.assemble((one.title, "bold"), f"  ({one.path} on {on})"), soft_wrap=True)
        tellers.append(Timeline(console, target).tell)

    def tell(kind, data):
        for teller in tellers:
            teller(kind, data)

    try:
        outcome = Runner(one, target, tell).play()
    except PitError as error:
        out.flush()
        print(f"{one.path}: {error}", file=err)
        return error.exit_status
    out.flush()
    if outcome.failure:
        print(outcome.failure, file=err)
    if not as_json:
        summary(out, outcome, time.monotonic() - started)
    return 1 if outcome.failure else 0


def summary(out, outcome, wall_s):
    """Print how a run ended; `wall_s` is how long it took."""
    verdict = "NOT as expected" if outcome.failure else "as expected"
    print(f"{verdict}: {len(outcome.events)} events, {outcome.table_ms / 1000:.1f} s of table time in {wall_s:.1f} s",
          file=out)
    for name, text in outcome.figures.items():
        print(f"  {name}: {text}", file=out)


def _json_teller(out, err):
    def tell(kind, data):
        if kind == "event":
            print(json.dumps(data, separators=(",", ":")), file=out, flush=True)
        elif kind == "warning":
            print(f"warning: {data}", file=err)
    return tell


class Progress:
    """One line on stderr, renewed in place: how far a slow run is."""

    def __init__(self, err, one):
        self._err = err
        self._steps = len(one.steps)
        self._done = 0
        self._started = time.monotonic()
        self._last = 0.0

    def __call__(self, kind, data):
        now = time.monotonic()
        if kind == "step":
            self._done += 1
        elif kind == "time" and now - self._last >= PROGRESS_S:
            self._last = now
            print(f"\r  step {self._done}/{self._steps}, table time {data / 1000:.1f} s, {now - self._started:.0f} s "
                  "so far ", end="", file=self._err, flush=True)
            return
        if self._last:
            self._last = 0.0
            print("\r\x1b[K", end="", file=self._err, flush=True)
