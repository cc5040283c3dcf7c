"""Random blackjack rounds against the independent engine blackjack21; `make prove` plays a hundred times as many.

The comparison itself is tried too: an outcome that was told wrongly must be found, whatever it is.
"""

import random

import pytest

from pit.prove import rounds
from pit.prove.engine import WHY, compare
from pit.prove.seats import Seats

ROUNDS = 1_000
PARTS = 10
FALSE = ("win", "lose", "push", "blackjack", "surrender", "even-money")


@pytest.mark.parametrize("part", range(PARTS))
def test_outcomes_are_the_engines_or_differ_for_a_named_reason(part):
    each = ROUNDS // PARTS
    counts, wrong = rounds.play(range(part * each, (part + 1) * each))
    assert wrong == []
    assert counts["rounds"] == each
    assert sum(counts[name] for name in ("agreed", *WHY)) == counts["hands"], "every hand has one verdict"
    assert counts["agreed"] > 0.85 * counts["hands"]


def played(n):
    """Round `n` of these tests, played."""
    seats = Seats(random.Random(n))
    seats.play()
    return seats


def test_the_rounds_have_everything_in_them():
    counts, _ = rounds.play(range(ROUNDS))
    assert [name for name in rounds.PLAYED if not counts[name]] == ["differ"]
    assert [name for name in WHY if not counts[name]] == []


def test_a_false_outcome_is_found():
    """Whatever a hand that agreed is said to be instead, it is a difference; none of the reasons covers for it."""
    tried = 0
    for n in range(60):
        seats = played(n)
        for place, hand in seats.every_hand():
            key = place, hand.number
            right = seats.told[key]
            if compare(seats)[0].get("agreed", 0) != len(seats.told):
                continue
            for false in FALSE:
                if false != right:
                    tried += 1
                    seats.told[key] = false
                    assert compare(seats)[1], (n, key, false)
            seats.told[key] = right
    assert tried > 200


def test_another_dealer_card_is_found():
    """The dealer that stands on soft 17 here and hits there, or the other way round."""
    found = 0
    for n in range(800):
        seats = played(n)
        other = {"hit": "stand", "stand": "hit"}[seats.options["soft17"]]
        seats.options["soft17"] = other
        found += any("dealer" in text for text in compare(seats)[1])
    assert found > 3


def test_a_deed_out_of_turn_is_found():
    found = 0
    for n in range(100):
        seats = played(n)
        if len(seats.deeds) > 1 and seats.deeds[0][:3] != seats.deeds[1][:3]:
            seats.deeds.reverse()
            found += any("the engine waits" in text for text in compare(seats)[1])
    assert found > 10


def test_money_is_compared_too(monkeypatch):
    """A second evaluator that pays naturals 1:1 disagrees."""
    seats = [Seats(random.Random(n)) for n in range(300)]
    for one in seats:
        one.terms.natural_pays = (1, 1)
    monkeypatch.setattr(rounds, "Seats", lambda rnd: seats.pop())
    counts, wrong = rounds.play(range(300))
    assert counts["differ"] == len(wrong) > 20
