"""Every fault of the shoe closes what has to be closed and has a name; what is well again opens what may be open.

Whole stories are in scenarios/shoe-*.yaml; here are borders, counters and what a scenario cannot do.
"""

import re

import pytest

from firstcard.proto import ots1
from host_tests.sim.bench import Bench
from pit.sim.shoe import FAULTS, LASTING, STATES


def status(bench):
    """The figures of `status`."""
    return {name: int(value) for name, value in re.findall(r"(\w+)=(\d+)(?= |$)", bench.ok("status"))}


def faults(bench):
    return [event["code"] for event in bench.told("fault")]


# the heartbeat


@pytest.mark.parametrize("silent_ms, lost", [(900, False), (2_100, True)])
def test_a_shoe_is_lost_after_1500_ms_without_a_heartbeat(silent_ms, lost):
    bench = Bench()
    bench.ok("open")
    bench.run(1_000)
    bench.fault(shoe="silent")
    bench.run(silent_ms)
    assert ("shoe-lost" in faults(bench)) == lost and bench.state == ("CLOSED" if lost else "OPEN")


def test_a_shoe_that_was_never_heard_closes_the_table_1500_ms_after_power_up():
    bench = Bench(login=None)
    bench.fault(shoe="silent")
    bench.table.shoe.log.clear()
    bench.engine.intake.link.heard_ms = 0
    bench.run(1_700)
    assert faults(bench) == ["shoe-lost"]


def test_lid_jam_and_empty_are_known_by_the_heartbeats_flags_alone():
    """The line LID was lost; every heartbeat says it again."""
    for state, (bit, _) in STATES.items():
        bench = Bench()
        bench.table.shoe._states[state] = True
        bench.run(600)
        assert faults(bench) == [state] and bench.error("open") == 46
        bench.table.shoe._states[state] = False
        bench.run(600)
        assert bench.error("open") == 0, bit


def test_flags_that_are_no_number_change_nothing():
    bench = Bench()
    bench.fault(shoe="lid")
    bench.run(100)
    bench.table.shoe.send("HBT", 0, "zz", 1)
    bench.run(100)
    assert bench.error("open") == 46 and status(bench)["shoe_line"] == 1


# beams that are told late


@pytest.mark.parametrize("ms", [1, 1.9])
def test_a_glitch_that_is_told_30_ms_late_is_still_a_glitch(ms):
    """The board looks at the stamps now and then: rise and fall come at once."""
    bench = Bench()
    bench.bets((1, 1000))
    us = bench.table.us()
    bench.run(30)
    bench.engine.beam(0, 1, us)
    bench.engine.beam(0, 0, us + int(ms * 1000))
    bench.run(200)
    assert bench.state == "OPEN" and not faults(bench)


# counters


def test_status_counts_what_the_line_does():
    bench = Bench()
    bench.ok("open")
    bench.run(990)
    before = status(bench)
    assert {name: before["shoe_" + name] for name in ("bad", "missed", "resent", "line")} == {
        "bad": 0, "missed": 0, "resent": 0, "line": 0}
    assert 0 <= before["shoe_age_ms"] <= 600
    bench.fault(shoe="garbled")
    bench.draw("TS")
    bench.fault(shoe="twice")
    bench.draw("9S")
    bench.fault(shoe="framing")
    bench.draw("8S")
    after = status(bench)
    assert after["shoe_bad"] == 2 and after["shoe_resent"] == 2 and after["shoe_line"] == 2
    bench.fault(shoe="gap")
    bench.run(600)
    assert status(bench)["shoe_missed"] == 1
    bench.fault(shoe="silent")
    bench.run(1_000)
    assert 1_000 <= status(bench)["shoe_age_ms"] <= 1_600


def test_a_replay_brings_back_what_was_lost_and_nothing_is_suspected():
    bench = Bench()
    bench.ok("open")
    bench.run(600)
    shoe = bench.table.shoe
    shoe._lasting.add("silent")
    lost = shoe.send("KEY", "A")
    bench.run(300)  # four times into the void
    shoe._lasting.discard("silent")
    assert lost in shoe.unacknowledged
    bench.run(2_000)
    assert not faults(bench) and [kind for _, kind, _ in shoe.heard].count("RPL") == 1
    assert status(bench)["shoe_missed"] == 0 and bench.state == "OPEN"


def test_the_shoe_is_asked_to_hold_its_cards_while_the_table_is_closed():
    bench = Bench()
    shoe = bench.table.shoe
    bench.run(100)
    assert shoe.blocked
    bench.ok("open")
    bench.run(100)
    assert not shoe.blocked
    bench.draw("TS")
    assert not shoe.blocked
    bench.fault(shoe="reboot")
    shoe.blocked = True  # what a shoe does that has forgotten everything
    bench.run(600)
    assert not shoe.blocked
    bench.ok("key void")
    bench.ok("key supervisor-confirm")
    bench.run(100)
    assert bench.state == "CLOSED" and shoe.blocked


# fail closed


