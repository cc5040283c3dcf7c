"""Every two-card and every three-card hand of one suit-blind deck, totals by a table written out by hand."""

from firstcard.core import cards, hands

LOW = {"A": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9, "T": 10, "J": 10, "Q": 10, "K": 10}
RANKS = "23456789TJQKA"


def test_all_hands_of_two_and_three_cards():
    for first in RANKS:
        for second in RANKS:
            for third in ("",) + tuple(RANKS):
                letters = [letter for letter in (first, second, third) if letter]
                low = sum(LOW[letter] for letter in letters)
                soft = "A" in letters and low <= 11
                hand = [cards.parse(letter + "SHD"[place]) for place, letter in enumerate(letters)]
                assert hands.total(hand) == (low + 10 if soft else low, soft), letters
                assert hands.is_bust(hand) == (low > 21)
                natural = len(letters) == 2 and low == 11 and soft
                assert hands.is_natural(hand) == natural
                assert not hands.is_natural(hand, split=True)


def test_21_aces_and_the_card_that_is_too_much_are_a_hand():
    """The longest hand of eight decks: 22 cards."""
    hand = hands.Hand(1, 1)
    for n in range(22):
        hand.add(48, n + 1)
    assert hand.total() == 22 and hand.bust()
