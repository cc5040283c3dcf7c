"""python -m pit.mutants: tries mutants of core and rules, tells the score; dist/mutants.md lists the survivors.

All of it runs in a copy of the tree, build/mutants/tree, so that work may go on meanwhile. Results are kept in
build/mutants, one file per mutant, named by the hash of the mutated module. A noticed mutant stays
noticed; a survivor is tried again when a test or another module has changed. `make clean` forgets all of them.
"""

import argparse
import hashlib
import json
import os
import random
import shutil
import sys
import time
from multiprocessing import get_context
from pathlib import Path

import yaml

from pit.mutants import trial
from pit.mutants.mutate import mutants

SOURCES = trial.ROOT / "firmware/firstcard"
HOME = Path(os.environ.get("FIRSTCARD_MUTANTS_OF", trial.ROOT))  # the tree that this one is a copy of
KEPT = HOME / "build/mutants"
REPORT = HOME / "dist/mutants.md"
COPIED = ("firmware", "boards", "tools", "host_tests", "pyproject.toml", "README.md", "Makefile", "LICENSE")
REASONS = HOME / "tools/pit/mutants/reasons.yaml"
WANTED = 90  # per cent
SEED = 1987  # of the sample: the same mutants for the same code; a sample is blind once, so try another one after it


def go_on_in_a_copy():
    """Copies the tree and starts this program again from there; does not return."""
    tree = KEPT / "tree"
    shutil.rmtree(tree, ignore_errors=True)
    tree.mkdir(parents=True)
    for name in COPIED:
        if (HOME / name).is_dir():
            shutil.copytree(HOME / name, tree / name, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
        elif (HOME / name).exists():
            shutil.copy(HOME / name, tree / name)
    os.chdir(tree)
    os.environ.update(FIRSTCARD_MUTANTS_OF=str(HOME), PYTHONPATH=str(tree / "tools"))
    os.execv(sys.executable, [sys.executable, "-m", "pit.mutants", *sys.argv[1:]])


def every_mutant(only):
    for folder in ("core", "rules"):
        for path in sorted((SOURCES / folder).glob("*.py")):
            module = f"{folder}/{path.name}"
            if only in module:
                yield from mutants(module, path.read_text())


def fingerprint():
    """Of all that decides whether a survivor survives again."""
    out = hashlib.sha256()
    for base, pattern in ((SOURCES, "**/*.py"), (trial.TESTS, "**/*.py"), (trial.TESTS, "**/*.yaml")):
        for path in sorted(base.glob(pattern)):
            out.update(path.read_bytes())
    return out.hexdigest()[:16]


def kept(mutant, stamp):
    """The result of an earlier run if it still holds."""
    path = KEPT / f"{mutant.hash}.json"
    if not path.exists():
        return None
    result = json.loads(path.read_text())
    return result if result["killed"] or result["stamp"] == stamp else None


def try_one(job):
    mutant, stamp = job
    killed, seconds = trial.run(mutant.module, mutant.text)
    result = {"key": mutant.key, "killed": killed, "seconds": round(seconds, 1), "stamp": stamp}
    path = KEPT / f"{mutant.hash}.json"
    path.with_suffix(".new").write_text(json.dumps(result))
    path.with_suffix(".new").replace(path)
    return mutant, result


def percent(part, whole):
    return 100 * part / whole if whole else 100.0


def report(done, total, reasons):
    """Writes dist/mutants.md. Score: noticed of all tried; those with a reason count as unnoticed all the same."""
    modules = {}
    for mutant, result in done:
        row = modules.setdefault(mutant.module, [0, 0])
        row[0] += 1
        row[1] += bool(result["killed"])
    survivors = sorted(((m.module, m.line, m) for m, r in done if not r["killed"]), key=lambda s: s[:2])
    noticed = len(done) - len(survivors)
    hangs = sum((r["killed"] or "").startswith("hang") for _, r in done)
    lines = ["# Mutants", "", f"{noticed} of {len(done)} noticed: {percent(noticed, len(done)):.1f} % "
             f"({hangs} of them by hanging). {total} are possible; wanted: {WANTED} %.", "",
             "A survivor with a reason still counts as not noticed.", "",
             "| module | tried | noticed | score |", "| --- | ---: | ---: | ---: |"]
    lines += [f"| {name} | {n} | {k} | {percent(k, n):.0f} % |" for name, (n, k) in sorted(modules.items())]
    lines += ["", "## Survivors", ""]
    for module, line, m in survivors:
        lines.append(f"- {module}:{line} {m.where}: `{m.before}` became `{m.after}`. "
                     f"{reasons.get(m.key, '**No reason known: a gap in the tests.**')}")
    REPORT.parent.mkdir(exist_ok=True)
    REPORT.write_text("\n".join(lines) + "\n")
    return noticed, survivors


def main():
    args = argparse.ArgumentParser(prog="pit.mutants", description=__doc__.splitlines()[0])
    args.add_argument("-n", default="200", help="how many, or all")
    args.add_argument("--jobs", type=int, default=2)
    args.add_argument("--seed", type=int, default=SEED, help=f"of the sample, {SEED} if left out")
    args.add_argument("--only", default="", help="part of a module's name, like core/hands")
    args = args.parse_args()
    if HOME == trial.ROOT:
        go_on_in_a_copy()
    every = list(every_mutant(args.only))
    chosen = every
    if args.n != "all":
        chosen = random.Random(args.seed).sample(every, min(int(args.n), len(every)))
    KEPT.mkdir(parents=True, exist_ok=True)
    stamp = fingerprint()
    reasons = yaml.safe_load(REASONS.read_text()) or {}
    done = [(m, r) for m in chosen for r in [kept(m, stamp)] if r]
    known = {m.hash for m, _ in done}
    jobs = [(m, stamp) for m in chosen if m.hash not in known]
    print(f"mutants: {len(chosen)} of {len(every)}, {len(done)} known from before", flush=True)
    if jobs:
        failed, seconds = trial.run("", "")
        if failed:
            sys.exit(f"mutants: the tests are red without any mutant ({failed}): nothing was tried")
        print(f"mutants: the unbroken code is green in {seconds:.0f} s", flush=True)
        began = time.monotonic()
        with get_context("fork").Pool(args.jobs) as pool:
            for i, (mutant, result) in enumerate(pool.imap_unordered(try_one, jobs), 1):
                done.append((mutant, result))
                if not result["killed"]:
                    print(f"  survived: {mutant.key} (line {mutant.line})", flush=True)
                if not i % 10:
                    print(f"  {i} of {len(jobs)}, {time.monotonic() - began:.0f} s", flush=True)
    noticed, survivors = report(done, len(every), reasons)
    score = percent(noticed, len(done))
    nameless = sum(m.key not in reasons for _, _, m in survivors)
    print(f"mutants: {noticed} of {len(done)} noticed, {score:.1f} % (wanted {WANTED} %); "
          f"{len(survivors)} survived, {nameless} without a reason; dist/mutants.md")
    sys.exit(score < WANTED)


if __name__ == "__main__":
    main()