def test_more_cards_than_the_queue_holds_lock_are_named_and_none_is_lost():
    bench = Bench()
    bench.bets((1, 1000), (2, 1000))
    for number in range(1, 13):  # twelve cards announced within a moment, none of them read
        frame = ots1.encode(bench.table.shoe.sequence + number - 1, "EDG", number, 0)
        bench.engine.shoe_bytes(frame, len(frame))
    bench.table.shoe.sequence += 12
    bench.table.shoe.card = 12
    assert bench.table.is_locked()
    bench.run(1_500)
    assert "draws-full" in faults(bench)
    assert len(bench.told("card")) == 12


def test_the_queue_never_grows_beyond_its_bound():
    bench = Bench()
    bench.bets((1, 1000))
    for number in range(1, 200):
        bench.engine.intake.draws.leaving(number, bench.engine.intake.ms())
        bench.engine.intake.deal()
        assert len(bench.engine.intake.draws._rows) <= 8


@pytest.mark.parametrize("state", ["OPEN", "LOCKED", "CLOSED"])
def test_a_flood_locks_is_named_and_does_not_stop_the_table(state):
    bench = Bench()
    if state != "CLOSED":
        bench.bets((1, 1000))
    if state == "LOCKED":
        bench.draw("TS")
    bench.fault(shoe="flood")
    bench.run(2_000)
    assert bench.table.is_locked() and "shoe-flood" in faults(bench)
    receiver = bench.engine.intake.link.receiver
    seen = receiver.good + receiver.duplicates
    bench.run(2_000)
    assert receiver.good + receiver.duplicates == seen, "nobody listens"
    assert bench.ok("status")
    bench.fault(shoe="ok")
    bench.run(4_000)
    if state != "LOCKED":
        assert bench.error("open") == 0


def test_a_shoe_in_a_hurry_is_no_flood():
    """Eight cards a second, and every line four times."""
    bench = Bench()
    bench.bets((1, 1000))
    bench.fault(shoe="deaf")
    for _ in range(24):
        bench.table.do({"draw": {"code": "2S"}})
        bench.run(125)
    assert "shoe-flood" not in faults(bench)


def test_a_line_that_is_too_long_is_named_at_once():
    bench = Bench()
    bench.bets((1, 1000))
    line = b"@00,KEY," + b"n" * 200
    bench.engine.shoe_bytes(line, len(line))
    assert bench.table.is_locked() and bench.state == "SAFE"
    bench.run(1)
    assert faults(bench) == ["shoe-line"]


def test_line_errors_that_do_not_end_are_named_and_single_ones_are_not():
    bench = Bench()
    bench.ok("open")
    for _ in range(20):
        bench.run(1_000)
        bench.engine.line_error()
    assert bench.state == "OPEN" and not faults(bench)
    for _ in range(12):
        bench.engine.line_error()
    bench.run(1_100)
    assert bench.state == "CLOSED" and faults(bench) == ["shoe-line"]


def test_spoiled_frames_that_do_not_end_are_named():
    bench = Bench()
    bench.ok("open")
    for _ in range(12):
        bench.engine.shoe_bytes(b"@00,EDG,1,1*0000\r\n", 18)
    bench.run(1_100)
    assert faults(bench) == ["shoe-line"] and bench.table.is_locked()


# every fault, everywhere


@pytest.mark.parametrize("when", ["CLOSED", "OPEN", "LOCKED"])
@pytest.mark.parametrize("kind", [kind for kind in FAULTS if kind != "ok"])
def test_no_fault_leaves_the_table_without_a_way_out(kind, when):
    """Whatever it is: LOCK is high unless bets are open (the bench looks), the round can be finished, and once the shoe
    is well and everything is acknowledged the table opens again."""
    bench = Bench()
    if when != "CLOSED":
        bench.bets((1, 1000))
    if when == "LOCKED":
        bench.draw("TS", "9C")
    bench.fault(shoe=kind)
    bench.draw("8S")
    bench.run(2_500)
    bench.fault(shoe="ok")
    if kind in ("cut", "empty") or kind in LASTING:
        bench.fault(shoe="load")
    bench.run(4_500)
    if bench.state in ("LOCKED", "EXTRA", "SETTLE"):
        bench.ok("key misdeal")
        bench.ok("key supervisor-confirm")
        bench.run(500)
        if bench.state == "SETTLE":
            bench.ok("key settled")
    for row in list(bench.round.alarms.open):
        bench.ok("ack %d" % row[0])
    if bench.state == "CLOSED":
        bench.ok("open")
    assert bench.state == "OPEN"
    number = bench.round.number
    bench.run(1_000)
    bench.lift(1)
    bench.place(1, 2500)
    bench.run(2_500)
    bench.draw("TS")
    assert bench.told("card")[-1]["code"] == "TS" and bench.round.number == number


def test_every_fault_and_alarm_of_the_shoe_has_a_text_that_says_what_to_do():
    bench = Bench()
    for key in ("fault.shoe-lost", "fault.shoe-suspect", "fault.shoe-restart", "fault.shoe-line", "fault.shoe-flood",
                "fault.shoe-overrun", "fault.draws-full", "fault.edge-missing", "fault.beam", "fault.beam-short",
                "fault.lid", "fault.jam", "fault.empty", "fault.cut-card", "alarm.shoe-mismatch", "alarm.reinserted",
                "alarm.double-card"):
        text = bench.engine.texts.say(key)
        assert text != key and ":" in text, key
