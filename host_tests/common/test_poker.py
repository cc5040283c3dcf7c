"""Three card poker: ranks and money worked out by hand (firstcard.core.poker). Rows G.. are worked examples."""

from firstcard import rules
from firstcard.core import cards, payout, poker
from host_tests.common.raising import error_of

#    name, clauses, ante, play, patron, dealer, {bet: (outcome, returned, won)}
ROWS = (
    ("G01", "IN-TCP-07", 1000, 1000, "KS 9D 4C", "JC TH 8S", {"ante": ("win", 1000, 1000), "play": ("push", 1000, 0)}),
    ("G02", "IN-TCP-07", 1000, 1000, "QS 4D 3C", "JC TH 8S", {"ante": ("win", 1000, 1000), "play": ("push", 1000, 0)}),
    ("G04", "IN-TCP-06", 1000, 1000, "KS 9D 4C", "QC 3H 2S",
     {"ante": ("win", 1000, 1000), "play": ("win", 1000, 1000)}),
    ("G06", "IN-TCP-08", 1000, 1000, "JS 9D 4C", "QC 9H 4S", {"ante": ("lose", 0, 0), "play": ("lose", 0, 0)}),
    ("G07", "IN-TCP-10 R1", 1000, 1000, "KS 9D 4C", "KC 9H 4S", {"ante": ("push", 1000, 0), "play": ("push", 1000, 0)}),
    ("G09", "IN-TCP-11 IN-TCP-12", 1000, 1000, "9S 9D 9C", "JC QH KS",
     {"ante": ("win", 1000, 1000), "play": ("win", 1000, 1000), "bonus": ("win", 0, 4000)}),
    ("G10", "IN-TCP-11 IN-TCP-12", 1000, 1000, "4S 5S 6S", "JC TH 8S",
     {"ante": ("win", 1000, 1000), "play": ("push", 1000, 0), "bonus": ("win", 0, 5000)}),
    ("G11", "IN-TCP-12 R4", 1000, 1000, "AS 2D 3C", "JC TH 8S",
     {"ante": ("win", 1000, 1000), "play": ("push", 1000, 0), "bonus": ("win", 0, 1000)}),
    ("G14", "IN-TCP-02", 1000, 0, "7S 5D 2C", "QC 9H 4S", {"ante": ("fold", 0, 0)}),
    ("G16", "IN-TCP-12 R4", 1500, 1500, "AS KD QC", "JC TH 8S",
     {"ante": ("win", 1500, 1500), "play": ("push", 1500, 0), "bonus": ("win", 0, 1500)}),
    ("G24", "IN-TCP-09", 1000, 1000, "2S 5S 9S", "AC AH 5D",
     {"ante": ("win", 1000, 1000), "play": ("win", 1000, 1000)}),
    ("G25", "IN-TCP-10", 700, 700, "QS 9D 4C", "QC 9H 4S", {"ante": ("push", 700, 0), "play": ("push", 700, 0)}),
    ("bonus though the dealer wins", "IN-TCP-11", 1000, 1000, "4S 5D 6C", "9C 9H 9S",
     {"ante": ("lose", 0, 0), "play": ("lose", 0, 0), "bonus": ("win", 0, 1000)}),
    ("lower than a dealer who does not qualify", "IN-TCP-07", 1000, 1000, "7S 5D 2C", "JC TH 8S",
     {"ante": ("win", 1000, 1000), "play": ("push", 1000, 0)}),
    ("a folded straight has no bonus", "IN-TCP-03 R3", 1000, 0, "4S 5D 6C", "9C 9H 9S", {"ante": ("fold", 0, 0)}),
    ("a low pair qualifies", "IN-TCP-06", 1000, 1000, "AS KD JC", "2C 2H 3S",
     {"ante": ("lose", 0, 0), "play": ("lose", 0, 0)}),
    ("the second card decides", "IN-TCP-09", 1000, 1000, "QS 9D 2C", "QC 8H 7S",
     {"ante": ("win", 1000, 1000), "play": ("win", 1000, 1000)}),
)

