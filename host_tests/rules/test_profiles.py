"""Profiles as data: canonical hash, nothing unstated, every parameter and every refusal explained."""

import ast
import hashlib
import re

import pytest

from firstcard import rules
from pit import texts

TEXTS = texts.parse(texts.SOURCE.read_text())
MODULES = {profile_id: rules.data(profile_id) for profile_id in rules.PROFILES}
CHOICES = {"gcb-blackjack": {"dealer_natural_beats_21": False}}
FIRMWARE = texts.REPOSITORY / "firmware" / "firstcard"

COMMON = set("""game unit statute_min statute_max statute_clause sole_min approval clamp_over sign stack_order oral tips
 tip_double tip_cap decks breakage smallest_chip notice_s""".split())
BLACKJACK = COMMON | set("""insurance_exact aces_one_card split_natural natural_pays soft17 hole_card peek double
 insurance even_money surrender max_hands split_tens resplit_aces dealer_natural_beats_21 promotions""".split())
STATED = {
    "us-nd-twentyone": BLACKJACK | {"tip_min", "tip_step", "tip_insurance", "other_tables"},
    "us-in-blackjack": BLACKJACK,
    "gcb-blackjack": BLACKJACK | {"approved_limits"},
    "us-in-three-card-poker": COMMON | {"bonus_pays", "ante_pays", "play_pays", "fold_bonus", "packets"},
}


def load(profile_id, **options):
    return rules.load(profile_id, {**CHOICES.get(profile_id, {}), **options})


def shown(value):
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return (":" if value and isinstance(value[0], int) else " ").join(map(shown, value)) if value else "()"
    return str(value)


def names_of(module):
    return [row[0] for row in module.FIXED + module.OPTIONS + module.FORBIDDEN]


@pytest.mark.parametrize("profile_id", MODULES)
def test_the_hash_is_that_of_the_sorted_parameters(profile_id):
    profile = load(profile_id)
    values = {name: value for name, value in vars(profile).items() if name not in rules.UNHASHED}
    data = profile_id + "".join(f"\n{name}={shown(values[name])}" for name in sorted(values))
    assert profile.hash == hashlib.sha256(data.encode()).hexdigest()[:8]


@pytest.mark.parametrize("profile_id", MODULES)
def test_nothing_is_unstated(profile_id):
    assert set(names_of(MODULES[profile_id])) == STATED[profile_id]
    assert len(names_of(MODULES[profile_id])) == len(STATED[profile_id])
    assert set(vars(load(profile_id))) == STATED[profile_id] | {"id", "options", "hash"}


@pytest.mark.parametrize("profile_id", MODULES)
def test_every_parameter_has_its_clause_and_reason(profile_id):
    prefix = f"rule.{profile_id}."
    told = {key.removeprefix(prefix) for key in TEXTS if key.startswith(prefix)}
    assert told == STATED[profile_id] - {"statute_clause"}


def test_no_text_of_a_rule_stands_for_nothing():
    assert all(key.split(".")[1] in MODULES for key in TEXTS if key.startswith("rule."))


@pytest.mark.parametrize("profile_id", MODULES)
def test_defaults_are_allowed_values(profile_id):
    for row in MODULES[profile_id].OPTIONS:
        if row[1] != rules.NEEDED:
            assert getattr(load(profile_id, **{row[0]: row[1]}), row[0]) == row[1]


@pytest.mark.parametrize("profile_id", MODULES)
def test_what_an_operator_is_shown_can_be_typed(profile_id):
    profile = load(profile_id)
    again = rules.load(profile_id, {name: rules.told(profile, name) for name in profile.options
                                    if name not in ("even_money", "tip_cap", "tip_double")})
    assert vars(again) == vars(profile)


