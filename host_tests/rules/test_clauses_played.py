"""Clauses that no other test plays, each on the simulated table: the lock, prompts in their order, amounts, advice.

What a clause asks for is looked up in the events of a whole table (console, round, sweeps), so that what is lost
anywhere between is seen too. Advice has no sensor: the prompt or the sentence of `pit rules explain` is the proof.
"""

import pytest
import yaml

from host_tests.sim.bench import Bench
from pit import scenario
from pit.rules.explain import explain
from pit.runner import Runner
from pit.targets.host import HostTarget

ND, IN, GCB, TCP = "us-nd-twentyone", "us-in-blackjack", "gcb-blackjack", "us-in-three-card-poker"
OPTIONS = {ND: {"tips": True}, GCB: {"dealer_natural_beats_21": True}}
SETTLED_OVER_ALARM = 61
NOTICE = 37


def play(profile, steps, options=None):
    """Events of a table that has been opened and went through `steps`."""
    text = yaml.safe_dump({"profile": profile, "options": {**OPTIONS.get(profile, {}), **(options or {})},
                           "limits": {"min": 300, "max": 2500}, "steps": ["open", *steps]})
    outcome = Runner(scenario.parse(text), HostTarget()).play()
    assert outcome.failure is None, outcome.failure
    return outcome.events


def place(spot, *chips, zone="main"):
    return {"place": {"spot": spot, "zone": zone, "chips": list(chips)}}


def draw(cards):
    return {"draw": cards.split()}


def of(events, kind, *names):
    """The values of `names` of each event of a kind, in order."""
    return [tuple(e.get(name) for name in names) for e in events if e["event"] == kind]


def prompts(events, *kinds):
    return [row for row in of(events, "prompt", "kind", "spot") if row[0] in kinds]


LOCKED = {  # profile: clauses that say so
    ND: "ND-12", IN: "IN-BJ-09, IN-BJ-10", GCB: "GCB-06, GCB-10", TCP: "IN-TCP-14",
}


@pytest.mark.parametrize("profile", LOCKED)
def test_after_the_first_card_nothing_is_made_raised_or_withdrawn(profile):
    """The edge alone locks: a raise, a bet on an empty spot, a withdrawal and an exchange of chips are alarms."""
    events = play(profile, [
        place(1, 500), place(2, 500), place(3, 500), place(4, 500), {"wait": 2000}, "edge", {"wait": 1500},
        place(1, 500), {"remove": {"spot": 2, "zone": "main", "chips": [500]}}, place(5, 500),
        {"remove": {"spot": 4, "zone": "main", "chips": [500]}}, place(4, 100, 100, 100, 100, 100), {"wait": 3000}])
    alarms = set(of(events, "alarm", "kind", "spot"))
    assert {("increase", 1), ("decrease", 2), ("late-bet", 5), ("swap", 4)} <= alarms
    assert not [row for row in alarms if row[1] == 3]
    assert [len(e["wagers"]) for e in events if e["event"] == "lock"] == [4]


@pytest.mark.parametrize("zone, kind", [("main", "increase"), ("tip", "late-tip")])
def test_a_wager_that_was_raised_late_is_settled_as_it_was_locked(zone, kind):
    """ND-11, ND-12, ND-20: what counts is what lay there before the first card, wager and tip apart."""
    events = play(ND, [place(1, 500), {"wait": 2000}, "edge", {"wait": 1500}, place(1, 100, zone=zone),
                       {"expect": {"event": "alarm", "kind": kind}}, {"send": "card TS"}, draw("TC 9D 8H"),
                       {"key": "stand"}, {"key": "reveal"}, {"expect": {"event": "settle"}}])
    assert of(events, "settle", "bet", "stake", "won") == [("main", 500, 500)]


def test_the_tip_is_no_part_of_the_wager():
    """ND-11: 25 dollars and a tip of 5 are no bet over the maximum of 25; 2 and a tip of 1 no bet of 3."""
    events = play(ND, [place(1, 2500), place(1, 500, zone="tip"), place(2, 100, 100), place(2, 100, zone="tip"),
                       {"wait": 2500}])
    told = {row[:2]: row[2:] for row in of(events, "bet", "spot", "zone", "value", "verdict")}
    assert told[1, "main"] == (2500, "ok") and told[1, "tip"] == (500, "ok")
    assert told[2, "main"] == (0, "under")


