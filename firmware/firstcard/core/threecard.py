"""Three card poker on top of core.round: ante, three cards each, play or fold, the dealer's hand.

Cards go one at a time round the table, or three at a time (`packets`), then three to the dealer, face down until the
reveal. The line opens with the dealer's third card. Sources: design 8b; 68 IAC 10-11-6 (IN-TCP-01 ... -14).
"""

from firstcard.core import cards
from firstcard.core.hands import NOBODY, Hand
from firstcard.core.poker import settle
from firstcard.core.refused import Refused

CARDS = 3


class ThreeCard:
    def __init__(self, round_):
        self.r = round_
        self.p = round_.profile
        self.reset()

    def reset(self):
        self.turns = []
        self.dealer = Hand(0, 1)
        self.count = 0
        self.aside = []
        self.last = NOBODY
        self.revealed = False
        self.plays = {}  # spot -> cents of its confirmed play bet
        self.asking = []  # spots whose `play` waits for two equal readings

    def begin(self, spots):
        self.turns = [Hand(s, 1) for s in spots]

    def late_kind(self, zone):
        if zone.kind == 2:
            return "early-line" if self.dealer.n < CARDS else "late-line"
        return "late-tip" if zone.kind else "late-bet"

    def early_kind(self, zone):
        return "early-line"

    def taker(self):
        if not self.turns or self.dealer.n == CARDS:
            return NOBODY
        fewest = self.turns[0] if self.p.packets else min(self.turns, key=lambda h: h.n)
        for h in self.turns:
            if h.n < CARDS and (self.p.packets or h.n == fewest.n):
                return h
        return self.dealer

    def card(self, card):
        h = self.taker()
        self.count += 1
        self.last = h
        if h is NOBODY:
            self.aside.append((card, self.count))
            self.r.told_card(self.count, card, "burn")
            self.r.alarm("no-taker" if self.turns else "no-wager-card")
            return
        h.add(card, self.count)
        self.r.told_card(self.count, card if h.spot else None, h.label())
        if card == cards.UNKNOWN and h.spot:
            self.r.prompt("card", h.spot)
        self.after()

    def after(self):
        r = self.r
        spots = self.open_spots()
        if self.dealer.n == CARDS and not r.window and not self.revealed and spots:
            r.open_window("play", 0, None, [r.zone(s, 2) for s in spots if not r.in_question(s)])
            r.undo = None
            for s in spots:
                r.prompt("play", s)
        elif self.revealed and not r.window and not self.unread():
            r.last_card()

    def open_spots(self):
        """Spots that have neither played nor folded."""
        return [h.spot for h in self.turns if not h.told and h.spot not in self.plays]

    def unread(self):
        """Is a card that counts still without a name?"""
        return any([not h.told and h.unknown() for h in self.turns + [self.dealer]])

    def name_card(self, card, spot, number):
        for h in self.turns + [self.dealer]:
            place = h.misread()
            if place >= 0 and (h.spot or self.revealed) and (spot is None or h.spot == spot):
                h.cards[place] = card
                self.r.told_card(h.drawn[place], card, h.label())
                self.after()
                return h, place
        raise Refused(53)

    def unnamed(self, h, place):
        pass

    def move_card(self, number, spot, hand):
        raise Refused(98, number)  # in this game a wrong card is a misdeal

    def face_down(self):
        """Does the next card stay face down?"""
        return self.taker() is self.dealer

    def card_of(self, number):
        """The card with this number, though it may lie face down. For the journal's commitment only."""
        d = self.dealer
        for i in range(d.n):
            if d.drawn[i] == number:
                return d.cards[i]
        return None

    def restarted(self, window):
        """The power went while this window was open: it opens again, and who had asked asks again."""
        self.asking = []

    def burn_card(self, card):
        """A card that nobody has got yet is a burn card."""
        self.count += 1
        self.r.told_card(self.count, None if self.face_down() else card, "burn")

    def burn(self):
        h, w = self.last, self.r.window
        if h is NOBODY or h.told or self.revealed:
            raise Refused(58)
        if w and (w.kind != "play" or self.asking or len(self.open_spots()) < len(self.turns)):
            raise Refused(58)  # a spot has decided
        card, number = h.take(h.n - 1)
        self.last = NOBODY
        self.r.moved_card(number, card if h.spot else None, "burn")
        if w:  # it opens again with the card that takes this one's place
            self.r.close_window()

    # keys

    def stand(self, spot):
        raise Refused(54)

    def reveal(self):
        if self.dealer.n < CARDS or self.open_spots():
            raise Refused(57)
        self.revealed = True
        d = self.dealer
        for i in range(CARDS):
            self.r.told_card(d.drawn[i], d.cards[i], "dealer")
        if d.unknown():
            self.r.prompt("card")
        self.after()

    def key(self, name, spot, amount, by):
        if name not in ("play", "fold"):
            raise Refused(80, name, "game")
        if not spot:
            raise Refused(22, name, name)
        if not self.r.window:
            raise Refused(54)
        if self.r.window.kind != "play":  # a spot's chips are being changed: that first
            self.r.window_first()
        if spot not in self.open_spots():
            raise Refused(59, spot)
        h = self.hand(spot)
        if self.r.in_question(spot):
            raise Refused(67, spot)
        if name == "play":
            if spot not in self.asking:
                self.asking.append(spot)
                self.r.zone(spot, 2).sweeps = 0
        else:
            if h.n < CARDS:
                raise Refused(57)
            self.fold(h)

    def hand(self, spot):
        for h in self.turns:
            if h.spot == spot:
                return h
        raise Refused(59, spot)

    def fold(self, h):
        r = self.r
        ante = r.zone(h.spot).value
        r.prompt("fold-cards", h.spot)  # IN-TCP-04
        r.tell("extra", "fold", h.spot, 1, ante)
        if h.spot in self.asking:
            self.asking.remove(h.spot)
        h.told = True
        self.pay(h, 0)  # IN-TCP-03: out of the hand
        self.done(h.spot, False, 0)

    def done(self, spot, accepted, cents):
        """This spot has decided; after the last one the window closes."""
        r = self.r
        for row in list(r.window.bases):
            if row[0].spot == spot:
                row[0].close_window(accepted, cents)
                r.window.bases.remove(row)
        if not self.open_spots():
            r.close_window()

    def window_moves(self, window):
        if window.kind != "play":
            return
        r = self.r
        for z, base in list(window.bases):
            if z.spot not in self.asking:
                continue
            z.sweeps += 1
            if not z.certain():
                continue
            self.asking.remove(z.spot)
            cents, ante = r.laid(z) - base, r.zone(z.spot).value
            if cents != ante:
                r.prompt("amount", z.spot, cents - ante)  # IN-TCP-02: exactly the ante
                continue
            self.plays[z.spot] = cents
            r.tell("extra", "play", z.spot, 1, cents)
            self.done(z.spot, True, cents)

    def wrong_amount(self, window, moved):
        return 0

    # settlement

    def pay(self, h, play):
        ante = self.r.zone(h.spot).value
        for line in settle(self.p, ante, play, h.seen(), self.dealer.seen()):
            self.r.pay(h.spot, 1, *line)

    def settle_all(self):
        for h in self.turns:
            if not h.told and not self.r.in_question(h.spot):
                h.told = True
                self.pay(h, self.plays[h.spot])

    def told(self, spot):
        return self.hand(spot).told and not self.r.in_question(spot)

    def void(self, spot):
        h = self.hand(spot)
        h.told = True
        r = self.r
        for bet, cents in (("ante", r.zone(spot).value), ("play", self.plays.get(spot, 0))):
            if cents:
                r.pay(spot, 1, bet, "void", cents, cents, 0, "player")

    def drop(self, spot):
        self.turns = [h for h in self.turns if h.spot != spot]
        if self.r.window and self.r.window.kind == "play":
            self.done(spot, False, 0)

    def decided(self, zone):
        r = self.r
        if r.window and r.window.kind == "play" and zone.spot in self.open_spots() and not r.in_question(zone.spot):
            r.window.join(r.zone(zone.spot, 2))
        if self.revealed and not self.unread():
            self.settle_all()
        else:
            self.after()

    def supervisor_confirm(self, spot, by):
        return False

    # for people

    def describe(self):
        rows = [(h.label(), [cards.name(c) for c in h.seen()]) for h in self.turns]
        return rows + [("dealer", [cards.name(c) if self.revealed else "**" for c in self.dealer.seen()])]
