"""The power fails: in any operation of a day, and at any moment of random play; what comes back is what was told."""

import copy
import os
import random

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import invariant, run_state_machine_as_test

from firstcard.store.log import SLOTS as ADDRESSES
from host_tests.sim import test_random_table as tables
from host_tests.sim.bench import KEY, REGISTRY, Bench, prepare, uid_of
from host_tests.sim.shadow import differences
from pit import ROOT
from pit.journal.records import from_dump
from pit.journal.verify import verify
from pit.sim.memory import Blocks, Memory, Power, PowerCut
from pit.sim.table import SimTable

CUTS = int(os.environ.get("CUTS", "90"))
EXAMPLES = int(os.environ.get("RESTART_EXAMPLES", "4"))
SETUP = {"board": "fc7", "profile": "us-in-blackjack", "options": {}, "limits": {"min": 500, "max": 50000},
         "registry": REGISTRY, "keys": {"supervisor": KEY}}


@pytest.mark.parametrize("machine", [tables.Indiana, tables.Dakota, tables.Commonwealth, tables.ThreeCards],
                         ids=lambda machine: machine.__name__)
def test_the_log_gives_back_the_very_round_at_any_moment(machine):
    class Checked(machine):
        moments = 0

        @invariant()
        def the_log_is_the_round(self):
            self.moments += 1
            if hasattr(self, "bench") and not self.moments % 4:
                assert differences(self.bench.table) == []

    run_state_machine_as_test(Checked, settings=settings(
        max_examples=EXAMPLES, stateful_step_count=40, deadline=None, derandomize=True, database=None,
        phases=[Phase.generate], suppress_health_check=list(HealthCheck)))


class Day:
    """A table, its power, and what it has told."""

    def __init__(self, memory=None, blocks=None, power=None):
        prepare()
        self.power = power or Power()
        self.memory, self.blocks = memory or Memory(self.power), blocks or Blocks(self.power)
        self.told = []
        self.table = SimTable(SETUP, str(ROOT), memory=self.memory, blocks=self.blocks)

    def run(self, ms):
        end = self.table.now_ms + ms
        while self.table.now_ms < end:
            self.table.advance(end - self.table.now_ms)
            self.told += self.table.take()

    def do(self, **action):
        self.table.do(action)
        self.told += self.table.take()

    def key(self, *values):
        self.table.engine.step(*values)

    def play(self):
        """Open, bets, the first card, an alarm, the round to its end, new limits, a second round begun."""
        from firstcard.core import machine as m

        e = self.table.engine
        self.run(100)
        e.open()
        self.do(place={"spot": 3, "zone": "main", "uids": [uid_of(2500, 0), uid_of(500, 0)]})
        self.do(place={"spot": 5, "zone": "main", "uids": [uid_of(1000, 0)]})
        self.run(1500)
        for code in ("TH", "KD"):
            self.do(draw={"code": code})
            self.run(400)
        self.do(place={"spot": 3, "zone": "main", "uids": [uid_of(2500, 1)]})
        self.run(2500)
        e.step(m.ACK, 1, "supervisor")
        self.do(remove={"spot": 3, "zone": "main", "uids": [uid_of(2500, 1)]})
        for code in ("9S", "9C", "8C", "7D"):
            self.do(draw={"code": code})
            self.run(400)
        e.step(m.LIMITS, 1000, 20000, "supervisor", 0)
        for key in (m.STAND, m.STAND, m.REVEAL):
            e.step(key, 0)
        self.do(draw={"code": "KS"})
        self.run(400)
        e.step(m.SETTLED, 0)
        self.run(1500)
        self.do(draw={"code": "2C"})
        self.run(1000)
        self.told += self.table.take()


def wagers_told(told):
    """(round, {spot: value}) of the last `lock` that is not over, or None."""
    import json

    found = None
    for line in told:
        if line[:1] != b"!":
            continue
        event = json.loads(line[1:])
        if event["event"] == "lock":
            found = event["round"], {w["spot"]: w["value"] for w in event["wagers"]}
        elif event["event"] == "round" or (event["event"] == "state" and event["state"] in ("OPEN", "CLOSED")):
            found = None
    return found


