"""Open alarms: numbers, updates, acknowledgement."""

from firstcard.core.bets import Alarms
from host_tests.core.felt import Felt, named


def test_the_same_kind_and_place_keeps_its_number_and_takes_the_new_amount():
    alarms = Alarms()
    first = alarms.raise_("increase", 3, "main", 500)
    assert alarms.raise_("increase", 3, "main", 1500) is first
    assert first == [1, "increase", 3, "main", 1500] and len(alarms.open) == 1


def test_another_kind_spot_or_zone_is_another_alarm():
    alarms = Alarms()
    for place in (("increase", 3, "main"), ("decrease", 3, "main"), ("increase", 4, "main"), ("increase", 3, "tip"),
                  ("no-taker", None, None)):
        alarms.raise_(*place, 0)
    assert [row[0] for row in alarms.open] == [1, 2, 3, 4, 5]


def test_a_number_is_never_used_again():
    alarms = Alarms()
    alarms.raise_("swap", 1, "main", 0)
    assert alarms.take(1)[1] == "swap"
    assert alarms.take(1) is None
    assert alarms.raise_("swap", 1, "main", 0)[0] == 2


def test_what_stops_a_spot():
    alarms = Alarms()
    alarms.raise_("no-taker", None, None, None)
    assert alarms.at(1) is None
    alarms.raise_("swap", 1, "main", 0)
    assert alarms.at(1)[0] == 2 and alarms.at(2) is None


def test_what_was_acknowledged_may_come_back_without_an_alarm():
    """After `ack` that chip set is the new reference: chips laid beside it may be taken away again."""
    felt = Felt()
    felt.bet(s1="AB")
    felt.lie[1] = "A"
    assert named(felt.sweeps(6), "alarm", kind="decrease", by=-1000)
    felt.step("ack", 1, "supervisor")
    felt.lie[1] = "Aa"
    assert named(felt.sweeps(6), "alarm", kind="increase", by=-500)
    felt.lie[1] = "A"
    assert not named(felt.sweeps(6), "alarm")
