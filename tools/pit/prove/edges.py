"""Proof: wherever the first card's edge falls, LOCK is high within 0.1 us, and the wagers are the last sweep's."""

from pit.bench import edges, rig
from pit.bench.edges import AGREED, NOTED
from pit.bench.lock import complaints, spread
from pit.bench.phases import OPENING, PHASES
from pit.prove.proof import Proof, Result

BLOCK = 1000  # instants a unit
EVERY = 25  # one of so many runs on until the sweeps after the edge agree
COLUMNS = ("instants", "unlocked", "wrong", "refused", "agreed", "judged", "warnings")


def figures(done):
    """Figures of a list of Instant, by name."""
    out = {"instants": len(done), "unlocked": sum(one.unlocked for one in done),
           "wrong": sum(bool(one.wrong) for one in done), "refused": sum(one.refused for one in done),
           "agreed": sum(one.depth == AGREED for one in done), "judged": sum(one.judged for one in done),
           "warnings": sum(one.warnings for one in done)}
    for name, times in (("lock", [one.lock_us for one in done]), ("latch", [one.latch_us for one in done])):
        known = [time for time in times if time is not None]
        if known:
            out[f"{name} min us"], _, out[f"{name} max us"] = (round(time, 3) for time in spread(known))
    return out


class EdgeSweep(Proof):
    """`options["edges"]` instants, as many in each phase; a unit walks through the whole window of its phase."""

    name = "edges"
    title = "edge -> LOCK within 0.1 us, kept, with the wagers of the last sweep that ended before it"

    def units(self, options):
        each = max(1, -(-options["edges"] // len(PHASES)))
        blocks = -(-each // BLOCK)
        return [f"{phase}, part {part + 1} of {blocks} of {each}" for phase in PHASES for part in range(blocks)]

    def prepare(self):
        return rig.with_bets()

    def run(self, shared, unit):
        phase, _, rest = unit.partition(", part ")
        part, blocks, each = (int(word) for word in rest.replace(" of ", " ").split())
        depth = (lambda number: NOTED) if phase in OPENING else lambda number: NOTED if number % EVERY else AGREED
        done = edges.walk(shared, phase, edges.instants(each, seed=each)[part - 1::blocks], depth=depth)
        wrong = complaints({phase: done})
        return Result(not wrong, figures(done), "; ".join(wrong))

    def finish(self, shared):
        shared.close()

    def legend(self, rows):
        """A table by phase."""
        out = ["Each instant is a snapshot of its own. `refused`: the card came before LOCK had fallen, and the table",
               "did not open; all others took the lock. `agreed`: ran on until the sweeps after the edge had been held",
               "against the wagers, which was seen at `judged` zones. `warnings` are the emulator's and the readers'.",
               "", "| phase | " + " | ".join([*COLUMNS, "LOCK max us"]) + " |", "|---" * (len(COLUMNS) + 2) + "|"]
        for phase in PHASES:
            found = [result.figures for unit, result in rows if unit.startswith(phase + ",")]
            sums = [f"{sum(one.get(name, 0) for one in found):,}" for name in COLUMNS]
            late = max((one.get("lock max us", 0) for one in found), default=0)
            out.append(f"| {phase} | " + " | ".join([*sums, str(late)]) + " |")
        return [*out, ""]
