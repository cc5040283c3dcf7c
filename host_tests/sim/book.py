"""The book of an inspector: what can be known of a table by reading its events, and what is wrong with them.

What goes in comes out: each stake is the locked wager or one that was confirmed since, it is given back, lost to the
tray or left to the tip box, once, as the clauses make it of the cards told. Nothing here asks the firmware.
"""

from host_tests import by_hand
from host_tests.core.test_poker import net, said

POKER = "us-in-three-card-poker"
NOTHING_MORE = 1 << 30


class Book:
    """`source(spot, new hand)` gives the hand that a new one was split from; `beats`: see by_hand.settle."""

    def __init__(self, profile, source, beats=True):
        self.profile, self.source, self.beats = profile, source, beats
        self.read = 0
        self.wagers = None  # (spot, zone) -> value, while a round is on
        self.open_alarms = {}
        self.revealed = False  # the dealer has pressed reveal
        self.between_rounds()

    def between_rounds(self):
        self.cards = {}  # number -> (code, taker)
        self.misread = set()  # numbers of cards that came without a name
        self.undecided, self.settled, self.sums = set(), {}, [0, 0, 0]
        self.extra = {}  # (spot, hand, bet) -> cents confirmed
        self.hands = {}  # spot -> its hands, where it was split
        self.early = {}  # (spot, hand) -> surrender, even-money, fold
        self.revealed = False

    def read_on(self, events):
        while self.read < len(events):
            now = self.read
            self.read = NOTHING_MORE  # unless all is well with this one
            try:
                self.add(events[now])
            except AssertionError as wrong:
                story = "\n".join(str(e) for e in events[max(0, now - 20) : now + 1])
                raise AssertionError("%s; after\n%s" % (wrong, story)) from wrong
            self.read = now + 1

    def hand(self, to):
        return [code for n, (code, taker) in sorted(self.cards.items()) if taker == to]

    def add(self, e):
        call = getattr(self, "on_" + e["event"].replace("-", "_"), None)
        if call:
            call(e)

    # wagers

    def on_lock(self, e):
        assert self.wagers is None, "two locks in one round"
        self.between_rounds()
        self.wagers = {(w["spot"], w["zone"]): w["value"] for w in e["wagers"]}

    def on_unsettled(self, e):
        if e["zone"] != "line":
            self.undecided.add((e["spot"], e["zone"]))
            assert self.wagers.setdefault((e["spot"], e["zone"]), 0) == e["before"]

    def on_unsettled_decided(self, e):
        if e["zone"] != "line":
            self.undecided.remove((e["spot"], e["zone"]))
            self.wagers[e["spot"], e["zone"]] = e["value"]

    def on_bet(self, e):
        """In a round: a supervisor values an over-maximum bet at the maximum (outside ND)."""
        place = (e["spot"], e["zone"])
        if self.wagers and place in self.wagers and e["verdict"] == "over" and e["value"] \
                and self.profile != "us-nd-twentyone":
            assert not self.wagers[place]
            self.wagers[place] = e["value"]

    # cards

    def on_card(self, e):
        if self.wagers is None:
            return
        before, place = self.cards.get(e["n"], ("??", e["to"]))
        if before == "**":
            assert e["to"] == "burn" or self.revealed, "a face-down card was shown"
        else:
            if e["code"] == "??":  # a name that people have given may be taken back, the shoe's never
                assert before == "??" or e["n"] in self.misread, "a card was renamed"
                self.misread.add(e["n"])
            assert before in ("??", e["code"]) or e["code"] == "??", "a card was renamed"
        assert before != "**" or e["to"] != "burn" or e["code"] == "**", "a burned hole card was shown"
        self.cards[e["n"]] = (e["code"], e["to"])

    # extra bets

    def on_extra(self, e):
        spot, kind, cents = e["spot"], e["kind"], e["amount"]
        wager = self.wagers.get((spot, "main"), 0) if self.wagers is not None else 0
        if kind == "split":
            assert cents == wager
            old = "%d.%d" % (spot, self.source(spot, e["hand"]))
            second = max(n for n, (_, taker) in self.cards.items() if taker == old)
            self.cards[second] = (self.cards[second][0], "%d.%d" % (spot, e["hand"]))
            self.hands[spot] = e["hand"]
            assert e["hand"] <= 4
        elif kind == "double":
            assert 0 < cents <= wager
            self.confirm(spot, e["hand"], "double", cents)
        elif kind == "insurance":
            assert 0 < cents <= wager // 2
            self.confirm(spot, 1, "insurance", cents)
        elif kind == "tip-double":
            assert 0 < cents <= self.wagers[spot, "tip"]
            self.confirm(spot, 1, "tip-double", cents)
        elif kind == "play":
            assert cents == wager
            self.confirm(spot, 1, "play", cents)
        elif kind in ("surrender", "even-money", "fold"):
            self.early[spot, e["hand"]] = kind

    def confirm(self, spot, hand, bet, cents):
        assert (spot, hand, bet) not in self.extra, "confirmed twice"
        self.extra[spot, hand, bet] = cents

    # settlement

    def stake_of(self, spot, hand, bet):
        """Cents that were locked or confirmed for this bet."""
        if bet in ("main", "ante"):
            return self.wagers.get((spot, "main"), 0)
        if bet == "tip":
            return self.wagers.get((spot, "tip"), 0) + self.extra.get((spot, 1, "tip-double"), 0)
        return self.extra.get((spot, hand, bet), 0)

    def due(self):
        """Every bet of the round that must have its settlement."""
        bets = {(spot, hand, bet) for (spot, hand, bet), cents in self.extra.items() if bet != "tip-double"}
        for (spot, zone), value in self.wagers.items():
            if not value or not self.wagers.get((spot, "main")):
                continue
            if zone == "tip":
                bets.add((spot, 1, "tip"))
            elif self.profile == POKER:
                bets.add((spot, 1, "ante"))
            else:
                bets |= {(spot, hand, "main") for hand in range(1, self.hands.get(spot, 1) + 1)}
        return bets

    def on_settle(self, e):
        spot, hand, bet = place = e["spot"], e["hand"], e["bet"]
        stake, back, won, outcome = e["stake"], e["returned"], e["won"], e["outcome"]
        assert place not in self.settled, "settled twice"
        self.settled[place] = outcome
        self.sums = [a + b for a, b in zip(self.sums, (stake, back, won))]
        assert stake == self.stake_of(*place), (place, self.wagers, self.extra)
        assert stake > 0 or bet == "bonus", "a bet of nothing"
        assert e["to"] == ("tray" if not back + won else "tip-box" if bet == "tip" and outcome == "win" else "player")
        if outcome == "void":
            assert (back, won) == (stake, 0)
            return
        assert (spot, "tip" if bet == "tip" else "main") not in self.undecided or bet == "insurance"
        want = self.poker(*place) if self.profile == POKER else self.blackjack(*place)
        assert want in (None, (outcome, back, won)), (e, want, self.cards)

    def on_settle_withdrawn(self, e):
        """A card that was not its own had broken this hand."""
        place = e["spot"], e["hand"], e["bet"]
        assert self.settled.pop(place) == "lose"
        assert by_hand.worth(self.hand("%d.%d" % place[:2])) > 21 and place[2] != "insurance"
        assert e["stake"] == self.stake_of(*place)
        self.sums[0] -= e["stake"]

    def blackjack(self, spot, hand, bet):
        """(outcome, returned, won) that is due."""
        stake = self.stake_of(spot, hand, bet)
        mine, dealer = self.hand("%d.%d" % (spot, hand)), self.hand("dealer")
        if bet == "insurance":
            assert "**" not in dealer and "??" not in dealer
            natural = by_hand.blackjack(dealer)
            return ("win", stake, 2 * stake) if natural else ("lose", 0, 0)
        early = self.early.get((spot, hand))
        if early == "even-money":
            return ("push", stake, 0) if bet == "tip" else (early, stake, stake)
        if early == "surrender":
            return early, -(-stake // 2), 0
        assert "??" not in mine
        if by_hand.worth(mine) > 21:
            return "lose", 0, 0
        assert "**" not in dealer and "??" not in dealer
        split, doubled = spot in self.hands, (spot, hand, "double") in self.extra
        natural = by_hand.blackjack(mine) and not split
        assert by_hand.worth(dealer) >= 17 or natural or len(dealer) == 2 and by_hand.blackjack(mine)
        assert not doubled or len(mine) == 3
        outcome, back, won = by_hand.settle(stake, mine, dealer, split, self.beats)
        if outcome == "blackjack" and bet == "tip":
            return "win", stake, stake
        return outcome, back, won

    def poker(self, spot, hand, bet):
        stake = self.stake_of(spot, hand, bet)
        if self.early.get((spot, 1)) == "fold":
            return "fold", 0, 0
        mine, dealer = self.hand("%d.1" % spot), self.hand("dealer")
        assert len(mine) == len(dealer) == 3 and not {"??", "**"} & set(mine + dealer)
        if len(set(mine)) < 3 or len(set(dealer)) < 3:
            return None  # no hand of one deck
        ante, play, bonus = net(said(_numbers(mine)), said(_numbers(dealer)))
        if bet == "bonus":
            assert bonus
            return "win", 0, bonus * self.stake_of(spot, 1, "ante")
        sign = {"ante": ante, "play": play}[bet]
        return ("lose", "push", "win")[sign + 1], stake * (sign >= 0), stake * (sign > 0)

    def on_round(self, e):
        wrong = {place for place in self.due() ^ set(self.settled) if place[2] != "bonus"}
        assert not wrong, ("due and not settled, or the reverse", wrong)
        assert [e["stakes"], e["returned"], e["won"]] == self.sums
        self.wagers = None

    # alarms

    def on_alarm(self, e):
        place = (e["kind"], e.get("spot"), e.get("zone"))
        assert self.open_alarms.get(e["id"], place) == place, "an alarm's number means something else now"
        assert e["id"] in self.open_alarms or place not in self.open_alarms.values(), "one change, two alarms"
        self.open_alarms[e["id"]] = place

    def on_alarm_cleared(self, e):
        assert e["by"] == "supervisor"
        del self.open_alarms[e["id"]]


def _numbers(codes):
    """Cards as the second way of host_tests.core.test_poker takes them."""
    from firstcard.core import cards

    return [cards.parse(code) for code in codes]
