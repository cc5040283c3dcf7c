"""Card numbers, codes and the count per deck (firstcard.core.cards)."""

from firstcard.core import cards
from host_tests.common.raising import error_of


def test_every_card_has_its_own_code_and_comes_back_from_it():
    codes = [cards.name(card) for card in range(52)]
    assert len(set(codes)) == 52
    assert codes[0] == "2S" and codes[33] == "TH" and codes[51] == "AC"
    for card in range(52):
        assert cards.parse(codes[card]) == card


def test_small_letters_and_the_unread_card_are_understood():
    assert cards.name(cards.parse("th")) == "TH"
    assert cards.parse("??") == cards.UNKNOWN
    assert cards.name(cards.UNKNOWN) == "??"


def test_what_is_no_card_is_refused():
    for code in ("", "T", "10H", "TX", "1H", "HT", "**", "?", "???", "T H"):
        assert "TH" in str(error_of(ValueError, cards.parse, code)), code


def test_points_and_ranks():
    for code, points in (("2S", 2), ("9D", 9), ("TH", 10), ("JC", 10), ("QS", 10), ("KD", 10), ("AH", 11), ("??", 0)):
        assert cards.points(cards.parse(code)) == points, code
    assert cards.rank(cards.parse("8S")) == cards.rank(cards.parse("8C"))
    assert cards.rank(cards.parse("TH")) != cards.rank(cards.parse("JH"))
    assert cards.rank(cards.UNKNOWN) not in [cards.rank(card) for card in range(52)]


def test_one_card_more_than_the_decks_hold_is_a_duplicate():
    tally = cards.Tally(2)
    ace = cards.parse("AS")
    assert [tally.add(ace), tally.add(ace), tally.add(ace)] == [False, False, True]
    assert not tally.add(cards.parse("AH"))
    tally.clear(False)  # a round begins, and no shoe has told of a shuffle
    assert [tally.add(ace), tally.add(ace), tally.add(ace)] == [False, False, True]
    tally.clear(True)  # a shuffle
    assert [tally.add(ace), tally.add(ace)] == [False, False]
    tally.clear(False)  # from now on the rounds of a shoe count together
    assert tally.add(ace)
    tally.clear(True)
    assert not tally.add(ace)


def test_unread_cards_are_never_duplicates():
    tally = cards.Tally(1)
    for _ in range(300):
        assert not tally.add(cards.UNKNOWN)
