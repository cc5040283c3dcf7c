"""Winning card combinations that a house offers with its regulator's approval. Source: IN-BJ-06."""

from firstcard.core import cards, hands


def odds(profile, player, dealer):
    """Odds of the first promotion of the profile that these cards, all of them, are; else None.

    Not on a split hand (the caller's business), not over 21, and not against a dealer's blackjack: IN-BJ-08 names
    that loss. Cards in any order.
    """
    ranks = sorted([cards.rank(card) for card in player])
    suited = True
    for card in player:
        suited = suited and card & 3 == player[0] & 3
    for wanted, one_suit, pays, _ in profile.promotions:
        if ranks == list(wanted) and (suited or not one_suit):
            if hands.is_bust(player) or hands.is_natural(dealer):
                return None
            return pays
    return None
