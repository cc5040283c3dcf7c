"""Opening a table for bets: what keeps it from that, the tests that clear a fault, what follows a round."""

from firstcard.app.link import STANDING
from firstcard.core import machine
from firstcard.core.limits import sole_table
from firstcard.core.refused import Refused
from firstcard.store.registry import FALSE, GENUINE

# Faults that the tests of an opening can clear; those of STANDING it does not come to
CURABLE = STANDING + ("latch", "lock-lost", "reader", "shoe-overrun", "shoe-suspect", "shoe-restart", "shoe-line",
                      "shoe-flood", "draws-full", "edge-missing", "beam-short", "restarted", "plaque", "console-flood",
                      "keypad", "key-switch", "display", "reader-hot")
OWN_END = ("plaque", "keypad", "key-switch", "display", "reader-hot")  # those of them that no opening ends


class Opening:
    """Part of app.engine.Engine."""

    def never_opened(self, registry):
        """As it is at power-up."""
        self._registry = registry
        self._genuine = False  # the registry's signature has been found to be right
        self._reopening = False

    def chips(self):
        """Is the chip registry signed for this table? `ok`, `false`, or `checking` until that is known."""
        return "ok" if self._genuine else "false" if "registry" in self.faults else "checking"

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

    def _curable(self):
        """Can every fault that is there be tested away? Then SAFE ends, and `open` tests again."""
        for code in self.faults:
            if code not in CURABLE:
                return False
        return True

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
        if self.sign_demanded() and not self.is_proven():
            return (47,)
        if self._curable() and self._ready():
            armed = self.ports.arm()
            if armed:
                for code in list(self.faults):
                    if code not in OWN_END and (code != "reader" or not self.silent):
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
