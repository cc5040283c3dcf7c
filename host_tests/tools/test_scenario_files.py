"""Scenario files are checked strictly: every error names its line and what to write instead."""

import pytest

from pit import scenario
from pit.chips import ChipBox, nth_uid, to_air
from pit.errors import PitError

EVERY_STEP = """
title: a chip added after the first card is refused
profile: us-in-blackjack
options: {soft17: hit}
limits: {min: 500, max: 50000}
board: fc7
login: none
steps:
- open
- place: {spot: 3, zone: main, chips: [2500, 500]}
- place: {spot: 3, zone: tip, uids: [E004010012345678]}
- wait: 1500
- draw: [TH, '??', {code: 5H, to: burn}]
- edge
- edge: {return: true}
- frame: {code: 9C}
- frame: {type: CRD, n: 4, code: 9C}
- remove: {spot: 3, zone: main, chips: [2500]}
- remove: {spot: 3, zone: main, all: true}
- key: {name: ack, id: 1}
- key: stand
- key: {name: oral, spot: 2, amount: 5000}
- send: limits set 10 200
- expect: {reply: error, number: 12}
- fault: {reader: 6, kind: silent}
- fault: {spot: 3, zone: line, kind: ok}
- fault: {shoe: gap}
- fault: {power: cut}
- expect: {event: alarm, kind: increase, spot: 3, by: 2500, within: 3000}
- expect_none: {event: alarm, within: 2000}
- close
- edge: {in: true, ms: 30, lag: 10}
"""
HEAD = "title: t\nprofile: us-in-blackjack\nsteps:\n"


def problems(text):
    with pytest.raises(scenario.ScenarioError) as error:
        scenario.parse(text)
    return error.value.problems


def steps(text):
    return scenario.parse(HEAD + text).steps


def test_every_step_of_the_contract_is_read():
    played = scenario.parse(EVERY_STEP)
    kinds = [step.kind for step in played.steps]
    assert kinds == ("open place place wait draw edge edge frame frame remove remove key key key send expect "
                     "fault fault fault fault expect expect_none close edge").split()
    args = [step.args for step in played.steps]
    assert args[4] == {"cards": [{"code": "TH"}, {"code": "??"}, {"code": "5H", "to": "burn"}]}
    assert args[-1] == {"inward": True, "ms": 30, "lag_ms": 10}
    assert (args[5], args[6]) == ({}, {"back": True})
    assert args[8] == {"type": "CRD", "n": 4, "code": "9C"}
    assert args[10]["uids"] is None
    assert args[17] == {"reader": 8, "kind": "ok"}
    assert args[20] == {"fields": {"event": "alarm", "kind": "increase", "spot": 3, "by": 2500}, "within_ms": 3000}
    assert played.login == "none" and played.options == {"soft17": "hit"}
    assert played.steps[1].line == 10
    assert len(played.registry) == 2, "the chip given by UID alone stays unknown"


@pytest.mark.parametrize("line, words", [
    ("- opn", "did you mean `open`?"),
    ("- open: 3", "write `- open`"),
    ("- {open: , close: }", "one step after each"),
    ("- place: {spot: 8, chips: [500]}", "1 to 7"),
    ("- place: {spot: 1, zone: man, chips: [500]}", "did you mean `main`?"),
    ("- place: {spot: 1, chips: [5.00]}", "cents"),
    ("- place: {spot: 1, chps: [500]}", "did you mean `chips`?"),
    ("- place: {spot: 1}", "chips: [500]"),
    ("- place: {spot: 1, chips: [500, 500], uids: [E004010012345678]}", "a UID for each chip"),
    ("- place: {spot: 1, uids: [12]}", "16 hex digits"),
    ("- place", "write `- place: {spot: 3"),
    ("- remove: {spot: 1, chips: [500]}", "no chip of 500 lies on spot 1 main here (there: none)"),
    ("- remove: {spot: 1}", "all: true"),
    ("- wait: soon", "whole number"),
    ("- draw: [1H]", "like 'TH'"),
    ("- draw: [{code: TH, to: tray}]", "burn"),
    ("- frame: {type: CAD}", "did you mean `CRD`?"),
    ("- key: stnd", "did you mean `stand`?"),
    ("- key: ack", "{name: ack, id: 1}"),
    ("- key: {name: oral, amount: 500}", "add `spot`"),
    ("- send: 5", "operator line"),
    ("- fault: {shoe: zz}", "write one of silent"),
    ("- fault: {shoe: lied}", "did you mean `lid`?"),
    ("- edge: {back: true}", "no field of edge"),
    ("- edge: {return: 1}", "write `edge: {return: true}`"),
    ("- edge: {ms: 0}", "ms of edge"),
    ("- fault: {reader: 3}", "lacks `kind`"),
    ("- expect: {kind: increase}", "names an event or a reply"),
    ("- expect: {event: alrm}", "did you mean `alarm`?"),
    ("- expect: {event: alarm, kind: incrase}", "did you mean `increase`?"),
    ("- expect_none: {event: alarm, spt: 3}", "did you mean `spot`?"),
    ("- expect: {reply: yes}", "ok"),
    ("- place: {spot: 1, spot: 2, chips: [500]}", "given twice"),
])
def test_a_wrong_step_is_explained(line, words):
    found = problems(HEAD + "- open\n" + line + "\n")
    assert {at for at, _ in found} == {5}
    assert any(words in text for _, text in found)


