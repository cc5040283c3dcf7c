"""The same round over and over at a simulated table: what the heap holds at the same point of each, what flash wears.

Runs on CPython and on MicroPython's unix port, there as a process: micropython longrun.py ROOT ROUNDS. Prints or
returns {"rounds", "growth", "erases", "most", "blocks", "records", "wraps"}: `growth` is what the heap holds more at
the end than after the first rounds (bytes; on CPython objects), `most` the erases of the block that wears most.
"""

import gc
import json
import sys

WARM = 60  # rounds until everything has been made once and every list has its length
READ_OUT = 10  # rounds between two times of reading out
CARDS = ("TH", "KD", "9S", "9C", "8C", "7D")


def _allocated():
    gc.collect()
    if hasattr(gc, "mem_alloc"):
        return gc.mem_alloc()
    return len(gc.get_objects())


def _forget_the_sim(table):
    """What the simulated shoe keeps for tests."""
    for kept in (table.shoe.log, table.shoe.heard, table.shoe.unacknowledged):
        kept[:] = []


def play(root, rounds, Day, Memory, Blocks):
    """See above. The modules of the table come from who calls, since their names differ on the two Pythons."""
    memory, blocks = Memory(), Blocks()
    day = Day(0, root, memory, blocks, lambda line: None)
    day.begin()
    day.ask("open")
    first = marked = None
    now = 0
    began = 0
    for n in range(rounds + WARM):
        for spot, values in ((3, (2500, 500)), (5, (1000,))):
            day.place(spot, "main", values)
        day.run(1500)
        for code in CARDS:
            day.do({"draw": {"code": code}})
            day.run(400)
        for line in ("key stand", "key stand", "key reveal"):
            day.ask(line)
        day.do({"draw": {"code": "KS"}})
        day.run(400)
        day.ask("key settled")
        if day.state != 2:
            raise ValueError("round %d did not end: state %d" % (n, day.state))
        day.clear()
        day.run(1500)
        if n % READ_OUT == READ_OUT - 1:
            day.read_out()
            day.ask("open")
        _forget_the_sim(day.table)
        if n % READ_OUT == READ_OUT - 1:
            now = _allocated()  # always here: what a frame has left on the C stack keeps a block or two more elsewhere
        if n == WARM - 1:
            first, began = now, sum(blocks.erases)
            marked = day.table.engine.keeper.journal.seq
    return {"rounds": rounds, "growth": now - first, "erases": sum(blocks.erases) - began,
            "most": max(blocks.erases), "blocks": blocks.count,
            "records": day.table.engine.keeper.journal.seq - marked, "wraps": day.table.now_ms * 1000 >> 30}


def main():
    root, rounds = sys.argv[1], int(sys.argv[2])
    sys.path[:] = [root + "/firmware", root + "/tools/pit", root] + sys.path
    from sim.day import Day
    from sim.memory import Blocks, Memory

    print(json.dumps(play(root, rounds, Day, Memory, Blocks)))


if __name__ == "__main__":
    main()
