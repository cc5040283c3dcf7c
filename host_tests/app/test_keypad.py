"""The dealer's keypad and the supervisor's key switch: what they do, what they may not, and that nothing sticks."""

import pytest

from firstcard.app.dealer import LEFT_MS, Dealer
from firstcard.core import keypad
from firstcard.core.keypad import NOTHING, SEVERAL, STUCK_MS, Debounce
from host_tests.sim.bench import Bench
from pit import contract

PLAIN, SHIFTED = keypad.names(keypad.PLAIN), keypad.names(keypad.SHIFTED)
KEYS = {name: n for n, name in enumerate(PLAIN)}


def press(bench, *names):
    """Press keys by name; SHIFT where it is needed."""
    for name in names:
        if name in KEYS:
            keys = [KEYS[name]]
        else:
            keys = [KEYS["shift"], SHIFTED.index(name)]
        for key in keys:
            bench.table.do({"press": key})
            bench.run(60)


def turn(bench, on):
    bench.table.do({"turn": on})
    bench.run(150)


@pytest.fixture
def bench():
    return Bench(login=None)


def test_every_key_of_the_contract_is_there_once():
    names = [name for name in PLAIN + SHIFTED if name not in ("-", "shift")]
    assert sorted(names) == sorted([*map(str, range(10)), *contract.DEALER_KEYS, *contract.SUPERVISOR_KEYS])
    assert [PLAIN.index("shift")] == [n for n, name in enumerate(SHIFTED) if name == "shift"]


# a key counts once, and only alone


def looks(*seen, ms=10):
    debounce, out = Debounce(), []
    for n, one in enumerate(seen):
        out.append(debounce.take(one, n * ms))
    return [key for key in out if key != NOTHING]


@pytest.mark.parametrize("seen, keys", [
    ((5, 5, 5, NOTHING, NOTHING), [5]),
    ((5, NOTHING, 5, NOTHING), []),  # a bouncing contact is not seen twice in a row
    ((5, 5, NOTHING, 5, 5, NOTHING, NOTHING), [5]),  # nor does it let go for a moment
    ((5, 5, NOTHING, NOTHING, 5, 5), [5, 5]),
    ((5, 5, SEVERAL, SEVERAL, 6, 6), [5]),  # the second finger counts nothing until all were up
    ((SEVERAL, SEVERAL, 6, 6, NOTHING, NOTHING, 6, 6), [6]),
    ((5, keypad.NOT_NOW, 5), [5]),
    ((5, 5, NOTHING, 6, 6), [5, 6]),  # quick fingers
    ((5, 5, NOTHING, SEVERAL, SEVERAL, 6, 6), [5]),
    ((5, 5, 6, 6), [5]),  # it has not been let go of
])
def test_debounce(seen, keys):
    assert looks(*seen) == keys


def test_a_key_that_stays_down_is_stuck():
    debounce = Debounce()
    assert [debounce.take(5, 0), debounce.take(5, 10)] == [NOTHING, 5]
    assert not debounce.stuck(STUCK_MS + 10) and debounce.stuck(STUCK_MS + 11) and not debounce.quiet()


# what keys do


def into_a_round(bench):
    bench.login("supervisor")
    bench.bets((2, 1000), (4, 1000))
    bench.draw("6S", "5C", "TC", "7D", "6H", "9H")
    bench.ok("logout")


def test_the_dealer_needs_no_login(bench):
    into_a_round(bench)
    press(bench, "stand", "4", "double")
    assert bench.state == "EXTRA" and bench.round.window.spot == 4


def test_no_key_is_the_supervisors_without_the_switch(bench):
    into_a_round(bench)
    bench.place(2, 500)
    bench.run(2500)
    press(bench, "ack", "void", "supervisor-confirm")
    assert [e["number"] for e in bench.told("refused")] == [128, 128]
    assert not bench.told("alarm-cleared") and not bench.told("round")
    turn(bench, True)
    press(bench, "1", "ack", "supervisor-confirm")
    assert bench.one("alarm-cleared")["by"] == "supervisor" and bench.one("round")["result"] == "void"


def test_the_consoles_supervisor_is_not_the_keypads(bench):
    """Whoever has logged in at the console does not make the dealer's keys the supervisor's."""
    into_a_round(bench)
    bench.login("supervisor")
    press(bench, "void", "supervisor-confirm")
    assert bench.one("refused")["number"] == 128 and not bench.told("round")


def test_a_switch_that_was_turned_back_counts_no_more(bench):
    into_a_round(bench)
    turn(bench, True)
    turn(bench, False)
    press(bench, "void", "supervisor-confirm")
    assert bench.one("refused")["number"] == 128
    assert [e["on"] for e in bench.told("key-switch")] == [True, False]


def test_a_switch_that_is_left_on_counts_no_more_and_is_shown(bench):
    into_a_round(bench)
    turn(bench, True)
    bench.send("status")
    assert "PROGRESS key-switch on" in bench.lines
    bench.run(LEFT_MS)
    assert bench.one("fault")["code"] == "key-switch"
    press(bench, "void", "supervisor-confirm")
    assert bench.one("refused")["number"] == 128
    bench.send("status")
    assert "PROGRESS fault key-switch" in bench.lines
    turn(bench, False)
    turn(bench, True)
    assert bench.one("fault-cleared")["code"] == "key-switch"
    press(bench, "supervisor-confirm")
    assert bench.one("round")["result"] == "void"


def test_a_switch_that_is_on_at_power_up_counts_nothing(bench):
    into_a_round(bench)
    bench.table.do({"turn": True})
    Dealer(bench.engine)  # as at power-up
    bench.run(500)
    assert bench.one("fault")["code"] == "key-switch"
    press(bench, "void", "supervisor-confirm")
    assert bench.told("refused")[-1]["number"] == 128


def test_turns_are_journalled(bench):
    kept = []
    bench.engine.keeper.note = lambda name, *values: kept.append((name, *values))
    turn(bench, True)
    turn(bench, False)
    assert kept == [("key-switch", True), ("key-switch", False)]


def test_a_number_is_forgotten(bench):
    into_a_round(bench)
    press(bench, "stand", "2")
    bench.run(11_000)
    press(bench, "double")
    assert bench.round.window.spot == 4


def test_shift_twice_is_none_and_a_key_without_a_second_meaning_does_nothing(bench):
    into_a_round(bench)
    press(bench, "shift", "shift", "stand")
    assert bench.told("prompt")[-1]["spot"] == 4
    press(bench, "shift", "stand")
    assert not bench.told("refused")
    press(bench, "stand")
    assert not bench.told("refused")


def test_an_oral_wager_is_typed_with_its_amount():
    bench = Bench(profile="gcb-blackjack", options={"dealer_natural_beats_21": True}, login="supervisor")
    bench.ok("open")
    press(bench, "3", "oral", "2", "5", "confirm")
    press(bench, "3", "confirm")
    turn(bench, True)
    press(bench, "3", "supervisor-confirm")
    bet = bench.one("bet")
    assert (bet["spot"], bet["value"], bet["verdict"]) == (3, 2500, "oral")


def test_cancel_ends_the_amount():
    bench = Bench(profile="gcb-blackjack", options={"dealer_natural_beats_21": True}, login="supervisor")
    bench.ok("open")
    press(bench, "3", "oral", "2", "5", "cancel", "confirm")
    assert bench.one("refused")["number"] == 51
