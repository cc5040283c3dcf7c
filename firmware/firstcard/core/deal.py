"""The order of the deal: whose card is the next one, and whose turn it is. Blackjack, dealer's left first.

Spots with a wager get a card each, then the dealer, then the spots again, then the dealer's hole card; a card beyond
that belongs to the active hand, and after the reveal to the dealer. Nothing here looks at the hole card before
`reveal`.
Source: design 8b ("Deal").
"""

from firstcard.core import cards, hands
from firstcard.core.settlement import dealer_draws

FIRST, UP, SECOND, HOLE, PLAY, WAIT, DRAW, DONE = range(8)
HAND_CARDS = 22  # the longest hand is 21 aces; one more only where a misread card hides a bust


class Hand:
    """The cards of one hand, in the order in which they came; `cards.UNKNOWN` is a misread one that has no name
    yet."""

    def __init__(self):
        self.cards = bytearray(HAND_CARDS)
        self.drawn = [0] * HAND_CARDS  # each card's number in the round
        self.clear()

    def clear(self):
        self.n = 0
        self.stood = False
        self.told = False  # its settle event is out

    def add(self, card, number):
        self.cards[self.n] = card
        self.drawn[self.n] = number
        self.n += 1

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

    def over(self):
        """Needs no further decision: stood, 21 or bust."""
        return self.stood or (self.n >= 2 and not self.unknown() and self.total() >= 21)


class Deal:
    """Cards of one round: a hand per spot that has a wager, and the dealer's."""

    def __init__(self, spots, profile):
        self.profile = profile
        self.hands = [Hand() for _ in range(spots)]
        self.dealer = Hand()
        self.order = bytearray(spots)
        self.reset()

    def reset(self):
        for h in self.hands:
            h.clear()
        self.dealer.clear()
        self.spots = 0  # entries of `order` in use
        self.phase = FIRST
        self.at = 0
        self.revealed = False
        self.count = 0  # cards that have left the shoe this round, burned ones too
        self.last_to = None  # taker of the last card, for `burn`; None where it cannot be taken back
        self.was = (FIRST, 0)

    def start(self, spots):
        """`spots` (0-based, from the dealer's left) take cards."""
        self.spots = 0
        for s in spots:
            self.order[self.spots] = s
            self.spots += 1

    def taker(self):
        """Who gets the next card: a 0-based spot, -1 the dealer, -2 nobody."""
        p = self.phase
        if not self.spots or p == WAIT or p == DONE:
            return -2
        to = self.order[self.at] if p == FIRST or p == SECOND or p == PLAY else -1
        return to if self.hand(to).n < HAND_CARDS else -2

    def hole_next(self):
        return self.phase == HOLE

    def add(self, card):
        """Give the next card to its taker and move on. Returns the taker as `taker` does."""
        to = self.taker()
        self.was = (self.phase, self.at)
        self.count += 1
        if to == -2:
            self.last_to = None
            return to
        self.hand(to).add(card, self.count)
        self.last_to = to
        p = self.phase
        if p == FIRST or p == SECOND:
            self.at += 1
            if self.at == self.spots:
                self.at = 0
                self.phase = p + 1
        elif p == UP:
            self.phase = SECOND
        elif p == HOLE:
            self.phase = PLAY
        self.settle_turn()
        return to

    def take_back(self):
        """The last card was a burn card: its hand gives it up and waits again. Returns True if that was possible."""
        to = self.last_to
        if to is None:
            return False
        self.hand(to).n -= 1
        self.phase, self.at = self.was
        self.last_to = None
        return True

    def settle_turn(self):
        """Pass over hands that need no decision; after the last one the dealer's reveal is awaited."""
        if self.phase == PLAY:
            while self.at < self.spots and self.hands[self.order[self.at]].over():
                self.at += 1
            if self.at == self.spots:
                self.phase = WAIT
        if self.phase == DRAW and not self.dealer.unknown() and not self.needs_card():
            self.phase = DONE

    def active(self):
        """The 0-based spot whose hand decides, or -1."""
        return self.order[self.at] if self.phase == PLAY else -1

    def stand(self):
        self.hands[self.order[self.at]].stood = True
        self.last_to = None
        self.settle_turn()

    def reveal(self):
        self.revealed = True
        self.phase = DRAW
        self.last_to = None
        self.settle_turn()

    def drop(self, spot):
        """The wager of this 0-based spot turned out not to count: its cards are void and it gets no more."""
        for i in range(self.spots):
            if self.order[i] == spot:
                for k in range(i, self.spots - 1):
                    self.order[k] = self.order[k + 1]
                self.spots -= 1
                if i < self.at:
                    self.at -= 1
                break
        self.hands[spot].clear()
        self.last_to = None
        if self.at == self.spots and self.phase in (FIRST, SECOND):
            self.at = 0
            self.phase += 1
        self.settle_turn()

    def needs_card(self):
        """Does the dealer draw? Only if a hand is left that the dealer's total could change."""
        d = self.dealer
        for i in range(self.spots):
            h = self.hands[self.order[i]]
            if not h.bust() and not hands.is_natural(h.cards, h.n, False):
                return dealer_draws(self.profile, d.seen())
        return False

    def oldest_misread(self):
        """(0-based spot or -1 for the dealer, place in the hand) of the misread card that was drawn first, or None."""
        found, number = None, 1 << 16
        for i in range(self.spots + 1):
            to = self.order[i] if i < self.spots else -1
            h = self.hand(to)
            k = h.misread()
            if k >= 0 and h.drawn[k] < number and (to >= 0 or k != 1 or self.revealed):  # not the hole card
                found, number = (to, k), h.drawn[k]
        return found

    def hand(self, to):
        """The hand of a taker: a 0-based spot, or -1 for the dealer."""
        return self.dealer if to < 0 else self.hands[to]
