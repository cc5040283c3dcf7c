"""The operator's console: lines in, exactly one final `OK ...` or `ERROR n "text"` line out for each.

Handlers are found by the id of the command table (proto/commands.py), which also says who may do what in which state.
Nothing here waits: work per line is bounded and answers go to a bounded queue (I-20, I-23).
"""

from firstcard.app.session import Session
from firstcard.core import cards, limits, machine, money
from firstcard.core.events import ZONES
from firstcard.core.refused import Refused
from firstcard.proto import commands, lines

# Numbers of refusals; the texts are in texts/en.txt
UNKNOWN_COMMAND = 10
NOT_ACCEPTED = 15
BAD_SPOT = 19
BAD_MONEY = 20
BAD_KEY = 21
BAD_CARD = 23
BAD_TIME = 25
NO_ROUND = 28
NOTICE = 37
NO_ALARM = 65
BAD_TABLES = 108
NO_TABLES = 109
BUSY = 111

# key name -> (input, what it takes): s = spot or none, b = by whom; a key that is not here goes to the game
KEYS = {
    "stand": (machine.STAND, "s"),
    "reveal": (machine.REVEAL, ""),
    "confirm": (machine.CONFIRM, "sb"),
    "cancel": (machine.CANCEL, "sb"),
    "settled": (machine.SETTLED, "s"),
    "supervisor-confirm": (machine.SUPERVISOR_CONFIRM, "sb"),
    "misdeal": (machine.MISDEAL, ""),
    "void": (machine.VOID, ""),
    "burn": (machine.BURN, ""),
}
GAME_KEYS = ("double", "split", "surrender", "insurance-closed", "even-money", "play", "fold", "peek", "return-excess",
             "make-change", "oral", "undo")


def _unsecret(word):
    """A word as it may be repeated: what has a digit in it could be a PIN in the wrong place."""
    for letter in word:
        if letter.isdigit():
            return "?"
    return word


