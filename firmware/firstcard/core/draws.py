"""From signals of the shoe to cards: a beam crossing and the shoe's own frames make one card, once.

The wired edge and the shoe's EDG frame of one card come within PAIR_MS of each other, in either order. The card's
name (CRD) is due RESOLVE_MS after the first of them; without it the card is misread. Cards come out in the order in
which they left the shoe; one that is to stay face down comes out RESOLVE_MS after it left, however soon it was read, so
that not even its time tells anything.
Source: OTS-1 rules (EDG without CRD in 300 ms is a misread; CRD without EDG is tampering); design, "The round" (hole).
"""

from firstcard.core.cards import UNKNOWN

PAIR_MS = 150
RESOLVE_MS = 300
NO_NUMBER = -1
MEMORY = 8  # numbers of cards without a name that are remembered

# A card on its way: columns
MS, WIRED, NUMBER, CARD, MISMATCH, BURN = range(6)


class Draws:
    """Cards on their way, oldest first; `next` takes the first one that is ready."""

    def __init__(self):
        self._rows = []  # [ms, wired, number of the shoe, card or None, mismatch, burn]
        self._given_up = []  # numbers of cards that were taken as misread before their name came
        self.number = NO_NUMBER  # the shoe's number of the card that `next` took last

    def wired(self, ms):
        """A card has passed both beams."""
        for row in self._rows:
            if not row[WIRED] and ms - row[MS] <= PAIR_MS:
                row[WIRED] = True
                return
        self._rows.append([ms, True, NO_NUMBER, None, False, False])

    def leaving(self, number, ms):
        """EDG: the shoe says that its card `number` starts to leave."""
        for row in self._rows:
            if row[NUMBER] == NO_NUMBER and ms - row[MS] <= PAIR_MS:
                row[NUMBER] = number
                return
        self._rows.append([ms, False, number, None, False, False])

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
                self._rows.append([ms, False, number, card, True, False])
            return
        for row in self._rows[:place]:
            self._give_up(row)
        self._rows[place][CARD] = card
        self._rows[place][NUMBER] = number

    def returned(self, number):
        """RTN: card `number` went back into the mouth and is no card."""
        self._rows = [row for row in self._rows if row[NUMBER] != number]

    def burned(self, number):
        """BRN: the dealer marked card `number` as a burn card. False if it is not on its way any more."""
        for row in self._rows:
            if row[NUMBER] == number:
                row[BURN] = True
                return True
        return False

    def _give_up(self, row):
        if row[CARD] is None:
            row[CARD] = UNKNOWN
            self._given_up = self._given_up[1 - MEMORY :] + [row[NUMBER]]

    def next(self, ms, face_down):
        """The next card that is ready as (card, mismatch, burn), or None."""
        if not self._rows:
            return None
        row = self._rows[0]
        late = ms - row[MS] > RESOLVE_MS
        if late:
            self._give_up(row)
        if row[CARD] is None or (face_down and not late):
            return None
        self._rows.pop(0)
        self.number = row[NUMBER]
        return row[CARD], row[MISMATCH], row[BURN]

    def waiting(self):
        """Is a card on its way?"""
        return bool(self._rows)
