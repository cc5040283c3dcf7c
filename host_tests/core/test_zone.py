"""One zone from lock to payment: which sweep is the wager, what must agree, what is an alarm and what is not.

Played on a whole Round (host_tests.core.felt) so that the tests speak of what is told, not of how a zone keeps it.
"""

from itertools import product

import pytest

from firstcard.core.refused import Refused
from firstcard.core.events import LOCK_EDGE, LOCK_FRAME
from host_tests.core.felt import REST_US, SWEEP_US, WRAP, Felt, named


def wager(told):
    return {(w["spot"], w["zone"]): w["value"] for w in map(dict, named(told, "lock")[0]["wagers"])}


# which sweep counts: the last one that ENDED before the instant


@pytest.mark.parametrize("base", [5_000, WRAP - 2 * (SWEEP_US + REST_US), WRAP - SWEEP_US - 1, WRAP - SWEEP_US])
@pytest.mark.parametrize("off, value", [(-SWEEP_US - 1, 1000), (-1, 1000), (0, 1000), (1, 2000)])
def test_the_wager_is_the_last_sweep_that_ended_before_the_instant(base, off, value):
    """Chip B came between two sweeps; the instant lies `off` us after the end of the second. Also across the tick
    wrap."""
    felt = Felt(us=base - SWEEP_US - REST_US)
    felt.sweep({1: "A"})
    felt.sweep({1: "AB"}, start=base)
    assert wager(felt.lock(base + SWEEP_US + off)) == {(1, "main"): value}