def test_a_spot_has_one_tip():
    """ND-12, ND-22: chips that are added to a tip belong to it: one bet, one verdict, one line of the settlement."""
    events = play(ND, [place(1, 500), place(1, 100, zone="tip"), {"wait": 2000}, place(1, 50, zone="tip"),
                       {"wait": 2000}, draw("TS TC 9D 8H"), {"key": "stand"}, {"key": "reveal"},
                       {"expect": {"event": "settle", "bet": "tip"}}])
    assert [row for row in of(events, "settle", "bet", "stake", "won", "to") if row[0] == "tip"] == [
        ("tip", 150, 150, "tip-box")]
    assert [row for row in of(events, "bet", "zone", "value") if row[0] == "tip"][-1] == ("tip", 150)
    locked = [e for e in events if e["event"] == "lock"][0]["wagers"]
    assert locked == [{"spot": 1, "zone": "main", "value": 500}, {"spot": 1, "zone": "tip", "value": 150}]


@pytest.mark.parametrize("tips, verdict", [pytest.param(False, "not-allowed", id="ND-19"), (True, "ok")])
def test_the_house_decides_whether_tips_count(tips, verdict):
    events = play(ND, [place(1, 500), place(1, 100, zone="tip"), {"wait": 2500}], {"tips": tips})
    assert of(events, "bet", "zone", "verdict")[-1] == ("tip", verdict)


@pytest.mark.parametrize("chips, value, verdict", [
    ((100, 100), 0, "under"), ((100, 100, 100), 300, "ok"), ((2500,), 2500, "ok"), ((2500, 100), 0, "over"),
])
def test_a_wager_lies_between_the_limits(chips, value, verdict):
    """IN-BJ-01: the limits themselves are allowed."""
    events = play(IN, [place(1, *chips), {"wait": 2500}])
    assert of(events, "bet", "value", "verdict")[-1] == (value, verdict)


@pytest.mark.parametrize("profile, chips, value, verdict", [
    (ND, (500, 50), 0, "unit"), (ND, (500, 100), 600, "ok"), (IN, (500, 50), 550, "ok"),
])
def test_whole_dollars_in_north_dakota_any_amount_elsewhere(profile, chips, value, verdict):
    """ND-01, ND-08."""
    events = play(profile, [place(1, *chips), {"wait": 2500}])
    assert of(events, "bet", "value", "verdict")[-1] == (value, verdict)


def test_only_registered_chips_on_the_proper_area_are_a_wager():
    """IN-BJ-02."""
    stranger = {"place": {"spot": 1, "zone": "main", "uids": ["E0040100A1B2C3D4"]}}
    events = play(IN, [place(1, 500), stranger, place(2, 500), place(2, 100, zone="tip"), place(3, 500),
                       place(3, 100, zone="line"), {"wait": 2500}])
    told = {row[:2]: row[2:] for row in of(events, "bet", "spot", "zone", "value", "verdict")}
    assert told == {(1, "main"): (0, "unknown-chip"), (2, "main"): (500, "ok"), (2, "tip"): (0, "not-allowed"),
                    (3, "main"): (500, "ok"), (3, "line"): (0, "not-allowed")}


def test_new_limits_need_notice_where_chips_lie():
    """ND-10: at once on an empty table; with chips on it after 20 minutes, less is refused; posted and told both times,
    while the plaque warns in amber."""
    events = play(ND, [{"send": "limits set 3 20"}, {"expect": {"event": "limits", "max": 2000}}, place(1, 500),
                       {"wait": 2000}, {"send": "limits set 3 15 in 1m"},
                       {"expect": {"reply": "error", "number": NOTICE}}, {"send": "limits set 3 15"},
                       {"expect": {"event": "limits", "min": 300, "max": 2000}}, {"wait": 3000}])
    told = [e for e in events if e["event"] == "limits"]
    assert told[-1]["pending"]["max"] == 1500 and told[-1]["pending"]["due_ms"] >= told[-1]["ms"] + 1_200_000
    assert of(events, "plaque", "max", "colour")[-2:] == [(2000, "green"), (2000, "amber")]


ACE_UP = [place(1, 1000), place(2, 1000), {"wait": 2000}, draw("TS TD AC 9S 9D 8H")]


@pytest.mark.parametrize("profile, options, up, asked", [
    pytest.param(ND, {}, "AC", 1, id="ND-30"),
    pytest.param(ND, {"insurance": False}, "AC", 0, id="ND-32"),
    pytest.param(ND, {}, "KC", 0, id="no-ace"),
])
def test_insurance_is_asked_for_with_an_ace_up_where_the_house_offers_it(profile, options, up, asked):
    events = play(profile, [*ACE_UP[:3], draw(f"TS TD {up} 9S 9D 8H"), {"wait": 1000}], options)
    assert len(prompts(events, "insurance")) == asked


