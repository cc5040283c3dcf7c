"""A round that was played on the firmware, played again on the independent engine blackjack21 with the same cards.

That engine knows totals, naturals, splits, doubles, surrender and the dealer's soft 17; it has no money but the stake,
no insurance, no tips, and one set of house rules. Where those differ from the profile's the difference has a name here
(WHY). A named difference is granted only where its cause is there in the round and both sides say what it implies.
"""

from collections import deque

from blackjack21 import Action, Card, GameResult, GameState, Table
from blackjack21.deck import DEFAULT_RANKS

from pit.prove.evaluator import natural, total, two_card_21

OUTCOMES = {GameResult.BLACKJACK: "blackjack", GameResult.PLAYER_WIN: "win", GameResult.DEALER_BUST: "win",
            GameResult.PUSH: "push", GameResult.PLAYER_BUST: "lose", GameResult.DEALER_WIN: "lose",
            GameResult.SURRENDER: "surrender"}

# name: why this engine says something else, or nothing, about a hand
WHY = {
    "even money": "taken at once, 1:1 (ND-37); the engine does not offer it and must say blackjack or push",
    "natural seen late": "the engine ends the round at the deal when the dealer has a natural; here nobody has looked, "
                         "the hand is hit, doubled or split first, and both must say lose",
    "surrender before it": "the same for a hand that was surrendered before: half is kept; the engine must say lose",
    "natural is any 21": "the house lets a dealer's natural tie with 21 of three cards or of a split hand (GCB R2, "
                         "ND R5); the engine must say lose",
    "split natural": "the house counts ace and ten of a split hand as a natural (GCB R3); the engine must say win, "
                     "push, or lose to a natural",
    "double on 21": "a two-card 21 may be doubled (R17); the engine holds the hand finished. No outcome to compare",
    "aces split again": "the engine lets split aces stand. No outcome to compare for the two hands of the second split",
}


def card(code):
    """A code such as `TH` as the engine's card."""
    rank = code[0].replace("T", "10")
    return Card(code[1], rank, DEFAULT_RANKS[rank])


class Cards:
    """The engine's card source: first what the call asks for, then the dealer's, then what is left of the shoe."""

    def __init__(self, dealer, shoe):
        self.next = deque()
        self.dealer = deque(dealer)
        self.shoe = deque(reversed(shoe))

    def __len__(self):
        return len(self.next) + len(self.dealer) + len(self.shoe)

    def draw_card(self):
        return card((self.next or self.dealer or self.shoe).popleft())


