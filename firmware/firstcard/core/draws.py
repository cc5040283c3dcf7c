"""From signals of the shoe to cards: two light beams and the shoe's own frames make one card, once.

Mouth tells from the two beams what moves there. Draws puts a card's wired edge and its frames together: they belong to
one card if they come within PAIR_MS of each other, in either order; up to RESOLVE_MS they are still one card, but beam
and shoe disagree. The card's name (CRD) is due RESOLVE_MS after the first of them; without it the card is misread.
Cards come out in the order in which they left the shoe; one that is to stay face down comes out RESOLVE_MS after it
left, however soon it was read, so that not even its time tells anything.
Source: OTS-1 rules (EDG without CRD in 300 ms is a misread; CRD without EDG is tampering; 150 ms), card-edge timing of
slotted sensors; design, "The round" (hole).
"""

from firstcard.core import ticks
from firstcard.core.cards import UNKNOWN

PAIR_MS = 150
RESOLVE_MS = 300
NO_NUMBER = -1
MEMORY = 8  # numbers of cards without a name that are remembered
MOST = 8  # cards on their way at once: more than hands can draw in RESOLVE_MS

# A card on its way: columns
MS, WIRED, NUMBER, CARD, MISMATCH, BURN, GONE = range(7)
BY_BEAM, BY_SHOE = 1, 2  # GONE: who says that it went back into the shoe


class Draws:
    """Cards on their way, oldest first; `next` takes the first one that is ready.

    `number`: the shoe's number of the card that `next` took last. `hold`: the newest card is still between the beams.
    `full`: more cards than MOST at once; the oldest was given up for the newest.
    """

    def __init__(self):
        self._rows = []  # [ms, wired, number of the shoe, card or None, mismatch, burn, gone]
        self._given_up = []  # numbers of cards that were taken as misread before their name came
        self.number = NO_NUMBER
        self.hold = self.full = False
        self._unseen_ms = -1  # of a card that was handed over and that no beam has seen yet

    def _add(self, ms, wired, number, card=None, mismatch=False):
        self._rows.append([ms, wired, number, card, mismatch, False, 0])
        if len(self._rows) > MOST:
            self.full = True
            self._rows[0][MS] = -1000  # it comes out now, misread if it has no name
            self.hold = False

    def _nearest(self, column, empty, ms):
        """The card nearest to `ms` that lacks what is in `column`, at most RESOLVE_MS away; None. Marks a mismatch."""
        best = None
        for row in self._rows:
            if row[column] == empty and (best is None or abs(ms - row[MS]) < abs(ms - best[MS])):
                best = row
        if best is None or abs(ms - best[MS]) > RESOLVE_MS:
            return None
        if abs(ms - best[MS]) > PAIR_MS:
            best[MISMATCH] = True
        best[MS] = min(ms, best[MS])  # the edge itself, if the frame was heard before it
        return best

    def wired(self, ms):
        """A card's edge was at the first beam at `ms`. True = it comes too late for a card that is already dealt."""
        row = self._nearest(WIRED, False, ms)
        if row:
            row[WIRED] = True
            return False
        apart = abs(ms - self._unseen_ms)
        if self._unseen_ms >= 0 and apart <= RESOLVE_MS:
            self._unseen_ms = -1
            return apart > PAIR_MS
        self._add(ms, True, NO_NUMBER)
        return False

    def back(self):
        """The card between the beams went back into the shoe. False if it is not on its way: it has been dealt."""
        row = self._rows[-1] if self._rows else None
        if not row or not row[WIRED] or row[GONE] & BY_BEAM:
            return False
        row[GONE] |= BY_BEAM
        return True

    def leaving(self, number, ms):
        """EDG: the shoe says that its card `number` starts to leave."""
        row = self._nearest(NUMBER, NO_NUMBER, ms)
        if row:
            row[NUMBER] = number
        else:
            self._add(ms, False, number)

    def named(self, number, card, ms):
        """CRD: the shoe names its card `number`. Cards that left before it and have no name yet are misread."""
        place = -1
        for i, row in enumerate(self._rows):
            if row[CARD] is None and (row[NUMBER] == number or (place < 0 and row[NUMBER] == NO_NUMBER)):
                place = i
            if row[NUMBER] == number:
                break
        if place < 0:
            if number not in self._given_up:  # else it was dealt as a misread card, and is named by hand
                self._add(ms, False, number, card, True)
            return
        for row in self._rows[:place]:
            self._give_up(row)
        row = self._rows[place]
        row[CARD] = card
        row[NUMBER] = number
        if row[GONE]:  # who reads a card has it outside: somebody is wrong
            row[GONE] = 0
            row[MISMATCH] = True

    def returned(self, number):
        """RTN: card `number` went back into the mouth. False if it has been dealt."""
        for row in self._rows:
            if row[NUMBER] == number:
                row[GONE] |= BY_SHOE
                return True
        return number > self.number

    def burned(self, number):
        """BRN: the dealer marked card `number` as a burn card. False if it is not on its way any more."""
        for row in self._rows:
            if row[NUMBER] == number:
                row[BURN] = True
                return True
        return False

    def renumber(self):
        """The shoe counts anew: what it has said so far is of no use for what comes."""
        for row in self._rows:
            row[NUMBER] = NO_NUMBER
        self._given_up = []
        self.number = NO_NUMBER

    def _give_up(self, row):
        if row[CARD] is None:
            row[CARD] = UNKNOWN
            self._given_up = self._given_up[1 - MEMORY :] + [row[NUMBER]]

    def next(self, ms, face_down):
        """The next card that is ready as (card, mismatch, burn), or None."""
        while self._rows:
            row = self._rows[0]
            late = ms - row[MS] > RESOLVE_MS and not (self.hold and row is self._rows[-1])
            if late:
                self._give_up(row)
            if row[CARD] is None or (face_down and not late):
                return None
            self._rows.pop(0)
            if row[GONE] & BY_BEAM or (row[GONE] and not row[WIRED]):
                continue  # no card
            self.number = row[NUMBER]
            if not row[WIRED] and not row[MISMATCH]:
                self._unseen_ms = row[MS]
            # the beams saw it leave and the shoe says that it went back: it counts, and they disagree
            return row[CARD], row[MISMATCH] or row[GONE] > 0, row[BURN]
        return None

    def unseen(self, ms):
        """True once for a card that was dealt and that the beams should have seen by now."""
        if self._unseen_ms < 0 or ms - self._unseen_ms <= RESOLVE_MS:
            return False
        self._unseen_ms = -1
        return True

    def waiting(self):
        """Is a card on its way?"""
        return bool(self._rows)


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
        length = length_us * 32 // max(1, ticks.diff(self._rise[B], self._rise[A]))
        if len(self._lengths) == SAMPLES:
            if length * 10 > sorted(self._lengths)[SAMPLES // 2] * 16:
                self._tell(DOUBLE)
                return
            self._lengths.pop(0)
        self._lengths.append(length)
