"""The tray's antenna: a chip that lies in the tray and on a spot is a copy; one that has moved between them is none."""

import pytest

from host_tests.sim.bench import Bench, uid_of
from host_tests.sim.shadow import differences

COPY, OTHER = uid_of(2500, 0), uid_of(2500, 1)
TURN_MS = 5000  # the tray has been read, and a sweep since


def lay(bench, spot, *uids):
    bench.table.do({"place": {"spot": spot, "zone": "main" if spot else "tray", "uids": list(uids)}})


def lift(bench, spot, *uids):
    bench.table.do({"remove": {"spot": spot, "zone": "main" if spot else "tray", "uids": list(uids)}})


def verdicts(bench, since=0):
    return [(event["spot"], event["verdict"]) for event in bench.told("bet", since)]


@pytest.fixture
def bench():
    made = Bench()
    made.ok("open")
    return made


def test_a_copy_counts_for_nothing_until_one_of_the_two_is_gone(bench):
    lay(bench, 0, COPY)
    lay(bench, 3, COPY)
    lay(bench, 5, OTHER)
    bench.run(TURN_MS)
    assert verdicts(bench) == [(3, "ok"), (5, "ok"), (3, "duplicate-chip")]
    assert differences(bench.table) == []
    mark = bench.mark()
    lift(bench, 0, COPY)
    bench.run(2 * TURN_MS)
    assert verdicts(bench, mark) == [(3, "ok")]


def test_no_lock_counts_a_copy_and_a_restart_knows_it(bench):
    lay(bench, 0, COPY)
    lay(bench, 3, COPY)
    lay(bench, 5, OTHER)
    bench.run(TURN_MS)
    bench.engine.keeper.checkpoint()
    assert differences(bench.table) == []
    bench.draw("TH", "KD")
    assert bench.one("lock")["wagers"] == [{"spot": 3, "zone": "main", "value": 0},
                                           {"spot": 5, "zone": "main", "value": 2500}]
    assert bench.one("alarm")["kind"] == "duplicate-chip"
    assert differences(bench.table) == []


def test_what_is_found_out_after_the_lock_is_an_alarm(bench):
    lay(bench, 3, COPY)
    bench.run(1500)
    bench.draw("TH", "KD")
    lay(bench, 0, COPY)
    bench.run(2 * TURN_MS)
    assert [(event["kind"], event["spot"]) for event in bench.told("alarm")] == [("duplicate-chip", 3)]


@pytest.mark.parametrize("wait_ms", range(0, 4000, 90))
def test_a_chip_that_has_moved_is_none(wait_ms):
    """From the tray to a spot and from a spot to the tray, at any moment between two readings."""
    bench = Bench()
    bench.ok("open")
    lay(bench, 0, COPY)
    lay(bench, 3, OTHER)
    bench.run(TURN_MS + wait_ms)
    lift(bench, 0, COPY)
    lay(bench, 5, COPY)
    lift(bench, 3, OTHER)
    lay(bench, 0, OTHER)
    bench.run(2 * TURN_MS)
    assert verdicts(bench) == [(3, "ok"), (3, "empty"), (5, "ok")]


def test_one_reading_of_the_tray_that_misses_it_changes_nothing(bench):
    lay(bench, 0, COPY)
    lay(bench, 3, COPY)
    bench.run(TURN_MS)
    mark = bench.mark()
    bench.table.miss[21, COPY] = 1
    bench.run(2 * TURN_MS)
    assert (21, COPY) in bench.table.miss and not bench.table.miss[21, COPY], "it was missed"
    bench.fault(reader=31, kind="noisy")
    bench.run(2 * TURN_MS)
    assert verdicts(bench, mark) == []


def test_its_reader_is_one_of_the_others_to_people(bench):
    lay(bench, 0, COPY, OTHER)
    bench.run(TURN_MS)
    assert bench.ok("status tray") and "chips=2 read=ok" in bench.lines[-1] and "zone=tray" in bench.lines[-2]
    bench.fault(reader=31, kind="silent")
    bench.run(TURN_MS)
    assert (bench.one("fault")["code"], bench.one("fault")["seen"]) == ("reader", 31) and bench.state == "OPEN"
    bench.fault(reader=31, kind="ok")
    bench.run(TURN_MS)
    assert bench.one("fault-cleared")["code"] == "reader"
