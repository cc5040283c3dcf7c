"""One chip counts in one place: verdict and alarm `duplicate-chip`, alarm `moved`; at the lock, in windows, paid."""

import itertools

import pytest

from firstcard.core.chips import holds, sort_uids, without
from host_tests.core.felt import Felt, named, uids


def verdicts(felt):
    return {e["spot"]: (e["verdict"], e["value"]) for e in named(felt.events, "bet")}


def values(told):
    return [(dict(w)["spot"], dict(w)["value"]) for w in named(told, "lock")[0]["wagers"]]


# sets of chips


def test_a_chip_is_found_only_where_chips_begin():
    """Eight bytes that are the end of one chip and the beginning of the next are no chip."""
    a, b = b"\1\2\3\4\5\6\7\x08", b"\1\2\3\4\5\6\7\x09"
    assert holds(a + b, a) and holds(a + b, b) and not holds(b"", a) and not holds(a, b)
    for shift in range(1, 8):
        between = (a + b)[shift : shift + 8]
        assert not holds(a + b, between) and holds(a + b + between, between)


@pytest.mark.parametrize("a, b", list(itertools.product(("", "A", "B", "AB", "BC", "ABC"), repeat=2)))
def test_differences_against_python_sets(a, b):
    assert without(uids(a), uids(b)) == uids(sorted(set(a) - set(b)))
    assert sort_uids(uids(reversed(a))) == uids(a)


# before the lock


def test_neither_place_counts_and_the_others_are_untouched():
    felt = Felt(spots=4)
    felt.lie = {1: "AB", 2: "C", 3: "BD", 4: "E"}
    felt.sweeps(2)
    assert verdicts(felt) == {1: ("duplicate-chip", 0), 2: ("ok", 1000), 3: ("duplicate-chip", 0), 4: ("ok", 1000)}
    felt.lie[3] = "D"
    felt.sweeps(2)
    assert verdicts(felt) == {spot: ("ok", 2000 if spot == 1 else 1000) for spot in (1, 2, 3, 4)}


def test_three_places_two_of_them_left():
    felt = Felt()
    felt.lie = {1: "A", 2: "A", 3: "A"}
    felt.sweeps(2)
    felt.lie[1] = "B"
    felt.sweeps(2)
    assert verdicts(felt) == {1: ("ok", 1000), 2: ("duplicate-chip", 0), 3: ("duplicate-chip", 0)}
    felt.lie[2] = ""
    felt.sweeps(2)
    assert verdicts(felt) == {1: ("ok", 1000), 2: ("empty", 0), 3: ("ok", 1000)}


def test_two_zones_of_one_spot():
    felt = Felt()
    felt.lie = {(1, "main"): "A", (1, "line"): "A"}
    felt.sweeps(2)
    told = felt.lock()
    assert values(told) == [(1, 0)]
    assert [(e["kind"], e["zone"]) for e in named(told, "alarm")] == [("duplicate-chip", "main"),
                                                                     ("no-window-line", "line")]


# at the lock: what lay there at the instant is held together, whatever has been read since


def test_a_chip_on_its_way_is_counted_nowhere():
    """Read on 1, carried to 2 and read there, all before the card; the reading that misses it on 1 comes after it."""
    felt = Felt(spots=2)
    felt.lie = {1: "A", 2: "B"}
    felt.sweeps(2)
    felt.sweep({1: "A", 2: "AB"})
    instant = felt.us - 150
    felt.lie = {1: "", 2: "AB"}
    felt.sweep()
    told = felt.lock(instant)
    assert values(told) == [(1, 0), (2, 0)]
    assert [(e["kind"], e["spot"]) for e in named(told, "alarm")] == [("duplicate-chip", 1), ("duplicate-chip", 2)]


def test_a_chip_that_comes_to_a_second_place_after_the_card_counts_in_the_first():
    felt = Felt(spots=2)
    felt.lie = {1: "A", 2: "B"}
    felt.sweeps(2)
    instant = felt.us - 150
    felt.sweep({2: "AB"})
    told = felt.lock(instant)
    assert values(told) == [(1, 1000), (2, 1000)] and not named(told, "alarm")


@pytest.mark.parametrize("keys, counts", [
    ((("cancel", 1), ("confirm", 2)), {1: 1000, 2: 0}),
    ((("cancel", 1), ("cancel", 2)), {1: 1000, 2: 1000}),
    ((("confirm", 2), ("cancel", 1)), {2: 0, 1: 1000}),
    ((("confirm", 1), ("cancel", 2)), {1: 0, 2: 1000}),
    ((("confirm", 1), ("confirm", 2), ("supervisor_confirm", 2)), {1: 0, 2: 2000}),
])
def test_two_decisions_never_count_a_chip_twice(keys, counts):
    """A lay on 1 before the card and on 2 after it: both zones are unsettled, one of them gets it at most."""
    felt = Felt(spots=2)
    felt.lie = {1: "A", 2: "B"}
    felt.sweeps(2)
    felt.lock()
    felt.lie = {1: "", 2: "AB"}
    felt.sweeps(3)
    assert [(e["spot"], e["before"], e["after"]) for e in named(felt.events, "unsettled")] \
        == [(1, 1000, 0), (2, 1000, 0)]
    for key, spot in keys:
        felt.step(key, spot, "supervisor")
    assert {e["spot"]: e["value"] for e in named(felt.events, "unsettled-decided")} == counts
    assert sum(felt.round.zone(spot).value for spot in (1, 2)) <= 2000


