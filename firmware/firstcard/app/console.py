"""The operator's console: lines in, exactly one final `OK ...` or `ERROR n "text"` line out for each.

Handlers are found by the id of the command table (proto/commands.py), which also says who may do what in which state.
Nothing here waits: work per line is bounded and answers go to a bounded queue (I-20, I-23).
"""

from firstcard.app.answers import Answers
from firstcard.app.keys import Keys
from firstcard.app.session import Session
from firstcard.core import limits, machine, money
from firstcard.core.refused import Refused
from firstcard.proto import commands, lines

# Numbers of refusals; the texts are in texts/en.txt
UNKNOWN_COMMAND = 10
NOT_ACCEPTED = 15
BAD_MONEY = 20
BAD_TIME = 25
NOTICE = 37
BAD_TABLES = 108
NO_TABLES = 109
BUSY = 111
LEAVING = 112
KEY_SWITCH = 128
LONGEST_S = 86_400  # until a change of limits: as much notice as an option may ask for
NOISE, NOISE_MS = 50, 1000  # more lines that are no commands in such a time: somebody floods the console

def _unsecret(word):
    """A word as it may be repeated: what has a digit in it could be a PIN in the wrong place."""
    for letter in word:
        if letter.isdigit():
            return "?"
    return word


class Console(Answers, Keys):
    """One operator line at a time; who gives it says `session`."""

    def __init__(self, engine):
        self.engine = engine
        self.lines = lines.Lines()
        self.session = Session(engine)
        self.role, self.name = commands.NONE, ""  # of whoever has given what is being carried out
        self._noise = self._noise_ms = 0  # lines that are no commands, since when
        self.leaving = ""  # `reboot`, `service`: the table is about to restart
        self._rows = None  # of a long answer: an iterator that says one at a time, and ends
        self.patient = False  # whoever feeds calls go_on() between rows, so that others get their turn

    def feed(self, buf, n):
        at = 0
        while at < n:
            at = self.lines.take(buf, at, n)
            result = self.lines.result
            if result == lines.LINE:
                self._line(self.lines.words())
                while not self.patient and self.go_on():
                    pass
            elif result != lines.NONE:
                self._error(result)

    def _line(self, words):
        if not words:
            return
        self.session.heard()
        if self.session.busy:
            return self._error(BUSY)
        if self.leaving:
            return self._error(LEAVING)
        entry = commands.lookup(words)
        if not entry:
            return self._error(UNKNOWN_COMMAND, _unsecret(words[0]))
        rest = commands.arguments(entry, words)
        if rest is None:
            return self._error(commands.BAD_ARGUMENTS, entry[commands.WORDS], entry[commands.SHAPE])
        self.role, self.name = self.session.role, self.session.name
        try:
            answer = self._carry_out(entry, rest)
        except Refused as e:
            number, text = self.engine.refused(words[0], e)
            self.say('ERROR %d "%s"' % (number, text))
            return
        if answer is not None:  # None: it comes later
            self.say(answer, b"OK %s\n" if answer else b"OK\n%s")

    def _carry_out(self, entry, rest):
        state = self.engine.round.state
        number = commands.refusal(entry, self.role, state)
        if number == commands.BAD_STATE:
            raise Refused(number, entry[commands.WORDS], machine.STATES[state])
        if number == commands.LOGIN_NEEDED:
            raise Refused(number, entry[commands.WORDS])
        if number:
            raise Refused(number, entry[commands.WORDS], self._roles(entry[commands.WHO]))
        name = entry[commands.ID].replace("-", "_")
        if hasattr(self, "do_" + name):
            return getattr(self, "do_" + name)(rest)
        from firstcard.app import upkeep  # rarely used: not in memory otherwise

        return getattr(upkeep, "do_" + name)(self, rest)

    def keyed(self, words, role, name):
        """The words of a key that was pressed at the table, by one of that role. Returns what it tells, or why not."""
        entry = commands.lookup(words)
        self.role, self.name = role, name
        try:
            if not entry[commands.WHO] & role:
                raise Refused(KEY_SWITCH, words[1])
            return self._carry_out(entry, words[1 + entry[commands.WORDS].count(" ") :])
        except Refused as e:
            return self.engine.refused(words[0], e)[1]

    def _error(self, number, *values):
        """A line that is no command: answered, but no event."""
        self._noise += 1
        self.say('ERROR %d "%s"' % (number, self.engine.texts.say("E%d" % number, *values)))

    def say(self, text, line=b"%s\n"):
        """One line of an answer. As bytes: MicroPython looks a new str up among all names, 0.13 ms."""
        self.engine.ports.out(line % text.encode())

    def _roles(self, bits):
        return " or ".join([name for name in sorted(commands.ROLES) if commands.ROLES[name] & bits])

    def go_on(self):
        """One more row of an answer that takes long, or its end. Returns whether there is more."""
        rows = self._rows
        if not rows:
            return False
        for _ in rows:
            return True
        self._rows = None
        self.say("OK")
        return False

    def do_help(self, rest):
        self._rows = self._help(rest)

    def _help(self, rest):
        for entry in commands.TABLE:
            if rest and entry[commands.WORDS].split()[0] != rest[0]:
                continue
            if commands.allowed(entry, self.session.role, self.engine.round.state):
                text = self.engine.texts.say("help." + entry[commands.ID])
                self.say("# %s %s - %s" % (entry[commands.WORDS], entry[commands.SHAPE], text))
                yield

    def do_login(self, rest):
        return self.session.begin(rest)

    def do_answer(self, rest):
        return self.session.answer(rest[0])

    def do_logout(self, rest):
        self.session.end("logout")
        return ""

    def host_left(self):
        """Nobody is at the other end. Whoever comes next finds no login, no half line, and hears the events."""
        self.session.end("host")
        self._rows = None
        self.lines.reset()
        self.engine.telling = True

    def tick(self):
        """At least every 50 ms, every few while `session.busy`: a PIN that has been checked gets its answer."""
        ms = self.engine.ports.ms()
        if self.leaving:
            self.engine.ports.restart(self.leaving)
        if ms - self._noise_ms > NOISE_MS:
            if self._noise > NOISE:
                self.engine.name_fault("console-flood")
            elif not self._noise:
                self.engine.clear_fault("console-flood")
            self._noise, self._noise_ms = 0, ms
        accepted = self.session.tick()
        if accepted:
            self.say("OK " + self.session.name)
        elif accepted is not None:
            self._error(NOT_ACCEPTED, self.session.tried)

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
        """`in 90`, `in 90s`, `in 20m` -> seconds, at most LONGEST_S."""
        text = words[-1]
        factor = 60 if text.endswith("m") else 1
        digits = text[:-1] if text[-1:] in ("s", "m") else text
        if len(words) != 2 or words[0] != "in" or not digits.isdigit() or len(digits) > 5:
            raise Refused(BAD_TIME, " ".join(words))
        if int(digits) * factor > LONGEST_S:
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
        e, told = self.engine, lists.show("other_tables", found)
        e.note("rules", "other_tables", told, e.profile.hash, self.session.name)  # limits were allowed by what was told
        e.profile.other_tables = found
        pending = e.round.limits.pending
        if pending and limits.sole_table(e.profile, pending[0]):  # it was allowed when it was asked for
            e.step(machine.LIMITS_CANCEL, self.session.name)
        return told

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
