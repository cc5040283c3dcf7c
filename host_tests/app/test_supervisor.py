"""The supervisor on CPython: who is late is named, the dog is fed while nobody is, what comes in which order."""

import types

import pytest

from firstcard.core import ticks
from firstcard.store import crash
from host_tests.stubs import lockboard
from pit.sim.memory import Memory

MODULES = lockboard.modules()
SUPERVISOR, WATCHDOG = MODULES.supervisor, MODULES.watchdog
TICK, SWEEPER, LOCKS, SHOE, CONSOLE = range(1, 6)


class Reset(Exception):
    """The chip is gone."""


class Bench:
    """A supervisor over ports that note what is asked of them. `now` ms, near the wrap of ticks_ms."""

    def __init__(self, monkeypatch):
        self.now = (1 << 30) - 5000
        self.asked = []
        self.words = [0] * 6
        self.registers = dict.fromkeys((0x4005800C, 0x40058010, 0x40058014, 0x40058018), 0)
        self.waits = False
        monkeypatch.setattr(SUPERVISOR, "time", types.SimpleNamespace(
            ticks_ms=lambda: self.now & (1 << 30) - 1, ticks_diff=ticks.diff, sleep_ms=self.sleep))
        monkeypatch.setattr(WATCHDOG, "machine", types.SimpleNamespace(
            mem32=self.registers, reset=self.reset, reset_cause=lambda: 3, PWRON_RESET=1))
        monkeypatch.setattr(SUPERVISOR, "sys", types.SimpleNamespace(
            print_exception=lambda error, file: file.write(repr(error))))
        self.dog = WATCHDOG.Watchdog()
        self.dog.feed = lambda: self.asked.append("feed")
        self.latch = types.SimpleNamespace(words=[0])
        self.shoe = types.SimpleNamespace(words=[0])
        self.port = types.SimpleNamespace(waits=lambda: self.waits, drain=lambda ms: None)
        self.keeper = types.SimpleNamespace(ready=True, boot=7)
        self.memory = Memory()
        self.panel = None
        self.ports = self
        self.supervisor = SUPERVISOR.Supervisor(self, self)

    def sleep(self, ms):
        self.now += ms

    def reset(self):
        self.asked.append("reset")
        raise Reset

    def lock(self):
        self.asked.append("lock")

    def out(self, line):
        self.asked.append(line.decode().split(":")[0])

    def name_fault(self, code, expected, seen):
        self.asked.append(f"name {code} {seen}")

    def fault(self, code, expected, seen):
        self.asked.append(f"fault {code} {seen}")

    def ms(self):
        return self.now - (1 << 30) + 5000

    def live(self, ms, without=()):
        """So long everybody goes on that is not in `without`; a poke wakes those who wait."""
        for _ in range(0, ms, 50):
            self.now += 50
            for task in (SWEEPER, TICK):
                if task not in without:
                    self.supervisor.here(task)
                    (self.supervisor.feed if task == TICK else self.supervisor.look)()
            for task, words in ((LOCKS, self.latch.words), (SHOE, self.shoe.words)):
                if words[0] and task not in without:
                    words[0] = 0
                    self.supervisor.here(task)
            self.waits = CONSOLE in without


@pytest.fixture
def bench(monkeypatch):
    return Bench(monkeypatch)


def test_the_dog_is_fed_while_all_go_on(bench):
    bench.live(20_000)
    assert bench.asked == ["feed"] * 400


@pytest.mark.parametrize("task", [TICK, SWEEPER, LOCKS, SHOE, CONSOLE])
def test_whoever_is_not_heard_of_is_named_and_the_table_restarts(bench, task):
    bench.live(2000)
    with pytest.raises(Reset):
        bench.live(5200, without=(task,))
    name = SUPERVISOR.NAMES[task]
    assert bench.asked[-3:] == ["lock", f"name task {name}", "reset"]
    assert bench.dog.last() == ("task", task)


def test_its_words_are_kept(bench):
    with pytest.raises(Reset):
        bench.supervisor.failed(SWEEPER, ValueError("worn out"))
    assert crash.load(bench.memory) == "sweeper, boot 7\nValueError('worn out')"


def test_what_had_no_words_is_kept_at_the_next_start_unless_it_had(bench):
    SUPERVISOR.keep_crash(bench, 7, "tick", "")
    assert crash.load(bench.memory) == "tick, boot 7\n" + SUPERVISOR.NO_WORDS
    SUPERVISOR.keep_crash(bench, 8, "tick", "ValueError")
    SUPERVISOR.keep_crash(bench, 8, "tick", "")
    assert crash.load(bench.memory) == "tick, boot 8\nValueError"


def test_a_memory_that_does_not_answer_keeps_nothing_and_changes_nothing(bench):
    bench.memory.broken = True
    with pytest.raises(Reset):
        bench.supervisor.failed(SWEEPER, ValueError("worn out"))
    assert bench.asked[-3:] == ["name task sweeper", "# the memory for what is going on does not answer", "reset"]


def test_a_memory_error_is_counted_and_named(bench):
    with pytest.raises(Reset):
        bench.supervisor.failed(SHOE, MemoryError())
    assert bench.asked[0] == "lock" and bench.asked[-2:] == ["name heap shoe", "reset"]
    assert bench.dog.errors() == 1 and bench.dog.last() == ("heap", SHOE)


def test_where_nothing_can_be_said_the_lock_the_reason_and_the_restart_are_left(bench, monkeypatch):
    def nothing_left(*_):
        raise MemoryError

    monkeypatch.setattr(bench, "out", nothing_left)
    monkeypatch.setattr(bench, "name_fault", nothing_left)
    with pytest.raises(Reset):
        bench.supervisor.failed(CONSOLE, ValueError("x"))
    assert bench.asked == ["lock", "reset"] and bench.dog.last() == ("task", CONSOLE)


def test_the_fourth_time_it_stays_and_writes_nothing_more(bench):
    bench.dog.restarts(3)
    bench.supervisor.failed(SWEEPER, ValueError("x"))
    assert bench.asked[0] == "lock" and bench.asked[-1] == "fault task sweeper" and not bench.keeper.ready
    bench.asked.clear()
    bench.live(10_000, without=(SWEEPER,))
    assert set(bench.asked) == {"feed"}, "it can still be asked"


def test_a_minute_without_a_failure_forgives(bench):
    bench.dog.restarts(2)
    bench.live(59_000)
    assert bench.dog.restarts() == 2
    bench.live(2_000)
    assert bench.dog.restarts() == 0


@pytest.mark.parametrize("noted, at_work, cause", [
    ((WATCHDOG.SERVICE, 0), 0, ("service", 0)), (None, 4, ("watchdog", 4)), (None, 0, ("reset", 0))])
def test_the_cause_of_a_boot(bench, noted, at_work, cause):
    if noted:
        bench.dog.note(*noted)
    bench.dog.at_work(at_work)
    assert bench.dog.last() == cause
    assert bench.dog.last() == ("reset", 0), "said once"
