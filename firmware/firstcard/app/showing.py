"""What a table tells and shows: events on the console, the plaque and its proof, the spots' LEDs, the open prompt."""

from firstcard.core import digits, machine
from firstcard.core.bets import told_as
from firstcard.core.events import FIELDS
from firstcard.core.limits import sign_needed
from firstcard.core.screen import ANSWERS
from firstcard.proto import jsonline

WITH_RULE = (37, 80)  # numbers of the refusals that name the rule behind them: their second value is its parameter
BLINK_MS = 500
LOOK = 3  # the plaque is proven anew at every fourth BLINK_MS
DARK, COUNTING = 5, 6  # of eight BLINK_MS while a change of limits is pending: dark, then the time that is left


class Showing:
    """Part of app.engine.Engine."""

    def show_nothing(self):
        """As it is at power-up."""
        self._leds = bytearray(digits.size(self.board.SPOTS))
        self._shown = bytearray(len(self._leds))
        self._spots = bytearray(self.board.SPOTS)
        self._plaque = None
        self._blink = 0  # counts BLINK_MS
        self._looking = False  # at the plaque, in several ticks
        self.prompt = None  # (kind, spot, amount) that nobody has answered yet

    def _blinks(self):
        """The part of `tick`: what blinks is drawn, and the plaque is proven anew from time to time."""
        blink = self.ports.ms() // BLINK_MS
        if blink != self._blink:
            self._blink = blink
            if self.prompt and self.prompt[1] or self._counts_down():
                self._draw()
            if not blink & LOOK:
                self._looking = True
        if self._looking:
            self._look(True)

    def sign_demanded(self):
        r = self.round
        return sign_needed(self.profile, r.limits.min, r.limits.max)

    def is_proven(self):
        """Does the plaque show the limits that apply, now? An earlier proof says nothing about that."""
        plaque = self._draw()  # the round that is over may have left other limits
        if plaque:
            self._tell_plaque(plaque)
        else:
            self._look()
        return self._plaque[3]

    def _look(self, later=False):
        """Prove the plaque anew, now or in one of the next ticks, and tell if that has changed."""
        proven = self.ports.prove(later)
        self._looking = proven is None
        if not self._looking and proven != self._plaque[3]:
            self._tell_plaque(self._plaque[:3] + (proven,))

    def answered(self):
        """A key that tells nothing has answered what was asked."""
        self.prompt = None
        self._draw()
        if self.dealer:
            self.dealer.told()

    def heed(self, effects):
        """Keep the prompt that is open, for those who show it."""
        for effect in effects:
            if effect[0] == "prompt":
                self.prompt = effect[1:4]
            elif effect[0] == "notice" and not self.round.ending:  # else app/dealer.py shows it
                self.prompt = effect[1], None, None
            elif effect[0] in ANSWERS:
                self.prompt = None

    def refused(self, command, refusal):
        """Tell why a command was not carried out; returns (number, text)."""
        number = refusal.args[0]
        values = refusal.args[1:]
        if number in WITH_RULE:
            values = (values[0], self.texts.say("rule.%s.%s" % (self.profile.id, values[1]))) + values[2:]
        text = self.texts.say("E%d" % number, *values)
        self.tell("refused", command, number, text)
        return number, text

    def tell(self, name, *values):
        """One event on the console."""
        if self.dealer:
            self.dealer.told()
        if name[:3] == "log":  # login, logout, login-failed
            self.note(name, *values)
        self.seq += 1
        if self.keeper:
            self.keeper.told(self.seq)
        if not self.telling:
            return
        fields = FIELDS[name]
        pairs = []
        for i, value in enumerate(values):
            if value is not None or fields[i] == "pending":
                pairs.append((fields[i], value))
        if name == "alarm" or name == "prompt" or name == "notice":
            kind = values[1] if name == "alarm" else values[0]
            if told_as(kind) != kind:
                pairs[1:2] = [("kind", told_as(kind)), ("seen", kind)]
            elif kind == "amount" and not self.round.window:
                kind = "rest"
            pairs.append(("text", self.texts.say("%s.%s" % (name, kind))))
        self.ports.out(jsonline.event(self.seq, self.ports.ms(), name, pairs))

    def _colour(self):
        r = self.round
        if r.state != machine.OPEN:
            return digits.RED
        return digits.AMBER if r.limits.pending else digits.GREEN

    def _draw(self):
        """Draw spots and plaque if their picture has changed; returns the plaque's event if that is what changed."""
        r = self.round
        for i in range(len(self._spots)):
            self._spots[i] = self._spot_colour(i + 1)
        colour = self._colour()
        plaque = (r.limits.min, r.limits.max, digits.NAMES[colour])
        told = self._plaque and plaque == self._plaque[:3]  # else it is proven now: the limits themselves are drawn
        turn = self._blink & 7 if told and self._counts_down() else 0
        digits.draw(self._leds, r.limits.min, r.limits.max, digits.OFF if turn == DARK else colour, self._spots)
        if turn >= COUNTING:
            digits.count_down(self._leds, max(0, r.limits.pending[3] - self.ports.ms()) // 1000, colour)
        if self._leds != self._shown:
            self._shown[:] = self._leds
            self.ports.show(self._shown)
        if told:
            return None
        return plaque + (self.ports.prove(),)

    def _counts_down(self):
        """Does the plaque blink and show when the limits change? Where a sign is always demanded (GCB-08) it never
        shows anything but the limits."""
        r = self.round
        return r.state == machine.OPEN and r.limits.pending and self.profile.sign != "always"

    def _tell_plaque(self, plaque):
        self._plaque = plaque
        self.tell("plaque", *plaque)
        if plaque[3]:
            self.clear_fault("plaque")
        else:
            self.name_fault("plaque")
            if self.round.state >= machine.OPEN and self.sign_demanded():
                self.step(machine.CLOSE)  # bets end at once, a round is played out

    def _spot_colour(self, spot):
        r = self.round
        z = r.zone(spot)
        if self.prompt and self.prompt[1] == spot and not self._blink & 1:
            return digits.ASKING.get(self.prompt[0], digits.AMBER)
        if r.alarms.at(spot):
            return digits.RED
        if self.prompt and self.prompt[1] == spot:
            return digits.OFF
        if r.state == machine.OPEN or not z.phase:
            if z.shown_verdict == "empty" or r.state < machine.OPEN:
                return digits.OFF
            return digits.GREEN if z.shown_value else digits.AMBER
        return digits.GREEN if spot in r.live else digits.OFF
