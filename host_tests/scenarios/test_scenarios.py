"""Every scenario file meets its expectations, and gives the same events on every target: those that stand in expected/.

All files run on `host` and on `unix`; on the emulated board a choice of them runs here and all of them in `make prove`.
"""

from functools import lru_cache
from pathlib import Path

import pytest

from pit import contract, expected, scenario
from pit.play import make_target
from pit.runner import Runner
from pit.sim.table import SimTable
from pit.targets.host import HostTarget

FOLDER = Path(__file__).parent
FILES = sorted(path.stem for path in FOLDER.glob("*.yaml"))
ON_THE_BOARD = ("first-card", "bet-verdicts", "late-increase", "late-decrease", "swap-equal-chips", "lock-by-frame",
                "power-locked", "lock-by-edge", "both-blackjack", "both-bust",
                "plaque-never-proven", "plaque-dies-in-round-gcb",
                # six of the shoe's faults
                "shoe-lid", "shoe-gap-open", "shoe-untold", "shoe-double", "shoe-reboot-round", "shoe-flutter")


@lru_cache(maxsize=None)
def outcome(name, on):
    """Outcome of one file on one target; played once."""
    return Runner(scenario.load(FOLDER / f"{name}.yaml"), make_target(on)).play()


def story(name, on):
    """All events of a file on a target, without times."""
    return [expected.timeless(event) for event in outcome(name, on).events]


def test_there_are_enough_of_them():
    assert len(FILES) >= 12
    assert set(ON_THE_BOARD) <= set(FILES) and len(ON_THE_BOARD) >= 8
    shoe = [name for name in FILES if name.startswith("shoe-")]
    assert len(shoe) >= 30 and len(set(shoe) & set(ON_THE_BOARD)) >= 6


@pytest.mark.parametrize("name", FILES)
def test_all_events_are_the_expected_ones(name):
    """If they are not and that is right: python -m pit.expected shows the difference, --write keeps it."""
    assert not expected.difference(name, story(name, "host"))


@pytest.mark.parametrize("name", FILES)
def test_on_the_host(name):
    played = outcome(name, "host")
    assert played.failure is None, played.failure
    assert not played.warnings


def test_every_expectation_has_its_scenario():
    assert sorted(path.stem for path in (FOLDER / "expected").glob("*.jsonl")) == FILES


@pytest.mark.parametrize("name", FILES)
def test_events_keep_the_contract(name):
    for event in outcome(name, "host").events:
        known = contract.ALWAYS + contract.EVENTS[event["event"]]
        assert set(event) <= set(known), event
        for (kind, field), words in contract.WORDS.items():
            if event["event"] == kind and field in event:
                assert event[field] in words, event
    numbers = [event["seq"] for event in outcome(name, "host").events]
    assert numbers == sorted(set(numbers))


class Slow(SimTable):
    slowness, answer_us = 2, 12_000


class Slower(SimTable):
    slowness, answer_us = 3, 12_000


@pytest.mark.parametrize("pace", [Slow, Slower])
@pytest.mark.parametrize("name", FILES)
def test_how_fast_a_table_reads_and_answers_changes_nothing(name, pace):
    """A file that depends on it would tell other events on a real table: give its people time."""
    played = Runner(scenario.load(FOLDER / f"{name}.yaml"), HostTarget(pace)).play()
    assert played.failure is None, played.failure
    assert [expected.timeless(event) for event in played.events] == story(name, "host")


@pytest.mark.parametrize("name", FILES)
def test_the_unix_port_gives_the_same_events(name):
    played = outcome(name, "unix")
    assert played.failure is None, played.failure
    assert story(name, "unix") == story(name, "host")


@pytest.mark.parametrize("name", ON_THE_BOARD)
def test_the_emulated_board_gives_the_same_events(name):
    played = outcome(name, "rp2040")
    assert played.failure is None, played.failure
    assert story(name, "rp2040") == story(name, "host")
