"""The command table as a whole: well formed, told apart, and every entry has its help text."""

import pytest

from firstcard.proto import commands
from pit import texts

HELP = texts.parse(texts.SOURCE.read_text())


@pytest.mark.parametrize("entry", commands.TABLE, ids=lambda entry: entry[commands.WORDS])
def test_entry_is_well_formed(entry):
    name, typed, shape, who, states = entry
    assert name.replace("-", "").isalpha() and typed == typed.lower()
    assert 1 <= len(typed.split()) <= 2
    assert shape.count("[") == shape.count("]") and shape.count("<") == shape.count(">")
    assert 0 <= who <= 7 and 0 < states < 64
    if who & commands.OPERATOR:
        assert who & commands.SUPERVISOR, "a supervisor may what an operator may"
    assert len(f"{typed} {shape}") <= 60


def test_no_two_entries_are_typed_alike():
    typed = [(entry[commands.WORDS], entry[commands.SHAPE]) for entry in commands.TABLE]
    assert len(typed) == len(set(typed))


def test_help_texts_are_those_of_the_commands():
    wanted = {f"help.{entry[commands.ID]}" for entry in commands.TABLE}
    assert wanted == {key for key in HELP if key.startswith("help.")}


def test_commands_that_are_typed_alike_stand_together():
    typed = [entry[commands.WORDS] for entry in commands.TABLE]
    assert all(typed.index(words) + typed.count(words) > place for place, words in enumerate(typed))