class Console:
    """One operator line at a time; who gives it says `session`."""

    def __init__(self, engine):
        self.engine = engine
        self.lines = lines.Lines()
        self.session = Session(engine)

    def feed(self, buf, n):
        at = 0
        while at < n:
            at = self.lines.take(buf, at, n)
            result = self.lines.result
            if result == lines.LINE:
                self._line(self.lines.words())
            elif result is not None:
                self._error(result)

    def _line(self, words):
        if not words:
            return
        self.session.heard()
        if self.session.busy:
            return self._error(BUSY)
        entry = commands.lookup(words)
        if not entry:
            return self._error(UNKNOWN_COMMAND, _unsecret(words[0]))
        rest = commands.arguments(entry, words)
        if rest is None:
            return self._error(commands.BAD_ARGUMENTS, entry[commands.WORDS], entry[commands.SHAPE])
        state = self.engine.round.state
        number = commands.refusal(entry, self.session.role, state)
        try:
            if number == commands.BAD_STATE:
                raise Refused(number, entry[commands.WORDS], machine.STATES[state])
            if number == commands.LOGIN_NEEDED:
                raise Refused(number, entry[commands.WORDS])
            if number:
                raise Refused(number, entry[commands.WORDS], self._roles(entry[commands.WHO]))
            answer = getattr(self, "do_" + entry[commands.ID].replace("-", "_"))(rest)
        except Refused as e:
            number, text = self.engine.refused(words[0], e)
            self._out('ERROR %d "%s"' % (number, text))
            return
        if answer is not None:  # None: it comes later
            self._out("OK " + answer if answer else "OK")

    def _error(self, number, *values):
        """A line that is no command: answered, but no event."""
        self._out('ERROR %d "%s"' % (number, self.engine.texts.say("E%d" % number, *values)))

    def _out(self, line):
        self.engine.ports.out(line.encode() + b"\n")

    def _roles(self, bits):
        return " or ".join([name for name in sorted(commands.ROLES) if commands.ROLES[name] & bits])

    # who am I

    def do_id(self, rest):
        e = self.engine
        return "firstcard %s board=%s profile=%s hash=%s mode=RUN" % (
            self.do_version(rest), e.board.NAME, e.profile.id, e.profile.hash)

    def do_version(self, rest):
        from firstcard.app.engine import VERSION

        return VERSION

    def do_profile(self, rest):
        return "%s hash=%s" % (self.engine.profile.id, self.engine.profile.hash)

    def do_option(self, rest):
        """The house options of the profile and their values."""
        names = self.engine.profile.options
        for name in names:
            self._out("PROGRESS option %s=%s" % (name, getattr(self.engine.profile, name)))
        return "%d" % len(names)

    def do_help(self, rest):
        state = self.engine.round.state
        for entry in commands.TABLE:
            if rest and entry[commands.WORDS].split()[0] != rest[0]:
                continue
            if commands.allowed(entry, self.session.role, state):
                text = self.engine.texts.say("help." + entry[commands.ID])
                self._out("# %s %s - %s" % (entry[commands.WORDS], entry[commands.SHAPE], text))
        return ""

    def do_login(self, rest):
        return self.session.begin(rest)

    def do_answer(self, rest):
        return self.session.answer(rest[0])

    def do_logout(self, rest):
        self.session.end("logout")
        return ""

    def tick(self):
        """At least every 50 ms, every few while `session.busy`: a PIN that has been checked gets its answer."""
        accepted = self.session.tick()
        if accepted:
            self._out("OK " + self.session.name)
        elif accepted is not None:
            self._error(NOT_ACCEPTED, self.session.tried)

    # what is going on

    def do_status(self, rest):
        e = self.engine
        r = e.round
        self._out("PROGRESS limits %s" % self.do_limits(rest))
        for code in e.faults:
            self._out("PROGRESS fault %s" % code)
        free, clean = e.ports.heap()
        shoe = e.intake.link.receiver
        return ("state=%s round=%d alarms=%d faults=%d heap=%d clean=%d shoe_bad=%d shoe_missed=%d shoe_resent=%d "
                "shoe_line=%d shoe_age_ms=%d" % (
                    machine.STATES[r.state], r.number, len(r.alarms.open), len(e.faults), free, clean, shoe.bad,
                    shoe.missed, shoe.duplicates, e.intake.link.line_errors, e.intake.age_ms()))

    def do_bets(self, rest):
        n = 0
        for z in self.engine.round.zones:
            if z.last or z.locked and z.phase:
                verdict, value, _ = self.engine.round.judge(z, z.last, z.last_status)
                if z.phase:
                    verdict, value = "locked", z.value
                n += 1
                self._out("PROGRESS bet spot=%d zone=%s sum=%s value=%s verdict=%s chips=%d" % (
                    z.spot, ZONES[z.kind], money.show(z.total(z.last)[0]), money.show(value), verdict,
                    len(z.last) // 8))
        return "%d" % n

    def do_round(self, rest):
        r = self.engine.round
        for z in r.zones:
            if z.expected:
                self._out("PROGRESS wager spot=%d zone=%s value=%s" % (z.spot, ZONES[z.kind], money.show(z.expected)))
        for label, codes in r.game.describe():
            self._out("PROGRESS hand %s cards %s" % (label, " ".join(codes)))
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
            self._out("PROGRESS alarm id=%d kind=%s spot=%s zone=%s by=%s" % (
                id, kind, spot or "-", zone or "-", "-" if cents is None else money.show(cents)))
        return "%d" % len(rows)

    def do_events(self, rest):
        if rest[0] not in ("on", "off"):
            raise Refused(commands.BAD_ARGUMENTS, "events", "<on|off>")
        self.engine.telling = rest[0] == "on"
        return ""

    # limits

    def do_limits(self, rest):
        posted = self.engine.round.limits
        line = "min=%s max=%s" % (money.show(posted.min), money.show(posted.max))
        p = posted.pending
        if p:
            line += " pending_min=%s pending_max=%s due_ms=%d" % (money.show(p[0]), money.show(p[1]), p[3])
        return line

    def do_limits_set(self, rest):
        e = self.engine
        try:
            low, high = money.parse(rest[0]), money.parse(rest[1])
        except ValueError as why:
            raise Refused(BAD_MONEY, " ".join(rest[:2]), str(why))
        notice_s = wait_s = limits.notice_s(e.profile, not e.round.empty())
        if len(rest) > 2:
            wait_s = self._seconds(rest[2:])
            if wait_s < notice_s:  # ND-10, R12
                raise Refused(NOTICE, notice_s, "notice_s", notice_s)
        wrong = limits.check(e.profile, low, high)
        if wrong:
            raise Refused(wrong[0], *wrong[1])
        e.step(machine.LIMITS, low, high, self.session.name, e.ports.ms() + wait_s * 1000)
        return self.do_limits(rest)

    def _seconds(self, words):
        """`in 90`, `in 90s`, `in 20m` -> seconds."""
        text = words[-1]
        factor = 60 if text.endswith("m") else 1
        digits = text[:-1] if text[-1:] in ("s", "m") else text
        if len(words) != 2 or words[0] != "in" or not digits.isdigit() or len(digits) > 5:
            raise Refused(BAD_TIME, " ".join(words))
        return int(digits) * factor

    def do_tables(self, rest):
        """The other tables of the site, as far as they are known here."""
        profile = self.engine.profile
        if not hasattr(profile, "other_tables"):
            raise Refused(NO_TABLES, profile.id)
        from firstcard.rules import lists  # rarely used: not in memory otherwise

        return lists.show("other_tables", profile.other_tables)

    def do_tables_set(self, rest):
        """`tables 3-25,5-25 idle`, `tables off`: limits of the site's other tables (ND-03, ND-04, ND-07)."""
        self.do_tables(())
        from firstcard.rules import lists

        found = lists.read("other_tables", " ".join(rest))
        if found is None:
            raise Refused(BAD_TABLES, " ".join(rest), lists.HINTS["other_tables"])
        self.engine.profile.other_tables = found
        return lists.show("other_tables", found)

    def do_limits_cancel(self, rest):
        self.engine.step(machine.LIMITS_CANCEL, self.session.name)
        return self.do_limits(rest)

    # the journal

    def do_journal(self, rest):
        from firstcard.app import readout  # rarely used: not in memory otherwise

        return readout.records(self, rest)

    def do_journal_head(self, rest):
        from firstcard.app import readout

        return readout.head(self, rest)

    def do_journal_release(self, rest):
        from firstcard.app import readout

        return readout.release(self, rest)

    def do_journal_reset(self, rest):
        from firstcard.app import readout

        return readout.reset(self, rest)

    # table

    def do_open(self, rest):
        self.engine.open()
        return ""

    def do_close(self, rest):
        self.engine.step(machine.CLOSE)
        return ""

    def _spot(self, rest):
        """The spot in a key's arguments, or 0."""
        if not rest:
            return 0
        if not rest[0].isdigit() or not 1 <= int(rest[0]) <= self.engine.board.SPOTS:
            raise Refused(BAD_SPOT, rest[0], self.engine.board.SPOTS)
        return int(rest[0])

    def do_key(self, rest):
        if rest[0] in GAME_KEYS:
            return self._game_key(rest)
        key = KEYS.get(rest[0])
        if not key:
            raise Refused(BAD_KEY, rest[0])
        event, takes = key
        if rest[0] == "supervisor-confirm" and self.session.role != commands.SUPERVISOR:
            raise Refused(commands.ROLE_NEEDED, "key supervisor-confirm", "supervisor")
        if takes == "":
            if len(rest) > 1:
                raise Refused(commands.BAD_ARGUMENTS, "key", rest[0])
            self.engine.step(event)
        elif takes == "s":
            self.engine.step(event, self._spot(rest[1:]))
        else:
            self.engine.step(event, self._spot(rest[1:]), self.session.name)
        return ""

    def _game_key(self, rest):
        """A key of the game: spot and amount as it needs them. What it has to tell is the reply."""
        r = self.engine.round
        amount = 0
        if len(rest) > 2:
            try:
                amount = money.parse(rest[2])
            except ValueError as why:
                raise Refused(BAD_MONEY, rest[2], str(why))
        r.answer = None
        self.engine.step(machine.KEY, rest[0], self._spot(rest[1:]), amount, self.session.name)
        return r.answer or ""

    def do_key_confirm(self, rest):
        return self.do_key(["supervisor-confirm"] + rest)

    def do_card(self, rest):
        """`card TH`, `card TH 3.2`: name a misread card; `card 7 to 3.2`: move one (supervisor); `card add TH`, `card
        add ??`: one that neither beams nor shoe have told of (supervisor)."""
        if len(rest) == 3 and rest[1] == "to" and rest[0].isdigit():
            if self.session.role != commands.SUPERVISOR:
                raise Refused(commands.ROLE_NEEDED, "card to", "supervisor")
            spot, hand = self._hand(rest[2])
            self.engine.step(machine.MOVE_CARD, int(rest[0]), spot, hand)
            return ""
        add = rest[0] == "add"
        code = rest[-1] if add else rest[0]
        try:
            card = cards.parse(code)
            if len(rest) > 2 or (card == cards.UNKNOWN and not add):
                raise ValueError
        except ValueError:
            raise Refused(BAD_CARD, code)
        if add:
            if self.session.role != commands.SUPERVISOR:
                raise Refused(commands.ROLE_NEEDED, "card add", "supervisor")
            self.engine.step(machine.CARD, card, False)
            return ""
        spot, hand = self._hand(rest[1]) if len(rest) > 1 else (None, 1)
        self.engine.step(machine.NAME_CARD, card, spot, hand)
        return ""

    def _hand(self, text):
        """(spot, hand) of a label such as 3.2; the dealer is spot 0."""
        if text == "dealer":
            return 0, 1
        spot, _, hand = text.partition(".")
        if not hand.isdigit() or len(hand) > 1:
            raise Refused(BAD_SPOT, text, self.engine.board.SPOTS)
        return self._spot([spot]), int(hand)

    def do_ack(self, rest):
        if not rest[0].isdigit() or len(rest[0]) > 8:
            raise Refused(NO_ALARM, rest[0])
        self.engine.step(machine.ACK, int(rest[0]), self.session.name)
        return ""
