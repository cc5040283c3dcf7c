"""Tick arithmetic across the 30-bit wrap (firstcard.core.ticks)."""

from firstcard.core import ticks
from host_tests.common.raising import error_of

LAST = 1073741823  # 2**30 - 1


def test_a_difference_is_signed_and_right_across_the_wrap():
    assert ticks.diff(105, 100) == 5
    assert ticks.diff(100, 105) == -5
    assert ticks.diff(2, LAST) == 3
    assert ticks.diff(LAST, 2) == -3
    assert ticks.diff(7, 7) == 0


def test_half_a_period_counts_as_before():
    assert ticks.diff(536870911, 0) == 536870911
    assert ticks.diff(536870912, 0) == -536870912
    assert ticks.diff(0, 536870912) == -536870912


def test_a_sum_wraps_both_ways():
    assert ticks.add(100, 5) == 105
    assert ticks.add(LAST, 1) == 0
    assert ticks.add(0, -1) == LAST
    assert ticks.add(LAST, 536870911) == 536870910
    assert ticks.add(0, -536870911) == 536870913


def test_a_delta_that_a_difference_could_not_give_back_is_an_error():
    error_of(OverflowError, ticks.add, 0, 536870912)
    error_of(OverflowError, ticks.add, 0, -536870912)
