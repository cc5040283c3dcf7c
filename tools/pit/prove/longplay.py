"""Proof: 10,000 rounds leave the heap as it was, wear no block of flash out, and pass the wrap of the clock.

The same round over and over (pit.sim.longrun) on this PC and on MicroPython's unix port, which counts bytes; twenty of
it on the emulated board, whose own `status` tells the heap after the collection between two rounds.
"""

import json
import re
import subprocess
from itertools import combinations
from statistics import median

from pit import ROOT
from pit.prove.boardcuts import Walk, uid
from pit.prove.proof import Proof, Result
from pit.sim import files
from pit.sim.day import Day
from pit.sim.longrun import CARDS, play
from pit.sim.memory import Blocks, Memory
from pit.targets.unix import micropython

HEAP = "32m"
PROGRAM = ROOT / "tools" / "pit" / "sim" / "longrun.py"
ENDURANCE = 100_000  # erases that a block of flash bears (W25Q16JV data sheet)
ROUNDS_A_YEAR = 60 * 24 * 365  # a table that never rests
WARM = 3  # rounds on the board before it is looked at
BLOCK = 16  # bytes, the smallest piece of a board's heap


def years(erases, rounds, blocks):
    """Years of play without a pause until a block has been erased ENDURANCE times."""
    return ENDURANCE * blocks * rounds / erases / ROUNDS_A_YEAR


def lost_a_round(free):
    """Blocks of heap lost a round, of what was free after each (bytes).

    What is under way when it is collected, a line of output, say, makes 180 bytes more or less each time. The median of
    all slopes (Theil and Sen) over twenty rounds is good to 5 bytes, and who forgets anything forgets a block a round;
    slower losses are for the two Pythons of the PC, whose figures are exact.
    """
    slopes = [(a - b) / (later - first) for (first, a), (later, b) in combinations(enumerate(free), 2)]
    return round(median(slopes) / BLOCK)


def on_host(rounds):
    files.prepare()
    return play(str(ROOT), rounds, Day, Memory, Blocks)


def on_unix(rounds):
    files.prepare()
    done = subprocess.run([micropython(), "-X", f"heapsize={HEAP}", str(PROGRAM), str(ROOT), str(rounds)],
                          capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr[-1000:])
    return json.loads(done.stdout)


def on_board(rounds):
    """The same figures of rounds on the emulated board; `growth` in bytes of its heap."""
    walk = Walk()
    table, board = walk.table, walk.table.board
    walk.ask("open")
    _records(walk)  # what reads the journal out is loaded before the heap is looked at
    clean, before, marked = [], 0, 0
    for n in range(rounds + WARM):
        table.place(3, "main", [uid(0), uid(1)])
        table.place(5, "main", [uid(2)])
        board.run_ms(1500)
        for code in CARDS:
            table.draw(code)
            board.run_ms(400)
        for line in ("key stand", "key stand", "key reveal"):
            walk.ask(line)
        table.draw("KS")
        board.run_ms(400)
        walk.ask("key settled")
        table.remove(3, "main")
        table.remove(5, "main")
        board.run_ms(1500)
        status = walk.ask("status")
        if "state=OPEN" not in status:
            raise ValueError(f"round {n}: {status}")
        clean.append(int(re.search(r"heap=(\d+)", status)[1]))
        if n == WARM - 1:
            before, marked = sum(op.kind == "E" for op in board.flash.ops), _records(walk)
    records = _records(walk) - marked
    erases = sum(op.kind == "E" for op in board.flash.ops) - before
    board_faults = board.faults
    table.close()
    if board_faults:
        raise ValueError(board_faults)
    return {"rounds": rounds, "growth": BLOCK * lost_a_round(clean[WARM:]) * rounds, "erases": erases, "most": erases,
            "blocks": len(walk.blocks), "records": records, "wraps": 0}


def _records(walk):
    return int(re.search(r"last=(\d+)", walk.ask("journal"))[1])


class LongPlay(Proof):
    """`options["play"]` rounds on this PC and on the unix port each; 20 on the board."""

    name = "rounds-heap"
    title = "the same round over and over: the heap does not grow, flash lasts, the clock may wrap"

    def units(self, options):
        return [f"host {options['play']} rounds", f"unix {options['play']} rounds", "board 20 rounds"]

    def run(self, shared, unit):
        where, rounds, _ = unit.split()
        found = {"host": on_host, "unix": on_unix, "board": on_board}[where](int(rounds))
        wrong = []
        if found["growth"] > 0:
            wrong.append(f"the heap has grown by {found['growth']}")
        if found["erases"] >= found["rounds"] / 2:
            wrong.append(f"{found['erases']} erases in {found['rounds']} rounds")
        if where != "board" and int(rounds) >= 1000 and not found["wraps"]:
            wrong.append("the clock did not wrap")
        figures = {**found, "erases a round": round(found["erases"] / found["rounds"], 3)}
        if found["erases"]:
            figures["years"] = round(years(found["erases"], found["rounds"], found["blocks"]), 1)
        return Result(not wrong, figures, "; ".join(wrong))
