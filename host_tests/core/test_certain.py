"""A reading that is not certain: no bet is told until it is; one that never is counts for nothing, as `unreadable`."""

import pytest

from firstcard.core.events import READ_DOUBTFUL, READ_UNCERTAIN
from host_tests.core.felt import Felt, named

DOUBT = {"garbled": (1,), "status": READ_DOUBTFUL}
LONG = {"garbled": (1,), "status": READ_UNCERTAIN}


def laid(letters="AB"):
    felt = Felt()
    felt.lie = {1: letters, 2: "C"}
    return felt


def verdicts(told):
    return [(e["spot"], e["verdict"], e["value"]) for e in named(told, "bet")]


def wagers(told):
    return {w["spot"]: w["value"] for w in map(dict, named(told, "lock")[0]["wagers"])}


@pytest.mark.parametrize("doubts", [1, 2, 5, 9])
def test_a_bet_is_told_once_it_is_certain_and_the_others_do_not_wait(doubts):
    felt = laid()
    for _ in range(doubts):
        felt.sweep(**DOUBT)
    assert (1, "ok", 2000) not in verdicts(felt.events)
    if doubts > 3:
        assert verdicts(felt.events) == [(2, "ok", 1000)]
    assert (1, "ok", 2000) in verdicts(felt.sweep()), "read the same twice, and certain"


def test_one_that_does_not_become_certain_is_named_and_counts_for_nothing():
    felt = laid()
    felt.sweep(**DOUBT)
    for _ in range(2):
        felt.sweep(**LONG)
    assert (1, "unreadable", 0) in verdicts(felt.events)
    told = felt.lock()
    assert wagers(told) == {1: 0, 2: 1000}
    assert [(e["kind"], e["spot"]) for e in named(told, "alarm")] == [("unreadable", 1)]


def test_a_doubt_at_the_lock_takes_nothing_from_a_wager():
    """The last sweep that ended before the instant is the wager; those after it must agree."""
    felt = laid()
    felt.sweep(**DOUBT)
    told = felt.lock() + felt.sweep(**DOUBT)
    assert wagers(told) == {1: 2000, 2: 1000} and not named(told, "alarm") and not named(told, "unsettled")


def test_after_the_lock_it_hides_no_alarm_and_is_one_itself():
    felt = Felt()
    felt.bet(s1="A", s2="C")
    felt.lie[1] = "AB"
    told = [e for _ in range(3) for e in felt.sweep(**LONG)]
    assert [e["kind"] for e in named(told, "alarm")] == ["unreadable", "increase"]


def test_chips_of_a_window_count_once_they_are_certain():
    felt = Felt()
    felt.bet(s1="AB", s2="C")
    felt.deal("5S", "6H", "TD", "4S", "5H", "9C")
    felt.step("key", "double", 1, None, "dealer")
    felt.lie[1] = "ABDE"
    felt.sweep(**DOUBT)
    felt.step("confirm", 1, "dealer")
    for _ in range(4):
        assert not named(felt.sweep(**DOUBT), "extra")
    assert [(e["kind"], e["amount"]) for e in named(felt.sweep() + felt.sweep(), "extra")] == [("double", 2000)]
