"""Whose card it is: dealing order for any spots, hands that need no decision, misread cards, burned
ones, and wagers that turn out not to count. Expectations come from "How a round is told", worked out by hand."""

from itertools import combinations

import pytest

from firstcard.core import cards
from firstcard.core.refused import Refused
from host_tests.core.felt import Felt, named

LOW = [r + s for r in "23456" for s in "SHDC"]  # two of them and two more never make 21


def dealt(spots=7, options=None, **bets):
    felt = Felt(spots=spots, **(options or {}))
    felt.bet(**(bets or {"s1": "A", "s2": "B"}))
    return felt


@pytest.mark.parametrize("taken", [c for n in (1, 2, 3, 7) for c in combinations(range(1, 8), n)])
def test_order_for_any_spots(taken):
    felt = dealt(**{"s%d" % s: "ABCDEFG"[s - 1] for s in taken})
    felt.deal(*LOW[: 2 * len(taken) + 2])
    to = ["%d.1" % s for s in taken]
    assert [place for _, place in felt.takers()] == to + ["dealer"] + to + ["dealer"]
    codes = [code for code, _ in felt.takers()]
    assert codes[-1] == "**" and codes[:-1] == LOW[: 2 * len(taken) + 1]
    assert [e["n"] for e in named(felt.events, "card")] == list(range(1, 2 * len(taken) + 3))
    assert felt.deal("2H")[0]["to"] == "%d.1" % taken[0]  # then the first hand that decides


def test_spots_whose_wager_does_not_count_take_no_cards():
    felt = dealt(s1="A", s2="u", s3="B", s4="NMC", s5="DX")  # 2 under, 4 over, 5 holds an unknown chip
    felt.deal("2S", "3S", "4S")
    assert [to for _, to in felt.takers()] == ["1.1", "3.1", "dealer"]


def test_stand_moves_on_and_the_dealer_comes_after_reveal():
    felt = dealt()
    felt.deal("TS", "9S", "8D", "2D", "3D", "9H")  # 12, 12 against 8+9
    felt.step("stand", 1)
    assert felt.deal("4D")[0]["to"] == "2.1"
    with pytest.raises(Refused):
        felt.step("reveal")
    felt.step("stand", 0)
    told = felt.step("reveal")
    assert told[0] == {"event": "card", "n": 6, "code": "9H", "to": "dealer"}
    assert felt.state == "SETTLE"  # 17: the dealer stands


def test_a_bust_hand_is_passed_and_settled_at_once():
    felt = dealt()
    felt.deal("TS", "9S", "8D", "6D", "3D", "9H")
    told = felt.deal("7H")  # 10 + 6 + 7
    assert named(told, "settle", spot=1, outcome="lose", stake=1000, returned=0, won=0, to="tray")
    assert felt.deal("2H")[0]["to"] == "2.1"


def test_a_hand_of_21_is_passed_over():
    felt = dealt()
    felt.deal("TS", "9S", "8D", "6D", "3D", "9H", "5H")  # 10 + 6 + 5
    assert felt.deal("2H")[0]["to"] == "2.1"
    with pytest.raises(Refused):
        felt.step("stand", 1)


@pytest.mark.parametrize("natural", [("AS", "KD"), ("KS", "AD"), ("TS", "AD"), ("AS", "JD")])
def test_a_natural_is_passed_over(natural):
    felt = dealt()
    felt.deal(natural[0], "9S", "8D", natural[1], "3D", "9H")
    assert felt.deal("2H")[0]["to"] == "2.1"


def test_all_naturals_wait_for_the_reveal_and_nobody_takes_a_card():
    felt = dealt()
    felt.deal("AS", "TS", "8D", "KD", "AD", "5H")
    told = felt.deal("2H")
    assert named(told, "alarm", kind="no-taker")
    felt.step("reveal")  # nobody is left whom the dealer's total could change: the hole card is the last
    assert [e["outcome"] for e in named(felt.events, "settle")] == ["blackjack", "blackjack"]


def test_no_reveal_and_no_stand_before_the_hole_card_is_dealt():
    felt = dealt()
    for code in ("TS", "9S", "8D", "7D", "8H"):
        for name, args in (("reveal", ()), ("stand", (0,))):
            with pytest.raises(Refused):
                felt.step(name, *args)
        felt.deal(code)


@pytest.mark.parametrize("soft17, cards_drawn, total", [
    ("stand", [], "6+A=17"), ("hit", ["TD"], "6+A+10=17 hard")])
