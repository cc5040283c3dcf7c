"""A felt for tests of the round alone: chips are letters, sweeps happen when the test says so.

`a`..`h` are chips of 5 dollars, `A`..`H` of 10, `u`..`w` of 1, `M` and `N` of 500, `X` and `Y` are in no registry.
"""

from firstcard.core import cards, machine
from firstcard.core.blackjack import Blackjack
from firstcard.core.events import FIELDS, LOCK_EDGE, READ_OK, READ_UNREADABLE
from firstcard.core.round import Round
from firstcard.rules import load

ZONES = ("main", "tip", "line")
WRAP = 1 << 30
SWEEP_US, REST_US = 700, 300
VALUES = {}
for letters, cents in (("abcdefgh", 500), ("ABCDEFGH", 1000), ("uvw", 100), ("MN", 50000)):
    for letter in letters:
        VALUES[letter.encode() * 8] = cents


def uids(letters):
    return b"".join(letter.encode() * 8 for letter in letters)


class Felt:
    """A Round with `spots` spots. `lie` maps a spot, or (spot, zone), to the letters that lie there."""

    def __init__(self, spots=3, us=5_000, low=500, high=50_000, opened=True, **options):
        self.round = Round(spots, load("us-in-blackjack", options), lambda uid: VALUES.get(bytes(uid), -1), low, high,
                           Blackjack)
        self.spots = spots
        self.us = us % WRAP
        self.lie = {}
        self.events = []
        if opened:
            self.step("ready")
            self.step("open")

    @property
    def state(self):
        return machine.STATES[self.round.state]

    def step(self, name, *args):
        """One input by name; gives the events it told, as dicts."""
        self.round.out = []
        self.round.step(machine.INPUTS.index(name), *args)
        told = [dict(zip(("event",) + FIELDS[e[0]], e)) for e in self.round.out]
        self.round.out = []
        self.events += told
        return told

    # chips

    def _letters(self, now, spot, kind):
        for key in ((spot, ZONES[kind]), spot):
            if key == spot and kind:
                break
            for chips in (now, self.lie):
                if key in chips:
                    return chips[key]
        return ""

    def sweep(self, now=(), garbled=(), start=None, status=READ_UNREADABLE):
        """Read every zone, all at once; `now` overrides `lie` for this sweep. Gives the events of the whole sweep.

        garbled: spots whose main zone answers with noise beside the chips it can name, or ends with `status`."""
        if start is not None:
            self.us = start % WRAP
        end = (self.us + SWEEP_US) % WRAP
        told = []
        for spot in range(1, self.spots + 1):
            for kind in range(3):
                ended = status if not kind and spot in garbled else READ_OK
                told += self.step("reading", (spot - 1) * 3 + kind, uids(self._letters(dict(now), spot, kind)),
                                  ended, self.us, end)
        told += self.step("sweep")
        self.us = (end + REST_US) % WRAP
        return told

    def sweeps(self, n, now=()):
        return [e for _ in range(n) for e in self.sweep(now)]

    def lock(self, us=None, cause=LOCK_EDGE):
        """The lock instant is now, in the rest after the last sweep, unless given."""
        return self.step("edge", cause, self.us - REST_US // 2 & WRAP - 1 if us is None else us % WRAP)

    def bet(self, **lie):
        """Lay, let it be read twice, lock, let the sweep after it agree: bet(s1="A", s3="B")."""
        self.lie = {int(name[1:]): letters for name, letters in lie.items()}
        self.sweeps(2)
        told = self.lock()
        return told + self.sweep()

    # cards

    def deal(self, *codes):
        """Cards leave the shoe; gives the events of the last one."""
        told = []
        for code in codes:
            told = self.step("card", cards.parse(code), False)
        return told

    def takers(self):
        """(code, to) of every card told, in order."""
        return [(e["code"], e["to"]) for e in self.events if e["event"] == "card"]


def named(told, event, **fields):
    return [e for e in told if e["event"] == event and all(e.get(k) == v for k, v in fields.items())]
