"""The round: one object that holds a table's state, one function `step` that turns an input into effects.

No clock, no I/O: an input carries its own time. What is legal where, and where it leads, stands in core.machine; an
action here either raises Refused before it has changed anything, or does its work and appends effects (core.events)
to `out`.
Sources: design sections 3, 7 and 8b; 68 IAC 10-2-4 for the lock (IN-BJ-09, -10) and the settlement (IN-BJ-03 ... -08).
"""

from firstcard.core import cards
from firstcard.core.alarms import Alarms
from firstcard.core.deal import DONE, WAIT, Deal
from firstcard.core.events import CAUSES, READ_OK, ZONES
from firstcard.core.machine import (
    ALL_SETTLED,
    CLOSED,
    FROZEN,
    INPUTS,
    LAST_CARD,
    LOCKED,
    OPEN,
    SAFE,
    SETTLE,
    STATES,
    TABLE,
    next_state,
)
from firstcard.core.posted import Posted
from firstcard.core.settlement import main_bet
from firstcard.core.zone import FREE, FREEZE, PAY, WATCH, Zone, sort_uids

ARGUMENTS = {"fault": 1, "edge": 2, "card": 2, "reading": 5, "stand": 1, "confirm": 2, "cancel": 2, "settled": 1,
             "supervisor_confirm": 2, "name_card": 1, "ack": 2, "limits": 4, "limits_cancel": 1}
MOVING_SWEEPS = 2


class Refused(Exception):
    """An input that cannot be done now: (error number, values for its text). Nothing has changed."""