@pytest.mark.parametrize("cause", [LOCK_EDGE, LOCK_FRAME])
def test_a_table_that_has_swept_once_and_late_has_no_wager(cause):
    felt = Felt()
    felt.sweep({1: "A"})
    assert wager(felt.lock(felt.us - REST_US - SWEEP_US // 2, cause)) == {}


@pytest.mark.parametrize("off, agrees", [(-1, False), (1, True)])
def test_the_sweep_that_must_agree_starts_after_the_instant(off, agrees):
    felt = Felt()
    felt.lie = {1: "A"}
    felt.sweeps(2)
    instant = felt.us
    felt.lock(instant)
    felt.sweep({1: "AB"}, start=instant + off)
    told = felt.sweep({1: "A"})
    assert (felt.round.live == [1]) is True
    assert bool(named(felt.events, "unsettled")) is agrees, told


# the freeze


def freeze(*sweeps, lie="AB", garbled=()):
    """Events of the sweeps after a lock on `lie` at spot 1; `garbled`: numbers of the sweeps with noise on it."""
    felt = Felt()
    felt.lie = {1: lie}
    felt.sweeps(2)
    felt.lock()
    told = []
    for i, seen in enumerate(sweeps):
        told += felt.sweep({1: seen}, garbled=(1,) if i in garbled else ())
    return felt, told


@pytest.mark.parametrize("sweeps", [["AB"], ["A", "AB"], ["A", "A", "AB"], ["", "B", "A"], ["A", "B"]])
def test_chips_missed_in_up_to_two_sweeps_and_seen_in_any_are_present(sweeps):
    felt, told = freeze(*sweeps, "AB", "AB", "AB", "AB")
    assert not named(told, "unsettled") and not named(told, "alarm")
    assert felt.round.frozen and felt.round.live == [1]


def test_chips_missing_in_three_sweeps_leave_the_zone_unsettled():
    _, told = freeze("A", "A")
    assert not named(told, "unsettled")
    _, told = freeze("A", "A", "A")
    assert named(told, "unsettled") == [
        {"event": "unsettled", "spot": 1, "zone": "main", "before": 2000, "after": 1000}]
    assert named(told, "prompt", kind="unsettled", spot=1)


def test_a_chip_more_in_the_first_sweep_is_unsettled_at_once():
    _, told = freeze("ABC")
    assert named(told, "unsettled", spot=1, before=2000, after=3000)


def test_equal_sums_of_different_chips_are_unsettled_too():
    _, told = freeze("AC", "AC", "AC")
    assert named(told, "unsettled", spot=1)


def test_a_garbled_sweep_that_names_the_chips_is_looked_at_again_and_agrees():
    felt, told = freeze("AB", "AB", garbled=(0,))
    assert felt.round.frozen and not named(told, "unsettled") and not named(told, "alarm")


def test_a_garbled_sweep_is_never_a_removal():
    felt, told = freeze("", "AB", garbled=(0,))
    assert felt.round.frozen and not named(told, "unsettled")


@pytest.mark.parametrize("lie, first, then, after", [("", "", "A", 1000), ("A", "A", "AB", 2000)])
def test_what_a_garbled_first_sweep_hides_is_looked_for_in_two_more(lie, first, then, after):
    """"Chips missing or garbled in that sweep are looked for in up to two more; seen in any of them = present." """
    _, told = freeze(first, then, then, lie=lie, garbled=(0,))
    assert named(told, "unsettled", spot=1, after=after)


def test_nothing_is_told_before_every_zone_is_decided_and_all_in_order_of_the_spots():
    felt = Felt()
    felt.lie = {1: "BC", 2: "D", 3: "A"}
    felt.sweeps(2)
    felt.lock()
    later = {1: "B", 3: "AE"}  # a chip more is certain at once, a missing one after three sweeps
    felt.sweep(later)
    felt.sweep(later)
    assert not felt.round.frozen and not named(felt.events, "unsettled")
    with pytest.raises(Refused):  # nobody has been asked yet
        felt.step("confirm", 3, "dealer")
    felt.sweep(later)
    assert felt.round.frozen and felt.round.live == [1, 2, 3]
    assert [e["spot"] for e in named(felt.events, "unsettled")] == [1, 3]


# unsettled: people decide


def unsettled(before="A", after="AB"):
    felt = Felt()
    felt.lie = {1: before, 2: "H"}
    felt.sweeps(2)
    felt.lock()
    felt.lie[1] = after
    felt.sweeps(3)
    assert named(felt.events, "unsettled", spot=1)
    return felt


def test_confirm_of_a_larger_later_value_needs_the_supervisor_too():
    felt = unsettled()
    assert not named(felt.step("confirm", 1, "dealer"), "unsettled-decided")
    told = felt.step("supervisor_confirm", 1, "supervisor")
    assert named(told, "unsettled-decided", spot=1, value=2000, by="supervisor")
    assert not named(felt.sweeps(6), "alarm")


def test_confirm_of_a_smaller_later_value_counts_at_once():
    felt = unsettled("AB", "A")
    assert named(felt.step("confirm", 1, "dealer"), "unsettled-decided", value=1000)
    assert not named(felt.sweeps(6), "alarm")


def test_cancel_counts_the_earlier_value_and_expects_the_rest_to_be_taken_back():
    felt = unsettled()
    assert named(felt.step("cancel", 1, "dealer"), "unsettled-decided", value=1000)
    felt.lie[1] = "A"
    assert not named(felt.sweeps(6), "alarm")


def test_what_comes_after_the_decision_is_an_alarm_as_ever():
    felt = unsettled()
    felt.step("cancel", 1, "dealer")
    felt.lie[1] = "A"
    felt.sweeps(4)
    felt.lie[1] = "AC"
    assert named(felt.sweeps(3), "alarm", kind="increase", spot=1, by=1000)


@pytest.mark.parametrize("key", ["cancel", "confirm"])
def test_a_chip_added_while_the_zone_is_unsettled_is_an_alarm(key):
    """"After the lock only profile-allowed transactions change a spot. Anything else is an alarm." AB is disputed, the
    chip C came long after."""
    felt = unsettled("A", "AB")
    felt.lie[1] = "ABC"
    felt.sweeps(4)
    felt.step(key, 1, "dealer")
    if key == "confirm":
        felt.step("supervisor_confirm", 1, "supervisor")
    felt.sweeps(6)
    assert named(felt.events, "alarm", spot=1)


def test_a_chip_taken_while_the_zone_is_unsettled_is_an_alarm():
    """B is disputed; A lay there before and after, and is taken while people still talk."""
    felt = unsettled("AB", "A")
    felt.lie[1] = ""
    felt.sweeps(6)
    felt.step("confirm", 1, "dealer")
    felt.sweeps(6)
    assert named(felt.events, "alarm", spot=1)


# alarms: k of n


def first_alarm(pattern, k, n):
    """By hand: the sweep (from 0) at which k of the last n sweeps have shown the change, or None."""
    for i in range(len(pattern)):
        if sum(pattern[max(0, i - n + 1) : i + 1]) >= k:
            return i
    return None


PATTERNS = [p for length in (5,) for p in product((0, 1), repeat=length)]


@pytest.mark.parametrize("changed, kind, by, k, n", [
    ("ABC", "increase", 1000, 2, 3),
    ("A", "decrease", -1000, 3, 4),
    ("", "decrease", -2000, 3, 4),
    ("AC", "swap", 0, 3, 4),  # a swap is one thing more and one less: both must be sure
])
def test_a_change_is_an_alarm_once_it_is_sure(changed, kind, by, k, n):
    for pattern in PATTERNS:
        felt = Felt()
        felt.bet(s1="AB")
        at = None
        for i, shown in enumerate(pattern):
            told = named(felt.sweep({1: changed if shown else "AB"}), "alarm")
            if told and at is None:
                at = i
                assert (told[0]["kind"], told[0]["spot"], told[0]["zone"], told[0]["by"]) == (kind, 1, "main", by)
        assert at == first_alarm(pattern, k, n), pattern


@pytest.mark.parametrize("place, kind", [(2, "late-bet"), ((2, "tip"), "late-tip"), ((2, "line"), "no-window-line")])
def test_chips_where_nothing_lay_at_the_lock_have_alarms_of_their_own(place, kind):
    felt = Felt()
    felt.bet(s1="AB")
    felt.lie[place] = "C"
    assert not named(felt.sweep(), "alarm")
    assert named(felt.sweep(), "alarm", kind=kind, spot=2, by=1000)


def test_an_unknown_chip_added_is_named_as_such():
    felt = Felt()
    felt.bet(s1="AB")
    felt.lie[1] = "ABX"
    assert [e["kind"] for e in named(felt.sweeps(3), "alarm")] == ["unknown-chip"]


def test_by_counts_against_the_locked_value_through_every_update():
    felt = Felt()
    felt.bet(s1="AB")
    felt.lie[1] = "ABC"
    first = named(felt.sweeps(3), "alarm")
    felt.lie[1] = "ABCDa"
    second = named(felt.sweeps(3), "alarm")
    assert [(e["id"], e["kind"], e["by"]) for e in first + second] == [(1, "increase", 1000), (1, "increase", 2500)]


def test_another_kind_or_another_spot_is_another_alarm():
    felt = Felt()
    felt.bet(s1="AB", s2="C")
    felt.lie = {1: "ABD", 2: "CE"}
    felt.sweeps(3)
    felt.lie = {1: "A", 2: "CE"}
    felt.sweeps(5)
    assert [(e["id"], e["kind"], e["spot"]) for e in named(felt.events, "alarm")] \
        == [(1, "increase", 1), (2, "increase", 2), (3, "decrease", 1)]


def test_undoing_a_change_does_not_clear_its_alarm():
    felt = Felt()
    felt.bet(s1="AB")
    felt.lie[1] = "ABC"
    felt.sweeps(3)
    felt.lie[1] = "AB"
    assert not felt.sweeps(6)
    assert [row[0] for row in felt.round.alarms.open] == [1]
    felt.lie[1] = "ABC"  # done again while it is open: told again under the same number
    assert [e["id"] for e in named(felt.sweeps(3), "alarm")] == [1]


def test_after_ack_the_chip_set_is_the_new_reference_and_the_wager_is_not():
    felt = Felt()
    felt.bet(s1="AB")
    felt.lie[1] = "ABC"
    felt.sweeps(3)
    felt.step("ack", 1, "supervisor")
    assert not felt.sweeps(6) and felt.round.zone(1).value == 2000
    felt.lie[1] = "ABCD"
    told = named(felt.sweeps(3), "alarm")
    assert [(e["id"], e["kind"], e["by"]) for e in told] == [(2, "increase", 2000)]


def test_return_to_the_locked_chips_after_ack_is_no_new_alarm():
    """First-card scenario: the late chip may be taken back before or after the supervisor has looked."""
    felt = Felt()
    felt.bet(s1="AB")
    felt.lie[1] = "ABC"
    felt.sweeps(3)
    felt.step("ack", 1, "supervisor")
    felt.lie[1] = "AB"
    assert not named(felt.sweeps(6), "alarm")


def watched(acked):
    """AB is locked, C and D were added and told; optionally acknowledged."""
    felt = Felt()
    felt.bet(s1="AB")
    felt.lie[1] = "ABCD"
    felt.sweeps(4)
    if acked:
        felt.step("ack", 1, "supervisor")
    return felt


@pytest.mark.parametrize("acked, seen", [
    (False, "BCD"), (True, "BCD"), (True, "ABC"),
    (False, "AB"),  # both added chips missed: looks like the locked set
    (False, "ABC"),  # one of them missed: told as an update, then as another
    (True, "AB"),  # a new alarm although nothing has changed since the acknowledgement
])
def test_one_missed_read_cries_no_wolf_while_an_alarm_is_open_or_acknowledged(acked, seen):
    """"confirmed in k of n sweeps ... so that one missed read never cries wolf"."""
    felt = watched(acked)
    told = felt.sweep({1: seen}) + felt.sweeps(6)
    assert not named(told, "alarm")


def test_one_missed_read_never_alarms_at_any_place_of_a_quiet_watch():
    for at in range(8):
        felt = Felt()
        felt.bet(s1="AB", s2="CDEFG")
        for i in range(8):
            assert not felt.sweep({2: "CDEF"} if i == at else {})


def test_a_garbled_sweep_is_no_change():
    felt = Felt()
    felt.bet(s1="AB")
    for _ in range(5):
        assert not felt.sweep({1: "A"}, garbled=(1,))


# the settlement


def settled(cards, lie="AB"):
    """Spot 1 with `lie`, dealt `cards`, to the end of the round."""
    felt = Felt()
    felt.bet(s1=lie)
    felt.deal(*cards)
    if felt.round.game.deal.active():
        felt.step("stand", 0)
    felt.step("reveal")
    assert felt.state == "SETTLE"
    return felt


WIN = ("TS", "9S", "9D", "8H")  # 19 : 17
LOSS = ("TS", "TH", "8D", "9H")  # 18 : 19
PUSH = ("TS", "TH", "9D", "9H")  # 19 : 19
BLACKJACK = ("AS", "9S", "KD", "8H")  # 20 at 3 to 2 = 30


def played(felt, *sets):
    """The chips become each of these sets in turn, long enough to be sure; kinds of the alarms told."""
    told = []
    for chips in sets:
        felt.lie[1] = chips
        told += felt.sweeps(5)
    return [(e["kind"], e["by"]) for e in named(told, "alarm")]


@pytest.mark.parametrize("cards, sets", [
    (WIN, ["ABCD", ""]),  # paid, lifted
    (WIN, ["ABC", "ABCD", "CD", ""]),  # paid chip by chip, lifted chip by chip
    (WIN, ["ABCab", "ab", ""]),  # in any chips
    (WIN, ["ABCD", "ABCD"]),  # left to lie
    (WIN, ["ABCD", "CD", "CE", ""]),  # changed for an equal chip while it is lifted: the sum counts
    (BLACKJACK, ["ABCDE", ""]),
    (LOSS, [""]),
    (LOSS, ["A", ""]),
    (PUSH, [""]),
    (PUSH, ["A", ""]),
    (PUSH, ["AB"]),
])
def test_what_the_settlement_asks_for_is_no_alarm(cards, sets):
    felt = settled(cards)
    assert played(felt, *sets) == []
    felt.step("settled", 0)
    assert felt.round.finished


@pytest.mark.parametrize("cards, sets, alarm", [
    (WIN, [""], ("decrease", -2000)),  # lifted before it is paid
    (WIN, ["ABC", "A"], ("decrease", -1000)),  # half paid, then lifted below the stake
    (WIN, ["ABCDE"], ("increase", 3000)),  # paid too much
    (WIN, ["ABX"], ("unknown-chip", 0)),
    (LOSS, ["ABC"], ("increase", 1000)),  # past-posting a lost bet
    (PUSH, ["ABC"], ("increase", 1000)),
    (BLACKJACK, [""], ("decrease", -2000)),
])
def test_what_it_does_not_ask_for_is_the_usual_alarm(cards, sets, alarm):
    assert alarm in played(settled(cards), *sets)


@pytest.mark.parametrize("cards, sets", [
    (LOSS, ["", "C"]),  # the house has taken the stake; then a chip appears before `settled`
    (PUSH, ["", "CD"]),
    (WIN, ["ABCD", "", "C"]),  # paid and lifted; then a new chip before `settled`
    (LOSS, ["A", "AC"]),
])
def test_chips_laid_after_the_settlement_is_carried_out_and_before_settled_are_an_alarm(cards, sets):
    """"From a bet's settle until its settled, exactly what the settlement asks for is expected"; a new wager begins
    after `settled`, not before."""
    assert played(settled(cards), *sets)


def test_what_was_lost_in_one_round_is_not_owed_in_the_next():
    felt = settled(LOSS)
    felt.step("settled", 0)
    felt.step("reopen")
    felt.bet(s1="AB")
    felt.deal(*WIN)
    felt.step("stand", 0)
    felt.step("reveal")
    assert felt.state == "SETTLE"
    assert ("increase", 3000) in played(felt, "ABCDE")


def test_after_settled_what_lies_there_is_a_new_wager():
    felt = Felt()
    felt.bet(s1="AB", s2="CD")
    felt.deal("TS", "TH", "9S", "8D", "9H", "TD")  # 18 and 19 against 19
    felt.step("stand", 0)
    felt.step("stand", 0)
    felt.step("reveal")
    felt.step("settled", 1)
    felt.lie[1] = "E"
    told = felt.sweeps(4)
    assert named(told, "bet", spot=1, sum=1000, verdict="ok") and not named(told, "alarm")
    felt.lie[2] = "CDF"  # spot 2 is not settled yet
    assert named(felt.sweeps(3), "alarm", kind="increase", spot=2)


def test_an_alarm_stops_settled_of_its_spot_only():
    from firstcard.core.refused import Refused

    felt = Felt()
    felt.bet(s1="AB", s2="CD")
    felt.deal("TS", "TH", "9S", "8D", "9H", "TD")
    felt.lie[1] = "ABE"
    felt.sweeps(3)
    felt.lie[1] = "AB"
    felt.sweeps(4)
    for name in ("stand", "stand"):
        felt.step(name, 0)
    felt.step("reveal")
    felt.step("settled", 2)
    for spot in (0, 1):
        with pytest.raises(Refused):
            felt.step("settled", spot)
    felt.step("ack", 1, "supervisor")
    felt.step("settled", 1)
    assert felt.round.finished


@pytest.mark.parametrize("cards", [LOSS, PUSH])
def test_an_acknowledged_chip_that_still_lies_there_is_no_new_alarm_at_the_settlement(cards):
    """"After `ack` that chip set is the new reference"."""
    felt = Felt()
    felt.bet(s1="AB")
    felt.lie[1] = "ABC"
    felt.sweeps(3)
    felt.step("ack", 1, "supervisor")
    felt.deal(*cards)
    felt.step("stand", 0)
    felt.step("reveal")
    assert not named(felt.sweeps(5), "alarm")


def test_a_spot_that_never_lies_still_holds_the_others_up_for_two_sweeps_only():
    felt = Felt()
    felt.lie = {2: "B"}
    told = [bool(named(felt.sweep({1: letters}), "bet", spot=2)) for letters in ("A", "AB", "ABC", "A")]
    assert told == [False, False, True, False] and not named(felt.events, "bet", spot=1)


def test_one_reading_too_many_after_a_confirmed_double_is_no_alarm():
    """What is taken over begins with a clean count of doubtful readings."""
    felt = Felt()
    felt.bet(s1="A", s2="B")
    felt.deal("5S", "6S", "9C", "6D", "5D", "9H")
    felt.step("key", "double", 1, 0, "dealer")
    felt.lie[1] = "AC"
    felt.step("confirm", 1, "dealer")
    felt.sweeps(3)
    assert named(felt.events, "extra", kind="double", spot=1)
    felt.sweep({1: "ACD"})
    felt.sweeps(2)
    assert not named(felt.events, "alarm")