def test_the_dealer_draws_as_the_profile_says(soft17, cards_drawn, total):
    felt = Felt(spots=7, soft17=soft17, insurance=False)
    felt.bet(s1="A")
    felt.deal("TS", "6D", "8H", "AD")
    felt.step("stand", 0)
    felt.step("reveal")
    assert (felt.state == "SETTLE") is (not cards_drawn)
    for code in cards_drawn:
        assert felt.deal(code)[0]["to"] == "dealer"
    assert felt.state == "SETTLE", total


@pytest.mark.parametrize("up, hole, draws", [
    ("TC", "6H", ["8D"]), ("TC", "7H", []), ("2C", "2H", ["2D", "2S", "3C", "3H", "3D"]), ("AC", "5H", ["5D"]),
    ("AC", "5H", ["KD", "2S"]), ("5C", "5H", ["AD"])])
def test_the_dealer_draws_below_17_and_stops_there(up, hole, draws):
    felt = dealt(s1="A", options={"insurance": False})
    felt.deal("TS", up, "8H", hole)
    felt.step("stand", 0)
    felt.step("reveal")
    for code in draws:
        assert felt.state == "LOCKED"
        assert felt.deal(code)[0]["to"] == "dealer"
    assert felt.state == "SETTLE"
    assert named(felt.deal("9C"), "alarm", kind="no-taker")


def test_the_dealer_does_not_draw_when_all_hands_are_bust():
    felt = dealt(s1="A")
    felt.deal("TS", "2C", "8H", "3C", "KD")
    felt.step("reveal")
    assert not named(felt.events, "card", n=6)
    assert felt.state == "SETTLE"


def test_a_card_without_any_wager_is_an_alarm():
    felt = Felt()
    felt.sweeps(2)
    felt.lock()
    felt.sweep()
    assert named(felt.deal("TS"), "alarm", kind="no-wager-card")


def test_cards_drawn_before_the_freeze_is_decided_are_told_after_it_and_in_order():
    felt = Felt()
    felt.lie = {1: "A", 2: "B"}
    felt.sweeps(2)
    felt.lock()
    assert not felt.deal("TS", "9S")
    felt.sweep()
    assert felt.takers() == [("TS", "1.1"), ("9S", "2.1")]


# misread cards


def test_a_misread_card_goes_in_turn_and_is_named_later():
    felt = dealt()
    told = felt.deal("TS", "??")
    assert told[0] == {"event": "card", "n": 2, "code": "??", "to": "2.1"}
    assert named(told, "prompt", kind="card", spot=2)
    felt.deal("8D", "7D")
    assert felt.step("name_card", cards.parse("9S")) == [{"event": "card", "n": 2, "code": "9S", "to": "2.1"}]
    assert felt.deal("5D")[0]["to"] == "2.1"


def test_several_misread_cards_are_named_in_the_order_in_which_they_came():
    felt = dealt()
    felt.deal("??", "??", "??", "7D")
    told = [felt.step("name_card", cards.parse(c))[0] for c in ("2S", "3S", "4S")]
    assert [(e["n"], e["code"], e["to"]) for e in told] == [(1, "2S", "1.1"), (2, "3S", "2.1"), (3, "4S", "dealer")]
    with pytest.raises(Refused):
        felt.step("name_card", 3)


def test_a_misread_card_that_turns_out_a_bust_or_a_21_ends_the_hand():
    felt = dealt()
    felt.deal("TS", "9S", "8D", "6D", "3D", "9H", "??")
    told = felt.step("name_card", cards.parse("8C"))
    assert named(told, "settle", spot=1, outcome="lose")
    felt.deal("??")
    felt.step("name_card", cards.parse("9C"))  # 9 + 3 + 9 = 21
    felt.step("reveal")


def test_a_misread_hole_card_is_masked_like_any_other_and_asked_for_at_the_reveal():
    felt = dealt(s1="A")
    told = felt.deal("TS", "9S", "8D", "??")
    assert told[0] == {"event": "card", "n": 4, "code": "**", "to": "dealer"}
    assert told[1:] == [{"event": "prompt", "kind": "double", "spot": 1, "amount": None}]  # as with any hole card
    felt.step("stand", 0)
    told = felt.step("reveal")
    assert named(told, "card", n=4, code="??") and named(told, "prompt", kind="card")
    felt.step("name_card", cards.parse("8S"))
    assert named(felt.events, "settle", spot=1, outcome="win")


def test_a_misread_hole_card_does_not_stand_in_the_way_of_a_later_misread_card():
    """"card ... filled by `card <code>`", and nothing that depends on the hole card may show before the reveal."""
    felt = dealt(s1="A")
    felt.deal("2S", "9S", "3D", "??", "??")
    assert felt.step("name_card", cards.parse("5S"))[0]["to"] == "1.1"


