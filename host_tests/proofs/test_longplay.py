"""The short form of `make prove PROOFS=rounds-heap`, and that it would see a heap that grows."""

import pytest

from firstcard.app import engine
from pit.prove import longplay


@pytest.mark.parametrize("on", [longplay.on_host, longplay.on_unix])
def test_the_heap_is_the_same_after_two_hundred_rounds(on):
    found = on(200)
    assert found["growth"] <= 0 and found["wraps"] >= 1
    assert found["erases"] / found["rounds"] < 0.5 and found["records"] > 200
    assert longplay.years(found["erases"], found["rounds"], found["blocks"]) > 10


def test_a_heap_that_grows_is_seen(monkeypatch):
    kept = []
    stock = engine.Engine._after_round
    monkeypatch.setattr(engine.Engine, "_after_round", lambda self: (kept.append([self]), stock(self)))
    assert longplay.on_host(20)["growth"] >= 20


# Bytes that were free after each of eighty rounds on the emulated board
FREE = [
    82992, 82880, 82912, 82976, 83008, 82880, 82880, 82880, 82912, 83088, 82880, 82896, 82976, 82816, 83008,
    82720, 82912, 82864, 82864, 83008, 82912, 82976, 83008, 82880, 82864, 82880, 83008, 82816, 83008, 82848,
    82912, 82992, 82896, 82880, 82880, 82880, 82896, 82720, 83008, 83008, 82864, 83008, 83008, 83056, 82976,
    82896, 82976, 82720, 82976, 82864, 82880, 82912, 82880, 83040, 82912, 82880, 83056, 83008, 82976, 82880,
    83008, 83008, 83008, 82816, 83008, 82720, 82912, 83088, 82864, 82896, 82912, 82816, 83008, 83008, 82976,
    82976, 82912, 82816, 82912, 82880,
]


@pytest.mark.parametrize("begin", range(0, len(FREE) - 20, 6))
def test_a_block_lost_a_round_is_told_from_what_is_under_way(begin):
    free = FREE[begin:begin + 20]
    assert longplay.lost_a_round(free) == 0
    assert longplay.lost_a_round([there - 16 * n for n, there in enumerate(free)]) == 1
    assert longplay.lost_a_round([there + 16 * n for n, there in enumerate(free)]) == -1
