"""Three card poker: the rank of a hand and what ante, play and bonus are owed. Source: 68 IAC 10-11-6, IN-TCP-nn.

The text does not rank hands; reading R4: straight flush, three of a kind, straight, flush, pair, high card; A-K-Q is
the highest straight, 3-2-A the lowest, 2-A-K none; suits break no tie.
"""

from firstcard.core.payout import LOSE, PUSH, WIN, Unread, line, pay

HIGH, PAIR, FLUSH, STRAIGHT, TRIPS, STRAIGHT_FLUSH = range(6)
FOLD = "fold"
UNTOLD = -1  # rank of what is not three cards that have been read
QUEEN_HIGH = 10 << 8  # HIGH with a queen, whatever follows


def rank3(hand):
    """Rank of three cards: higher beats lower, equal is a tie; UNTOLD if a card is unread or there are not three.

    category << 12, then the deciding ranks (0 for a two ... 12 for an ace), 4 bits each, most important first.
    """
    if len(hand) != 3:
        return UNTOLD
    high, middle, low = hand
    flush = high & 3 == middle & 3 == low & 3
    high >>= 2
    middle >>= 2
    low >>= 2
    if high < middle:
        high, middle = middle, high
    if middle < low:
        middle, low = low, middle
    if high < middle:
        high, middle = middle, high
    if high > 12:
        return UNTOLD
    if high == low:
        return TRIPS << 12 | high << 8
    if high == middle or middle == low:
        return PAIR << 12 | middle << 8 | (low if high == middle else high)
    wheel = high == 12 and middle == 1 and low == 0
    if wheel or high == low + 2:
        return (STRAIGHT_FLUSH if flush else STRAIGHT) << 12 | (middle if wheel else high) << 8
    return (FLUSH if flush else HIGH) << 12 | high << 8 | middle << 4 | low


def category(rank):
    """HIGH ... STRAIGHT_FLUSH of a rank, UNTOLD of UNTOLD."""
    return rank >> 12


def qualifies(rank):
    """The dealer plays with queen high or better (IN-TCP-06)."""
    return rank >= QUEEN_HIGH


def bonus(profile, ante, patron):
    """Ante bonus of the patron's own hand in cents, 0 if none; due whatever the dealer has (IN-TCP-11, -12).

    `patron`: rank of the hand. Profile: bonus_pays for straight flush, three of a kind, straight, each to 1.
    """
    place = STRAIGHT_FLUSH - category(patron)
    return ante * profile.bonus_pays[place] if place < 3 else 0


def settle(profile, ante, play, hand, dealer):
    """Lines (payout) for ante, play and, if due, bonus. Cents; `play` 0 is a fold, which needs no dealer's cards.

    hand, dealer: their three cards. Raises payout.Unread.
    """
    patron = rank3(hand)
    if not play:
        out = [line("ante", FOLD, ante)]  # IN-TCP-02, -03
        if not profile.fold_bonus:
            return out  # R3: the hand is out
    theirs = rank3(dealer) if play else 0
    if patron == UNTOLD or theirs == UNTOLD:
        raise Unread("a card is not read")
    if play:
        first = second = PUSH  # IN-TCP-10: a tie (R1)
        if not qualifies(theirs):
            first = WIN  # IN-TCP-07, also with the lower hand; the play bet pushes
        elif theirs > patron:
            first = second = LOSE  # IN-TCP-08
        elif theirs < patron:
            first = second = WIN  # IN-TCP-09
        out = [
            _line(profile, "ante", first, ante, profile.ante_pays),
            _line(profile, "play", second, play, profile.play_pays),
        ]
    due = bonus(profile, ante, patron)
    if due:
        out.append(line("bonus", WIN, 0, 0, due))
    return out


def _line(profile, bet, outcome, stake, odds):
    won = pay(stake, odds, profile.breakage, profile.smallest_chip) if outcome == WIN else 0
    return line(bet, outcome, stake, 0 if outcome == LOSE else stake, won)