def test_without_a_hole_card_the_hands_decide_after_their_second_card():
    """"`hole_card: false`: European, no hole card until the end"."""
    felt = Felt(hole_card=False)
    felt.bet(s1="A")
    felt.deal("2S", "9S", "3D")
    assert felt.deal("4D")[0]["to"] == "1.1"
    assert "**" not in [code for code, _ in felt.takers()]


# burned cards


@pytest.mark.parametrize("before", range(8))
def test_the_last_card_can_be_burned_and_its_place_is_dealt_again(before):
    """At each place of the deal: the card goes to `burn` under its number, the next card takes its place."""
    codes = ["2S", "3S", "4S", "5S", "6S", "7S", "2D", "3D"]
    felt = dealt()
    felt.deal(*codes[: before + 1])
    code, to = felt.takers()[-1]
    told = felt.step("burn")
    assert told == [{"event": "card", "n": before + 1, "code": code, "to": "burn"}]
    felt.deal("4C")
    assert felt.takers()[-1][1] == to
    felt.step("burn")
    with pytest.raises(Refused):  # one card is burned once
        felt.step("burn")


def test_a_burned_card_counts_in_no_hand():
    felt = dealt(s1="A")
    felt.deal("TS", "KS", "9D", "TH", "2H")  # 21 against 20: passed over
    felt.step("burn")
    felt.step("stand", 1)  # 19 again, and 19 loses
    felt.step("reveal")
    assert named(felt.events, "settle", spot=1, outcome="lose")


def test_a_card_that_has_decided_a_bet_cannot_be_burned():
    felt = dealt()
    felt.deal("TS", "9S", "8D", "6D", "3D", "9H", "7H")
    with pytest.raises(Refused):
        felt.step("burn")


def test_the_dealers_last_card_cannot_be_burned_after_the_settlement():
    """"computed from profile, locked wagers and cards only": a settlement that was told stands on its cards."""
    felt = dealt(s1="A")
    felt.deal("TS", "9S", "9D", "7D")
    felt.step("stand", 0)
    felt.step("reveal")
    felt.deal("8H")
    assert felt.state == "SETTLE"
    with pytest.raises(Refused):
        felt.step("burn")


# a wager that turns out not to count: decided 0 at every point of the deal


@pytest.mark.parametrize("after", range(10))
@pytest.mark.parametrize("gone", [1, 2, 3])
def test_an_unsettled_spot_decided_0_gets_no_more_cards_at_any_point(gone, after):
    codes = ["2S", "3S", "4S", "5S", "6S", "7S", "8S", "9S", "2D", "3D"]
    felt = Felt(spots=3)
    lie = {1: "A", 2: "B", 3: "C"}
    felt.lie = {s: c for s, c in lie.items() if s != gone}
    felt.sweeps(2)
    felt.lock()
    felt.lie = lie
    felt.sweep()
    felt.deal(*codes[:after])
    told = felt.step("cancel", gone, "dealer")
    assert named(told, "unsettled-decided", spot=gone, value=0)
    del felt.lie[gone]
    rest = [s for s in lie if s != gone]
    had = [to for _, to in felt.takers()]
    order = ["1.1", "2.1", "3.1", "dealer", "1.1", "2.1", "3.1", "dealer"]
    due = [to for to in order[after:] if to != "%d.1" % gone]
    for code in (codes + ["2C", "3C"])[after : after + len(due)]:
        felt.deal(code)
    assert [to for _, to in felt.takers()] == had + due
    for spot in rest:
        felt.step("stand", spot)
    felt.step("reveal")
    while felt.state == "LOCKED":
        felt.deal("6C")
    assert [e["spot"] for e in named(felt.events, "settle")] == rest
    assert not named(felt.sweeps(5), "alarm")
    felt.step("settled", 0)
    assert felt.round.finished


def test_an_undecided_spot_is_dealt_to_and_waits_with_its_settlement():
    felt = Felt(spots=3)
    felt.lie = {1: "A"}
    felt.sweeps(2)
    felt.lock()
    felt.lie = {1: "A", 2: "B"}
    felt.sweep()
    felt.deal("TS", "TH", "8D", "9D", "9H", "9C")
    felt.step("stand", 1)
    felt.step("stand", 2)
    felt.step("reveal")
    assert [e["spot"] for e in named(felt.events, "settle")] == [1]
    with pytest.raises(Refused):
        felt.step("settled", 2)
    felt.step("settled", 1)
    assert not felt.round.finished
    felt.step("confirm", 2, "dealer")
    felt.step("supervisor_confirm", 2, "supervisor")
    assert named(felt.events, "settle", spot=2, stake=1000, won=1000)
    felt.step("settled", 2)
    assert felt.round.finished


