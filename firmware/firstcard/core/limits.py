"""Table limits and amounts of wagers under a rule profile: which limits may be set, what a sum of chips counts."""

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
SOLE_TABLE = 38
NOT_ON_THE_LIST = 39


def check(profile, min_cents, max_cents):
    """None, or (error number, arguments of its text).

    profile: statute_min and statute_max in cents or None, statute_clause names where they stand (IN-BJ-01: the licensee
    sets the limits, the text has no bounds; ND-02, ND-06: 1 to 25 dollars); sole_min, other_tables: see `sole_table`;
    approval and approved_limits: only pairs of that list (GCB-08). Limits are whole dollars: the plaque's digits have
    no point.
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
    if profile.approval and (min_cents, max_cents) not in profile.approved_limits:
        return NOT_ON_THE_LIST, (money.show(min_cents), money.show(max_cents), profile.approval)
    return sole_table(profile, min_cents)


def approve(profile, min_cents, max_cents):
    """The limits that a table's own file starts with count as approved: they were entered with that approval."""
    if profile.approval and (min_cents, max_cents) not in profile.approved_limits:
        profile.approved_limits += ((min_cents, max_cents),)


def sole_table(profile, min_cents):
    """None, or the refusal if no active table of the site would have a minimum that low (ND-03, ND-04, R2).

    profile.other_tables: (min, max, active) of each other table; none known = this is the only one. To be asked again
    before this table opens, and when another table has changed.
    """
    least = profile.sole_min
    if least is None or min_cents <= least:
        return None
    for low, _, active in profile.other_tables:
        if active and low <= least:  # ND-05: only active tables count
            return None
    return SOLE_TABLE, (money.show(min_cents), money.show(least), "ND-03")


def sign_needed(profile, min_cents, max_cents):
    """Must a sign show these limits, so that a dark plaque keeps the table closed? GCB-08: at each table, always;
    ND-07: where the tables of the site, active or not, have different limits."""
    if profile.sign == "differ":
        for low, high, _ in profile.other_tables:
            if low != min_cents or high != max_cents:
                return True
    return profile.sign == "always"


def notice_s(profile, chips):
    """Least seconds between announcing new limits and playing by them; `chips`: some lie on a spot (ND-10, R12)."""
    return profile.notice_s if chips else 0


def verdict(profile, cents, min_cents, max_cents):
    """(verdict, cents that count, excess) of a sum of chips as an original wager.

    Over the maximum: cut down to it in ND, whatever the sum (ND-09); elsewhere nothing counts (IN-BJ R5). A sum that is
    no whole number of units counts nothing (ND-01), nor one below the minimum (ND R3, IN-BJ-01).
    """
    if cents > max_cents:
        return ("over", max_cents, cents - max_cents) if profile.clamp_over else ("over", 0, 0)
    if cents % profile.unit:
        return "unit", 0, 0
    if cents < min_cents:
        return "under", 0, 0
    return "ok", cents, 0


def tip_verdict(profile, cents, max_cents):
    """The same of a tip: 50 cents to the table maximum or the house's lower cap (ND-23), which need not be the
    original wager's; cut down above it (R8), in steps of `tip_step` (R15)."""
    if not profile.tips:  # ND-19
        return "not-allowed", 0, 0
    if profile.tip_cap and profile.tip_cap < max_cents:
        max_cents = profile.tip_cap
    if cents > max_cents:
        return "over", max_cents, cents - max_cents
    if cents < profile.tip_min:
        return "under", 0, 0
    if cents % profile.tip_step:
        return "unit", 0, 0
    return "ok", cents, 0


def insurance_off(profile, wager, cents):
    """By how many cents an insurance bet is wrong: > 0 too much, < 0 too little, 0 right. Half of the wager that
    counts, exactly (ND-33) or at most (house rule in the other texts)."""
    half = wager // 2
    return cents - half if cents > half or cents < 0 or (profile.insurance_exact and cents < half) else 0


def double_off(profile, wager, cents):
    """The same of a double: equal to what it doubles, or less where the house allows it (ND-52; 68 IAC 10-2-1(d)(5)).
    `wager`: the hand's wager, or the tip for a doubled tip."""
    return cents - wager if cents > wager or cents <= 0 or profile.double == "equal" else 0
