"""Proof: wherever the first card's edge falls, LOCK is high within 0.1 us, and the wagers are the last sweep's."""

from pit.bench import edges, rig
from pit.bench.lock import complaints, spread
from pit.bench.phases import PHASES
from pit.prove.proof import Proof, Result

BLOCK = 100  # instants a unit


class EdgeSweep(Proof):
    """`options["edges"]` instants, as many in each phase; a unit walks through the whole window of its phase."""

    name = "edges"
    title = "edge -> LOCK within 0.1 us, kept, told, with the right wagers"

    def units(self, options):
        each = max(1, options["edges"] // len(PHASES))
        blocks = -(-each // BLOCK)
        return [f"{phase}, part {part + 1} of {blocks} of {each}" for phase in PHASES for part in range(blocks)]

    def prepare(self):
        return rig.with_bets()

    def run(self, shared, unit):
        phase, _, rest = unit.partition(", part ")
        part, blocks, each = (int(word) for word in rest.replace(" of ", " ").split())
        done = edges.walk(shared, phase, edges.instants(each, seed=each)[part - 1::blocks])
        wrong = complaints({phase: done})
        figures = {"instants": len(done), "unlocked": sum(one.unlocked for one in done),
                   "wrong": sum(bool(one.wrong) for one in done)}
        for name, times in (("lock", [one.lock_us for one in done]), ("latch", [one.latch_us for one in done])):
            known = [time for time in times if time is not None]
            if known:
                figures[f"{name} min us"], _, figures[f"{name} max us"] = (round(time, 3) for time in spread(known))
        return Result(not wrong, figures, "; ".join(wrong))

    def finish(self, shared):
        shared.close()
