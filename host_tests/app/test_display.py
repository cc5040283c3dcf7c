"""What the dealer's display says in a round, and what it never says: a hole card before its reveal."""

import pytest

from firstcard.core import digits
from host_tests.app.test_keypad import press
from host_tests.sim.bench import Bench

CODES = [r + s for r in "23456789TJQKA" for s in "SHDC"]


@pytest.fixture
def bench():
    return Bench()


def rows(bench):
    return bench.engine.dealer.rows()


def test_at_rest_it_shows_the_state_and_the_limits(bench):
    assert rows(bench) == ["CLOSED", "$5", "$500", "", "CLOSED ROUND 0"]
    bench.ok("open")
    assert rows(bench) == ["OPEN", "$5", "$500", "", "OPEN ROUND 1"]


def test_a_prompt_stays_until_it_is_answered(bench):
    bench.bets((2, 1000), (4, 1000))
    bench.draw("6S", "5C", "TC", "7D", "6H", "9H")
    assert rows(bench)[:3] == ["DOUBLE", "SPOT 2", ""]
    press(bench, "stand")
    assert rows(bench)[:3] == ["DOUBLE", "SPOT 4", ""]
    press(bench, "double")
    assert rows(bench) == ["DOUBLE", "SPOT 4", "", "THEN CONFIRM", "EXTRA ROUND 1"]
    bench.place(4, 1000)
    bench.place(4, 500)
    bench.run(1500)
    press(bench, "confirm")
    bench.run(1500)
    assert rows(bench)[0] == "DOUBLE" and bench.told("prompt")[-1]["kind"] == "amount"
    press(bench, "cancel")
    assert rows(bench)[0] == "LOCKED"


def test_stand_answers_what_was_asked(bench):
    bench.bets((2, 1000))
    bench.draw("6S", "TC", "7D", "9H")
    assert rows(bench)[:2] == ["DOUBLE", "SPOT 2"]
    press(bench, "stand")
    assert rows(bench)[0] == "LOCKED" and bench.engine._spots[1] == digits.GREEN


def test_what_is_typed_and_why_it_was_refused(bench):
    press(bench, "4", "2")
    assert rows(bench)[3] == "42"
    press(bench, "shift")
    assert rows(bench)[3] == "SHIFT 42"
    press(bench, "8")  # void, which takes no spot
    assert rows(bench)[3] == "wrong arguments: type key void"[:16]
    bench.run(7_000)
    assert rows(bench)[3] == ""


def test_alarms_faults_and_a_pending_change(bench):
    bench.bets((2, 1000))
    bench.ok("limits set 10 200 in 20m")
    assert rows(bench)[3] == "NEW 10-200 20M"
    bench.engine.name_fault("plaque")
    assert rows(bench)[3] == "FAULT plaque"
    bench.draw("6S")
    bench.place(2, 500)
    bench.run(2500)
    assert rows(bench)[3] == "!1 increase 2"


def test_no_row_is_too_long_or_not_ascii(bench):
    bench.bets((2, 1000))
    bench.engine.prompt = ("return-excess", 7, -9_999_950)
    bench.engine.keypad = None
    for text, most in zip(rows(bench), (16, 8, 8, 16, 16)):
        assert len(text) <= most and text.isascii()


def shown_until_the_reveal(hole, up):
    """Every text that the display shows in a round, with its time, until just before `reveal`."""
    bench = Bench()
    out = []
    dealer = bench.engine.dealer
    told = dealer.told
    dealer.told = lambda: (told(), out.append((bench.table.now_ms, dealer.rows())))
    bench.bets((1, 1000), (4, 2500))
    bench.draw("TS", "8S", up, "9D", "9H", hole)
    if up[0] == "A":
        press(bench, "insurance-closed")
        bench.run(2000)
    press(bench, "stand")
    bench.draw("2H")
    press(bench, "stand")
    return out


@pytest.mark.parametrize("up", ["6C", "AC"])
def test_nothing_on_the_display_depends_on_the_hole_card(up):
    first = shown_until_the_reveal("2D", up)
    assert len(first) > 12
    for hole in CODES:
        assert shown_until_the_reveal(hole, up) == first, hole
