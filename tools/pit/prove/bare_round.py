"""A core.round.Round without engine, clock or shoe: chips are made as they are laid, sweeps happen when asked for.

For proofs and tests that play thousands of rounds. Events come as dicts; whatever the round tells is kept in `events`.
"""

from firstcard.core import cards, machine
from firstcard.core.blackjack import Blackjack
from firstcard.core.events import FIELDS, READ_OK, ZONES
from firstcard.core.refused import Refused
from firstcard.core.round import Round
from firstcard.rules import load

CHIPS = (10_000, 2_500, 500, 100, 50, 25, 5, 1)  # cents
SWEEP_US, REST_US = 700, 300
MAX_SWEEPS = 5  # a window that two equal readings do not close by then stays open


class BareRound:
    """`spots` spots under a profile with options; opened."""

    def __init__(self, spots, profile, options, low, high):
        self.values = {}
        self.round = Round(spots, load(profile, options), lambda uid: self.values.get(bytes(uid), -1), low, high,
                           Blackjack)
        self.us = 5_000
        self.lie = [[] for _ in self.round.zones]
        self.events = []
        self.step("ready")
        self.step("open")

    @property
    def state(self):
        return machine.STATES[self.round.state]

    def step(self, name, *args):
        """One input by name; the events it told. Raises Refused."""
        self.round.out = []
        try:
            self.round.step(machine.INPUTS.index(name), *args)
        finally:
            told = [dict(zip(("event",) + FIELDS[e[0]], e)) for e in self.round.out]
            self.round.out = []
            self.events += told
        return told

    def refuses(self, name, *args):
        """True if the input is refused and tells nothing."""
        before = len(self.events)
        try:
            self.step(name, *args)
        except Refused:
            return len(self.events) == before
        return False

    def _zone(self, spot, zone):
        return self.lie[(spot - 1) * len(ZONES) + ZONES.index(zone)]

    def lay(self, spot, zone, cents):
        """Chips of this sum are laid down."""
        for chip in CHIPS:
            while cents >= chip:
                uid = len(self.values).to_bytes(8, "big")
                self.values[uid] = chip
                self._zone(spot, zone).append(uid)
                cents -= chip

    def lift(self, spot, zone):
        """All chips of a zone are taken away."""
        self._zone(spot, zone).clear()

    def sweep(self, n=1):
        """Read every zone `n` times; the events told."""
        told = []
        for _ in range(n):
            end = self.us + SWEEP_US
            for antenna, chips in enumerate(self.lie):
                told += self.step("reading", antenna, b"".join(chips), READ_OK, self.us, end)
            told += self.step("sweep")
            self.us = end + REST_US
        return told

    def lock(self):
        """The first card shows, in the rest between two sweeps; the next sweep agrees."""
        return self.step("edge", 1, self.us - REST_US // 2) + self.sweep()

    def card(self, code):
        """A card leaves the shoe; its `card` event."""
        told = self.step("card", cards.parse(code), False)
        return [e for e in told if e["event"] == "card"][0]

    def key(self, name, spot=0, amount=0):
        return self.step("key", name, spot, amount, "dealer")

    def confirm(self, name="confirm"):
        """`confirm` (or `insurance-closed`), and sweeps until the window is decided; the events told."""
        told = self.key(name) if name == "insurance-closed" else self.step("confirm", 0, "dealer")
        for _ in range(MAX_SWEEPS):
            told += self.sweep()
            if not self.round.window or not self.round.window.asked:
                break
        return told