def after_a_cut(at, tear, seed):
    """Texts: what is wrong after the power has failed in operation `at`; None if the day has not so many."""
    day = Day()
    day.power.pick = random.Random(seed).randrange
    day.power.cut_at, day.power.tear = at, tear
    try:
        day.play()
        return None
    except PowerCut:
        day.told += day.table.take()
    day.power.cut_at = None
    again = Day(copy.deepcopy(day.memory), copy.deepcopy(day.blocks), day.power)
    r, e = again.table.engine.round, again.table.engine
    wrong = ["faults %s" % list(e.faults)] if e.faults else []
    if r.state == 2 or not again.table.is_locked():
        wrong.append("bets are open")
    due = wagers_told(day.told)
    if due:
        have = r.number, {z.spot: z.value for z in r.zones if z.kind == 0 and z.value}
        over = r.state < 3 and e.last_round and e.last_round[0] == due[0]  # the last input ended it, untold
        if have != due and not over:
            wrong.append("told %r, came back %r" % (due, have))
    e.keeper.flush()
    verdict = verify(from_dump(bytes(again.blocks.data)))
    if not verdict.ok:
        wrong.append(verdict.wrong)
    return wrong


def test_a_cut_in_any_operation_of_a_day():
    whole = Day()
    whole.power.ops = 0  # what a boot does has its own cuts
    whole.play()
    total = whole.power.ops
    step = max(1, 3 * total // CUTS)
    done = 0
    for at in range(1, total + 1, step):
        for tear in ("before", "torn", "after"):
            wrong = after_a_cut(at, tear, at)
            assert wrong == [], (at, tear, wrong)
            done += 1
    assert done >= min(CUTS, 3 * total) * 0.9 and total > 150


def test_facts_that_found_no_room_in_the_journal_outlive_their_round_and_a_restart(monkeypatch):
    """A lock's fact whose edge is not in the log any more is no reason to trust nothing."""
    from firstcard.app.keeper import Keeper
    from firstcard.store.journal import Journal

    day = Day()
    with monkeypatch.context() as patch:
        patch.setattr(Journal, "room", lambda self: False)
        patch.setattr(Keeper, "full", lambda self: False)
        day.play()
    again = Day(day.memory, day.blocks, day.power)
    e = again.table.engine
    assert not e.faults
    e.keeper.flush()
    records = from_dump(bytes(again.blocks.data))
    verdict = verify(records)
    assert verdict.ok, verdict.wrong
    assert [fact.values["round"] for one in records for fact in one.facts if fact.name == "lock"] == [1, 2]


def cut_behind_the_mark():
    """The day after a cut just behind the first lock's mark, the power back on."""
    day = Day()
    put = day.memory.put

    def put_and_fail(message):
        day.power.cut_at, day.power.tear = 1, "after"
        put(message)

    day.memory.put = put_and_fail
    with pytest.raises(PowerCut):
        day.play()
    del day.memory.put
    day.power.cut_at = None
    return Day(copy.deepcopy(day.memory), copy.deepcopy(day.blocks), day.power)


def test_a_lock_of_which_only_the_mark_was_written_has_happened():
    """Nobody was told of it yet, and it stands: the wagers are those of the readings before it, at every restart."""
    again = cut_behind_the_mark()
    for _ in range(2):
        r = again.table.engine.round
        assert (r.state, {z.spot: z.value for z in r.zones if z.value}) == (3, {3: 3000, 5: 1000})
        assert again.table.is_locked() and not again.table.engine.faults
        again = Day(copy.deepcopy(again.memory), copy.deepcopy(again.blocks), again.power)
    again.table.engine.keeper.flush()
    records = from_dump(bytes(again.blocks.data))
    assert verify(records).ok
    assert [fact.values["round"] for one in records for fact in one.facts if fact.name == "lock"] == [1]


def test_a_mark_counts_for_its_own_round_only():
    day = Day()
    day.run(100)
    day.table.engine.open()
    day.run(200)
    mark = day.table.mark
    mark.expect(mark.number - 1)
    mark.set(5)
    again = Day(copy.deepcopy(day.memory), copy.deepcopy(day.blocks), day.power)
    assert again.table.engine.round.state < 2
    mark.expect(mark.number + 1)
    mark.set(5)
    again = Day(copy.deepcopy(day.memory), copy.deepcopy(day.blocks), day.power)
    assert again.table.engine.round.state == 3


@pytest.mark.parametrize("fired", [False, True], ids=["bets were open", "the latch had fired"])
def test_what_was_asked_before_the_first_card_is_not_asked_after_a_restart(fired):
    bench = Bench(profile="us-nd-twentyone", options={"tips": True}, min=200, max=2500)
    bench.bets((1, 500))
    for _ in range(2):
        bench.place(1, 100, zone="tip")
        bench.run(2500)
    assert bench.engine.prompt == ("tip", 1, None)
    if fired:
        bench.table.mark.set(5)
    bench.fault(power="cut")
    bench.run(100)
    bench.fault(power="restore")
    assert bench.table.engine.round.state == (3 if fired else 0)
    assert bench.table.engine.prompt is None
    assert not [line for line in bench.table.take() if b'"prompt"' in line]


def test_a_shoe_emptied_in_one_round_stops_no_firmware():
    """The log has room for 98 cards and a reserve: with that used up too the table is locked, and a restart says so."""
    bench = Bench(roles=("supervisor", "technician"))
    bench.ok("open")
    bench.draw(*["TC"] * 130)
    assert "log" in bench.engine.faults and bench.table.is_locked()
    bench.ok("key void")
    bench.ok("key supervisor-confirm")
    bench.run(1000)
    assert bench.state == "CLOSED" and bench.error("open")
    bench.fault(power="cut")
    bench.run(100)
    bench.fault(power="restore")
    assert list(bench.table.engine.faults) == ["memory"]  # `journal reset` ends it


def test_nothing_is_asked_of_a_round_that_could_not_be_restored():
    bench = Bench()
    bench.bets((1, 1000))
    bench.draw("TS", "9S", "TC", "9H")
    assert bench.engine.prompt == ("double", 1, None)
    log = bench.engine.keeper.log
    at = log.at
    bench.place(2, 500)
    bench.run(2500)
    assert log.at > at
    bench.fault(power="cut")
    bench.run(100)
    bench.table.memory.data[ADDRESSES[log.slot] + at + 5] ^= 1
    bench.fault(power="restore")
    assert list(bench.table.engine.faults) == ["memory"] and bench.table.engine.round.state == 0
    assert bench.table.engine.prompt is None


@pytest.mark.parametrize("tear", ["before", "torn", "after"])
def test_a_cut_in_any_operation_of_a_withdrawal(tear):
    """Afterwards the loss is told or it is not, with whose card it is, and the journal has as many losses."""
    from firstcard.core import machine as m

    found = set()
    for at in range(1, 100):
        day = Day()
        day.run(100)
        day.table.engine.open()
        for spot in (1, 2):
            day.do(place={"spot": spot, "zone": "main", "uids": [uid_of(1000, spot)]})
        day.run(1500)
        for code in ("TS", "9S", "TC", "5S", "4D", "9H", "8D"):
            day.do(draw={"code": code})
            day.run(400)
        day.power.cut_at, day.power.tear = at, tear
        try:
            day.table.engine.step(m.MOVE_CARD, 7, 2, 1)
            break
        except PowerCut:
            day.power.cut_at = None
        again = Day(copy.deepcopy(day.memory), copy.deepcopy(day.blocks), day.power)
        e, r = again.table.engine, again.table.engine.round
        first, second = r.game.deal.turns
        assert not e.faults and first.told == (r.stakes == 1000) == (first.n == 3) == (second.n == 2)
        assert first.told == any(b'"settle"' in line for line in again.told + again.table.take())
        e.keeper.flush()
        records = from_dump(bytes(again.blocks.data))
        assert verify(records).ok
        names = [fact.name for one in records for fact in one.facts]
        assert names.count("settle") - names.count("settle-withdrawn") == first.told
        found.add(first.told)
    assert found == ({False} if tear == "after" else {False, True})


def test_a_planted_bug_is_caught(monkeypatch):
    """A lock that is told and not written down: its wagers are lost, and that is noticed."""
    from firstcard.core.machine import EDGE
    from firstcard.store.log import Log
    from firstcard.store.mark import Mark

    append = Log.append
    monkeypatch.setattr(Log, "append", lambda self, kind, ms, values: kind == EDGE or append(self, kind, ms, values))
    monkeypatch.setattr(Mark, "set", lambda self, us: None)
    found = [after_a_cut(at, "before", at) for at in range(60, 160, 10)]
    assert any(found), "a lock that is not written down goes unnoticed"
