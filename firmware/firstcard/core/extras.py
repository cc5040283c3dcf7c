"""The extra bets of blackjack: double, split, surrender, insurance, even money, each in its window.

A window is opened by a key, or by the dealer's ace for insurance; chips are moved; the confirmation is judged by two
equal readings. Which keys a profile allows is data (rules). Sources: design 8b; ND-13, -30 ... -57, IN-BJ-09, -11,
GCB-06, -11.
"""

from firstcard.core import cards, hands
from firstcard.core.deal import PLAY, WAIT
from firstcard.core.hands import NOBODY
from firstcard.core.limits import double_off, insurance_off
from firstcard.core.refused import Refused
from firstcard.core.settlement import even_money, surrender, tip

ACE = 12  # rank


def is_ace(card):
    return card != cards.UNKNOWN and cards.rank(card) == ACE


class Extras:
    """Part of core.blackjack.Blackjack."""

    def key(self, name, spot, amount, by):
        if name == "insurance-closed":  # ND-36
            if not self.r.window or self.r.window.kind != "insurance":
                raise Refused(96)
            self.r.window.ask()
            return
        if name in ("oral", "even-money", "surrender") and not getattr(self.p, name.replace("-", "_")):  # ND-13
            raise Refused(80, name, name.replace("-", "_"))
        if self.r.window and name != "even-money":
            self.r.window_first()
        if name == "double":
            self.open_double(spot)
        elif name == "split":
            self.open_split(spot)
        elif name == "surrender":
            h = self.my_turn(spot)
            if h.n != 2 or h.split:
                raise Refused(93, h.spot)
            if h.doubled:
                raise Refused(107, h.spot)
            self.r.open_window(name, h.spot, h, [self.r.zone(h.spot)])
            self.r.prompt(name, h.spot, self.kept(h.spot))
        elif name == "even-money":
            self.even_money(spot)
        elif name == "peek":
            self.peek()
        elif name == "oral":
            if not spot or not amount:
                raise Refused(22, name, name)
            self.r.oral.ask(spot, amount)
        else:
            raise Refused(80, name, "game")

    def kept(self, spot):
        """Cents that the house keeps of a surrendered wager."""
        stake = self.r.zone(spot).value
        return stake - surrender(self.p, stake)[0][3]

    def open_double(self, spot):
        d = self.deal
        h = d.active()
        if spot and (h is NOBODY or h.spot != spot or h.n < 2):
            h = self.passed_over(spot) or self.my_turn(spot)
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

    def passed_over(self, spot):
        """The two-card 21 of this spot that was just passed over and may still be doubled, before the next card (ND
        R17), or None."""
        d = self.deal
        for h in d.of_spot(spot):
            if d.phase in (PLAY, WAIT) and h.n == 2 and h.total() == 21 and h.passed == d.count and not h.told:
                return h
        return None

    def open_split(self, spot):
        h = self.my_turn(spot)
        why = self.deal.split_refused(h)
        if why:
            raise Refused(80, "split", why)
        if h.doubled:
            raise Refused(107, h.spot)
        self.r.open_window("split", h.spot, h, [self.r.zone(h.spot)])

    def even_money(self, spot):
        r = self.r
        if not spot:
            raise Refused(22, "even-money", "even-money")  # hand 0 would be the dealer's
        h = self.hand(spot, 1)
        if not r.window or r.window.kind != "insurance" or h.told or not h.natural() or r.in_question(spot):
            raise Refused(97, spot)
        stake = r.zone(spot).value
        for base in list(r.window.bases):
            if base[0].spot == spot:  # its insurance is over: chips on the line go back
                base[0].close_window(False)
                r.window.bases.remove(base)
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
        if not self.p.insurance or not is_ace(up) or not r.live:  # ND-30, ND-32
            self.asked = up != cards.UNKNOWN  # a misread up card that is named later may still be an ace
            return
        self.offered = True
        # ND-31: it is laid on the line; ND-14, -33
        r.open_window("insurance", 0, None, [r.zone(s, 2) for s in r.live if not r.in_question(s)])
        r.undo = None
        r.prompt("insurance")  # ND-30
        if self.p.even_money:
            for h in d.turns:
                if h.natural():
                    r.prompt("even-money", h.spot)

    def window_moves(self, window):
        """An insurance bet of a wrong amount is told as soon as it lies still."""
        if window.kind != "insurance":
            return
        for z, base in window.bases:
            if not z.same:
                continue
            cents = self.r.laid(z) - base
            if window.told.get(z.spot) == cents:
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
        if kind == "surrender":  # the house takes its half before the confirmation or after it
            return 0 if moved[0] == -self.kept(window.spot) else moved[0]
        stake = self.r.zone(window.spot).value
        if kind == "split":
            return moved[0] - stake  # ND-43, ND-46
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
        r.close_window(True, moved)  # IN-BJ-11, GCB-11: what lies here is locked again
        if kind == "surrender":
            lines = surrender(self.p, r.zone(h.spot).value)
            r.tell("extra", "surrender", h.spot, h.number, self.kept(h.spot))
            if h.spot in self.tipped:
                lines.append(tip("lose", self.tipped.pop(h.spot)))
            self.pay(h, lines)
            d.settle_turn()

    def accept_insurance(self, window, moved):
        r = self.r
        for i, (z, _) in enumerate(window.bases):
            cents = moved[i]
            right = cents and not insurance_off(self.p, r.zone(z.spot).value, cents)
            z.close_window(bool(right), cents)  # ND-36, IN-BJ-11, GCB-11: locked again
            if right:
                self.insured[z.spot] = cents
                r.tell("extra", "insurance", z.spot, None, cents)
            elif cents:
                r.alarm("line-amount", z, cents)
        window.bases = []
        r.close_window()
