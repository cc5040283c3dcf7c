"""Whole rounds without chips, clock or shoe: what the lock keeps, what the cards decide, how a round ends."""

import random

import pytest

from firstcard.core import cards
from firstcard.core.blackjack import Blackjack
from firstcard.core.events import LOCK_FRAME
from firstcard.core.oral import Oral
from firstcard.core.refused import Refused
from firstcard.core.round import Round
from firstcard.rules import load
from host_tests import by_hand
from host_tests.core.felt import Felt, named

DECK = [r + s for r in "23456789TJQKA" for s in "SHDC"]


def play_out(felt, shoe, choose):
    """Deal a round to its end from `shoe`; choose(cards) says whether a hand stands. {spot: cards}, dealer's cards."""
    live = list(felt.round.live)
    hands = {s: [] for s in live}
    dealer = []

    def deal(to):
        code = shoe.pop()
        told = felt.deal(code)[0]
        assert told["to"] == ("dealer" if to is dealer else "%d.1" % next(s for s in live if hands[s] is to)), told
        to.append(code)

    for to in [hands[s] for s in live] + [dealer] + [hands[s] for s in live] + [dealer]:
        deal(to)
    for s in live:
        while by_hand.worth(hands[s]) < 21:
            if choose(hands[s]):
                felt.step("stand", s)
                break
            deal(hands[s])
    felt.step("reveal")
    while by_hand.dealer_draws(dealer, hands.values()):
        assert felt.state == "LOCKED"
        deal(dealer)
    assert felt.state == "SETTLE"
    return hands, dealer


@pytest.mark.parametrize("seed", range(60))
def test_any_round_settles_as_worked_out_by_hand(seed):
    rnd = random.Random(seed)
    taken = sorted(rnd.sample(range(1, 8), rnd.randint(1, 7)))
    stakes = {s: rnd.choice(("a", "A", "AB", "M", "abc"))for s in taken}
    lie, used = {}, set()
    for s, letters in stakes.items():  # every chip lies in one place only
        pool = {"a": "abcdefgh", "A": "ABCDEFGH", "M": "MN"}
        lie[s] = ""
        for letter in letters:
            kind = "a" if letter in "abc" else "M" if letter == "M" else "A"
            free = [c for c in pool[kind] if c not in used]
            if free:
                used.add(free[0])
                lie[s] += free[0]
    felt = Felt(spots=7, insurance=False)
    felt.bet(**{"s%d" % s: letters for s, letters in lie.items() if letters})
    wagers = {s: felt.round.zone(s).value for s in felt.round.live}
    shoe = DECK * 6
    rnd.shuffle(shoe)
    shoe += rnd.sample([c for c in DECK if c[0] in "TA"], 6) if seed % 3 == 0 else []  # more blackjacks
    hands, dealer = play_out(felt, shoe, lambda cards: by_hand.worth(cards) >= rnd.randint(12, 18))
    told = named(felt.events, "settle")
    assert sorted(e["spot"] for e in told) == sorted(wagers)
    at_the_end = [e["spot"] for e in told if by_hand.worth(hands[e["spot"]]) <= 21]
    assert at_the_end == sorted(at_the_end)  # order: spot
    for e in told:
        want = by_hand.settle(wagers[e["spot"]], hands[e["spot"]], dealer)
        assert (e["outcome"], e["returned"], e["won"]) == want, (e, hands, dealer)
        assert e["stake"] == wagers[e["spot"]] and e["hand"] == 1 and e["bet"] == "main"
        assert e["to"] == ("player" if e["returned"] + e["won"] else "tray")
    for s in wagers:
        felt.step("settled", s)
    total = named(felt.events, "round")[0]
    assert (total["result"], total["stakes"]) == ("complete", sum(wagers.values()))
    assert total["returned"] == sum(e["returned"] for e in told) and total["won"] == sum(e["won"] for e in told)


# the lock


