"""Money of blackjack hands under all three texts, worked out by hand (firstcard.core.settlement).

Rows named by a letter and two digits are worked examples of the regulation texts (amounts in cents), a and b their
hands; the others are named after what they try.
"""

from firstcard import rules
from firstcard.core import cards, payout, settlement
from host_tests.common.raising import error_of

PROFILES = {
    "ND": ("us-nd-twentyone", {"tips": True, "tip_double": True}),
    "IN": ("us-in-blackjack", {}),
    "GCB literal": ("gcb-blackjack", {"dealer_natural_beats_21": False}),
    "GCB customary": ("gcb-blackjack", {"dealer_natural_beats_21": True}),
    "GCB split": ("gcb-blackjack", {"dealer_natural_beats_21": True, "split_natural": True}),
}

#    name, profile, clauses, (main, double, insurance, tip), player, from a split, dealer,
#    {bet: (outcome, returned, won, to)}
ROWS = (
    ("C01", "ND", "ND R5", (1000,), "TS 9D", False, "TC 8H", {"main": ("win", 1000, 1000, "player")}),
    ("C02", "ND", "ND R6", (1500,), "AS KD", False, "TC 9H", {"main": ("blackjack", 1500, 2250, "player")}),
    ("C04", "IN", "IN-BJ-07", (1000,), "AS KD", False, "AC QH", {"main": ("push", 1000, 0, "player")}),
    ("C05", "IN", "IN-BJ-08", (1000,), "7S 7D 7C", False, "AC QH", {"main": ("lose", 0, 0, "tray")}),
    ("C07", "IN", "IN-BJ-07", (1000,), "TS 8D", False, "9C 9H", {"main": ("push", 1000, 0, "player")}),
    ("C08", "IN", "IN-BJ-03 R2", (1000,), "TS 6D 6C", False, "TC 6H 8D", {"main": ("lose", 0, 0, "tray")}),
    ("C09 literal", "GCB literal", "GCB-05 R2", (1000,), "7S 7D 7C", False, "AC QH",
     {"main": ("push", 1000, 0, "player")}),
    ("C10", "GCB customary", "GCB-05 R2", (1000,), "7S 7D 7C", False, "AC QH", {"main": ("lose", 0, 0, "tray")}),
    ("C11", "GCB literal", "GCB-04 GCB-09 R7", (1000,), "AS KD", False, "7C 7H 7S",
     {"main": ("blackjack", 1000, 1500, "player")}),
    ("C13", "IN", "IN-BJ-03", (2500,), "TS 5D", False, "TC 6H 9D", {"main": ("win", 2500, 2500, "player")}),
    ("C14", "IN", "IN-BJ-05", (500,), "AS TD", False, "AC 5H 5D", {"main": ("blackjack", 500, 750, "player")}),
    ("C15", "ND", "ND-48", (1000,), "AS KD", True, "TC 7H", {"main": ("win", 1000, 1000, "player")}),
    ("D01", "ND", "ND-20 ND-24", (500, 0, 0, 100), "TS 9D", False, "TC 8H",
     {"main": ("win", 500, 500, "player"), "tip": ("win", 100, 100, "tip-box")}),
    ("D02", "ND", "ND-25", (500, 0, 0, 50), "TS 7D", False, "TC 8H",
     {"main": ("lose", 0, 0, "tray"), "tip": ("lose", 0, 0, "tray")}),
    ("tip pushes with the hand", "ND", "ND-26", (500, 0, 0, 50), "TS 8D", False, "TC 8H",
     {"main": ("push", 500, 0, "player"), "tip": ("push", 50, 0, "player")}),
    ("tip on a natural is 1 to 1", "ND", "ND R7", (1000, 0, 0, 200), "AS KD", False, "TC 9H",
     {"main": ("blackjack", 1000, 1500, "player"), "tip": ("win", 200, 200, "tip-box")}),
    ("D07", "ND", "ND-23", (300, 0, 0, 500), "TS 9D", False, "TC 8H",
     {"main": ("win", 300, 300, "player"), "tip": ("win", 500, 500, "tip-box")}),
    ("E01", "ND", "ND-34", (1000, 0, 500, 0), "TS 8D", False, "AC QH",
     {"main": ("lose", 0, 0, "tray"), "insurance": ("win", 500, 1000, "player")}),
    ("E02", "ND", "ND-34", (1000, 0, 500, 0), "TS 9D", False, "AC 7H",
     {"main": ("win", 1000, 1000, "player"), "insurance": ("lose", 0, 0, "tray")}),
    ("insured 21 in three", "ND", "ND-34 R16", (1000, 0, 500, 0), "TS 8D", False, "AC 5H 5D",
     {"main": ("lose", 0, 0, "tray"), "insurance": ("lose", 0, 0, "tray")}),
    ("F01a", "ND", "ND-41", (500,), "KS 9D", True, "TC 8H", {"main": ("win", 500, 500, "player")}),
    ("F01b", "ND", "ND-41", (500,), "QD 5C 8H", True, "TC 8H", {"main": ("lose", 0, 0, "tray")}),
    ("F02a", "ND", "ND-47 ND-48", (1000,), "AS KD", True, "TC 9H", {"main": ("win", 1000, 1000, "player")}),
    ("F02b", "ND", "ND-47 ND-48", (1000,), "AD 5C", True, "TC 9H", {"main": ("lose", 0, 0, "tray")}),
    ("F08", "ND", "ND-50 ND-53", (1000, 1000, 0, 0), "6S 5D TC", False, "TC 9H",
     {"main": ("win", 1000, 1000, "player"), "double": ("win", 1000, 1000, "player")}),
    ("F10", "ND", "ND-52", (1000, 600, 0, 0), "6S 5D 9C", False, "TC 9H",
     {"main": ("win", 1000, 1000, "player"), "double": ("win", 600, 600, "player")}),
    ("F14a", "ND", "ND-20 R14", (500, 0, 0, 100), "8S TD", True, "TC 9H",
     {"main": ("lose", 0, 0, "tray"), "tip": ("lose", 0, 0, "tray")}),
    ("F14b", "ND", "ND-20 R14", (500,), "8D 3C TH", True, "TC 9H", {"main": ("win", 500, 500, "player")}),
    ("F16", "IN", "IN-BJ-09", (1000, 700, 0, 0), "6S 5D 4C", False, "TC 9H",
     {"main": ("lose", 0, 0, "tray"), "double": ("lose", 0, 0, "tray")}),
    ("doubled push", "IN", "IN-BJ-07", (1000, 700, 0, 0), "6S 5D 8C", False, "TC 9H",
     {"main": ("push", 1000, 0, "player"), "double": ("push", 700, 0, "player")}),
    ("doubled 21 is no natural", "ND", "ND R17", (1000, 1000, 0, 0), "AS KD TH", False, "TC 9H",
     {"main": ("win", 1000, 1000, "player"), "double": ("win", 1000, 1000, "player")}),
    ("doubled and tip doubled", "ND", "ND-51 ND-56", (1000, 1000, 0, 400), "6S 5D TC", False, "TC 9H",
     {"main": ("win", 1000, 1000, "player"), "double": ("win", 1000, 1000, "player"),
      "tip": ("win", 400, 400, "tip-box")}),
    ("lower", "IN", "IN-BJ-04", (1000,), "TS 7D", False, "TC 8H", {"main": ("lose", 0, 0, "tray")}),
    ("bust, dealer stands", "IN", "IN-BJ-03", (1000,), "TS 6D 6C", False, "TC 7H", {"main": ("lose", 0, 0, "tray")}),
    ("bust, dealer natural", "IN", "IN-BJ-03", (1000,), "TS 6D 6C", False, "AC QH", {"main": ("lose", 0, 0, "tray")}),
    ("natural, dealer bust", "IN", "IN-BJ-05", (1000,), "AS KD", False, "TC 6H 9D",
     {"main": ("blackjack", 1000, 1500, "player")}),
    ("21 in three, twice", "IN", "IN-BJ-07", (1000,), "7S 7D 7C", False, "5C 6H TD",
     {"main": ("push", 1000, 0, "player")}),
    ("split 21, dealer natural", "IN", "IN-BJ-08", (1000,), "AS KD", True, "AC QH", {"main": ("lose", 0, 0, "tray")}),
    ("split 21, 21 in three", "IN", "IN-BJ-07 R3", (1000,), "AS KD", True, "7C 7H 7S",
     {"main": ("push", 1000, 0, "player")}),
    ("split 21, 21 in three", "GCB customary", "GCB-04 R3", (1000,), "AS KD", True, "7C 7H 7S",
     {"main": ("push", 1000, 0, "player")}),
    ("split natural, 21 in three", "GCB split", "GCB-04 R3", (1000,), "AS KD", True, "7C 7H 7S",
     {"main": ("blackjack", 1000, 1500, "player")}),
    ("two naturals", "GCB customary", "GCB-05", (1000,), "AS KD", False, "AC QH",
     {"main": ("push", 1000, 0, "player")}),
    ("20, dealer natural", "GCB literal", "GCB-03", (1000,), "KS KD", False, "AC QH", {"main": ("lose", 0, 0, "tray")}),
    ("20, dealer natural", "IN", "IN-BJ-08", (1000,), "KS KD", False, "AC QH", {"main": ("lose", 0, 0, "tray")}),
    ("soft 19", "IN", "IN-BJ-04", (2500,), "AS 8D", False, "9C 9H", {"main": ("win", 2500, 2500, "player")}),
    ("dealer at 22", "IN", "IN-BJ-03", (1000,), "TS 5D", False, "TC 6H 6D", {"main": ("win", 1000, 1000, "player")}),
    ("player at 22", "IN", "IN-BJ-03", (1000,), "TS 6D 6C", False, "TC 6H TD", {"main": ("lose", 0, 0, "tray")}),
    ("stiff, dealer bust", "GCB literal", "GCB-02 GCB-09", (100,), "2S 2D", False, "TC 6H KD",
     {"main": ("win", 100, 100, "player")}),
)


