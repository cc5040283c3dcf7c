"""What is confirmed is what two readings after the confirmation show: not one, and not a third one."""

import pytest

from firstcard.core.refused import Refused
from firstcard.core.round import Round
from firstcard.core.threecard import ThreeCard
from firstcard.rules import load
from host_tests.core.felt import VALUES, Felt, named


class Poker(Felt):
    """The felt with three card poker on it, its wagers locked and all cards dealt."""

    def __init__(self, **lie):
        super().__init__(opened=False)
        self.round = Round(3, load("us-in-three-card-poker", {}), lambda uid: VALUES.get(bytes(uid), -1), 500, 50_000,
                           ThreeCard)
        self.step("ready")
        self.step("open")
        self.bet(**lie)
        self.deal(*["2S", "4S", "6S", "8S", "TS", "QS", "2H", "4H", "6H", "8H", "TH", "QH"][: 3 * len(lie) + 3])


def sweeps_until(felt, event, **fields):
    """How many sweeps it takes until this is told, at most five."""
    for n in range(1, 6):
        if named(felt.sweep(), event, **fields):
            return n
    return None


def test_a_play_bet_takes_two_sweeps():
    felt = Poker(s1="A", s2="B")
    felt.lie[1, "line"] = "C"
    felt.sweeps(3)
    felt.step("key", "play", 1, 0, "dealer")
    assert sweeps_until(felt, "extra", kind="play", spot=1) == 2


def test_pressing_play_again_does_not_begin_anew():
    felt = Poker(s1="A", s2="B")
    felt.lie[1, "line"] = "C"
    felt.step("key", "play", 1, 0, "dealer")
    felt.sweep()
    felt.step("key", "play", 1, 0, "dealer")
    assert sweeps_until(felt, "extra", kind="play", spot=1) == 1


@pytest.mark.parametrize("key, lies, kind", [("double", "AD", "double"), ("make-change", "A", "make-change")])
def test_a_window_takes_two_sweeps_after_its_confirmation(key, lies, kind):
    felt = Felt()
    felt.bet(s1="A")
    felt.deal("2S", "9S", "3S", "9D")
    felt.step("key", key, 1, 0, "dealer")
    felt.lie[1] = lies
    felt.sweeps(3)
    felt.step("confirm", 1, "dealer")
    assert sweeps_until(felt, "extra", kind=kind, spot=1) == 2


def test_a_zone_that_joins_insurance_after_its_closing_takes_two_sweeps_as_well():
    felt = Felt()
    felt.lie = {1: "A", 2: "B"}
    felt.sweeps(2)
    felt.lock()
    felt.lie[2] = ""
    felt.sweeps(3)
    assert named(felt.events, "unsettled", spot=2)
    felt.deal("2S", "4S", "AC", "3S", "5S", "9D")
    felt.lie[1, "line"] = "a"
    felt.sweep()
    felt.step("key", "insurance-closed", 0, 0, "dealer")
    felt.sweep()
    felt.step("cancel", 2, "dealer")  # its wager counts: it may be insured, and is looked at twice from now on
    assert sweeps_until(felt, "extra", kind="insurance", spot=1) == 2


def test_a_spot_without_a_hand_is_named_in_the_refusal():
    felt = Poker(s1="A", s2="B")
    with pytest.raises(Refused) as refusal:
        felt.step("key", "fold", 3, 0, "dealer")
    assert refusal.value.args == (59, 3)
