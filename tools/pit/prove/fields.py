"""Proof: a stack of chips that the table calls certain is exactly what lies there, whatever spoils the readings."""

from pit.prove.proof import Proof, Result
from pit.prove.stacks import BoardReaders, Case, HostReaders

BLOCK = 100  # cases a unit on the PC
BOARD_BLOCK = 5


def play(numbers, readers):
    """Outcomes of these cases; `readers()` makes a fresh table for each."""
    return [(case, case.play(readers())) for case in map(Case, numbers)]


def judged(played):
    """Result of [(Case, Outcome)]."""
    wrong = [text for _, outcome in played for text in outcome.wrong]
    broken = [f"case {case.number}: {text}" for case, outcome in played for text in outcome.violations[:1]]
    times = sorted(outcome.sure_us / 1000 for _, outcome in played if outcome.sure_us is not None)
    never = [case for case, outcome in played if outcome.sure_us is None]
    figures = {"fields": len(played), "wrong": len(wrong), "uncertain": len(never),
               "of them too high": sum(case.too_high for case in never),
               "seen next door": sum(case.bleed > 0 and not case.too_high for case in never),
               "readings": sum(outcome.readings for _, outcome in played),
               "not certain and not right": sum(outcome.plain_wrong for _, outcome in played)}
    if times:
        figures.update({"mean ms": round(sum(times) / len(times)), "p95 ms": round(times[len(times) * 95 // 100])})
    return Result(not wrong and not broken, figures, "; ".join((wrong + broken)[:3]))


class Fields(Proof):
    """`options["fields"]` random fields on this PC, and a fiftieth of them on the emulated board."""

    name = "fields"
    title = "random stacks with noise, misses, capture, bleed, moves, clones, quiet and late chips: certain is right"

    def units(self, options):
        count = options["fields"]
        board = max(BOARD_BLOCK, count // 50)
        units = [f"host {first} to {min(first + BLOCK, count) - 1}" for first in range(0, count, BLOCK)]
        return units + [f"board {first} to {first + BOARD_BLOCK - 1}" for first in range(0, board, BOARD_BLOCK)]

    def prepare(self):
        return BoardReaders.lab()

    def run(self, shared, unit):
        where, first, _, last = unit.split()
        numbers = range(int(first), int(last) + 1)
        if where == "host":
            return judged(play(numbers, HostReaders))
        return judged(BoardReaders.play(shared, numbers))

    def finish(self, shared):
        shared.close()

    def legend(self, rows):
        """What the columns add up to."""
        counts = {}
        for _, result in rows:
            for name in ("fields", "wrong", "uncertain", "of them too high", "seen next door"):
                counts[name] = counts.get(name, 0) + result.figures.get(name, 0)
        return [", ".join(f"{name} {value:,}" for name, value in counts.items()) + ".", ""]
