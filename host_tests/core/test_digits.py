"""The strip's picture: everything drawn is read back, and single dead LEDs never read as another amount."""

from hypothesis import given
from hypothesis import strategies as st

from firstcard.core import digits

COLOUR = st.integers(1, 3)


@given(st.integers(0, 9_999), st.integers(0, 99_999), COLOUR, st.lists(st.integers(0, 3), min_size=1, max_size=9))
def test_there_and_back(low, high, colour, spots):
    buf = bytearray(digits.size(len(spots)))
    digits.draw(buf, low * 100, high * 100, colour, spots)
    lit = low or high
    assert digits.decode(buf) == (low * 100, high * 100, colour if lit else digits.OFF)
    leds = [tuple(buf[at : at + 3]) for at in range(0, len(buf), 3)]
    assert digits.decode(leds) == digits.decode(buf)
    assert max(buf) <= 64


@given(st.integers(-(10**9), 10**9), st.integers(-(10**9), 10**9))
def test_any_cents_are_drawn_right_or_not_at_all(low, high):
    buf = bytearray(digits.size(7))
    digits.draw(buf, low, high, digits.GREEN, bytes(7))
    shown = digits.decode(buf)
    assert shown[0] == (low if 0 <= low <= 999_900 and low % 100 == 0 else -1)
    assert shown[1] == (high if 0 <= high <= 9_999_900 and high % 100 == 0 else -1)