class Round:
    """A table's play. `profile`: the rules; `value_of(uid) -> cents or -1`: the chip registry; limits in cents."""

    def __init__(self, spots, profile, value_of, min_cents, max_cents):
        self.profile = profile
        self.state = SAFE
        self.number = 0
        self.now_ms = 0
        self.zones = [Zone(s + 1, k, value_of) for s in range(spots) for k in range(len(ZONES))]
        self.deal = Deal(spots, profile)
        self.alarms = Alarms()
        self.limits = Posted(min_cents, max_cents)
        self.out = []
        self.lock_us = 0
        self.held = []  # cards that came before the freeze was decided
        self.frozen = self.finished = self.voided = self.close_after = False
        self.waited = 0  # sweeps for which bets that could be told were held back
        self.ending = None  # "misdeal" or "void", until the supervisor confirms
        self.confirmed = []  # zones whose larger later value waits for the supervisor
        self.live = []  # 1-based spots of this round that are not settled and cleared
        self.stakes = self.returned = self.won = 0
        self._follow = -1
        self._actions = [getattr(self, "_" + n) for n in INPUTS]
        self._arity = bytes([ARGUMENTS.get(n, 0) for n in INPUTS])

    def step(self, event, a=None, b=None, c=None, d=None, e=None):
        """One input; its effects are appended to `out`. Raises Refused and changes nothing where it is not
        possible."""
        if TABLE[event * 6 + self.state] == 45:
            raise Refused(50, INPUTS[event], STATES[self.state])
        while event >= 0:
            self._follow = -1
            start = len(self.out)
            act, k = self._actions[event], self._arity[event]
            if k == 0:
                act()
            elif k == 1:
                act(a)
            elif k == 2:
                act(a, b)
            elif k == 4:
                act(a, b, c, d)
            else:
                act(a, b, c, d, e)
            state = next_state(self.state, event)
            if state != self.state:
                self.state = state
                self.out.insert(start, ("state", STATES[state], self.number))
            event = self._follow

    def _tell(self, *effect):
        self.out.append(effect)

    def zone(self, spot, kind=0):
        """The zone of a 1-based spot; kind is an index into events.ZONES."""
        return self.zones[(spot - 1) * len(ZONES) + kind]

    # opening and closing

    def _ready(self):
        pass

    def _fault(self, code):
        self.close_after = True

    def _open(self):
        self.close_after = False
        for z in self.zones:
            z.free()
        self._next_round()

    def _next_round(self):
        self.number += 1
        self.deal.reset()
        self.held = []
        self.confirmed = []
        self.live = []
        self.ending = None
        self.stakes = self.returned = self.won = 0
        for z in self.zones:
            if z.phase != FREE:
                z.free()
        self.frozen = self.finished = self.voided = False

    def _close(self):
        if self.state != OPEN:
            self.close_after = True

    def _reopen(self):
        self._next_round()

    def _shut(self):
        for z in self.zones:
            if z.phase != FREE:
                z.free()
        self.finished = self.close_after = False

    # chips

    def judge(self, zone, uids, status):
        """(verdict, cents that count) of what lies in a zone. Source: IN-BJ-01, -02; design, "Words"."""
        if status != READ_OK:
            return "unreadable", 0
        if not uids:
            return "empty", 0
        cents, unknown = zone.total(uids)
        if unknown:
            return "unknown-chip", 0
        if zone.kind:
            return "not-allowed", 0
        return self.limits.verdict(cents)

    def _reading(self, antenna, uids, status, start_us, end_us):
        z = self.zones[antenna]
        z.note(sort_uids(uids), status, start_us, end_us)
        if z.phase == FREEZE:
            z.agree(self.lock_us)

    def _kind(self, zone, kind):
        if kind != "late":
            return kind
        return ("late-bet", "late-tip", "no-window-line")[zone.kind]

    def _alarm(self, kind, zone=None, cents=None):
        spot, name = (zone.spot, ZONES[zone.kind]) if zone else (None, None)
        self._tell("alarm", *self.alarms.raise_(kind, spot, name, cents))

    def _sweep(self):
        """Every zone has been read: tell what is new, in the order of the spots."""
        if self.state < OPEN:
            return
        if not self.frozen and self.state != OPEN:
            self._hold_against()
        for z in self.zones:
            if z.phase == WATCH or z.phase == PAY:
                change = z.change()
                if change:
                    self._alarm(self._kind(z, change[0]), z, change[1])
        self._tell_bets()

    def _tell_bets(self):
        """Bets that have been read the same twice. One that is still moving is waited for, so that chips laid at one time
        are told in the order of the spots: a sweep that was under way may have seen some of them only."""
        moving = False
        for z in self.zones:
            if z.phase == FREE and not z.same and z.last != z.shown:
                moving = True
        if moving and self.waited < MOVING_SWEEPS:
            self.waited += 1
            return
        self.waited = 0
        for z in self.zones:
            if z.phase == FREE and z.same:
                verdict, value = self.judge(z, z.last, z.last_status)
                if z.last != z.shown or verdict != z.shown_verdict or value != z.shown_value:
                    z.shown, z.shown_verdict, z.shown_value = z.last, verdict, value
                    self._tell("bet", z.spot, ZONES[z.kind], z.total(z.last)[0], value, 0, verdict, len(z.last) // 8)

    # the lock

    def _edge(self, cause, us):
        self.lock_us = us
        wagers, alarms = [], []
        for z in self.zones:
            cents, value, verdict = z.lock(us, self.judge)
            if z.locked or verdict == "unreadable":
                if z.kind < 2:
                    wagers.append((("spot", z.spot), ("zone", ZONES[z.kind]), ("value", value)))
                if not value:
                    alarms.append((z, {"over": "over-limit", "under": "under-limit"}.get(verdict, verdict)))
        self._tell("lock", self.number, CAUSES[cause], us, wagers)
        for z, kind in alarms:
            self._alarm(kind, z)

    def _hold_against(self):
        """The sweeps after the lock instant against the one before it: tell the zones that differ, go on once all are
        decided."""
        deciding = False
        for z in self.zones:
            if z.phase == FREEZE:
                deciding = True
            elif z.unsettled and not z.told:
                z.told = True
                self._tell("unsettled", z.spot, ZONES[z.kind], z.value, self._later(z))
                self._tell("prompt", "unsettled", z.spot, None)
        if not deciding:
            self._follow = FROZEN

    def _later(self, z):
        """Cents that count of what the sweeps since the lock have seen."""
        return self.judge(z, z.after, READ_OK)[1]

    def _frozen(self):
        self.frozen = True
        self.live = []
        for z in self.zones:
            if z.kind == 0 and (z.value or (z.unsettled and self._later(z))):
                self.live.append(z.spot)
        self.deal.start([s - 1 for s in self.live])
        held, self.held = self.held, []
        for card, mismatch in held:
            self._card(card, mismatch)

    def _unsettled(self, spot):
        """The unsettled zone of this spot, or of the whole table if there is just one."""
        found = [z for z in self.zones if z.unsettled and (not spot or z.spot == spot)]
        if not found:
            raise Refused(51)
        if not spot and found[-1].spot != found[0].spot:
            raise Refused(52)
        return found[0]

    def _confirm(self, spot, by):
        z = self._unsettled(spot)
        if self._later(z) > z.value:
            if z not in self.confirmed:
                self.confirmed.append(z)
            self._tell("prompt", "unsettled", z.spot, self._later(z))
        else:
            self._decide(z, z.after, self._later(z), by)

    def _cancel(self, spot, by):
        z = self._unsettled(spot)
        self._decide(z, z.locked, z.value, by)

    def _decide(self, z, uids, value, by):
        if z in self.confirmed:
            self.confirmed.remove(z)
        z.settle_on(uids, value)
        self._tell("unsettled-decided", z.spot, ZONES[z.kind], value, by)
        if z.kind or z.spot not in self.live:
            return
        if not value:
            self.live.remove(z.spot)
            self.deal.drop(z.spot - 1)
            self._after_card()
        elif self.state == SETTLE or self.deal.hands[z.spot - 1].bust():
            self._settle(z.spot)
        if self.state == SETTLE and not self.live:
            self._follow = ALL_SETTLED

    # cards

    def _card(self, card, mismatch):
        if mismatch:
            self._alarm("shoe-mismatch")
        if self.state < OPEN:
            self._alarm("card-while-closed")
            return
        if not self.frozen:
            self.held.append((card, False))
            return
        d = self.deal
        hole = d.hole_next()
        to = d.add(card)
        self._tell("card", d.count, "**" if hole else cards.name(card), self._label(to))
        if to == -2:
            self._alarm("no-taker" if d.spots else "no-wager-card")
        elif card == cards.UNKNOWN and not hole:
            self._tell("prompt", "card", to + 1 if to >= 0 else None, None)
        self._after_card()

    def _label(self, to):
        return "dealer" if to == -1 else "burn" if to < 0 else "%d.1" % (to + 1)

    def _after_card(self):
        for spot in self.live:
            if self.deal.hands[spot - 1].bust() and not self.zone(spot).unsettled:
                self._settle(spot)
        if self.deal.phase == DONE and self.state == LOCKED:
            self._follow = LAST_CARD

    def _name_card(self, card):
        found = self.deal.oldest_misread()
        if not found or (found[0] < 0 and found[1] == 1 and not self.deal.revealed):
            raise Refused(53)
        to, place = found
        h = self.deal.hand(to)
        h.cards[place] = card
        self._tell("card", h.drawn[place], cards.name(card), self._label(to))
        self.deal.settle_turn()
        self._after_card()

    def _stand(self, spot):
        active = self.deal.active()
        if active < 0:
            raise Refused(54)
        if spot and spot != active + 1:
            raise Refused(55, active + 1)
        h = self.deal.hands[active]
        if h.unknown():
            raise Refused(56, active + 1)
        self.deal.stand()

    def _reveal(self):
        d = self.deal
        if d.active() >= 0:
            raise Refused(55, d.active() + 1)
        if d.phase != WAIT:
            raise Refused(57)
        d.reveal()
        hole = d.dealer.cards[1]
        self._tell("card", d.dealer.drawn[1], cards.name(hole), "dealer")
        if hole == cards.UNKNOWN:
            self._tell("prompt", "card", None, None)
        self._after_card()

    def _burn(self):
        d = self.deal
        to = d.last_to
        if to is None or self.state == SETTLE or (to >= 0 and d.hands[to].told):
            raise Refused(58)
        h = d.hand(to)
        card, number = h.cards[h.n - 1], h.drawn[h.n - 1]
        d.take_back()
        hole = to < 0 and d.hole_next()
        self._tell("card", number, "**" if hole else cards.name(card), "burn")

    # settlement

    def _last_card(self):
        for spot in self.live:
            if not self.zone(spot).unsettled:
                self._settle(spot)
        if self.live:
            self._tell("prompt", "settle", None, None)
        else:
            self._follow = ALL_SETTLED

    def _settle(self, spot):
        h = self.deal.hands[spot - 1]
        if h.told:
            return
        d = self.deal.dealer
        stake = self.zone(spot).value
        outcome, returned, won = main_bet(self.profile, stake, h.seen(), False, d.seen())
        self._told(spot, outcome, stake, returned, won)

    def _told(self, spot, outcome, stake, returned, won):
        self.deal.hands[spot - 1].told = True
        self.stakes += stake
        self.returned += returned
        self.won += won
        self._tell("settle", spot, 1, "main", outcome, stake, returned, won, "player" if returned + won else "tray")
        self.zone(spot).pay(returned + won)

    def _settled(self, spot):
        spots = [spot] if spot else self.live
        for s in spots:
            if s not in self.live:
                raise Refused(59, s)
            if not self.deal.hands[s - 1].told:
                raise Refused(60, s)
            row = self.alarms.at(s)
            if row:
                raise Refused(61, s, row[0])
        if not spot and not self.live:
            raise Refused(62)
        for s in list(spots):
            self._clear(s)
        if (self.state == SETTLE or self.voided) and not self.live:
            self._follow = ALL_SETTLED

    def _clear(self, spot):
        self.live.remove(spot)
        for k in range(len(ZONES)):
            self.zone(spot, k).free()

    def _misdeal(self):
        self.ending = "misdeal"

    def _void(self):
        self.ending = "void"

    def _supervisor_confirm(self, spot, by):
        for z in self.confirmed:
            if not spot or z.spot == spot:
                self._decide(z, z.after, self._later(z), by)
                return
        if not self.ending or spot:
            raise Refused(63)
        if not self.frozen:
            raise Refused(66)
        self.voided = True
        for s in list(self.live):
            z = self.zone(s)
            if not self.deal.hands[s - 1].told:
                z.unsettled = False
                self._told(s, "void", z.value, z.value, 0)
                self._clear(s)  # the stake is the player's own again: nothing has to be moved
        self._follow = -1 if self.live else ALL_SETTLED

    def _all_settled(self):
        self.finished = True
        self._tell("round", self.number, "void" if self.voided else "complete", self.stakes, self.returned, self.won)
        self._change_limits()

    # limits, alarms, time

    def _limits(self, min_cents, max_cents, by, due_ms):
        self.limits.ask(min_cents, max_cents, by, due_ms)
        if not self._change_limits():
            self._tell_limits(by)

    def _limits_cancel(self, by):
        if not self.limits.pending:
            raise Refused(64)
        self.limits.pending = None
        self._tell_limits(by)

    def _tell_limits(self, by):
        self._tell("limits", self.limits.min, self.limits.max, self.limits.told(), by)

    def _change_limits(self):
        """Take over the pending limits if that is fair now: the table is closed, or the change is due and either no
        chip lies on any spot or the round is over. Returns True if they changed."""
        pending, state = self.limits.pending, self.state
        if not pending:
            return False
        if state > CLOSED:
            if pending[3] > self.now_ms or not (state == OPEN or self.finished):
                return False
            if state == OPEN:
                for z in self.zones:
                    if z.last or z.before:
                        return False
        self.limits.take()
        self._tell_limits(pending[2])
        return True

    def _tick(self):
        self._change_limits()

    def _ack(self, id, by):
        row = self.alarms.take(id)
        if not row:
            raise Refused(65, id)
        if row[2]:
            z = self.zone(row[2], ZONES.index(row[3]))
            z.reference = z.alarmed
        self._tell("alarm-cleared", id, by)
