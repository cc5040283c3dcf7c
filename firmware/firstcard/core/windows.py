"""Windows: a spot's chance to move chips after the lock, opened by a key, closed by `confirm` or `cancel`.

What counts is what two equal readings show after the confirmation; cards that leave the shoe meanwhile wait for it.
"""

from firstcard.core.events import ZONES
from firstcard.core.machine import SETTLE, STATES, WINDOW_CLOSES, WINDOW_OPENS
from firstcard.core.refused import Refused
from firstcard.core.zone import FREE, FREEZE


class Window:
    """A spot's chance to move chips: `kind` names it, `bases` are (zone, cents that stood there before)."""

    def __init__(self, kind, spot, hand, zones):
        self.kind = kind
        self.spot = spot
        self.hand = hand
        self.bases = [(z, z.open_window()) for z in zones]
        self.asked = False  # confirmed, and waiting for two equal readings
        self.told = {}  # amounts prompted for
        self.excess = 0  # return-excess: cents that are to go back

    def ask(self):
        """The window is to be closed: what two equal readings from now on show is what counts."""
        self.asked = True
        for z, _ in self.bases:
            z.sweeps = 0

    def join(self, zone):
        """Chips may be moved here too, from now on."""
        self.bases.append((zone, zone.open_window()))
        if self.asked:
            zone.sweeps = 0

    def close(self, accepted=False, cents=()):
        for i, (z, _) in enumerate(self.bases):
            z.close_window(accepted, cents[i] if i < len(cents) else 0)


class Windows:
    """Part of core.round.Round."""

    def open_window(self, kind, spot, hand, zones):
        if self.state == SETTLE:
            raise Refused(50, kind, STATES[SETTLE])
        for z in zones:
            if z.unsettled:
                raise Refused(67, z.spot)
        self.window = Window(kind, spot, hand, zones)
        self.undo = self.close_window
        self.follow(WINDOW_OPENS)

    def close_window(self, accepted=False, cents=()):
        w, self.window = self.window, None
        w.close(accepted, cents)
        self.undo = None
        self.follow(WINDOW_CLOSES)

    def window_first(self):
        """Refuse a key with what ends the window that is open."""
        w = self.window
        if w.asked:
            raise Refused(66)
        raise Refused({"insurance": 129, "play": 130}.get(w.kind, 92), w.kind)

    def on_window_opens(self):
        pass

    def on_window_closes(self):
        self.release_cards()
        if not self.voided:
            self.game.after()

    def look_at_window(self):
        w = self.window
        if not w.asked:
            self.game.window_moves(w)
            return
        certain = True
        for z, _ in w.bases:
            z.sweeps += 1
            certain = certain and z.certain()
        if not certain:
            return
        moved = [self.laid(z) - base for z, base in w.bases]
        own = w.kind in ("return-excess", "make-change")
        if own:
            z = w.bases[0][0]
            wrong = self.laid(z) - z.expected if w.kind == "return-excess" else moved[0]
        else:
            wrong = self.game.wrong_amount(w, moved)
        if wrong:
            w.asked = False
            self.prompt("amount", w.spot, wrong)
            self.release_cards()
            return
        if own:
            self.tell("extra", w.kind, w.spot, None, w.excess if w.kind == "return-excess" else z.total(z.last)[0])
            self.close_window(True)
        else:
            self.game.accept(w, moved)

    def on_key(self, name, spot, amount, by):
        if name == "undo":
            if not self.undo:
                raise Refused(91)
            undo, self.undo = self.undo, None
            undo()
        elif name == "return-excess" or name == "make-change":
            self._open_own_window(name, spot)
        else:
            before = self.undo
            self.game.key(name, spot, amount, by)
            if self.undo is before:  # this key is the last one now, and cannot be taken back
                self.undo = None

    def _open_own_window(self, name, spot):
        """`return-excess` and `make-change`: on the main zone, or on a tip or line where more lies than counts."""
        if self.window:
            self.window_first()
        if not spot or not self.frozen:
            raise Refused(22, name, name)
        z = self.zone(spot)
        if name == "return-excess":
            for kind in range(len(ZONES)):
                other = self.zone(spot, kind)
                if other.excess() > 0:
                    z = other
                    break
        if z.phase == FREE or z.phase == FREEZE or not z.known:
            raise Refused(59, spot)
        excess = z.excess()
        if name == "return-excess" and excess <= 0:
            raise Refused(119, spot)
        self.open_window(name, spot, None, [z])
        self.window.excess = excess
        self.prompt(name, spot, excess if name == "return-excess" else None)