def test_lock_tells_round_cause_tick_and_wagers():
    felt = Felt()
    felt.lie = {1: "A", 3: "BC"}
    felt.sweeps(2)
    us = felt.us - 10
    told = felt.lock(us, LOCK_FRAME)
    lock = named(told, "lock")[0]
    assert (lock["round"], lock["cause"], lock["us"]) == (1, "frame", us)
    assert [dict(w) for w in lock["wagers"]] == [{"spot": 1, "zone": "main", "value": 1000},
                                                 {"spot": 3, "zone": "main", "value": 2000}]
    assert named(told, "state") == [{"event": "state", "state": "LOCKED", "round": 1}]


@pytest.mark.parametrize("phase", ["LOCKED", "SETTLE"])
def test_a_later_card_edge_locks_nothing_anew(phase):
    """"from then on nobody changes an original wager": the table of core must keep it, whoever calls."""
    felt = Felt()
    felt.bet(s1="A")
    if phase == "SETTLE":
        felt.deal("TS", "9S", "9D", "8H")
        felt.step("stand", 0)
        felt.step("reveal")
    felt.lie[1] = "AB"
    felt.sweeps(2)
    try:
        felt.lock()
    except Refused:
        pass
    assert felt.round.zone(1).value == 1000
    assert len(named(felt.events, "lock")) == 1


def test_three_to_two_of_an_odd_number_of_cents_does_not_stop_the_table():
    """"Cents that the smallest chip cannot pay stay exact in the event (option `breakage`), with prompt `amount`";
    default of `breakage` is none. 5.25 at 3:2 is 7.875: whatever is told, it must be told."""
    from host_tests.core.felt import VALUES

    VALUES[b"q" * 8] = 25
    try:
        felt = Felt()
        felt.bet(s1="aq")
        felt.deal("AS", "9S", "KD", "8H")
        felt.step("reveal")
    finally:
        del VALUES[b"q" * 8]
    assert named(felt.events, "settle", spot=1, outcome="blackjack")[0]["won"] in (787, 788)


# how a round ends


def end(felt):
    felt.deal("TS", "9S", "9D", "8H")
    felt.step("stand", 0)
    felt.step("reveal")
    return felt.step("settled", 0)


def test_a_round_ends_when_its_last_spot_is_settled_and_the_next_has_the_next_number():
    felt = Felt()
    felt.bet(s1="A")
    assert named(end(felt), "round", round=1, result="complete", stakes=1000, returned=1000, won=1000)
    assert felt.step("reopen")[0] == {"event": "state", "state": "OPEN", "round": 2}


@pytest.mark.parametrize("name, args", [("close", ()), ("fault", ("reader",))])
def test_close_and_fault_in_a_round_are_remembered_and_the_round_is_played_out(name, args):
    felt = Felt()
    felt.bet(s1="A")
    felt.step(name, *args)
    assert felt.state == "LOCKED"
    end(felt)
    assert felt.round.close_after and felt.round.finished
    felt.step("shut")
    assert felt.state == "CLOSED" and not felt.round.close_after


@pytest.mark.parametrize("name, args", [("close", ()), ("fault", ("reader",))])
def test_close_and_fault_while_bets_are_open(name, args):
    felt = Felt()
    felt.lie = {1: "A"}
    felt.sweeps(2)
    felt.step(name, *args)
    assert felt.state == {"close": "CLOSED", "fault": "SAFE"}[name]
    assert not named(felt.deal("TS"), "lock") and named(felt.events, "alarm", kind="card-while-closed")


def test_bets_that_still_lie_there_are_told_again_after_an_opening():
    felt = Felt()
    felt.lie = {1: "A"}
    felt.sweeps(2)
    felt.step("close")
    felt.step("open")
    assert named(felt.sweeps(2), "bet", spot=1, verdict="ok")


def test_settled_before_anything_is_decided_or_for_a_spot_without_bet_is_refused():
    felt = Felt()
    felt.bet(s1="A")
    for spot in (0, 1, 2):
        with pytest.raises(Refused):
            felt.step("settled", spot)


def test_a_bust_spot_can_be_cleared_in_mid_round_and_its_next_bet_is_no_alarm():
    felt = Felt()
    felt.bet(s1="A", s2="B")
    felt.deal("TS", "9S", "8D", "6D", "3D", "9H", "7H")
    felt.lie[1] = ""
    felt.sweeps(4)
    felt.step("settled", 1)
    felt.lie[1] = "C"
    told = felt.sweeps(4)
    assert named(told, "bet", spot=1, sum=1000) and not named(told, "alarm")
    felt.step("stand", 2)
    felt.step("reveal")
    felt.step("settled", 2)
    assert felt.round.finished and felt.round.stakes == 2000


