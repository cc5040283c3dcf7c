"""`pit rules`: the rule profiles in plain words, a file held against them, and where each clause is kept and proven."""

import json
from pathlib import Path
from typing import Annotated

import typer

from pit.errors import PitError

app = typer.Typer(no_args_is_help=True, help="The rule profiles: list, explain, check a file, trace a clause.")


def _known(profile):
    from firstcard import rules

    if profile not in rules.PROFILES:
        raise PitError(f"there is no profile {profile!r}: choose one of {', '.join(rules.PROFILES)}, or give a file")


@app.command("list")
def list_profiles():
    """The profiles, one a line: id, number of house options and of readings, what must be chosen, the text."""
    from firstcard import rules
    from pit.rules.explain import reason
    from pit.rules.readings import READINGS

    for profile_id in rules.PROFILES:
        rows = rules.data(profile_id).OPTIONS
        needed = [row[0] for row in rows if row[1] == rules.NEEDED]
        print(f"{profile_id:24}{len(rows):3} options{len(READINGS[profile_id]):4} readings  "
              f"{reason(profile_id, 'game')}" + (f"; must be chosen: {', '.join(needed)}" if needed else ""))


@app.command()
def explain(profile: Annotated[str, typer.Argument(metavar="PROFILE|FILE",
                                                   help="a profile's id, or a profile or scenario file")]):
    """A profile in plain words: every parameter, its clause, the readings of the text that it chooses."""
    from pit.rules import files
    from pit.rules.explain import explain as lines_of

    if Path(profile).suffix in (".yaml", ".yml"):
        loaded, _ = files.load(profile)
        values = {name: getattr(loaded, name) for name in loaded.options}
        lines = lines_of(loaded.id, _as_given(loaded, values))
    else:
        _known(profile)
        lines = lines_of(profile)
    print("\n".join(lines))


def _as_given(loaded, values):
    """Options of a loaded profile in a form that the loader reads again: lists as text."""
    from firstcard import rules

    return {name: rules.told(loaded, name) if isinstance(value, tuple) else value for name, value in values.items()}


@app.command()
def check(file: Annotated[str, typer.Argument(metavar="FILE", help="YAML with profile, options, limits (cents)")]):
    """Is a profile file complete and legal? Exit status 0, or 2 with the line, what to write instead and the clause."""
    from pit.rules import files

    profile, both = files.load(file)
    told = f", limits {both[0] / 100:g} to {both[1] / 100:g} dollars" if both else ""
    print(f"{file}: {profile.id}, hash {profile.hash}{told}: complete and allowed")


@app.command()
def template(profile: Annotated[str, typer.Argument(metavar="PROFILE", help="a profile's id")]):
    """A complete profile file with every default, to begin with: pit rules template us-nd-twentyone > mine.yaml."""
    from pit.rules.files import template as lines_of

    _known(profile)
    print("\n".join(lines_of(profile)))


@app.command()
def trace(only: Annotated[list[str] | None, typer.Argument(metavar="[CLAUSE]...", help="such as ND-12")] = None,
          as_json: Annotated[bool, typer.Option("--json", help="machine-readable")] = False):
    """Each clause of the four texts: where it is enforced or advised, and what proves it. Exit status 1 if one lacks a
    place or a proof."""
    from pit.rules import trace as tracing
    from pit.rules.clauses import CLAUSES

    for clause in only or ():
        if clause not in CLAUSES:
            raise PitError(f"there is no clause {clause}: choose one of {', '.join(CLAUSES)}")
    rows = [row for row in tracing.trace() if not only or row.clause in only]
    missing = tracing.lacking(rows)
    if as_json:
        print(json.dumps([row._asdict() for row in rows], indent=1))
    else:
        _show(rows, len(rows) - len({sentence.split()[0] for sentence in missing}))
        for sentence in missing:
            print(sentence)
    if missing:
        raise typer.Exit(1)


MANY = 4
"""So many proofs of a clause stand in the table; `pit rules trace CLAUSE` and --json have them all."""

PIPED_WIDTH = 160


def _show(rows, complete):
    from rich.console import Console
    from rich.table import Column, Table

    table = Table(*(Column(head, overflow="fold") for head in ("Clause", "What it asks for", "Where", "Proofs")),
                  show_lines=True)
    for row in rows:
        many = len(row.proofs) if len(rows) == 1 else MANY
        more = [f"and {len(row.proofs) - many} more"] if len(row.proofs) > many else []
        where = [place.removeprefix("firmware/firstcard/") for place in row.places]
        proofs = [proof.removeprefix("host_tests/") for proof in row.proofs[:many]] + more
        table.add_row(row.clause, row.text, "\n".join((["advised:"] if row.advised else []) + where), "\n".join(proofs))
    console = Console()
    if not console.is_terminal:
        console = Console(width=PIPED_WIDTH)
    console.print(table)
    console.print(f"{complete} of {len(rows)} clauses have a place and a proof.", highlight=False)
