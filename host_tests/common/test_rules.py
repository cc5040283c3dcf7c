"""Rule profiles and their loader (firstcard.rules)."""

from firstcard import rules
from host_tests.common.raising import error_of


def refusal(profile_id, options):
    error = error_of(rules.RuleError, rules.load, profile_id, options)
    return error.number, error.details


BLACKJACK = (  # parameter, us-nd-twentyone, us-in-blackjack, gcb-blackjack
    ("game", "blackjack", "blackjack", "blackjack"),
    ("unit", 100, 1, 1),
    ("statute_min", 100, None, None),
    ("statute_max", 2500, None, None),
    ("sole_min", 300, None, None),
    ("approval", None, None, "GCB-08"),
    ("clamp_over", True, False, False),
    ("sign", "differ", "no", "always"),
    ("oral", False, False, True),
    ("double", "equal", "equal_or_less", "equal"),
    ("insurance", True, True, True),
    ("insurance_exact", True, False, False),
    ("hole_card", True, True, True),
    ("peek", True, True, True),
    ("soft17", "stand", "stand", "stand"),
    ("max_hands", 4, 4, 4),
    ("split_tens", True, True, True),
    ("aces_one_card", True, True, True),
    ("resplit_aces", True, False, False),
    ("split_natural", False, False, False),
    ("natural_pays", (3, 2), (3, 2), (3, 2)),
    ("decks", 6, 6, 6),
    ("notice_s", 1200, 0, 0),
    ("surrender", False, False, False),
    ("even_money", False, False, False),
    ("tips", False, False, False),
    ("tip_double", False, False, False),
    ("tip_cap", False, False, False),
    ("promotions", (), (), False),
    ("dealer_natural_beats_21", True, True, True),
    ("breakage", "none", "none", "none"),
    ("smallest_chip", 50, 50, 50),
)

POKER = (
    ("game", "three-card-poker"), ("unit", 1), ("statute_min", None), ("statute_max", None), ("sole_min", None),
    ("approval", None), ("clamp_over", False), ("sign", "no"), ("oral", False), ("tips", False), ("tip_double", False),
    ("tip_cap", False), ("decks", 1), ("bonus_pays", (5, 4, 1)), ("ante_pays", (1, 1)), ("play_pays", (1, 1)),
    ("fold_bonus", False), ("packets", False), ("breakage", "none"), ("smallest_chip", 50), ("notice_s", 0),
)

CHOICE = {"dealer_natural_beats_21": True}  # what gcb-blackjack has no default for


def test_defaults():
    """The table of house options, column by column."""
    profiles = (rules.load("us-nd-twentyone"), rules.load("us-in-blackjack"), rules.load("gcb-blackjack", CHOICE))
    for row in BLACKJACK:
        for place, profile in enumerate(profiles):
            assert getattr(profile, row[0]) == row[1 + place], (row[0], profile.id)
    profile = rules.load("us-in-three-card-poker")
    for name, value in POKER:
        assert getattr(profile, name) == value, name
    assert profiles[0].other_tables == () and profiles[2].approved_limits == ()
    assert (profiles[0].tip_min, profiles[0].tip_step) == (50, 50)


def test_the_house_may_choose():
    profile = rules.load("us-in-blackjack", {"natural_pays": [6, 5], "surrender": True, "decks": 8, "soft17": "hit",
                                             "insurance": False})
    assert (profile.natural_pays, profile.surrender, profile.decks) == ((6, 5), True, 8)
    assert (profile.soft17, profile.insurance) == ("hit", False)


def test_options_may_come_as_an_operator_types_them():
    profile = rules.load("us-in-blackjack", {"natural_pays": "6:5", "surrender": "on", "decks": "8", "peek": "false"})
    assert (profile.natural_pays, profile.surrender, profile.decks, profile.peek) == ((6, 5), True, 8, False)


