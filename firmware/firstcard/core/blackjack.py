"""Blackjack on top of core.round: whose card, whose turn, prompts, and the order of the settlement.

Sources: design 8b; ND-40 ... ND-48, IN-BJ-03 ... -08, GCB-02 ... -05.
"""

from firstcard.core import cards, hands
from firstcard.core.corrections import Corrections
from firstcard.core.deal import DONE, PLAY, WAIT, Deal
from firstcard.core.extras import Extras, is_ace
from firstcard.core.hands import NOBODY
from firstcard.core.refused import Refused
from firstcard.core.settlement import hand, insurance


class Blackjack(Extras, Corrections):
    def __init__(self, round_):
        self.r = round_
        self.p = round_.profile
        self.deal = Deal(self.p)
        self.reset()

    def reset(self):
        self.deal.reset()
        self.insured = self.deal.insured = {}  # spot -> cents of its confirmed insurance that are not settled yet
        self.asked = False  # insurance was considered in this round
        self.offered = False  # and its window has been opened
        self.peeked = False  # the dealer has looked and has a natural
        self.tipped = {}  # spot -> cents of its tip that are not settled yet

    def begin(self, spots):
        self.deal.start(spots)
        for s in spots:
            cents = self.r.zone(s, 1).value
            if cents:
                self.tipped[s] = cents

    def late_kind(self, zone):
        """Alarm for chips on a zone that was empty at the lock."""
        if zone.kind == 2:
            if self.offered:
                return "late-line"  # ND-36
            d = self.deal.dealer  # with an ace up the line will open, and these chips are too early (ND-14)
            return "early-line" if self.p.insurance and d.n and is_ace(d.cards[0]) else "no-window-line"
        return "late-tip" if zone.kind else "late-bet"

    def early_kind(self, zone):
        return "no-window-line"

    # cards

    def card(self, card):
        d, r = self.deal, self.r
        if r.window:  # a window is open: nobody may take a card
            d.count += 1
            d.set_aside(card)
            h = NOBODY
        else:
            hole = d.hole_next()
            h = d.add(card)
        if h is NOBODY:
            r.told_card(d.count, card, "burn")
            r.alarm("no-taker" if d.turns else "no-wager-card")
            return
        r.told_card(d.count, None if hole else card, h.label())
        if card == cards.UNKNOWN and not hole:
            r.prompt("card", h.spot or None)
        self.after()

    def after(self):
        """What follows from the cards as they lie: busts are settled, insurance is offered, the next hand is asked."""
        d, r = self.deal, self.r
        for h in d.turns:
            if not h.told and h.bust() and not r.in_question(h.spot):
                self.settle_hand(h)
        d.settle_turn()
        if d.phase in (PLAY, WAIT) and not self.asked:
            self.offer_insurance()
        self.turn()
        if d.phase == DONE and not r.window:  # a window is closed first
            r.last_card()

    def turn(self):
        """Prompt the active hand once, when it has two cards (ND-40, ND-54)."""
        h = self.deal.active()
        if self.r.window or h is NOBODY or h.prompted or h.n != 2 or h.unknown():
            return
        h.prompted = True
        if not self.deal.split_refused(h):
            self.r.prompt("split", h.spot)
        if not hands.double_refused(self.p, h.n, h.ace):
            self.r.prompt("double", h.spot)

    def card_of(self, number):
        """The card with this number, though it may lie face down. For the journal's commitment only."""
        found = self.deal.where(number)
        return found[0].cards[found[1]] if found else None

    def restarted(self, window):
        """The power went while this window was open: insurance is offered again, unless it has been decided on."""
        if window.kind == "insurance" and not [h for h in self.deal.turns if h.told and h.natural()]:
            self.asked = self.offered = False

    # keys

    def stand(self, spot):
        h = self.my_turn(spot)
        if h.n < 2:
            raise Refused(93, h.spot)  # ND-45: it takes a card first
        if h.doubled:
            raise Refused(107, h.spot)  # ND-53: exactly one more card
        self.deal.stand()
        self.r.undo = lambda: self.unstand(h)
        self.after()

    def unstand(self, h):
        if self.deal.phase > WAIT:
            raise Refused(91)
        self.deal.unstand(h)

    def my_turn(self, spot):
        """The active hand, if it is of this spot (0: whichever). Raises Refused."""
        h = self.deal.active()
        if h is NOBODY:
            raise Refused(54)
        if spot and spot != h.spot:
            raise Refused(55, h.spot)
        if h.unknown():
            raise Refused(56, h.spot)
        return h

    def reveal(self):
        d, r = self.deal, self.r
        h = d.active()
        if h is not NOBODY and not self.peeked:
            raise Refused(55, h.spot)
        if (d.phase != WAIT and not self.peeked) or not self.p.hole_card or r.window:
            raise Refused(57)
        d.reveal()
        hole = d.dealer.cards[1]
        r.told_card(d.dealer.drawn[1], hole, "dealer")
        if hole == cards.UNKNOWN:
            r.prompt("card")
        self.after()

    # settlement

    def settle_hand(self, h):
        """Main and double of one hand, and what rides on hand 1; insurance waits for the dealer's second card."""
        spot, insured, tipped = h.spot, 0, 0
        if h.number == 1:
            insured = self.insured.pop(spot, 0) if self.deal.phase == DONE else 0
            tipped = self.tipped.pop(spot, 0)
        stakes = (self.r.zone(spot).value, h.doubled, insured, tipped)
        self.pay(h, hand(self.p, stakes, h.seen(), h.split, self.deal.dealer.seen()))

    def pay(self, h, lines):
        """Tell the settlement lines of a hand."""
        h.told = True
        for line in lines:
            self.r.pay(h.spot, h.number, *line)

    def settle_all(self):
        """After the dealer's last card: all that is not told yet, in the order spot, hand, bet."""
        for spot in list(self.r.live):
            if self.r.in_question(spot):
                continue
            for h in sorted(self.deal.of_spot(spot), key=_number):
                if not h.told:
                    self.settle_hand(h)
                elif h.number == 1 and spot in self.insured:
                    self.pay(h, [insurance(self.insured.pop(spot), self.deal.dealer.seen())])

    def told(self, spot):
        """Has every bet of this spot its settlement?"""
        if spot in self.insured or self.r.in_question(spot):
            return False
        for h in self.deal.of_spot(spot):
            if not h.told:
                return False
        return True

    def void(self, spot):
        """Every bet that is not settled goes back."""
        stake = self.r.zone(spot).value
        for h in sorted(self.deal.of_spot(spot), key=_number):
            bets = [("main", stake), ("double", h.doubled)] if not h.told else []
            if h.number == 1:
                bets += [("insurance", self.insured.pop(spot, 0)), ("tip", self.tipped.pop(spot, 0))]
            self.pay(h, [(bet, "void", cents, cents, 0, "player") for bet, cents in bets if cents])

    def drop(self, spot):
        self.deal.drop(spot)
        self.tipped.pop(spot, None)

    def decided(self, zone):
        """An unsettled zone has been decided: go on, or settle its spot if the dealer is done."""
        spot, w = zone.spot, self.r.window
        if zone.kind == 1:
            self.tipped[spot] = zone.value
            if not zone.value:
                del self.tipped[spot]
        if w and w.kind == "insurance" and spot in self.r.live and not self.r.in_question(spot):
            w.join(self.r.zone(spot, 2))
        if self.deal.phase == DONE:
            self.settle_all()
        else:
            self.after()

    def supervisor_confirm(self, spot, by):
        """An over-maximum bet is valued at the maximum, before its second card (IN-BJ R5)."""
        if not spot or self.p.clamp_over or spot in self.r.live:
            return False
        z, r = self.r.zone(spot), self.r
        if z.value or z.unsettled or not r.frozen or z.locked_sum <= r.limits.max or z.total(z.locked)[1]:
            return False
        if not self.deal.join(spot):
            raise Refused(101, spot)
        z.value = z.expected = r.limits.max
        z.tolerated = None
        r.live.append(spot)
        r.live.sort()
        r.tell("bet", spot, "main", z.locked_sum, z.value, z.locked_sum - z.value, "over", len(z.locked) // 8)
        r.prompt("return-excess", spot, z.locked_sum - z.value)
        return True

    # for people

    def describe(self):
        """(label, codes) of every hand; the hole card stays `**` until it is revealed."""
        rows = [(h.label(), [cards.name(c) for c in h.seen()]) for h in self.deal.turns]
        codes = [cards.name(c) for c in self.deal.dealer.seen()]
        if len(codes) > 1 and not self.deal.revealed:
            codes[1] = "**"
        return rows + [("dealer", codes)]


def _number(hand):
    return hand.number
