"""The code is broken once in each way that matters most, and a test must go red.

Each `check_...` is the logic of the green test of the same name; the same logic is then run on a table that is
broken by monkeypatch and has to fail. Tests elsewhere that catch the same break:

  lock not taken: app/test_engine.py (edge and frame give one lock), sim/test_examples.py (b01, b02, b11), bench.check
  late chip counted: core/test_zone.py (which sweep counts, k of n), sim/test_examples.py (b01)
  plaque not updated: app/test_engine.py (the plaque shows the limits), scenarios/first-card.yaml
  bets without a proven sign: scenarios/plaque-*.yaml; a frame of earlier for this one: drivers/test_leds.py
  hole card shown early: sim/test_secrecy.py, core/test_deal.py (order for any spots)
"""

import pytest

from firstcard.app import engine
from firstcard.core import blackjack, cards, deal, digits, machine, zone
from firstcard.core.hands import NOBODY
from host_tests.app import test_sign
from host_tests.sim.bench import Bench, Broken
from host_tests.sim.test_secrecy import check_secrecy

RED = (AssertionError, Broken)


# the lock


def check_lock_is_taken():
    """At the first card the state is LOCKED, LOCK is high, and it stays so to the end of the round."""
    for way in ("edge", "frame"):
        bench = Bench()
        bench.bets((1, 1000))
        assert bench.state == "OPEN" and not bench.table.is_locked()
        bench.edge() if way == "edge" else bench.frame(code="TS")
        bench.run(10)
        assert bench.state == "LOCKED" and bench.table.is_locked()
        assert bench.one("lock", cause=way)["wagers"] == [{"spot": 1, "zone": "main", "value": 1000}]
        bench.run(2000)
        assert bench.table.is_locked()


def test_lock_is_taken():
    check_lock_is_taken()


def ignore(*args):
    """What a broken part does."""


@pytest.mark.parametrize("broken", ["the engine ignores the latch", "LOCK is never raised", "the table stays OPEN",
                                    "LOCK falls again"])
def test_lock_not_taken_goes_red(monkeypatch, broken):
    if broken == "the engine ignores the latch":
        monkeypatch.setattr(engine.Engine, "locked", ignore)
    elif broken == "LOCK is never raised":  # only the CPU's path is left to raise it: the frame
        monkeypatch.setattr("pit.sim.table.SimTable.lock", ignore)
    elif broken == "the table stays OPEN":
        rows = bytearray(machine.TABLE)
        rows[machine.EDGE * 6 + machine.OPEN] = ord(".")
        monkeypatch.setattr("firstcard.core.round.TABLE", bytes(rows))
    else:
        tick = engine.Engine.tick

        def falls(self):
            tick(self)
            if self.round.state == machine.LOCKED:
                self.ports.arm()

        monkeypatch.setattr(engine.Engine, "tick", falls)
    with pytest.raises(RED):
        check_lock_is_taken()


# late chips


def check_late_chip_does_not_count():
    """A chip laid long after the first card, and one laid in the last moment before it: alarm or question, never
    money."""
    bench = Bench()
    bench.bets((3, 1000))
    bench.draw("TS")
    bench.place(3, 2500)
    bench.run(2000)
    assert bench.alarms() == ["increase"]
    assert bench.send("bets") == "OK 1" and "value=10 " in bench.lines[-2]
    bench.lift(3, 2500)
    bench.run(2000)
    bench.ok("ack 1")
    bench.draw("9C", "9D", "8D")
    bench.ok("key stand")
    bench.ok("key reveal")
    bench.run(1)
    told = bench.one("settle", spot=3)
    assert (told["stake"], told["won"]) == (1000, 1000)

    bench = Bench()
    bench.bets((3, 1000))
    bench.place(3, 2500)
    bench.edge()
    bench.run(1000)
    assert bench.one("lock")["wagers"] == [{"spot": 3, "zone": "main", "value": 1000}]
    assert bench.one("unsettled", spot=3, before=1000, after=3500)


def test_late_chip_does_not_count():
    check_late_chip_does_not_count()


@pytest.mark.parametrize("broken", ["the watch is asleep", "what lies there is the wager", "the sweep after counts"])
def test_late_chip_counted_goes_red(monkeypatch, broken):
    if broken == "the watch is asleep":
        monkeypatch.setattr(zone.Zone, "change", ignore)
    elif broken == "what lies there is the wager":
        change = zone.Zone.change

        def grows(self):
            told = change(self)
            self.value = self.total(self.last)[0]
            return told

        monkeypatch.setattr(zone.Zone, "change", grows)
    else:
        agree = zone.Zone.agree

        def takes_the_later(self, us):
            if self.phase == zone.FREEZE:
                self.locked = self.last
                self.value = self.total(self.last)[0]
            return agree(self, us)

        monkeypatch.setattr(zone.Zone, "agree", takes_the_later)
    with pytest.raises(RED):
        check_late_chip_does_not_count()


# the plaque