def test_profiles_that_do_not_exist_or_are_not_built():
    assert refusal("us-xx-roulette", {})[0] == rules.UNKNOWN_PROFILE
    assert "us-in-blackjack" in refusal("us-xx-roulette", {})[1][1]
    assert refusal("../main", {})[0] == rules.UNKNOWN_PROFILE


def test_an_option_that_does_not_exist_is_named():
    number, details = refusal("us-in-blackjack", {"soft_17": "hit"})
    assert number == rules.UNKNOWN_OPTION
    assert details[:2] == ("soft_17", "us-in-blackjack")
    assert "soft17" in details[2].split()
    assert refusal("us-in-blackjack", {"packets": True})[0] == rules.UNKNOWN_OPTION


def test_a_value_that_is_not_allowed_is_named_with_what_is():
    for name, value, told, allowed in (
        ("double", "less", "less", "equal_or_less equal"),
        ("soft17", True, "true", "stand hit"),
        ("decks", 9, "9", "1 to 8"),
        ("decks", 0, "0", "1 to 8"),
        ("decks", True, "true", "1 to 8"),
        ("decks", "six", "six", "1 to 8"),
        ("surrender", 1, "1", "false true"),
        ("surrender", "maybe", "maybe", "false true"),
        ("max_hands", 5, "5", "1 to 4"),
        ("natural_pays", [1, 2], "1:2", "a ratio such as 3:2, at least 1:1"),
        ("natural_pays", [3, 0], "3:0", "a ratio such as 3:2, at least 1:1"),
        ("natural_pays", 2, "2", "a ratio such as 3:2, at least 1:1"),
        ("natural_pays", [3, 2, 1], "3:2:1", "a ratio such as 3:2, at least 1:1"),
        ("notice_s", -1, "-1", "0 to 86400"),
    ):
        assert refusal("us-in-blackjack", {name: value}) == (rules.BAD_VALUE, (told, name, allowed)), name


def test_what_the_text_forbids_is_refused_with_its_clause_and_may_be_named_as_off():
    for profile_id, options, names, clause in (
        ("us-in-blackjack", {}, "tips tip_double tip_cap", "IN-BJ-02"),
        ("us-in-three-card-poker", {}, "tips tip_double tip_cap", "IN-TCP-01"),
        ("gcb-blackjack", CHOICE, "tips tip_double tip_cap", "GCB-07"),
        ("gcb-blackjack", CHOICE, "surrender even_money", "GCB-06"),
        ("us-nd-twentyone", {}, "surrender", "ND-13"),
        ("us-nd-twentyone", {}, "tip_insurance", "ND-32"),  # E10
    ):
        for name in names.split():
            for value in (True, "on", 500):
                both = dict(options)
                both[name] = value
                assert refusal(profile_id, both) == (rules.OPTION_FORBIDDEN, (name, profile_id, clause))
            for value in (False, "off"):
                both[name] = value
                assert getattr(rules.load(profile_id, both), name) is False


def test_what_the_text_fixes_is_no_option():
    """The refusal names the clause."""
    for profile_id, name, value, told, allowed, clause in (
        ("us-in-blackjack", "dealer_natural_beats_21", False, "false", "true", "IN-BJ-08"),
        ("us-nd-twentyone", "unit", 500, "500", "100", "ND-08"),  # multiples of 5 dollars
        ("us-nd-twentyone", "split_tens", False, "false", "true", "ND-41"),
        ("us-nd-twentyone", "resplit_aces", False, "false", "true", "ND-47"),
        ("us-nd-twentyone", "max_hands", 5, "5", "1 to 4", "ND-42"),
        ("us-nd-twentyone", "double", "half", "half", "equal equal_or_less", "ND-52"),
        ("us-nd-twentyone", "natural_pays", [6, 5], "6:5", "3:2", "ND R6"),
        ("us-nd-twentyone", "tip_cap", 2600, "2600", "0.50 to 25 dollars", "ND-23"),
        ("us-nd-twentyone", "tip_cap", 25, "25", "0.50 to 25 dollars", "ND-23"),
        ("gcb-blackjack", "natural_pays", [1, 1], "1:1", "3:2", "GCB-09"),
        ("us-in-three-card-poker", "bonus_pays", [4, 3, 1], "4:3:1", "at least 5:4:1", "IN-TCP-12"),  # G19
        ("us-in-three-card-poker", "bonus_pays", [5, 4, 0], "5:4:0", "at least 5:4:1", "IN-TCP-12"),
        ("us-in-three-card-poker", "bonus_pays", [5, 4], "5:4", "at least 5:4:1", "IN-TCP-12"),
        ("us-in-three-card-poker", "bonus_pays", [5, 4, True], "5:4:True", "at least 5:4:1", "IN-TCP-12"),
        ("us-in-three-card-poker", "ante_pays", [1, 2], "1:2", "a ratio such as 3:2, at least 1:1", "IN-TCP-07"),
    ):
        assert refusal(profile_id, {name: value}) == (rules.AGAINST_THE_TEXT, (told, name, allowed, clause)), name
    assert rules.load("us-in-blackjack", {"dealer_natural_beats_21": True}).dealer_natural_beats_21
    assert rules.load("us-nd-twentyone", {"unit": "100", "max_hands": 2}).max_hands == 2


