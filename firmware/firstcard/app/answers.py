"""Answers of the console to who asks what the table is and what goes on at it; they change nothing."""

from firstcard.core import machine, money
from firstcard.core.events import ZONES
from firstcard.core.refused import Refused

NO_ROUND = 28  # number of a refusal; the text is in texts/en.txt
TOO_HOT = 7  # health of a reader; degrees it does not tell
READ = ("ok", "unreadable", "fault", "never")  # how the last reading of the tray ended


def _numbers(them):
    """A list of int as bytes, with commas between; `-` for an empty one."""
    return (b",%d" * len(them))[1:] % tuple(them) or b"-"


class Answers:
    """Needs `engine`, `say`, `do_limits` and `given_spot` of the console."""

    # who am I

    def do_id(self, rest):
        e = self.engine
        table = e.settings.get("table")
        return "firstcard %s board=%s unique=%s%s profile=%s hash=%s build=%s files=%s chips=%s mode=RUN" % (
            self.do_version(rest), e.board.NAME, e.ports.unique, " table=%s" % table if table else "", e.profile.id,
            e.profile.hash, e.ports.build, e.ports.files, e.chips())

    def do_version(self, rest):
        from firstcard.app.engine import VERSION

        return VERSION

    def do_time(self, rest):
        """The time of day in UTC, or that nobody has told it since power-up."""
        e = self.engine
        wall = e.keeper.wall if e.keeper else 0
        if not wall:
            return "unset"
        from firstcard.core import calendar  # rarely used: not in memory otherwise

        return calendar.show(wall + e.ports.ms() // 1000)

    def do_profile(self, rest):
        return "%s hash=%s" % (self.engine.profile.id, self.engine.profile.hash)

    # what is going on

    def do_status(self, rest):
        """At a glance; `status 3`: what the readers of spot 3 tell; `status tray`."""
        e = self.engine
        if rest == ["tray"] and e.board.TRAY_ANTENNA:
            self._reader("tray", e.board.ANTENNAS)
            chips, status = e.tray
            return "1 chips=%d read=%s" % (chips, READ[status])
        if rest:
            return self._readers(self.given_spot(rest))
        r = e.round
        self.say(self.do_limits(rest), b"PROGRESS limits %s\n")
        for code in e.faults:
            self.say("PROGRESS fault %s" % code)
        if e.dealer and e.dealer.turned:
            self.say("PROGRESS key-switch on")
        free, errors = e.ports.heap()
        ages, uneasy = e.ports.spots(e.board.SPOTS, len(ZONES))
        e.ports.out(b"PROGRESS spots age_ms=%s uneasy=%s\n" % (_numbers(ages), _numbers(uneasy)))
        shoe = e.intake.link.receiver
        return ("state=%s round=%d alarms=%d faults=%d heap=%d memory_errors=%d shoe_bad=%d "
                "shoe_missed=%d shoe_resent=%d shoe_line=%d shoe_age_ms=%d" % (
                    machine.STATES[r.state], r.number, len(r.alarms.open), len(e.faults), free, errors, shoe.bad,
                    shoe.missed, shoe.duplicates, e.intake.link.line_errors, e.intake.age_ms()))

    def _readers(self, spot):
        """A line for each reader of a spot. Not of all spots at once: that would take 35 ms."""
        first = len(ZONES) * (spot - 1)
        for n, zone in enumerate(ZONES):
            self._reader(zone, first + n)
        return "%d" % len(ZONES)

    def _reader(self, zone, antenna):
        age_ms, reads, missed, again, resets, health = self.engine.ports.reader(antenna)
        rate = 1000 * missed // (reads or 1)
        self.say("PROGRESS reader zone=%s age_ms=%d reads=%d missed=%d miss_rate=%d.%d%% again=%d resets=%d temp=%s "
                 "health=%d" % (zone, age_ms, reads, missed, rate // 10, rate % 10, again, resets,
                                "too-hot" if health == TOO_HOT else "ok", health))

    def do_bets(self, rest):
        n = 0
        for z in self.engine.round.zones:
            if z.last or z.locked and z.phase:
                verdict, value, _ = self.engine.round.judge(z, z.last, z.last_status)
                if z.phase:
                    verdict, value = "locked", z.value
                n += 1
                self.say("PROGRESS bet spot=%d zone=%s sum=%s value=%s verdict=%s chips=%d" % (
                    z.spot, ZONES[z.kind], money.show(z.total(z.last)[0]), money.show(value), verdict,
                    len(z.last) // 8))
        return "%d" % n

    def do_round(self, rest):
        r = self.engine.round
        for z in r.zones:
            if z.expected:
                self.say("PROGRESS wager spot=%d zone=%s value=%s" % (z.spot, ZONES[z.kind], money.show(z.expected)))
        for label, codes in r.game.describe():
            self.say("PROGRESS hand %s cards %s" % (label, " ".join(codes)))
        return "round=%d state=%s" % (r.number, machine.STATES[r.state])

    def do_last(self, rest):
        last = self.engine.last_round
        if not last:
            raise Refused(NO_ROUND)
        number, stakes, returned, won = last
        return "round=%d stakes=%s returned=%s won=%s" % (
            number, money.show(stakes), money.show(returned), money.show(won))

    def do_alarms(self, rest):
        rows = self.engine.round.alarms.open
        for id, kind, spot, zone, cents in rows:
            self.say("PROGRESS alarm id=%d kind=%s spot=%s zone=%s by=%s" % (
                id, kind, spot or "-", zone or "-", "-" if cents is None else money.show(cents)))
        return "%d" % len(rows)
