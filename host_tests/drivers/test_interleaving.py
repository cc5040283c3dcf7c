"""A hard handler at every bytecode boundary of what reads the latch: nothing is lost, told twice or told wrong.

drivers/latch.py, drivers/edge.py and the task that reads them run on CPython, on a board that raises on anything that
it does not model (host_tests/stubs/lockboard.py). Python's tracing stops before every single bytecode of them, and
there the card comes: with its pulse still to survive, already survived, as a glitch, or as the shoe's frame.
"""

import sys

import pytest

from firstcard.core import ticks
from firstcard.core.events import LOCK_EDGE, LOCK_FRAME
from host_tests.stubs import lockboard

WRAP = 1 << 30


class Told:
    """The engine as far as the latch's task calls it."""

    def __init__(self):
        self.locks = []
        self.shoe = self

    def locked(self, cause, us):
        self.locks.append((cause, us))

    def watch(self, on):
        assert not on


class Bench:
    """An armed latch and the task that reads it."""

    def __init__(self, now_us=5_000_000, arm=True):
        self.board, self.latch, self.modules = lockboard.load(now_us)
        self.told = Told()
        self.events = self.modules.tasks.Tasks._events
        self._ports = self.told
        self.files = {self.modules.latch.__file__, self.modules.tasks.__file__, __file__}
        if arm:
            assert self.latch.arm() == self.modules.latch.FINE and not self.board.locked
            self.board.falls = 0

    def read(self):
        """What the task does when it is woken."""
        while self.latch.words[self.modules.edge.WAKE]:
            self.latch.words[self.modules.edge.WAKE] = 0
            self.events(self, self.latch, self.told)

    def _beams(self, engine):
        """What the beams have stamped is another driver's (shoe.py)."""

    def check(self):
        """What the task of the clock does."""
        self.fault = self.latch.check()
        self.events(self, self.latch, self.told)

    def at_boundary(self, number, inject, work):
        """Run `work()`, `inject()` before its bytecode `number` (latch, tasks, read()). True if it got that far."""
        left = [number]

        def trace(frame, event, argument):
            if frame.f_code.co_filename not in self.files:
                return None
            frame.f_trace_opcodes, frame.f_trace_lines = True, False
            if event == "opcode":
                left[0] -= 1
                if left[0] == 0:
                    inject()
            return trace

        before = sys.gettrace()
        sys.settrace(trace)
        try:
            work()
        finally:
            sys.settrace(before)
        return left[0] <= 0

    def frame(self):
        """What shoe._follow does when a frame has begun."""
        w, edge = self.latch.words, self.modules.edge
        if w[edge.ARMED] and not w[edge.FRAMES]:
            self.board.write(w[edge.LOCK_SET], edge.OVERRIDE)
            w[edge.FRAMES] = 1
            w[edge.FRAME_TICK] = self.board.now - 5000 & WRAP - 1
            w[edge.WAKE] = 1


def boundaries(inject, work, judge, prepare=lambda bench: None, **made):
    """Try every boundary; texts of what was wrong, and how many there were."""
    wrong, number = [], 0
    while True:
        number += 1
        bench = Bench(**made)
        prepare(bench)
        bench.instant = None

        def now(bench=bench):
            bench.instant = bench.board.now & WRAP - 1
            bench.board.falls = 0
            inject(bench)

        if not bench.at_boundary(number, now, lambda bench=bench: work(bench)):
            return wrong, number - 1
        wrong += [f"boundary {number}: {text}" for text in judge(bench)]


def one_lock(bench, cause=LOCK_EDGE):
    """After all has come in: exactly one lock by `cause`, at its instant, LOCK high all the time."""
    bench.board.nap(3_000)
    bench.read()
    bench.board.nap(200_000)
    bench.read()
    out = []
    if [one[0] for one in bench.told.locks] != [cause]:
        out.append(f"told {bench.told.locks}")
    elif cause == LOCK_EDGE and bench.told.locks[0][1] != bench.instant:
        out.append(f"told {bench.told.locks[0][1]}, the edge was at {bench.instant}")
    if not bench.board.locked or bench.board.falls:
        out.append(f"LOCK {bench.board.locked}, fell {bench.board.falls} times")
    if bench.latch.check():
        out.append("the paths disagree")
    return out


def edge(bench):
    bench.board.cover(lockboard.A)


def survived(bench):
    bench.board.cover(lockboard.A)
    bench.board.nap(2_100)


def card(bench):
    bench.board.card()
    bench.board.nap(20_100)


