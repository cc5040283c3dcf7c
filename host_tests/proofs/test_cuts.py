"""Power cuts, the short form of `make prove PROOFS=cuts`: on modelled memories under both Pythons, on the emulated
board; and that the proof sees what it is there for."""

import pytest

from firstcard.app import engine
from firstcard.store import log
from pit.emu import snapshot
from pit.prove import boardcuts, cuts
from pit.sim import files

BOARD = ((0, 1, 3, 2), (3, 1, 3, 4), (18, 1, 3, 2), (20, 1, 2, 1))  # step of the day, torn ones, instants, every


@pytest.fixture(autouse=True)
def _texts():
    files.prepare()


@pytest.mark.parametrize("on", [cuts.on_host, cuts.on_unix])
def test_days_of_all_four_profiles(on):
    rows = on(0, 3, every=5)
    assert [text for row in rows for text in row["wrong"]] == []
    assert len(rows) == 4 and sum(row["cuts"] for row in rows) > 400


def late_record(self, event, a=None, b=None, c=None, d=None, e=None):
    """Engine.step as it must not be: told first, written down afterwards."""
    r = self.round
    r.now_ms = self.ports.ms()
    before = r.state
    r.step(event, a, b, c, d, e)
    out = list(r.out)
    if r.out or r.state != before:
        self._run()
    r.out, kept = out, r.out
    self.keeper.input(event, a, b, c, d, e)
    self.keeper.facts(out)
    r.out = kept
    if r.finished and not self._reopening:
        self._after_round()


def in_place(self):
    """Log.begin as it must not be: the new state over the old one."""
    self._left = 0, self._index, self.at
    self.at_end(self.generation + 1, self.slot, log.HEAD, 0)


@pytest.mark.parametrize("owner, name, bug", [(engine.Engine, "step", late_record), (log.Log, "begin", in_place)])
def test_a_planted_bug_is_seen(monkeypatch, owner, name, bug):
    monkeypatch.setattr(owner, name, bug)
    assert cuts.on_host(0, 0, every=3)[0]["wrong"]


@pytest.fixture(scope="module")
def bench():
    made = boardcuts.Bench()
    yield made
    made.close()


def test_sixty_cuts_on_the_board(bench):
    found = snapshot.fork_map(lambda row: boardcuts.step(bench, *row), BOARD)
    assert [wrong for wrong, _, _ in found] == [[] for _ in BOARD]
    kinds = {}
    for _, _, counted in found:
        for kind, n in counted.items():
            kinds[kind] = kinds.get(kind, 0) + n
    assert sum(kinds.values()) >= 60 and set(kinds) == {boardcuts.FLASH, boardcuts.FRAM, boardcuts.INSTANT}
