"""Proof: wherever the power fails, the same round comes back, locked, and nothing that was told is lost.

On modelled memories (pit.sim.cuts) under CPython and under MicroPython's unix port: every operation of whole days,
before it, in it, after it. On the emulated board (pit.prove.boardcuts): every operation of flash and FRAM of a short
day, and instants in between.
"""

import json
import subprocess

from pit import ROOT
from pit.prove import boardcuts
from pit.prove.proof import Proof, Result
from pit.sim import files
from pit.sim.cuts import Cuts as SimCuts
from pit.targets.unix import HEAP, micropython

A_DAY = 700  # cuts, about
DAYS = 4  # a unit
ROUNDS = 2
PROGRAM = ROOT / "tools" / "pit" / "sim" / "cutting.py"


def on_host(first, last, every=1):
    """[{seed, ops, cuts, wrong}] of days on CPython."""
    out = []
    for seed in range(first, last + 1):
        cuts = SimCuts(seed, str(ROOT), every, seed).run(ROUNDS)
        out.append({"seed": seed, "ops": cuts.ops, "cuts": cuts.count, "wrong": cuts.wrong})
    return out


def on_unix(first, last, every=1):
    """The same on MicroPython."""
    files.prepare()
    command = [micropython(), "-X", f"heapsize={4 * int(HEAP[:-1])}m", str(PROGRAM), str(ROOT)]
    done = subprocess.run([*command, str(first), str(last), str(every)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr[-1000:])
    return [json.loads(line) for line in done.stdout.splitlines()]


class Cuts(Proof):
    """`options["cuts"]`: how many on the board; 25 times as many on modelled memories, half of them on each Python."""

    name = "cuts"
    title = "power cuts: 0 told records lost, 0 broken chains, 0 restarts with bets open or with other wagers"

    def units(self, options):
        days = -(-options["cuts"] * 25 // A_DAY // 2)
        units = [f"{on} days {first} to {min(first + DAYS, days) - 1}" for on in ("host", "unix")
                 for first in range(0, days, DAYS)]
        torn, instants = boardcuts.shares(options["cuts"])
        return units + [f"board step {n} of {len(boardcuts.DAY)}, {torn} torn, {instants} instants"
                        for n in range(len(boardcuts.DAY))]

    def prepare(self):
        files.prepare()
        return boardcuts.Bench()

    def run(self, shared, unit):
        words = unit.replace(",", "").split()
        if words[0] == "board":
            wrong, count, kinds = boardcuts.step(shared, int(words[2]), int(words[5]), int(words[7]))
            texts = [f"{where}: {'; '.join(what)}" for where, what in wrong]
            return Result(not wrong, {"cuts": count, **kinds}, "; ".join(texts[:3]))
        rows = (on_host if words[0] == "host" else on_unix)(int(words[2]), int(words[4]))
        texts = [text for row in rows for text in row["wrong"]]
        figures = {"cuts": sum(row["cuts"] for row in rows), "operations": sum(row["ops"] for row in rows)}
        return Result(not texts, figures, "; ".join(texts[:3]))

    def finish(self, shared):
        shared.close()