def hand(text):
    return bytes([cards.parse(code) for code in text.split()])


def profile_of(name):
    return rules.load(*PROFILES[name])


def settled(row):
    """The lines that the firmware gives for a row's wagers and cards."""
    _, profile, _, stakes, player, split, dealer, _ = row
    stakes = tuple(stakes) + (0,) * (4 - len(stakes))
    return settlement.hand(profile_of(profile), stakes, hand(player), split, hand(dealer))


def expected(row):
    stakes, told = row[3], row[7]
    out = []
    for place, bet in enumerate(("main", "double", "insurance", "tip")):
        if bet in told:
            outcome, returned, won, to = told[bet]
            out.append((bet, outcome, stakes[place], returned, won, to))
    return out


def test_rows():
    for row in ROWS:
        assert settled(row) == expected(row), (row, settled(row))


def test_odds_come_from_the_profile():
    profile = rules.load("us-in-blackjack", {"natural_pays": [6, 5]})
    seen = settlement.main_bet(profile, 1000, hand("AS KD"), False, hand("TC 9H"))
    assert seen == ("blackjack", 1000, 1200)
    assert settlement.main_bet(profile, 1000, hand("TS 9D"), False, hand("TC 8H")) == ("win", 1000, 1000)


def test_breakage():
    player, dealer = hand("AS KD"), hand("TC 9H")
    for breakage, stake, won in (
        ("none", 50, 75), ("none", 700, 1050), ("none", 525, 788),  # 787.5: the half cent is the player's
        ("up", 700, 1050), ("up", 50, 100), ("up", 525, 800), ("up", 500, 750),
        ("down", 700, 1050), ("down", 50, 50), ("down", 525, 750), ("down", 500, 750),
    ):
        profile = rules.load("us-in-blackjack", {"breakage": breakage})
        seen = settlement.main_bet(profile, stake, player, False, dealer)
        assert seen == ("blackjack", stake, won), (breakage, stake)
    dollars = rules.load("us-in-blackjack", {"breakage": "down", "smallest_chip": "1"})
    assert settlement.main_bet(dollars, 500, player, False, dealer) == ("blackjack", 500, 700)
    assert payout.unpayable(dollars, 750) == 50 and payout.unpayable(dollars, 700) == 0