# after the lock


def alarms(felt, **lie):
    """Alarms of what lies now: (kind, spot, by)."""
    felt.lie.update({int(name[1:]): letters for name, letters in lie.items()})
    felt.round.alarms.open.clear()
    return [(e["kind"], e["spot"], e["by"]) for e in named(felt.sweeps(6), "alarm")]


def two(**more):
    felt = Felt()
    felt.bet(s1="AB", s2="C", **more)
    return felt


def test_a_moved_chip_has_one_name_in_both_places():
    felt = two()
    assert alarms(felt, s1="A", s2="BC") == [("moved", 2, 1000), ("moved", 1, -1000)]


def test_a_moved_chip_on_an_empty_spot_is_no_late_bet():
    assert alarms(two(), s1="A", s3="B") == [("moved", 3, 1000), ("moved", 1, -1000)]


def test_chips_that_leave_the_table_or_come_from_a_pocket_are_not_moved():
    assert alarms(two(), s1="A") == [("decrease", 1, -1000)]
    assert alarms(two(), s2="CD") == [("increase", 2, 1000)]
    assert alarms(two(), s3="D") == [("late-bet", 3, 1000)]


def test_one_chip_moved_and_one_gone():
    """What is missing for good outweighs; where the chip turns up it is named as what it is."""
    assert alarms(two(), s1="", s3="B") == [("moved", 3, 1000), ("decrease", 1, -2000)]


def test_two_spots_exchange_their_chips():
    felt = two()
    assert alarms(felt, s1="AC", s2="B") == [("moved", 1, 0), ("moved", 2, 0)]


def test_a_copy_is_a_copy_and_the_wager_stands():
    felt = two()
    assert alarms(felt, s2="ABC") == [("duplicate-chip", 2, 2000)]
    assert alarms(felt, s3="C") == [("duplicate-chip", 3, 1000)]
    assert [felt.round.zone(spot).value for spot in (1, 2, 3)] == [2000, 1000, 0]


def test_an_unknown_chip_is_first_of_all_unknown():
    felt = two()
    assert alarms(felt, s1="A", s2="BCX") == [("unknown-chip", 2, 1000), ("moved", 1, -1000)]


def test_an_acknowledged_move_may_be_put_back():
    felt = two()
    felt.lie = {1: "A", 2: "BC"}
    felt.sweeps(6)
    for id in (1, 2):
        felt.step("ack", id, "supervisor")
    felt.lie = {1: "AB", 2: "C"}
    assert not named(felt.sweeps(6), "alarm")


# windows and payments


def doubling(s2):
    """Spot 2 doubles with what lies there then; gives what the confirmation told."""
    felt = Felt()
    felt.bet(s1="AB", s2="C")
    felt.deal("2S", "5S", "6D", "3S", "6S", "9D")
    felt.step("stand", 1)
    felt.step("key", "double", 2, 0, "dealer")
    felt.lie.update({1: s2[0], 2: s2[1]})
    felt.sweeps(2)
    felt.step("confirm", 2, "dealer")
    return felt.sweeps(3)


def test_a_double_with_chips_from_a_pocket_counts():
    assert named(doubling(("AB", "CD")), "extra", kind="double", amount=1000)


@pytest.mark.parametrize("s2", [("A", "BC"), ("AB", "BC")])
def test_a_double_with_a_chip_of_another_wager_or_a_copy_of_it_does_not(s2):
    told = doubling(s2)
    assert not named(told, "extra") and named(told, "prompt", kind="amount", spot=2)


def settled(**lie):
    """Spot 1 (AB) loses, spot 2 (C) wins; then what lies there."""
    felt = Felt()
    felt.bet(s1="AB", s2="C", s3="D")
    felt.deal("TS", "TD", "TC", "TH", "7S", "9D", "9C", "8H")
    for _ in range(3):
        felt.step("stand", 0)
    felt.step("reveal")
    assert [(e["spot"], e["outcome"]) for e in named(felt.events, "settle")] == [(1, "lose"), (2, "win"), (3, "win")]
    return felt, alarms(felt, **lie)


def test_take_and_pay_with_the_chips_that_were_lost():
    assert settled(s1="", s2="CA", s3="DB")[1] == []


def test_a_copy_pays_nothing():
    """The lost chip lies there still, and the one that pays has its number."""
    assert settled(s2="CA")[1] == [("duplicate-chip", 2, 1000)]
