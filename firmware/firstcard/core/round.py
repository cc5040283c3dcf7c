"""The round: one object that holds a table's state, one function `step` that turns an input into effects.

No clock, no I/O: an input carries its own time. What is legal where, and where it leads, stands in core.machine; an
action here either raises Refused before it has changed anything, or does its work and appends effects (core.events) to
`out`. What is common to all games stands here: opening, the lock, unsettled wagers, alarms, windows, settling, limits.
Whose card is next and what a bet is owed is the game's (core.blackjack, core.threecard).
Sources: design sections 3, 7 and 8b; ND-12, IN-BJ-09/-10, GCB-06/-10 (nothing moves after the first card).
"""

from firstcard.core import cards
from firstcard.core.alarms import Alarms
from firstcard.core.events import CAUSES, READ_OK, ZONES
from firstcard.core.limits import tip_verdict, verdict
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
    WINDOW_CLOSES,
    WINDOW_OPENS,
    next_state,
)
from firstcard.core.posted import Posted
from firstcard.core.refused import Refused
from firstcard.core.zone import FREE, FREEZE, PAY, WATCH, Zone, sort_uids

ARGUMENTS = {"fault": 1, "edge": 2, "card": 2, "reading": 5, "stand": 1, "confirm": 2, "cancel": 2, "settled": 1,
             "supervisor_confirm": 2, "name_card": 3, "move_card": 3, "key": 4, "ack": 2, "limits": 4,
             "limits_cancel": 1}
MOVING_SWEEPS = 2


class Window:
    """A spot's chance to move chips: `kind` names it, `bases` are (zone, cents that stood there before)."""

    def __init__(self, kind, spot, hand, zones):
        self.kind = kind
        self.spot = spot
        self.hand = hand
        self.bases = [(z, z.open_window()) for z in zones]
        self.asked = False  # confirmed, and waiting for two equal readings
        self.told = {}  # amounts prompted for

    def ask(self):
        """The window is to be closed: what two equal readings from now on show is what counts."""
        self.asked = True
        for z, _ in self.bases:
            z.sweeps = 0

    def close(self, accepted=False, cents=()):
        for i, (z, _) in enumerate(self.bases):
            z.close_window(accepted, cents[i] if i < len(cents) else 0)


