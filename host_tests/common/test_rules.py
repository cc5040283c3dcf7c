"""Rule profiles and their loader (firstcard.rules)."""

from firstcard import rules
from host_tests.common.raising import error_of


def refusal(profile_id, options):
    error = error_of(rules.RuleError, rules.load, profile_id, options)
    return error.number, error.details


def test_defaults_of_us_in_blackjack():
    profile = rules.load("us-in-blackjack")
    for name, value in (
        ("id", "us-in-blackjack"),
        ("double", "equal_or_less"),
        ("insurance", True),
        ("insurance_exact", False),
        ("hole_card", True),
        ("peek", True),
        ("soft17", "stand"),
        ("max_hands", 4),
        ("split_tens", True),
        ("resplit_aces", False),
        ("aces_one_card", True),
        ("natural_pays", (3, 2)),
        ("decks", 6),
        ("notice_s", 0),
        ("surrender", False),
        ("even_money", False),
        ("tips", False),
        ("tip_double", False),
        ("promotions", False),
        ("dealer_natural_beats_21", True),
        ("statute_min", None),
        ("statute_max", None),
        ("clamp_over", False),
        ("breakage", "none"),
    ):
        assert getattr(profile, name) == value, name


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
    for name in ("tips", "tip_double", "tip_cap"):
        for value in (True, "on", 500):
            assert refusal("us-in-blackjack", {name: value}) == (
                rules.OPTION_FORBIDDEN, (name, "us-in-blackjack", "IN-BJ-02"))
        rules.load("us-in-blackjack", {name: False})
        rules.load("us-in-blackjack", {name: "off"})


def test_what_the_text_fixes_is_no_option():
    assert refusal("us-in-blackjack", {"dealer_natural_beats_21": False})[0] == rules.BAD_VALUE
    assert rules.load("us-in-blackjack", {"dealer_natural_beats_21": True}).dealer_natural_beats_21


def test_without_a_hole_card_there_is_no_peek():
    assert not rules.load("us-in-blackjack", {"hole_card": False}).peek
    assert refusal("us-in-blackjack", {"hole_card": False, "peek": True}) == (rules.CONFLICT, ("peek", "hole_card"))


def test_the_hash_tells_parameters_apart_and_nothing_else():
    plain = rules.load("us-in-blackjack").hash
    assert len(plain) == 8 and int(plain, 16) >= 0
    assert rules.load("us-in-blackjack", {"decks": 6, "tips": False}).hash == plain
    seen = [plain]
    for options in ({"decks": 8}, {"soft17": "hit"}, {"natural_pays": [6, 5]}, {"surrender": True}, {"notice_s": 1200}):
        seen.append(rules.load("us-in-blackjack", options).hash)
    assert len(set(seen)) == len(seen)


def test_values_as_operators_read_them():
    for value, text in ((True, "true"), (False, "false"), (6, "6"), ((3, 2), "3:2"), ("hit", "hit"), (None, "None")):
        assert rules.show(value) == text
    for text, value in (("on", True), ("false", False), ("6", 6), ("3:2", (3, 2)), ("hit", "hit"), ("3:", "3:"),
                        ("-1", "-1")):
        assert rules.read(text) == value
