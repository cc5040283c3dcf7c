"""Proof: each clause, broken in a copy of the project, turns a test red that names it."""

import hashlib
import tempfile
from pathlib import Path

from pit import ROOT
from pit.prove.proof import Proof, Result
from pit.rules import breaking, trace


def tests_hash():
    """Hash (8 hex digits) of all tests and scenarios."""
    digest = hashlib.sha256()
    for path in sorted((ROOT / "host_tests").rglob("*")):
        if path.suffix in (".py", ".yaml"):
            digest.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:8]


class Clauses(Proof):
    """A unit is a clause with all its breaks (pit.rules.breaks); the hash of the tests is part of its name."""

    name = "clauses"
    title = "every clause of the regulations: broken, its own tests and scenarios go red"

    def units(self, options):
        tests = tests_hash()
        return [f"{row.clause} with tests {tests}" for row in trace.trace()]

    def prepare(self):
        return {row.clause: breaking.nodes(row) for row in trace.trace()}

    def run(self, shared, unit):
        clause = unit.split()[0]
        proofs = shared[clause]
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            breaking.copy(root)
            wrong = [f"{name} is red without any break" for name in breaking.red(root, proofs)]
            done = breaking.broken(root, clause, proofs)
        wrong += [f"stays green with {file}: {new}" for file, new, failed in done if not failed]
        if not done:
            wrong.append("nothing breaks it")
        figures = {"proofs": len(proofs), "breaks": len(done), "noticed": sum(bool(failed) for _, _, failed in done)}
        return Result(not wrong, figures, "; ".join(wrong[:2]))
