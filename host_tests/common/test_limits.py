"""Table limits and amounts of wagers against the profiles (core.limits). Rows A.., D.. are worked examples."""

from firstcard import rules
from firstcard.core import limits

DAKOTA = "us-nd-twentyone"

#    name, clauses, (min, max), chips, (verdict, value, excess) under us-nd-twentyone
WAGERS = (
    ("A01", "ND-01 ND-02 ND-08", (300, 2500), (300,), ("ok", 300, 0)),
    ("A02", "ND-02 ND-06", (300, 2500), (500,) * 5, ("ok", 2500, 0)),
    ("A03", "ND-09", (300, 2500), (1000,) * 3, ("over", 2500, 500)),
    ("A04", "ND-08 R3", (300, 2500), (100, 100), ("under", 0, 0)),
    ("A05", "ND-08", (300, 2500), (500, 200), ("ok", 700, 0)),
    ("A07", "ND-01 R1", (300, 2500), (100,) * 7, ("ok", 700, 0)),
    ("A09", "ND-06 ND-09", (300, 1000), (500, 500, 100), ("over", 1000, 100)),
    ("half a dollar", "ND-01", (300, 2500), (500, 50), ("unit", 0, 0)),
    ("half a dollar below the minimum", "ND-01", (300, 2500), (100, 50), ("unit", 0, 0)),
    ("half a dollar over the maximum", "ND-09", (300, 2500), (2500, 50), ("over", 2500, 50)),
    ("one dollar", "ND-02", (100, 2500), (100,), ("ok", 100, 0)),
)

#    name, clauses, options, table maximum, tip, (verdict, value, excess)
TIPS = (
    ("D05", "ND-23", {}, 2500, 25, ("under", 0, 0)),
    ("D07", "ND-23", {}, 2500, 500, ("ok", 500, 0)),
    ("least", "ND-23", {}, 2500, 50, ("ok", 50, 0)),
    ("most", "ND-23", {}, 2500, 2500, ("ok", 2500, 0)),
    ("over the table", "ND-23 R8", {}, 1000, 1050, ("over", 1000, 50)),
    ("house cap", "ND-23 R8", {"tip_cap": 500}, 2500, 700, ("over", 500, 200)),
    ("house cap met", "ND-23", {"tip_cap": 500}, 2500, 500, ("ok", 500, 0)),
    ("house cap above the table", "ND-23", {"tip_cap": 2000}, 1000, 1500, ("over", 1000, 500)),
    ("step", "ND R15", {}, 2500, 75, ("unit", 0, 0)),
    ("finer step", "ND R15", {"tip_step": 25}, 2500, 75, ("ok", 75, 0)),
    ("switched off", "ND-19", {"tips": False}, 2500, 100, ("not-allowed", 0, 0)),
)


def test_limits_that_are_allowed():
    profile = rules.load("us-in-blackjack")
    for low, high in ((500, 50000), (100, 100), (999900, 9999900), (300, 2500)):
        assert limits.check(profile, low, high) is None, (low, high)


def test_refusals_name_what_is_wrong():
    for profile_id in ("us-in-blackjack", "us-in-three-card-poker"):
        profile = rules.load(profile_id)
        for low, high, number, details in (
            (50000, 500, limits.ORDER, ("500", "5")),
            (0, 500, limits.POSITIVE, ()),
            (500, 0, limits.POSITIVE, ()),
            (-100, 500, limits.POSITIVE, ()),
            (1, 500, limits.WHOLE_DOLLARS, ()),
            (100, 101, limits.WHOLE_DOLLARS, ()),
            (250, 500, limits.WHOLE_DOLLARS, ()),
            (500, 50050, limits.WHOLE_DOLLARS, ()),
            (1000000, 9999900, limits.PLAQUE, ("10000", "9999")),
            (500, 10000000, limits.PLAQUE, ("100000", "99999")),
        ):
            assert limits.check(profile, low, high) == (number, details), (low, high)


def test_numbers_of_the_refusals():
    """They are part of the operator's protocol."""
    assert (limits.ORDER, limits.POSITIVE, limits.STATUTE_MIN, limits.STATUTE_MAX, limits.WHOLE_DOLLARS, limits.PLAQUE,
            limits.SOLE_TABLE, limits.NOT_ON_THE_LIST) == (31, 32, 33, 34, 35, 36, 38, 39)


def test_the_statute():
    """A14, ND-02, ND-06."""
    profile = rules.load(DAKOTA)
    for low, high in ((100, 100), (100, 2500), (300, 2500), (300, 300)):
        assert limits.check(profile, low, high) is None, (low, high)
    assert limits.check(profile, 300, 2600) == (limits.STATUTE_MAX, ("26", "25", "ND-06"))
    profile.statute_min = 200
    assert limits.check(profile, 100, 2500) == (limits.STATUTE_MIN, ("1", "2", "ND-06"))


def test_one_active_table_has_a_minimum_of_3_dollars_or_less():
    """A11, A12, ND-03, ND-04, ND-05."""
    refused = limits.SOLE_TABLE, ("5", "3", "ND-03")
    for others, answer in (
        ([], refused),
        ([{"min": 300, "max": 2500}], None),
        ([{"min": 300, "max": 2500, "active": False}], refused),
        ([{"min": 400, "max": 2500}], refused),
        ([{"min": 400, "max": 2500}, {"min": 100, "max": 500, "active": True}], None),
    ):
        profile = rules.load(DAKOTA, {"other_tables": others})
        assert limits.check(profile, 500, 2500) == answer, others
        assert limits.check(profile, 300, 2500) is None
    profile = rules.load(DAKOTA)
    profile.other_tables = ((100, 2500, True),)  # told by a command
    assert limits.sole_table(profile, 500) is None