def test_insurance_lies_on_the_line_until_it_is_closed():
    """ND-31, ND-36: chips beside the wager are none; after the dealer's key nothing is accepted."""
    events = play(ND, [*ACE_UP, {"expect": {"event": "prompt", "kind": "insurance"}}, place(1, 500, zone="line"),
                       place(2, 500), {"wait": 1500}, {"key": "insurance-closed"},
                       {"expect": {"event": "state", "state": "LOCKED"}}, place(2, 500, zone="line"), {"wait": 2000}])
    assert of(events, "extra", "kind", "spot", "amount") == [("insurance", 1, 500)]
    assert set(of(events, "alarm", "kind", "spot")) == {("increase", 2), ("late-line", 2)}


def test_every_hand_is_asked_from_the_dealers_left():
    """ND-40, ND-54."""
    events = play(ND, [place(3, 500), place(1, 500), place(2, 500), {"wait": 2000}, draw("8S 8D 8C TC 8H 8S 8D 9H"),
                       {"key": "stand"}, {"key": "stand"}, {"key": "stand"}, {"wait": 500}])
    assert prompts(events, "split", "double") == [
        ("split", 1), ("double", 1), ("split", 2), ("double", 2), ("split", 3), ("double", 3)]


@pytest.mark.parametrize("laid, wrong", [((100, 100), -300), ((500, 100), 100)])
def test_a_split_takes_a_wager_equal_to_the_original(laid, wrong):
    """ND-43, ND-46: each hand carries the same."""
    events = play(ND, [place(1, 500), {"wait": 2000}, draw("8S TC 8D 9H"), {"key": "split"}, place(1, *laid),
                       {"key": "confirm"}, {"expect": {"event": "prompt", "kind": "amount", "amount": wrong}},
                       {"wait": 1000}])
    assert not of(events, "extra", "kind")
    events = play(ND, [place(1, 500), {"wait": 2000}, draw("8S TC 8D 9H"), {"key": "split"}, place(1, 500),
                       {"key": "confirm"}, {"expect": {"event": "extra", "kind": "split", "amount": 500}}, draw("2S"),
                       {"key": "stand"}, draw("3S"), {"key": "stand"}, {"key": "reveal"}, {"wait": 500}])
    assert of(events, "settle", "hand", "stake") == [(1, 500), (2, 500)]


def test_a_split_hand_takes_a_card_and_the_right_one_is_finished_first():
    """ND-44, ND-45."""
    events = play(ND, [place(1, 500), {"wait": 2000}, draw("8S TC 8D 9H"), {"key": "split"}, place(1, 500),
                       {"key": "confirm"}, {"expect": {"event": "extra", "kind": "split"}}, {"key": "stand"},
                       {"expect": {"event": "refused", "number": 93}}, draw("2S 3S"), {"key": "stand"},
                       draw("4S"), {"wait": 500}])
    assert of(events, "card", "code", "to")[-3:] == [("2S", "1.1"), ("3S", "1.1"), ("4S", "1.2")]


def test_a_doubled_hand_takes_exactly_one_card():
    """ND-53: it cannot stand before it, and the card after it is nobody's."""
    events = play(ND, [place(1, 500), {"wait": 2000}, draw("6S TC 5D 9H"), {"key": "double"}, place(1, 500),
                       {"key": "confirm"}, {"expect": {"event": "extra", "kind": "double"}}, {"key": "stand"},
                       {"expect": {"event": "refused", "number": 107}}, draw("2S 3S"), {"wait": 1000}])
    assert of(events, "card", "code", "to")[-2:] == [("2S", "1.1"), ("3S", "burn")]
    assert of(events, "alarm", "kind") == [("no-taker",)]


@pytest.mark.parametrize("chips, times", [((500, 100), 1), ((100, 100, 100), 0), ((500,), 0)])
def test_a_mixed_stack_is_to_be_stacked_by_value(chips, times):
    """ND-60, ND-61: the antenna cannot see the order, so the dealer is reminded once of every mixed stack."""
    assert prompts(play(ND, [place(1, *chips), {"wait": 2500}]), "stack") == [("stack", 1)] * times


def test_only_north_dakota_asks_for_the_order_of_a_stack():
    assert not prompts(play(IN, [place(1, 500, 100), {"wait": 2500}]), "stack")


