"""Days with power cuts as a process of MicroPython's unix port: micropython cutting.py ROOT FIRST LAST EVERY.

One JSON object a line: {"seed", "ops", "cuts", "wrong"}. Run by pit.prove.cuts.
"""

import gc
import json
import sys


def main():
    root, first, last, every = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
    sys.path[:] = [root + "/firmware", root + "/tools/pit", root] + sys.path
    from sim.cuts import Cuts

    for seed in range(first, last + 1):
        cuts = Cuts(seed, root, every, seed).run(2)
        print(json.dumps({"seed": seed, "ops": cuts.ops, "cuts": cuts.count, "wrong": cuts.wrong}))
        cuts = None
        gc.collect()


main()
