"""Rows of the lock: edge to LOCK, to the hard handler's latch, to the durable record, to the red plaque."""

from boards import fc7

from pit import image
from pit.bench import edges, rig, styles
from pit.bench.phases import MASKED, OPENING, PHASES
from pit.bench.rows import KINDS, Detail, Row

PER_PHASE = 42
BENCHED = tuple(phase for phase in PHASES if phase not in OPENING)
DURABLE_BUDGET_US = 4000
WRITE = {"bench_write.py": '''
"""The lock's mark written into the FRAM."""

import board
from bench_timed import timed
from firstcard.drivers import memory
from firstcard.store.mark import Mark


def mark():
    one = Mark(memory.Fram(memory.bus(board), board.FRAM))
    timed(lambda: one.set(987654321))
'''}
APPEND = {"bench_append.py": '''
"""Records appended to the journal."""

import machine
import time
from firstcard.drivers import memory
from firstcard.store.journal import RECORD, Journal, head_of


def append():
    """Print us of the longest of 40 records, into an erased block and on into the next."""
    journal = Journal(memory.Blocks())
    journal.search()
    buf = bytearray(RECORD)
    longest = 0
    for n in range(40):
        head_of(buf, n + 1, 1, 0, 0)
        state = machine.disable_irq()
        t = time.ticks_us()
        done = journal.write(buf)
        t = time.ticks_diff(time.ticks_us(), t)
        machine.enable_irq(state)
        if not done:
            raise ValueError("record %d was not taken" % n)
        longest = max(longest, t)
    print(longest)
'''}
APPEND_BUDGET_US = 2500
WITH_FRAME = " with the shoe's frame"


def spread(values):
    """(min, median, max) of a list."""
    ordered = sorted(values)
    return ordered[0], ordered[len(ordered) // 2], ordered[-1]


def complaints(found):
    """Texts: what was wrong, at most three examples, and how many edges were left unlocked. [] when all is well."""
    every = [one for ones in found.values() for one in ones]
    wrong = [one for one in every if one.wrong]
    out = [f"{len(wrong)} of {len(every)} instants wrong"] if wrong else []
    unlocked = sum(one.unlocked for one in every)
    if unlocked:
        out.append(f"{unlocked} left UNLOCKED")
    return out + [f"{one.phase} at {one.at_us:.1f} us{WITH_FRAME if one.announced else ''}: {one.wrong[0]}"
                  for one in wrong[:3]]


def peers():
    """Details of the same edge heard in other ways, and of LOCK beside them."""
    lab = rig.Lab(styles.SOURCES)
    try:
        return styles.details(lab)
    finally:
        lab.close()


def rows(table, per_phase=PER_PHASE, phases=BENCHED, progress=None, sabotage=None, beside=(), written_us=0, more=()):
    """All rows from one sweep over all phases; `beside`: details of peers(), `more`: of append_details(), `written_us`:
    of written()."""
    found = edges.sweep(table, per_phase, phases=phases, progress=progress, sabotage=sabotage)
    count = sum(len(ones) for ones in found.values())
    lock, latch, durable, shown, worst_lock, worst_latch = [], [], [], [], [], []
    for phase, ones in found.items():
        times = [one.lock_us for one in ones if one.lock_us is not None]
        if times:
            low, middle, high = spread(times)
            lock.append(Detail(f"{phase}: min {low:.3f}, median {middle:.3f}, max", high, "us", edges.LOCK_BUDGET_US))
            worst_lock.append(high)
        times = [one.lamp_us for one in ones if one.lamp_us is not None]
        if times:
            low, middle, high = (time / 1000 for time in spread(times))
            line = f"until the plaque is red, {phase}: min {low:.1f}, median {middle:.1f}, max"
            shown.append(Detail(line, high, "ms"))
        times = [one.durable_us for one in ones if one.durable_us is not None]
        if times:
            low, middle, high = spread(times)
            budget = None if phase in MASKED else DURABLE_BUDGET_US
            line = f"after the edge, {phase}: min {low:,.0f}, median {middle:,.0f}, max"
            durable.append(Detail(line, high, "us", budget))
        for announced in (False, True):
            times = [one.latch_us for one in ones if one.latch_us is not None and one.announced is announced]
            if times:
                low, middle, high = spread(times)
                masked = phase in MASKED
                name = phase + (WITH_FRAME if announced else "") + (", interrupts masked" if masked else "")
                budget = None if masked else KINDS["edge_to_latch_us_max"].budget
                latch.append(Detail(f"{name}: min {low:.2f}, median {middle:.2f}, max", high, "us", budget))
                worst_latch += [] if masked else [high]
    out = []
    if worst_lock:
        note = f"{count} edge instants, half of them with the shoe's frame; LOCK stayed high, was told, with its wagers"
        out.append(Row("edge_to_lock_us_max", max(worst_lock), note, [*lock, *beside], complaints(found)))
    elif complaints(found):
        out.append(Row("edge_to_lock_us_max", float("inf"), "LOCK never rose", [], complaints(found)))
    if worst_latch:
        note = ("bets open; +-0.25 us; an erase is never begun then; with the frame, the start bit comes in the very "
                "cycle of the edge")
        out.append(Row("edge_to_latch_us_max", max(worst_latch), note, latch + shown))
    if durable:
        note = "the mark composed and sent at 400 kHz; before that 2,000 us in which an edge may be a glitch"
        out.append(Row("lock_durable_us", written_us, note, [*durable, *more]))
    return out


def append_details():
    """A record appended to the journal: chain and check sum made, one page programmed, read back."""
    lab = rig.Lab(APPEND, files=image.journal(fc7.JOURNAL_BLOCKS))
    try:
        (longest,) = lab.numbers("import bench_append\nbench_append.append()")
        erases = sum(op.kind == "E" for op in lab.board.flash.ops)
        return [Detail("a record appended to the journal, the longest of 40", longest, "us", APPEND_BUDGET_US),
                Detail("erases for them", erases, "erases", 0)]
    finally:
        lab.close()


def written():
    """us that the write of the lock's mark takes, at the prompt."""
    lab = rig.Lab(WRITE)
    try:
        return lab.numbers("import bench_write\nbench_write.mark()")[0]
    finally:
        lab.close()
