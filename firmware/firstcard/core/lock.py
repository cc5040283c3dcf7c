"""The lock: the wagers of the first card's instant, the sweeps that must agree with them, people's decision if not.

Sources: design, "The round" (LOCKED); ND-12, IN-BJ-09/-10, GCB-06/-10: nothing moves after the first card.
"""

from firstcard.core.events import CAUSES, READ_OK, ZONES
from firstcard.core.machine import ALL_SETTLED, FROZEN, OPEN, SETTLE
from firstcard.core.refused import Refused
from firstcard.core.zone import FREEZE


class Lock:
    """Part of core.round.Round."""

    def on_edge(self, cause, us):
        if self.state != OPEN:  # a later card: the wagers are locked already
            return
        self.lock_us = us
        if self.oral:
            self.oral.lock()
        wagers, alarms, doubt = self._take_wagers(us)
        if doubt:
            for z in self.zones:
                z.shared = bool(self.elsewhere(z, z.locked, False))
            wagers, alarms, doubt = self._take_wagers(us)
        self.tell("lock", self.number, CAUSES[cause], us, wagers)
        for z, kind in alarms:
            self.alarm(self.game.early_kind(z) if z.kind == 2 else kind, z)

    def _take_wagers(self, us):
        """(wagers to tell, [(zone, alarm)], may a chip have been read in two places?) at the lock instant."""
        wagers, alarms, doubt = [], [], False
        judge = self.judge
        for z in self.zones:
            verdict = z.lock(us, judge)  # ND-12, IN-BJ-09, GCB-06, GCB-10, IN-TCP-14
            if verdict:
                doubt = doubt or z.shared or z.locked is not z.last
                if z.kind < 2:
                    wagers.append((("spot", z.spot), ("zone", ZONES[z.kind]), ("value", z.value)))
                if not z.value:
                    alarms.append((z, {"over": "over-limit", "under": "under-limit"}.get(verdict, verdict)))
        return wagers, alarms, doubt

    def hold_against(self):
        """The sweeps after the lock instant against the one before it: once every zone has had its sweeps, tell those
        that differ, in the order of the spots, and go on."""
        for z in self.zones:
            if z.phase == FREEZE:
                return
        for z in self.zones:
            if z.unsettled:
                self.tell("unsettled", z.spot, ZONES[z.kind], z.value, self.later(z))
                self.prompt("unsettled", z.spot)
        self.follow(FROZEN)

    def later(self, z):
        """Cents that count of what the sweeps since the lock have seen."""
        return self.judge(z, z.after, READ_OK)[1]

    def on_frozen(self):
        self.frozen = True
        for z in self.zones:
            if z.kind == 0 and (z.value or (z.unsettled and self.later(z))):
                self.live.append(z.spot)
            if z.locked_sum > z.value and z.value:
                self.prompt("return-excess", z.spot, z.locked_sum - z.value)  # ND-09, R8, R13
        self.game.begin(self.live)  # GCB-01, IN-TCP-01: no wager, no cards
        if not self.live:
            self.tell("notice", "no-wager")
        self.release_cards()

    def release_cards(self):
        held, self.held = self.held, []
        for card, burned in held:
            if burned:
                self.game.burn_card(card)
            else:
                self.on_card(card, False)

    def in_question(self, spot):
        """Is anything on this spot still to be decided? It cannot settle until then, nor lay an extra bet."""
        for kind in range(len(ZONES)):
            if self.zone(spot, kind).unsettled:
                return True
        return False

    def undecided(self, spot):
        """The unsettled zone of this spot, or of the whole table if there is just one; before all are told there is
        none."""
        found = [z for z in self.zones if self.frozen and z.unsettled and (not spot or z.spot == spot)]
        if not found and self.window:
            self.window_first()
        if not found:
            raise Refused(51)
        if not spot and found[-1].spot != found[0].spot:
            raise Refused(52)
        return found[0]

    def on_confirm(self, spot, by):
        w = self.window
        if w and (not spot or spot == w.spot) and not w.asked and w.spot:
            w.ask()
            self.undo = None
            return
        if self.oral and self.state == OPEN:
            if not self.oral.confirm(spot):
                raise Refused(51)
            return
        z = self.undecided(spot)
        if self.later(z) > z.value:
            if z not in self.confirmed:
                self.confirmed.append(z)
            self.prompt("unsettled", z.spot, self.later(z))
        else:
            self.decide(z, z.after, self.later(z), by)

    def on_cancel(self, spot, by):
        w = self.window
        if w and w.spot and (not spot or spot == w.spot):
            self.close_window()
            return
        if self.oral and self.state == OPEN:
            if not self.oral.cancel(spot):
                raise Refused(51)
            return
        if self.ending and not spot:
            self.end_not()
            return
        z = self.undecided(spot)
        self.decide(z, z.locked, z.value, by)

    def decide(self, z, uids, value, by):
        if z in self.confirmed:
            self.confirmed.remove(z)
        self.undo = None
        z.settle_on(uids, value)
        self.tell("unsettled-decided", z.spot, ZONES[z.kind], value, by)
        if z.spot not in self.live:
            return
        if not value and not z.kind:
            self.live.remove(z.spot)
            self.game.drop(z.spot)
        self.game.decided(z)
        if not self.live:
            if self.state == SETTLE:
                self.follow(ALL_SETTLED)
            else:
                self.tell("notice", "no-wager")
