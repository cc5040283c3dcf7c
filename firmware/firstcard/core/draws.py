"""From signals of the shoe to cards: a beam crossing and the shoe's own frames make one card, once.

The wired edge and the shoe's EDG frame of one card come within PAIR_MS of each other, in either order. The card's
name (CRD) is due RESOLVE_MS after the first of them; without it the card is misread. Cards come out in the order in
which they left the shoe.
Source: OTS-1 rules (EDG without CRD in 300 ms is a misread; CRD without EDG is tampering).
"""

from firstcard.core.cards import UNKNOWN

PAIR_MS = 150
RESOLVE_MS = 300
NO_NUMBER = -1


class Draws:
    """`out` collects [card, mismatch] pairs for the caller, who empties it."""

    def __init__(self):
        self._open = []  # [ms, wired, number of the shoe]
        self._given_up = []  # numbers of cards that were taken as misread before their name came
        self.out = []

    def wired(self, ms):
        """A card has passed both beams."""
        for p in self._open:
            if not p[1] and ms - p[0] <= PAIR_MS:
                p[1] = True
                return
        self._open.append([ms, True, NO_NUMBER])

    def leaving(self, number, ms):
        """EDG: the shoe says that its card `number` starts to leave."""
        for p in self._open:
            if p[2] == NO_NUMBER and ms - p[0] <= PAIR_MS:
                p[2] = number
                return
        self._open.append([ms, False, number])

    def named(self, number, card):
        """CRD: the shoe names its card `number`. Cards that left before it and have no name yet are misread."""
        place = -1
        for i, p in enumerate(self._open):
            if p[2] == number or (place < 0 and p[2] == NO_NUMBER):
                place = i
            if p[2] == number:
                break
        if place < 0 and number in self._given_up:
            return  # it has been dealt as a misread card, and is named by hand
        for _ in range(place):
            self._give_up()
        if place >= 0:
            self._open.pop(0)
        self.out.append((card, place < 0))

    def tick(self, ms):
        """Give up waiting for names that are overdue."""
        while self._open and ms - self._open[0][0] > RESOLVE_MS:
            self._give_up()

    def returned(self, number):
        """RTN: card `number` went back into the mouth and is no card."""
        self._open = [p for p in self._open if p[2] != number]

    def _give_up(self):
        number = self._open.pop(0)[2]
        self._given_up = self._given_up[-7:] + [number]
        self.out.append((UNKNOWN, False))

    def due_ms(self, ms):
        """Milliseconds until the next name is overdue, or -1."""
        return max(0, RESOLVE_MS + 1 - (ms - self._open[0][0])) if self._open else -1

    def clear(self):
        self._open = []
        self._given_up = []
        self.out = []
