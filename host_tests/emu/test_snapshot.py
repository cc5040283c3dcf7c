"""Forked continuations: results, errors with their traceback, order, and an untouched parent."""

import os
import signal
import time

import pytest

from pit.emu import snapshot


class OddError(Exception):
    """An exception that pickle cannot rebuild."""

    def __init__(self, a, b):
        super().__init__(f"{a}-{b}")


def _fail(error):
    raise error


def test_result_comes_back_and_the_parent_is_untouched(repl):
    before = repl.now_ns, repl.mcu.core.cycles

    def go_on(board):
        board.run_ms(50)
        return board.now_ns

    assert snapshot.in_fork(go_on, repl) == repl.now_ns + 50e6
    assert (repl.now_ns, repl.mcu.core.cycles) == before


def test_every_fork_goes_the_same_way(repl):
    def go_on(board):
        board.exec("for i in range(100): pass")
        return board.mcu.core.cycles

    assert snapshot.in_fork(go_on, repl) == snapshot.in_fork(go_on, repl)


def test_errors_are_raised_here_with_the_childs_traceback():
    with pytest.raises(LookupError, match="lost") as info:
        snapshot.in_fork(_fail, LookupError("lost"))
    assert "in _fail" in info.value.__notes__[0]


def test_errors_that_cannot_travel_arrive_as_text():
    with pytest.raises(snapshot.ChildError, match="OddError: 1-2"):
        snapshot.in_fork(_fail, OddError(1, 2))
    with pytest.raises(snapshot.ChildError, match="cannot be pickled"):
        snapshot.in_fork(lambda: lambda: 0)


def test_a_child_that_dies_is_an_error():
    with pytest.raises(snapshot.ChildError, match="status -9"):
        snapshot.in_fork(lambda: os.kill(os.getpid(), signal.SIGKILL))


def test_exit_of_a_child_is_not_the_end_of_it():
    with pytest.raises(SystemExit):
        snapshot.in_fork(_fail, SystemExit(3))


def test_map_keeps_order_and_tells_of_progress():
    told = []
    squares = snapshot.fork_map(lambda k: (time.sleep(0.01 * (5 - k)), k * k)[1], range(5),
                                progress=lambda done, total: told.append((done, total)))
    assert squares == [0, 1, 4, 9, 16]
    assert told == [(k, 5) for k in range(1, 6)]


def test_map_runs_side_by_side():
    start = time.monotonic()
    snapshot.fork_map(lambda _: time.sleep(0.2), range(2))
    assert time.monotonic() - start < 0.38


def test_map_stops_at_the_first_error_and_leaves_no_children():
    with pytest.raises(LookupError):
        snapshot.fork_map(lambda k: _fail(LookupError(k)) if k == 1 else time.sleep(0.1 + 10 * (k == 0)), range(4))
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def test_large_results_pass():
    assert len(snapshot.in_fork(lambda: bytes(3_000_000))) == 3_000_000
