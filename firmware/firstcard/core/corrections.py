"""Cards of a blackjack round put right by people: misread ones named, wrongly attributed ones moved, burn cards told.

Source: design, "Operator serial protocol" (`card`) and 8a (keys); OTS-1 (BRN).
"""

from firstcard.core.deal import DONE, DRAW, PLAY, WAIT
from firstcard.core.hands import HAND_CARDS, NOBODY
from firstcard.core.refused import Refused
from firstcard.core.zone import WATCH


class Corrections:
    """Part of core.blackjack.Blackjack."""

    def name_card(self, card, spot, number):
        found = self.deal.oldest_misread()
        if spot is not None:
            h = self.hand(spot, number)
            found = (h, h.misread()) if h.misread() >= 0 and (h.spot or self.deal.revealed or not h.misread()) else None
        if not found:
            raise Refused(53)
        h, place = found
        h.cards[place] = card
        self.r.told_card(h.drawn[place], card, h.label())
        self.after()
        return found

    def unnamed(self, h, place):
        """A name has been taken back: the hand waits for the right one; insurance too, of which nobody was asked."""
        d = self.deal
        if h.spot:
            if d.phase == PLAY or d.phase == WAIT:
                d.phase = PLAY
                d.again(min(d.at, d.turns.index(h)))
        elif not place:
            self.asked = self.offered

    def hand(self, spot, number):
        """The hand with this label; spot 0 is the dealer. Raises Refused."""
        for h in self.deal.turns + [self.deal.dealer]:
            if h.spot == spot and h.number == number:
                return h
        raise Refused(59, spot)

    def move_card(self, number, spot, hand):
        d = self.deal
        to = self.hand(spot, hand)
        found = d.where(number)
        in_turn = spot and not d.dealt() and not found and d.taker() is to  # it lay aside, and `to` waits for a card
        late = d.phase == DONE
        if to.told or not (d.dealt() or in_turn) or self.r.window or self.r.voided or to.n == HAND_CARDS \
                or (late and not self.broke_last(to)):
            raise Refused(98, number)
        if found:
            h, place = found
            covered = not h.spot and place < 2 <= h.n and not d.revealed  # a hole card stays where it lies
            if covered or (late and h is to) or (h.doubled and d.phase > WAIT):
                raise Refused(98, number)
            if h.told:
                self.withdraw(h, number)
            card = h.take(place)[0]
        else:
            row = [c for c in d.aside if c[1] == number]
            if not row:
                raise Refused(99, number)
            d.aside.remove(row[0])
            card = row[0][0]
        to.add(card, number)
        d.last = NOBODY  # what lies last in a hand now need not be the last card
        if in_turn:
            d.taken()
        elif late:
            d.phase = DRAW
        else:
            if d.phase == WAIT:
                d.phase = PLAY
            d.at = 0
        self.r.moved_card(number, card, to.label())
        self.after()

    def broke_last(self, to):
        """The round is over: may a card go to `to` still? Only the one that broke the last hand, to the dealer, whose
        it was: nothing was compared with any card of the dealer's."""
        for h in self.deal.turns:
            if not h.bust():
                return False
        return to is self.deal.dealer and (to.n < 2 or self.p.hole_card)

    def withdraw(self, h, number):
        """The card that broke this hand was another's (nobody pressed `stand`): its loss is none, as long as all that
        was lost lies there still. Raises Refused."""
        r, main, tip = self.r, self.r.zone(h.spot), self.r.zone(h.spot, 1)
        bets = [(main, "main", main.value), (main, "double", h.doubled)]
        if h.number == 1:
            bets.append((tip, "tip", tip.paying and tip.done))
        for z, _, stake in bets:
            if not h.bust():
                raise Refused(98, number)
            if h.spot not in r.live or stake and (z.won or z.total(z.known)[0] < z.expected):
                raise Refused(131, number)
        h.told = False
        for z, bet, stake in bets:
            if stake:
                z.disown(stake)
                if not z.paying:
                    z.phase = WATCH
                r.stakes -= stake
                r.tell("settle-withdrawn", h.spot, h.number, bet, stake)
                if z is tip:
                    self.tipped[h.spot] = stake

    def face_down(self):
        """Does the next card stay face down?"""
        return self.deal.hole_next()

    def burn_card(self, card):
        """A card that nobody has got yet is a burn card."""
        self.deal.count += 1
        self.r.told_card(self.deal.count, None if self.face_down() else card, "burn")

    def burn(self):
        d, w = self.deal, self.r.window
        if w and (w.kind != "insurance" or [h for h in d.turns if h.told and h.natural()]):
            raise Refused(58)  # chips are being moved for these cards, or even money has been taken
        hole = d.dealer.n == 2 and d.last is d.dealer and not d.revealed
        card = d.take_back()
        if not card:
            raise Refused(58)
        self.r.moved_card(card[1], None if hole else card[0], "burn")
        if w:  # insurance waits for the card that takes its place
            self.asked = self.offered = False
            self.r.close_window()
