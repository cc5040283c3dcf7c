"""Oral wagers with cash (GCB-07): confirmed by the dealer, then by the supervisor, then turned into chips.

`zone.oral` is the amount in cents, once both have confirmed; until chips of exactly that amount lie there nothing is
expected to stand on the zone, and the spot does not unlock.
"""

from firstcard.core.refused import Refused


class Oral:
    def __init__(self, round_):
        self.r = round_
        self.asked = {}  # spot -> [cents, confirmed by the dealer]

    def ask(self, spot, cents):
        """Key `oral` before the first card."""
        if self.r.state != 2:
            raise Refused(103)
        z = self.r.zone(spot)
        if z.last or z.oral:
            raise Refused(104, spot)
        if self.r.verdict(cents)[0] != "ok":
            raise Refused(105, spot)
        self.asked[spot] = [cents, False]
        self.r.undo = lambda: self.asked.pop(spot, None)

    def _row(self, spot):
        for s in sorted(self.asked):
            if not spot or s == spot:
                return s, self.asked[s]
        return 0, None

    def confirm(self, spot):
        """The dealer's confirmation; False if there is none to give."""
        s, row = self._row(spot)
        if row:
            row[1] = True
            self.r.undo = None
        return bool(row)

    def cancel(self, spot):
        return self.asked.pop(self._row(spot)[0], None) is not None

    def supervise(self, spot, by):
        """The supervisor's confirmation, never the dealer's own key; False if there is none to give."""
        s, row = self._row(spot)
        if not row or not row[1]:
            return False
        del self.asked[s]
        z = self.r.zone(s)
        self.r.undo = None
        z.oral = z.shown_value = row[0]
        z.shown_verdict = "oral"
        self.r.tell("bet", s, "main", 0, row[0], 0, "oral", 0)
        return True

    def state(self):
        """What a restart has to know before the first card: (asked, confirmed by both)."""
        asked = [(s, row[0], row[1]) for s, row in self.asked.items()]
        return asked, [(z.spot, z.oral) for z in self.r.zones if z.oral]

    def restore(self, state):
        for s, cents, confirmed in state[0]:
            self.asked[s] = [cents, confirmed]
        for spot, cents in state[1]:
            z = self.r.zone(spot)
            z.oral = z.shown_value = cents
            z.shown_verdict = "oral"

    def lock(self):
        """The first card ends what was not confirmed."""
        self.asked = {}

    def convert(self, zone):
        """Chips of exactly the amount have come, beside what was confirmed since: they are the wager now. True if
        so."""
        if not zone.same or zone.last_status or not zone.last or zone.total(zone.last)[1]:
            return False
        if self.r.laid(zone) != zone.expected + zone.oral:
            return False
        if zone.phase:
            zone.take_over(zone.expected + zone.oral)
        self.r.tell("extra", "oral-converted", zone.spot, 1, zone.oral)
        zone.oral = 0
        return True
