"""Runs proofs: the units that are not proven yet, each in a process of its own, and the tables of what came of them."""

import json

from pit.emu.snapshot import fork_map
from pit.prove.proof import Result

COUNTED = ("instants", "events", "rounds", "fields", "uncertain", "states", "cuts",
           "transitions", "lines")  # figures that are summed up in the one line


def run(proof, options, keeper, workers=2, progress=lambda proof, done, total: None):
    """[(unit, Result)] of all units. Proven ones are taken from `keeper`; those that failed are run again."""
    units = proof.units(options)
    left = [unit for unit in units if not (keeper.get(proof.name, unit) or Result(False)).ok]
    before = len(units) - len(left)
    progress(proof, before, len(units))
    if left:
        shared = proof.prepare()
        try:
            fork_map(lambda unit: _run_one(proof, shared, unit, keeper), left, workers,
                     lambda done, total: progress(proof, before + done, len(units)))
        finally:
            proof.finish(shared)
        keeper.load()
    return [(unit, keeper.get(proof.name, unit)) for unit in units]


def _run_one(proof, shared, unit, keeper):
    """In a process of its own. Whatever goes wrong is the result of this unit; the others are still run."""
    try:
        result = proof.run(shared, unit)
    except Exception as error:
        result = Result(False, {}, f"{type(error).__name__}: {error}")
    keeper.add(proof.name, unit, result)


def summary(proof, rows):
    """One line for one proof."""
    failed = [unit for unit, result in rows if not result.ok]
    verdict = "proven" if not failed else f"NOT proven: {len(failed)} of {len(rows)} units differ"
    sums = {name: sum(result.figures.get(name, 0) for _, result in rows) for name in COUNTED}
    counts = ", ".join(f"{value:,} {name}" for name, value in sums.items() if value)
    return f"{proof.name}: {verdict} ({len(rows)} units{', ' + counts if counts else ''})"


def markdown(name, proven):
    """dist/prove.md: `proven` is [(proof, rows)]; `name` the hash they belong to."""
    out = [f"# Proofs of image {name}", ""]
    for proof, rows in proven:
        columns = list(dict.fromkeys(column for _, result in rows for column in result.figures))
        out += [f"## {proof.title}", "", summary(proof, rows), "", *proof.legend(rows)]
        out += ["| unit | ok | " + " | ".join([*columns, "note"]) + " |", "|---" * (len(columns) + 3) + "|"]
        for unit, result in rows:
            cells = [str(result.figures.get(column, "")) for column in columns]
            note = result.note.replace("|", "\\|").replace("\n", " ")
            out.append(f"| {unit} | {'yes' if result.ok else '**NO**'} | " + " | ".join([*cells, note]) + " |")
        out.append("")
    return "\n".join(out)


def jsonl(name, proven):
    """dist/prove.jsonl: a line per unit."""
    return "".join(json.dumps({"image": name, "proof": proof.name, "unit": unit, "ok": result.ok, **result.figures,
                               "note": result.note}) + "\n" for proof, rows in proven for unit, result in rows)