class Replay:
    """A played pit.prove.seats.Seats on the engine.

    outcomes  (spot, hand) -> the engine's outcome, None where it has no such hand
    wrong     texts: where the engine plays another hand, or allows less, without a name in WHY
    """

    def __init__(self, seats):
        self.seats = seats
        self.wrong = []
        self.untold = {}  # (spot, hand) -> name in WHY of hands without a counterpart
        self.source = Cards(seats.dealer, seats.shoe)
        self.left = {label: deque(codes) for label, codes in seats.dealt.items()}
        self.order = {spot: [1] for spot in seats.hands}  # the engine's hands of a spot, by our numbers
        self.spots = list(seats.hands)
        self.table = Table([(str(spot), hands[0].stake) for spot, hands in seats.hands.items()], self.source,
                           hit_soft_17=seats.options["soft17"] == "hit")
        self._start()
        self.ended = self.table.state == GameState.ROUND_OVER and self.table.dealer.total == 21 and len(
            self.table.dealer.hand) == 2
        if self.ended:
            self.untold = {(spot, hand.number): "double on 21" for spot, hand in seats.every_hand()
                           if hand.doubled and two_card_21(hand.cards[:2])}
        else:
            for deed in seats.deeds:
                self._do(*deed)
            if self.table.state != GameState.ROUND_OVER:
                self.wrong.append(f"the engine still waits for {self._turn()}")
        self._check_dealer()
        self.outcomes = {(spot, hand.number): self._outcome(spot, hand.number) for spot, hand in seats.every_hand()}

    def _start(self):
        """First cards in the engine's order, which is ours: spots, dealer, spots, dealer."""
        take = [self.left[f"{spot}.1"] for spot in self.spots]
        first = [codes.popleft() for codes in take]
        up = self.source.dealer.popleft()
        second = [codes.popleft() for codes in take]
        self.source.next.extend([*first, up, *second])
        self.table.start_game()

    def _turn(self):
        """(spot, hand number) whose turn it is in the engine, or None."""
        player, hand = self.table.current_player, self.table.current_hand
        if hand is None:
            return None
        spot = int(player.name)
        return spot, self.order[spot][[one is hand for one in player.hands].index(True)]

    def _do(self, deed, spot, number, new):
        if (spot, number) in self.untold:
            if new:
                self.untold[spot, new] = self.untold[spot, number]
            return
        hand = self._hand(spot, number) if number in self.order[spot] else None
        if hand and deed == "double" and hand.total == 21:
            self.untold[spot, number] = "double on 21"
            return
        if hand and deed == "split" and len(self.order[spot]) > 1 and [one.rank for one in hand] == ["A", "A"]:
            self.untold[spot, number] = self.untold[spot, new] = "aces split again"
            return
        if self._turn() != (spot, number) or Action(deed) not in self.table.available_actions():
            self.wrong.append(f"{deed} of {spot}.{number}: the engine waits for {self._turn()}")
            return
        mine = self.left[f"{spot}.{number}"]
        if deed in ("hit", "double"):
            self.source.next.append(mine.popleft())
        elif deed == "split":
            self.source.next.extend((mine.popleft(), self.left[f"{spot}.{new}"].popleft()))
            self.order[spot].insert(self.order[spot].index(number) + 1, new)
        {"hit": self.table.hit, "stand": self.table.stand, "double": self.table.double_down,
         "split": self.table.split, "surrender": self.table.surrender}[deed]()

    def _hand(self, spot, number):
        """The engine's hand."""
        return self.table[self.spots.index(spot)].hands[self.order[spot].index(number)]

    def _outcome(self, spot, number):
        if (spot, number) in self.untold:
            return None
        number = 1 if self.ended else number
        result = self._hand(spot, number).result if number in self.order[spot] else None
        return OUTCOMES.get(result, "nothing")

    def _check_dealer(self):
        """The dealer's last cards are ours wherever ours had to draw; else ours stopped before."""
        ours = [card(code) for code in self.seats.dealer]
        theirs = self.table.dealer.hand
        if theirs != ours and (self.seats.drawn_out or theirs[:len(ours)] != ours):
            self.wrong.append(f"dealer {self.seats.dealer}, in the engine {theirs}")


def reason(replay, spot, hand, ours, theirs):
    """Name in WHY that explains what the engine says of a hand, or "". `ours`, `theirs`: outcomes."""
    seats, terms = replay.seats, replay.seats.terms
    dealer = two_card_21(seats.dealer)
    if theirs is None:
        return replay.untold[spot, hand.number]
    if hand.even_money:
        return "even money" if ours == "even-money" and theirs in ("blackjack", "push") else ""
    if replay.ended and hand.surrendered and not seats.peeked:
        return "surrender before it" if (ours, theirs) == ("surrender", "lose") else ""
    if terms.split_natural and hand.split and two_card_21(hand.cards):
        return "split natural" if (ours, theirs) in (
            ("blackjack", "win"), ("blackjack", "push"), ("push", "lose")) and natural(terms, hand) else ""
    if dealer and theirs == "lose" and ours == "push":
        return "natural is any 21" if not terms.natural_beats_21 and total(hand.cards) == 21 else ""
    return ""


def compare(seats):
    """({"agreed" or name in WHY: hands}, [text of every difference without a name]) of a played round."""
    replay = Replay(seats)
    counts, wrong = {}, list(replay.wrong)
    for spot, hand in seats.every_hand():
        ours, theirs = seats.told[spot, hand.number], replay.outcomes[spot, hand.number]
        if ours == theirs:
            late = replay.ended and (len(hand.cards) != 2 or hand.split)
            name = "natural seen late" if late and not seats.peeked else "agreed"
        else:
            name = reason(replay, spot, hand, ours, theirs)
        if name:
            counts[name] = counts.get(name, 0) + 1
        else:
            wrong.append(f"hand {spot}.{hand.number} {hand.cards} against {seats.dealer}: {ours}, the engine says "
                         f"{theirs} ({seats.profile}, {seats.options})")
    return counts, wrong