def first_card(bench):
    card(bench)
    bench.first = bench.board.now - 20_100 & WRAP - 1


def second_card(bench):
    bench.board.nap(100_000)
    card(bench)


READING = {"woken": lambda bench: (bench.latch.words.__setitem__(0, 1), bench.read()), "clock": Bench.check}


@pytest.mark.parametrize("start_us", [5_000_000, WRAP - 1_500, (1 << 32) - 1_500], ids=["", "30 bits", "32 bits"])
@pytest.mark.parametrize("work", READING)
@pytest.mark.parametrize("inject", [edge, survived])
def test_an_edge_is_told_once_with_its_instant(inject, work, start_us):
    wrong, count = boundaries(inject, READING[work], one_lock, now_us=start_us)
    assert wrong == [] and count > 40


@pytest.mark.parametrize("work", READING)
def test_a_second_card_while_the_first_is_told_changes_nothing(work):
    def judge(bench):
        bench.instant = bench.first
        return one_lock(bench)

    wrong, count = boundaries(second_card, READING[work], judge, prepare=first_card)
    assert wrong == [] and count > 40


@pytest.mark.parametrize("work", READING)
def test_a_frame_locks_and_is_told_once(work):
    wrong, count = boundaries(Bench.frame, READING[work], lambda bench: one_lock(bench, LOCK_FRAME))
    assert wrong == [] and count > 40


@pytest.mark.parametrize("work", READING)
def test_a_glitch_locks_nothing_and_is_counted(work):
    def glitch(bench):
        bench.board.cover(lockboard.A)
        bench.board.after(1_000, lambda: bench.board.cover(lockboard.A, -1))

    def judge(bench):
        bench.board.nap(5_000)
        bench.read()
        fault = bench.latch.check()
        out = [f"told {bench.told.locks}"] if bench.told.locks else []
        out += [f"check says {fault}"] if fault else []
        out += [f"{bench.latch.glitches} glitches"] if bench.latch.glitches != 1 else []
        return out + (["LOCK is high"] if bench.board.locked or not bench.latch.is_armed() else [])

    wrong, count = boundaries(glitch, READING[work], judge)
    assert wrong == [] and count > 40


def arming(bench):
    bench.result = bench.latch.arm()


def test_a_card_at_any_moment_of_the_arming_is_refused_or_locks():
    refused = []

    def judge(bench):
        if bench.result == bench.modules.latch.FINE:
            return one_lock(bench)
        refused.append(bench.result)
        bench.board.nap(300_000)
        bench.read()
        return [f"LOCK is low after {bench.result}"] if not bench.board.locked or bench.board.falls else []

    wrong, count = boundaries(edge, arming, judge, arm=False)
    assert wrong == [] and count > 300 and 0 < len(refused) < count


def racy_take(self):
    """How pulses must not be taken: the task takes one off the handler's own count."""
    words = self.words
    if not words[SURVIVED]:
        return 0
    words[SURVIVED] = words[SURVIVED] - 1
    return LOCK_EDGE


def sound_take(self):
    """The same with a count of its own."""
    if self.words[SURVIVED] == self.taken:
        return 0
    self.taken += 1
    return LOCK_EDGE


SURVIVED = 3


@pytest.mark.parametrize("take", [racy_take, sound_take])
def test_a_read_modify_write_of_a_shared_word_is_found(take):
    """Two pulses that survive, the second at every boundary of taking the first: both are to be taken."""

    def prepare(bench):
        assert bench.modules.edge.SURVIVED == SURVIVED
        bench.latch.taken = 0
        bench.latch.take = take.__get__(bench.latch)
        bench.latch.words[SURVIVED] = bench.latch.words[0] = 1

    def second(bench):
        bench.board.handlers["survived"](None)

    def judge(bench):
        bench.read()
        return [f"{len(bench.told.locks)} pulses"] if len(bench.told.locks) != 2 else []

    wrong, count = boundaries(second, READING["woken"], judge, prepare=prepare)
    assert count > 30
    assert ("1 pulses" in " ".join(wrong)) is (take is racy_take) and bool(wrong) is (take is racy_take)


def test_what_is_not_modelled_raises():
    board = lockboard.load()[0]
    for at in (0x40004000, lockboard.PIO + 0x10):
        with pytest.raises(lockboard.NotModelled):
            board.read(at)
        with pytest.raises(lockboard.NotModelled):
            board.write(at, 7)


def test_ticks_of_the_board_are_those_of_core():
    assert ticks.diff(5, WRAP - 5) == 10
