"""Blackjack totals (firstcard.core.hands)."""

from firstcard import rules
from firstcard.core import cards, hands


def hand(text):
    return bytes([cards.parse(code) for code in text.split()])


def test_totals():
    for text, best, soft in (
        ("", 0, False),
        ("AS", 11, True),
        ("AS KD", 21, True),
        ("AS AD", 12, True),
        ("AS AD AC", 13, True),
        ("AS AD AC AH 7S", 21, True),  # 11 + 1 + 1 + 1 + 7
        ("AS AD AC AH 8S", 12, False),  # 1 + 1 + 1 + 1 + 8
        ("AS 6D", 17, True),
        ("AS 6D TC", 17, False),
        ("TS 9D", 19, False),
        ("TS 6D 6C", 22, False),
        ("TS KD AC", 21, False),
        ("5S 5D AC", 21, True),
        ("TS KD QC", 30, False),
    ):
        assert hands.total(hand(text)) == (best, soft), text


def test_only_the_first_n_cards_count():
    buf = bytearray(hand("TS 9D KC KC"))
    assert hands.total(buf, 2) == (19, False)
    assert hands.total(buf, 0) == (0, False)
    assert not hands.is_bust(buf, 2)
    assert hands.is_bust(buf, 3)
    assert hands.is_natural(hand("AS KD 5C"), 2)


def test_a_natural_is_two_cards_and_not_from_a_split():
    assert hands.is_natural(hand("AS TD"))
    assert hands.is_natural(hand("JD AS"))
    assert not hands.is_natural(hand("AS TD"), split=True)
    assert not hands.is_natural(hand("7S 7D 7C"))
    assert not hands.is_natural(hand("5S 5D AC"))
    assert not hands.is_natural(hand("AS AD"))
    assert not hands.is_natural(hand("AS"))


def test_an_unread_card_leaves_everything_untold():
    assert hands.total(hand("TS ?? KD")) == (hands.UNTOLD, False)
    assert not hands.is_bust(hand("TS KD QC ??"))
    assert not hands.is_natural(hand("AS ??"))


def test_what_may_be_split_and_what_says_why_not():
    """F01, F04, F18, ND-41, ND-42, ND-47: hands on the spot, from split aces, the parameter that forbids it."""
    dakota = rules.load("us-nd-twentyone")
    indiana = rules.load("us-in-blackjack", {"split_tens": False, "max_hands": 2})
    for profile, text, count, aces, why in (
        (dakota, "8S 8D", 1, False, None),
        (dakota, "KS QD", 1, False, None),
        (dakota, "TS JD", 3, False, None),
        (dakota, "7S 8D", 1, False, "split_tens"),
        (dakota, "AS KD", 1, False, "split_tens"),
        (dakota, "8S 8D", 4, False, "max_hands"),
        (dakota, "AS AD", 1, False, None),
        (dakota, "AS AD", 3, True, None),
        (dakota, "AS AD", 4, True, "max_hands"),
        (indiana, "KS QD", 1, False, "split_tens"),
        (indiana, "KS KD", 1, False, None),
        (indiana, "8S 8D", 2, False, "max_hands"),
        (indiana, "AS AD", 1, True, "resplit_aces"),
        (dakota, "8S 8D 8H", 1, False, "split_tens"),
        (dakota, "8S", 1, False, "split_tens"),
        (dakota, "?? ??", 1, False, "split_tens"),
        (dakota, "8S ??", 1, False, "split_tens"),
    ):
        cards_of = hand(text)
        assert hands.split_refused(profile, cards_of, len(cards_of), count, aces) == why, (profile.id, text, count)


def test_what_may_be_doubled():
    """F07, ND-50: the first two cards, not of split aces."""
    for profile_id in ("us-nd-twentyone", "us-in-blackjack"):
        profile = rules.load(profile_id)
        for n, aces, why in ((2, False, None), (2, True, "aces_one_card"), (1, False, "double"), (3, False, "double")):
            assert hands.double_refused(profile, n, aces) == why
