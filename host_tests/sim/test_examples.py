"""Worked examples, row by row, played on the simulated table: main wagers of us-in-blackjack.

Each row has a short name (C05, B11) that the clauses' notes use too. Rows made for another profile that speak of the
same rule are played with limits of 5 to 500 dollars; where this profile wants something else the test says so.
"""

import pytest

from host_tests.sim.bench import UNKNOWN, Bench


def dealt(bench, player, dealer, other=None):
    """Deal a round out: `player` on spot 2, `other` on spot 5 (a hand that stands, so that the dealer has to draw)."""
    first, second, *more = player
    up, hole, *draws = dealer
    bench.draw(first, *([other[0]] if other else []), up, second, *([other[1]] if other else []), hole)
    bench.draw(*more)
    while bench.round.game.deal.active():
        bench.ok("key stand")
    bench.ok("key reveal")
    bench.draw(*draws)
    assert bench.state == "SETTLE"
    assert [e["code"] for e in bench.told("card", to="dealer") if e["code"] != "**"] == [up, hole] + draws


SETTLEMENTS = [
    # row, stake, player, dealer, other, outcome, returned, won
    ("C01 ordinary win", [1000], "TS 9D", "TC 8H", None, "win", 1000, 1000),
    ("C02 natural 3:2", [1000, 500], "AS KD", "TC 9H", None, "blackjack", 1500, 2250),
    ("C04 both blackjack", [1000], "AS KD", "AC QH", None, "push", 1000, 0),
    ("C05 21 in three v blackjack", [1000], "7S 7D 7C", "AC QH", None, "lose", 0, 0),
    ("C07 18 v 18", [1000], "TS 8D", "9C 9H", None, "push", 1000, 0),
    ("C08 both bust", [1000], "TS 6D 6C", "TC 6H 8D", "9S 9D", "lose", 0, 0),
    ("C11 natural v 21 in three", [1000], "AS KD", "7C 7H 7S", "9S 9D", "blackjack", 1000, 1500),
    ("C13 dealer busts", [2500], "TS 5D", "TC 6H 9D", None, "win", 2500, 2500),
    ("C14 natural v soft 16 that becomes 21", [500], "AS TD", "AC 5H 5D", "9S 9D", "blackjack", 500, 750),
]


@pytest.mark.parametrize("stake, player, dealer, other, outcome, returned, won",
                         [pytest.param(*row[1:], id=row[0]) for row in SETTLEMENTS])
def test_settlement(stake, player, dealer, other, outcome, returned, won):
    bench = Bench(options={"insurance": False})
    bench.bets((2, *stake), *([(5, 1000)] if other else []))
    dealt(bench, player.split(), dealer.split(), other and other.split())
    told = bench.one("settle", spot=2)
    assert (told["stake"], told["outcome"], told["returned"], told["won"]) == (sum(stake), outcome, returned, won)
    assert told["to"] == ("player" if returned + won else "tray") and (told["hand"], told["bet"]) == (1, "main")
    assert not bench.alarms()


VERDICTS = [
    ("A01 exactly the minimum", [500], "ok", 500),
    ("A02 exactly the maximum", [10000] * 5, "ok", 50000),
    ("A03 over the maximum: here it counts for nothing (R5)", [50000, 500], "over", 0),
    ("A04 below the minimum", [100, 100], "under", 0),
    ("A05 no rule of multiples", [500, 100, 100], "ok", 700),
    ("A07 many small chips", [100] * 7, "ok", 700),
    ("A09 just over the maximum", [50000, 100], "over", 0),
    ("unknown chip", [1000, UNKNOWN], "unknown-chip", 0),
]


@pytest.mark.parametrize("chips, verdict, value", [pytest.param(*row[1:], id=row[0]) for row in VERDICTS])
def test_acceptance(chips, verdict, value):
    bench = Bench()
    bench.bets((4, *chips))
    told = bench.one("bet", spot=4)
    assert (told["sum"], told["verdict"], told["value"], told["excess"], told["chips"]) \
        == (sum(chips), verdict, value, 0, len(chips))
    assert not bench.alarms()  # before the lock nothing but the verdict happens
    bench.draw("TS")
    assert bench.one("lock")["wagers"] == [{"spot": 4, "zone": "main", "value": value}]
    kinds = {"over": ["over-limit"], "under": ["under-limit"], "unknown-chip": ["unknown-chip"], "ok": []}[verdict]
    assert bench.alarms() == kinds + ([] if value else ["no-wager-card"])


def test_a11_a14_limits_that_cannot_be_are_refused():
    bench = Bench()
    for line in ("limits set 500 5", "limits set 0 500"):
        assert bench.error(line) in (31, 32)
    assert not bench.told("limits", since=3)


def test_a18_an_empty_spot_is_out_of_the_round_without_alarm():
    bench = Bench()
    bench.bets((2, 1000))
    bench.draw("TS", "9C", "9D", "8D")
    assert [w["spot"] for w in bench.one("lock")["wagers"]] == [2] and not bench.alarms()
    assert {e["to"] for e in bench.told("card")} == {"2.1", "dealer"}