@pytest.mark.parametrize("profile_id", MODULES)
def test_clauses_of_a_profile_are_its_own(profile_id):
    prefix = {"us-nd-twentyone": "ND", "us-in-blackjack": "IN-BJ", "gcb-blackjack": "GCB",
              "us-in-three-card-poker": "IN-TCP"}[profile_id]
    module = MODULES[profile_id]
    named = [row[3] for row in module.OPTIONS if len(row) > 3] + [clause for _, clause in module.FORBIDDEN]
    named += [row[2] for row in module.NEEDS if row[2] != "house rule"]
    assert all(re.fullmatch(prefix + r"(-\d\d| R\d+)", clause) for clause in named), named


def test_only_the_chosen_profile_is_imported():
    """The loader names no profile's module; nor does any other module of the firmware."""
    for path in FIRMWARE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("firstcard.rules"):
                assert node.module == "firstcard.rules", path
                taken = {alias.name for alias in node.names}
                assert not taken & {name.replace("-", "_") for name in rules.PROFILES}, path


def test_games_stay_apart():
    """Blackjack and poker modules do not know each other: only the game in use is in memory."""
    for name, other in (("poker", ("settlement", "hands", "promotions")), ("settlement", ("poker",)),
                        ("limits", ("settlement", "poker", "hands")), ("payout", ("settlement", "poker", "hands"))):
        source = (FIRMWARE / "core" / f"{name}.py").read_text()
        for wanted in other:
            assert not re.search(rf"import .*\b{wanted}\b", source), (name, wanted)


def test_a_profile_that_is_not_built_says_so(monkeypatch):
    monkeypatch.setattr(rules, "PROFILES", (*rules.PROFILES, "us-xx-later"))
    with pytest.raises(rules.RuleError) as caught:
        rules.load("us-xx-later")
    assert (caught.value.number, caught.value.details) == (rules.NOT_BUILT, ("us-xx-later",))


REFUSED = [
    ("us-xx", {}, rules.UNKNOWN_PROFILE, "us-in-blackjack"),
    ("us-in-blackjack", {"x": 1}, rules.UNKNOWN_OPTION, "soft17"),
    ("us-in-blackjack", {"decks": 9}, rules.BAD_VALUE, "1 to 8"),
    ("us-in-blackjack", {"tips": True}, rules.OPTION_FORBIDDEN, "IN-BJ-02"),
    ("us-in-blackjack", {"peek": True, "hole_card": False}, rules.CONFLICT, "hole_card"),
    ("us-nd-twentyone", {"insurance": False, "even_money": True}, rules.CONFLICT, "ND-39"),
    ("us-nd-twentyone", {"surrender": True}, rules.OPTION_FORBIDDEN, "ND-13"),
    ("us-nd-twentyone", {"tip_insurance": True}, rules.OPTION_FORBIDDEN, "ND-32"),
    ("us-nd-twentyone", {"unit": 500}, rules.AGAINST_THE_TEXT, "ND-08"),
    ("gcb-blackjack", {}, rules.OPTION_NEEDED, "no default"),
    ("gcb-blackjack", {"dealer_natural_beats_21": "perhaps"}, rules.AGAINST_THE_TEXT, "GCB-05"),
    ("us-in-three-card-poker", {"bonus_pays": [4, 3, 1]}, rules.AGAINST_THE_TEXT, "IN-TCP-12"),
    ("us-in-blackjack", {"promotions": ["7-7-7 pays 3:1"]}, rules.NOT_APPROVED, "IN-BJ-06"),
]


@pytest.mark.parametrize("profile_id, options, number, word", REFUSED)
def test_every_refusal_fills_its_text(profile_id, options, number, word):
    with pytest.raises(rules.RuleError) as caught:
        rules.load(profile_id, options)
    assert caught.value.number == number
    text = TEXTS[f"E{number}"]
    assert text.count("{}") == len(caught.value.details)
    assert word in text.replace("{}", "%s") % caught.value.details


def test_every_number_of_a_refusal_is_shown_here():
    numbers = {value for name, value in vars(rules).items() if name.isupper() and type(value) is int}
    assert numbers == {row[2] for row in REFUSED} | {rules.NOT_BUILT}
