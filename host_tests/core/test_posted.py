"""Posted limits: verdicts at their edges, and when a change takes effect."""

import pytest

from host_tests.core.felt import Felt, named


@pytest.mark.parametrize("chips, verdict, value", [
    ("uvw", "under", 0), ("a", "ok", 500), ("au", "ok", 600), ("M", "ok", 50000), ("Mu", "over", 0),
    ("X", "unknown-chip", 0), ("aX", "unknown-chip", 0)])
def test_verdicts_at_the_edges_of_500_to_50000(chips, verdict, value):
    felt = Felt()
    felt.lie = {2: chips}
    told = named(felt.sweeps(2), "bet")
    assert [(e["spot"], e["verdict"], e["value"], e["excess"], e["chips"]) for e in told] \
        == [(2, verdict, value, 0, len(chips))]


def test_a_bet_is_told_once_it_has_read_the_same_twice():
    felt = Felt()
    felt.lie = {1: "A"}
    assert not felt.sweep() and named(felt.sweep(), "bet", spot=1)
    felt.lie = {1: "AB"}
    assert not felt.sweep() and named(felt.sweep(), "bet", sum=2000) and not felt.sweeps(4)
    felt.lie = {}
    assert named(felt.sweeps(3), "bet", spot=1, verdict="empty", sum=0, value=0)


@pytest.mark.parametrize("zone", ["tip", "line"])
def test_indiana_has_no_tips_and_no_line_bets_before_the_cards(zone):
    felt = Felt()
    felt.lie = {1: "A", (1, zone): "B"}
    assert named(felt.sweeps(2), "bet", zone=zone, verdict="not-allowed", value=0)
    told = felt.lock()
    assert named(told, "alarm", kind={"tip": "not-allowed", "line": "no-window-line"}[zone], spot=1, zone=zone)
    wagers = [dict(w) for w in named(told, "lock")[0]["wagers"]]
    assert [(w["zone"], w["value"]) for w in wagers] == [("main", 1000)] + ([("tip", 0)] if zone == "tip" else [])


def test_chips_that_count_for_nothing_at_the_lock_are_an_alarm_each_and_an_empty_spot_is_none():
    felt = Felt(spots=5)
    felt.lie = {1: "A", 2: "u", 3: "Mv", 4: "X"}
    felt.sweeps(2)
    told = felt.lock()
    assert [(e["kind"], e["spot"]) for e in named(told, "alarm")] \
        == [("under-limit", 2), ("over-limit", 3), ("unknown-chip", 4)]
    assert [(dict(w)["spot"], dict(w)["value"]) for w in named(told, "lock")[0]["wagers"]] \
        == [(1, 1000), (2, 0), (3, 0), (4, 0)]


def posted(felt):
    return felt.round.limits.min, felt.round.limits.max


def test_in_closed_a_change_takes_effect_at_once():
    felt = Felt(opened=False)
    felt.step("ready")
    told = felt.step("limits", 1000, 20000, "operator", 0)
    assert told == [{"event": "limits", "min": 1000, "max": 20000, "pending": None, "by": "operator"}]


def test_in_open_it_waits_for_its_time_and_for_empty_spots():
    felt = Felt()
    felt.lie = {1: "A"}
    felt.sweeps(2)
    felt.round.now_ms = 1_000
    told = felt.step("limits", 1000, 20000, "operator", 5_000)
    assert told[0]["min"] == 500 and dict(told[0]["pending"]) == {"min": 1000, "max": 20000, "due_ms": 5_000}
    felt.round.now_ms = 6_000
    assert not felt.step("tick") and posted(felt) == (500, 50000)  # due, but a chip lies there
    felt.lie = {}
    felt.sweep()
    assert not felt.step("tick")  # one sweep may have missed it
    felt.sweep()
    assert named(felt.step("tick"), "limits", min=1000, pending=None)


def test_in_open_with_empty_spots_it_waits_for_its_time_only():
    felt = Felt()
    felt.sweeps(2)
    felt.step("limits", 1000, 20000, "operator", 5_000)
    felt.round.now_ms = 4_999
    assert not felt.step("tick")
    felt.round.now_ms = 5_000
    felt.step("tick")
    assert posted(felt) == (1000, 20000)


def test_inside_a_round_nothing_changes_until_its_end():
    felt = Felt()
    felt.bet(s1="A")
    felt.step("limits", 2000, 20000, "operator", 0)
    felt.deal("TS", "TH", "8D", "9H")
    felt.step("stand", 0)
    for _ in range(3):
        felt.step("tick")
        felt.sweep()
        assert posted(felt) == (500, 50000)
    felt.step("reveal")
    felt.step("tick")
    assert posted(felt) == (500, 50000)
    told = felt.step("settled", 0)
    assert [e["event"] for e in told if e["event"] in ("round", "limits")] == ["round", "limits"]
    assert posted(felt) == (2000, 20000)


def test_a_change_that_is_not_due_at_the_end_of_the_round_waits_on():
    felt = Felt()
    felt.bet(s1="A")
    felt.step("limits", 2000, 20000, "operator", 99_000)
    felt.deal("TS", "TH", "8D", "9H")
    felt.step("stand", 0)
    felt.step("reveal")
    felt.step("settled", 0)
    assert posted(felt) == (500, 50000) and felt.round.limits.pending


def test_cancel_takes_a_pending_change_away():
    felt = Felt()
    felt.bet(s1="A")
    felt.step("limits", 2000, 20000, "operator", 0)
    assert named(felt.step("limits_cancel", "operator"), "limits", min=500, pending=None)
    assert not felt.round.limits.pending


def test_new_limits_give_the_chips_that_lie_there_a_new_verdict():
    felt = Felt()
    felt.bet(s1="A")
    felt.step("limits", 2000, 20000, "operator", 0)
    felt.deal("TS", "TH", "8D", "9H")
    felt.step("stand", 0)
    felt.step("reveal")
    felt.step("settled", 0)
    felt.step("reopen")
    assert named(felt.sweeps(2), "bet", spot=1, sum=1000, verdict="under", value=0)


def test_a_spot_that_cannot_be_read_is_not_an_empty_spot():
    """"in OPEN when due and no chip lies on any spot": noise proves that something lies there."""
    felt = Felt()
    felt.sweep(garbled=(1,))
    felt.sweep(garbled=(1,))
    felt.step("limits", 2000, 20000, "operator", 0)
    felt.step("tick")
    assert posted(felt) == (500, 50000)
