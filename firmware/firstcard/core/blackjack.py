"""Blackjack on top of core.round: extra bets in their windows, prompts, and the order of the settlement.

A window (core.round.Window) is opened by a key, or by the dealer's ace for insurance; chips are moved; the confirmation
is judged by two equal readings. Which keys a profile allows is data (rules). Sources: design 8b; ND-13 ... ND-57,
IN-BJ-09, -11, GCB-06, -11.
"""

from firstcard.core import cards, hands
from firstcard.core.deal import DONE, DRAW, PLAY, WAIT, Deal
from firstcard.core.hand import NOBODY
from firstcard.core.refused import Refused
from firstcard.core.limits import double_off, insurance_off
from firstcard.core.settlement import even_money, hand, insurance, surrender, tip

ACE = 12  # rank


class Blackjack:
    def __init__(self, round_):
        self.r = round_
        self.p = round_.profile
        self.deal = Deal(self.p)
        self.reset()

    def reset(self):
        self.deal.reset()
        self.insured = {}  # spot -> cents of its confirmed insurance that are not settled yet
        self.asked = False  # the insurance window has been opened in this round
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
            return "late-line" if self.asked else "no-window-line"
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
            if not h.told and h.bust() and not r.zone(h.spot).unsettled:
                self.settle_hand(h)
        d.settle_turn()
        if d.phase in (PLAY, WAIT) and not self.asked:
            self.offer_insurance()
        self.turn()
        if d.phase == DONE:
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

    def hand(self, spot, number):
        """The hand with this label; spot 0 is the dealer. Raises Refused."""
        for h in self.deal.turns + [self.deal.dealer]:
            if h.spot == spot and h.number == number:
                return h
        raise Refused(59, spot)

    def move_card(self, number, spot, hand):
        d = self.deal
        to = self.hand(spot, hand)
        if to.told or not d.dealt() or d.phase == DONE or self.r.window:
            raise Refused(98, number)
        found = d.where(number)
        if found:
            h, place = found
            if h.told or (not h.spot and place == 1 and not d.revealed):
                raise Refused(98, number)
            card = h.take(place)[0]
        else:
            row = [c for c in d.aside if c[1] == number]
            if not row:
                raise Refused(99, number)
            d.aside.remove(row[0])
            card = row[0][0]
        to.add(card, number)
        if d.phase == WAIT:
            d.phase = PLAY
        d.at = 0
        self.r.told_card(number, card, to.label())
        self.after()

    def burn(self):
        d = self.deal
        hole = d.dealer.n == 2 and d.last is d.dealer and not d.revealed
        card = d.take_back()
        if not card:
            raise Refused(58)
        self.r.told_card(card[1], None if hole else card[0], "burn")

    # keys

    def stand(self, spot):
        h = self.my_turn(spot)
        if h.n < 2:
            raise Refused(93, h.spot)
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

    def key(self, name, spot, amount, by):
        if name == "insurance-closed":
            if not self.r.window or self.r.window.kind != "insurance":
                raise Refused(96)
            self.r.window.ask()
            return
        if name in ("oral", "even-money", "surrender") and not getattr(self.p, name.replace("-", "_")):
            raise Refused(80, name, name.replace("-", "_"))
        if self.r.window and name != "even-money":
            raise Refused(92, self.r.window.kind)
        if name == "double":
            self.open_double(spot)
        elif name == "split":
            self.open_split(spot)
        elif name == "surrender":
            h = self.my_turn(spot)
            if h.n != 2 or h.split:
                raise Refused(93, h.spot)
            self.r.open_window(name, h.spot, h, [self.r.zone(h.spot)])
        elif name == "even-money":
            self.even_money(spot)
        elif name == "peek":
            self.peek()
        elif name == "oral":
            if not spot or not amount:
                raise Refused(22, name, name)
            self.r.oral.ask(spot, amount)
        else:
            raise Refused(21, name)

    def open_double(self, spot):
        d = self.deal
        h = d.active()
        if spot and (h is NOBODY or h.spot != spot):
            # a natural that was just passed over may still be doubled, before the next card (ND R17)
            for other in d.of_spot(spot):
                if d.phase in (PLAY, WAIT) and other.natural() and other.passed == d.count and not other.told:
                    h = other
                    break
            else:
                h = self.my_turn(spot)
        elif h is NOBODY:
            raise Refused(54)
        if h.unknown():
            raise Refused(56, h.spot)
        why = hands.double_refused(self.p, h.n, h.ace) or (h.doubled and "double")
        if why:
            raise Refused(80, "double", why)
        zones = [self.r.zone(h.spot)]
        if self.p.tip_double and h.number == 1 and h.spot in self.tipped:
            zones.append(self.r.zone(h.spot, 1))
        self.r.open_window("double", h.spot, h, zones)

    def open_split(self, spot):
        h = self.my_turn(spot)
        why = self.deal.split_refused(h)
        if why:
            raise Refused(80, "split", why)
        self.r.open_window("split", h.spot, h, [self.r.zone(h.spot)])

    def even_money(self, spot):
        r = self.r
        h = self.hand(spot, 1)
        if not r.window or r.window.kind != "insurance" or h.told or not h.natural() or r.zone(spot).unsettled:
            raise Refused(97, spot)
        stake = r.zone(spot).value
        r.tell("extra", "even-money", spot, 1, stake)
        self.pay(h, even_money(stake, self.tipped.pop(spot, 0)))
        self.deal.settle_turn()

    def peek(self):
        d = self.deal
        up = d.dealer.cards[0]
        if not self.p.peek:
            raise Refused(80, "peek", "peek")
        if d.phase not in (PLAY, WAIT) or d.dealer.unknown() or cards.points(up) < 10:
            raise Refused(100)
        self.peeked = hands.is_natural(d.dealer.cards, 2)
        self.r.answer = "natural" if self.peeked else "none"

    # windows

    def offer_insurance(self):
        d, r = self.deal, self.r
        self.asked = True
        up = d.dealer.cards[0]
        if not self.p.insurance or up == cards.UNKNOWN or cards.rank(up) != ACE or not r.live:
            self.asked = up != cards.UNKNOWN  # a misread up card that is named later may still be an ace
            return
        r.open_window("insurance", 0, None, [r.zone(s, 2) for s in r.live if not r.zone(s, 2).unsettled])
        r.undo = None
        r.prompt("insurance")
        if self.p.even_money:
            for h in d.turns:
                if h.natural():
                    r.prompt("even-money", h.spot)

    def window_moves(self, window):
        """An insurance bet of a wrong amount is told as soon as it lies still."""
        if window.kind != "insurance":
            return
        for z, base in window.bases:
            cents = z.total(z.last)[0] - base
            if not z.same or window.told.get(z.spot) == cents:
                continue
            window.told[z.spot] = cents
            wrong = insurance_off(self.p, self.r.zone(z.spot).value, cents) if cents else 0
            if wrong:
                self.r.prompt("amount", z.spot, wrong)

    def wrong_amount(self, window, moved):
        """Signed cents by which a confirmed window is wrong; 0 = right."""
        kind = window.kind
        if kind == "insurance":
            return 0
        if kind == "surrender":
            return moved[0]
        stake = self.r.zone(window.spot).value
        if kind == "split":
            return moved[0] - stake
        wrong = double_off(self.p, stake, moved[0])
        if not wrong and len(moved) > 1 and moved[1]:
            wrong = double_off(self.p, self.tipped[window.spot], moved[1])  # ND-52, ND-56
        return wrong

    def accept(self, window, moved):
        r, d, h, kind = self.r, self.deal, window.hand, window.kind
        if kind == "insurance":
            self.accept_insurance(window, moved)
            return
        if kind == "double":
            r.tell("extra", "double", h.spot, h.number, moved[0])
            if len(moved) > 1 and moved[1]:
                r.tell("extra", "tip-double", h.spot, h.number, moved[1])
                self.tipped[h.spot] += moved[1]
            d.double(h, moved[0])
        elif kind == "split":
            r.tell("extra", "split", h.spot, d.split(h).number, moved[0])
        r.close_window(True, moved)
        if kind == "surrender":
            stake = r.zone(h.spot).value
            lines = surrender(self.p, stake)
            r.tell("extra", "surrender", h.spot, h.number, stake - lines[0][3])
            if h.spot in self.tipped:
                lines.append(tip("lose", self.tipped.pop(h.spot)))
            self.pay(h, lines)
            d.settle_turn()

    def accept_insurance(self, window, moved):
        r = self.r
        for i, (z, _) in enumerate(window.bases):
            cents = moved[i]
            right = cents and not insurance_off(self.p, r.zone(z.spot).value, cents)
            z.close_window(bool(right), cents)
            if right:
                self.insured[z.spot] = cents
                r.tell("extra", "insurance", z.spot, None, cents)
            elif cents:
                r.alarm("line-amount", z, cents)
        window.bases = []
        r.close_window()

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
            if self.r.zone(spot).unsettled:
                continue
            for h in sorted(self.deal.of_spot(spot), key=_number):
                if not h.told:
                    self.settle_hand(h)
                elif h.number == 1 and spot in self.insured:
                    self.pay(h, [insurance(self.insured.pop(spot), self.deal.dealer.seen())])

    def told(self, spot):
        """Has every bet of this spot its settlement?"""
        if spot in self.insured or self.r.zone(spot).unsettled:
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

    def decided(self):
        """An unsettled wager has been decided: go on, or settle it if the dealer is done."""
        if self.deal.phase == DONE:
            self.settle_all()
        else:
            self.after()

    def supervisor_confirm(self, spot, by):
        """An over-maximum bet is valued at the maximum while its spot can still get its first card in turn (IN-BJ R5)."""
        if not spot or self.p.clamp_over or spot in self.r.live:
            return False
        z, r = self.r.zone(spot), self.r
        if z.value or z.unsettled or not r.frozen or z.locked_sum <= r.limits.max or z.total(z.locked)[1]:
            return False
        if not self.deal.join(spot):
            raise Refused(101, spot)
        z.value = z.expected = r.limits.max
        r.live.append(spot)
        r.live.sort()
        r.tell("bet", spot, "main", z.locked_sum, z.value, z.locked_sum - z.value, "over", len(z.locked) // 8)
        return True

    # for people

    def describe(self):
        """(label, codes) of every hand; the hole card stays `**` until it is revealed."""
        rows = [(h.label(), [cards.name(c) for c in h.seen()]) for h in self.deal.turns]
        codes = [cards.name(c) for c in self.deal.dealer.seen()]
        if len(codes) > 1 and not self.deal.revealed and self.deal.phase < DRAW:
            codes[1] = "**"
        return rows + [("dealer", codes)]


def _number(hand):
    return hand.number
