"""What lies on the zones before and after the lock: verdicts, bets told, alarms."""

from firstcard.core.chips import sort_uids, without
from firstcard.core.events import READ_OK, READ_UNCERTAIN, WORTHLESS, ZONES
from firstcard.core.limits import tip_verdict, verdict
from firstcard.core.machine import OPEN
from firstcard.core.refused import Refused
from firstcard.core.zone import FREE, FREEZE, PAY, WATCH

MOVING_SWEEPS = 2
OF_THE_SHOE = ("reinserted", "double-card")  # alarms that are told as a shoe-mismatch, with what was seen last


def told_as(kind):
    """The kind of an alarm as people are told it."""
    return "shoe-mismatch" if kind in OF_THE_SHOE else kind


class Alarms:
    """The open alarms: who has not been looked at yet. Only a supervisor's acknowledgement takes one away (IN-BJ-12).

    An alarm is a list [id, kind, spot, zone name, signed cents]; spot and zone may be None. A further change of the
    same spot, zone and kind updates the open one, so there are never more than kinds x zones."""

    def __init__(self):
        self.open = []
        self.next_id = 1

    def raise_(self, kind, spot, zone, cents):
        """Open an alarm or update the one of the same kind and place; returns its row."""
        for row in self.open:
            if told_as(row[1]) == told_as(kind) and row[2] == spot and row[3] == zone:
                row[1], row[4] = kind, cents
                return row
        row = [self.next_id, kind, spot, zone, cents]
        self.next_id += 1
        self.open.append(row)
        return row

    def take(self, id):
        """Remove the alarm `id` and return its row, or None."""
        for i, row in enumerate(self.open):
            if row[0] == id:
                return self.open.pop(i)
        return None

    def at(self, spot):
        """An open alarm of this spot, or None."""
        for row in self.open:
            if row[2] == spot:
                return row
        return None


