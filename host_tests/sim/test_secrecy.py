"""The hole card: whatever it is, everything that leaves the table until the reveal is the same, to the millisecond.

A round is replayed with each of the 52 hole cards and with hole cards that the shoe could not read. All lines are
compared: events, answers of every command that tells something, refusals.
"""

import re

import pytest

from host_tests.sim.bench import Bench

CODES = [r + s for r in "23456789TJQKA" for s in "SHDC"]
QUESTIONS = ("round", "bets", "status", "last", "alarms", "limits", "help", "id", "card TH", "key reveal",
             "key settled", "key supervisor-confirm")


def lines_before_the_reveal(hole, up, announce="draw"):
    """All output of a second round until just before `reveal`; `hole`: code, or "??" for a misread one."""
    bench = Bench()
    bench.bets((1, 1000), (4, 2500))
    bench.draw("TS", "8S", "6C", "9D", "9H", "TC")
    bench.ok("key stand")
    bench.ok("key stand")
    bench.ok("key reveal")
    bench.draw("KH")
    bench.ok("key settled")
    bench.run(2000)
    bench.draw("2S", "3S", up, "3H", "4H")
    if announce == "draw":
        bench.draw(hole)
    elif announce == "edge":  # the shoe says nothing at all of this card
        bench.edge()
        bench.run(400)
    bench.place(4, 500)  # an alarm in between
    for line in QUESTIONS:
        bench.send(line)
    bench.draw("5D", "??", "2H")
    for line in ("card 4D", "key stand", "key stand"):
        bench.send(line)
    bench.run(1500)
    for line in QUESTIONS:
        if line != "key reveal":
            bench.send(line)
    bench.lift(4, 500)
    bench.run(1500)
    return bench.lines


def timeless(line):
    return re.sub(r'"ms":\d+', "", line)


def check_secrecy(holes=CODES, ups=("6C",), announce="draw", keep=str):
    """The logic of the tests below, also used to show that a broken table fails it."""
    for up in ups:
        told = {hole: [keep(line) for line in lines_before_the_reveal(hole, up, announce)] for hole in holes}
        first = [keep(line) for line in lines_before_the_reveal("2D", up)]
        assert sum('"code":"**"' in line for line in first) == 2  # one a round
        for hole, lines in told.items():
            assert lines == first, (hole, [pair for pair in zip(first, lines) if pair[0] != pair[1]][:3])


@pytest.mark.parametrize("up", ["6C", "TC", "AC"])
def test_no_line_depends_on_the_hole_card(up):
    check_secrecy(ups=(up,))


@pytest.mark.parametrize("announce", ["draw", "edge"])
def test_no_word_depends_on_whether_the_hole_card_was_misread(announce):
    check_secrecy(holes=["??"], announce=announce, keep=timeless)


@pytest.mark.parametrize("announce", ["draw", "edge"])
def test_no_instant_depends_on_whether_the_hole_card_was_misread(announce):
    """"no field, hash, CRC, length, timing": `**` "while it is the hole card, also a misread one"."""
    check_secrecy(holes=["??"], announce=announce)


def test_the_hole_card_is_shown_at_the_reveal():
    bench = Bench()
    bench.bets((1, 1000))
    bench.draw("TS", "9C", "9D", "8D")
    assert not any("8D" in line for line in bench.lines)
    bench.ok("key stand")
    bench.ok("key reveal")
    bench.run(1)
    assert bench.told("card", code="8D", to="dealer", n=4)
    assert any("9C 8D" in line for line in (bench.send("round"), *bench.lines))


def test_a_burned_hole_card_stays_unknown():
    """It was burned unseen: nobody has to know it."""
    bench = Bench()
    bench.bets((1, 1000))
    bench.draw("TS", "9C", "9D")
    bench.draw("8D", to="burn")
    bench.run(100)
    assert bench.told("card")[-1] == {**bench.told("card")[-1], "n": 4, "to": "burn"}
    assert not any("8D" in line for line in bench.lines)
