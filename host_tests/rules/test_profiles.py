"""Profiles as data: canonical hash, every parameter explained, refusals explained."""

import hashlib
import re

import pytest

from firstcard import rules
from firstcard.rules import us_in_blackjack
from pit import texts

TEXTS = texts.parse(texts.SOURCE.read_text())
MODULES = {"us-in-blackjack": us_in_blackjack}


def shown(value):
    if isinstance(value, bool):
        return str(value).lower()
    return ":".join(map(str, value)) if isinstance(value, tuple) else str(value)


def test_the_hash_is_that_of_the_sorted_parameters():
    profile = rules.load("us-in-blackjack")
    values = {name: value for name, value in vars(profile).items() if name not in ("id", "options", "hash")}
    data = "us-in-blackjack" + "".join(f"\n{name}={shown(values[name])}" for name in sorted(values))
    assert profile.hash == hashlib.sha256(data.encode()).hexdigest()[:8]


@pytest.mark.parametrize("profile_id", MODULES)
def test_every_parameter_has_its_clause_and_reason(profile_id):
    module = MODULES[profile_id]
    names = {row[0] for row in module.FIXED + module.OPTIONS + module.FORBIDDEN} - {"game", "clauses", "statute_clause"}
    prefix = f"rule.{profile_id}."
    assert names <= {key.removeprefix(prefix) for key in TEXTS if key.startswith(prefix)}


@pytest.mark.parametrize("profile_id", MODULES)
def test_defaults_are_allowed_values(profile_id):
    for name, default, _ in MODULES[profile_id].OPTIONS:
        rules.load(profile_id, {name: default})


@pytest.mark.parametrize("profile_id", MODULES)
def test_no_parameter_stands_twice(profile_id):
    module = MODULES[profile_id]
    names = [row[0] for row in module.FIXED + module.OPTIONS + module.FORBIDDEN]
    assert len(names) == len(set(names))


def test_a_profile_that_is_not_built_says_so(monkeypatch):
    monkeypatch.setattr(rules, "PROFILES", (*rules.PROFILES, "us-xx-later"))
    with pytest.raises(rules.RuleError) as caught:
        rules.load("us-xx-later")
    assert (caught.value.number, caught.value.details) == (rules.NOT_BUILT, ("us-xx-later",))


def test_an_option_that_the_house_must_decide(monkeypatch):
    monkeypatch.setattr(us_in_blackjack, "OPTIONS", (("soft17", rules.NEEDED, ("stand", "hit")),))
    with pytest.raises(rules.RuleError) as caught:
        rules.load("us-in-blackjack")
    assert caught.value.number == rules.OPTION_NEEDED
    assert caught.value.details == ("soft17", "us-in-blackjack", "stand hit")
    assert rules.load("us-in-blackjack", {"soft17": "hit"}).soft17 == "hit"


@pytest.mark.parametrize(("profile_id", "options"), [
    ("us-xx", {}),
    ("us-in-blackjack", {"x": 1}),
    ("us-in-blackjack", {"decks": 9}),
    ("us-in-blackjack", {"tips": True}),
    ("us-in-blackjack", {"peek": True, "hole_card": False}),
])
def test_every_refusal_fills_its_text(profile_id, options):
    with pytest.raises(rules.RuleError) as caught:
        rules.load(profile_id, options)
    text = TEXTS[f"E{caught.value.number}"]
    assert len(re.findall("{}", text)) == len(caught.value.details)
