"""Limits: accepted exactly inside the bounds, one cent or dollar outside refused; amounts against a second way."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firstcard import rules
from firstcard.core import digits, limits
from host_tests.common.test_limits import TIPS, WAGERS

AMOUNT = st.integers(-10, 10_100_000) | st.integers(0, 100_100).map(lambda dollars: dollars * 100)
DAKOTA = rules.load("us-nd-twentyone", {"tips": True})
TABLES = st.lists(st.tuples(st.integers(1, 25), st.booleans()), max_size=4)


@given(AMOUNT, AMOUNT)
def test_us_in_blackjack(low, high):
    good = 0 < low <= high and low % 100 == 0 and high % 100 == 0 and low <= 999_900 and high <= 9_999_900
    assert (limits.check(rules.load("us-in-blackjack"), low, high) is None) == good


@given(st.integers(0, 30), st.integers(0, 30), TABLES)
def test_north_dakota(low, high, others):
    """ND-02, ND-03, ND-04, ND-06."""
    profile = rules.load("us-nd-twentyone")
    profile.other_tables = tuple((dollars * 100, 2500, active) for dollars, active in others)
    active_minima = [low] + [dollars for dollars, active in others if active]
    good = 1 <= low <= high <= 25 and min(active_minima) <= 3
    assert (limits.check(profile, low * 100, high * 100) is None) == good


@given(st.integers(1, 9_999), st.integers(1, 99_999))
def test_whatever_is_accepted_can_be_shown(low, high):
    if limits.check(rules.load("us-in-blackjack"), low * 100, high * 100) is None:
        buf = bytearray(digits.size(7))
        digits.draw(buf, low * 100, high * 100, digits.GREEN, bytes(7))
        assert digits.decode(buf) == (low * 100, high * 100, digits.GREEN)


@pytest.mark.parametrize("row", WAGERS, ids=[row[0] for row in WAGERS])
def test_wager(row):
    _, clauses, (low, high), chips, told = row
    assert limits.verdict(DAKOTA, sum(chips), low, high) == told, clauses


@pytest.mark.parametrize("row", TIPS, ids=[row[0] for row in TIPS])
def test_tip(row):
    _, clauses, options, high, cents, told = row
    profile = rules.load("us-nd-twentyone", {"tips": True, **options})
    assert limits.tip_verdict(profile, cents, high) == told, clauses


@given(st.integers(1, 25), st.integers(1, 25), st.integers(1, 5000))
def test_every_whole_dollar_between_the_limits_counts_and_nothing_else(a, b, cents):
    """ND-01, ND-08, ND-09."""
    low, high = min(a, b) * 100, max(a, b) * 100
    word, value, excess = limits.verdict(DAKOTA, cents, low, high)
    whole = cents in range(100, 2600, 100)
    assert (word == "ok") == (whole and low <= cents <= high)
    assert (value, excess) == ((cents, 0) if word == "ok" else (high, cents - high) if cents > high else (0, 0))


@given(st.integers(1, 2500), st.integers(1, 2500))
def test_differences_put_right_end_at_zero(wager, cents):
    for profile in (DAKOTA, rules.load("us-in-blackjack")):
        off = limits.double_off(profile, wager, cents)
        assert limits.double_off(profile, wager, cents - off) == 0
        off = limits.insurance_off(profile, wager, cents)
        assert limits.insurance_off(profile, wager, cents - off) == 0
        assert 2 * (cents - off) <= wager


@pytest.mark.parametrize("cents, off", [(0, -500), (1, 0), (500, 0), (501, 1), (-1, -501)])
def test_a_double_for_less_may_be_a_cent(cents, off):
    assert limits.double_off(rules.load("us-in-blackjack", {"double": "equal_or_less"}), 500, cents) == off
