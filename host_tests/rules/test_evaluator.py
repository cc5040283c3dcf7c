"""Thousands of random blackjack rounds: every card's taker and every bet's money against a second evaluator.

The test keeps its own book of who sits where, whose turn it is and what lies there (Seats below, from design 8b and
ND-40 ... ND-56), and settles with host_tests.rules.evaluator; neither uses the firmware.
"""

import random

import pytest

from host_tests.rules.bare_round import BareRound
from host_tests.rules.evaluator import (
    PlayerHand,
    Terms,
    dealer_draws,
    natural,
    spot_lines,
    total,
    two_card_21,
)

ROUNDS = 2_000
PARTS = 20
DECK = [rank + suit for rank in "23456789TJQKA" for suit in "SHDC"]
RICH = [card for card in DECK if card[0] in "89TA"]  # a shoe of many pairs, naturals and twenty-ones
SPLIT_ACE_AGAIN = {"us-nd-twentyone": True, "us-in-blackjack": False, "gcb-blackjack": False}


def house(rnd):
    """(profile, options, low, high) of a random house."""
    profile = rnd.choice(sorted(SPLIT_ACE_AGAIN))
    hole = rnd.random() < 0.8
    options = {"hole_card": hole, "peek": hole and rnd.random() < 0.5, "soft17": rnd.choice(("stand", "hit")),
               "insurance": rnd.random() < 0.85, "max_hands": rnd.choice((1, 2, 3, 4, 4, 4)),
               "double": rnd.choice(("equal", "equal_or_less")), "breakage": rnd.choice(("none", "none", "up", "down"))}
    if profile == "us-nd-twentyone":
        tips = rnd.random() < 0.7
        options.update(tips=tips, tip_double=tips and rnd.random() < 0.6,
                       even_money=options["insurance"] and rnd.random() < 0.6)
        return profile, options, 100, 2500
    options.update(split_tens=rnd.random() < 0.8, resplit_aces=rnd.random() < 0.4)
    if profile == "us-in-blackjack":
        options.update(surrender=rnd.random() < 0.6, even_money=rnd.random() < 0.5,
                       natural_pays=rnd.choice([[3, 2], [6, 5], [2, 1], [7, 5]]))
    else:
        options.update(dealer_natural_beats_21=rnd.random() < 0.5, split_natural=rnd.random() < 0.3)
    return profile, options, 500, 50_000


class Seats:
    """One random round: what the dealer and the players do, what the table says to it, what it should have said."""

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
        self.shoe = (DECK if rnd.random() < 0.4 else RICH) * 6
        rnd.shuffle(self.shoe)
        self.dealer = []
        self.insured = {}
        self.done = []  # (spot, hand) whose main settlement is out, in order
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

    def deal(self, to, cards):
        """The next card; the table must say that it goes there (`**` for a hole card)."""
        code = self.shoe.pop()
        hole = to == "dealer" and self.options["hole_card"] and len(cards) == 1 and not self.revealed
        cards.append(code)
        told = self.table.card(code)
        assert (told["to"], told["code"]) == (to, "**" if hole else code), (told, to, code)
        return code

    def label(self, spot, hand):
        return f"{spot}.{hand.number}"

    def play(self):
        table, self.revealed = self.table, False
        table.lock()
        for _ in range(2):
            for spot, hands in self.hands.items():
                self.deal(self.label(spot, hands[0]), hands[0].cards)
            if not self.dealer or self.options["hole_card"]:
                self.deal("dealer", self.dealer)
        if self.options["insurance"] and self.dealer[0][0] == "A":
            self.insure()
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

    def insure(self):
        rnd, table = self.rnd, self.table
        assert table.state == "EXTRA"
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
        assert table.state != "EXTRA"

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
                assert table.refuses("key", "split", spot, 0, "dealer")
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
                return
            if total(hand.cards) >= rnd.randint(12, 18):
                table.step("stand", spot)
                return
            self.deal(self.label(spot, hand), hand.cards)

    def double(self, spot, hand):
        rnd, table = self.rnd, self.table
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
        self.deal(self.label(spot, hand), hand.cards)

    def dealer_plays(self):
        """Reveal, or the second card where there is no hole card; further cards only while they can matter."""
        every = [hand for hands in self.hands.values() for hand in hands]
        left = [hand for hand in every if not hand.told_early()]
        if self.options["hole_card"]:
            self.table.step("reveal")
            self.revealed = True
        elif left or self.insured:
            self.deal("dealer", self.dealer)
        if [hand for hand in left if not natural(self.terms, hand)]:
            while dealer_draws(self.terms, self.dealer):
                self.deal("dealer", self.dealer)
        assert self.table.state in ("SETTLE", "OPEN"), self.table.state

    # what the table has told

    def check(self):
        told = [e for e in self.table.events if e["event"] == "settle"]
        fields = ("hand", "bet", "outcome", "stake", "returned", "won", "to")
        lines = {spot: [] for spot in self.hands}
        for event in told:
            lines[event["spot"]].append(tuple(event[name] for name in fields))
        for spot, hands in self.hands.items():
            due = spot_lines(self.terms, hands, self.insured.get(spot, 0), self.dealer)
            assert sorted(lines[spot]) == sorted(due), (spot, hands, self.dealer, self.profile, self.options)
        early = {(spot, hand.number) for spot, hands in self.hands.items() for hand in hands if hand.told_early()}
        bets = ("main", "double", "insurance", "tip")
        late = [(e["spot"], e["hand"], bets.index(e["bet"])) for e in told
                if (e["spot"], e["hand"]) not in early or e["bet"] == "insurance"]
        assert late == sorted(late)
        assert [e for e in told[len(told) - len(late):]] == [e for e in told if (e["spot"], e["hand"], bets.index(
            e["bet"])) in late]  # all of them after the early ones
        assert not [e for e in self.table.events if e["event"] in ("alarm", "unsettled")]
        self.table.step("settled", 0)
        total_ = [e for e in self.table.events if e["event"] == "round"][0]
        assert total_["result"] == "complete"
        for name in ("returned", "won"):
            assert total_[name] == sum(e[name] for e in told)
        assert total_["stakes"] == sum(e["stake"] for e in told)


@pytest.mark.parametrize("part", range(PARTS))
def test_random_rounds_settle_to_the_cent(part):
    for n in range(ROUNDS // PARTS):
        seed = part * 1_000_003 + n
        try:
            Seats(random.Random(seed)).play()
        except BaseException:
            print("seed", seed)
            raise
