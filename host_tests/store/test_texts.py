"""Texts: the packer, its refusals, and that every word and number that the firmware can say has its text."""

import ast
import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firstcard.store.texts import Texts
from pit import texts

FIRMWARE = texts.REPOSITORY / "firmware" / "firstcard"
SOURCE = texts.parse(texts.SOURCE.read_text())

# The words of the event contract
ALARMS = """increase decrease swap late-bet late-tip early-line late-line no-window-line line-amount no-wager-card
 no-taker over-limit under-limit moved duplicate-chip unknown-chip duplicate-card card-while-closed shoe-mismatch
 unreadable revoked wrong-house not-allowed""".split()
PROMPTS = """insurance even-money split double play fold-cards amount return-excess make-change convert unsettled card
 surrender tip stack settle""".split()

KEY = st.text("abcE0123.-_", min_size=1, max_size=63)
TEXT = st.text([chr(code) for code in range(32, 127) if chr(code) != '"'], min_size=1, max_size=200).filter(str.strip)


@given(st.dictionaries(KEY, TEXT, max_size=40), st.lists(KEY, max_size=5))
def test_every_text_is_found_and_no_other(wanted, others):
    device = Texts(io.BytesIO(texts.pack(wanted)))
    assert device.count == len(wanted)
    for key, text in wanted.items():
        assert device.find(key) == text
    for key in others:
        assert device.find(key) == wanted.get(key)


@pytest.mark.parametrize(("line", "why"), [
    ("no tab here", "one tab"),
    ("key\t", "one tab"),
    ("\ttext", "one tab"),
    ("key\ta \"quoted\" word", "quotation"),
    ("key\tna\u00efve", "ASCII"),
    ("key\ttwo\ttabs", "ASCII"),
    ("key\t" + "x" * 201, "at most"),
    ("k" * 64 + "\ttext", "at most"),
    ("key\ttext\nkey\tagain", "already"),
])
def test_a_bad_line_is_refused_with_its_number(line, why):
    with pytest.raises(texts.TextError, match=why) as caught:
        texts.parse("# comment\n\n" + line)
    assert f"line {3 + line.count(chr(10))}" in str(caught.value)


def test_more_than_64_kb_is_refused():
    with pytest.raises(texts.TextError, match="64 kB"):
        texts.pack({f"k{number}": "x" * 200 for number in range(400)})


def test_the_words_of_the_contract_have_texts():
    assert {f"alarm.{kind}" for kind in ALARMS} <= SOURCE.keys()
    assert {f"prompt.{kind}" for kind in PROMPTS} <= SOURCE.keys()


def test_nothing_but_known_kinds_of_keys():
    for key in SOURCE:
        assert re.fullmatch(r"E[1-9]\d{0,2}|(alarm|prompt|notice|fault|help)\.[a-z-]+|rule\.[a-z-]+\.\w+", key), key


def refusals(path):
    """(line, number, count of arguments or None) of each Refused, RuleError and _error call of a module."""
    tree = ast.parse(path.read_text())
    known = {}
    for module in [path, FIRMWARE / "proto/commands.py", FIRMWARE / "core/limits.py", FIRMWARE / "rules/__init__.py"]:
        for node in ast.parse(module.read_text()).body:
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and type(node.value.value) is int:
                known[node.targets[0].id] = node.value.value
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        if name not in ("Refused", "RuleError", "_error"):
            continue
        first = node.args[0]
        constant = getattr(first, "id", getattr(first, "attr", ""))
        number = first.value if isinstance(first, ast.Constant) else known.get(constant)
        if isinstance(number, int):
            starred = any(isinstance(argument, ast.Starred) for argument in node.args)
            yield node.lineno, number, None if starred else len(node.args) - 1


MODULES = sorted(path for path in FIRMWARE.rglob("*.py") if path.parent.name in ("core", "app", "rules"))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_every_refusal_has_a_text_with_as_many_gaps_as_values(path):
    for line, number, count in refusals(path):
        text = SOURCE.get(f"E{number}")
        assert text is not None, f"{path.name}:{line}: E{number} has no text"
        if count is not None:
            assert text.count("{}") == count, f"{path.name}:{line}: E{number} is '{text}', {count} values"


def test_the_scan_for_refusals_finds_some():
    found = {number for path in MODULES for _, number, _ in refusals(path)}
    assert {50, 61, 70, 73} <= found
