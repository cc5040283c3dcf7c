"""The engine: inputs from whoever owns the hardware go into the round, its effects come out in one fixed order.

Lock first, then journal, then lamp and plaque, then console. No driver is imported here: the hardware is the `ports`
object that firmware/README.md describes, so the same file runs on the board, on the unix port and on a PC.
"""

from firstcard.app.console import Console
from firstcard.app.intake import Intake
from firstcard.app.keeper import Keeper
from firstcard.app.link import STANDING
from firstcard.core import digits, machine
from firstcard.core.bets import told_as
from firstcard.core.chips import sort_uids, without
from firstcard.core.events import FIELDS, READ_FAULT
from firstcard.core.limits import approve, sign_needed, sole_table
from firstcard.core.refused import Refused
from firstcard.core.round import Round
from firstcard.core.screen import ANSWERS
from firstcard.proto import jsonline
from firstcard.store.registry import FALSE, GENUINE

VERSION = "0.1.0"
WITH_RULE = (37, 80)  # numbers of the refusals that name the rule behind them: their second value is its parameter
# Faults that the tests of an opening can clear; those of STANDING it does not come to
CURABLE = STANDING + ("latch", "lock-lost", "reader", "shoe-overrun", "shoe-suspect", "shoe-restart", "shoe-line",
                      "shoe-flood", "draws-full", "edge-missing", "beam-short", "restarted", "plaque", "console-flood",
                      "keypad", "key-switch", "display", "reader-hot")
OWN_END = ("plaque", "keypad", "key-switch", "display", "reader-hot")  # those of them that no opening ends
TOO_HOT = 7  # health of a reader
BLINK_MS = 500
LOOK = 3  # the plaque is proven anew at every fourth BLINK_MS
DARK, COUNTING = 5, 6  # of eight BLINK_MS while a change of limits is pending: dark, then the time that is left
SKEW_MS = 200  # between the clock of the ms and that of the edges


def game_of(profile):
    """The game that a profile's rules are for; only its module is loaded."""
    if profile.game == "blackjack":
        from firstcard.core.blackjack import Blackjack

        return Blackjack
    from firstcard.core.threecard import ThreeCard

    return ThreeCard


