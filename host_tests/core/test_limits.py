"""Limits: accepted exactly inside the bounds, one cent or dollar outside refused."""

from types import SimpleNamespace

from hypothesis import given
from hypothesis import strategies as st

from firstcard import rules
from firstcard.core import digits, limits

DAKOTA = SimpleNamespace(statute_min=100, statute_max=2500, statute_clause="ND-06")
AMOUNT = st.integers(-10, 10_100_000) | st.integers(0, 100_100).map(lambda dollars: dollars * 100)


@given(AMOUNT, AMOUNT)
def test_us_in_blackjack(low, high):
    good = 0 < low <= high and low % 100 == 0 and high % 100 == 0 and low <= 999_900 and high <= 9_999_900
    assert (limits.check(rules.load("us-in-blackjack"), low, high) is None) == good


@given(st.integers(0, 30), st.integers(0, 30))
def test_a_text_with_bounds(low, high):
    assert (limits.check(DAKOTA, low * 100, high * 100) is None) == (1 <= low <= high <= 25)


@given(st.integers(1, 9_999), st.integers(1, 99_999))
def test_whatever_is_accepted_can_be_shown(low, high):
    if limits.check(rules.load("us-in-blackjack"), low * 100, high * 100) is None:
        buf = bytearray(digits.size(7))
        digits.draw(buf, low * 100, high * 100, digits.GREEN, bytes(7))
        assert digits.decode(buf) == (low * 100, high * 100, digits.GREEN)