def test_a_mismatch_is_an_alarm_and_the_card_is_dealt_all_the_same():
    felt = Felt()
    felt.bet(s1="A")
    told = felt.step("card", 5, True)
    assert named(told, "alarm", kind="shoe-mismatch") and named(told, "card", to="1.1")


@pytest.mark.parametrize("key", ["make-change", "return-excess"])
def test_a_hole_card_that_is_named_while_chips_are_changed_ends_the_deal_after_the_window(key):
    felt = Felt()
    felt.bet(s1="A")
    if key == "return-excess":  # a chip too many: the alarm names it, this key lets it go back
        felt.lie[1] = "AB"
        felt.sweeps(3)
        felt.lie[1] = "A"
    felt.deal("TS", "9S", "9D", "??")
    felt.step("stand", 0)
    felt.step("reveal")
    felt.step("key", key, 1, 0, "operator")
    assert felt.state == "EXTRA"
    assert not named(felt.step("name_card", cards.parse("8H"), None, 1), "settle")
    assert felt.state == "EXTRA"
    felt.step("confirm", 1, "operator")
    told = felt.sweeps(3)
    assert named(told, "extra", kind=key) and named(told, "settle", spot=1, outcome="win")
    assert felt.state == "SETTLE"


def test_a_hand_is_prompted_once():
    """ND-40, ND-54: also where a key was taken back meanwhile."""
    felt = Felt()
    felt.bet(s1="A")
    felt.deal("8S", "9S", "8D", "8H")
    felt.step("key", "split", 0, 0, "operator")
    felt.step("cancel", 1, "operator")
    felt.sweeps(2)
    assert [e["kind"] for e in named(felt.events, "prompt", spot=1)] == ["split", "double"]


def test_even_money_names_a_spot():
    """Without one it would be the dealer's hand, and would tell that it is a natural."""
    felt = Felt(even_money=True)
    felt.bet(s1="A")
    felt.deal("TS", "AC", "9D", "KD")
    with pytest.raises(Refused):
        felt.step("key", "even-money", 0, 0, "operator")
    assert not named(felt.events, "extra")


@pytest.mark.parametrize("key", ["stand", "split", "surrender", "double"])
def test_a_doubled_hand_takes_its_card_and_nothing_else(key):
    """ND-53; what is surrendered or split then would leave the double without a settlement."""
    felt = Felt(surrender=True)
    felt.bet(s1="A")
    felt.deal("8S", "9S", "8D", "8H")
    felt.step("key", "double", 1, 0, "operator")
    felt.lie[1] = "AB"
    felt.step("confirm", 1, "operator")
    felt.sweeps(3)
    assert named(felt.events, "extra", kind="double", amount=1000)
    with pytest.raises(Refused):
        felt.step("stand", 1) if key == "stand" else felt.step("key", key, 1, 0, "operator")
    felt.deal("2C")
    felt.step("reveal")
    assert [(e["bet"], e["outcome"]) for e in named(felt.events, "settle")] == [("main", "win"), ("double", "win")]


def test_an_oral_wager_that_the_dealer_alone_has_confirmed_is_forgotten_by_a_restart():
    """GCB-07: the supervisor's word after the power was gone makes no wager of it."""
    felt = Felt(opened=False)
    profile = load("gcb-blackjack", {"dealer_natural_beats_21": True})
    felt.round = Round(3, profile, lambda uid: -1, 500, 50_000, Blackjack)
    felt.round.oral = Oral(felt.round)
    felt.step("ready")
    felt.step("open")
    felt.step("key", "oral", 2, 1000, "dealer")
    felt.step("confirm", 2, "dealer")
    felt.step("restart", 0, 0)
    felt.step("ready")
    felt.step("open")
    with pytest.raises(Refused):
        felt.step("supervisor_confirm", 2, "supervisor")
