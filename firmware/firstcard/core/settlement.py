"""What the bets of a blackjack hand are owed: a pure function of profile, locked wagers and cards.

Clauses stand beside the lines that follow them: IN-BJ-nn is 68 IAC 10-2-4, ND-nn North Dakota's "Betting", GCB-nn the
Gaming Control regulations. What is in none of them comes from the profile as data: the odds of a natural where no text
states them, the dealer's drawing rule.
"""

from firstcard.core import hands, promotions
from firstcard.core.payout import LOSE, PLAYER, PUSH, TIP_BOX, TRAY, WIN, Unread, line, pay

BLACKJACK = "blackjack"
SURRENDER = "surrender"
EVEN_MONEY = "even-money"
INSURANCE_ODDS = (2, 1)  # ND-34


def compare(profile, player, split, dealer):
    """Outcome of one hand against the dealer's final hand: WIN, LOSE, PUSH or BLACKJACK. Raises payout.Unread.

    player, dealer: all their cards; split: the hand came from a split.
    """
    mine = hands.total(player)[0]
    if mine == hands.UNTOLD:
        raise Unread("a player's card is not read")
    if mine > 21:
        return LOSE  # IN-BJ-03/04, GCB-02/03 need 21 or less; both over 21 is no tie (IN-BJ R2, ND R5)
    theirs = hands.total(dealer)[0]
    if theirs == hands.UNTOLD:
        raise Unread("a dealer's card is not read")
    natural = hands.is_natural(player, split=split and not profile.split_natural)  # ND-48; GCB R3
    if hands.is_natural(dealer):
        if natural:
            return PUSH  # IN-BJ-07, GCB-05: both have a blackjack
        if mine == 21 and not profile.dealer_natural_beats_21:
            return PUSH  # GCB-05 as it stands (R2): the scores are equal
        return LOSE  # IN-BJ-08, ND R5: 21 that is no blackjack; below 21 the dealer's sum is higher
    if natural:
        return BLACKJACK  # IN-BJ-05, GCB-04, also against 21 in more cards (IN-BJ R1, GCB R7)
    if theirs > 21 or mine > theirs:
        return WIN  # IN-BJ-03, IN-BJ-04; GCB-02, GCB-03; ND R5
    return PUSH if mine == theirs else LOSE  # IN-BJ-07, GCB-05, ND-26: the same sum


def main_bet(profile, stake, player, split, dealer):
    """(outcome, returned, won) of the original wager of one finished hand, or of an equal one beside a split hand.

    profile: has natural_pays, dealer_natural_beats_21, split_natural, promotions, breakage, smallest_chip. stake:
    locked wager, cents, > 0. Raises payout.Unread.
    """
    outcome = compare(profile, player, split, dealer)
    odds = None
    if profile.promotions and not split:
        odds = promotions.odds(profile, player, dealer)  # IN-BJ-06
    if odds:
        return WIN, stake, pay(stake, odds, profile.breakage, profile.smallest_chip)
    if outcome == BLACKJACK:  # GCB-09, IN-BJ R3, ND R6
        return outcome, stake, pay(stake, profile.natural_pays, profile.breakage, profile.smallest_chip)
    return _even(outcome, stake)


def _even(outcome, stake):
    """(outcome, returned, won) at 1 to 1: GCB-09, IN-BJ R3, ND R5."""
    return outcome, 0 if outcome == LOSE else stake, stake if outcome == WIN else 0


def insurance_bet(stake, dealer):
    """(outcome, returned, won): 2 to 1 if the dealer's first two cards are a natural, else lost. Source: ND-34, R16."""
    for card in dealer:
        if hands.total((card,))[0] == hands.UNTOLD:
            raise Unread("a dealer's card is not read")
    if hands.is_natural(dealer):
        return WIN, stake, pay(stake, INSURANCE_ODDS)
    return LOSE, 0, 0


def tip(outcome, stake):
    """The line of a tip, doubled or not, on a hand with this outcome. Stake and payoff of a winner go to the tip box
    (ND-24; 1 to 1 on a natural as well, R7), of a loser to the tray (ND-25); a tie and even money push (ND-26, ND-38).
    """
    if outcome == LOSE:
        return "tip", LOSE, stake, 0, 0, TRAY
    if outcome == WIN or outcome == BLACKJACK:
        return "tip", WIN, stake, stake, stake, TIP_BOX
    return "tip", PUSH, stake, stake, 0, PLAYER


def hand(profile, stakes, player, split, dealer):
    """Lines of one finished hand in the order main, double, insurance, tip. Bets of 0 cents have no line.

    stakes: (main, double, insurance, tip), cents. A bust hand needs no dealer: give insurance 0 then, and settle it
    by `insurance` when the hole card is known. Raises payout.Unread.
    """
    main, double, insured, tipped = stakes
    outcome, returned, won = main_bet(profile, main, player, split, dealer)
    out = [line("main", outcome, main, returned, won)]
    if double:  # its own wager, at 1 to 1 whatever the hand (ND R17)
        twice, returned, won = _even(WIN if outcome == BLACKJACK else outcome, double)
        out.append(line("double", twice, double, returned, won))
    if insured:
        out.append(insurance(insured, dealer))
    if tipped:
        out.append(tip(outcome, tipped))
    return out


def insurance(stake, dealer):
    """The line of an insurance bet."""
    outcome, returned, won = insurance_bet(stake, dealer)
    return line("insurance", outcome, stake, returned, won)


def even_money(main, tipped=0):
    """Lines of a natural that takes 1 to 1 at once (ND-37; 68 IAC 10-2-1(d)(6): at least that); its tip pushes."""
    out = [line("main", EVEN_MONEY, main, main, main)]
    if tipped:
        out.append(tip(EVEN_MONEY, tipped))
    return out


def surrender(profile, main):
    """Lines of a surrendered hand: half the wager goes back (IN-BJ-09; the amount is a house rule)."""
    return [line("main", SURRENDER, main, pay(main, (1, 2), profile.breakage, profile.smallest_chip))]


def dealer_draws(profile, dealer):
    """True while the dealer must take a card: below 17, and on a soft 17 where the profile's `soft17` is "hit".

    House rule as profile data (option `soft17`); none of the texts at hand contains it. Raises payout.Unread.
    """
    best, soft = hands.total(dealer)
    if best == hands.UNTOLD:
        raise Unread("a dealer's card is not read")
    return best < 17 or (best == 17 and soft and profile.soft17 == "hit")
