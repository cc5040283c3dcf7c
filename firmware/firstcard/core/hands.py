"""Blackjack hands: totals of any sequence of card numbers (bytes, bytearray, list, tuple) and a count; the cards of one
hand on the table and what has become of it."""

from firstcard.core import cards

HAND_CARDS = 22  # the longest hand is 21 aces; one more only where a misread card hides a bust
NOBODY = None
UNTOLD = -1  # total of a hand with a card that could not be read: no rule may be applied to it


def total(hand, n=-1):
    """(best total, soft) of the first `n` cards (all without n).

    Aces count 11 while the total stays within 21, else 1; `soft` is True while one still counts 11. A hand with an
    unread card gives (UNTOLD, False).
    """
    best = 0
    elevens = 0
    for place in range(len(hand) if n < 0 else n):
        card = hand[place]
        if card >= cards.UNKNOWN:
            return UNTOLD, False
        best += cards.points(card)
        if card >= 48:  # an ace
            elevens += 1
    while best > 21 and elevens:
        best -= 10
        elevens -= 1
    return best, elevens > 0


def is_natural(hand, n=-1, split=False):
    """A blackjack: ace and a card of ten points as the first two, never in a hand that came from a split (IN-BJ R3)."""
    if split or (len(hand) if n < 0 else n) != 2:
        return False
    return total(hand, 2)[0] == 21


def is_bust(hand, n=-1):
    """Over 21. False while a card is unread."""
    return total(hand, n)[0] > 21


def split_refused(profile, hand, n, count, aces):
    """None if this hand may be split, else the parameter of the profile that says why not.

    hand, n: its cards; count: hands on this spot now; aces: it came from split aces. Any pair, two ten-counts where
    the profile says so (ND-41); at most `max_hands` a spot (ND-42); aces again only where it says so (ND-47).
    """
    if n != 2 or hand[0] >= cards.UNKNOWN:
        return "split_tens"
    if hand[0] >> 2 != hand[1] >> 2:
        if not (profile.split_tens and cards.points(hand[0]) == cards.points(hand[1]) == 10):
            return "split_tens"
    if count >= profile.max_hands:
        return "max_hands"
    return "resplit_aces" if aces and not profile.resplit_aces else None


def double_refused(profile, n, aces):
    """None if a hand of `n` cards may be doubled, else the parameter that says why not: the first two cards, not of
    split aces (ND-50)."""
    if n != 2:
        return "double"
    return "aces_one_card" if aces and profile.aces_one_card else None


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
        self.passed = -1
        if self.n < 2:
            self.stood = False  # on a card that it has no more
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
        return total(self.cards, self.n)[0]

    def bust(self):
        return not self.unknown() and self.total() > 21

    def natural(self, of_a_split=False):
        """`of_a_split`: do the rules call 21 in two cards of a split hand a natural too? (GCB R3)"""
        return not self.doubled and is_natural(self.cards, self.n, self.split and not of_a_split)

    def label(self):
        return "%d.%d" % (self.spot, self.number) if self.spot else "dealer"
