"""A card that stays face down is burned, moved or named: the deal goes on as if it had not come, and tells nothing."""

import pytest

from host_tests.sim.bench import Bench

POKER = "us-in-three-card-poker"


def takers(bench):
    return [(e["code"], e["to"]) for e in bench.told("card")]


@pytest.mark.parametrize("how", ["frame", "key"])
def test_a_burned_hole_card_under_an_ace_leaves_the_place_to_the_next(how):
    """The window of insurance that it had opened is closed again, and opens with the real hole card."""
    bench = Bench()
    bench.bets((1, 1000))
    bench.draw("TS", "AC", "9D")
    bench.draw("8D", to="burn" if how == "frame" else None)
    if how == "key":
        bench.ok("key burn")
    bench.run(100)
    assert takers(bench)[-1] == ("**", "burn") and bench.state == "LOCKED"
    bench.draw("7D")
    assert takers(bench)[-1] == ("**", "dealer") and bench.state == "EXTRA" and not bench.alarms()
    bench.ok("key insurance-closed")
    bench.run(2000)
    bench.ok("key stand")
    bench.ok("key reveal")
    bench.run(1)
    assert bench.one("settle", spot=1)["outcome"] == "win" and bench.told("card")[-1]["code"] == "7D"


def test_european_the_card_that_opened_insurance_is_burned():
    bench = Bench(options={"hole_card": False, "peek": False})
    bench.bets((1, 1000))
    bench.draw("TS", "AC")
    bench.draw("9D", to="burn")
    bench.run(100)
    assert takers(bench)[-1] == ("9D", "burn") and bench.state == "LOCKED"
    bench.draw("7D")
    assert takers(bench)[-1] == ("7D", "1.1") and bench.state == "EXTRA" and not bench.alarms()


@pytest.mark.parametrize("how", ["frame", "key"])
@pytest.mark.parametrize("before", [0, 1, 2])
def test_a_burned_card_of_the_dealers_three_leaves_its_place_to_the_next(how, before):
    bench = Bench(profile=POKER)
    bench.bets((1, 1000))
    bench.draw("TS", "8C", "9D", *["2S", "3H"][:before])
    bench.draw("8D", to="burn" if how == "frame" else None)
    if how == "key":
        bench.ok("key burn")
    bench.run(100)
    assert takers(bench)[-1] == ("**", "burn") and bench.state == "LOCKED"
    bench.draw(*["7D", "4H", "5C"][before:])
    assert bench.state == "EXTRA" and not bench.alarms()
    hands = bench.round.game.describe()
    assert hands[-1] == ("dealer", ["**"] * 3) and [e["n"] for e in bench.told("card", to="burn")] == [4 + before]


def test_no_burn_any_more_once_a_player_has_decided():
    bench = Bench(options={"even_money": True})
    bench.bets((1, 1000), (2, 1000))
    bench.draw("AS", "5S", "AC", "KD", "6D", "8D")
    bench.ok("key even-money 1")
    assert bench.error("key burn") == 58


@pytest.mark.parametrize("number", [2, 4])
@pytest.mark.parametrize("to", ["1.1", "dealer"])
def test_no_card_of_the_dealers_is_moved_while_one_is_face_down(number, to):
    """Without its up card the hole card would be the dealer's first."""
    bench = Bench()
    bench.bets((1, 1000))
    bench.draw("TS", "5C", "9D", "AD")
    assert bench.error("card %d to %s" % (number, to)) == 98
    bench.send("round")
    bench.run(2000)
    assert not any("AD" in line for line in bench.lines)


def test_cards_that_wait_for_the_freeze_keep_their_numbers_when_one_is_burned():
    """A stack that the first two sweeps after the lock miss takes longer than the shoe needs for two cards."""
    bench = Bench()
    bench.bets(*[(spot, *[500] * 5, *[100] * 5) for spot in range(1, 7)])
    bench.overlook(7, bench.place(7, 1000)[0], 3)
    bench.run(4000)
    bench.overlook(7, bench._lying[7, "main"][0][1], 2)
    bench.draw("TS")
    bench.draw("5H", to="burn")
    assert not bench.told("card")  # else this test has lost its subject
    bench.run(3000)
    assert [(e["n"], e["code"], e["to"]) for e in bench.told("card")] == [(1, "TS", "1.1"), (2, "5H", "burn")]
