"""The number of a refusal chooses the sentence that people read: each of these inputs has exactly one."""

import pytest

from firstcard.core.refused import Refused
from host_tests.core.felt import Felt


def refused(felt, *step):
    """Number of the refusal of this input."""
    with pytest.raises(Refused) as caught:
        felt.step(*step)
    return caught.value.args[0]


def dealt(*codes, **bets):
    felt = Felt(surrender=True)
    felt.bet(**(bets or {"s1": "A"}))
    felt.deal(*codes)
    return felt


@pytest.mark.parametrize("step", [("stand", 0), ("stand", 1), ("key", "double", 0, 0, "dealer"),
                                  ("key", "split", 0, 0, "dealer"), ("key", "surrender", 0, 0, "dealer")])
def test_54_nobody_decides(step):
    felt = dealt("TS", "9S", "9D", "8H")
    felt.step("stand", 0)
    assert refused(felt, *step) == 54


def test_55_another_hand_decides():
    felt = dealt("TS", "9C", "9S", "9D", "8D", "8H", s1="A", s2="B")
    assert refused(felt, "stand", 2) == 55
    assert refused(felt, "reveal") == 55


def test_62_nobody_is_left_to_be_settled():
    felt = Felt()
    felt.lock()
    felt.sweep()
    assert refused(felt, "settled", 0) == 62


def test_66_the_zones_have_not_agreed_yet():
    felt = Felt()
    felt.lie = {1: "A"}
    felt.sweeps(2)
    felt.lock()
    felt.step("misdeal", "dealer")
    assert refused(felt, "supervisor_confirm", 0, "supervisor") == 66


def test_67_a_zone_in_question_has_no_window():
    felt = Felt()
    felt.lie = {1: "A"}
    felt.sweeps(2)
    felt.lock()
    felt.lie = {1: "AB"}
    felt.sweep()
    felt.deal("5S", "9S", "6D", "8H")
    assert refused(felt, "key", "double", 1, 0, "dealer") == 67


@pytest.mark.parametrize("step", [("stand", 0), ("key", "surrender", 0, 0, "dealer"), ("key", "split", 0, 0, "dealer")])
def test_107_a_doubled_hand_takes_its_card(step):
    felt = dealt("5S", "9S", "5D", "8H")
    felt.step("key", "double", 0, 0, "dealer")
    felt.lie = {1: "AB"}
    felt.step("confirm", 1, "dealer")
    felt.sweeps(3)
    assert refused(felt, *step) == 107


@pytest.mark.parametrize("number", [0, 9])
def test_99_no_card_of_that_number_can_be_moved(number):
    assert refused(dealt("5S", "9S", "5D", "8H"), "move_card", number, 1, 1) == 99


def test_56_a_hand_with_a_misread_card_is_not_doubled():
    assert refused(dealt("5S", "9S", "??", "8H"), "key", "double", 0, 0, "dealer") == 56
