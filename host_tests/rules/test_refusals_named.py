"""A key that the rules forbid is refused with the clause, and rows of the worked examples that need a broken table.

Rows: A15, A16 (plaque), B04 (one missed read), and the clauses behind refused keys (B10, E13, F04, F07, F18 beside the
scenario files, which hold their numbers).
"""

import pytest
import yaml

from pit import scenario
from pit.runner import Runner
from pit.sim.table import SimTable
from pit.targets.host import HostTarget

ND, IN, GCB, TCP = "us-nd-twentyone", "us-in-blackjack", "gcb-blackjack", "us-in-three-card-poker"
CUSTOMARY = {"dealer_natural_beats_21": True}


def play(profile, options, steps, low=500, high=2500, table=SimTable):
    """Events of a scenario on a simulated table."""
    text = yaml.safe_dump({"profile": profile, "options": options, "limits": {"min": low, "max": high}, "steps": steps})
    outcome = Runner(scenario.parse(text), HostTarget(table)).play()
    assert outcome.failure is None, outcome.failure
    return outcome.events


def dealt(*cards):
    return ["open", {"place": {"spot": 1, "chips": [500]}}, {"wait": 2000}, {"draw": list(cards)}]


PAIR = dealt("8S", "TC", "8D", "9H")
SEVEN_EIGHT = dealt("7S", "TC", "8D", "9H")
ACES = [*dealt("AS", "TC", "AD", "9H"), {"key": "split"}, {"place": {"spot": 1, "chips": [500]}}, {"key": "confirm"},
        {"expect": {"event": "extra", "kind": "split"}}, {"draw": ["AC"]}]
NATURAL = dealt("AS", "AC", "KD", "9H")


@pytest.mark.parametrize("profile, options, steps, key, clause", [
    pytest.param(ND, {}, PAIR, "surrender", "ND-13", id="B10-ND"),
    pytest.param(GCB, CUSTOMARY, PAIR, "surrender", "GCB-06", id="B10-GCB"),
    pytest.param(IN, {}, PAIR, "surrender", "IN-BJ-09", id="B10-IN-off"),
    pytest.param(ND, {"insurance": False}, NATURAL, "even-money", "ND-39", id="E13"),
    pytest.param(GCB, CUSTOMARY, NATURAL, "even-money", "GCB-06", id="even-money-GCB"),
    pytest.param(ND, {}, SEVEN_EIGHT, "split", "ND-41", id="F18"),
    pytest.param(ND, {"max_hands": 1}, PAIR, "split", "ND-42", id="F04"),
    pytest.param(IN, {}, ["open"], "oral", "IN-BJ-02", id="oral-IN"),
    pytest.param(ND, {}, ["open"], "oral", "ND-01", id="oral-ND"),
    pytest.param(TCP, {}, dealt("8S", "TC", "8D", "9H", "9D", "9C"), "double", "68 IAC 10-11-6", id="double-TCP"),
    pytest.param(IN, {}, PAIR, "fold", "68 IAC 10-2-4", id="fold-IN"),
    pytest.param(ND, {}, ACES, "double", "ND-47", id="F07"),
])
def test_a_forbidden_key_names_its_clause(profile, options, steps, key, clause):
    low = 300 if profile == ND else 500
    told = {"name": key, "spot": 1}
    if key == "oral":
        told["amount"] = 1000
    events = play(profile, options, [*steps, {"key": told}], low)
    refused = [e for e in events if e["event"] == "refused"]
    assert len(refused) == 1 and refused[0]["command"] == "key" and clause in refused[0]["text"], refused


class Dark(SimTable):
    """Its plaque cannot be shown to show anything."""

    def prove(self, later=False):
        return False


@pytest.mark.parametrize("profile, options, opens", [
    pytest.param(ND, {"other_tables": [{"min": 300, "max": 2500}]}, True, id="A15"),
    pytest.param(ND, {"other_tables": [{"min": 500, "max": 1000}]}, False, id="A16"),
    pytest.param(ND, {}, True, id="A15-only-table"),
    pytest.param(GCB, CUSTOMARY, False, id="GCB-08"),
])
def test_no_plaque_no_play_where_the_sign_is_compulsory(profile, options, opens):
    """ND-07, GCB-08."""
    events = play(profile, options, ["open"], 300, 2500, Dark)
    assert bool([e for e in events if e["event"] == "state" and e["state"] == "OPEN"]) == opens
    assert bool([e for e in events if e["event"] == "refused" and e["number"] == 47]) != opens


class Misses(SimTable):
    """One chip of spot 1 is missed in every fourth sweep after the lock."""

    count = 0

    def _antenna_end(self, n, chips, start_us):
        if n == 0 and self._lock:
            self.count += 1
            if self.count > 3 and not self.count % 4:
                chips = chips[8:]
        super()._antenna_end(n, chips, start_us)


def test_a_chip_missed_in_one_of_four_sweeps_is_no_alarm():
    """B04."""
    tables = []

    def table(*args):
        tables.append(Misses(*args))
        return tables[0]

    events = play(IN, {}, ["open", {"place": {"spot": 1, "chips": [500, 500, 500, 500, 500]}}, {"wait": 2000},
                           {"draw": ["8S", "TC", "7D", "9H"]}, {"wait": 10_000}], table=table)
    assert tables[0].count > 16
    assert not [e for e in events if e["event"] in ("alarm", "unsettled")]