@pytest.mark.parametrize("over", [1, 2, 3])
@pytest.mark.parametrize("after", range(7))
def test_a_spot_valued_at_the_maximum_takes_the_next_card_that_falls_to_it(over, after):
    """IN-BJ R5: until its second card's turn has passed; nobody else's turn is lost by it. A pass of cards that
    is complete for the others is not opened again."""
    felt = Felt(high=2000)
    felt.bet(**{"s%d" % spot: "DEF" if spot == over else "ABC"[spot - 1] for spot in (1, 2, 3)})
    codes = ["2S", "3S", "4S", "5S", "6S", "7S", "8S"]
    felt.deal(*codes[:after])
    if after > 3 + over - 1 or after == 5:  # two first cards, the dealer's, the second cards of the spots before it
        with pytest.raises(Refused):
            felt.step("supervisor_confirm", over, "supervisor")
        return
    felt.step("supervisor_confirm", over, "supervisor")
    felt.deal(*codes[after:])
    everybody = ["1.1", "2.1", "3.1"]
    first = everybody if after <= over - 1 and after < 2 else [label for label in everybody if label != "%d.1" % over]
    assert [to for _, to in felt.takers()] == (first + ["dealer"] + everybody + ["dealer"])[:7]


@pytest.mark.parametrize("last", [3, 7])
def test_without_a_spot_no_bet_is_valued_at_the_maximum(last):
    """The supervisor names the spot: the last one of the table is not meant by saying none."""
    felt = Felt(high=2000)
    felt.bet(**{"s1": "A", "s%d" % last: "DEF"})
    felt.deal("2S")
    with pytest.raises(Refused):
        felt.step("supervisor_confirm", 0, "supervisor")
    assert felt.round.live == [1]


# void


@pytest.mark.parametrize("after", [0, 1, 3, 5, 7])
@pytest.mark.parametrize("key", ["misdeal", "void"])
def test_void_returns_every_stake_and_only_with_the_supervisor(key, after):
    felt = dealt()
    felt.deal(*["2S", "3S", "4S", "5S", "6S", "7S", "2D"][:after])
    assert [(e["event"], e["kind"]) for e in felt.step(key)] == [("notice", key)]
    felt.step("supervisor_confirm", 0, "supervisor")
    assert [(e["spot"], e["outcome"], e["stake"], e["returned"], e["won"]) for e in named(felt.events, "settle")] \
        == [(1, "void", 1000, 1000, 0), (2, "void", 1000, 1000, 0)]
    assert named(felt.events, "round", result="void", stakes=2000, returned=2000, won=0)


def busted_then_void():
    felt = dealt()
    felt.deal("TS", "9S", "8D", "6D", "3D", "9H", "7H")  # spot 1 is bust: its settle is out
    felt.step("misdeal")
    felt.step("supervisor_confirm", 0, "supervisor")
    return felt


def test_void_leaves_what_is_settled_alone():
    felt = busted_then_void()
    assert [(e["spot"], e["outcome"]) for e in named(felt.events, "settle")] == [(1, "lose"), (2, "void")]
    assert felt.round.live == [1] and not felt.round.finished


def test_a_void_round_ends_when_the_settled_spots_are_cleared():
    """"misdeal, void: each bet not yet settled gets settle void, settled ones stand; round result void"."""
    felt = busted_then_void()
    felt.lie[1] = ""
    felt.sweeps(4)
    felt.step("settled", 0)
    assert named(felt.events, "round", result="void", stakes=2000, returned=1000)


def test_a_natural_whose_turn_has_not_come_is_not_doubled():
    felt = Felt()
    felt.bet(s1="A", s2="B")
    felt.deal("5S", "AS", "9C", "6D", "KD", "9H")
    with pytest.raises(Refused):
        felt.step("key", "double", 2, 0, "dealer")


def test_a_confirmed_wish_is_not_undone():
    felt = Felt()
    felt.bet(s1="A", s2="B")
    felt.deal("5S", "6S", "9C", "6D", "5D", "9H")
    felt.step("key", "double", 1, 0, "dealer")
    felt.step("confirm", 1, "dealer")
    with pytest.raises(Refused):
        felt.step("key", "undo", 0, 0, "dealer")
