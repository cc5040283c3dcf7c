"""Runs the bench: `python -m pit.bench [figure ...]`, all figures without any.

Exit status 0 also when a budget is missed: the table says so. 1: a figure could not be measured, or something broke
while it was measured (an emulator fault, a table left unlocked). 2: there is no such figure.
"""

import sys
import time

from rich.console import Console

from pit import ROOT
from pit.bench import console, lock, logic, plaque, play, readers, report, rig, shoe
from pit.bench.rows import KINDS
from pit.emu.snapshot import fork_map

OUT = ROOT / "dist" / "bench.jsonl"
BETS, LAB, ALONE = "an open table with bets", "the modules at the prompt", None

# figures, what they are measured on, function
BENCHES = (
    (("sweep70_over_sum",), ALONE, readers.sweep_rows),
    (("stack20_over_air",), ALONE, readers.stack_rows),
    (("erases_per_round", "heap_growth_bytes"), ALONE, play.rows),
    (("console_p99_ms",), BETS, console.answer_rows),
    (("boot_to_console_ms",), ALONE, console.boot_rows),
    (("register_read_us", "empty_inventory_us"), ALONE, readers.single_rows),
    (("heap_free_kb",), BETS, console.heap_rows),
    (("shoe_bytes_lost",), BETS, shoe.rows),
    (("fsm_event_us",), LAB, logic.event_rows),
    (("parse_command_us",), LAB, logic.command_rows),
    (("plaque_update_us",), LAB, plaque.rows),
)
LOCK_FIGURES = ("edge_to_lock_us_max", "edge_to_latch_us_max", "lock_durable_us")


class Progress:
    """What is going on, on stderr: renewed in place at a terminal, else a line now and then."""

    LINES_S = 10

    def __init__(self, err=None):
        self._err = err or sys.stderr
        self._begun, self._last = time.monotonic(), 0.0

    def __call__(self, text, done=None, total=None):
        now = time.monotonic()
        line = f"bench {now - self._begun:4.0f} s: {text}" + (f" {done}/{total}" if total else "")
        if self._err.isatty():
            print(f"\r\x1b[K{line}", end="" if total and done < total else "\n", file=self._err, flush=True)
        elif not total or done == total or now - self._last > self.LINES_S:
            self._last = now
            print(line, file=self._err, flush=True)


def _measure(bench, table):
    """([rows], None), or ([], what went wrong)."""
    try:
        return (bench(table) if table is not None else bench()), None
    except Exception as error:  # whatever it is: the other figures are still wanted
        return [], f"{type(error).__name__}: {error}"


def measure(names=tuple(KINDS), progress=None):
    """Rows of these figures, and texts of what could not be measured."""
    progress = progress or Progress()
    chosen = [one for one in BENCHES if set(one[0]) & set(names)]
    locks = set(LOCK_FIGURES) & set(names)
    tables = {ALONE: None}
    rows, failures = [], []
    if locks or any(on == BETS for _, on, _ in chosen):
        progress("booting the table, opening it, laying bets")
        tables[BETS] = rig.with_bets()
    if any(on == LAB for _, on, _ in chosen):
        tables[LAB] = rig.Lab({**logic.SOURCES, **plaque.SOURCES})
    if locks:
        found, failure = _measure(
            lambda table: lock.rows(table, progress=lambda *at: progress("edge sweep", *at), beside=lock.peers(),
                                   written_us=lock.written(), more=lock.append_details()),
            tables[BETS])
        rows += found
        failures += [f"{', '.join(LOCK_FIGURES)}: {failure}"] if failure else []
    results = fork_map(lambda one: _measure(one[2], tables[one[1]]), chosen,
                       progress=lambda *at: progress("other figures", *at))
    for (figures, _, _), (found, failure) in zip(chosen, results, strict=True):
        rows += found
        failures += [f"{', '.join(figures)}: {failure}"] if failure else []
    for table in tables.values():
        if table is not None:
            table.close()
    return [row for row in rows if row.name in names], failures


def main(arguments):
    """See the module's text."""
    unknown = [name for name in arguments if name not in KINDS]
    if unknown:
        print(f"no such figure: {', '.join(unknown)}. There are: {', '.join(KINDS)}", file=sys.stderr)
        return 2
    rows, failures = measure(tuple(arguments) or tuple(KINDS))
    wide = None if sys.stdout.isatty() else 160
    Console(width=wide, highlight=False).print(report.table(rows))
    print(report.summary(rows))
    report.write(rows, OUT)
    print(f"{OUT.relative_to(ROOT)}: {len(rows)} lines")
    for text in failures:
        print(f"not measured: {text}", file=sys.stderr)
    return 1 if failures or any(row.broken for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