def change_after_the_lock(change):
    """Spot 3 has 10 dollars in two chips; `change(bench)` 0.9 s after the first card; then the round to its end."""
    bench = Bench()
    bench.bets((3, 500, 500))
    bench.draw("TS")
    bench.run(500)
    change(bench)
    bench.run(2500)
    bench.draw("9C", "9D", "8D")
    bench.ok("key stand")
    bench.ok("key reveal")
    assert bench.one("settle", spot=3)["stake"] == 1000  # the wager stays
    return bench


def test_b01_increase_at_0_9_s():
    bench = change_after_the_lock(lambda b: b.place(3, 500))
    assert bench.one("alarm") == {**bench.one("alarm"), "kind": "increase", "spot": 3, "zone": "main", "by": 500}


def test_b02_decrease():
    bench = change_after_the_lock(lambda b: b.lift(3, 500))
    assert bench.one("alarm") == {**bench.one("alarm"), "kind": "decrease", "spot": 3, "zone": "main", "by": -500}


def test_in_r6_chips_of_equal_value_count_as_handled():
    def swap(bench):
        bench.lift(3)
        bench.place(3, 1000)

    bench = change_after_the_lock(swap)
    assert bench.one("alarm") == {**bench.one("alarm"), "kind": "swap", "spot": 3, "zone": "main", "by": 0}


@pytest.mark.parametrize("sweeps, alarm", [(1, False), (2, False), (3, True)])
def test_b04_a_chip_of_a_stack_of_five_is_missed(sweeps, alarm):
    bench = Bench()
    bench.bets((3, 500))
    uids = bench.place(3, 1000, 1000, 100, 100)
    bench.run(2500)
    bench.draw("TS")
    bench.run(1000)
    bench.overlook(3, uids[0], sweeps)
    bench.run(4000)
    assert bool(bench.alarms()) is alarm


@pytest.mark.parametrize("sweeps", [1, 2])
def test_b04_missed_in_the_very_sweeps_that_must_agree(sweeps):
    bench = Bench()
    bench.bets((3, 500))
    uid = bench.place(3, 1000)[0]
    bench.run(2500)
    bench.overlook(3, uid, sweeps)
    bench.draw("TS")
    bench.run(2000)
    assert bench.one("lock")["wagers"][0]["value"] == 1500
    assert not bench.told("unsettled") and not bench.alarms()


def test_b11_a_card_pushed_back_locks_and_only_the_supervisor_voids():
    bench = Bench(roles=("supervisor", "operator"))
    bench.bets((3, 1000))
    bench.edge(back=True)
    bench.run(1000)
    assert bench.one("lock")["cause"] == "edge" and not bench.told("card")
    bench.place(3, 500)
    bench.run(1500)
    assert bench.alarms() == ["increase"]
    bench.lift(3, 500)
    bench.login("operator")
    bench.ok("key void")
    assert bench.error("key supervisor-confirm") == 14 and bench.state == "LOCKED"
    bench.login("supervisor")
    bench.ok("key supervisor-confirm")
    bench.run(1)
    assert bench.one("settle", spot=3, outcome="void", stake=1000, returned=1000, won=0)
    assert bench.one("round", result="void")


def test_b12_paid_then_lifted_is_no_alarm():
    bench = Bench()
    bench.bets((3, 1000))
    dealt_to = ["TS", "9C", "9D", "8D"]
    bench.draw(*dealt_to)
    bench.ok("key stand")
    bench.ok("key reveal")
    bench.place(3, 500, 500)  # the dealer pays, in other chips
    bench.run(2000)
    bench.lift(3)
    bench.run(3000)
    assert not bench.alarms()
    bench.ok("key settled")
    bench.run(1)
    assert bench.one("round", result="complete", stakes=1000, returned=1000, won=1000) and bench.state == "OPEN"


def test_b12_reversed_lifted_before_it_is_paid_is_an_alarm():
    bench = Bench()
    bench.bets((3, 1000))
    bench.draw("TS", "9C", "9D", "8D")
    bench.ok("key stand")
    bench.ok("key reveal")
    bench.lift(3)
    bench.run(3000)
    assert bench.alarms() == ["decrease"]
    assert bench.error("key settled") == 61


def test_in_12_no_employee_waves_an_alarm_away():
    bench = Bench(roles=("supervisor", "operator", "technician"))
    bench.bets((3, 1000))
    bench.draw("TS")
    bench.place(3, 500)
    bench.run(2000)
    for role in ("operator", "technician"):
        bench.login(role)
        assert bench.error("ack 1") == 14 and bench.error("key ack 1") == 14
    bench.ok("logout")
    assert bench.error("ack 1") == 13
    bench.login("supervisor")
    bench.ok("ack 1")
    bench.run(1)
    assert bench.one("alarm-cleared", id=1, by="supervisor")
