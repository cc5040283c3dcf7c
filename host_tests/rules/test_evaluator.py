"""Thousands of random blackjack rounds: every card's taker and every bet's money against a second evaluator.

The player of the rounds and the evaluator are those of `make prove` (pit.prove.seats, pit.prove.evaluator).
"""

import random

import pytest

from pit.prove.seats import Seats

ROUNDS = 2_000
PARTS = 20


@pytest.mark.parametrize("part", range(PARTS))
def test_random_rounds_settle_to_the_cent(part):
    for n in range(ROUNDS // PARTS):
        seed = part * 1_000_003 + n
        try:
            Seats(random.Random(seed)).play()
        except BaseException:
            print("seed", seed)
            raise
