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
    bench = Bench(options={"decks": 1})  # so that some hole cards are more than the deck holds
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


# with an ace up: insurance, even money, double, surrender; `peek` is not asked

BEFORE = [q for q in QUESTIONS if q != "key reveal"]


def ask(bench):
    for line in BEFORE:
        bench.send(line)


def lines_with_an_ace_up(hole):
    """All output of a round with every extra bet, until just before `reveal`."""
    bench = Bench(options={"even_money": True, "surrender": True})
    bench.bets((1, 1000), (4, 2500), (6, 1000), (7, 500))
    bench.draw("AS", "3S", "5S", "8C", "AC", "KD", "8H", "6H", "8D", hole)
    assert bench.state == "EXTRA"
    bench.place(4, 500, zone="line")
    bench.place(6, 1000, zone="line")  # too much: prompt, then alarm
    bench.run(1500)
    ask(bench)
    for line in ("key even-money 1", "key reveal", "key burn 1", "key insurance-closed"):
        bench.send(line)
    bench.run(2000)
    ask(bench)
    bench.lift(6, 1000, zone="line")
    bench.ok("key double 4")
    bench.place(4, 2500)
    bench.ok("key confirm")
    bench.run(2000)
    bench.draw("TH")
    bench.ok("key surrender 6")
    bench.ok("key confirm")
    bench.run(2000)
    bench.ok("key split 7")
    bench.place(7, 500)
    bench.ok("key confirm")
    bench.run(2000)
    bench.draw("3D")
    bench.send("key reveal")
    bench.ok("key stand")
    bench.draw("??")
    bench.ok("card 4H")
    bench.ok("key stand")
    bench.send("key stand")
    bench.run(1500)
    for line in ("card 10 to 4.1", "card 5 to 4.1", "card KD dealer", "key undo"):
        bench.send(line)
    ask(bench)
    kinds = [e["kind"] for e in bench.told("extra")]
    assert sorted(kinds) == sorted(["even-money", "insurance", "double", "surrender", "split"])
    return bench.lines


def test_no_line_depends_on_the_hole_card_under_an_ace():
    first = lines_with_an_ace_up("2D")
    assert sum('"code":"**"' in line for line in first) == 1
    for hole in CODES + ["??"]:
        lines = lines_with_an_ace_up(hole)
        assert lines == first, (hole, [pair for pair in zip(first, lines) if pair[0] != pair[1]][:3])


def lines_with_a_peek(hole, up):
    bench = Bench()
    bench.bets((1, 1000), (4, 2500))
    bench.draw("TS", "8S", up, "9D", "9H", hole)
    if up[0] == "A":
        bench.ok("key insurance-closed")
        bench.run(2000)
    bench.send("key peek")
    ask(bench)
    bench.ok("key stand")
    bench.draw("2H")
    ask(bench)
    return bench.lines


@pytest.mark.parametrize("up, naturals", [("AC", "TJQK"), ("TC", "A")])
def test_peek_tells_whether_the_dealer_has_a_natural_and_nothing_else(up, naturals):
    first = {}
    for hole in CODES:
        lines = lines_with_a_peek(hole, up)
        assert ("OK natural" in lines, "OK none" in lines) == (hole[0] in naturals, hole[0] not in naturals)
        assert lines == first.setdefault(hole[0] in naturals, lines), hole
    same = [pair for pair in zip(*first.values()) if pair[0] != pair[1]]
    assert same == [("OK none", "OK natural")] and len({len(lines) for lines in first.values()}) == 1


# three card poker: the dealer's three


def poker_before_the_reveal(dealer, packets):
    bench = Bench(profile="us-in-three-card-poker", options={"packets": packets})
    bench.bets((1, 1000), (4, 2500), (6, 1000))
    bench.draw("TS", "8S", "6C", "9D", "9H", "TC", "2H", "3H", "4S")
    bench.place(6, 500, zone="line")  # too early
    bench.draw(*dealer)
    for line in (*BEFORE, "key burn 1", "card 10 to 1.1", "card 5C dealer"):
        bench.send(line)
    bench.place(1, 1000, zone="line")
    bench.ok("key play 1")
    bench.place(4, 1000, zone="line")
    bench.ok("key play 4")
    bench.run(2000)
    ask(bench)
    bench.lift(4, 1000, zone="line")
    bench.place(4, 2500, zone="line")
    bench.ok("key play 4")
    bench.send("key reveal")
    bench.run(2000)
    bench.ok("key fold 6")
    bench.run(2000)
    bench.draw("5S")  # nobody may take it
    ask(bench)
    assert sum(e["code"] == "**" for e in bench.told("card")) == 3
    assert [e["kind"] for e in bench.told("extra")] == ["play", "play", "fold"]
    return bench.lines


@pytest.mark.parametrize("packets", [False, True])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_no_line_depends_on_the_dealers_three_cards(place, packets):
    first = poker_before_the_reveal(["2D", "7H", "JS"], packets)
    for code in CODES + ["??"]:
        dealer = ["2D", "7H", "JS"]
        dealer[place] = code
        lines = poker_before_the_reveal(dealer, packets)
        assert lines == first, (code, [pair for pair in zip(first, lines) if pair[0] != pair[1]][:3])


def test_the_dealers_three_cards_are_shown_at_the_reveal():
    bench = Bench(profile="us-in-three-card-poker")
    bench.bets((1, 1000))
    bench.draw("TS", "8S", "6C", "2D", "7H", "JS")
    bench.place(1, 1000, zone="line")
    bench.ok("key play 1")
    bench.run(2000)
    bench.ok("key reveal")
    bench.run(1)
    assert [e["code"] for e in bench.told("card", to="dealer")] == ["**"] * 3 + ["2D", "7H", "JS"]


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
