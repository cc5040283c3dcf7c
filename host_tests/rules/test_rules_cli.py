"""`pit rules`: list, explain, check, template; and the readings behind them."""

import re

import pytest
from typer.testing import CliRunner

from firstcard import rules
from pit import rules_cli
from pit.errors import PitError
from pit.rules import explain, files
from pit.rules.readings import PRACTICE, READINGS

NUMBERED = {"us-nd-twentyone": [n for n in range(1, 19) if n != 11], "us-in-blackjack": range(1, 7),
            "gcb-blackjack": range(1, 8), "us-in-three-card-poker": range(1, 8)}
CLAUSES = {"us-nd-twentyone": "ND", "us-in-blackjack": "IN-BJ", "gcb-blackjack": "GCB",
           "us-in-three-card-poker": "IN-TCP"}


def pit(*arguments):
    result = CliRunner().invoke(rules_cli.app, arguments)
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.stdout


def refused(path):
    with pytest.raises(PitError) as caught:
        files.load(path)
    assert caught.value.exit_status == 2
    return str(caught.value)


@pytest.mark.parametrize("profile_id", rules.PROFILES)
def test_every_reading_is_there(profile_id):
    readings = READINGS[profile_id]
    assert [one.id for one in readings] == [f"R{n}" for n in NUMBERED[profile_id]]
    names = {row[0] for row in explain.parameters(profile_id)}
    for one in readings:
        assert bool(one.parameter) != bool(one.fixed), one.id
        assert one.parameter is None or one.parameter in names, one.id
        assert one.clauses and all(re.fullmatch(CLAUSES[profile_id] + r"-\d\d", clause) for clause in one.clauses)
        assert one.sentence.endswith(".") and one.sentence.isascii()


@pytest.mark.parametrize("profile_id", rules.PROFILES)
def test_explain_tells_every_parameter_clause_and_reading(profile_id):
    text = pit("explain", profile_id)
    for name, *_ in explain.parameters(profile_id):
        assert f"      {name}: {explain.reason(profile_id, name)}" in text, name
    for one in READINGS[profile_id]:
        assert f"  {one.id} (" in text
    for _, sentence, where in PRACTICE:
        assert (sentence in text) == (profile_id in where)
    assert explain.clauses(text)
    assert all(clause.startswith(CLAUSES[profile_id] + "-") for clause in explain.clauses(text))


def test_explain_says_what_must_be_chosen():
    text = pit("explain", "gcb-blackjack")
    assert "A dealer's natural beats a 21 that is none: MUST BE CHOSEN [yes or no]" in text
    assert text.count("MUST BE CHOSEN") == 2  # the option, and the reading that it decides
    assert "MUST BE CHOSEN" not in pit("explain", "us-nd-twentyone")
    assert "must be chosen: dealer_natural_beats_21" in pit("list")


def test_explain_shows_the_values_of_a_file(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text("profile: us-nd-twentyone\nsteps: []\noptions: {tips: true, tip_cap: 500, other_tables: 5-25 idle,"
                    " promotions: [7-7-7 pays 3:1 approved A-1]}\n")
    text = pit("explain", str(path))
    for told in ("Limit of tips: 5 dollars", "Tip bets: yes", "Other tables of the site: 5-25 idle",
                 "Promotions: 7-7-7 pays 3:1 approved A-1", "hash "):
        assert told in text, told


def test_list_names_all_profiles():
    lines = pit("list").splitlines()
    assert [line.split()[0] for line in lines] == list(rules.PROFILES)


@pytest.mark.parametrize("profile_id", rules.PROFILES)
def test_a_template_is_a_complete_file_once_everything_is_chosen(profile_id, tmp_path):
    path = tmp_path / "table.yaml"
    text = pit("template", profile_id)
    path.write_text(text)
    if profile_id == "gcb-blackjack":
        assert re.search(r"table.yaml:\d+: option dealer_natural_beats_21 is not stated", refused(path))
        path.write_text(re.sub(r"(dealer_natural_beats_21:).*", r"\1 true", text))
    profile, both = files.load(path)
    assert profile.id == profile_id and both is not None
    choice = {"dealer_natural_beats_21": True} if profile_id == "gcb-blackjack" else {}
    assert profile.hash == rules.load(profile_id, choice).hash or profile_id == "gcb-blackjack"
    assert "complete and allowed" in pit("check", str(path))


@pytest.mark.parametrize("name, text, line, words", [
    ("an option too few", "profile: us-in-three-card-poker\noptions: {decks: 1}\n", 2, "bonus_pays is not stated"),
    ("no profile", "options: {}\n", 1, "profile is missing"),
    ("unknown profile", "profile: us-xx\n", 1, "one of us-nd-twentyone"),
    ("unknown field", "profile: us-in-blackjack\nlimit: 5\n", 2, "unknown field limit"),
    ("not YAML", "profile: [\n", 2, "not valid YAML"),
    ("no mapping", "- us-in-blackjack\n", 1, "write profile, options and limits"),
    ("options no mapping", "profile: us-in-blackjack\noptions: [decks]\n", 2, "names and values"),
    ("refused by the text", "profile: us-in-blackjack\nsteps: []\noptions:\n  decks: 6\n  tips: true\n", 5, "IN-BJ-02"),
    ("pay table", "profile: us-in-three-card-poker\nsteps: []\noptions:\n  bonus_pays: [4, 3, 1]\n", 4, "IN-TCP-12"),
    ("must be chosen", "profile: gcb-blackjack\nsteps: []\n", 1, "GCB-05"),
    ("statute", "profile: us-nd-twentyone\nsteps: []\nlimits: {min: 300, max: 2600}\n", 3, "ND-06"),
    ("sole table", "profile: us-nd-twentyone\nsteps: []\nlimits: {min: 500, max: 2500}\n", 3, "ND-03"),
    ("limits", "profile: us-in-blackjack\nsteps: []\nlimits: {min: 500}\n", 3, "min and max in cents"),
    ("no approval", "profile: us-in-blackjack\nsteps: []\noptions:\n  promotions: [7-7-7 pays 3:1]\n", 4, "IN-BJ-06"),
])
def test_a_wrong_file_is_refused_with_line_and_words(name, text, line, words, tmp_path):
    path = tmp_path / "wrong.yaml"
    path.write_text(text)
    told = refused(path)
    assert any(row.startswith(f"{path}:{line}: ") and words in row for row in told.splitlines()), told


def test_the_limits_of_a_file_count_as_approved(tmp_path):
    """GCB-08."""
    path = tmp_path / "table.yaml"
    path.write_text("profile: gcb-blackjack\nsteps: []\noptions: {dealer_natural_beats_21: true}\n"
                    "limits: {min: 700, max: 7000}\n")
    assert files.load(path)[1] == (700, 7000)


def test_what_is_no_profile_and_no_file():
    with pytest.raises(PitError, match="choose one of us-nd-twentyone"):
        pit("explain", "roulette")
    with pytest.raises(PitError, match="cannot be read"):
        pit("check", "nowhere.yaml")
