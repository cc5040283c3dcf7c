"""From signals of the shoe to cards: the edge at the light beam and the shoe's own frames make one card, once.

They belong to one card if they come within PAIR_MS of each other, in either order; up to RESOLVE_MS they are still one
card, but beam and shoe disagree. The card's name (CRD) is due RESOLVE_MS after the first of them; without it the card
is misread. Cards come out in the order in which they left the shoe; one that is to stay face down comes out RESOLVE_MS
after it left, however soon it was read, so that not even its time tells anything.
Source: OTS-1 rules (EDG without CRD in 300 ms is a misread; CRD without EDG is tampering; more than 150 ms apart is an
alarm); design, "The round" (hole).
"""

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

    def coming(self):
        """How many cards are on their way and have not gone back."""
        n = 0
        for row in self._rows:
            if not row[GONE]:
                n += 1
        return n
