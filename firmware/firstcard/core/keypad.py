"""The dealer's twenty keys: what each is called, plain and after SHIFT, and when a key counts as pressed.

Five rows of four, from the top left; the lowest is nearest to the dealer. A number typed before a key is its spot, or
the alarm's for `ack`.
"""

PLAIN = (  # texts, and not tuples of them: on a board that is a third of the memory
    "7 8 9 confirm "
    "4 5 6 cancel "
    "1 2 3 settled "
    "shift 0 insurance-closed reveal "
    "double split play stand"
)
SHIFTED = (  # - means nothing
    "misdeal void burn supervisor-confirm "
    "return-excess make-change oral undo "
    "surrender even-money peek ack "
    "shift - - - "
    "- - fold -"
)
NOTHING, SEVERAL, NOT_NOW = -1, -2, -3  # results of a look at the keys that are no key
STUCK_MS = 30_000  # no finger stays on a key for so long


def names(layer):
    """The names of all keys in PLAIN or SHIFTED, a list."""
    return layer.split(" ")


class Debounce:
    """What is seen twice in a row is so. `held`: key or SEVERAL that is down, NOTHING at rest."""

    def __init__(self):
        self.held = self._last = NOTHING
        self._lifted = True  # nothing was down in a look since `held` was
        self._since_ms = 0

    def take(self, seen, ms):
        """One look. The key that is pressed now and was not before, or NOTHING: one at a time, after all were up. For
        another key one look at nothing is enough: a bouncing contact is never another one."""
        if seen == NOT_NOW:
            return NOTHING
        last, self._last = self._last, seen
        if seen == NOTHING:
            self._lifted = True
        if seen != last or seen == self.held:
            return NOTHING
        before, self.held = self.held, seen
        if seen == NOTHING:
            return NOTHING
        lifted, self._lifted = self._lifted, False
        if before == NOTHING or lifted:
            self._since_ms = ms
            return seen if seen >= 0 else NOTHING
        return NOTHING

    def quiet(self):
        """Has nothing been down in the last two looks?"""
        return self.held == self._last == NOTHING

    def stuck(self, ms):
        return self.held != NOTHING and ms - self._since_ms > STUCK_MS
