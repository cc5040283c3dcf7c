"""Card codes against the contract's list of codes."""

from hypothesis import given
from hypothesis import strategies as st

from firstcard.core import cards

CODES = {rank + suit for rank in "23456789TJQKA" for suit in "SHDC"}


def test_the_codes_are_those_of_the_events():
    assert {cards.name(card) for card in range(52)} == CODES


@given(st.text(max_size=3))
def test_parse_takes_codes_and_nothing_else(text):
    try:
        card = cards.parse(text)
    except ValueError:
        assert text.upper() not in CODES | {"??"}
    else:
        assert cards.name(card) == text.upper()


@given(st.lists(st.integers(0, 52), max_size=900), st.integers(1, 8))
def test_duplicates_against_a_list(drawn, decks):
    tally = cards.Tally(decks)
    seen = []
    for card in drawn:
        seen.append(card)
        assert tally.add(card) == (card != cards.UNKNOWN and seen.count(card) > decks)
