"""Proof: every scenario file gives the same events on the emulated board as on the host, times aside."""

import hashlib

from pit import scenario
from pit.expected import SCENARIOS, timeless
from pit.play import make_target
from pit.prove.proof import Proof, Result
from pit.runner import Runner

def first_difference(here, there):
    """Text: where two lists of events part, or "" if they are equal."""
    for n, (one, other) in enumerate(zip(here, there)):
        if one != other:
            return f"event {n + 1} is {other}, on the host {one}"
    if len(here) != len(there):
        longer, where = (here, "host") if len(here) > len(there) else (there, "board")
        return f"only on the {where}: {longer[min(len(here), len(there))]}"
    return ""


class Scenarios(Proof):
    """A unit is a file; its content is part of the unit's name, by hash."""

    name = "scenarios"
    title = "every scenario file: the same events on the emulated board as on the host"

    def units(self, options):
        return [f"{path.stem} {hashlib.sha256(path.read_bytes()).hexdigest()[:8]}"
                for path in sorted(SCENARIOS.glob("*.yaml"))]

    def run(self, shared, unit):
        path = SCENARIOS / f"{unit.split()[0]}.yaml"
        host = Runner(scenario.load(path), make_target("host")).play()
        board = Runner(scenario.load(path), make_target("rp2040")).play()
        wrong = [f"{on}: {played.failure}" for on, played in (("host", host), ("board", board)) if played.failure]
        difference = first_difference([timeless(one) for one in host.events], [timeless(one) for one in board.events])
        figures = {"events": len(host.events), "table s": round(board.table_ms / 1000, 1)}
        return Result(not wrong and not difference, figures, "; ".join([*wrong, difference][:2]).strip("; "))
