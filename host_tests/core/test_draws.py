"""Beams and frames become cards: one card out of the shoe is one card, in every order of its signals and whatever is
lost."""

from itertools import permutations, product

import pytest

from firstcard.core.cards import UNKNOWN
from firstcard.core.draws import Draws

PAIR_MS, RESOLVE_MS = 150, 300  # the shoe's rules: edge and EDG within 150 ms; a name within 300 ms


def ready(draws, ms, face_down=False):
    """The cards that come out now: (card, mismatch)."""
    out = []
    while row := draws.next(ms, face_down):
        assert row[2] is False  # nobody has burned it
        out.append(row[:2])
    return out


def play(signals, until=2_000, face_down=False):
    """signals: (ms, kind, number, card) in any order; a look every 10 ms. The cards that came out: (card, mismatch)."""
    draws = Draws()
    out = []
    todo = sorted(signals, key=lambda s: s[0])
    for ms in range(0, until, 10):
        while todo and todo[0][0] <= ms:
            at, kind, number, card = todo.pop(0)
            if kind == "wired":
                draws.wired(at)
            elif kind == "EDG":
                draws.leaving(number, at)
            elif kind == "RTN":
                draws.returned(number)
            else:
                draws.named(number, card, at)
        out += ready(draws, ms, face_down)
    assert not draws.waiting()
    return out


@pytest.mark.parametrize("first, second", list(permutations(("wired", "EDG"))))
@pytest.mark.parametrize("apart", [0, 20, 149, 150])
def test_edge_and_frame_of_one_card_in_either_order(first, second, apart):
    assert play([(0, first, 1, 0), (apart, second, 1, 0), (200, "CRD", 1, 7)]) == [(7, False)]


@pytest.mark.parametrize("signal", ["wired", "EDG"])
def test_either_alone_is_enough(signal):
    assert play([(0, signal, 4, 0), (120, "CRD", 4, 7)]) == [(7, False)]


@pytest.mark.parametrize("signals", [["wired"], ["EDG"], ["wired", "EDG"], ["EDG", "wired"]])
def test_a_card_without_a_name_is_misread_300_ms_later(signals):
    draws = Draws()
    for s in signals:
        draws.wired(1_000) if s == "wired" else draws.leaving(3, 1_000)
    assert ready(draws, 1_000 + RESOLVE_MS) == [] and draws.waiting()
    assert ready(draws, 1_000 + RESOLVE_MS + 1) == [(UNKNOWN, False)]
    assert not draws.waiting()


def test_a_misread_frame_is_a_misread_card():
    assert play([(0, "wired", 0, 0), (0, "EDG", 1, 0), (100, "MIS", 1, UNKNOWN)]) == [(UNKNOWN, False)]


def test_a_name_that_nothing_announced_is_a_mismatch():
    assert play([(0, "CRD", 1, 7)]) == [(7, True)]


def test_a_name_of_another_number_is_a_mismatch_and_the_announced_card_a_misread():
    assert play([(0, "EDG", 3, 0), (100, "CRD", 4, 7)]) == [(UNKNOWN, False), (7, True)]


def test_a_name_goes_to_the_oldest_card_that_only_the_beams_have_seen():
    assert play([(0, "wired", 0, 0), (200, "wired", 0, 0), (250, "CRD", 1, 7)]) == [(7, False), (UNKNOWN, False)]


@pytest.mark.parametrize("first, second", list(permutations(("wired", "EDG"))))
def test_edges_more_than_150_ms_apart_are_one_card_about_which_beam_and_shoe_disagree(first, second):
    assert play([(0, first, 1, 0), (PAIR_MS + 1, second, 1, 0), (200, "CRD", 1, 7)]) == [(7, True)]
    assert play([(0, first, 1, 0), (RESOLVE_MS, second, 1, 0)]) == [(UNKNOWN, True)]