def check_plaque_follows():
    """After each change of limits or state the LEDs show the limits that apply, in the colour of the state."""
    bench = Bench()
    for do, colour, low in (("open", "green", 500), ("limits set 10 200", "green", 1000), ("close", "red", 1000),
                            ("limits set 20 300", "red", 2000), ("open", "green", 2000)):
        bench.ok(do)
        bench.run(1000)
        assert bench.table.leds, "nothing was ever drawn"
        shown = digits.decode(bench.table.leds)
        assert shown[0] == low == bench.round.limits.min and shown[1] == bench.round.limits.max
        assert digits.NAMES[shown[2]] == colour
        told = bench.told("plaque")[-1]
        assert (told["min"], told["max"], told["colour"]) == (shown[0], shown[1], colour)
    bench.place(1, 2500)
    bench.run(2500)
    bench.draw("TS")
    assert digits.decode(bench.table.leds)[2] == digits.RED


def test_plaque_follows():
    check_plaque_follows()


@pytest.mark.parametrize("broken", ["nothing is drawn", "drawn once only", "the old limits are drawn"])
def test_plaque_not_updated_goes_red(monkeypatch, broken):
    if broken == "nothing is drawn":
        monkeypatch.setattr("pit.sim.table.SimTable.show", ignore)
    elif broken == "drawn once only":
        show = "pit.sim.table.SimTable.show"
        monkeypatch.setattr(show, lambda self, leds: setattr(self, "leds", self.leds or bytes(leds)))
    else:
        draw = digits.draw
        monkeypatch.setattr(digits, "draw", lambda leds, low, high, *rest: draw(leds, 500, high, *rest))
    with pytest.raises(RED):
        check_plaque_follows()


# the proof of the sign


@pytest.mark.parametrize("check, broken", [
    (lambda: test_sign.test_a_plaque_that_died_since_it_was_last_proven("gcb", "dark"), "an earlier proof is taken"),
    (lambda: test_sign.test_it_dies_in_the_last_moment_of_a_round("nd-differ"), "an earlier proof is taken"),
    (lambda: test_sign.test_it_dies_while_bets_are_open("gcb"), "nobody looks again"),
    (lambda: test_sign.test_it_dies_in_mid_round_and_the_table_is_closed_after_it("gcb", True), "nobody looks again"),
    (lambda: test_sign.test_it_dies_in_mid_round_and_the_table_is_closed_after_it("nd-differ", False),
     "no sign is demanded"),
    (lambda: test_sign.test_it_dies_in_mid_round_and_the_table_is_closed_after_it("gcb", True),
     "the end of the round forgets it"),
    (lambda: test_sign.test_new_limits_are_proven_before_it_opens_again("gcb"), "the pending limits are drawn"),
    (lambda: test_sign.test_new_limits_are_proven_before_it_opens_again("nd-differ"), "an earlier proof is taken"),
])
def test_bets_without_a_proven_sign_go_red(monkeypatch, check, broken):
    check()
    if broken == "an earlier proof is taken":
        monkeypatch.setattr(engine.Engine, "is_proven", lambda self: self._plaque[3])
    elif broken == "nobody looks again":
        monkeypatch.setattr(engine.Engine, "_look", ignore)
    elif broken == "no sign is demanded":
        monkeypatch.setattr(engine.Engine, "sign_demanded", lambda self: False)
    elif broken == "the end of the round forgets it":
        monkeypatch.setattr("firstcard.core.round.Round.on_close", ignore)
    else:
        draw = engine.Engine._draw

        def early(self):
            posted = self.round.limits
            kept = posted.min, posted.max
            if posted.pending:
                posted.min, posted.max = posted.pending[:2]
            told = draw(self)
            posted.min, posted.max = kept
            return told

        monkeypatch.setattr(engine.Engine, "_draw", early)
    with pytest.raises(RED):
        check()


# the hole card

SOME = ["2S", "9H", "AD", "KC"]


@pytest.mark.parametrize("broken", ["the card event names it", "the round's answer names it", "the table looks at it",
                                    "peeking: an alarm when it makes a blackjack"])
def test_hole_card_shown_early_goes_red(monkeypatch, broken):
    check_secrecy(SOME, ("TC",))
    if broken == "the card event names it":
        monkeypatch.setattr(deal.Deal, "hole_next", lambda self: False)
    elif broken == "the round's answer names it":
        monkeypatch.setattr(blackjack.Blackjack, "describe", lambda self: [
            (h.label(), [cards.name(c) for c in h.seen()]) for h in self.deal.turns + [self.deal.dealer]])
    elif broken == "the table looks at it":  # passes over the players when the dealer has 21
        active = deal.Deal.active
        monkeypatch.setattr(deal.Deal, "active", lambda self: NOBODY if self.dealer.total() == 21 else active(self))
    else:
        card = blackjack.Blackjack.card

        def alarmed(self, *args):
            card(self, *args)
            if self.deal.dealer.n == 2 and self.deal.dealer.total() == 21:
                self.r.alarm("no-taker")

        monkeypatch.setattr(blackjack.Blackjack, "card", alarmed)
    with pytest.raises(RED):
        check_secrecy(SOME, ("TC",))
