"""The round: one object that holds a table's state, one function `step` that turns an input into effects.

No clock, no I/O: an input carries its own time. What is legal where, and where it leads, stands in core.machine; an
action here either raises Refused before it has changed anything, or does its work and appends effects (core.events) to
`out`. What is common to all games stands here: opening, the lock, unsettled wagers, alarms, windows, settling, limits.
Whose card is next and what a bet is owed is the game's (core.blackjack, core.threecard).
Sources: design sections 3, 7 and 8b; ND-12, IN-BJ-09/-10, GCB-06/-10 (nothing moves after the first card).
"""

from firstcard.core import cards
from firstcard.core.bets import Alarms, Bets
from firstcard.core.events import ZONES
from firstcard.core.lock import Lock
from firstcard.core.machine import INPUTS, OPEN, SAFE, STATES, TABLE, VALUES
from firstcard.core.posted import Posted, Posting, left_ms
from firstcard.core.refused import Refused
from firstcard.core.settling import Settling
from firstcard.core.windows import Windows
from firstcard.core.zone import FREE, Zone


class Round(Bets, Lock, Windows, Settling, Posting):
    """A table's play. `profile`: the rules; `value_of(uid) -> cents, or below 0`: the chip registry; limits in cents;
    `game(round)` makes the game."""

    def __init__(self, spots, profile, value_of, min_cents, max_cents, game):
        self.profile = profile
        self.number = 0
        self.now_ms = 0
        self.zones = [Zone(s + 1, k, value_of) for s in range(spots) for k in range(len(ZONES))]
        self.alarms = Alarms()
        self.limits = Posted(min_cents, max_cents)
        self.tally = cards.Tally(profile.decks)
        self.out = []
        self.lock_us = 0
        self.game = game(self)
        self.oral = None  # core.oral.Oral where the rules know oral wagers
        self.answer = None  # what a key has told, for the reply to its command
        self.frozen = self.finished = self.voided = self.close_after = False
        self.suspects = self.twice = b""  # chips that lie in the tray and on a spot: may do; do
        self.waited = 0  # sweeps for which bets that could be told were held back
        self.following = []
        self._actions = [getattr(self, "on_" + n) for n in INPUTS]
        self._shorts = [None] * len(STATES)
        self._enter(SAFE)
        self._clear_round()

    def step(self, event, a=None, b=None, c=None, d=None, e=None):
        """One input; its effects are appended to `out`. Raises Refused and changes nothing where it is not
        possible."""
        if self._short[event]:
            self._actions[event]()
            if not self.following:
                return
            event = self.following.pop(0)
        to = TABLE[event * 6 + self.state]
        if to == 45:
            raise Refused(50, INPUTS[event], STATES[self.state])
        while True:
            start = 0 if to == 46 else len(self.out)
            act = self._actions[event]
            k = VALUES[event]
            if k == 48:
                act()
            elif k == 49:
                act(a)
            elif k == 50:
                act(a, b)
            elif k == 51:
                act(a, b, c)
            elif k == 52:
                act(a, b, c, d)
            else:
                act(a, b, c, d, e)
            if to != 46 and to != self.state + 48:
                if to == 45:
                    raise ValueError("%s in state %s" % (INPUTS[event], STATES[self.state]))
                self._enter(to - 48)
                self.out.insert(start, ("state", STATES[self.state], self.number))
            if not self.following:
                return
            event = self.following.pop(0)
            to = TABLE[event * 6 + self.state]

    def _enter(self, state):
        """Be in `state`. `_short`: 1 for each input that stays there and carries nothing, as most do."""
        self.state = state
        if not self._shorts[state]:
            self._shorts[state] = bytes([VALUES[n] == 48 and TABLE[n * 6 + state] == 46 for n in range(len(VALUES))])
        self._short = self._shorts[state]

    def tell(self, *effect):
        self.out.append(effect)

    def prompt(self, kind, spot=None, amount=None):
        self.tell("prompt", kind, spot, amount)

    def zone(self, spot, kind=0):
        """The zone of a 1-based spot; kind is an index into events.ZONES."""
        return self.zones[(spot - 1) * len(ZONES) + kind]

    # opening and closing

    def on_ready(self):
        pass

    def on_fault(self, code):
        self.close_after = True

    def on_open(self):
        for z in self.zones:
            z.free()
        self.close_after = False  # of a fault that this opening has cleared
        self._next_round()

    def _clear_round(self):
        self.held = []  # [card, burned] that came before the freeze or a confirmation was decided
        self.confirmed = []  # zones whose larger later value waits for the supervisor
        self.live = []  # 1-based spots of this round that are not settled and cleared
        self.ending = None  # "misdeal" or "void", until the supervisor confirms
        self.window = None
        self.undo = None  # function that takes the last key back
        self.stakes = self.returned = self.won = 0

    def _next_round(self):
        self.number += 1
        self._clear_round()
        self.tally.clear(False)
        self.game.reset()
        for z in self.zones:
            if z.phase != FREE:
                z.free()
        self.frozen = self.finished = self.voided = False

    def on_close(self):
        if self.state != OPEN:
            self.close_after = True

    def on_reopen(self):
        self._next_round()

    def on_shut(self):
        for z in self.zones:
            if z.phase != FREE:
                z.free()
        self.finished = self.close_after = False

    def on_restart(self, us, last_ms):
        """The power is back. What is read from now on is held against the wagers; an open window is closed unconfirmed;
        the time that is left until a pending change begins anew at what was left."""
        self.lock_us = us
        self.undo = None
        p = self.limits.pending
        if p:
            self.limits.pending = p[:3] + (self.now_ms + left_ms(p[3], last_ms),)
        if self.state <= OPEN:
            self._clear_round()
            for z in self.zones:
                z.free()
            if self.oral:
                self.oral.lock()
        elif self.window:
            self.game.restarted(self.window)
            self.close_window()

    def follow(self, event):
        """`event` follows from inside, in this same step."""
        self.following.append(event)

    # cards

    def on_card(self, card, mismatch):
        if mismatch:
            self.alarm("shoe-mismatch")
        if self.state < OPEN:
            self.alarm("card-while-closed")
            self.count(card)
            return
        if not self.frozen or (self.window and self.window.asked):
            self.held.append([card, False])
            return
        self.undo = None
        self.game.card(card)

    def told_card(self, number, card, label):
        """The event of one card; `card` None while it is the hole card. It is counted when it is seen first."""
        self.moved_card(number, card, label)
        if card is not None:
            self.count(card)

    def moved_card(self, number, card, label):
        """The event of a card that has been told before and is somebody else's."""
        self.tell("card", number, "**" if card is None else cards.name(card), label)

    def count(self, card):
        if self.tally.add(card):
            self.alarm("duplicate-card")

    def on_name_card(self, card, spot, number):
        h, place = self.game.name_card(card, spot, number)
        self.undo = None
        if not h.told and not self.following:  # else something has been decided by it
            self.undo = lambda: self.unname(h, place)

    def unname(self, h, place):
        """The name that was just given to this card was wrong: it is misread again."""
        self.tally.take(h.cards[place])
        h.cards[place] = cards.UNKNOWN
        self.moved_card(h.drawn[place], cards.UNKNOWN, h.label())
        self.prompt("card", h.spot or None)
        self.game.unnamed(h, place)

    def on_move_card(self, number, spot, hand):
        self.game.move_card(number, spot, hand)
        self.undo = None

    def on_stand(self, spot):
        self.game.stand(spot)

    def on_reveal(self):
        self.game.reveal()
        self.undo = None

    def on_burn(self):
        if self.held:
            if self.held[-1][1]:
                raise Refused(58)
            self.held[-1][1] = True
        else:
            self.game.burn()
        self.undo = None