BY_RANK = (  # one of each kind and its neighbours, the lowest first
    "5S 3D 2C", "JS TD 8C", "QS 3D 2C", "QS 4D 2C", "QS 4D 3C", "KS 3D 2C", "AS 4D 2C", "AS KD JC",
    "2S 2D 3C", "2S 2D AC", "3S 3D 2C", "AS AD KC",
    "5S 3S 2S", "AS KS JS", "AS 2D 3C", "2S 3D 4C", "QS KD JC", "AS KD QC",
    "2S 2D 2C", "AS AD AC", "AS 2S 3S", "2S 3S 4S", "AS KS QS",
)


def hand(text):
    return bytes([cards.parse(code) for code in text.split()])


def lines(row):
    _, _, ante, play, _, _, told = row
    out = []
    for bet, stake in (("ante", ante), ("play", play), ("bonus", 0)):
        if bet in told:
            outcome, returned, won = told[bet]
            out.append((bet, outcome, stake, returned, won, "player" if returned or won else "tray"))
    return out


def test_rows():
    profile = rules.load("us-in-three-card-poker")
    for row in ROWS:
        seen = poker.settle(profile, row[2], row[3], hand(row[4]), hand(row[5]))
        assert seen == lines(row), (row, seen)


def test_a_better_pay_table_pays_more():
    """G18: R7, the odds are minima."""
    profile = rules.load("us-in-three-card-poker", {"bonus_pays": [6, 5, 1], "ante_pays": "3:2", "play_pays": [2, 1]})
    assert poker.settle(profile, 500, 500, hand("4S 5S 6S"), hand("QC 9H 4D")) == [
        ("ante", "win", 500, 500, 750, "player"), ("play", "win", 500, 500, 1000, "player"),
        ("bonus", "win", 0, 0, 3000, "player")]


def test_a_folded_hand_takes_its_bonus_where_the_house_says_so():
    profile = rules.load("us-in-three-card-poker", {"fold_bonus": True})
    assert poker.settle(profile, 500, 0, hand("4S 5D 6C"), b"") == [
        ("ante", "fold", 500, 0, 0, "tray"), ("bonus", "win", 0, 0, 500, "player")]
    assert len(poker.settle(profile, 500, 0, hand("4S 5D 9C"), b"")) == 1


def test_ranks_in_order_whatever_the_order_of_the_cards():
    before = -1
    for text in BY_RANK:
        codes = text.split()
        rank = poker.rank3(hand(text))
        assert rank > before, text
        for order in ((0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)):
            assert poker.rank3(hand(" ".join([codes[place] for place in order]))) == rank, text
        before = rank


def test_suits_break_no_tie_and_a_king_ace_two_is_no_straight():
    assert poker.rank3(hand("QS 9D 4C")) == poker.rank3(hand("QC 9H 4S"))
    assert poker.category(poker.rank3(hand("KS AD 2C"))) == poker.HIGH


def test_queen_high_qualifies():
    for text, plays in (("QC 3H 2S", True), ("JC TH 8S", False), ("JC TH 9S", True), ("2C 2H 3S", True),
                        ("5S 3S 2S", True), ("KC 3H 2S", True), ("JC 9H 8S", False)):
        assert poker.qualifies(poker.rank3(hand(text))) == plays, text


def test_what_is_not_three_read_cards_is_never_settled():
    profile = rules.load("us-in-three-card-poker")
    for text in ("QS 9D", "QS 9D 4C 3H", "QS 9D ??", "?? ?? ??", ""):
        assert poker.rank3(hand(text)) == poker.UNTOLD
        assert not poker.qualifies(poker.UNTOLD)
        error_of(payout.Unread, poker.settle, profile, 500, 500, hand(text), hand("QC 9H 4S"))
        error_of(payout.Unread, poker.settle, profile, 500, 500, hand("QC 9H 4S"), hand(text))
    assert poker.settle(profile, 500, 0, hand("QS 9D ??"), b"") == [("ante", "fold", 500, 0, 0, "tray")]
