"""What a main wager is owed: a pure function of profile, stake and cards (clauses of 68 IAC 10-2-4, `IN-BJ-nn`).

Clauses that are not in that text come from the profile as data: 1 to 1 for an ordinary win and the odds of a
blackjack lie in its section 5 (reading R3), the dealer's drawing rule in neither.
"""

from firstcard.core import hands

WIN = "win"
LOSE = "lose"
PUSH = "push"
BLACKJACK = "blackjack"


class Inexact(ValueError):
    """The odds give a fraction of a cent and the profile's `breakage` does not say what becomes of it."""


class Unread(ValueError):
    """A card that the outcome depends on has not been read: enter it first."""


def main_bet(profile, stake, player, split, dealer):
    """(outcome, returned, won) of the original wager of one finished hand; cents.

    profile: has natural_pays (two ints), dealer_natural_beats_21, breakage. stake: locked wager, cents, > 0.
    player, dealer: all their cards; split: the hand came from a split. `returned` is stake that goes back, `won` is
    paid on top. Raises Unread, and Inexact where 3:2 of the stake is no whole number of cents.
    """
    outcome = compare(profile, player, split, dealer)
    if outcome == LOSE:
        return outcome, 0, 0
    if outcome == PUSH:
        return outcome, stake, 0
    if outcome == WIN:
        return outcome, stake, stake
    return outcome, stake, pay(stake, profile.natural_pays, profile.breakage)


def compare(profile, player, split, dealer):
    """Outcome of one hand against the dealer's final hand: WIN, LOSE, PUSH or BLACKJACK."""
    mine = hands.total(player)[0]
    if mine == hands.UNTOLD:
        raise Unread("a player's card is not read")
    if mine > 21:
        return LOSE  # IN-BJ-03/04 need 21 or less; both over 21 is no tie (R2)
    theirs = hands.total(dealer)[0]
    if theirs == hands.UNTOLD:
        raise Unread("a dealer's card is not read")
    natural = hands.is_natural(player, split=split)
    if hands.is_natural(dealer):
        if natural:
            return PUSH  # IN-BJ-07: both have a blackjack
        if mine == 21 and not profile.dealer_natural_beats_21:
            return PUSH  # only where a text says so; IN-BJ-08 does not
        return LOSE  # IN-BJ-08: 21 that is no blackjack; below 21 the dealer's sum is higher
    if natural:
        return BLACKJACK  # IN-BJ-05, also against 21 in more cards (R1)
    if theirs > 21 or mine > theirs:
        return WIN  # IN-BJ-03, IN-BJ-04
    return PUSH if mine == theirs else LOSE  # IN-BJ-07: the same sum


def pay(stake, odds, breakage="none"):
    """`stake` at odds (3, 2) in whole cents. A fraction goes "up" or "down" where the profile says so, else Inexact."""
    won, rest = divmod(stake * odds[0], odds[1])
    if rest:
        if breakage == "none":
            raise Inexact("%d:%d of %d cents is no whole number of cents" % (odds[0], odds[1], stake))
        if breakage == "up":
            won += 1
    return won


def dealer_draws(profile, dealer):
    """True while the dealer must take a card: below 17, and on a soft 17 where the profile's `soft17` is "hit".

    House rule as profile data (options `soft17`); the Indiana text at hand does not contain it. Raises Unread.
    """
    best, soft = hands.total(dealer)
    if best == hands.UNTOLD:
        raise Unread("a dealer's card is not read")
    return best < 17 or (best == 17 and soft and profile.soft17 == "hit")
