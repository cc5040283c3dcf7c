"""The model check: a small search finds nothing, and each invariant finds the bug that it is there for."""

import pytest

from firstcard.core import bets, deal, lock, machine, posted, settling, zone
from firstcard.core import round as stage
from firstcard.core.bets import Alarms
from firstcard.core.events import LOCK_EDGE
from pit.prove import invariants, modelcheck
from pit.prove.model import Setting, World

SWEEP, LOCK = modelcheck.SWEEP, modelcheck.LOCK
DECK = ("TH", "8D", "TD", "TS")
ONE = ((0, "c"),)
MOVED = Setting("moved", begin=LOCK, halves=False, lie=ONE, chips=((0, "b"),), moves=1, deck=DECK, confirms=(0,))
EDGES = Setting("edges", begin=SWEEP, lie=ONE, chips=((0, "b"),), moves=1, play=False, confirms=(0,))
ENDS = Setting("ends", begin=LOCK, halves=False, lie=ONE, deck=DECK, ends=("settled", "misdeal"),
               keys=(("undo", 0, 0),))
LIMITS = Setting("limits", begin=LOCK, halves=False, lie=ONE, deck=DECK, limits=1)
FAULTS = Setting("faults", begin=LOCK, halves=False, lie=ONE, deck=DECK, faults=1)
UNSURE = Setting("unsure", begin=(*SWEEP, ("place", 0, "b"), ("edge", 1, "now")), moves=1, chips=((0, "b"),), lie=ONE,
                 deck=DECK, halves=False, confirms=(0,))


@pytest.mark.parametrize("setting", [EDGES, ENDS, LIMITS, FAULTS, UNSURE], ids=lambda one: one.name)
def test_a_small_table_keeps_every_invariant_in_every_state(setting):
    walk = modelcheck.search(setting)
    assert walk.wrong == [] and walk.whole and walk.states > 30
    assert walk.told["lock"] + walk.told["round"] > 0


def test_a_search_of_what_make_prove_searches_to_its_end():
    for setting in modelcheck.SETTINGS:
        walk = modelcheck.search(setting, 60)
        assert walk.wrong == [] and walk.states == 60


def table(**rows):
    """The transition table with other rows."""
    out = bytearray(machine.TABLE)
    for name, row in rows.items():
        at = machine.INPUTS.index(name) * 6
        out[at:at + 6] = row
    return bytes(out)


def late_wager(patch):
    """A confirmed change is taken into the wager."""
    stock = zone.Zone.change

    def change(self):
        before = stock(self)
        if before is not None:
            self.value = self.total(self.known)[0]
        return before

    patch.setattr(zone.Zone, "change", change)


def eager_limits(patch):
    def change_limits(self):
        if self.limits.pending:
            self.limits.take()

    patch.setattr(posted.Posting, "change_limits", change_limits)


def silent_alarm(patch):
    patch.setattr(bets.Bets, "alarm", lambda self, kind, z=None, cents=None: self.alarms.raise_(
        kind, z.spot if z else None, "main" if z else None, cents))


def tip_for_the_quiet(patch):
    """A spot on which an alarm was raised in this round is paid less."""
    stock = settling.Settling.pay

    def pay(self, spot, hand, bet, outcome, stake, returned, won, to):
        stock(self, spot, hand, bet, outcome, stake, returned, 0 if self.alarms.next_id > 1 else won, to)

    patch.setattr(settling.Settling, "pay", pay)


def forgetful_alarm(patch):
    """An alarm goes with the next card."""
    stock = stage.Round.on_card

    def on_card(self, card, mismatch):
        self.alarms.open.clear()
        stock(self, card, mismatch)

    patch.setattr(stage.Round, "on_card", on_card)


def newest_reading(patch):
    """The wager is the newest reading, whenever it ended."""
    patch.setattr(zone, "diff", lambda late, early: 1)


def deaf_to_frames(patch):
    stock = lock.Lock.on_edge

    def on_edge(self, cause, us):
        if cause == LOCK_EDGE:
            stock(self, cause, us)

    patch.setattr(lock.Lock, "on_edge", on_edge)


def unsure_is_paid(patch):
    patch.setattr(lock.Lock, "in_question", lambda self, spot: False)


def hole_card_up(patch):
    patch.setattr(deal.Deal, "hole_next", lambda self: False)


def cleared_over_alarm(patch):
    patch.setattr(Alarms, "at", lambda self, spot: None)


def deaf_supervisor(patch):
    patch.setattr(Alarms, "take", lambda self, number: None)


def reveal_forgets(patch):
    """A refused reveal takes the undo away (as it once was)."""
    stock = stage.Round.on_reveal

    def on_reveal(self):
        self.undo = None
        stock(self)

    patch.setattr(stage.Round, "on_reveal", on_reveal)


def fault_ends_the_round(patch):
    patch.setattr(stage, "TABLE", table(fault=b"000000"))


def card_opens(patch):
    patch.setattr(stage, "TABLE", table(card=b"..-2.."))


BUGS = {
    "W1 wager": (late_wager, MOVED), "W2 limits": (eager_limits, LIMITS), "W3 opening": (card_opens, ENDS),
    "W5 alarm told": (silent_alarm, MOVED), "W6 payout": (tip_for_the_quiet, MOVED),
    "W7 alarm stays": (forgetful_alarm, MOVED), "L1 last sweep": (newest_reading, EDGES),
    "L2 locked": (deaf_to_frames, EDGES), "L3 sure": (unsure_is_paid, UNSURE), "L4 hole card": (hole_card_up, ENDS),
    "L5 cleared": (cleared_over_alarm, MOVED), "L6 mid-round": (fault_ends_the_round, FAULTS),
    "a refused input has changed something": (reveal_forgets, ENDS), "without a way out": (deaf_supervisor, MOVED),
}


def test_every_invariant_has_its_bug():
    assert set(invariants.checks()) < set(BUGS)


@pytest.mark.parametrize("name", BUGS)
def test_a_planted_bug_is_found_by_its_invariant(monkeypatch, name):
    plant, setting = BUGS[name]
    plant(monkeypatch)
    only = {one: check for one, check in invariants.checks().items() if one == name}
    walk = modelcheck.search(setting, 6000, only)
    assert walk.wrong and name in walk.wrong[0], walk.states


def test_equal_keys_have_equal_futures():
    """Copies of a state and the state itself go on alike, also with a key that can still be taken back."""
    setting = Setting("undo", begin=(*LOCK, *[("card", code) for code in DECK]), halves=False, lie=ONE, deck=DECK,
                      keys=(("undo", 0, 0),))
    world = World(setting)
    assert world.step(("stand", 0))
    copy = World.unpack(world.pack(), setting)
    assert copy.key() == world.key()
    for one in (world, copy):
        assert one.step(("key", "undo", 0, 0))
    assert copy.key() == world.key()
