"""One mutant on trial: the host tests run in a forked child whose import of one module gives the mutated text.

The parent has the test tools loaded but nothing of firstcard, so that every child imports the project afresh; no file
is touched. Hypothesis runs the same examples each time, keeps none and does not shrink.
"""

import importlib.abc
import importlib.util
import os
import resource
import signal
import sys
import time
from pathlib import Path

import hypothesis
import pytest

ROOT = Path(__file__).resolve().parents[3]
TESTS = ROOT / "host_tests"
# Those first that notice the most mutants a second: whole rounds held against all their events.
STAGES = (("scenarios",), ("common", "core"), ("app",), ("rules",), ("sim",))
FILES = "test_*.py"
# Not the business of a mutant in this process: what starts other processes, which load the unbroken tree; and what
# shows only that other tests can go red.
LEFT_OUT = ("test_the_unix_port", "test_the_emulated_board", "test_the_command", "test_a_break_turns",
            "test_the_rounds_have_everything_in_them", "test_another_dealer_card_is_found",
            "test_money_is_compared_too", "test_a_false_outcome_is_found", "test_a_deed_out_of_turn_is_found")
LEFT_OUT_FILES = ("test_break_once.py", "test_trace.py")
TEST_CPU_S = 40      # processor time of one test, ten times the slowest: more is a hang
STAGE_S = 900        # wall time of a stage, for what waits without working
MEMORY = 3 << 30     # bytes of address space: a mutant that fills memory is stopped


class _Mutated(importlib.abc.MetaPathFinder, importlib.abc.SourceLoader):
    """Gives one module from a text."""

    def __init__(self, name, path, text):
        self.name, self.path, self.text = name, path, text

    def find_spec(self, fullname, path=None, target=None):
        if fullname == self.name:
            return importlib.util.spec_from_file_location(
                self.name, self.path, loader=self,
                submodule_search_locations=[str(Path(self.path).parent)] if self.path.endswith("__init__.py") else None)
        return None

    def get_filename(self, fullname):
        return self.path

    def get_data(self, path):
        return self.text.encode()


class _Watch:
    """Pytest plugin: the processor-time limit of each test, and the name of the first one that fails."""

    def __init__(self, out):
        self.out = out

    def pytest_collection_modifyitems(self, items):
        items[:] = [item for item in items if not item.name.startswith(LEFT_OUT)]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item):
        signal.setitimer(signal.ITIMER_VIRTUAL, TEST_CPU_S)
        os.pwrite(self.out, item.nodeid.encode().ljust(300)[:300], 0)
        return (yield)


def _child(stage, module, text, note):
    """Never returns. Exit code 0: all tests passed."""
    code = 1
    try:
        silent = os.open(os.devnull, os.O_RDWR)
        for fd in (0, 1, 2):
            os.dup2(silent, fd)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        signal.signal(signal.SIGVTALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_VIRTUAL, TEST_CPU_S)
        hypothesis.settings.register_profile(
            "mutants", database=None, derandomize=True, deadline=None, report_multiple_bugs=False,
            phases=(hypothesis.Phase.explicit, hypothesis.Phase.generate))
        hypothesis.settings.load_profile("mutants")
        if module:
            name = "firstcard." + module[:-3].replace("/", ".").removesuffix(".__init__")
            sys.meta_path.insert(0, _Mutated(name, str(ROOT / "firmware/firstcard" / module), text))
        for name in list(sys.modules):  # nothing that still knows the unbroken module
            if name.split(".")[0] in ("firstcard", "pit", "host_tests"):
                del sys.modules[name]
        stem = Path(module).stem if module else ""
        files = [path for folder in STAGES[stage] for path in sorted((TESTS / folder).glob(FILES))
                 if path.name not in LEFT_OUT_FILES]
        files.sort(key=lambda path: path.stem != f"test_{stem}")
        os.chdir(ROOT)
        code = int(pytest.main(["-x", "-q", "--tb=no", "-p", "no:cacheprovider", "-p", "no:xdist",
                                *map(str, files)], plugins=[_Watch(note)]))
    finally:
        os._exit(code)


def run(module, text):
    """(killed by, seconds): the test that noticed, with "hang" before it if it ran into the limit; None: survived."""
    began = time.monotonic()
    for stage in range(len(STAGES)):
        note = os.memfd_create("note")
        os.pwrite(note, b"import".ljust(300), 0)
        pid = os.fork()
        if not pid:
            _child(stage, module, text, note)
        status = _wait(pid)
        test = os.pread(note, 300, 0).decode(errors="replace").strip()
        os.close(note)
        if status:
            hang = os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGVTALRM, signal.SIGKILL)
            return ("hang: " if hang else "") + test, time.monotonic() - began
    return None, time.monotonic() - began


def _wait(pid):
    """Status of the child; it is killed at the stage's limit."""
    end = time.monotonic() + STAGE_S
    while True:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return status
        if time.monotonic() > end:
            os.kill(pid, signal.SIGKILL)
            return os.waitpid(pid, 0)[1]
        time.sleep(0.02)
