"""What every bet of a blackjack round is owed, worked out from the clauses alone, to hold the firmware's against.

Nothing of the firmware is used and its settlement was not read while this was written. Cards are codes such as `TH`,
amounts are cents. Readings that the clauses leave to the house are the fields of Terms.
"""

from dataclasses import dataclass, field

POINTS = dict({str(n): n for n in range(2, 10)}, T=10, J=10, Q=10, K=10, A=1)


@dataclass
class Terms:
    """What the house has chosen.

    natural_beats_21: a dealer's natural beats 21 in other ways (IN-BJ-08, ND R5; GCB R2: to be chosen);
    split_natural: ace and ten of a split hand are a natural (ND-48, IN R3: no; GCB R3: to be chosen);
    breakage: `up` or `down` to the smallest chip where 3:2 or a half falls between (GCB R4)."""

    natural_pays: tuple = (3, 2)
    natural_beats_21: bool = True
    split_natural: bool = False
    soft17: str = "stand"
    breakage: str = "none"
    smallest_chip: int = 50


@dataclass
class PlayerHand:
    """One hand of a spot. `stake`: its wager; `doubled`, `tip`: cents, the tip with its own double in it."""

    number: int
    stake: int
    cards: list = field(default_factory=list)
    doubled: int = 0
    tip: int = 0
    split: bool = False
    surrendered: bool = False
    even_money: bool = False

    def told_early(self):
        """Is it settled before the dealer plays? (bust, surrender, even money)"""
        return self.surrendered or self.even_money or total(self.cards) > 21


def total(cards):
    """Best total: one ace counts 11 where that stays within 21."""
    low = sum(POINTS[c[0]] for c in cards)
    return low + 10 if low <= 11 and any(c[0] == "A" for c in cards) else low


def soft(cards):
    """Does an ace count 11?"""
    return total(cards) != sum(POINTS[c[0]] for c in cards)


def two_card_21(cards):
    return len(cards) == 2 and total(cards) == 21


def natural(terms, hand):
    """A player's natural: 21 in the first two cards, of a split hand only where the house says so."""
    return two_card_21(hand.cards) and (terms.split_natural or not hand.split)


def dealer_draws(terms, dealer):
    """Below 17, and on soft 17 where the house says so."""
    points = total(dealer)
    return points < 17 or (points == 17 and soft(dealer) and terms.soft17 == "hit")


def result(terms, hand, dealer):
    """`blackjack`, `win`, `push` or `lose` of one hand against the dealer's last cards.

    A bust has lost at once, whatever the dealer does (IN R2, ND R5). A natural against a natural is returned
    (IN-BJ-07); against anything else it wins (IN-BJ-05, GCB-04 and R7). A dealer's natural beats every other 21 where
    the house plays so (IN-BJ-08); else totals decide, equal ones are void (IN-BJ-03, -04, -07, GCB-02, -03, -05).
    """
    if total(hand.cards) > 21:
        return "lose"
    theirs = two_card_21(dealer)
    if natural(terms, hand):
        return "push" if theirs else "blackjack"
    if theirs and terms.natural_beats_21:
        return "lose"
    if total(dealer) > 21 or total(hand.cards) > total(dealer):
        return "win"
    return "push" if total(hand.cards) == total(dealer) else "lose"


def broken(terms, cents, over):
    """`cents` / `over` as chips can pay it: exact, or up or down to a multiple of the smallest chip."""
    if terms.breakage == "none" and cents % over:
        raise ValueError("an amount that is no whole number of cents has no answer")
    unit = terms.smallest_chip * over
    if terms.breakage == "up":
        return -(-cents // unit) * terms.smallest_chip
    return cents // unit * terms.smallest_chip if terms.breakage == "down" else cents // over


def tip_line(outcome, cents):
    """ND-24 ... -26, R7: a won tip is paid 1:1, a natural's too, and lies with its payoff in the dealers' box; a lost
    one goes to the tray; on a tie, and beside even money (ND-38), it stays."""
    if outcome in ("win", "blackjack"):
        return "tip", "win", cents, cents, cents, "tip-box"
    if outcome in ("push", "even-money"):
        return "tip", "push", cents, cents, 0, "player"
    return "tip", "lose", cents, 0, 0, "tray"


def hand_lines(terms, hand, dealer):
    """The lines of one hand without its insurance: (bet, outcome, stake, returned, won, to)."""
    stake = hand.stake
    if hand.surrendered:
        outcome = "surrender"
        lines = [("main", outcome, stake, broken(terms, stake, 2), 0, "player")]
    elif hand.even_money:  # ND-37: 1:1 at once, whatever the dealer turns
        outcome = "even-money"
        lines = [("main", outcome, stake, stake, stake, "player")]
    else:
        outcome = result(terms, hand, dealer)
        up, down = terms.natural_pays
        won = {"blackjack": broken(terms, stake * up, down), "win": stake}.get(outcome, 0)
        kept = 0 if outcome == "lose" else stake
        lines = [("main", outcome, stake, kept, won, "player" if kept else "tray")]
    if hand.doubled:  # rides with the hand, 1:1
        kept = 0 if outcome == "lose" else hand.doubled
        lines.append(("double", outcome, hand.doubled, kept, hand.doubled if outcome == "win" else 0,
                      "player" if kept else "tray"))
    return lines, outcome


def spot_lines(terms, hands, insurance, dealer):
    """All lines of a spot in the order hand, then main, double, insurance, tip: (hand, bet, outcome, stake, returned,
    won, to). Insurance wins 2:1 exactly if the dealer has a natural (ND-34, R16)."""
    out = []
    for hand in sorted(hands, key=lambda h: h.number):
        lines, outcome = hand_lines(terms, hand, dealer)
        if hand.number == 1 and insurance:
            if two_card_21(dealer):
                lines.append(("insurance", "win", insurance, insurance, 2 * insurance, "player"))
            else:
                lines.append(("insurance", "lose", insurance, 0, 0, "tray"))
        if hand.tip:
            lines.append(tip_line(outcome, hand.tip))
        out += [(hand.number, *line) for line in lines]
    return out
