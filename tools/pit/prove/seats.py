"""One random blackjack round at firstcard.core.round: every card's taker and every bet's money are held against this.

It keeps its own book of who sits where, whose turn it is and what lies there (from design 8b and ND-40 ... ND-56), and
settles with pit.prove.evaluator; neither uses the firmware. What was played is kept for a second engine to play again.
"""

from pit.prove.bare_round import BareRound
from pit.prove.evaluator import PlayerHand, Terms, dealer_draws, natural, spot_lines, total, two_card_21
from pit.prove.houses import SPLIT_ACE_AGAIN, house, shoe

BETS = ("main", "double", "insurance", "tip")  # the order in which they are told


class Differs(Exception):
    """The firmware did something else than the clauses say."""


def require(right, *what):
    """Raise Differs with `what` unless `right`."""
    if not right:
        raise Differs("; ".join(str(one) for one in what))


class Seats:
    """One random round: what the dealer and the players do, what the table says to it, what it should have said.

    dealt   "spot.hand" -> codes that left the shoe for it, in order (a split moves one of them to another hand)
    deeds   (deed, spot, hand number, new hand's number or None) in order: hit, stand, double, split, surrender
    told    (spot, hand) -> outcome of its main bet, as the firmware told it
    """

    def __init__(self, rnd):
        self.rnd = rnd
        self.profile, self.options, low, high = house(rnd)
        self.nd = self.profile == "us-nd-twentyone"
        self.again = self.options.get("resplit_aces", SPLIT_ACE_AGAIN[self.profile])
        self.table = BareRound(3, self.profile, self.options, low, high)
        self.terms = Terms(natural_pays=tuple(self.options.get("natural_pays", (3, 2))),
                           natural_beats_21=self.options.get("dealer_natural_beats_21", True),
                           split_natural=self.options.get("split_natural", False), soft17=self.options["soft17"],
                           breakage=self.options["breakage"])
        self.shoe = shoe(rnd)
        self.dealer = []
        self.insured = {}  # spot -> cents
        self.revealed = self.peeked = self.drawn_out = False
        self.dealt, self.deeds, self.told = {}, [], {}
        unit = 100 if self.nd else 50
        self.hands = {}
        for spot in sorted(rnd.sample((1, 2, 3), rnd.randint(1, 3))):
            stake = rnd.randrange(low, min(high, 4_000) + 1, unit)
            self.hands[spot] = [PlayerHand(1, stake)]
            self.table.lay(spot, "main", stake)
            if self.options.get("tips") and rnd.random() < 0.6:
                self.hands[spot][0].tip = rnd.randrange(50, 1_001, 50)
                self.table.lay(spot, "tip", self.hands[spot][0].tip)
        self.table.sweep(2)

    def every_hand(self):
        """(spot, PlayerHand) of all, in playing order."""
        return [(spot, hand) for spot, hands in self.hands.items() for hand in hands]

    def deal(self, to, cards):
        """The next card; the table must say that it goes there (`**` for a hole card)."""
        code = self.shoe.pop()
        hole = to == "dealer" and self.options["hole_card"] and len(cards) == 1 and not self.revealed
        cards.append(code)
        self.dealt.setdefault(to, []).append(code)
        told = self.table.card(code)
        require((told["to"], told["code"]) == (to, "**" if hole else code), told, f"{code} is for {to}")

    def label(self, spot, hand):
        return f"{spot}.{hand.number}"

    def done(self, deed, spot, hand, new=None):
        self.deeds.append((deed, spot, hand.number, new))

    def play(self):
        """The whole round, checked. Raises Differs."""
        self.table.lock()
        for _ in range(2):
            for spot, hands in self.hands.items():
                self.deal(self.label(spot, hands[0]), hands[0].cards)
            if not self.dealer or self.options["hole_card"]:
                self.deal("dealer", self.dealer)
        if self.options["insurance"] and self.dealer[0][0] == "A":
            self.insure()
        if self.options["peek"] and self.dealer[0][0] in "TJQKA" and self.rnd.random() < 0.8:
            self.peek()
        if not self.peeked:
            for spot, hands in self.hands.items():
                place = 0
                while place < len(hands):
                    self.play_hand(spot, hands, place)
                    place += 1
        self.dealer_plays()
        self.check()

    # what is allowed, from the clauses

    def may_split(self, spot, hand):
        if len(hand.cards) != 2 or len(self.hands[spot]) >= self.options["max_hands"]:
            return False
        a, b = (card[0] for card in hand.cards)
        if a != b and not (a in "TJQK" and b in "TJQK" and self.options.get("split_tens", True)):
            return False
        return not hand.split or a != "A" or self.again

    def may_double(self, hand):
        return len(hand.cards) == 2 and not (hand.split and hand.cards[0][0] == "A") and not hand.doubled

    # what is done

    def insure(self):
        rnd, table = self.rnd, self.table
        require(table.state == "EXTRA", "insurance is not offered")
        for spot, (hand,) in self.hands.items():
            if self.options.get("even_money") and two_card_21(hand.cards) and rnd.random() < 0.5:
                hand.even_money = True
                table.key("even-money", spot)
            elif rnd.random() < 0.5:
                half = hand.stake // 2
                if not half % 5 and (half == hand.stake / 2 or not self.nd):
                    self.insured[spot] = half if self.nd or rnd.random() < 0.5 else rnd.randrange(5, half + 1, 5)
                    table.lay(spot, "line", self.insured[spot])
        table.confirm("insurance-closed")
        require(table.state != "EXTRA", "insurance does not close")

    def peek(self):
        """The dealer looks at the hole card and says so; a natural ends the play."""
        self.table.key("peek")
        self.peeked = two_card_21(self.dealer)
        require(self.table.round.answer == ("natural" if self.peeked else "none"), "peek", self.table.round.answer)

    def play_hand(self, spot, hands, place):
        rnd, table, hand = self.rnd, self.table, hands[place]
        if hand.even_money:
            return
        if len(hand.cards) == 1:
            self.deal(self.label(spot, hand), hand.cards)
        while True:
            if total(hand.cards) >= 21:
                if two_card_21(hand.cards) and self.may_double(hand) and rnd.random() < 0.2:
                    self.double(spot, hand)  # R17: before the next card
                return
            if self.may_split(spot, hand):
                if rnd.random() < 0.6:
                    self.split(spot, hands, place)
                    continue
            elif len(hand.cards) == 2:
                require(table.refuses("key", "split", spot, 0, "dealer"), f"{spot}: split is not refused")
            if hand.split and hand.cards[0][0] == "A" and len(hand.cards) == 2:
                if self.may_split(spot, hand):  # another ace: it stays active, `split` or `stand` decides
                    table.step("stand", 0)
                return
            if self.may_double(hand) and rnd.random() < 0.25:
                self.double(spot, hand)
                return
            if self.options.get("surrender") and len(hand.cards) == 2 and not hand.split and rnd.random() < 0.2:
                hand.surrendered = True
                table.key("surrender")
                table.confirm()
                self.done("surrender", spot, hand)
                return
            if total(hand.cards) >= rnd.randint(12, 18):
                table.step("stand", spot)
                self.done("stand", spot, hand)
                return
            self.done("hit", spot, hand)
            self.deal(self.label(spot, hand), hand.cards)

    def double(self, spot, hand):
        rnd, table = self.rnd, self.table
        self.done("double", spot, hand)
        table.key("double", spot)
        less = self.options["double"] == "equal_or_less" and rnd.random() < 0.5
        hand.doubled = rnd.randrange(50, hand.stake + 1, 50) if less else hand.stake
        table.lay(spot, "main", hand.doubled)
        if self.options.get("tip_double") and hand.number == 1 and hand.tip and rnd.random() < 0.5:
            table.lay(spot, "tip", hand.tip)
            hand.tip *= 2
        table.confirm()
        self.deal(self.label(spot, hand), hand.cards)

    def split(self, spot, hands, place):
        hand = hands[place]
        self.table.key("split")
        self.table.lay(spot, "main", hand.stake)
        self.table.confirm()
        new = PlayerHand(len(hands) + 1, hand.stake, [hand.cards.pop()], split=True)
        hand.split = True
        hands.insert(place + 1, new)
        self.done("split", spot, hand, new.number)
        self.deal(self.label(spot, hand), hand.cards)

    def dealer_plays(self):
        """Reveal, or the second card where there is no hole card; further cards only while they can matter."""
        left = [hand for _, hand in self.every_hand() if not hand.told_early()]
        if self.options["hole_card"]:
            self.table.step("reveal")
            self.revealed = True
        elif left or self.insured:
            self.deal("dealer", self.dealer)
        if [hand for hand in left if not natural(self.terms, hand)]:
            self.drawn_out = True
            while dealer_draws(self.terms, self.dealer):
                self.deal("dealer", self.dealer)
        require(self.table.state in ("SETTLE", "OPEN"), self.table.state)

    # what the table has told

    def check(self):
        """Every line of the settlement, their order, and the sums of the round."""
        told = [e for e in self.table.events if e["event"] == "settle"]
        fields = ("hand", "bet", "outcome", "stake", "returned", "won", "to")
        lines = {spot: [] for spot in self.hands}
        for event in told:
            lines[event["spot"]].append(tuple(event[name] for name in fields))
            if event["bet"] == "main":
                self.told[event["spot"], event["hand"]] = event["outcome"]
        for spot, hands in self.hands.items():
            due = spot_lines(self.terms, hands, self.insured.get(spot, 0), self.dealer)
            require(sorted(lines[spot]) == sorted(due), f"spot {spot} told {sorted(lines[spot])}",
                    f"the clauses say {sorted(due)}", hands, self.dealer, self.profile, self.options)
        early = {(spot, hand.number) for spot, hand in self.every_hand() if hand.told_early()}
        order = [(e["spot"], e["hand"], BETS.index(e["bet"])) for e in told]
        late = [row for row in order if row[:2] not in early or row[2] == BETS.index("insurance")]
        require(late == sorted(late) and late == order[len(order) - len(late):], "order of the settlement", order)
        odd = [e for e in self.table.events if e["event"] in ("alarm", "unsettled")]
        require(not odd, odd)
        self.table.step("settled", 0)
        end = [e for e in self.table.events if e["event"] == "round"][0]
        require(end["result"] == "complete", end)
        for name, sums in (("returned", "returned"), ("won", "won"), ("stakes", "stake")):
            require(end[name] == sum(e[sums] for e in told), end)