class Bets:
    """Part of core.round.Round."""

    def judge(self, zone, uids, status):
        """(verdict, cents that count, excess) of what lies in a zone. Source: IN-BJ-01, -02; ND-01, -02, -09, -23;
        design, "Words"."""
        if status != READ_OK:
            return "unreadable", 0, 0
        if not uids:
            return ("oral", zone.oral, 0) if zone.oral else ("empty", 0, 0)
        cents, wrong = zone.total(uids)
        if wrong:
            return WORTHLESS[-wrong], 0, 0
        if (zone.shared if zone.phase < WATCH else self.elsewhere(zone, uids, False)) or without(
                uids, self.twice) != uids:
            return "duplicate-chip", 0, 0  # nothing is counted twice
        if zone.oral:  # not turned into chips yet
            return "oral", zone.oral, 0
        if zone.kind == 0:  # ND-11: what lies here, without the tip
            return self.verdict(cents)
        if zone.kind == 1 and self.profile.tips and self._main_counts(zone.spot):  # ND-19; ND-22: all of it is one tip
            return tip_verdict(self.profile, cents, self.limits.max)
        return "not-allowed", 0, 0

    def _main_counts(self, spot):
        """Has the spot a valid main wager? A tip without one is none (ND-20)."""
        z = self.zone(spot)
        return z.value if z.phase != FREE else self.judge(z, z.last, z.last_status)[1]

    def verdict(self, cents):
        """(verdict, cents that count, excess) of a main wager of registered chips."""
        return verdict(self.profile, cents, self.limits.min, self.limits.max)

    def on_reading(self, antenna, uids, status, start_us, end_us):
        z = self.zones[antenna]
        if uids is not z.heard:
            z.heard, z.sorted = uids, sort_uids(uids)
        z.note(z.sorted, status, start_us, end_us)
        if z.last != z.before:
            again = [other for other in self.zones if other.shared]
            for other in again:
                other.shared = False
            for other in again:
                self._share(other, other.last)
            self._share(z, without(z.last, z.before))
        if z.phase == FREEZE:
            z.agree(self.lock_us)
        elif status == READ_UNCERTAIN != z.before_status and z.phase != FREE:
            self.alarm("unreadable", z)

    def on_tray(self, uids, twice):
        """Those chips of the tray that lie on a zone as well: with a chip on its way from a spot to the tray until the
        next sweep. `twice`: after a restart, what was certain."""
        self.suspects = uids
        if twice is not None:
            self.twice = twice

    def on_sweep(self):
        """Every zone has been read: tell what is new, in the order of the spots."""
        if self.suspects != self.twice:
            new = without(self.suspects, self.twice)  # they lie there still: they, or those in the tray, are copies
            self.twice = self.suspects
            for z in self.zones:
                if z.phase != FREE and without(z.last, new) != z.last:
                    self.alarm("duplicate-chip", z)
        if self.state < OPEN:
            return
        if not self.frozen and self.state != OPEN:
            self.hold_against()
        for z in self.zones:
            if z.oral and z.phase in (FREE, WATCH, PAY) and self.oral.convert(z):
                continue
            if z.phase == WATCH or z.phase == PAY:
                before = z.change()  # IN-BJ-10, GCB-10: any handling; ND-12 as well
                if before is not None:
                    self._changed(z, before)
        if self.window:
            self.look_at_window()
        self._tell_bets()

    def _share(self, zone, uids):
        """Mark this zone and every other that has read one of these chips too: one UID in two places."""
        for z in self.zones:
            if z is not zone and uids and z.last and without(uids, z.last) != uids:
                z.shared = zone.shared = True

    def elsewhere(self, zone, uids, now):
        """Those of the chips that another zone has read just now, or (not `now`) that are another zone's wager."""
        rest = uids
        for z in self.zones:
            if z is not zone and (now or not z.paying):
                rest = without(rest, z.last if now else z.locked)
        return without(uids, rest)

    def laid(self, zone):
        """Cents that lie here and may count here: not those of a chip that another zone or the tray has read too, or
        that is another zone's wager."""
        uids = zone.last
        if uids:
            uids = without(uids, self.elsewhere(zone, uids, True))
            uids = without(uids, self.elsewhere(zone, uids, False))
            uids = without(uids, self.twice)
        return zone.total(uids)[0]

    def _changed(self, z, before):
        """The chips `before` are certain to have become others: an alarm with its name, unless that is in order."""
        extra, missing = without(z.known, z.reference), without(z.reference, z.known)
        twice = self.elsewhere(z, extra, True) or without(extra, self.twice) != extra
        if z.in_order(before) and not twice:
            return
        cents = z.total(z.known)[0] - (z.expected or z.locked_sum)
        wrong = z.total(extra)[1]
        if wrong:
            kind = WORTHLESS[-wrong]
        elif twice:
            kind = "duplicate-chip"
        elif self.elsewhere(z, extra, False) or missing and not extra and self.elsewhere(z, missing, True) == missing:
            kind = "moved"
        elif not z.locked:
            kind = self.game.late_kind(z)
        elif extra and missing:
            kind = "increase" if cents > 0 else "decrease" if cents < 0 else "swap"
        else:
            kind = "increase" if extra else "decrease"
        self.alarm(kind, z, cents)

    def _tell_bets(self):
        """Bets that have been read the same twice. One that is still moving is waited for, so that chips laid at one
        time are told in the order of the spots: a sweep that was under way may have seen some of them only."""
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
                    more = z.shown_value and z.last != z.shown and not without(z.shown, z.last)
                    z.shown, z.shown_verdict, z.shown_value = z.last, verdict, value
                    self.tell("bet", z.spot, ZONES[z.kind], z.total(z.last)[0], value, excess, verdict,
                              len(z.last) // 8)
                    if value and self.profile.stack_order and z.mixed():
                        self.prompt("stack", z.spot)  # ND-60, -61: the antenna cannot see the order
                    if z.kind == 1 and (more or verdict in ("under", "over", "unit")):
                        self.prompt("tip", z.spot, excess or None)  # ND-22: a second one, perhaps; ND-23

    def alarm(self, kind, zone=None, cents=None):
        spot, name = (zone.spot, ZONES[zone.kind]) if zone else (None, None)
        self.tell("alarm", *self.alarms.raise_(kind, spot, name, cents))

    def on_ack(self, id, by):
        row = self.alarms.take(id)
        if not row:
            raise Refused(65, id)
        if row[2]:
            z = self.zone(row[2], ZONES.index(row[3]))
            z.accept_alarm()
        self.tell("alarm-cleared", id, by)
