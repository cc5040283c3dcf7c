"""Telling what each bet is owed, and unlocking a spot once that has been paid and cleared (GCB-10)."""

from firstcard.core.events import ZONES
from firstcard.core.machine import ALL_SETTLED, LAST_CARD, SETTLE
from firstcard.core.payout import unpayable
from firstcard.core.refused import Refused


class Settling:
    """Part of core.round.Round."""

    def last_card(self):
        """The game has seen the last card of the round."""
        if self.state == SETTLE:  # a card has been moved since
            self.on_last_card()
        elif LAST_CARD not in self.following:
            self.follow(LAST_CARD)

    def on_last_card(self):
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
        if stake or won:
            kind = 1 if bet == "tip" else 2 if bet in ("insurance", "play") else 0
            self.zone(spot, kind).pay(stake, returned, won)
        rest = unpayable(self.profile, returned + won)
        if rest and (won or returned < stake):  # else the player's own chips stay as they lie
            self.prompt("amount", spot, rest)  # GCB R4: what the smallest chip cannot pay

    def on_settled(self, spot):
        spots = [spot] if spot else list(self.live)
        for s in spots:
            if s not in self.live:
                raise Refused(59, s)
            if not self.game.told(s):
                raise Refused(60, s)
            if self.window and self.window.spot == s:
                self.window_first()
            row = self.alarms.at(s)
            if row:
                raise Refused(61, s, row[0])  # IN-BJ-12, GCB-12: nobody plays on over an alarm
        if not spots:
            raise Refused(62)
        self.undo = None
        for s in spots:
            if self.zone(s).oral:  # GCB-07: it does not unlock as cash
                self.prompt("convert", s, self.zone(s).oral)
            else:
                self._clear(s)
        if not self.live and (self.state == SETTLE or self.voided):
            self.follow(ALL_SETTLED)

    def _clear(self, spot):
        self.live.remove(spot)
        for k in range(len(ZONES)):
            self.zone(spot, k).free()

    def on_misdeal(self):
        self._end("misdeal")

    def on_void(self):
        self._end("void")

    def _end(self, how):
        """The round is to end like this, if the supervisor confirms it before the key is taken back."""
        self.ending = how
        self.undo = self.end_not
        self.tell("notice", how)

    def end_not(self):
        self.ending = None

    def on_supervisor_confirm(self, spot, by):
        if self.oral and self.oral.supervise(spot, by):
            return
        if self.game.supervisor_confirm(spot, by):
            return
        for z in self.confirmed:
            if not spot or z.spot == spot:
                self.decide(z, z.after, self.later(z), by)
                return
        if not self.ending or spot:
            raise Refused(63)
        if not self.frozen:
            raise Refused(66)
        self.voided = True
        self.ending = None
        if self.window:
            self.close_window()
        for s in list(self.live):
            z = self.zone(s)
            for k in range(len(ZONES)):
                self.zone(s, k).unsettled = False
            if not self.game.told(s):
                decided = z.paying  # a hand here has lost: its chips are still to be taken
                self.game.void(s)
                if not z.won and not decided:  # every stake is the player's own again: nothing has to be moved
                    self._clear(s)
        if not self.live:
            self.follow(ALL_SETTLED)

    def on_all_settled(self):
        self.finished = True
        self.tell("round", self.number, "void" if self.voided else "complete", self.stakes, self.returned, self.won)
        self.change_limits()
