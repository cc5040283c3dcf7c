"""`pit journal`: the words typed and the texts of --help."""

from pathlib import Path
from typing import Annotated

import typer

from pit.errors import PitError
from pit.operator_cli import Port

app = typer.Typer(no_args_is_help=True, help="The journal of a table: read it out, verify it, show it, export it.")
File = Annotated[Path, typer.Argument(help="a pulled journal, or a dump of the board's flash")]


def _records(path):
    from pit.journal import records

    try:
        found = records.load(path.read_bytes())
    except OSError as error:
        raise PitError(f"{path} cannot be read ({error.strerror}): give a pulled journal or a flash dump")
    if not found:
        raise PitError(f"{path} holds no records: give a pulled journal or a flash dump")
    return found


def _whole(path):
    """The records of a file that can be shown; PitError at the first that cannot."""
    from pit.journal.records import BadRecord

    found = _records(path)
    for place, one in enumerate(found, 1):
        try:
            if isinstance(one, BadRecord):
                raise one
            one.facts  # noqa: B018  one with the right check sum may still hold what no board has written
        except BadRecord:
            raise PitError(f"{path}: place {place} holds no record: pit journal verify says more")
    return found


def _say(verdict):
    print(f"{verdict.count} records, {verdict.first} to {verdict.last}")
    for note in verdict.notes:
        print(f"note: {note}")
    if verdict.ok:
        print("whole")
    else:
        where = "" if verdict.seq is None else f", record {verdict.seq}"
        print(f"NOT whole{where}: {verdict.wrong}. {verdict.meaning[:1].upper()}{verdict.meaning[1:]}.")
    raise typer.Exit(0 if verdict.ok else 1)


@app.command()
def pull(file: Annotated[Path, typer.Argument(help="where to; what is in it already is not read again")],
         port: Port = "",
         table: Annotated[str, typer.Option("--table", help="name of the table, if it does not say it")] = "",
         role: Annotated[str, typer.Option("--role", help="log in as")] = "supervisor",
         release: Annotated[bool, typer.Option("--release", help="let the board erase what is safe here now")] = False):
    """Read the journal out and verify it. Exit status 1 if it is not whole. May be broken off and given again."""
    from rich.progress import Progress

    from pit import keys, ports
    from pit.journal.pull import pull_and_prove
    from pit.operator import DEFAULT_TABLE, Operator

    with Operator.at(ports.choose(port)) as there, Progress(transient=True) as bar:
        name = table or there.identity().get("table", DEFAULT_TABLE)
        there.login_here(role, table)
        task = bar.add_task("records", total=None)
        verdict = pull_and_prove(lambda line: tuple(there.ask(line)), file, name, keys.journal_key(name), release,
                                 lambda done, total: bar.update(task, completed=done, total=total))
        there.command("logout")
    _say(verdict)


@app.command()
def verify(file: File, table: Annotated[str, typer.Option("--table", help="name of the table: its key and the head "
                                                                           "seen last are used")] = ""):
    """The first record that is wrong, and what that means. Exit status 0 whole, 1 not."""
    from pit import keys
    from pit.journal import files
    from pit.journal.verify import verify as check

    key = keys.journal_key(table) if table else None
    _say(check(_records(file), files.head_of(file), key, files.kept_head(table) if table else None))


@app.command()
def forget(table: Annotated[str, typer.Argument(metavar="TABLE", help="name of the table")]):
    """What this PC has seen of a table's journal is worth nothing any more: its board was flashed anew, or is another.
    """
    from pit.journal import files

    if not files.forget_head(table):
        raise PitError(f"this PC has seen no table {table!r}: `pit ports` says how yours is called")
    print(f"forgotten: the next pull from table {table} is taken as its first")


@app.command("print")
def show(file: File, start: Annotated[int, typer.Option("--from", help="record to begin with")] = 1):
    """Every fact, one a line."""
    from pit.journal import export

    for row in export.rows(_whole(file)):
        if row["seq"] >= start:
            print(export.line(row))


@app.command()
def export(file: File, target: Annotated[Path, typer.Argument(help="x.csv or x.db (SQLite)")]):
    """Facts as a table: CSV or SQLite, by the ending of the file's name."""
    from pit.journal import export as exporting

    ways = {".csv": exporting.to_csv, ".db": exporting.to_sqlite, ".sqlite": exporting.to_sqlite}
    if target.suffix not in ways:
        raise PitError(f"{target.name}: end the name in .csv or .db")
    exporting.save(ways[target.suffix], _whole(file), target)
    print(target)
