"""Edge sweep: at many instants of a phase of the table's life a card leaves the shoe, each in a snapshot of its own.

For every instant: LOCK must be high within 0.1 us and stay high; the instant taken must be the edge's; the wagers
taken must be those of the last inventory of each zone that ended before it. What the inventories were is seen at the
fields of the emulated antennas, not by the firmware. How far a snapshot runs is a matter of cost: NOTED ends when the
round has taken its wagers (the bench hook notes the effect itself), TOLD when the console has told them, AGREED when
the sweeps after the edge have been held against them and the first card is told.

While the table opens an edge may also find LOCK high still. Then arming is refused, or the lock is taken as usual.
"""

import binascii
import json
import random
import struct
from dataclasses import dataclass, field

from firstcard.core.machine import EDGE
from firstcard.store.log import KIND
from firstcard.store.mark import AT as MARK

from pit.bench import rig as bench
from pit.bench.inventories import wrong_agreement, wrong_wagers
from pit.bench.phases import OPENING, PHASES
from pit.emu.snapshot import fork_map, in_fork

LOCK_BUDGET_US = 0.1
STAMP_US = 2  # the stamp is a count of whole microseconds
LEAD_US = 10  # from the snapshot to the edge, so that the edge is an alarm on its own
WATCH_US = 1.0  # LOCK is looked for that long at the finest
LATCH_STEP_US, LATCH_FINE_US, LATCH_LIMIT_US = 0.25, 40, 100_000
TOLD_MS = 1500  # until the `lock` event is there
SHOWN_MS = 100  # until the plaque is red
AGREED_MS = 3000  # until the first card is told
REFUSED_MS = 3  # LOCK is watched that long after an opening that was refused
GRID_US = 0.008  # a cycle of the emulated chip
WITHIN = 0.7  # of its part of the window: two instants are never the same cycle
TICKS = 1 << 30
NOTED, TOLD, AGREED = range(3)


@dataclass
class Instant:
    """What became of one edge. `wrong`: texts; empty when all is as it should be."""

    phase: str
    at_us: float  # from the beginning of the phase's window
    announced: bool = False  # the shoe's EDG frame begins with the edge, as it does in play; else the edge comes alone
    depth: int = TOLD
    lock_us: float | None = None  # edge -> LOCK high, None = not within WATCH_US, or it was high before
    latch_us: float | None = None  # edge -> the hard handler's count
    durable_us: float | None = None  # edge -> its record is in the FRAM
    lamp_us: float | None = None  # edge -> the next picture is on the strip (the plaque turns red)
    unlocked: bool = False
    refused: bool = False  # the table did not open
    judged: int = 0  # zones whose agreement was held against the inventories
    warnings: int = 0  # of the emulator
    wrong: list = field(default_factory=list)


def instants(count, seed=0):
    """`count` fractions of a window, one in each of `count` equal parts of it."""
    rnd = random.Random(seed)
    return [(n + WITHIN * rnd.random()) / count for n in range(count)]


def walk(rig, phase, fractions, sabotage=None, depth=lambda number: TOLD):
    """Try the edge at every fraction of the window of `phase`; list of Instant. The rig is used up: call it in a fork.

    Every second edge comes with the shoe's frame. `depth(number)`: how far that snapshot runs.

    `sabotage(rig)` is called just before each edge, to see that a broken table is noticed.
    """
    length_us = PHASES[phase](rig)
    begun_us = rig.board.now_us
    done = []
    for number, fraction in enumerate(sorted(fractions)):
        at_us = LEAD_US + fraction * length_us // GRID_US * GRID_US
        rig.board.run_us(max(0.0, begun_us + at_us - LEAD_US - rig.board.now_us))
        one = Instant(phase, at_us, number % 2 == 1, depth(number))
        done.append(in_fork(_try_edge, rig, one, begun_us + at_us, sabotage))
    return done


def _try_edge(rig, instant, edge_us, sabotage):
    board, table = rig.board, rig.table
    if sabotage:
        sabotage(rig)
    edge_ns = []
    durable_ns = []
    before = []  # changes of LOCK before the edge, its level, edges counted

    def leave():
        edge_ns.append(board.now_ns)
        before.extend((len(table.lock_log), table.lock_level, board.mcu.read_uint32(rig.edges_at)))
        table.beams.edge()
        if instant.announced:
            table.frame("TH")

    def written(address, size):
        if edge_ns and not durable_ns and (address == MARK or table.fram.data[address + KIND] == EDGE):
            durable_ns.append(board.now_ns)

    table.fram.on_written = written
    locks = rig.word(bench.LOCKS)
    board.after_us(max(0.0, edge_us - board.now_us), leave)
    while not edge_ns:
        board.run_us(1)
    changes, locked, counted = before
    if locked and instant.phase not in OPENING:
        instant.wrong.append("the table was locked before the edge")
        return instant
    board.run_us(WATCH_US)
    if table.lock_level and not locked:
        instant.lock_us = (table.lock_log[changes][0] - edge_ns[0]) / 1000
    if instant.depth != NOTED:
        instant.latch_us = _until_latched(rig, counted, edge_ns[0])
    event, unsettled = _outcome(rig, instant, locks)
    if instant.depth == TOLD and event:
        instant.lamp_us = _shown(rig, edge_ns[0])
    if durable_ns:
        instant.durable_us = (durable_ns[0] - edge_ns[0]) / 1000
    _judge(rig, instant, event, edge_ns[0], changes, locked)
    if unsettled is not None:
        wrong, instant.judged = wrong_agreement(table, rig.inventories, unsettled, edge_ns[0])
        instant.wrong.extend(wrong)
    return instant


