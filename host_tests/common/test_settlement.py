"""Main wagers of us-in-blackjack: outcomes and money worked out by hand (firstcard.core.settlement).

Rows named C.. are worked examples of the regulation texts (amounts in cents); the others are named after what they try.
"""

from firstcard import rules
from firstcard.core import cards, settlement
from host_tests.common.raising import error_of

#        name, clause, stake, player, from a split, dealer, (outcome, returned, won)
ROWS = (
    ("C01", "IN-BJ-04", 1000, "TS 9D", False, "TC 8H", ("win", 1000, 1000)),
    ("C02", "IN-BJ-05", 1500, "AS KD", False, "TC 9H", ("blackjack", 1500, 2250)),
    ("C04", "IN-BJ-07", 1000, "AS KD", False, "AC QH", ("push", 1000, 0)),
    ("C05", "IN-BJ-08", 1000, "7S 7D 7C", False, "AC QH", ("lose", 0, 0)),
    ("C07", "IN-BJ-07", 1000, "TS 8D", False, "9C 9H", ("push", 1000, 0)),
    ("C08", "IN-BJ-03 R2", 1000, "TS 6D 6C", False, "TC 6H 8D", ("lose", 0, 0)),
    ("C11", "IN-BJ-05 R1", 1000, "AS KD", False, "7C 7H 7S", ("blackjack", 1000, 1500)),
    ("C13", "IN-BJ-03", 2500, "TS 5D", False, "TC 6H 9D", ("win", 2500, 2500)),
    ("C14", "IN-BJ-05", 500, "AS TD", False, "AC 5H 5D", ("blackjack", 500, 750)),
    ("C15", "IN-BJ R3", 1000, "AS KD", True, "TC 7H", ("win", 1000, 1000)),
    ("lower", "IN-BJ-04", 1000, "TS 7D", False, "TC 8H", ("lose", 0, 0)),
    ("bust, dealer stands", "IN-BJ-03", 1000, "TS 6D 6C", False, "TC 7H", ("lose", 0, 0)),
    ("bust by one, dealer natural", "IN-BJ-03", 1000, "TS 6D 6C", False, "AC QH", ("lose", 0, 0)),
    ("natural, dealer bust", "IN-BJ-05", 1000, "AS KD", False, "TC 6H 9D", ("blackjack", 1000, 1500)),
    ("21 in three against 21 in three", "IN-BJ-07", 1000, "7S 7D 7C", False, "5C 6H TD", ("push", 1000, 0)),
    ("split 21 against a dealer natural", "IN-BJ-08", 1000, "AS KD", True, "AC QH", ("lose", 0, 0)),
    ("split 21 against 21 in three", "IN-BJ-07", 1000, "AS KD", True, "7C 7H 7S", ("push", 1000, 0)),
    ("20 against a dealer natural", "IN-BJ-08", 1000, "KS KD", False, "AC QH", ("lose", 0, 0)),
    ("soft 19 against 18", "IN-BJ-04", 2500, "AS 8D", False, "9C 9H", ("win", 2500, 2500)),
    ("stiff wins when the dealer busts", "IN-BJ-03", 100, "2S 2D", False, "TC 6H KD", ("win", 100, 100)),
)


def hand(text):
    return bytes([cards.parse(code) for code in text.split()])


def test_rows():
    profile = rules.load("us-in-blackjack")
    for name, clause, stake, player, split, dealer, expected in ROWS:
        seen = settlement.main_bet(profile, stake, hand(player), split, hand(dealer))
        assert seen == expected, (name, clause, seen)


def test_odds_come_from_the_profile():
    profile = rules.load("us-in-blackjack", {"natural_pays": [6, 5]})
    seen = settlement.main_bet(profile, 1000, hand("AS KD"), False, hand("TC 9H"))
    assert seen == ("blackjack", 1000, 1200)
    assert settlement.main_bet(profile, 1000, hand("TS 9D"), False, hand("TC 8H")) == ("win", 1000, 1000)


def test_half_cents_are_exact_or_an_error_never_rounded_silently():
    player, dealer = hand("AS KD"), hand("TC 9H")
    profile = rules.load("us-in-blackjack")
    assert settlement.main_bet(profile, 50, player, False, dealer) == ("blackjack", 50, 75)
    assert settlement.main_bet(profile, 700, player, False, dealer) == ("blackjack", 700, 1050)
    error = error_of(settlement.Inexact, settlement.main_bet, profile, 25, player, False, dealer)  # 37.5 cents
    assert "3:2" in str(error) and "25" in str(error)
    up = rules.load("us-in-blackjack", {"breakage": "up"})
    down = rules.load("us-in-blackjack", {"breakage": "down"})
    assert settlement.main_bet(up, 25, player, False, dealer) == ("blackjack", 25, 38)
    assert settlement.main_bet(down, 25, player, False, dealer) == ("blackjack", 25, 37)
    assert settlement.main_bet(up, 50, player, False, dealer) == ("blackjack", 50, 75)


class Literal:
    """A text that calls equal scores void even against a dealer's natural (GCB-05, literal reading)."""

    natural_pays = (3, 2)
    dealer_natural_beats_21 = False
    breakage = "none"


def test_a_literal_text_pushes_21_against_a_dealer_natural():
    assert settlement.main_bet(Literal, 1000, hand("7S 7D 7C"), False, hand("AC QH")) == ("push", 1000, 0)
    assert settlement.main_bet(Literal, 1000, hand("KS KD"), False, hand("AC QH")) == ("lose", 0, 0)


def test_an_unread_card_is_an_error_unless_the_hand_is_bust_anyway():
    profile = rules.load("us-in-blackjack")
    error_of(settlement.Unread, settlement.main_bet, profile, 1000, hand("TS ??"), False, hand("TC 8H"))
    error_of(settlement.Unread, settlement.main_bet, profile, 1000, hand("TS 9D"), False, hand("TC ??"))
    assert settlement.main_bet(profile, 1000, hand("TS 6D 6C"), False, hand("TC ??")) == ("lose", 0, 0)


def test_the_dealer_draws_to_17_and_on_a_soft_17_only_where_the_house_says_hit():
    stand = rules.load("us-in-blackjack")
    hit = rules.load("us-in-blackjack", {"soft17": "hit"})
    for text, draws, draws_hit in (
        ("TC 6H", True, True),
        ("TC 7H", False, False),
        ("AC 5H", True, True),
        ("AC 6H", False, True),
        ("AC 6H TD", False, False),  # 17, hard
        ("AC AH 5D", False, True),  # 11 + 1 + 5
        ("AC 7H", False, False),
        ("TC 6H 6D", False, False),
        ("AC KH", False, False),
        ("2C 2H", True, True),
    ):
        assert settlement.dealer_draws(stand, hand(text)) == draws, text
        assert settlement.dealer_draws(hit, hand(text)) == draws_hit, text
    error_of(settlement.Unread, settlement.dealer_draws, stand, hand("TC ??"))
