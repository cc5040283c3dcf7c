"""The lock at 2,000 edge instants of a table that is open or opening, spread over all phases of pit.bench.phases."""

import pytest

from pit.bench import edges, rig
from pit.bench.edges import AGREED, NOTED, TOLD
from pit.bench.lock import DURABLE_BUDGET_US
from pit.bench.phases import MASKED, OPENING, PHASES
from pit.bench.rows import KINDS
from pit.emu.snapshot import in_fork

PER_PHASE = 223
HEARD = [phase for phase in PHASES if phase not in OPENING]


def depth(number):
    """One of a walk runs on to the agreeing sweeps, six until the lock is told, so that the handler is timed."""
    return AGREED if number == 30 else TOLD if number % 20 == 5 else NOTED


@pytest.fixture(scope="module")
def table():
    """An open table with bets."""
    made = rig.with_bets()
    yield made
    made.close()


@pytest.fixture(scope="module")
def found(table):
    """{phase: [Instant]}."""
    opening = edges.sweep(table, PER_PHASE, phases=OPENING, depth=lambda number: NOTED)
    return {**edges.sweep(table, PER_PHASE, phases=HEARD, depth=depth), **opening}


@pytest.mark.parametrize("phase", PHASES)
def test_every_edge_locks(found, phase):
    assert len(found[phase]) == PER_PHASE
    assert len({one.at_us for one in found[phase]}) == PER_PHASE, "the instants are different ones"
    assert not [one for one in found[phase] if one.unlocked or one.warnings]
    locked = [one.lock_us for one in found[phase] if one.lock_us is not None]
    assert not locked or max(locked) <= edges.LOCK_BUDGET_US
    assert phase in OPENING or len(locked) == PER_PHASE


@pytest.mark.parametrize("announced", [False, True])
@pytest.mark.parametrize("phase", PHASES)
def test_it_takes_the_wagers_of_the_last_inventories_before_it(found, phase, announced):
    """Half of the cards come with the shoe's frame: the edge is what locks all the same."""
    ones = [one for one in found[phase] if one.announced is announced]
    assert len(ones) >= PER_PHASE // 2 - 1
    assert [(one.at_us, one.wrong) for one in ones if one.wrong] == []


@pytest.mark.parametrize("phase", [phase for phase in HEARD if phase not in MASKED])
def test_the_hard_handler_hears_it_at_once(found, phase):
    times = [one.latch_us for one in found[phase] if one.latch_us is not None]
    assert len(times) >= 10 and max(times) <= KINDS["edge_to_latch_us_max"].budget


@pytest.mark.parametrize("phase", [phase for phase in HEARD if phase not in MASKED])
def test_it_is_in_the_fram_at_once(found, phase):
    times = [one.durable_us for one in found[phase] if one.durable_us is not None]
    assert len(times) == PER_PHASE and max(times) <= DURABLE_BUDGET_US


def test_the_erase_really_holds_the_handler(found):
    assert max(one.latch_us or 0 for one in found["45 ms erase"]) > 30_000


@pytest.mark.parametrize("phase", HEARD)
def test_the_sweeps_after_it_are_held_against_them(found, phase):
    """At every box of the seven where that is sure: not while a chip of it is on the move."""
    ones = [one for one in found[phase] if one.depth == AGREED]
    assert len(ones) == 2 and sum(one.judged for one in ones) >= (1 if phase == "sweep with chips" else 7)


@pytest.mark.parametrize("beams", [{"ms": 5, "lag_ms": 2}, {"ms": 5, "lag_ms": 40}, {"back": True, "ms": 5}])
def test_a_card_that_is_gone_before_the_self_test_keeps_the_table_locked(table, beams):
    """Nobody has been told of it when the latch is armed: the opening does not wait for the tasks. LOCK never falls."""

    def tried():
        PHASES["opening"](table)
        before = len(table.table.lock_log)
        table.table.beams.edge(**beams)
        table.board.expect(rb"(?m)^ERROR 44 ", 2_000)
        table.board.run_ms(50)
        return table.table.lock_level, table.table.lock_log[before:], bytes(table.board.out[-700:])

    locked, changes, out = in_fork(tried)
    assert locked and not changes, out


def test_a_card_in_the_self_test_keeps_the_table_locked_and_one_after_it_locks(found):
    ones = found["self-test and arming"]
    assert [one for one in ones if one.refused] and [one for one in ones if one.lock_us is not None]
    assert all(one.refused for one in found["opening"][:PER_PHASE // 4])
