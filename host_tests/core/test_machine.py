"""The transition table: every state x every input as the design wants it, and what walks over it can and cannot do."""

import pytest

from firstcard.core import machine
from firstcard.core.refused import Refused
from host_tests.core.felt import Felt

STATES = "SAFE CLOSED OPEN LOCKED EXTRA SETTLE".split()

# By hand from "The round": next state, `.` stays in its state and acts, `-` refused, `?` may stay or be refused but
# leads nowhere. Columns: SAFE CLOSED OPEN LOCKED EXTRA SETTLE.
WANTED = {
    "ready": "CLOSED - - - - -",  # SAFE goes to CLOSED by itself once the self-test passes
    "fault": ". SAFE SAFE . . .",  # to a locked state; a round is played out, locked
    "open": "- OPEN - - - -",  # the only way to open by hand
    "close": "? ? CLOSED . . .",  # in a round: pending
    "edge": "- - LOCKED - - -",  # one lock a round
    "card": ". . - . . .",  # in OPEN the lock always comes first
    "reading": ". . . . . .",
    "sweep": ". . . . . .",
    "frozen": "- - - . . .",
    "stand": "- - - . ? -",
    "reveal": "- - - . ? -",
    "confirm": "- - . . . .",  # before the first card: an oral wager
    "cancel": "- - . . . .",
    "settled": "- - - . . .",  # a bust hand is settled, and may be cleared, in mid-round
    "supervisor_confirm": "- - . . . .",
    "misdeal": "- - - . . .",
    "void": "- - - . . .",
    "burn": "- - - . . ?",
    "name_card": "- - - . . .",
    "move_card": "- - - . . ?",
    "key": "- - . . . .",
    "window_opens": "- - - EXTRA ? -",  # one window at a time
    "window_closes": "- - - - LOCKED -",
    "last_card": "- - - SETTLE ? -",
    "all_settled": "- - - SETTLE SETTLE SETTLE",
    "reopen": "- - - - - OPEN",
    "shut": "- - - - - CLOSED",
    "ack": ". . . . . .",  # an alarm can be acknowledged at any time
    "limits": "? . . . . .",
    "limits_cancel": "? . . . . .",
    "tick": ". . . . . .",
    "restart": ". SAFE SAFE . . .",  # bets that were open are not taken up again
    "tray": ". . . . . .",
}


def moves(without=()):
    """{state: {input: next state}} of what the table allows."""
    return {s: {i: STATES[n] for k, i in enumerate(machine.INPUTS)
                if i not in without and (n := machine.next_state(STATES.index(s), k)) >= 0} for s in STATES}


def reached(start, without=()):
    table, seen, todo = moves(without), {start}, [start]
    while todo:
        for state in table[todo.pop()].values():
            if state not in seen:
                seen.add(state)
                todo.append(state)
    return seen


def test_states_and_inputs_are_all_covered_here():
    assert list(machine.STATES) == STATES
    assert set(machine.INPUTS) == set(WANTED)
    assert len(machine.TABLE) == len(WANTED) * len(STATES)


@pytest.mark.parametrize("name", WANTED)
def test_each_input_is_legal_where_the_design_says(name):
    for place, want in enumerate(WANTED[name].split()):
        state = STATES[place]
        got = moves()[state].get(name, "-")
        allowed = {".": {state}, "-": {"-"}, "?": {state, "-"}}.get(want, {want})
        assert got in allowed, (name, state)


def test_bets_open_by_open_and_reopen_only():
    assert {(i, s) for s, row in moves().items() for i, n in row.items() if n == "OPEN" and s != "OPEN"} \
        == {("open", "CLOSED"), ("reopen", "SETTLE")}
    for start in STATES:
        if start != "OPEN":
            assert "OPEN" not in reached(start, without=("open", "reopen")), start


def test_a_round_is_left_through_settle_only():
    for state in ("LOCKED", "EXTRA"):
        assert set(moves()[state].values()) <= {"LOCKED", "EXTRA", "SETTLE"}
    assert set(moves()["SETTLE"].values()) == {"SETTLE", "OPEN", "CLOSED"}


def test_a_fault_never_leads_to_a_state_that_is_more_open():
    for state, row in moves().items():
        assert row["fault"] in ("SAFE", state) and row["fault"] != "OPEN"


def test_every_state_can_be_left_and_closed_can_always_be_reached():
    for state in STATES:
        assert "CLOSED" in reached(state), state
    assert reached("SAFE") >= set(STATES)


def in_state(state):
    """A felt that has come to `state` by play; EXTRA is the window of insurance."""
    felt = Felt(opened=False)
    if state == "SAFE":
        return felt
    felt.step("ready")
    if state == "CLOSED":
        return felt
    felt.step("open")
    if state == "OPEN":
        return felt
    felt.bet(s1="A", s2="B")
    felt.deal("TS", "9S", "AD" if state == "EXTRA" else "8D", "TD", "9D", "TH")
    if state == "SETTLE":
        felt.step("stand", 0)
        felt.step("stand", 0)
        felt.step("reveal")
    assert felt.state == state
    return felt


def picture(thing):
    """All that a round remembers, as plain comparable values."""
    if isinstance(thing, (int, str, bytes, type(None))):
        return thing
    if isinstance(thing, bytearray):
        return bytes(thing)
    if isinstance(thing, (list, tuple)):
        return [picture(x) for x in thing]
    if isinstance(thing, dict):
        return {k: picture(v) for k, v in thing.items()}
    if hasattr(thing, "__dict__") and type(thing).__module__.startswith("firstcard.core"):
        skipped = ("_actions", "_short", "_shorts", "r", "p", "now_ms", "out")
        return {k: picture(v) for k, v in vars(thing).items() if k not in skipped}
    return None


ARGUMENTS = {"fault": ("x",), "edge": (1, 9), "card": (0, False), "reading": (0, b"", 0, 1, 2), "stand": (0,),
             "confirm": (0, "supervisor"), "cancel": (0, "supervisor"), "settled": (0,), "name_card": (5, None, 1),
             "supervisor_confirm": (0, "supervisor"), "ack": (7, "supervisor"), "limits_cancel": ("operator",),
             "limits": (500, 10000, "operator", 0), "move_card": (1, 2, 1), "key": ("undo", 0, 0, "operator")}
KEYS = ("undo", "double", "split", "surrender", "insurance-closed", "even-money", "peek", "return-excess",
        "make-change", "oral", "play", "fold")


@pytest.mark.parametrize("name", WANTED)
@pytest.mark.parametrize("state", STATES)
def test_a_refused_input_changes_nothing(state, name):
    felt = in_state(state)
    before = picture(felt.round)
    try:
        felt.step(name, *ARGUMENTS.get(name, ()))
    except Refused:
        assert picture(felt.round) == before and felt.round.out == []
    else:
        assert WANTED[name].split()[STATES.index(state)] != "-"


@pytest.mark.parametrize("spot", [0, 1, 2, 3])
@pytest.mark.parametrize("name", KEYS)
@pytest.mark.parametrize("state", ["OPEN", "LOCKED", "EXTRA", "SETTLE"])
def test_a_refused_key_changes_nothing(state, name, spot):
    felt = in_state(state)
    before = picture(felt.round)
    try:
        felt.step("key", name, spot, 500, "operator")
    except Refused:
        assert picture(felt.round) == before and felt.round.out == []