def test_surrender_gives_half_back():
    profile = rules.load("us-in-blackjack", {"surrender": True})
    assert settlement.surrender(profile, 1000) == [("main", "surrender", 1000, 500, 0, "player")]
    assert settlement.surrender(profile, 525)[0][3] == 263  # 262.5
    down = rules.load("us-in-blackjack", {"surrender": True, "breakage": "down"})
    assert settlement.surrender(down, 525)[0][3] == 250


def test_even_money_is_paid_at_once_and_the_tip_pushes():
    """E12, E15: ND-37, ND-38; 68 IAC 10-2-1(d)(6)."""
    assert settlement.even_money(1000, 200) == [
        ("main", "even-money", 1000, 1000, 1000, "player"), ("tip", "push", 200, 200, 0, "player")]
    assert settlement.even_money(1000) == [("main", "even-money", 1000, 1000, 1000, "player")]


def test_a_void_bet_goes_back():
    assert payout.void("tip", 200) == ("tip", "void", 200, 200, 0, "player")


def test_a_bust_hand_needs_no_dealer():
    profile = profile_of("ND")
    assert settlement.hand(profile, (500, 500, 0, 100), hand("TS 6D 6C"), False, b"") == [
        ("main", "lose", 500, 0, 0, "tray"), ("double", "lose", 500, 0, 0, "tray"), ("tip", "lose", 100, 0, 0, "tray")]