def test_edges_more_than_300_ms_apart_are_two_cards():
    assert len(play([(0, "wired", 0, 0), (RESOLVE_MS + 1, "EDG", 1, 0), (400, "CRD", 1, 7)])) == 2


@pytest.mark.parametrize("lost", list(product((False, True), repeat=6)))
def test_two_cards_with_any_of_their_signals_lost_are_two_cards_in_order(lost):
    """Two cards 400 ms apart; each may lose its edge, its EDG, its CRD. A card of which nothing is left is no card; a
    CRD with nothing before it is a mismatch."""
    want, signals = [], []
    for i in range(2):
        wired, edg, crd = lost[3 * i : 3 * i + 3]
        base, number, card = 400 * i, i + 1, 10 + i
        signals += [] if wired else [(base + 20, "wired", 0, 0)]
        signals += [] if edg else [(base + 2, "EDG", number, 0)]
        signals += [] if crd else [(base + 120, "CRD", number, card)]
        announced = not (wired and edg)
        if not crd:
            want.append((card, not announced))
        elif announced:
            want.append((UNKNOWN, False))
    assert play(signals) == want


def test_a_name_does_not_go_to_an_older_card_that_the_shoe_has_numbered():
    assert play([(0, "EDG", 1, 0), (160, "EDG", 2, 0), (250, "CRD", 2, 9)]) == [(UNKNOWN, False), (9, False)]


def test_eight_cards_a_second():
    signals = []
    for i in range(16):
        signals += [(i * 125, "EDG", i + 1, 0), (i * 125 + 20, "wired", 0, 0), (i * 125 + 110, "CRD", i + 1, i)]
    assert play(signals, 4_000) == [(i, False) for i in range(16)]


def test_a_name_that_comes_too_late_makes_no_second_card():
    """One card has left the shoe; it must not be counted twice because its name took longer than 300 ms."""
    assert len(play([(0, "wired", 0, 0), (0, "EDG", 1, 0), (340, "CRD", 1, 7)])) == 1


@pytest.mark.parametrize("after", [20, 290])
def test_a_card_that_goes_back_is_no_card(after):
    assert play([(0, "EDG", 1, 0), (after, "RTN", 1, 0), (900, "EDG", 2, 0), (950, "CRD", 2, 7)]) == [(7, False)]


# cards that stay face down


@pytest.mark.parametrize("named", [None, 10, 120, 299])
def test_a_card_that_stays_face_down_comes_out_at_the_same_instant_whenever_it_was_read(named):
    draws = Draws()
    draws.wired(1_000)
    draws.leaving(1, 1_000)
    if named:
        draws.named(1, 7, 1_000 + named)
    assert ready(draws, 1_000 + RESOLVE_MS, face_down=True) == []
    assert ready(draws, 1_000 + RESOLVE_MS + 1, face_down=True) == [(7 if named else UNKNOWN, False)]


# burned cards


def test_a_burned_card_is_marked_by_its_number_and_no_other():
    draws = Draws()
    for number in (1, 2):
        draws.leaving(number, number)
        draws.named(number, 10 + number, 50)
    assert draws.burned(2) and not draws.burned(3)
    assert draws.next(60, False) == (11, False, False) and draws.number == 1
    assert draws.next(60, False) == (12, False, True) and draws.number == 2
    assert draws.next(60, False) is None
    assert not draws.burned(2)  # not on its way any more


def test_a_frame_belongs_to_the_nearest_edge():
    cards = play([(0, "wired", None, None), (160, "wired", None, None), (170, "EDG", 7, None), (260, "CRD", 7, 5)])
    assert [card for card, _ in cards] == [UNKNOWN, 5]


def test_a_number_that_was_given_up_is_a_card_again_after_the_shoe_has_begun_anew():
    draws = Draws()
    draws.leaving(1, 0)
    assert ready(draws, 400) == [(UNKNOWN, False)]
    draws.renumber()
    draws.named(1, 9, 500)
    assert [card for card, _ in ready(draws, 900)] == [9]