def _marked(fram):
    """us that the mark of the lock tells, or None if its check sum is wrong."""
    _, us, check = struct.unpack_from("<III", fram.data, MARK)
    return us if check == binascii.crc32(fram.data[MARK:MARK + 8]) else None


def _until_latched(rig, counted, edge_ns):
    board = rig.board
    while board.mcu.read_uint32(rig.edges_at) == counted:
        since_us = (board.now_ns - edge_ns) / 1000
        if since_us > LATCH_LIMIT_US:
            return None
        board.run_us(LATCH_STEP_US if since_us < LATCH_FINE_US else 100)
    return (board.now_ns - edge_ns) / 1000


def _shown(rig, edge_ns):
    """us from the edge until the last bit of the next picture, or None."""
    frames = rig.table.strip.frames
    rig.board.run_ms(SHOWN_MS, lambda: bool(frames) and frames[-1][0] > edge_ns)
    return next(((ns - edge_ns) / 1000 for ns, _ in frames if ns > edge_ns), None)


def _outcome(rig, instant, locks):
    """(`lock` event or None, `unsettled` events or None where they were not waited for)."""
    board = rig.board
    if instant.depth == NOTED:
        opening = instant.phase in OPENING
        board.run_ms(TOLD_MS, lambda: rig.word(bench.LOCKS) != locks or opening and rig.word(bench.ARMED) > 1)
        if rig.word(bench.LOCKS) != locks:
            return rig.noted(), None
        if opening and rig.word(bench.ARMED) > 1:
            instant.refused = True
            board.run_ms(REFUSED_MS)
        return None, None
    seen = len(board.out)
    event = _event(board, b'"event":"lock"', seen, TOLD_MS)
    if instant.depth == TOLD or event is None:
        return event, None
    if _event(board, b'"event":"card"', seen, AGREED_MS) is None:
        instant.wrong.append("no card was told")
    lines = bytes(board.out[seen:]).splitlines()
    return event, [json.loads(line[1:]) for line in lines if b'"event":"unsettled"' in line]


def _event(board, mark, seen, limit_ms):
    """The first event with `mark` on the console behind `seen`, or None."""
    out = board.out
    board.run_ms(limit_ms, lambda: out.find(mark, seen) >= 0 and out.find(b"\n", out.find(mark, seen)) >= 0)
    at = out.find(mark, seen)
    if at < 0:
        return None
    start = out.rfind(b"!", 0, at)
    return json.loads(out[start + 1:out.find(b"\n", at)])


def _judge(rig, instant, event, edge_ns, changes, locked):
    table, wrong = rig.table, instant.wrong
    if not locked:
        if instant.lock_us is None:
            wrong.append(f"LOCK is low {WATCH_US} us after the edge")
            instant.unlocked = True
        elif instant.lock_us > LOCK_BUDGET_US:
            wrong.append(f"LOCK {instant.lock_us} us after the edge")
    if not table.lock_level or len(table.lock_log) != changes + (not locked):
        wrong.append(f"LOCK did not stay high: {table.lock_log[changes:]}")
        instant.unlocked = True
    if event is not None:
        off_us = (event["us"] - int(edge_ns / 1000) + TICKS // 2) % TICKS - TICKS // 2
        if event["cause"] != "edge" or abs(off_us) > STAMP_US:
            wrong.append(f"told cause {event['cause']}, {off_us} us off the edge")
        wrong.extend(wrong_wagers(table, rig.inventories, event, edge_ns))
        if instant.durable_us is None:
            wrong.append("the lock was told and is not in the FRAM")
        marked_us = _marked(table.fram)
        if marked_us != event["us"]:
            wrong.append(f"the mark in the FRAM says {marked_us}, the lock was at {event['us']}")
    elif not instant.refused:
        wrong.append("no lock was taken")
    faults = rig.board.faults  # asked once: the whole flash chip is compared
    instant.warnings = len(faults) + len(table.bus.violations)
    wrong.extend(f"emulator: {text}" for text in faults)
    wrong.extend(f"readers: {text}" for _, text in table.bus.violations)


def sweep(rig, per_phase, seed=0, phases=tuple(PHASES), workers=2, progress=None, sabotage=None,
          depth=lambda number: TOLD):
    """{phase: [Instant]} of `per_phase` instants in each phase; `rig` is forked and stays as it is.

    `progress(done, total)` after each walk, of which there are `workers` a phase.
    """
    jobs = []
    for phase in phases:
        fractions = instants(per_phase, seed)
        jobs += [(phase, part) for part in (fractions[n::workers] for n in range(workers)) if part]
    walks = fork_map(lambda job: walk(rig, job[0], job[1], sabotage, depth), jobs, workers, progress)
    out = {phase: [] for phase in phases}
    for (phase, _), done in zip(jobs, walks, strict=True):
        out[phase] += done
    return out
