"""The lock at 200 edge instants of an open table: in a sweep, a collection, a plaque write, console burst, an erase."""

import pytest

from pit.bench import edges, rig
from pit.bench.phases import MASKED, PHASES
from pit.bench.rows import KINDS

PER_PHASE = 40


@pytest.fixture(scope="module")
def found():
    """{phase: [Instant]}."""
    table = rig.with_bets()
    try:
        yield edges.sweep(table, PER_PHASE)
    finally:
        table.close()


@pytest.mark.parametrize("phase", PHASES)
def test_every_edge_locks(found, phase):
    assert len(found[phase]) == PER_PHASE
    assert len({one.at_us for one in found[phase]}) == PER_PHASE, "the instants are different ones"
    assert not [one for one in found[phase] if one.unlocked]
    assert max(one.lock_us for one in found[phase]) <= edges.LOCK_BUDGET_US


def wrong(ones, announced):
    """[(at_us, what was wrong)] of the edges that came with the shoe's frame, or of those that came alone."""
    assert len([one for one in ones if one.announced is announced]) == PER_PHASE // 2
    return [(one.at_us, one.wrong) for one in ones if one.announced is announced and one.wrong]


@pytest.mark.parametrize("phase", PHASES)
def test_it_is_told_with_the_wagers_of_the_last_inventories_before_it(found, phase):
    assert wrong(found[phase], announced=False) == []


@pytest.mark.parametrize("phase", PHASES)
def test_the_edge_is_what_locks_when_its_frame_comes_with_it(found, phase):
    assert wrong(found[phase], announced=True) == []


@pytest.mark.parametrize("phase", [phase for phase in PHASES if phase not in MASKED])
def test_the_hard_handler_hears_it_at_once(found, phase):
    assert max(one.latch_us for one in found[phase]) <= KINDS["edge_to_latch_us_max"].budget


def test_the_erase_really_holds_the_handler(found):
    assert max(one.latch_us for one in found["45 ms erase"]) > 30_000
