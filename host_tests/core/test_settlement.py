"""Settlement and totals against a second way of counting, written apart from the firmware's."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firstcard import rules
from firstcard.core import cards, hands, settlement
from host_tests.common.test_settlement import PROFILES, ROWS, expected, hand, profile_of, settled

PROFILE = rules.load("us-in-blackjack")
HAND = st.lists(st.integers(0, 51), min_size=2, max_size=10).map(bytes)
VALUES = {rank: (int(rank),) for rank in "23456789"} | {rank: (10,) for rank in "TJQK"} | {"A": (1, 11)}


def best(hand):
    """Best total by trying every value of every ace."""
    sums = {sum(choice) for choice in product(*(VALUES[cards.name(card)[0]] for card in hand))}
    return max((s for s in sums if s <= 21), default=min(sums))


def is_natural(hand):
    """One ace and one ten or picture."""
    letters = sorted(cards.name(card)[0] for card in hand)
    return len(letters) == 2 and "A" in letters and bool(set(letters) & set("TJQK"))


def indiana(player, split, dealer):
    """68 IAC 10-2-4 (a) and (b), sentence by sentence; what the player does not win or get back is lost."""
    mine, theirs = best(player), best(dealer)
    blackjack = is_natural(player) and not split
    if blackjack and is_natural(dealer):
        return "push"
    if is_natural(dealer) and mine == 21:
        return "lose"
    if blackjack:
        return "blackjack"
    if mine <= 21 and (theirs > 21 or mine > theirs):
        return "win"
    if mine <= 21 and mine == theirs:
        return "push"
    return "lose"


def dakota(player, split, dealer):
    """North Dakota: what the section supposes (R5, R6, ND-48): the customary game."""
    return indiana(player, split, dealer)


def commonwealth(player, split, dealer, beats, split_natural):
    """Subregulation (1) (a) to (c) with its proviso as far as it goes; `beats`, `split_natural`: house readings."""
    mine, theirs = best(player), best(dealer)
    two = is_natural(player) and (split_natural or not split)
    won = (mine <= 21 < theirs) or (mine <= 21 and theirs <= 21 and mine > theirs)
    if two and not is_natural(dealer):
        return "blackjack"  # (c), and (b) or (a) below 21
    if won:
        return "win"
    if mine <= 21 and mine == theirs:
        return "lose" if beats and is_natural(dealer) and not two else "push"
    return "lose"


SECOND = {
    "ND": dakota,
    "IN": indiana,
    "GCB literal": lambda *cards: commonwealth(*cards, False, False),
    "GCB customary": lambda *cards: commonwealth(*cards, True, False),
    "GCB split": lambda *cards: commonwealth(*cards, True, True),
}


@pytest.mark.parametrize("row", ROWS, ids=[f"{row[0]} {row[1]}" for row in ROWS])
def test_worked_example(row):
    _, profile, clauses, _, player, split, dealer, told = row
    assert settled(row) == expected(row), clauses
    assert SECOND[profile](hand(player), split, hand(dealer)) == told["main"][0], "the second way disagrees"


@given(HAND)
def test_totals(some):
    total, soft = hands.total(some)
    assert total == best(some)
    ones = sum(cards.name(card)[0] == "A" for card in some)
    low = sum(min(VALUES[cards.name(card)[0]]) for card in some)
    assert soft == (ones > 0 and low + 10 <= 21)


@pytest.mark.parametrize("name", PROFILES)
@given(player=HAND, split=st.booleans(), dealer=HAND, halves=st.integers(1, 10_000_000), tip=st.integers(0, 2500),
       double=st.integers(0, 2500), insured=st.integers(0, 2500))
def test_hand(name, player, split, dealer, halves, tip, double, insured):
    stake = halves * 2  # 3:2 is exact
    told = SECOND[name](player, split, dealer)
    told_lines = settlement.hand(profile_of(name), (stake, double, insured, tip), player, split, dealer)
    lines = {line[0]: line[1:] for line in told_lines}
    back = 0 if told == "lose" else 1
    won = {"win": stake, "blackjack": stake + stake // 2}.get(told, 0)
    assert lines.pop("main") == (told, stake, back * stake, won, "player" if back else "tray")
    wins = told in ("win", "blackjack")
    if double:
        outcome = "win" if wins else told
        assert lines.pop("double") == (outcome, double, back * double, wins * double, "player" if back else "tray")
    if insured:
        paid = is_natural(dealer)
        assert lines.pop("insurance") == (("win", insured, insured, 2 * insured, "player") if paid else
                                          ("lose", insured, 0, 0, "tray"))
    if tip:
        to = "tip-box" if wins else "player" if back else "tray"
        assert lines.pop("tip") == ("win" if wins else told, tip, back * tip, wins * tip, to)
    assert not lines


@given(st.integers(1, 10**9), st.integers(1, 100), st.integers(1, 100), st.integers(1, 500))
def test_odds_are_paid_to_the_cent_or_to_the_smallest_chip(stake, pays, for_each, chip):
    owed = Fraction(stake * pays, for_each)
    assert 0 <= settlement.pay(stake, (pays, for_each)) - owed < 1
    for breakage in ("up", "down"):
        paid = settlement.pay(stake, (pays, for_each), breakage, chip)
        assert paid % chip == 0
        assert 0 <= (paid - owed if breakage == "up" else owed - paid) < chip


@given(HAND)
def test_the_dealer_draws_below_17(dealer):
    assert settlement.dealer_draws(PROFILE, dealer) == (best(dealer) < 17)