def test_what_the_text_leaves_open_must_be_chosen():
    """GCB R2: the clause on ties breaks off."""
    assert refusal("gcb-blackjack", {}) == (
        rules.OPTION_NEEDED, ("dealer_natural_beats_21", "gcb-blackjack", "GCB-05", "false true"))
    for value in (True, False):
        assert rules.load("gcb-blackjack", {"dealer_natural_beats_21": value}).dealer_natural_beats_21 is value


def test_options_that_need_another():
    for options, details in (
        ({"even_money": True, "insurance": False}, ("even_money", "insurance", "ND-39")),
        ({"tip_double": True}, ("tip_double", "tips", "ND-51")),
        ({"tip_cap": 500}, ("tip_cap", "tips", "ND-23")),
        ({"peek": True, "hole_card": False}, ("peek", "hole_card", "house rule")),
    ):
        assert refusal("us-nd-twentyone", options) == (rules.CONFLICT, details)
    profile = rules.load("us-nd-twentyone", {"tips": True, "tip_double": True, "tip_cap": 500, "even_money": True})
    assert (profile.tip_double, profile.tip_cap, profile.even_money) == (True, 500, True)


#     profile, option, the least and the most that a number may be
BOUNDS = (
    ("us-nd-twentyone", "decks", 1, 8), ("us-nd-twentyone", "tip_cap", 50, 2500),
    ("us-nd-twentyone", "tip_step", 1, 2500), ("us-nd-twentyone", "max_hands", 1, 4),
    ("us-nd-twentyone", "smallest_chip", 1, 2500), ("us-nd-twentyone", "notice_s", 0, 86400),
    ("us-in-blackjack", "decks", 1, 8), ("us-in-blackjack", "max_hands", 1, 4),
    ("us-in-blackjack", "smallest_chip", 1, 10000), ("us-in-blackjack", "notice_s", 0, 86400),
    ("gcb-blackjack", "decks", 1, 8), ("gcb-blackjack", "max_hands", 1, 4),
    ("gcb-blackjack", "smallest_chip", 1, 10000), ("gcb-blackjack", "notice_s", 0, 86400),
    ("us-in-three-card-poker", "decks", 1, 1), ("us-in-three-card-poker", "smallest_chip", 1, 10000),
    ("us-in-three-card-poker", "notice_s", 0, 86400),
)


def test_bounds():
    for profile_id, name, least, most in BOUNDS:
        options = {"tips": True} if profile_id == "us-nd-twentyone" else {}
        if profile_id == "gcb-blackjack":
            options.update(CHOICE)
        for value in (least, most):
            options[name] = value
            assert getattr(rules.load(profile_id, options), name) == value, (profile_id, name)
        for value in (least - 1, most + 1):
            options[name] = value
            assert refusal(profile_id, options)[0] in (rules.BAD_VALUE, rules.AGAINST_THE_TEXT), (profile_id, name)


