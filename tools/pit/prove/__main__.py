"""Runs the proofs: `python -m pit.prove [PROOF ...] [--edges N] [--rounds N] [--fields N] [--cuts N]
[--play N] [--lines N] [--jobs N]`.

Exit status 1 if anything differs.
"""

import argparse
import os
import sys
import time

from pit import ROOT
from pit.prove import runner
from pit.prove.keeper import Keeper
from pit.prove.proofs import PROOFS

OUT = ROOT / "dist"
EDGES = 100_000
ROUNDS = 100_000
FIELDS = 10_000
CUTS = 4_000
PLAY = 10_000
LINES = 1_000_000
LINE_S = 30  # between two lines of progress where the output is no terminal


class Progress:
    """How far a proof is, on stderr, with the time that is left at this pace."""

    def __init__(self, err=None):
        self._err = err or sys.stderr
        self._proof = None

    def __call__(self, proof, done, total):
        now = time.monotonic()
        if proof is not self._proof:
            self._proof, self._begun, self._first, self._last = proof, now, done, now
        elif done < total and not self._err.isatty() and now - self._last < LINE_S:
            return
        self._last = now
        fresh = done - self._first
        minutes = (now - self._begun) / fresh * (total - done) / 60 if fresh else 0
        left = f", about {minutes:.1f} min left" if minutes else ""
        start, end = ("\r\x1b[K", "" if done < total else "\n") if self._err.isatty() else ("", "\n")
        print(f"{start}prove {proof.name}: {done} of {total} units{left}", end=end, file=self._err, flush=True)


def main(arguments):
    """See the module's text."""
    names = [proof.name for proof in PROOFS]
    parser = argparse.ArgumentParser(prog="make prove")
    parser.add_argument("proofs", nargs="*", metavar="PROOF", help=f"{', '.join(names)} (all without any)")
    parser.add_argument("--edges", type=int, default=EDGES, help="instants of the edge sweep")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="random rounds of blackjack")
    parser.add_argument("--fields", type=int, default=FIELDS, help="random fields of chips on this PC")
    parser.add_argument("--cuts", type=int, default=CUTS, help="power cuts on the board; 25 times that on the PC")
    parser.add_argument("--play", type=int, default=PLAY, help="rounds of play for the heap, on each Python of the PC")
    parser.add_argument("--lines", type=int, default=LINES, help="lines of fuzz on this PC, a 500th on the board")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args(arguments)
    unknown = [name for name in options.proofs if name not in names]
    if unknown:
        parser.error(f"no such proof: {', '.join(unknown)}. There are: {', '.join(names)}")
    keeper = Keeper()
    name = keeper.path.stem
    proven = []
    for proof in PROOFS:
        if not options.proofs or proof.name in options.proofs:
            rows = runner.run(proof, vars(options), keeper, options.jobs, Progress())
            proven.append((proof, rows))
            print(runner.summary(proof, rows))
            for unit, result in rows:
                if not result.ok:
                    print(f"  {unit}: {result.note}")
            OUT.mkdir(exist_ok=True)  # after each proof: a run that is broken off has told what it knows
            (OUT / "prove.md").write_text(runner.markdown(name, proven), encoding="utf-8")
            (OUT / "prove.jsonl").write_text(runner.jsonl(name, proven), encoding="utf-8")
    print(f"kept in {(OUT / 'prove.md').relative_to(ROOT)} and prove.jsonl; image {name}")
    return 0 if all(result.ok for _, rows in proven for _, result in rows) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
