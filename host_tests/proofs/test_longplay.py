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
