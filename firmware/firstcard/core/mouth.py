"""The mouth of the shoe: what moves at its two light beams, told from the instants at which they change.

Beam A is the inner one. Figures: card-edge timing of slotted sensors (hardware notes): pulses under 2 ms are flutter,
a card covers a beam for 12 ms at least and 600 ms at most, two cards are 15 ms apart, one of 1.6 times the usual length
is two; A before B is out, B before A is in.
"""

from firstcard.core import ticks

GLITCH_US = 2000  # a shorter pulse is a glitch; the latch lets LOCK fall again
GAP_US = 15_000  # between two cards; a shorter one is a nick
SHORT_US = 12_000  # no card passes a beam in less
LONG_US = 600_000  # no card takes longer: something lies there, or the wire is cut
SAMPLES = 5  # lengths of the last cards

A, B = 0, 1
# what Mouth tells
EDGE, BACK, SHORT, LONG, FREE, DOUBLE, ENTERED = range(7)
# where it is
_EMPTY, _LEAVING, _OUT, _TAIL, _FOLLOWED, _TOUCHED, _BLOCKED = range(7)


class Mouth:
    """What moves between the two beams: beam A is the inner one. `tell(what)` is called for each finding:

    EDGE     a card's edge has come to beam A, at `edge_us`
    BACK     that card went back, or never came to beam B; ENTERED as well if the one before it may be the one
    SHORT    it was at beam A for less than SHORT_US
    LONG     a beam is covered for more than LONG_US; FREE: both are clear again
    DOUBLE   the card that has left was 1.6 times as long as others are, whatever its speed: two at once?
    ENTERED  something came from outside
    """

    def __init__(self, tell):
        self._tell = tell
        self._place = _EMPTY
        self._level = bytearray(2)  # of each beam, glitches and nicks left out
        self._since = [-1, -1]  # a change that may still be one of those
        self._rise = [0, 0]
        self._lengths = []
        self._behind = False  # the card at beam A came before the one before it had left beam B
        self.edge_us = 0

    def clear(self):
        """Is nothing in the mouth?"""
        return not (self._level[A] or self._level[B])

    def leaving(self):
        """Is a card's edge at beam A and not yet at beam B?"""
        return self._place == _LEAVING

    def change(self, beam, covered, us):
        """A beam was covered (1) or clear (0) from `us` on; changes come in the order of time."""
        self.settle(us)
        if covered == self._level[beam]:
            self._since[beam] = -1
        elif self._since[beam] < 0:
            self._since[beam] = us

    def settle(self, us):
        """It is `us`: what has lasted counts."""
        while True:
            first = -1
            for beam in (A, B):
                since = self._since[beam]
                if since >= 0 and ticks.diff(us, since) >= (GAP_US if self._level[beam] else GLITCH_US):
                    if first < 0 or ticks.diff(since, self._since[first]) < 0:
                        first = beam
            if first < 0:
                break
            since = self._since[first]
            self._since[first] = -1
            self._level[first] ^= 1
            if self._level[first]:
                self._rise[first] = since
                self._covered(first)
            else:
                self._cleared(first, ticks.diff(since, self._rise[first]))
        if self._place != _BLOCKED:
            for beam in (A, B):
                if self._level[beam] and ticks.diff(us, self._rise[beam]) > LONG_US:
                    self._tell(LONG)
                    self._place = _BLOCKED

    def _covered(self, beam):
        place = self._place
        if beam == B:
            if place == _LEAVING:
                self._place = _OUT
            elif place == _EMPTY:
                self._place = _TOUCHED
        elif place == _EMPTY:
            self._leave(False)
        elif place == _TAIL:  # the next card, or this one on its way back: B will tell
            self._place = _FOLLOWED
        elif place == _TOUCHED:
            self._place = _BLOCKED
            self._tell(ENTERED)

    def _leave(self, behind):
        self._place = _LEAVING
        self._behind = behind
        self.edge_us = self._rise[A]
        self._tell(EDGE)

    def _cleared(self, beam, length_us):
        place = self._place
        if beam == B:
            if place == _OUT:
                self._place = _LEAVING  # coming back
            elif place == _FOLLOWED:
                self._leave(True)
            elif place != _BLOCKED and place != _LEAVING:
                self._place = _EMPTY
        elif place == _LEAVING:
            self._place = _TOUCHED if self._level[B] else _EMPTY
            self._tell(BACK)
            if self._behind:
                self._tell(ENTERED)
            if length_us < SHORT_US:
                self._tell(SHORT)
        elif place == _OUT:
            self._place = _TAIL
            if length_us < SHORT_US:
                self._tell(SHORT)
            self._measure(length_us)
        elif place == _FOLLOWED:
            self._place = _TAIL
        if place == _BLOCKED and self.clear():
            self._place = _EMPTY
            self._tell(FREE)

    def _measure(self, length_us):
        """Length in distances of the two beams, times 32: the same at any speed."""
        if ticks.diff(self._rise[B], self._rise[A]) < GLITCH_US:
            return  # it lay there already when the beams were first looked at
        length = length_us * 32 // ticks.diff(self._rise[B], self._rise[A])
        if len(self._lengths) == SAMPLES:
            if length * 10 > sorted(self._lengths)[SAMPLES // 2] * 16:
                self._tell(DOUBLE)
                return
            self._lengths.pop(0)
        self._lengths.append(length)
