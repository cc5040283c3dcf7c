"""Table limits against profile and plaque (firstcard.core.limits)."""

from firstcard import rules
from firstcard.core import limits


class Dakota:
    """Bounds of a text that has some: 1 to 25 dollars."""

    statute_min = 100
    statute_max = 2500
    statute_clause = "ND-06"


def test_limits_that_are_allowed():
    profile = rules.load("us-in-blackjack")
    for low, high in ((500, 50000), (100, 100), (999900, 9999900), (300, 2500)):
        assert limits.check(profile, low, high) is None, (low, high)
    assert limits.check(Dakota, 100, 2500) is None
    assert limits.check(Dakota, 300, 2500) is None


def test_refusals_name_what_is_wrong():
    profile = rules.load("us-in-blackjack")
    for low, high, number, details in (
        (50000, 500, limits.ORDER, ("500", "5")),
        (0, 500, limits.POSITIVE, ()),
        (500, 0, limits.POSITIVE, ()),
        (-100, 500, limits.POSITIVE, ()),
        (250, 500, limits.WHOLE_DOLLARS, ()),
        (500, 50050, limits.WHOLE_DOLLARS, ()),
        (1000000, 9999900, limits.PLAQUE, ("10000", "9999")),
        (500, 10000000, limits.PLAQUE, ("100000", "99999")),
    ):
        assert limits.check(profile, low, high) == (number, details), (low, high)


def test_the_bounds_of_a_text_are_named_with_their_clause():
    assert limits.check(Dakota, 300, 2600) == (limits.STATUTE_MAX, ("26", "25", "ND-06"))  # A14
    Dakota.statute_min = 200
    try:
        assert limits.check(Dakota, 100, 2500) == (limits.STATUTE_MIN, ("1", "2", "ND-06"))
    finally:
        Dakota.statute_min = 100
