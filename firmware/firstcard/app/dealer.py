"""The dealer's place: what the keypad's keys do, the supervisor's key switch beside them, what the display says.

Loaded once the table is there. On a board app/panel.py tells it what the hardware sees, or a simulated table does.

Keys do the same as the console's `key`, without a login. `3 DOUBLE` is `key double 3`, `2 SHIFT SETTLED` is `ack 2`;
`ack` without a number is the oldest alarm's. `4 SHIFT 6` (oral) asks for the amount: whole dollars, then CONFIRM. A
number that nobody goes on with is forgotten.

While the switch is turned, `supervisor-confirm` and `ack` are the supervisor's. Whoever turns it is not known, so each
turn is an event and a fact of the journal. It counts only from a turn that was seen: one that is on at power-up, or
longer than a supervisor needs, is the fault `key-switch` (a key left in the lock, a wire on ground) and is worth
nothing until it has been off.
"""

from firstcard.core import keypad, machine, screen
from firstcard.proto import commands

FORGET_MS = 10_000
SAID_MS = 6000  # what a key has told stays on the display for so long
MOST_DIGITS = 7
LEFT_MS = 120_000  # a key that is turned for so long was left there


class Dealer:
    """`engine`: app/engine.py's, whose `tick` and `told` come here too. `words`: words[0] is set when rows() may have
    become others, None: nobody waits for it. `turned`: the key switch is, as two ticks have seen it."""

    def __init__(self, engine):
        self._engine = engine
        self.words = None
        self._key_ms = 0  # of the last key
        self._said = ""  # what it has told, or why it was refused
        self._clear()
        self.turned = False
        self._looked = False  # at the switch
        self._seen = False  # in the last look
        self._turn_ms = 0
        engine.dealer = self

    def tick(self, ms):
        """At least every 50 ms."""
        self._switch(ms, self._engine.ports.key_turned())
        since = ms - self._key_ms
        if since > FORGET_MS and self._typing() or since > SAID_MS and self._said:
            if since > FORGET_MS:
                self._clear()
            self._said = ""
            self.told()

    def told(self):
        """Something has been told, or typed."""
        if self.words:
            self.words[0] = 1

    # keys

    def press(self, key):
        """Key number `key` (core/keypad.py) was pressed."""
        self._key_ms = self._engine.ports.ms()
        self._said = ""
        name = keypad.names(keypad.SHIFTED if self._shift else keypad.PLAIN)[key]
        if name == "shift":
            self._shift = not self._shift
        elif name.isdigit():
            self._typed = (self._typed + name)[-MOST_DIGITS:]
        elif name == "oral" and self._typed:
            spot = self._typed
            self._clear()
            self._oral = spot  # its amount is typed now
        elif name == "-" or self._oral and name == "cancel":
            self._clear()
        else:
            self._give(name)
        self.told()

    def _give(self, name):
        e = self._engine
        words = ["key", name]
        if self._oral and self._typed and name == "confirm":
            words[1:] = ["oral", self._oral, self._typed]
        elif self._typed:
            words.append(self._typed)
        elif name == "ack":
            rows = e.round.alarms.open
            words.append(str(rows[0][0] if rows else 0))
        self._clear()
        if self.turned and "key-switch" not in e.faults:
            self._said = e.console.keyed(words, commands.SUPERVISOR, "supervisor")
        else:
            self._said = e.console.keyed(words, commands.OPERATOR, "dealer")

    def _clear(self):
        self._typed = self._oral = ""
        self._shift = False

    def _typing(self):
        return self._typed or self._shift or self._oral

    # the key switch

    def _switch(self, ms, seen):
        e = self._engine
        if seen != self._seen and self._looked:
            self._seen = seen
        elif seen != self.turned:
            self.turned = self._seen = seen
            self._turn_ms = ms
            e.note("key-switch", seen)
            e.tell("key-switch", seen)
            if seen and not self._looked:
                e.name_fault("key-switch")
            elif not seen:
                e.clear_fault("key-switch")
        elif seen and ms - self._turn_ms > LEFT_MS:
            e.name_fault("key-switch")
        self._looked = True

    # the display

    def rows(self):
        """What the display shows: a text for each of core.screen.ROWS."""
        e = self._engine
        r = e.round
        state = machine.STATES[r.state]
        if r.ending:
            rows = screen.asking(r.ending, None, None)
        elif r.window:
            rows = screen.asking(r.window.kind, r.window.spot, None)
        elif e.prompt:
            rows = screen.asking(*e.prompt)
        else:
            rows = screen.resting(state, r.limits.min, r.limits.max)
        return screen.cut(rows + [self._note(), "%s ROUND %d" % (state, r.number)])

    def _note(self):
        """The small row: what is being typed or was told by a key, the oldest alarm, a fault, a change of limits."""
        e = self._engine
        r = e.round
        if self._typing():
            return "%s%s%s" % ("SHIFT " if self._shift else "", "ORAL %s $" % self._oral if self._oral else "",
                               self._typed)
        if self._said:
            return self._said
        for id, kind, spot, _, _ in r.alarms.open:
            return "!%d %s %s" % (id, kind, spot or "")
        for code in e.faults:
            return "FAULT %s" % code
        pending = r.limits.pending
        if pending:
            left_s = max(0, pending[3] - e.ports.ms()) // 1000
            return "NEW %s-%s %dM" % (pending[0] // 100, pending[1] // 100, (left_s + 59) // 60)
        return "SUPERVISOR?" if r.ending else "THEN CONFIRM" if r.window else ""
