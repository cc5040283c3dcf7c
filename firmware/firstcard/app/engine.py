"""The engine: inputs from whoever owns the hardware go into the round, its effects come out in one fixed order.

Lock first, then journal, then lamp and plaque, then console. No driver is imported here: the hardware is the `ports`
object that firmware/README.md describes, so the same file runs on the board, on the unix port and on a PC.
"""

from firstcard.app.antennas import Antennas
from firstcard.app.console import Console
from firstcard.app.intake import Intake
from firstcard.app.keeper import Keeper
from firstcard.app.opening import Opening
from firstcard.app.showing import Showing
from firstcard.core import machine
from firstcard.core.limits import approve
from firstcard.core.round import Round

VERSION = "0.1.0"
SKEW_MS = 200  # between the clock of the ms and that of the edges


def game_of(profile):
    """The game that a profile's rules are for; only its module is loaded."""
    if profile.game == "blackjack":
        from firstcard.core.blackjack import Blackjack

        return Blackjack
    from firstcard.core.threecard import ThreeCard

    return ThreeCard


class Engine(Opening, Showing, Antennas):
    """One table. `settings`: {"limits": {"min", "max"}, "keys": {role: hex}}; `registry`: as store/registry.py;
    `texts.say(key, *values)` -> str; `ports`: see firmware/README.md."""

    def __init__(self, board, profile, settings, registry, texts, ports):
        self.board = board
        self.profile = profile
        self.settings = settings
        self.texts = texts
        self.ports = ports
        self.never_opened(registry)
        self.new_round()
        self.keeper = Keeper(self, ports.memory, ports.blocks) if ports.memory else None
        self.intake = Intake(self)
        self.console = Console(self)
        self.dealer = None  # app/dealer.py's, where there is a keypad and once it is loaded
        self.faults = {}
        self.seq = 0
        self.telling = True
        self.last_round = None
        self.show_nothing()
        self.no_reading()
        self._skew = None

    def new_round(self):
        """A round that has not begun, under the limits of the settings."""
        profile, limits = self.profile, self.settings["limits"]
        approve(profile, limits["min"], limits["max"])
        self.round = Round(self.board.SPOTS, profile, self._registry.lookup, limits["min"], limits["max"],
                           game_of(profile))
        self._step = self.round.step  # kept: looking a method up takes 14 us
        if profile.oral:
            from firstcard.core.oral import Oral

            self.round.oral = Oral(self.round)

    def start(self, cause):
        """Power-up: locked, and said so, with what was going on when the power went. SAFE ends by itself in `tick` once
        the self-test passes."""
        self.ports.lock()
        wrong, again = self.keeper.restart(cause) if self.keeper else (None, ())
        r = self.round
        self.tell("boot", cause, "RUN", self.profile.id, VERSION)
        first = [effect for effect in again if effect[0] == "state"][:1]  # a window has been closed by the restart
        self.tell("state", first[0][1] if first else machine.STATES[r.state], r.number)
        self.tell("limits", r.limits.min, r.limits.max, r.limits.told(), "settings")
        for row in r.alarms.open:
            self.tell("alarm", *row)
        for effect in again:
            if effect not in first:
                self.tell(*effect)
        self.heed(again)
        self.ports.lamp(bool(r.alarms.open))
        self._tell_plaque(self._draw())
        if wrong:
            self.fault(wrong)

    # told by the hardware

    def locked(self, cause, us):
        """The latch has fired: the lock instant is `us`."""
        self.intake.locked()
        if self.round.state == machine.OPEN:
            self.step(machine.EDGE, cause, us)
            self.ports.hurry()

    def beam(self, beam, covered, us):
        """Beam 0 (inner) or 1 (outer) was covered (1) or cleared (0) at `us`."""
        self.intake.beam(beam, covered, us)

    def shoe_bytes(self, buf, n, waiting=0):
        """`n` bytes from the shoe's line; `waiting` more have come behind them."""
        self.intake.feed(buf, n, waiting)

    def line_error(self):
        """The shoe's line has spoiled or lost bytes."""
        self.intake.link.line_errors += 1

    def shuffled(self):
        """The shoe says that its cards were shuffled."""
        self.round.tally.clear(True)
        if self.keeper:
            self.keeper.shuffled()

    def console_bytes(self, buf, n):
        """`n` bytes from the operator's line."""
        self.console.feed(buf, n)

    def tick(self):
        """At least every 50 ms."""
        self.intake.tick()
        self.console.tick()
        if self.dealer:
            self.dealer.tick(self.ports.ms())
        self.step(machine.TICK)
        if self.keeper:
            self.keeper.tick()
        if abs(self.skew_ms()) > SKEW_MS and "clock" not in self.faults:
            self.fault("clock")
        state = self.round.state
        if state != machine.OPEN and not self.ports.is_locked():
            self.ports.lock()
            self.fault("lock-lost")
        self._blinks()
        if not self._genuine:
            self._check_registry()
        if self._genuine and state == machine.SAFE and self._curable() and self._ready():
            self.ports.collect()
            self.step(machine.READY)

    def skew_ms(self):
        """How far the clock of the ms and that of the edges have come apart since power-up."""
        skew = self.ports.ms() - self.intake.ms()
        if self._skew is None:
            self._skew = skew
        return skew - self._skew

    def fault(self, code, expected=None, seen=None):
        """Something has failed: the table locks, the fault is named and stays until it is cleared."""
        self.ports.lock()
        self.name_fault(code, expected, seen)
        self.step(machine.FAULT, code)

    def name_fault(self, code, expected=None, seen=None):
        """A fault that changes nothing for the round; it stays until it is cleared."""
        if code not in self.faults:
            self.faults[code] = (expected, seen)
            self.note("fault", code, expected, seen)
            self.tell("fault", code, self.texts.say("fault." + code), expected, seen)

    def alarm(self, kind):
        """An alarm that concerns no spot."""
        r = self.round
        r.alarm(kind)
        if self.keeper:
            self.keeper.alarm(kind)
            self.keeper.facts(r.out)
        self._run()

    def clear_fault(self, code):
        if self.faults.pop(code, None):
            self.note("fault-cleared", code)
            self.tell("fault-cleared", code)

    def note(self, name, *values):
        """A fact for the journal that no input of the round stands for."""
        if self.keeper:
            self.keeper.note(name, *values)

    # effects

    def step(self, event, a=None, b=None, c=None, d=None, e=None):
        """One input and its effects. Raises Refused; nothing has changed then."""
        r = self.round
        r.now_ms = self.ports.ms()
        before = r.state
        first = event == machine.EDGE and before == machine.OPEN and self.keeper
        if first:  # durable before the wagers are worked out, which takes longer than writing it
            self.ports.lock()
            first.input(event, a, b)
        self._step(event, a, b, c, d, e)
        if self.keeper:
            if before == machine.OPEN != r.state:
                self.ports.lock()
            if not first:
                self.keeper.input(event, a, b, c, d, e)
            self.keeper.facts(r.out)
        if event == machine.STAND:
            self.answered()
        if r.out or r.state != before:
            self._run()
        if r.window and r.window.asked:
            self.ports.hurry()
        if r.finished and not self._reopening:
            self._after_round()

    def _run(self):
        r = self.round
        if r.state != machine.OPEN:
            self.ports.lock()
        effects, r.out = r.out, []
        self.heed(effects)
        self.ports.lamp(bool(r.alarms.open))
        plaque = None if r.finished else self._draw()  # else the opening or closing that follows at once draws
        for effect in effects:
            if effect[0] == "lock":
                self.tell(*effect)
        for effect in effects:
            if effect[0] != "lock":
                self.tell(*effect)
        if plaque:
            self._tell_plaque(plaque)