@pytest.mark.parametrize("profile", [pytest.param(GCB, id="GCB-01"), pytest.param(TCP, id="IN-TCP-01"), ND, IN])
def test_who_has_no_wager_gets_no_card(profile):
    events = play(profile, [place(2, 500), place(4, 100), {"wait": 2000}, draw("TS TC 9D"), {"wait": 1000}])
    assert {to for (to,) in of(events, "card", "to")} <= {"2.1", "dealer"}
    events = play(profile, [{"wait": 1000}, draw("TS"), {"wait": 1000}])
    assert of(events, "alarm", "kind") == [("no-wager-card",)]


@pytest.mark.parametrize("profile", [pytest.param(IN, id="IN-BJ-11"), pytest.param(GCB, id="GCB-11")])
def test_a_confirmed_double_is_not_touched_again(profile):
    events = play(profile, [place(1, 500), {"wait": 2000}, draw("6S TC 5D 9H"), {"key": "double"}, place(1, 500),
                            {"key": "confirm"}, {"expect": {"event": "extra", "kind": "double"}},
                            {"remove": {"spot": 1, "zone": "main", "chips": [500]}}, {"wait": 2000}])
    assert of(events, "alarm", "kind", "spot") == [("decrease", 1)]


@pytest.mark.parametrize("profile", [pytest.param(IN, id="IN-BJ-11"), pytest.param(GCB, id="GCB-11")])
def test_a_confirmed_insurance_is_not_touched_again(profile):
    events = play(profile, [*ACE_UP, {"expect": {"event": "prompt", "kind": "insurance"}}, place(1, 500, zone="line"),
                            {"wait": 1500}, {"key": "insurance-closed"},
                            {"expect": {"event": "state", "state": "LOCKED"}},
                            {"remove": {"spot": 1, "zone": "line", "all": True}}, {"wait": 2000}])
    assert of(events, "extra", "kind", "amount") == [("insurance", 500)]
    assert [row[1:] for row in of(events, "alarm", "kind", "spot", "zone")] == [(1, "line")]


@pytest.mark.parametrize("profile", [pytest.param(IN, id="IN-BJ-12"), pytest.param(GCB, id="GCB-12")])
def test_no_spot_with_an_alarm_is_settled(profile):
    """Only the supervisor's acknowledgement, which is told, opens the way."""
    steps = [place(1, 500), {"wait": 2000}, draw("TS TC 9D 8H"), place(1, 500),
             {"expect": {"event": "alarm", "kind": "increase"}},
             {"remove": {"spot": 1, "zone": "main", "chips": [500]}}, {"wait": 1500},
             {"key": "stand"}, {"key": "reveal"}, {"expect": {"event": "settle"}}, {"key": "settled"},
             {"expect": {"event": "refused", "number": SETTLED_OVER_ALARM}}]
    events = play(profile, [*steps, {"wait": 500}])
    assert not of(events, "round", "result")
    events = play(profile, [*steps, {"key": {"name": "ack", "id": 1}}, {"key": "settled"}, {"wait": 500}])
    assert of(events, "round", "result") == [("complete",)] and of(events, "alarm-cleared", "id") == [(1,)]


@pytest.mark.parametrize("text, profile, words", [
    ("ND-21", ND, "touches its lower left edge"),
    ("ND-35", ND, "lower right of the hand's first card"),
    ("ND-43", ND, "chips of a split lie beside the wager"),
    ("ND-55", ND, "those of a double vertically to it"),
    ("ND-57", ND, "the dealer asks, and places them"),
    ("ND-60", ND, "stacked with the largest at the bottom"),
    ("ND-61", ND, "a wrong one is told and restacked"),
    ("IN-TCP-05", TCP, "lays the cards under the play bet"),
    ("IN-TCP-13", TCP, "the cards of a fold lie beside the bets"),
])
def test_what_no_sensor_sees_is_said_in_words(text, profile, words):
    assert [line for line in explain(profile) if words in line and text in line.rpartition("(")[2]]


@pytest.mark.parametrize("active, opens", [(True, True), (False, False)])
def test_a_table_opens_while_another_active_one_has_the_low_minimum(active, opens):
    """ND-03, ND-04, ND-05: asked again at each opening, for the other tables may have changed since."""
    bench = Bench(min=500, max=2500, profile=ND,
                  options={"other_tables": [{"min": 300, "max": 2500, "active": active}]})
    bench.send("open")
    assert (bench.state == "OPEN") == opens
    assert ("(ND-03)" in bench.lines[-1]) != opens