def test_bounds_of_odds():
    for profile_id, name, good, bad in (
        ("us-in-blackjack", "natural_pays", ((1, 1), (6, 5), (100, 1), (100, 100)), ((101, 1), (1, 2), (0, 0), (3, 0))),
        ("us-in-three-card-poker", "bonus_pays", ((5, 4, 1), (100, 100, 100)), ((101, 4, 1), (5, 4, 101), (5, 3, 1),
                                                                               (4, 4, 1), (5, 4, 1, 1))),
    ):
        for value in good:
            assert getattr(rules.load(profile_id, {name: list(value)}), name) == value
        for value in bad:
            assert refusal(profile_id, {name: list(value)})[0] in (rules.BAD_VALUE, rules.AGAINST_THE_TEXT), value


def test_numbers_of_the_refusals():
    """They are part of the operator's protocol."""
    assert (rules.UNKNOWN_PROFILE, rules.NOT_BUILT, rules.UNKNOWN_OPTION, rules.BAD_VALUE, rules.OPTION_FORBIDDEN,
            rules.OPTION_NEEDED, rules.CONFLICT, rules.AGAINST_THE_TEXT, rules.NOT_APPROVED) == tuple(range(70, 79))


def test_lists():
    for text, value in (
        ("3-25,5-25 idle", ((300, 2500, True), (500, 2500, False))),
        ([{"min": 300, "max": 2500}, {"min": 500, "max": 2500, "active": False}],
         ((300, 2500, True), (500, 2500, False))),
        ("off", ()), ([], ()), (False, ()), (None, ()),
    ):
        profile = rules.load("us-nd-twentyone", {"other_tables": text})
        assert profile.other_tables == value, text
    assert rules.told(profile, "other_tables") == "off"
    for text, told in (("5-50,10-100", "5-50,10-100"), ([[500, 5000], [1000, 10000]], "5-50,10-100")):
        profile = rules.load("gcb-blackjack", {"dealer_natural_beats_21": True, "approved_limits": text})
        assert profile.approved_limits == ((500, 5000), (1000, 10000))
        assert rules.told(profile, "approved_limits") == told
    for bad in ("5", "5-", "50-5", "a-b", "5-50 idle", [5], [[5000, 500]], [[500, 5000, 1]], {"min": 1}, 7, [True],
                [{"min": 500, "max": 5000, "active": False}], [["5", "50"]], [[0, 500]], [["5", 5000]], [[500, "50"]]):
        assert refusal("gcb-blackjack", {"dealer_natural_beats_21": True, "approved_limits": bad})[0] == (
            rules.BAD_VALUE), bad
    assert refusal("us-nd-twentyone", {"other_tables": [{"min": 300, "max": 2500, "spots": 3}]})[0] == rules.BAD_VALUE


