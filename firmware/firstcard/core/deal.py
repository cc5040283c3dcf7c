"""The order of a blackjack deal: whose card is the next one, and whose turn it is. Dealer's left first.

Spots with a wager get a card each, then the dealer, then the spots again, then the dealer's hole card; a card beyond
that belongs to the active hand, and after the reveal to the dealer. Without a hole card (`hole_card: false`) the dealer
takes the second card at the end. Nothing here looks at the hole card before `reveal`.
Source: design 8b ("Deal"); ND-44 (the right-hand hand is finished before the next gets its second card), ND-47.
"""

from firstcard.core.hands import HAND_CARDS, NOBODY, Hand, split_refused
from firstcard.core.settlement import dealer_draws

FIRST, UP, SECOND, HOLE, PLAY, WAIT, DRAW, DONE = range(8)


class Deal:
    """Cards of one round: the hands of every spot that has a wager, in playing order, and the dealer's."""

    def __init__(self, profile):
        self.profile = profile
        self.reset()

    def reset(self):
        self.turns = []
        self.dealer = Hand(0, 1)
        self.phase = FIRST
        self.at = 0
        self.revealed = not self.profile.hole_card  # no card of the dealer's lies face down (any more)
        self.count = 0  # cards that have left the shoe this round, burned ones too
        self.aside = []  # (card, number) that nobody took
        self.last = NOBODY  # the hand that took the last card, for `burn`
        self.insured = ()  # spots whose insurance waits for the dealer's second card
        self._was = (FIRST, 0)

    def start(self, spots):
        """The 1-based `spots`, from the dealer's left, take cards."""
        self.turns = [Hand(s, 1) for s in spots]

    def join(self, spot):
        """A spot whose wager counts after all takes the next card that falls to it in turn, and the one that it has
        missed when it becomes active. False if its second card's turn has passed too."""
        i = 0
        while i < len(self.turns) and self.turns[i].spot < spot:
            i += 1
        if self.phase > SECOND or (self.phase == SECOND and i < self.at):
            return False
        if self.phase == FIRST and i < self.at:
            self.at += 1
        self.turns.insert(i, Hand(spot, 1))
        return True

    def of_spot(self, spot):
        """Hands of a spot, in playing order."""
        return [h for h in self.turns if h.spot == spot]

    def taker(self):
        """The hand that gets the next card, or NOBODY."""
        p = self.phase
        if not self.turns or p == DONE or (p == WAIT and self.profile.hole_card):
            return NOBODY
        h = self.turns[self.at] if p == FIRST or p == SECOND or p == PLAY else self.dealer
        return h if h.n < HAND_CARDS else NOBODY

    def hole_next(self):
        return self.phase == HOLE

    def add(self, card):
        """Give the next card to its taker and move on. Returns the hand, or NOBODY: then the card lies aside."""
        h = self.taker()
        self._was = (self.phase, self.at)
        self.count += 1
        self.last = h
        if h is NOBODY:
            self.set_aside(card)
            return h
        h.add(card, self.count)
        self.taken()
        return h

    def taken(self):
        """The taker has its card: on to the next one."""
        p = self.phase
        if p == FIRST or p == SECOND:
            self.at += 1
            if self.at == len(self.turns):
                self._next_phase()
        elif p == UP:
            self.phase = SECOND
        elif p == HOLE:
            self.phase = PLAY
        elif p == WAIT:
            self.phase = DRAW
        self.settle_turn()

    def set_aside(self, card):
        self.aside.append((card, self.count))
        self.last = NOBODY

    def _next_phase(self):
        self.at = 0
        self.phase += 1
        if self.phase == HOLE and not self.profile.hole_card:
            self.phase = PLAY

    def take_back(self):
        """The last card was a burn card: its hand gives it up and waits again. Returns (card, number), or None."""
        h = self.last
        if h is NOBODY or h.told or self.phase == DONE:
            return None
        card = h.take(h.n - 1)
        self.phase = self._was[0]
        self.again(self._was[1])
        self.last = NOBODY
        return card

    def dealt(self):
        """Has every hand its first cards?"""
        return self.phase >= PLAY

    def over(self, h):
        """Needs this hand no further decision?"""
        if h.told:
            return True
        if h.n < 2 or h.unknown():
            return False
        if h.stood:
            return True
        if h.doubled:
            return h.n > 2
        if h.ace and self.split_refused(h):  # ND-47: one card each, another ace decides
            return True
        return h.total() >= 21

    def settle_turn(self):
        """Pass over hands that need no decision; after the last one the dealer's reveal is awaited."""
        if self.phase == PLAY:
            while self.at < len(self.turns) and self.over(self.turns[self.at]):
                h = self.turns[self.at]
                if h.passed < 0:
                    h.passed = self.count
                self.at += 1
            if self.at == len(self.turns):
                self.phase = WAIT
        if self.phase == WAIT and not self.profile.hole_card:
            if not self._matters():
                self.phase = DONE
            elif self.dealer.n > 1:  # the second card has been moved to the dealer
                self.phase = DRAW
        if self.phase == DRAW and not self.oldest_misread() and not self.needs_card():
            self.phase = DONE

    def active(self):
        """The hand that decides, or NOBODY."""
        return self.turns[self.at] if self.phase == PLAY else NOBODY

    def stand(self):
        self.turns[self.at].stood = True
        self.last = NOBODY
        self.settle_turn()

    def unstand(self, h):
        """Take a `stand` back: the hand decides again."""
        h.stood = False
        self.phase = PLAY
        self.again(self.turns.index(h))

    def again(self, at):
        """It is the turn of the hand at this place, and those behind it have theirs anew."""
        self.at = at
        for h in self.turns[at:]:
            h.passed = -1

    def double(self, h, cents):
        """The double of `h` is confirmed: exactly one more card (ND-53)."""
        h.doubled = cents
        self.last = NOBODY
        self.unstand(h)

    def split_refused(self, h):
        """None if the hand may be split, else the parameter of the profile that says why not."""
        return split_refused(self.profile, h.cards, h.n, len(self.of_spot(h.spot)), h.ace)

    def split(self, h):
        """The second card becomes the first of a new hand that plays directly after this one. Returns the new hand."""
        new = Hand(h.spot, len(self.of_spot(h.spot)) + 1)
        new.add(*h.take(1))
        h.split = new.split = True
        h.ace = new.ace = h.cards[0] >> 2 == 12
        h.prompted = False
        self.turns.insert(self.turns.index(h) + 1, new)  # ND-44: after the hand that it came from
        self.last = NOBODY
        return new

    def reveal(self):
        self.revealed = True
        self.phase = DRAW
        self.last = NOBODY
        self.settle_turn()

    def drop(self, spot):
        """The wager of this spot turned out not to count: its cards are void and it gets no more."""
        for h in self.of_spot(spot):
            i = self.turns.index(h)
            self.turns.remove(h)
            if i < self.at:
                self.at -= 1
        self.last = NOBODY
        if self.at == len(self.turns) and self.phase in (FIRST, SECOND):
            self._next_phase()
        self.settle_turn()

    def _matters(self):
        """Is a hand or an insurance left that the dealer's cards could still change?"""
        if self.insured:
            return True
        for h in self.turns:
            if not h.told and not h.bust():
                return True
        return False

    def needs_card(self):
        """Does the dealer draw? Only if a hand is left that the dealer's total could change; against naturals only the
        first two cards count."""
        d = self.dealer
        if d.n < 2:
            return self._matters()
        for h in self.turns:
            if not h.told and not h.bust() and not h.natural(self.profile.split_natural):
                return dealer_draws(self.profile, d.seen())
        return False

    def oldest_misread(self):
        """(hand, place) of the misread card that was drawn first and is not the hole card, or None."""
        found = None
        for h in self.turns + [self.dealer]:
            k = h.misread()
            if k == 1 and not h.spot and not self.revealed:
                continue
            if k >= 0 and (not found or h.drawn[k] < found[0].drawn[found[1]]):
                found = (h, k)
        return found

    def where(self, number):
        """(hand, place) of the card with this number, or None; a card that lies aside has no hand."""
        for h in self.turns + [self.dealer]:
            for k in range(h.n):
                if h.drawn[k] == number:
                    return h, k
        return None
