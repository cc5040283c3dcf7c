"""Proof: random blackjack rounds end as an independent engine says, and pay what a second evaluator says.

The rounds (pit.prove.seats) are played on firstcard.core.round with the three profiles of blackjack and random options.
The money of every bet is held against pit.prove.evaluator, the outcome of every hand against blackjack21
(pit.prove.engine).
"""

import random
from collections import Counter
from importlib.metadata import version

from firstcard.core.refused import Refused
from pit.prove.engine import WHY, compare
from pit.prove.evaluator import soft, total, two_card_21
from pit.prove.proof import Proof, Result
from pit.prove.seats import Differs, Seats

BLOCK = 2000  # rounds a unit
FIRST_SEED = 1_000_000  # `make test` plays seeds below this
PLAYED = {
    "rounds": "complete rounds",
    "hands": "hands of players, split ones counted singly",
    "splits": "splits",
    "doubles": "doubles, also for less",
    "surrendered": "hands surrendered",
    "insured": "insurance bets",
    "tips": "spots with a tip",
    "natural": "rounds in which the dealer had a natural",
    "soft 17": "rounds in which the dealer came to a soft 17",
    "differ": "rounds with a difference that nothing explains",
    "agreed": "hands with the same outcome in the engine, under the same rules",
}


def played(seats):
    """Counter of what was in a played round, by the names of PLAYED."""
    hands = [hand for _, hand in seats.every_hand()]
    starts = [seats.dealer[:n] for n in range(2, len(seats.dealer) + 1)]
    return Counter({
        "rounds": 1, "hands": len(hands), "splits": len(hands) - len(seats.hands),
        "doubles": sum(bool(hand.doubled) for hand in hands), "surrendered": sum(hand.surrendered for hand in hands),
        "insured": len(seats.insured), "tips": sum(bool(hand.tip) for hand in hands),
        "natural": int(two_card_21(seats.dealer)),
        "soft 17": int(any(soft(cards) and total(cards) == 17 for cards in starts))})


def play(seeds):
    """(Counter by the names of PLAYED and WHY, [text of each difference]) of the rounds of these seeds."""
    counts, wrong = Counter(), []
    for seed in seeds:
        seats = Seats(random.Random(seed))
        try:
            seats.play()
            verdicts, differences = compare(seats)
            counts.update(verdicts)
        except (Differs, Refused) as error:
            differences = [f"{type(error).__name__}: {error}"]
        counts += played(seats)
        if differences:
            counts["differ"] += 1
            wrong.append(f"seed {seed}: {'; '.join(differences)}")
    return counts, wrong


class Rounds(Proof):
    """A unit is a block of seeds; the engine's version is part of its name."""

    name = "rounds"
    title = "random blackjack rounds: outcomes as an independent engine's, money as a second evaluator's"

    def units(self, options):
        engine = f"blackjack21 {version('blackjack21')}"
        return [f"{min(BLOCK, options['rounds'] - done)} rounds from seed {FIRST_SEED + done}, {engine}"
                for done in range(0, options["rounds"], BLOCK)]

    def run(self, shared, unit):
        words = unit.replace(",", "").split()
        first = int(words[4])
        counts, wrong = play(range(first, first + int(words[0])))
        figures = {name: counts[name] for name in [*PLAYED, *WHY]}
        return Result(not wrong, figures, wrong[0] if wrong else "")

    def legend(self, rows):
        """What the columns mean, with their sums; the named differences with their reasons."""
        out = ["The cards are the same on both sides. A named difference is a rule that the engine does not",
               "have; it is granted only to a hand where its cause is there. Its money is held against",
               "the evaluator all the same.",
               "", "| figure | all | what it is |", "|---|---|---|"]
        for name, what in {**PLAYED, **WHY}.items():
            out.append(f"| {name} | {sum(result.figures.get(name, 0) for _, result in rows):,} | {what} |")
        return [*out, ""]
