"""May these table limits be set? Checked against the rule profile and against what the plaque can show."""

from firstcard.core import money

MOST_MIN_CENTS = 999_900  # four digits of whole dollars
MOST_MAX_CENTS = 9_999_900  # five digits

# Numbers of refusals; the texts are in texts/en.txt
ORDER = 31
POSITIVE = 32
STATUTE_MIN = 33
STATUTE_MAX = 34
WHOLE_DOLLARS = 35
PLAQUE = 36


def check(profile, min_cents, max_cents):
    """None, or (error number, arguments of its text).

    profile: statute_min and statute_max in cents or None, statute_clause names where they stand (IN-BJ-01: the licensee
    sets the limits, the text has no bounds; ND-02, ND-06: 1 to 25 dollars). Limits are whole dollars: the plaque's
    digits have no point.
    """
    if min_cents <= 0 or max_cents <= 0:
        return POSITIVE, ()
    if min_cents % 100 or max_cents % 100:
        return WHOLE_DOLLARS, ()
    if min_cents > max_cents:
        return ORDER, (money.show(min_cents), money.show(max_cents))
    low, high = profile.statute_min, profile.statute_max
    if low is not None and min_cents < low:
        return STATUTE_MIN, (money.show(min_cents), money.show(low), profile.statute_clause)
    if high is not None and max_cents > high:
        return STATUTE_MAX, (money.show(max_cents), money.show(high), profile.statute_clause)
    if min_cents > MOST_MIN_CENTS:
        return PLAQUE, (money.show(min_cents), money.show(MOST_MIN_CENTS))
    if max_cents > MOST_MAX_CENTS:
        return PLAQUE, (money.show(max_cents), money.show(MOST_MAX_CENTS))
    return None
