"""Every three card hand against another library's, every pair of classes against a second way of settling."""

from collections import Counter
from itertools import combinations

import pytest
from pokerkit import RhodeIslandHoldemHand

from firstcard import rules
from firstcard.core import cards, poker
from host_tests.common.test_poker import ROWS, hand, lines

PROFILE = rules.load("us-in-three-card-poker")
CATEGORIES = ("High card", "One pair", "Flush", "Straight", "Three of a kind", "Straight flush")
COUNTS = (16440, 3744, 1096, 720, 52, 48)
ALL = [bytes(three) for three in combinations(range(cards.CARDS), 3)]


@pytest.fixture(scope="module")
def judged():
    """Per hand: our rank, and the place (0 lowest) and category that pokerkit gives it."""
    out = []
    for three in ALL:
        names = [cards.name(card) for card in three]
        entry = RhodeIslandHoldemHand("".join(name[0] + name[1].lower() for name in names)).entry
        out.append((three, poker.rank3(three), entry.index, str(entry.label.value)))
    return out


def test_categories_of_all_22100_hands(judged):
    assert len(judged) == 22_100
    for three, rank, _, category in judged:
        assert CATEGORIES[poker.category(rank)] == category, three
    assert Counter(poker.category(rank) for _, rank, _, _ in judged) == dict(enumerate(COUNTS))


def test_order_of_the_741_classes(judged):
    """The same classes, in the same order: rank and place rise together."""
    pairs = sorted({(place, rank) for _, rank, place, _ in judged})
    assert len(pairs) == len({place for place, _ in pairs}) == len({rank for _, rank in pairs}) == 741
    assert [rank for _, rank in pairs] == sorted(rank for _, rank in pairs)


def test_queen_high_is_the_line_of_the_dealer(judged):
    """IN-TCP-06: below it lie the hands without pair, flush, straight whose highest card is a jack or less."""
    for three, rank, _, category in judged:
        low = category == "High card" and max(three) < cards.parse("QS")
        assert poker.qualifies(rank) != low, three


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_worked_example(row):
    assert poker.settle(PROFILE, row[2], row[3], hand(row[4]), hand(row[5])) == lines(row), row[1]


# A second way, from the sentences of 68 IAC 10-11-6 alone; hands are compared by what a player would say of them

VALUES = {letter: value for value, letter in enumerate("23456789TJQKA", 2)}
BONUS = {"straight flush": 5, "three of a kind": 4, "straight": 1}


def said(three):
    """(name of the hand, key that orders the hands)."""
    names = [cards.name(card) for card in three]
    values = sorted((VALUES[name[0]] for name in names), reverse=True)
    if values == [14, 3, 2]:
        values = [3, 2, 1]
    row = values[0] - 1 == values[1] == values[2] + 1
    one_suit = len({name[1] for name in names}) == 1
    kinds = Counter(values)
    by_count = sorted(values, key=lambda value: (kinds[value], value), reverse=True)
    if row and one_suit:
        return "straight flush", (6, values)
    if len(kinds) == 1:
        return "three of a kind", (5, values)
    if row:
        return "straight", (4, values)
    if one_suit:
        return "flush", (3, values)
    if len(kinds) == 2:
        return "pair", (2, by_count)
    return "high card", (1, values)


def net(three, dealer):
    """(net of ante, of play, bonus) of 1 unit each, played."""
    (name, mine), (their_name, theirs) = three, dealer
    bonus = BONUS.get(name, 0)  # (d): whatever the dealer has
    if their_name == "high card" and theirs[1][0] < 12:
        return 1, 0, bonus  # (b), (c)(1)
    if theirs > mine:
        return -1, -1, bonus  # (c)(2)
    if theirs == mine:
        return 0, 0, bonus  # (c)(4)
    return 1, 1, bonus  # (c)(3)


def test_every_pair_of_the_741_classes(judged):
    one_each = {rank: three for three, rank, _, _ in judged}
    hands = [(three, said(three)) for three in one_each.values()]
    assert len(hands) == 741
    for mine, mine_said in hands:
        for theirs, theirs_said in hands:
            told = {bet: (stake, returned, won) for bet, _, stake, returned, won, _ in
                    poker.settle(PROFILE, 700, 700, mine, theirs)}
            ante, play, bonus = net(mine_said, theirs_said)
            assert told == {
                "ante": (700, 700 if ante >= 0 else 0, 700 if ante > 0 else 0),
                "play": (700, 700 if play >= 0 else 0, 700 if play > 0 else 0),
                **({"bonus": (0, 0, 700 * bonus)} if bonus else {}),
            }, (mine, theirs)


def test_every_folded_class_forfeits_the_ante(judged):
    """IN-TCP-02, IN-TCP-03, R3."""
    keep = rules.load("us-in-three-card-poker", {"fold_bonus": True})
    for rank, three in {rank: three for three, rank, _, _ in judged}.items():
        assert poker.settle(PROFILE, 700, 0, three, b"") == [("ante", "fold", 700, 0, 0, "tray")]
        due = BONUS.get(said(three)[0], 0) * 700
        told = poker.settle(keep, 700, 0, three, b"")
        assert [line[4] for line in told] == ([0, due] if due else [0]), rank
