"""Settlement and totals against a second way of counting, written apart from the firmware's."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firstcard import rules
from firstcard.core import cards, hands, settlement
from host_tests.common.test_settlement import ROWS, hand

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


def outcome(player, split, dealer):
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


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_worked_example(row):
    name, clause, stake, player, split, dealer, expected = row
    assert settlement.main_bet(PROFILE, stake, hand(player), split, hand(dealer)) == expected, clause
    assert outcome(hand(player), split, hand(dealer)) == expected[0], f"{name}: the second way disagrees"


@given(HAND)
def test_totals(some):
    total, soft = hands.total(some)
    assert total == best(some)
    ones = sum(cards.name(card)[0] == "A" for card in some)
    low = sum(min(VALUES[cards.name(card)[0]]) for card in some)
    assert soft == (ones > 0 and low + 10 <= 21)


@given(HAND, st.booleans(), HAND, st.integers(1, 10_000_000))
def test_main_wager(player, split, dealer, halves):
    stake = halves * 2  # 3:2 is exact
    told = outcome(player, split, dealer)
    returned = 0 if told == "lose" else stake
    won = {"win": stake, "blackjack": stake + stake // 2}.get(told, 0)
    assert settlement.main_bet(PROFILE, stake, player, split, dealer) == (told, returned, won)


@given(st.integers(1, 10**9), st.integers(1, 100), st.integers(1, 100))
def test_odds_are_exact_or_refused(stake, pays, for_each):
    exact, rest = divmod(stake * pays, for_each)
    if rest == 0:
        assert settlement.pay(stake, (pays, for_each)) == exact
    else:
        with pytest.raises(settlement.Inexact):
            settlement.pay(stake, (pays, for_each))
    assert settlement.pay(stake, (pays, for_each), "down") == exact
    assert settlement.pay(stake, (pays, for_each), "up") == exact + (rest > 0)


@given(HAND)
def test_the_dealer_draws_below_17(dealer):
    assert settlement.dealer_draws(PROFILE, dealer) == (best(dealer) < 17)
