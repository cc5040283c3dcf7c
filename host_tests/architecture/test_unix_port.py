"""The pure modules under MicroPython: the plain tests of host_tests/common pass on its unix port as they do here."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MICROPYTHON = Path(sys.executable).parent / "micropython"
RUNNER = ROOT / "host_tests" / "unix" / "run.py"
COMMON = ROOT / "host_tests" / "common"


def run(*arguments):
    return subprocess.run([MICROPYTHON, RUNNER, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=120)


def test_the_common_tests_pass_on_micropython():
    done = run()
    assert done.returncode == 0, done.stdout + done.stderr
    ran = int(re.search(r"(\d+) tests ran on micropython, 0 failed", done.stdout)[1])
    written = sum(len(re.findall(r"^def test_", path.read_text(), re.M)) for path in COMMON.glob("test_*.py"))
    assert ran == written > 80


def test_a_failing_test_is_noticed():
    """The runner itself: a wrong name runs nothing, and nothing run is no success."""
    done = run("no_such_module")
    assert done.returncode == 1 and "0 tests ran" in done.stdout


def test_common_tests_stay_in_the_common_subset():
    host_only = re.compile(r"^\s*(import|from) (pytest|hypothesis|typing|dataclasses|enum|pathlib)", re.M)
    for path in COMMON.glob("*.py"):
        assert not host_only.search(path.read_text()), path.name
