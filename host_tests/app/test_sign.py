"""The plaque where a sign is demanded and where it is not: no bets without proof, and what happens when it dies.

Design 8b, "Power": where a sign is demanded a plaque fault closes an open table at once; a round is played out, then
the table is closed. GCB-08 demands it always, ND-07 where the tables of the site differ, IN never.
"""

import pytest

from host_tests.sim.bench import Bench
from pit.emu.strip import FAULTS

RULES = {
    "gcb": ("gcb-blackjack", {"dealer_natural_beats_21": True}),
    "nd-differ": ("us-nd-twentyone", {"other_tables": [[300, 1000]]}),
    "nd-same": ("us-nd-twentyone", {"other_tables": [[300, 2500]]}),
    "in": ("us-in-blackjack", {}),
}
DEMANDED = ("gcb", "nd-differ")
LOOK_MS = 2_100  # the plaque is asked every two seconds


def bench_of(rules, **more):
    profile, options = RULES[rules]
    return Bench(min=300, max=2500, profile=profile, options=options, **more)


def to_settlement(bench, *cards):
    """The cards that are missing, and the decisions: spot 1 has won."""
    bench.draw(*cards)
    bench.ok("key stand")
    bench.ok("key reveal")
    bench.run(100)


def broken(bench, kind="dark"):
    bench.fault(plaque=kind)
    return bench.mark()


def check_mended(bench):
    """The plaque is well again: said so by itself, and then the table opens."""
    since = bench.mark()
    bench.fault(plaque="ok")
    bench.run(LOOK_MS)
    assert bench.one("fault-cleared", since)["code"] == "plaque"
    assert bench.told("plaque", since)[-1]["proven"]
    bench.ok("open")
    assert bench.state == "OPEN"


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("kind", FAULTS)
def test_a_plaque_that_died_since_it_was_last_proven(rules, kind):
    """What was proven when it was drawn says nothing about now."""
    bench = bench_of(rules)
    bench.fault(plaque=kind)
    if rules in DEMANDED:
        assert bench.error("open") == 47 and bench.state == "CLOSED" and bench.table.is_locked()
        assert not bench.told("state", state="OPEN"), "not for a moment"
        check_mended(bench)
    else:
        bench.ok("open")
        assert bench.state == "OPEN"
    bench.run(100)


@pytest.mark.parametrize("rules", RULES)
def test_it_dies_while_bets_are_open(rules):
    bench = bench_of(rules)
    bench.bets((1, 500))
    since = broken(bench)
    bench.run(LOOK_MS)
    assert bench.one("fault", since)["code"] == "plaque"
    assert not bench.told("plaque", since, proven=True)
    if rules in DEMANDED:
        assert bench.state == "CLOSED" and bench.table.is_locked()
        check_mended(bench)
    else:
        assert bench.state == "OPEN" and not bench.table.is_locked()


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("mended", [False, True])
def test_it_dies_in_mid_round_and_the_table_is_closed_after_it(rules, mended):
    """Also if it is well again by then: somebody is to look."""
    bench = bench_of(rules)
    bench.bets((1, 500))
    bench.draw("TS")
    since = broken(bench)
    bench.run(LOOK_MS)
    assert bench.one("fault", since)["code"] == "plaque" and bench.state == "LOCKED"
    if mended:
        bench.fault(plaque="ok")
        bench.run(LOOK_MS)
        assert bench.one("fault-cleared", since)["code"] == "plaque"
    to_settlement(bench, "9C", "9D", "8D")
    assert bench.one("settle", since, spot=1)["outcome"] == "win"
    bench.ok("key settled")
    bench.run(100)
    assert bench.one("round", since)["result"] == "complete"
    assert bench.state == ("CLOSED" if rules in DEMANDED else "OPEN")
    if rules in DEMANDED and not mended:
        assert bench.error("open") == 47
        check_mended(bench)


@pytest.mark.parametrize("rules", DEMANDED)
def test_it_dies_in_the_last_moment_of_a_round(rules):
    """Nobody has asked it since: the check of the reopening does."""
    bench = bench_of(rules)
    bench.bets((1, 500))
    to_settlement(bench, "TS", "9C", "9D", "8D")
    since = broken(bench)
    bench.ok("key settled")
    bench.run(1)
    assert bench.state == "CLOSED" and not bench.told("state", since, state="OPEN")


@pytest.mark.parametrize("rules", DEMANDED)
def test_it_dies_between_the_check_and_the_green_picture(rules):
    """`open` says no although the table was open for the moment in which the new picture was drawn."""
    bench = bench_of(rules)
    answers = [True, False]
    bench.table.prove = bench.engine.ports.prove = lambda later=False: answers.pop(0) if answers else False
    assert bench.error("open") == 47
    assert bench.state == "CLOSED" and bench.table.is_locked()


@pytest.mark.parametrize("rules", ["gcb", "nd-differ"])
def test_new_limits_are_proven_before_it_opens_again(rules):
    profile, options = RULES[rules]
    if rules == "gcb":
        options = {**options, "approved_limits": [[300, 2500], [200, 2000]]}
    else:
        options = {**options, "notice_s": 0}
    bench = Bench(min=300, max=2500, profile=profile, options=options)
    bench.bets((1, 500))
    bench.draw("TS")
    bench.ok("limits set 2 20")
    assert {e["min"] for e in bench.told("plaque")} == {300}, "a change is shown when it takes effect, not before"
    to_settlement(bench, "9C", "9D", "8D")
    since = bench.mark()
    bench.ok("key settled")
    bench.run(100)
    assert bench.state == "OPEN"
    shown = [e for e in bench.events[since:] if e["event"] in ("plaque", "state")]
    assert [(e["event"], e.get("colour", e.get("state"))) for e in shown] == [
        ("plaque", "red"), ("state", "OPEN"), ("plaque", "green")]
    assert {(e["min"], e["max"], e["proven"]) for e in shown if e["event"] == "plaque"} == {(200, 2000, True)}