def test_only_approved_limits():
    """H03, GCB-08; what a table's own file starts with counts as approved."""
    options = {"dealer_natural_beats_21": True, "approved_limits": [[500, 5000], [1000, 10000]]}
    profile = rules.load("gcb-blackjack", options)
    assert limits.check(profile, 500, 5000) is None and limits.check(profile, 1000, 10000) is None
    assert limits.check(profile, 500, 10000) == (limits.NOT_ON_THE_LIST, ("5", "100", "GCB-08"))
    limits.approve(profile, 500, 10000)
    assert limits.check(profile, 500, 10000) is None
    assert limits.check(profile, 600, 10000)[0] == limits.NOT_ON_THE_LIST
    bare = rules.load("gcb-blackjack", {"dealer_natural_beats_21": True})
    assert limits.check(bare, 500, 5000)[0] == limits.NOT_ON_THE_LIST
    limits.approve(bare, 500, 5000)
    limits.approve(bare, 500, 5000)
    assert bare.approved_limits == ((500, 5000),) and limits.check(bare, 500, 5000) is None
    indiana = rules.load("us-in-blackjack")
    limits.approve(indiana, 500, 5000)
    assert not hasattr(indiana, "approved_limits")


def test_where_a_sign_is_demanded():
    """A15, A16, ND-07; GCB-08: always; elsewhere other rules."""
    for others, needed in (([], False), ([[300, 2500]], False), ([[300, 2500], [300, 1000]], True),
                           ([[100, 2500]], True), ("5-10 idle", True)):
        assert limits.sign_needed(rules.load(DAKOTA, {"other_tables": others}), 300, 2500) == needed, others
    assert limits.sign_needed(rules.load("gcb-blackjack", {"dealer_natural_beats_21": True}), 500, 5000)
    assert not limits.sign_needed(rules.load("us-in-blackjack"), 500, 5000)
    assert not limits.sign_needed(rules.load("us-in-three-card-poker"), 500, 5000)


def test_notice_of_a_change():
    """ND-10, R12."""
    profile = rules.load(DAKOTA)
    assert limits.notice_s(profile, True) == 1200 and limits.notice_s(profile, False) == 0
    assert limits.notice_s(rules.load("us-in-blackjack"), True) == 0


def test_wagers_in_north_dakota():
    profile = rules.load(DAKOTA)
    for name, _, (low, high), chips, told in WAGERS:
        assert limits.verdict(profile, sum(chips), low, high) == told, name


def test_wagers_elsewhere():
    """IN-BJ-01."""
    for profile_id, options in (("us-in-blackjack", {}), ("gcb-blackjack", {"dealer_natural_beats_21": True}),
                                ("us-in-three-card-poker", {})):
        profile = rules.load(profile_id, options)
        for cents, told in ((499, ("under", 0, 0)), (500, ("ok", 500, 0)), (525, ("ok", 525, 0)),
                            (5000, ("ok", 5000, 0)), (5001, ("over", 0, 0))):
            assert limits.verdict(profile, cents, 500, 5000) == told, (profile_id, cents)
        assert limits.tip_verdict(profile, 100, 5000) == ("not-allowed", 0, 0)


def test_tips():
    for name, _, options, high, cents, told in TIPS:
        both = {"tips": True}
        both.update(options)
        assert limits.tip_verdict(rules.load(DAKOTA, both), cents, high) == told, name


def test_insurance_is_half_exactly_or_at_most():
    """E05, ND-33."""
    exact, most = rules.load(DAKOTA), rules.load("us-in-blackjack")
    for wager, cents, off, off_most in ((1000, 500, 0, 0), (1000, 400, -100, 0), (1000, 600, 100, 100),
                                        (700, 350, 0, 0), (700, 300, -50, 0), (1000, 501, 1, 1),
                                        (1000, 499, -1, 0), (525, 262, 0, 0), (525, 263, 1, 1)):
        assert limits.insurance_off(exact, wager, cents) == off, (wager, cents)
        assert limits.insurance_off(most, wager, cents) == off_most, (wager, cents)


def test_doubles_are_equal_or_less():
    """F10, F16, ND-52."""
    for profile_id, double in ((DAKOTA, "equal"), (DAKOTA, "equal_or_less"), ("us-in-blackjack", "equal_or_less"),
                               ("us-in-blackjack", "equal")):
        profile = rules.load(profile_id, {"double": double})
        less = 0 if double == "equal_or_less" else -300
        for cents, off in ((1000, 0), (700, less), (1100, 100), (1001, 1), (0, -1000)):
            assert limits.double_off(profile, 1000, cents) == off, (profile_id, double, cents)


def test_chips_that_were_taken_away_are_no_bet():
    for name, options in (("us-in-blackjack", {}), (DAKOTA, {"double": "equal_or_less"})):
        profile = rules.load(name, options)
        for cents in (-1, -500, -1000, -2000):
            assert limits.double_off(profile, 1000, cents) == cents - 1000
            assert limits.insurance_off(profile, 1000, cents) == cents - 500
