"""Blackjack settlement worked out a second time, from the clauses alone, to hold the firmware's against.

Clauses of 68 IAC 10-2-4 as IN-BJ-nn; payment 1:1 and 3:2. Nothing of the firmware is used: cards are codes such as
`TH`.
"""


def worth(cards):
    """Best total: every ace 1, and one of them 11 if that still is 21 or less."""
    low = sum({"T": 10, "J": 10, "Q": 10, "K": 10, "A": 1}.get(c[0]) or int(c[0]) for c in cards)
    return low + 10 if any(c[0] == "A" for c in cards) and low + 10 <= 21 else low


def blackjack(cards):
    return len(cards) == 2 and worth(cards) == 21


def settle(stake, player, dealer, split=False, beats=True):
    """(outcome, returned, won) of a main wager. split: the hand came from a split, where 21 in two cards is no
    blackjack; beats: a dealer's blackjack beats other 21s (IN-BJ-08; GCB-05 as it stands: equal scores are void)."""
    mine, theirs = worth(player), worth(dealer)
    if mine > 21:  # R2: a bust has lost already, whatever the dealer does
        return "lose", 0, 0
    natural = blackjack(player) and not split
    if natural and not blackjack(dealer):  # IN-BJ-05
        return "blackjack", stake, -(-stake * 3 // 2)
    if blackjack(dealer) and not natural and (beats or mine < 21):  # IN-BJ-08, and less than 21 loses anyway
        return "lose", 0, 0
    if theirs > 21 or mine > theirs:  # IN-BJ-03, -04
        return "win", stake, stake
    if mine == theirs:  # IN-BJ-07: same totals, or both blackjack
        return "push", stake, 0
    return "lose", 0, 0


def dealer_draws(dealer, hands):
    """Must the dealer take a card? Below 17, and only while a hand is left that this could change."""
    open_hands = [h for h in hands if worth(h) <= 21 and not blackjack(h)]
    return bool(open_hands) and worth(dealer) < 17