class Round:
    """A table's play. `profile`: the rules; `value_of(uid) -> cents or -1`: the chip registry; limits in cents;
    `game(round)` makes the game."""

    def __init__(self, spots, profile, value_of, min_cents, max_cents, game):
        self.profile = profile
        self.state = SAFE
        self.number = 0
        self.now_ms = 0
        self.zones = [Zone(s + 1, k, value_of) for s in range(spots) for k in range(len(ZONES))]
        self.alarms = Alarms()
        self.limits = Posted(min_cents, max_cents)
        self.out = []
        self.lock_us = 0
        self.game = game(self)
        self.oral = None  # core.oral.Oral where the rules know oral wagers
        self.answer = None  # what a key has told, for the reply to its command
        self.frozen = self.finished = self.voided = self.close_after = False
        self.waited = 0  # sweeps for which bets that could be told were held back
        self._follow = []
        self._actions = [getattr(self, "_" + n) for n in INPUTS]
        self._arity = bytes([ARGUMENTS.get(n, 0) for n in INPUTS])
        self._clear_round()

    def step(self, event, a=None, b=None, c=None, d=None, e=None):
        """One input; its effects are appended to `out`. Raises Refused and changes nothing where it is not
        possible."""
        if TABLE[event * 6 + self.state] == 45:
            raise Refused(50, INPUTS[event], STATES[self.state])
        while True:
            start = len(self.out)
            act, k = self._actions[event], self._arity[event]
            if k == 0:
                act()
            elif k == 1:
                act(a)
            elif k == 2:
                act(a, b)
            elif k == 3:
                act(a, b, c)
            elif k == 4:
                act(a, b, c, d)
            else:
                act(a, b, c, d, e)
            state = next_state(self.state, event)
            if state < 0:
                raise ValueError("%s in state %s" % (INPUTS[event], STATES[self.state]))
            if state != self.state:
                self.state = state
                self.out.insert(start, ("state", STATES[state], self.number))
            if not self._follow:
                return
            event = self._follow.pop(0)

    def tell(self, *effect):
        self.out.append(effect)

    def prompt(self, kind, spot=None, amount=None):
        self.tell("prompt", kind, spot, amount)

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

    def _clear_round(self):
        self.held = []  # cards that came before the freeze or a confirmation was decided
        self.confirmed = []  # zones whose larger later value waits for the supervisor
        self.live = []  # 1-based spots of this round that are not settled and cleared
        self.ending = None  # "misdeal" or "void", until the supervisor confirms
        self.window = None
        self.undo = None  # function that takes the last key back
        self.stakes = self.returned = self.won = 0

    def _next_round(self):
        self.number += 1
        self._clear_round()
        self.game.reset()
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
        """(verdict, cents that count, excess) of what lies in a zone. Source: IN-BJ-01, -02; ND-01, -02, -09, -23;
        design, "Words"."""
        if status != READ_OK:
            return "unreadable", 0, 0
        if not uids:
            return ("oral", zone.oral, 0) if zone.oral else ("empty", 0, 0)
        cents, unknown = zone.total(uids)
        if unknown:
            return "unknown-chip", 0, 0
        if zone.kind == 0:
            return self.verdict(cents)
        if zone.kind == 1 and self.profile.tips:
            return tip_verdict(self.profile, cents, self.limits.max)
        return "not-allowed", 0, 0

    def verdict(self, cents):
        """(verdict, cents that count, excess) of a main wager of registered chips."""
        return verdict(self.profile, cents, self.limits.min, self.limits.max)

    def _reading(self, antenna, uids, status, start_us, end_us):
        z = self.zones[antenna]
        z.note(sort_uids(uids), status, start_us, end_us)
        if z.phase == FREEZE:
            z.agree(self.lock_us)

    def alarm(self, kind, zone=None, cents=None):
        spot, name = (zone.spot, ZONES[zone.kind]) if zone else (None, None)
        self.tell("alarm", *self.alarms.raise_(kind, spot, name, cents))

    def _sweep(self):
        """Every zone has been read: tell what is new, in the order of the spots."""
        if self.state < OPEN:
            return
        if not self.frozen and self.state != OPEN:
            self._hold_against()
        for z in self.zones:
            if z.phase == WATCH or z.phase == PAY:
                if z.oral and self.oral.convert(z):
                    continue
                change = z.change()
                if change:
                    self.alarm(self.game.late_kind(z) if change[0] == "late" else change[0], z, change[1])
        if self.window:
            self._look_at_window()
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
                verdict, value, excess = self.judge(z, z.last, z.last_status)
                if z.last != z.shown or verdict != z.shown_verdict or value != z.shown_value:
                    z.shown, z.shown_verdict, z.shown_value = z.last, verdict, value
                    self.tell("bet", z.spot, ZONES[z.kind], z.total(z.last)[0], value, excess, verdict,
                              len(z.last) // 8)

    # the lock

    def _edge(self, cause, us):
        self.lock_us = us
        if self.oral:
            self.oral.lock()
        wagers, alarms = [], []
        for z in self.zones:
            cents, value, verdict = z.lock(us, self.judge)
            if z.locked or z.oral or verdict == "unreadable":
                if z.kind < 2:
                    wagers.append((("spot", z.spot), ("zone", ZONES[z.kind]), ("value", value)))
                if not value:
                    alarms.append((z, {"over": "over-limit", "under": "under-limit"}.get(verdict, verdict)))
        self.tell("lock", self.number, CAUSES[cause], us, wagers)
        for z, kind in alarms:
            self.alarm(self.game.early_kind(z) if z.kind == 2 else kind, z)

    def _hold_against(self):
        """The sweeps after the lock instant against the one before it: tell the zones that differ, go on once all are
        decided."""
        deciding = False
        for z in self.zones:
            if z.phase == FREEZE:
                deciding = True
            elif z.unsettled and not z.told:
                z.told = True
                self.tell("unsettled", z.spot, ZONES[z.kind], z.value, self._later(z))
                self.prompt("unsettled", z.spot)
        if not deciding:
            self.follow(FROZEN)

    def follow(self, event):
        """`event` follows from inside, in this same step."""
        self._follow.append(event)

    def _later(self, z):
        """Cents that count of what the sweeps since the lock have seen."""
        return self.judge(z, z.after, READ_OK)[1]

    def _frozen(self):
        self.frozen = True
        for z in self.zones:
            if z.kind == 0 and (z.value or (z.unsettled and self._later(z))):
                self.live.append(z.spot)
                if z.locked_sum > z.value and z.value:
                    self.prompt("return-excess", z.spot, z.locked_sum - z.value)  # ND-09, R13
        self.game.begin(self.live)
        self._release_cards()

    def _release_cards(self):
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
        w = self.window
        if w and (not spot or spot == w.spot) and not w.asked and w.spot:
            w.ask()
            self.undo = None
            return
        if self.oral and self.state == OPEN:
            if not self.oral.confirm(spot):
                raise Refused(51)
            return
        z = self._unsettled(spot)
        if self._later(z) > z.value:
            if z not in self.confirmed:
                self.confirmed.append(z)
            self.prompt("unsettled", z.spot, self._later(z))
        else:
            self._decide(z, z.after, self._later(z), by)

    def _cancel(self, spot, by):
        w = self.window
        if w and w.spot and (not spot or spot == w.spot):
            self.close_window()
            return
        if self.oral and self.state == OPEN:
            if not self.oral.cancel(spot):
                raise Refused(51)
            return
        z = self._unsettled(spot)
        self._decide(z, z.locked, z.value, by)

    def _decide(self, z, uids, value, by):
        if z in self.confirmed:
            self.confirmed.remove(z)
        z.settle_on(uids, value)
        self.tell("unsettled-decided", z.spot, ZONES[z.kind], value, by)
        if z.kind or z.spot not in self.live:
            return
        if not value:
            self.live.remove(z.spot)
            self.game.drop(z.spot)
        self.game.decided()
        if self.state == SETTLE and not self.live:
            self.follow(ALL_SETTLED)

    # windows

    def open_window(self, kind, spot, hand, zones):
        if self.state == SETTLE:
            raise Refused(50, kind, STATES[SETTLE])
        for z in zones:
            if z.unsettled:
                raise Refused(67, z.spot)
        self.window = Window(kind, spot, hand, zones)
        self.undo = self.close_window
        self.follow(WINDOW_OPENS)

    def close_window(self, accepted=False, cents=()):
        w, self.window = self.window, None
        w.close(accepted, cents)
        self.undo = None
        self.follow(WINDOW_CLOSES)

    def _window_opens(self):
        pass

    def _window_closes(self):
        self._release_cards()
        if not self.voided:
            self.game.after()

    def _look_at_window(self):
        w = self.window
        if not w.asked:
            self.game.window_moves(w)
            return
        certain = True
        for z, _ in w.bases:
            z.sweeps += 1
            certain = certain and z.certain()
        if not certain:
            return
        moved = [z.total(z.last)[0] - base for z, base in w.bases]
        own = w.kind in ("return-excess", "make-change")
        if own:
            z = w.bases[0][0]
            wrong = z.total(z.last)[0] - z.expected if w.kind == "return-excess" else moved[0]
        else:
            wrong = self.game.wrong_amount(w, moved)
        if wrong:
            w.asked = False
            self.prompt("amount", w.spot, wrong)
            self._release_cards()
            return
        if own:
            self.tell("extra", w.kind, w.spot, None, -moved[0] if w.kind == "return-excess" else z.total(z.last)[0])
            self.close_window(True)
        else:
            self.game.accept(w, moved)

    # cards

    def _card(self, card, mismatch):
        if mismatch:
            self.alarm("shoe-mismatch")
        if self.state < OPEN:
            self.alarm("card-while-closed")
            return
        if not self.frozen or (self.window and self.window.asked):
            self.held.append((card, False))
            return
        self.undo = None
        self.game.card(card)

    def told_card(self, number, card, label):
        """The event of one card; `card` None while it is the hole card."""
        self.tell("card", number, "**" if card is None else cards.name(card), label)

    def _name_card(self, card, spot, number):
        self.game.name_card(card, spot, number)

    def _move_card(self, number, spot, hand):
        self.game.move_card(number, spot, hand)

    def _stand(self, spot):
        self.game.stand(spot)

    def _reveal(self):
        self.undo = None
        self.game.reveal()

    def _burn(self):
        self.game.burn()

    def _key(self, name, spot, amount, by):
        if name == "undo":
            if not self.undo:
                raise Refused(91)
            undo, self.undo = self.undo, None
            undo()
        elif name == "return-excess" or name == "make-change":
            self._open_own_window(name, spot)
        else:
            self.game.key(name, spot, amount, by)

    def _open_own_window(self, name, spot):
        """`return-excess` and `make-change`: on the main zone, or on a line whose bet had the wrong amount."""
        if self.window:
            raise Refused(92, self.window.kind)
        if not spot or not self.frozen:
            raise Refused(22, name, name)
        z = self.zone(spot, 2)
        if name == "make-change" or z.expected or not z.last:
            z = self.zone(spot)
        if z.phase == FREE or z.phase == FREEZE:
            raise Refused(59, spot)
        self.open_window(name, spot, None, [z])
        self.prompt(name, spot, z.total(z.last)[0] - z.expected if name == "return-excess" else None)

    # settlement

    def last_card(self):
        """The game has seen the last card of the round."""
        if self.state != SETTLE and LAST_CARD not in self._follow:
            self.follow(LAST_CARD)

    def _last_card(self):
        self.game.settle_all()
        if self.live:
            self.prompt("settle")
        else:
            self.follow(ALL_SETTLED)

    def pay(self, spot, hand, bet, outcome, stake, returned, won, to):
        """Tell one settlement; `bet` says which zone it lies on."""
        self.stakes += stake
        self.returned += returned
        self.won += won
        self.tell("settle", spot, hand, bet, outcome, stake, returned, won, to)
        if stake:
            kind = 1 if bet == "tip" else 2 if bet in ("insurance", "play") else 0
            self.zone(spot, kind).pay(stake, returned, won)

    def _settled(self, spot):
        spots = [spot] if spot else list(self.live)
        for s in spots:
            if s not in self.live:
                raise Refused(59, s)
            if not self.game.told(s):
                raise Refused(60, s)
            row = self.alarms.at(s)
            if row:
                raise Refused(61, s, row[0])
        if not spots:
            raise Refused(62)
        for s in spots:
            if self.zone(s).oral:
                self.prompt("convert", s, self.zone(s).oral)
                return
        self.undo = None
        for s in spots:
            self._clear(s)
        if self.state == SETTLE and not self.live:
            self.follow(ALL_SETTLED)

    def _clear(self, spot):
        self.live.remove(spot)
        for k in range(len(ZONES)):
            self.zone(spot, k).free()

    def _misdeal(self):
        self.ending = "misdeal"

    def _void(self):
        self.ending = "void"

    def _supervisor_confirm(self, spot, by):
        if self.oral and self.oral.supervise(spot, by):
            return
        if self.game.supervisor_confirm(spot, by):
            return
        for z in self.confirmed:
            if not spot or z.spot == spot:
                self._decide(z, z.after, self._later(z), by)
                return
        if not self.ending or spot:
            raise Refused(63)
        if not self.frozen:
            raise Refused(66)
        self.voided = True
        if self.window:
            self.close_window()
        for s in list(self.live):
            z = self.zone(s)
            z.unsettled = False
            if not self.game.told(s):
                self.game.void(s)
                if not z.won:  # every stake is the player's own again: nothing has to be moved
                    self._clear(s)
        if not self.live:
            self.follow(ALL_SETTLED)

    def _all_settled(self):
        self.finished = True
        self.tell("round", self.number, "void" if self.voided else "complete", self.stakes, self.returned, self.won)
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
        self.tell("limits", self.limits.min, self.limits.max, self.limits.told(), by)

    def empty(self):
        """Lies no chip on any spot?"""
        for z in self.zones:
            if z.last or z.before:
                return False
        return True

    def _change_limits(self):
        """Take over the pending limits if that is fair now: the table is closed, or the change is due and either no
        chip lies on any spot or the round is over. Returns True if they changed."""
        pending, state = self.limits.pending, self.state
        if not pending:
            return False
        if state > CLOSED:
            if pending[3] > self.now_ms or not (state == OPEN or self.finished):
                return False
            if state == OPEN and not self.empty():
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
        self.tell("alarm-cleared", id, by)
