"""One hand: its cards in the order in which they came, and what has become of it."""

from firstcard.core import cards, hands

HAND_CARDS = 22  # the longest hand is 21 aces; one more only where a misread card hides a bust
NOBODY = None


class Hand:
    """The cards of one hand in the order in which they came; `cards.UNKNOWN` is a misread one without a name yet.

    `spot` is 1-based, 0 for the dealer; `number` counts the hands of a spot from 1 and never changes."""

    def __init__(self, spot, number):
        self.spot = spot
        self.number = number
        self.cards = bytearray(HAND_CARDS)
        self.drawn = [0] * HAND_CARDS  # each card's number in the round
        self.n = 0
        self.split = False  # came from a split, or was split
        self.ace = False  # a split ace: one card
        self.doubled = 0  # cents of the confirmed double
        self.stood = False
        self.told = False  # its main settlement is out
        self.prompted = False
        self.passed = -1  # cards of the round when it was passed over as a natural

    def add(self, card, number):
        self.cards[self.n] = card
        self.drawn[self.n] = number
        self.n += 1

    def take(self, place):
        """Remove the card at `place` and return (card, number)."""
        card, number = self.cards[place], self.drawn[place]
        for i in range(place, self.n - 1):
            self.cards[i], self.drawn[i] = self.cards[i + 1], self.drawn[i + 1]
        self.n -= 1
        return card, number

    def seen(self):
        """The cards of the hand, as bytes."""
        return bytes(self.cards[: self.n])

    def misread(self):
        """Place of the first misread card in this hand, or -1."""
        for i in range(self.n):
            if self.cards[i] == cards.UNKNOWN:
                return i
        return -1

    def unknown(self):
        return self.misread() >= 0

    def total(self):
        return hands.total(self.cards, self.n)[0]

    def bust(self):
        return not self.unknown() and self.total() > 21

    def natural(self, of_a_split=False):
        """`of_a_split`: do the rules call 21 in two cards of a split hand a natural too? (GCB R3)"""
        return not self.doubled and hands.is_natural(self.cards, self.n, self.split and not of_a_split)

    def label(self):
        return "%d.%d" % (self.spot, self.number) if self.spot else "dealer"