@pytest.mark.parametrize("text, words", [
    ("", "empty"),
    ("steps: [open\n", "not valid YAML"),
    ("profile: us-in-blackjack\n", "lacks `steps`"),
    ("profile: us-in-blackjak\nsteps: [open]\n", "did you mean `us-in-blackjack`?"),
    ("profile: us-in-blackjack\nlimits: {min: 600, max: 500}\nsteps: [open]\n", "exchange them"),
    ("profile: us-in-blackjack\nboard: fc9\nsteps: [open]\n", "board: fc7"),
    ("profile: us-in-blackjack\nsteps: open\n", "starts with `- `"),
    ("profile: us-in-blackjack\noptions: {soft17: maybe}\nsteps: [open]\n", "not allowed for option soft17"),
    ("profile: us-in-blackjack\noptions: {soft71: hit}\nsteps: [open]\n", "unknown option soft71"),
    ("profile: us-in-blackjack\noptions: {tips: true}\nsteps: [open]\n", "forbidden"),
    ("profile: us-in-blackjack\nlimits: {min: 550, max: 5000}\nsteps: [open]\n", "whole dollars"),
    ("profile: us-in-blackjack\nlogin: maybe\nsteps: [open]\n", "login: none"),
])
def test_a_wrong_file_is_explained(text, words):
    assert words in problems(text)[0][1]


def test_all_problems_are_told_at_once_with_file_and_line():
    with pytest.raises(scenario.ScenarioError) as error:
        scenario.parse(HEAD + "- opn\n- open\n- wait: x\n", "round.yaml")
    lines = str(error.value).splitlines()
    assert [line.split(" ")[0] for line in lines] == ["round.yaml:4:", "round.yaml:6:"]


def test_a_file_that_is_not_there_is_one_sentence(tmp_path):
    with pytest.raises(PitError, match="cannot be read"):
        scenario.load(tmp_path / "none.yaml")


def test_chips_repeat_exactly_and_differ():
    uids = [nth_uid(n) for n in range(2000)]
    assert len(set(uids)) == 2000
    assert uids[:2] == [nth_uid(0), nth_uid(1)]
    assert all(uid.endswith("000104e0") for uid in uids)
    assert len({uid[1] for uid in uids[:40]}) > 8, "low nibbles are spread over the anticollision slots"
    assert to_air("E004010012345678") == "78563412000104e0"


def test_removing_takes_the_chip_laid_last():
    first, second, third = (step.args["uids"] for step in steps(
        "- place: {spot: 1, chips: [500]}\n- place: {spot: 1, chips: [500]}\n- remove: {spot: 1, chips: [500]}\n"))
    assert third == second != first


def test_an_unknown_chip_has_no_value():
    read = scenario.parse(HEAD + "- place: {spot: 1, chips: ['?', 500]}\n- remove: {spot: 1, chips: ['?']}\n")
    assert [cents for _, cents in read.registry] == [500]
    assert read.steps[1].args["uids"] == read.steps[0].args["uids"][:1]


def test_a_chip_box_knows_what_lies_where():
    box = ChipBox()
    box.place(1, "main", [500, None], None)
    assert box.lying(1, "main") == [500, None]
    box.clear(1, "main")
    assert box.lying(1, "main") == []