def test_unread_cards_are_never_settled():
    profile = profile_of("IN")
    for player, dealer in (("TS ??", "TC 9H"), ("TS 9D", "TC ??"), ("AS KD", "AC ??")):
        error_of(payout.Unread, settlement.compare, profile, hand(player), False, hand(dealer))
    error_of(payout.Unread, settlement.insurance, 500, hand("AC ??"))
    error_of(payout.Unread, settlement.dealer_draws, profile, hand("AC ??"))


def test_an_approved_promotion_wins():
    """H08, IN-BJ-06: all cards of the hand, in any order, suited where it says so."""
    profile = rules.load("us-in-blackjack", {"promotions": [
        {"cards": "7-7-7 suited", "pays": [3, 1], "approval": "ED-17"}, "6-7-8 pays 2:1 approved ED-18"]})
    for player, split, dealer, told in (
        ("7S 7S 7S", False, "TC 9H", ("win", 1000, 3000)),
        ("7S 7S 7S", False, "7C 7H 7D", ("win", 1000, 3000)),  # else a push
        ("7S 7S 7D", False, "TC 9H", ("win", 1000, 1000)),  # not of one suit
        ("8S 6D 7C", False, "TC 9H", ("win", 1000, 2000)),
        ("8S 6D 7C", True, "TC 9H", ("win", 1000, 1000)),  # not on a split hand
        ("8S 6D 7C", False, "AC KH", ("lose", 0, 0)),  # IN-BJ-08 names this loss
        ("8S 6D 5C 2H", False, "TC KH", ("win", 1000, 1000)),
        ("7S 7S 7D 2H", False, "TC 6H TD", ("lose", 0, 0)),  # over 21 by other cards
        ("7H 7S 7S", False, "TC 9H", ("win", 1000, 1000)),
    ):
        seen = settlement.main_bet(profile, 1000, hand(player), split, hand(dealer))
        assert seen == told, (player, split, dealer, seen)
    promotions = ["9-9-9 pays 3:1 approved ED-19", "T-T pays 2:1 approved ED-20"]
    bust = rules.load("us-in-blackjack", {"promotions": promotions})
    assert settlement.main_bet(bust, 1000, hand("9S 9D 9C"), False, hand("TC 9H")) == ("lose", 0, 0)
    assert settlement.main_bet(bust, 1000, hand("TS TD"), False, hand("TC TH")) == ("win", 1000, 2000)


def test_the_dealer_draws_below_17_and_by_option_on_a_soft_17():
    stand = rules.load("us-in-blackjack")
    hit = rules.load("us-in-blackjack", {"soft17": "hit"})
    for text, stands, hits in (("TC 6H", True, True), ("TC 7H", False, False), ("AC 6H", False, True),
                               ("AC 6H TD", False, False), ("AC 7H", False, False)):
        assert settlement.dealer_draws(stand, hand(text)) == stands, text
        assert settlement.dealer_draws(hit, hand(text)) == hits, text
