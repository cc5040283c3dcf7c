"""Worked examples of settlement, each played as a whole round on the simulated table and compared to the cent.

A row's id is that of the list of worked examples (A01 ... H08); the rows that are no arithmetic are scenario files of
host_tests/scenarios, each naming its rows. Expectations are the list's, in the order in which the table tells them.
"""

import pytest
import yaml

from pit import scenario
from pit.runner import Runner
from pit.targets.host import HostTarget

ND, IN, GCB, TCP = "us-nd-twentyone", "us-in-blackjack", "gcb-blackjack", "us-in-three-card-poker"
LIMITS = {ND: (300, 2500)}
CUSTOMARY = {"dealer_natural_beats_21": True}
COMPANY = 500  # wager of a second player who stands, so that the dealer draws on
CHIPS = (2500, 500, 100, 50)


def chips(cents):
    out = []
    for chip in CHIPS:
        out += [chip] * (cents // chip)
        cents %= chip
    assert not cents
    return out


def place(spot, zone, cents):
    return {"place": {"spot": spot, "zone": zone, "chips": chips(cents)}}


def line(bet, outcome, stake, returned, won, to="player", hand=1):
    return hand, bet, outcome, stake, returned, won, to


def main(outcome, stake, returned, won, hand=1, bet="main"):
    return line(bet, outcome, stake, returned, won, "player" if returned else "tray", hand)


def played(profile, options, steps):
    """The settle lines of spot 1 and the round's event of a scenario that is played to its end; no alarm may come."""
    low, high = LIMITS.get(profile, (500, 50_000))
    text = yaml.safe_dump({"profile": profile, "options": options, "limits": {"min": low, "max": high},
                           "steps": ["open", *steps, {"key": "settled"}, {"expect": {"event": "round"}}]})
    outcome = Runner(scenario.parse(text), HostTarget()).play()
    assert outcome.failure is None, outcome.failure
    assert not [e for e in outcome.events if e["event"] in ("alarm", "refused", "unsettled")]
    names = ("hand", "bet", "outcome", "stake", "returned", "won", "to")
    told = [e for e in outcome.events if e["event"] == "settle"]
    over = [e for e in outcome.events if e["event"] == "round"][0]
    assert over["result"] == "complete"
    for total, name in (("stakes", "stake"), ("returned", "returned"), ("won", "won")):
        assert over[total] == sum(e[name] for e in told)
    return [tuple(e[name] for name in names) for e in told if e["spot"] == 1]


def cards(text):
    return text.split()


def round_of(stake, hands, dealer, tip=0, insurance=0, double=0, company=False):
    """Steps of one blackjack round on spot 1. `hands`: cards of each hand, two where the pair is split."""
    hands, dealer = [cards(hand) for hand in hands], cards(dealer)
    split = len(hands) == 2
    first = [hands[0][0], hands[1][0]] if split else hands[0][:2]
    guests = ["TD", "8D"] if company else []
    steps = [place(1, "main", stake)]
    steps += [place(1, "tip", tip)] if tip else []
    steps += [place(2, "main", COMPANY)] if company else []
    steps += [{"wait": 2000},
              {"draw": [first[0], *guests[:1], dealer[0], first[1], *guests[1:], dealer[1]]}]
    if dealer[0][0] == "A":
        steps += [{"expect": {"event": "prompt", "kind": "insurance"}}]
        steps += [place(1, "line", insurance)] if insurance else []
        steps += [{"key": "insurance-closed"}, {"expect": {"event": "state", "state": "LOCKED"}}]
    if split:
        steps += [{"key": "split"}, place(1, "main", stake), {"key": "confirm"},
                  {"expect": {"event": "extra", "kind": "split", "amount": stake}}]
        aces = first[0][0] == "A"
        for hand in hands:
            steps += [{"draw": hand[1:]}, *stand(hand, aces)]
    elif double:
        steps += [{"key": "double"}, place(1, "main", double), {"key": "confirm"},
                  {"expect": {"event": "extra", "kind": "double", "amount": double}}, {"draw": hands[0][2:]}]
    else:
        steps += [{"draw": hands[0][2:]}] if len(hands[0]) > 2 else []
        steps += stand(hands[0])
    steps += [{"key": "stand"}] if company else []
    steps += [{"key": "reveal"}]
    steps += [{"draw": dealer[2:]}] if len(dealer) > 2 else []
    return steps


def stand(hand, over=False):
    """The key, unless the hand is over by itself."""
    points = sum({"T": 10, "J": 10, "Q": 10, "K": 10, "A": 11}.get(c[0]) or int(c[0]) for c in hand)
    return [] if over or points >= 21 else [{"key": "stand"}]


TIPS = {"tips": True}
BLACKJACK = {  # row: (profile, options, arguments of round_of, lines)
    "C01": (ND, {}, (1000, ["TS 9D"], "TC 8H"), [main("win", 1000, 1000, 1000)]),
    "C02": (ND, {}, (1500, ["AS KD"], "TC 9H"), [main("blackjack", 1500, 1500, 2250)]),
    "C04": (IN, {}, (1000, ["AS KD"], "AC QH"), [main("push", 1000, 1000, 0)]),
    "C05": (IN, {}, (1000, ["7S 7D 7C"], "AC QH"), [main("lose", 1000, 0, 0)]),
    "C07": (IN, {}, (1000, ["TS 8D"], "9C 9H"), [main("push", 1000, 1000, 0)]),
    "C08": (IN, {}, (1000, ["TS 6D 6C"], "TC 6H 8D", 0, 0, 0, True), [main("lose", 1000, 0, 0)]),
    "C10": (GCB, CUSTOMARY, (1000, ["7S 7D 7C"], "AC QH"), [main("lose", 1000, 0, 0)]),
    "C11": (GCB, CUSTOMARY, (1000, ["AS KD"], "7C 7H 7S", 0, 0, 0, True), [main("blackjack", 1000, 1000, 1500)]),
    "C13": (IN, {}, (2500, ["TS 5D"], "TC 6H 9D"), [main("win", 2500, 2500, 2500)]),
    "C14": (IN, {}, (500, ["AS TD"], "AC 5H 5D", 0, 0, 0, True), [main("blackjack", 500, 500, 750)]),
    "C15": (ND, {}, (1000, ["AS KD", "AD 4C"], "TC 7H"),
            [main("win", 1000, 1000, 1000), main("lose", 1000, 0, 0, 2)]),
    "D01": (ND, TIPS, (500, ["TS 9D"], "TC 8H", 100),
            [main("win", 500, 500, 500), line("tip", "win", 100, 100, 100, "tip-box")]),
    "D02": (ND, TIPS, (500, ["TS 7D"], "TC 8H", 50),
            [main("lose", 500, 0, 0), line("tip", "lose", 50, 0, 0, "tray")]),
    "E01": (ND, {}, (1000, ["TS 8D"], "AC QH", 0, 500),
            [main("lose", 1000, 0, 0), line("insurance", "win", 500, 500, 1000)]),
    "E02": (ND, {}, (1000, ["TS 9D"], "AC 7H", 0, 500),
            [main("win", 1000, 1000, 1000), line("insurance", "lose", 500, 0, 0, "tray")]),
    "F01": (ND, {}, (500, ["KS 9D", "QD 5C 8H"], "TC 8H"),
            [main("lose", 500, 0, 0, 2), main("win", 500, 500, 500)]),
    "F02": (ND, {}, (1000, ["AS KD", "AD 5C"], "TC 9H"),
            [main("win", 1000, 1000, 1000), main("lose", 1000, 0, 0, 2)]),
    "F08": (ND, {}, (1000, ["6S 5D TC"], "TC 9H", 0, 0, 1000),
            [main("win", 1000, 1000, 1000), main("win", 1000, 1000, 1000, bet="double")]),
    "F10": (ND, {"double": "equal_or_less"}, (1000, ["6S 5D 9C"], "TC 9H", 0, 0, 600),
            [main("win", 1000, 1000, 1000), main("win", 600, 600, 600, bet="double")]),
    "F14": (ND, TIPS, (500, ["8S TD", "8D 3C TH"], "TC 9H", 100),
            [main("lose", 500, 0, 0), line("tip", "lose", 100, 0, 0, "tray"), main("win", 500, 500, 500, 2)]),
    # readings beside the list's rows
    "C10-literal": (GCB, {"dealer_natural_beats_21": False}, (1000, ["7S 7D 7C"], "AC QH"),
                    [main("push", 1000, 1000, 0)]),
    "D01-natural": (ND, TIPS, (500, ["AS KD"], "TC 8H", 100),
                    [main("blackjack", 500, 500, 750), line("tip", "win", 100, 100, 100, "tip-box")]),
    "D02-tie": (ND, TIPS, (500, ["TS 8D"], "TC 8H", 100),
                [main("push", 500, 500, 0), line("tip", "push", 100, 100, 0)]),
}


@pytest.mark.parametrize("row", BLACKJACK)
def test_blackjack(row):
    profile, options, told, lines = BLACKJACK[row]
    assert played(profile, options, round_of(*told)) == lines


def poker(ante, play, patron, dealer):
    """Steps of one round of three card poker on spot 1; `play` 0 is a fold."""
    steps = [place(1, "main", ante), {"wait": 2000}, {"draw": cards(patron)}, {"draw": cards(dealer)},
             {"expect": {"event": "prompt", "kind": "play"}}]
    if play:
        steps += [place(1, "line", play), {"key": {"name": "play", "spot": 1}},
                  {"expect": {"event": "extra", "kind": "play", "spot": 1, "amount": play}}]
    else:
        steps += [{"key": {"name": "fold", "spot": 1}},
                  {"expect": {"event": "prompt", "kind": "fold-cards", "spot": 1}},
                  {"expect": {"event": "extra", "kind": "fold", "spot": 1}}]
    return [*steps, {"key": "reveal"}]


def both(outcomes, stake, won_ante, won_play, bonus=0):
    """Lines of an ante and its equal play bet, and of a bonus that is due; `outcomes`: of ante and play."""
    ante, play = outcomes.split()
    out = [main(outcome, stake, 0 if outcome == "lose" else stake, won, bet=bet)
           for bet, outcome, won in (("ante", ante, won_ante), ("play", play, won_play))]
    return out + ([line("bonus", "win", 0, 0, bonus)] if bonus else [])


POKER = {  # row: (options, ante, play, patron, dealer, lines)
    "G01": ({}, 1000, 1000, "KS 9D 4C", "JC TH 8S", both("win push", 1000, 1000, 0)),
    "G02": ({}, 1000, 1000, "QS 4D 3C", "JC TH 8S", both("win push", 1000, 1000, 0)),
    "G04": ({}, 1000, 1000, "KS 9D 4C", "QC 3H 2S", both("win win", 1000, 1000, 1000)),
    "G06": ({}, 1000, 1000, "JS 9D 4C", "QC 9H 4S", both("lose lose", 1000, 0, 0)),
    "G07": ({}, 1000, 1000, "KS 9D 4C", "KC 9H 4S", both("push push", 1000, 0, 0)),
    "G09": ({}, 1000, 1000, "9S 9D 9C", "JC QH KS", both("win win", 1000, 1000, 1000, 4000)),
    "G10": ({}, 1000, 1000, "4S 5S 6S", "JC TH 8S", both("win push", 1000, 1000, 0, 5000)),
    "G11": ({}, 1000, 1000, "AS 2D 3C", "JC TH 8S", both("win push", 1000, 1000, 0, 1000)),
    "G14": ({}, 1000, 0, "7S 5D 2C", "QC 9H 4S", [line("ante", "fold", 1000, 0, 0, "tray")]),
    "G16": ({}, 1500, 1500, "AS KD QC", "JC TH 8S", both("win push", 1500, 1500, 0, 1500)),
    "G18": ({"bonus_pays": [6, 5, 1]}, 500, 500, "4S 5S 6S", "QC 9H 4D", both("win win", 500, 500, 500, 3000)),
    "G24": ({}, 1000, 1000, "2S 5S 9S", "AC AH 5D", both("win win", 1000, 1000, 1000)),
    "G25": ({}, 700, 700, "QS 9D 4C", "QC 9H 4S", both("push push", 700, 0, 0)),
    # readings beside the list's rows
    "G09-loses": ({}, 1000, 1000, "4S 5D 6C", "QC QH QS", both("lose lose", 1000, 0, 0, 1000)),
    "G14-bonus": ({"fold_bonus": True}, 1000, 0, "5S 6S 7S", "QC 9H 4S",
                  [line("ante", "fold", 1000, 0, 0, "tray"), line("bonus", "win", 0, 0, 5000)]),
    "G14-no-bonus": ({}, 1000, 0, "5S 6S 7S", "QC 9H 4S", [line("ante", "fold", 1000, 0, 0, "tray")]),
}


@pytest.mark.parametrize("row", POKER)
def test_three_card_poker(row):
    options, ante, play, patron, dealer, lines = POKER[row]
    assert played(TCP, options, poker(ante, play, patron, dealer)) == lines


@pytest.mark.parametrize("profile, top, said", [
    pytest.param(TCP, {"options": {"bonus_pays": [4, 3, 1]}}, "IN-TCP-12", id="G19"),
    pytest.param(GCB, {}, "dealer_natural_beats_21", id="C10-unchosen"),
    pytest.param(IN, {"options": {"promotions": [{"cards": "7-7-7 suited", "pays": [3, 1]}]}}, "IN-BJ-06",
                 id="H08-unapproved"),
    pytest.param(ND, {"options": {"unit": 500}}, "ND-08", id="A05-no-multiples-of-5"),
    pytest.param(ND, {"options": {"tip_insurance": True}}, "ND-32", id="E10-option"),
    pytest.param(ND, {"options": {"insurance": False, "even_money": True}}, "ND-39", id="E13-option"),
    pytest.param(ND, {"limits": {"min": 500, "max": 2500}}, "ND-03", id="A11-at-start"),
    pytest.param(ND, {"limits": {"min": 300, "max": 2600}}, "ND-06", id="A14-at-start"),
])
def test_a_house_that_the_text_does_not_allow_is_no_scenario(profile, top, said):
    with pytest.raises(scenario.ScenarioError) as error:
        scenario.parse(yaml.safe_dump({"profile": profile, "limits": {"min": 300, "max": 2500}, "steps": ["open"],
                                       **top}))
    assert said in str(error.value)


def test_an_approved_promotion_pays_its_odds():
    """H08: 7-7-7 suited pays 3:1, with the approval's reference."""
    options = {"promotions": [{"cards": "7-7-7 suited", "pays": [3, 1], "approval": "ED-2024-17"}]}
    assert played(IN, options, round_of(1000, ["7S 7S 7S"], "TC 7H")) == [main("win", 1000, 1000, 3000)]
    assert played(IN, options, round_of(1000, ["7S 7D 7S"], "TC 7H")) == [main("win", 1000, 1000, 1000)]