def test_a_promotion_needs_the_approval_of_the_regulator():
    """H08, IN-BJ-06."""
    wanted = (((5, 5, 5), True, (3, 1), "ED-17"),)
    for one in ({"cards": "7-7-7 suited", "pays": [3, 1], "approval": "ED-17"},
                {"cards": "7-7-7", "suited": True, "pays": "3:1", "approval": "ED-17"},
                {"name": "7-7-7 suited pays 3:1", "approval": "ED-17"},
                "7-7-7 suited pays 3:1 approved ED-17"):
        profile = rules.load("us-in-blackjack", {"promotions": [one]})
        assert profile.promotions == wanted, one
        assert rules.told(profile, "promotions") == "7-7-7 suited pays 3:1 approved ED-17"
    for one in ({"cards": "7-7-7 suited", "pays": [3, 1]}, {"cards": "7-7-7", "pays": [3, 1], "approval": ""},
                "7-7-7 suited pays 3:1", "7-7-7 suited pays 3:1 approved"):
        assert refusal("us-in-blackjack", {"promotions": [one]}) == (rules.NOT_APPROVED, ("7-7-7", "IN-BJ-06")), one
    for text in ("7-7 pays 1:1 approved ED-17", "7-7-7 pays 1000:1 approved ED-17"):
        assert rules.told(rules.load("us-in-blackjack", {"promotions": text}), "promotions") == text
    for words in ("7-7-7 pays 1001:1", "7-7-7 pays 3:0", "7-7-7 pays 3", "7-7-7 pays 3:2:1", "7-7-7 suited",
                  "7-7-X pays 3:1", "7-7-7 pays 1:3", "7 pays 3:1", "7-7-7 blue pays 3:1", "7--7 pays 3:1",
                  "78-7 pays 3:1", "10-J pays 3:1"):
        one = words + " approved ED-17"
        assert refusal("us-in-blackjack", {"promotions": [one]})[0] == rules.BAD_VALUE, one
    for one in ("7-7 pays", "", {"pays": [3, 1]}, 5):
        assert refusal("us-in-blackjack", {"promotions": [one]})[0] == rules.BAD_VALUE, one
    options = {"dealer_natural_beats_21": True, "promotions": ["7-7-7 pays 3:1 approved B-1"]}
    assert refusal("gcb-blackjack", options) == (
        rules.OPTION_FORBIDDEN, ("promotions", "gcb-blackjack", "GCB-09"))


def test_amounts_are_dollars_as_text_and_cents_as_numbers():
    for value, cents in (("5", 500), ("0.50", 50), (500, 500), (False, False), ("off", False)):
        profile = rules.load("us-nd-twentyone", {"tips": True, "tip_cap": value})
        assert profile.tip_cap == cents
    assert rules.told(rules.load("us-nd-twentyone", {"tips": True, "tip_cap": 550}), "tip_cap") == "5.50"
    assert rules.told(profile, "tip_cap") == "false"
    assert rules.told(profile, "tip_step") == "0.50"
    assert rules.told(profile, "natural_pays") == "3:2"
    assert refusal("us-nd-twentyone", {"tips": True, "tip_cap": "2.5"})[0] == rules.AGAINST_THE_TEXT
    assert refusal("us-nd-twentyone", {"tip_step": False})[0] == rules.BAD_VALUE


def test_without_a_hole_card_there_is_no_peek():
    assert not rules.load("us-in-blackjack", {"hole_card": False}).peek
    assert refusal("us-in-blackjack", {"hole_card": False, "peek": True}) == (
        rules.CONFLICT, ("peek", "hole_card", "house rule"))


def test_the_hash_tells_parameters_apart_and_nothing_else():
    plain = rules.load("us-in-blackjack").hash
    assert len(plain) == 8 and int(plain, 16) >= 0
    assert rules.load("us-in-blackjack", {"decks": 6, "tips": False}).hash == plain
    seen = [plain]
    for options in ({"decks": 8}, {"soft17": "hit"}, {"natural_pays": [6, 5]}, {"surrender": True}, {"notice_s": 1200}):
        seen.append(rules.load("us-in-blackjack", options).hash)
    for profile_id, options in (("us-nd-twentyone", {}), ("us-in-three-card-poker", {}), ("gcb-blackjack", CHOICE),
                                ("gcb-blackjack", {"dealer_natural_beats_21": False})):
        seen.append(rules.load(profile_id, options).hash)
    assert len(set(seen)) == len(seen)


def test_the_other_tables_of_the_site_are_no_rule_of_this_one():
    assert rules.load("us-nd-twentyone", {"other_tables": "3-25"}).hash == rules.load("us-nd-twentyone").hash


def test_values_as_operators_read_them():
    for value, text in ((True, "true"), (False, "false"), (6, "6"), ((3, 2), "3:2"), ("hit", "hit"), (None, "None")):
        assert rules.show(value) == text
    for text, value in (("on", True), ("false", False), ("6", 6), ("3:2", (3, 2)), ("hit", "hit"), ("3:", "3:"),
                        ("-1", "-1"), ("86400", 86400), ("999999", 999999), ("1000000", "1000000")):
        assert rules.read(text) == value
