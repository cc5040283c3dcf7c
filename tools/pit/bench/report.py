"""The bench's table for people, and dist/bench.jsonl for machines."""

from rich.table import Table
from rich.text import Text

from pit.bench.rows import KINDS, number


def ordered(rows):
    """Rows in the order of the contract, each name at most once."""
    by_name = {row.name: row for row in rows}
    return [by_name[name] for name in KINDS if name in by_name]


def write(rows, path):
    """One JSON line per row."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(row.json() + "\n" for row in ordered(rows)), encoding="utf-8")


def table(rows):
    """rich Table of the rows, with their details under them."""
    out = Table(title="firmware on the emulated board", show_lines=False, pad_edge=False)
    out.add_column("figure", no_wrap=True)
    out.add_column("value", justify="right", no_wrap=True)
    out.add_column("budget", justify="right", no_wrap=True)
    out.add_column("ok")
    out.add_column("irq")
    out.add_column("peer", overflow="fold", max_width=30)
    out.add_column("note", overflow="fold")
    for row in ordered(rows):
        kind = row.kind
        limit = ("" if kind.most else ">= ") + number(kind.budget)
        value = f"{number(row.value)} {kind.unit}"
        out.add_row(row.name, value, limit, _verdict(row.ok), kind.irq, kind.peer, row.note)
        for detail in row.details:
            limit = "" if detail.budget is None else number(detail.budget)
            verdict = "" if detail.budget is None else _verdict(detail.ok)
            out.add_row("", f"{number(detail.value)} {detail.unit}", limit, verdict, "", "", f"- {detail.text}")
        for text in row.broken:
            out.add_row("", "", "", _verdict(False), "", "", Text(f"- {text}", style="red"))
        out.add_section()
    return out


def _verdict(ok):
    return Text("yes", style="green") if ok else Text("NO", style="bold red")


def summary(rows):
    """One line: how many keep their budgets, and which do not."""
    missed = [row.name for row in ordered(rows) if not row.ok]
    return f"{len(rows) - len(missed)} of {len(rows)} figures keep their budgets" + (
        f"; not: {', '.join(missed)}" if missed else "")