class Engine:
    """One table. `settings`: {"limits": {"min", "max"}, "keys": {role: hex}}; `registry`: as store/registry.py;
    `texts.say(key, *values)` -> str; `ports`: see firmware/README.md."""

    def __init__(self, board, profile, settings, registry, texts, ports):
        self.board = board
        self.profile = profile
        self.settings = settings
        self.texts = texts
        self.ports = ports
        self._registry = registry
        self._genuine = False  # the registry's signature has been found to be right
        self.new_round()
        self.keeper = Keeper(self, ports.memory, ports.blocks) if ports.memory else None
        self.intake = Intake(self)
        self.console = Console(self)
        self.dealer = None  # app/dealer.py's, where there is a keypad and once it is loaded
        self.faults = {}
        self.seq = 0
        self.telling = True
        self.last_round = None
        self._leds = bytearray(digits.size(board.SPOTS))
        self._shown = bytearray(len(self._leds))
        self._spots = bytearray(board.SPOTS)
        self._plaque = None
        self._blink = 0  # counts BLINK_MS
        self._looking = False  # at the plaque, in several ticks
        self.prompt = None  # (kind, spot, amount) that nobody has answered yet
        self._reopening = False
        self._skew = None
        self._answered = False  # a reader has answered in this sweep
        self._out = 0  # bits: antennas whose reader did not answer when it was last asked
        self.tray = 0, 3  # chips of its last reading, and how that ended: 3 = never read
        self._left = False  # a chip that lies in the tray and on a spot was not read in the tray, for the first time

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

    def reading(self, antenna, uids, status, start_us, end_us):
        """One finished inventory of a zone, or of the tray (the antenna behind those of the zones). A reader that does
        not answer is named and takes its zone out, no more; if none of a whole sweep answers, bets are over."""
        bit = 1 << antenna
        is_tray = antenna == self.board.ANTENNAS
        number = self.board.TRAY_ANTENNA if is_tray else antenna
        if status == READ_FAULT:
            if not self._out & bit:
                self._out |= bit
                hot = self.ports.reader(antenna)[5] == TOO_HOT
                self.faults.pop("reader-hot" if hot else "reader", None)  # each of them is named
                self.name_fault("reader-hot" if hot else "reader", None, number)
        else:
            if not is_tray:
                self._answered = True
            if self._out & bit:
                self._out &= ~bit
                if self.faults.get("reader-hot") == (None, number):
                    self.clear_fault("reader-hot")
        if self.keeper and self.keeper.tight:
            return
        if is_tray:
            self._tray_read(uids, status)
        else:
            self.step(machine.READING, antenna, uids, status, start_us, end_us)

    def _tray_read(self, uids, status):
        """Chips that lie in the tray and on a spot too: one of the two is a copy. The round is told when they have
        become others; fewer only if that was read twice."""
        r = self.round
        self.tray = len(uids) // 8, status
        found = r.elsewhere(None, sort_uids(uids), True)
        missed = without(r.suspects, found)
        self._left = missed != b"" and (status or not self._left)
        if self._left:
            found = sort_uids(found + missed)
        if found != r.suspects:
            self.step(machine.TRAY, found)

    def sweep_end(self):
        if not self._out:
            self.clear_fault("reader")
        elif not self._answered:
            self.fault("reader")
        self._answered = False
        if not (self.keeper and self.keeper.tight):
            self.step(machine.SWEEP)

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
        blink = self.ports.ms() // BLINK_MS
        if blink != self._blink:
            self._blink = blink
            if self.prompt and self.prompt[1] or self._counts_down():
                self._draw()
            if not blink & LOOK:
                self._looking = True
        if self._looking:
            self._look(True)
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

    def chips(self):
        """Is the chip registry signed for this table? `ok`, `false`, or `checking` until that is known."""
        return "ok" if self._genuine else "false" if "registry" in self.faults else "checking"

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

    def _check_registry(self):
        """Hold some more of the chip registry against its signature: until it is found right nothing is opened."""
        if "registry" not in self.faults:
            try:
                found = self._registry.check()
            except OSError:
                found = FALSE
            self._genuine = found == GENUINE
            if found == FALSE:
                self.fault("registry")

    def alarm(self, kind):
        """An alarm that concerns no spot."""
        r = self.round
        r.alarm(kind)
        if self.keeper:
            self.keeper.alarm(kind)
            self.keeper.facts(r.out)
        self._run()

    def _curable(self):
        """Can every fault that is there be tested away? Then SAFE ends, and `open` tests again."""
        for code in self.faults:
            if code not in CURABLE:
                return False
        return True

    def clear_fault(self, code):
        if self.faults.pop(code, None):
            self.note("fault-cleared", code)
            self.tell("fault-cleared", code)

    def note(self, name, *values):
        """A fact for the journal that no input of the round stands for."""
        if self.keeper:
            self.keeper.note(name, *values)

    # opening

    def _ready(self):
        """Does any reader answer?"""
        antenna = self.ports.readers_ok()
        if antenna >= 0:
            self.fault("reader", None, antenna)
            return False
        return True

    def _obstacle(self):
        """What keeps the table from opening: None, or a refusal. Last of all the latch is tested by firing it; where
        nothing is in the way LOCK falls."""
        r, p = self.round, self.profile
        self.ports.collect()  # between rounds, so that it does not fall into one
        standing = self.intake.link.obstacle()
        if standing:
            return self._standing(standing)
        if not self._genuine:
            return self._standing("registry")
        if self.intake.busy():
            return (44,)
        if self.keeper:
            self.keeper.checkpoint()
            if self.keeper.full():
                return (48,)
        posted = r.limits  # another table may have changed since they were set, or is not known any more
        wrong = sole_table(p, posted.min) or (posted.pending and sole_table(p, posted.pending[0]))
        if wrong:
            return (wrong[0],) + wrong[1]
        if self._sign_demanded() and not self._proven():
            return (47,)
        if self._curable() and self._ready():
            armed = self.ports.arm()
            if armed:
                for code in list(self.faults):
                    if code not in OWN_END and (code != "reader" or not self._out):
                        self.clear_fault(code)
                return None
            if armed is None:
                return (44,)
            self.fault("latch")
        return self._standing(sorted(self.faults)[0])

    def _standing(self, code):
        if code == "shoe-lost":
            return (43,)
        return (46, code, self.texts.say("fault." + code))

    def _sign_demanded(self):
        r = self.round
        return sign_needed(self.profile, r.limits.min, r.limits.max)

    def _proven(self):
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

    def open(self):
        """Open for bets. Raises Refused."""
        if machine.next_state(self.round.state, machine.OPEN_TABLE) < 0:
            raise Refused(50, "open", machine.STATES[self.round.state])
        obstacle = self._obstacle()
        if obstacle:
            raise Refused(*obstacle)
        self.step(machine.OPEN_TABLE)
        if self.round.state != machine.OPEN:  # the plaque has died since: its first picture in green is not proven
            raise Refused(47)

    def _after_round(self):
        r = self.round
        self.last_round = (r.number, r.stakes, r.returned, r.won)
        self._reopening = True
        try:
            obstacle = None if r.close_after else self._obstacle()
            if obstacle:
                self.refused("open", Refused(*obstacle))
            self.step(machine.SHUT if r.close_after or obstacle else machine.REOPEN)
        finally:
            self._reopening = False

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
        if r.out or r.state != before:
            self._run()
        if r.window and r.window.asked:
            self.ports.hurry()
        if r.finished and not self._reopening:
            self._after_round()

    def refused(self, command, refusal):
        """Tell why a command was not carried out; returns (number, text)."""
        number = refusal.args[0]
        values = refusal.args[1:]
        if number in WITH_RULE:
            values = (values[0], self.texts.say("rule.%s.%s" % (self.profile.id, values[1]))) + values[2:]
        text = self.texts.say("E%d" % number, *values)
        self.tell("refused", command, number, text)
        return number, text

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

    def heed(self, effects):
        """Keep the prompt that is open, for those who show it."""
        for effect in effects:
            if effect[0] == "prompt":
                self.prompt = effect[1:4]
            elif effect[0] == "notice" and not self.round.ending:  # else app/dealer.py shows it
                self.prompt = effect[1], None, None
            elif effect[0] in ANSWERS:
                self.prompt = None

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
            if self.round.state >= machine.OPEN and self._sign_demanded():
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
