"""The memory of a reading: what modules call the same word is the same word."""

import ast

import pytest

from pit import ROOT

DRIVERS = ROOT / "firmware" / "firstcard" / "drivers"


def constants(name, source=None):
    """{name without a leading underscore: number} of what a module calls const(number)."""
    tree = ast.parse(source or (DRIVERS / f"{name}.py").read_text())
    return {node.targets[0].id.lstrip("_"): node.value.args[0].value for node in tree.body
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)
            and getattr(node.value.func, "id", "") == "const" and isinstance(node.value.args[0], ast.Constant)}


BLOCK = constants("reading")
PARTS = {"exchange": 0, "field": 0, "inventory": 0, "masks": BLOCK["MASKS"], "found": BLOCK["FOUND"]}
HEARD = ("NOBODY", "ONE", "MANY", "NOISY", "WAITING")
ALIASES = {"COUNT": "CHIPS"}


def differing(own, base):
    """Names of words that are not where reading.py says. `base`: word at which the module's own numbers begin."""
    words = {ALIASES.get(name, name): number for name, number in own.items()}
    return [name for name in words if BLOCK.get(name, -1) >= base and words[name] + base != BLOCK[name]]


@pytest.mark.parametrize("name", PARTS)
def test_words_are_where_they_are_said_to_be(name):
    own = constants(name)
    assert len(set(own) & set(BLOCK)) + sum(alias in own for alias in ALIASES) >= 3
    assert differing(own, PARTS[name]) == []


def test_a_moved_word_is_noticed():
    assert differing({"DUE": 2, "SENT": 2}, 0) == ["DUE"]
    assert differing({"SLOT": BLOCK["SLOT"]}, 0) == []
    assert differing({"COUNT": 2}, BLOCK["FOUND"]) == ["CHIPS"]


def test_parts_do_not_overlap():
    stack, room = constants("masks"), constants("found")
    assert BLOCK["SCRIPT"] * 4 + 44 <= BLOCK["PHASE"] * 4, "the script has 43 bytes and its end"
    assert BLOCK["AFI"] < BLOCK["MASKS"]
    assert BLOCK["MASKS"] + stack["VALUES"] + 2 * stack["MOST"] <= BLOCK["FOUND"]
    assert stack["LENGTHS"] * 4 + stack["MOST"] <= stack["VALUES"] * 4
    assert BLOCK["FOUND"] + room["UIDS"] + 2 * BLOCK["MAX_CHIPS"] <= BLOCK["SIZE"]


def test_what_is_heard_has_the_same_number_everywhere():
    heard = constants("exchange")
    for name in ("inventory", "found"):
        own = constants(name)
        assert {one: own[one] for one in HEARD if one in own} == {one: heard[one] for one in HEARD if one in own}
    assert constants("inventory")["PARAMETERS"] == heard["SEND"] + 5
