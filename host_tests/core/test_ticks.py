"""Ticks against the arithmetic of MicroPython's extmod/modtime.c, and without leaving small ints."""

import ast
import inspect

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firstcard.core import ticks

PERIOD = 2**30
TICK = st.integers(0, PERIOD - 1)


@given(TICK, TICK)
def test_diff(late, early):
    assert ticks.diff(late, early) == ((late - early + PERIOD // 2) & (PERIOD - 1)) - PERIOD // 2


@given(TICK, st.integers(-(2**31), 2**31))
def test_add(now, delta):
    if (delta + PERIOD // 2 - 1) % 2**32 >= PERIOD - 1:
        with pytest.raises(OverflowError):
            ticks.add(now, delta)
    else:
        assert ticks.add(now, delta) == (now + delta) & (PERIOD - 1)
        assert ticks.diff(ticks.add(now, delta), now) == delta
        assert ticks.diff(now, ticks.add(now, delta)) == -delta


class Small(int):
    """An int that refuses to leave the 31 bits that need no allocation on the board."""

    def _made(self, value):
        assert -(2**30) <= value < 2**30, f"{value} is allocated on the board"
        return Small(value)

    def __add__(self, other):
        return self._made(int(self) + int(other))

    def __radd__(self, other):
        return self._made(int(other) + int(self))

    def __sub__(self, other):
        return self._made(int(self) - int(other))

    def __rsub__(self, other):
        return self._made(int(other) - int(self))

    def __and__(self, other):
        return self._made(int(self) & int(other))


@given(TICK, TICK, st.integers(-PERIOD // 2 + 1, PERIOD // 2 - 1))
def test_every_intermediate_result_is_a_small_int(late, early, delta):
    ticks.diff(Small(late), Small(early))
    ticks.add(Small(late), Small(delta))


def test_constants_are_small_ints_too():
    for node in ast.walk(ast.parse(inspect.getsource(ticks))):
        if isinstance(node, ast.Constant) and isinstance(node.value, int):
            assert node.value < 2**30
