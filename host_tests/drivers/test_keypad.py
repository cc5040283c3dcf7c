"""The dealer's keypad on the emulated table: real levels on the expander's lines, over the I2C that the lock needs."""

import re

import pytest

from firstcard.core import keypad
from host_tests.drivers.test_app import command, table, up
from pit.emu import snapshot

READY_MS = 1_500  # the panel's modules are read once the table is closed
PLAIN, SHIFTED = keypad.names(keypad.PLAIN), keypad.names(keypad.SHIFTED)
KEYS = {name: n for n, name in enumerate(PLAIN)}
REFUSED = rb'"event":"refused","command":"key"'


@pytest.fixture(scope="module")
def ready():
    with table() as played:
        up(played)
        played.board.run_ms(READY_MS)
        played.keypad.reads = played.keypad.writes = 0
        yield played
        assert not played.board.faults and not played.bus.violations


def heard(played, act, ms=400):
    """What the console says from `act()` on, computed on a fork."""

    def play():
        seen = len(played.board.out)
        act()
        played.board.run_ms(ms)
        return bytes(played.board.out[seen:])

    return snapshot.in_fork(play)


def test_a_press_is_one_key(ready):
    assert heard(ready, lambda: ready.keypad.press(KEYS["stand"])).count(REFUSED) == 1


@pytest.mark.parametrize("after_ms", [0, 3, 50])
def test_a_bouncing_press_is_one_key(ready, after_ms):
    def press():
        ready.board.run_ms(after_ms)  # a look may fall into the bounce, and find nothing pressed just then
        ready.keypad.bounce(KEYS["stand"])

    assert heard(ready, press).count(REFUSED) == 1


@pytest.mark.parametrize("ms", [45, 60, 150])
def test_a_short_and_a_long_press(ready, ms):
    assert heard(ready, lambda: ready.keypad.press(KEYS["stand"], ms)).count(REFUSED) == 1


def test_every_key_is_the_one_that_was_pressed(ready):
    """One after the other, read back at the driver's own end."""

    def play():
        seen = []
        for key in range(len(PLAIN)):
            start = len(ready.board.out)
            ready.keypad.press(KEYS["shift"])
            ready.board.run_ms(130)
            ready.keypad.press(key)
            ready.board.run_ms(130)
            said = bytes(ready.board.out[start:]).decode()
            seen.append((re.findall(r'"number":(\d+),"text":"([^"]*)"', said)))
        return seen

    for name, said in zip(SHIFTED, snapshot.in_fork(play)):
        if name in ("-", "shift"):
            assert not said, name
        elif name in ("ack", "supervisor-confirm"):
            assert said and said[0][0] == "128" and said[0][1].startswith(name), name
        else:
            assert len(said) == 1, name


def test_two_keys_at_once_are_none(ready):
    def act():
        ready.keypad.press(KEYS["stand"], 200)
        ready.keypad.press(KEYS["settled"], 200)

    assert REFUSED not in heard(ready, act)


def test_the_key_switch_of_the_table(ready):
    def act():
        ready.turn_key(True)
        ready.board.run_ms(200)
        ready.turn_key(False)

    said = heard(ready, act)
    assert said.index(b'"event":"key-switch","on":true') < said.index(b'"event":"key-switch","on":false')


def test_a_keypad_that_is_unplugged_is_named_and_closes_nothing(ready):
    def act():
        ready.keypad.unplug()
        ready.board.run_ms(4_000)
        ready.keypad.plug()
        ready.board.run_ms(3_000)
        ready.keypad.press(KEYS["stand"])

    said = heard(ready, act)
    assert said.count(b'"event":"fault","code":"keypad"') == 1 and b'"event":"fault-cleared","code":"keypad"' in said
    assert b'"event":"state"' not in said and said.count(REFUSED) == 1


def test_a_silent_keypad_costs_next_to_nothing(ready):
    def play():
        ready.board.run_ms(3_000)
        return ready.keypad.reads

    assert snapshot.in_fork(play) <= 3 * 6  # a look a second, in case a press was missed


def test_the_locks_record_does_not_wait_for_the_keypad(ready, figure):
    """A card at any instant of a scan: durable within the budget of a card while nothing else happens (4 ms)."""

    def edge(us):
        board, at, kept = ready.board, [], []
        ready.fram.on_written = lambda address, n: kept.append(board.now_us)
        ready.keypad.press(KEYS["stand"], 300)
        board.after_us(us, lambda: at.append(board.now_us))
        ready.edge(delay_us=us)
        board.run_us(us + 8_000, until=lambda: bool(at) and any(done > at[0] for done in kept))
        return next(done for done in kept if done > at[0]) - at[0]

    found = snapshot.fork_map(edge, [1_000 + 311 * n for n in range(40)])
    figure("edge to its mark in the FRAM while keys are scanned", round(max(found)), "us", 4_000)


def test_status_still_answers_while_a_key_is_stuck(ready):
    def act():
        ready.keypad.press(KEYS["stand"], 0)
        ready.board.run_ms(31_000)
        command(ready, "id")

    said = heard(ready, act)
    assert b'"event":"fault","code":"keypad"' in said and b"OK firstcard" in said
