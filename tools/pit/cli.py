"""The command line of pit. Work is done elsewhere; here are only the words typed and the texts of --help."""

import sys
from pathlib import Path
from typing import Annotated

import typer
from typer.exceptions import TyperException

from pit import ROOT, __version__, chips_cli, operator_cli, rules_cli
from pit.errors import PitError
from pit.journal import cli as journal_cli

app = typer.Typer(no_args_is_help=True, pretty_exceptions_enable=False,
                  help="The host-side tool of firstcard, the card table that knows its bets.")
app.add_typer(operator_cli.app)
app.add_typer(rules_cli.app, name="rules")
app.add_typer(journal_cli.app, name="journal")
app.add_typer(chips_cli.app, name="chips")

TableName = Annotated[str, typer.Option("--table", help="name of the table, as given to `pit build`")]
Pins = Annotated[list[str], typer.Option("--pin", metavar="ROLE", help="ask for a PIN of this role; may be given "
                                                                         "again")]
Board = Annotated[str, typer.Option("--board", help="a board of boards/")]


def _version(wanted: bool):
    if wanted:
        print(f"pit {__version__}")
        raise typer.Exit()


@app.callback()
def _root(version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True,
                                                help="tell the version")] = False):
    pass


@app.command()
def run(files: Annotated[list[str], typer.Argument(metavar="FILE...", help="scenario files (YAML)")],
        on: Annotated[str, typer.Option("--on", metavar="TARGET",
                                        help="host, unix, rp2040 or a serial device")] = "host",
        as_json: Annotated[bool, typer.Option("--json", help="events as JSON lines, nothing else")] = False):
    """Play scenario files. Exit status: 0 as expected, 1 not as expected, 2 a file is wrong."""
    from pit.play import run_files

    raise typer.Exit(run_files(files, on, as_json))


@app.command()
def build(board: Board = "fc7", table: TableName = "1", pin: Pins = (),
          chips: Annotated[Path | None, typer.Option("--chips", help="a list made with `pit chips make`")] = None):
    """Write dist/firstcard-BOARD.uf2: MicroPython and the application, to be dropped on a board in BOOTSEL mode.

    The file holds the table's login keys, derived from the site key on this PC (made when there is none yet).
    """
    from pit import chiplist, keys
    from pit.build import sizes
    from pit.build import build as build_image

    known = chiplist.load(chips).pairs() if chips else ()
    path, contents = build_image(board, keys.login_keys(table, create=True), table=table, pins=_pins(pin), chips=known)
    rows, total = sizes(contents)
    for name, size in rows:
        print(f"{size:7,}  {name}")
    print(f"{total:7,}  bytes of .mpy in all, shrunk (a board imports one profile of them)")
    print(f"{path}: {path.stat().st_size:,} bytes; login keys of table {table}, from {keys.site_key_path()}")


@app.command()
def demo(board: Board = "fc7"):
    """Play one round on the emulated table and show it; a picture of it goes to dist/first-card.svg."""
    from pit.demo import show

    raise typer.Exit(show(board))


@app.command()
def flash(board: Board = "fc7",
          port: Annotated[str, typer.Option("--port", help="upgrade the board at this serial port")] = "",
          table: Annotated[str, typer.Option("--table", help="with --port: write the keys of this table")] = "",
          profile: Annotated[str, typer.Option("--profile", help="with --port: change to this rule profile")] = "",
          chips: Annotated[str, typer.Option("--chips", help="with --port: a packed chip registry")] = "",
          pin: Pins = ()):
    """Put the firmware on a board.

    Without --port: dist/firstcard-BOARD.uf2 goes to a board in BOOTSEL mode (mounted as RPI-RP2) and replaces all on
    it. With --port: files by hash over serial; journal, settings and chips stay, and an interruption does no harm.
    """
    from pit import flash as flasher
    from pit import ports

    if port:
        flasher.upgrade(port, board, table, profile, chips, _pins(pin))
        return
    if table or profile or chips or pin:
        raise PitError("--table, --pin, --profile and --chips go with --port; for a new board give --table and --pin "
                       "to `pit build`")
    known = [one.device for one in ports.boards()]
    print(flasher.flash(ROOT / "dist" / f"firstcard-{board}.uf2"), flush=True)
    found = flasher.wait_for_table(known)
    print(f"it runs: {' '.join(f'{name}={value}' for name, value in found.items())}")


@app.command()
def shoe(device: Annotated[str, typer.Argument(metavar="DEVICE", help="serial adapter at the board's shoe port")],
         cards: Annotated[str, typer.Option("--cards", help="cards to draw, such as AS,KD; ?? is misread")] = "",
         fault: Annotated[list[str], typer.Option("--fault", help="of the next card, or at once; repeat it for the "
                                                  "card after that. Words: host_tests/README.md")] = [],  # noqa: B006
         every: Annotated[int, typer.Option("--every", min=1, help="ms from card to card")] = 400,
         seconds: Annotated[float, typer.Option("--seconds", min=0, help="how long to go on after the last one")] = 2,
         baud: Annotated[int, typer.Option("--baud", help="115200, or 9600")] = 115_200):
    """Be the shoe of a real board, on a serial line: OTS-1 with heartbeats, cards and faults.

    Exit status 1 if the table leaves a line unacknowledged.
    """
    from pit import serialshoe

    raise typer.Exit(serialshoe.run(device, cards, fault, every, seconds, baud))
def _pins(roles):
    """What a table keeps of the PINs that are typed now: dict of role -> record."""
    from pit import keys

    for role in roles:
        if role not in keys.ROLES:
            raise PitError(f"there is no role {role!r}: choose one of {', '.join(keys.ROLES)}")
    return {role: keys.pin_record(typer.prompt(f"PIN of the {role}", hide_input=True, confirmation_prompt=True))
            for role in roles}


def main():
    """Entry point: errors that a user can put right end in one sentence and an exit status (tools/pit/README.md)."""
    try:
        status = app(standalone_mode=False)
    except PitError as error:
        _end(str(error), error.exit_status)
    except TyperException as error:
        _end(_usage(error))
    except typer.Abort:
        _end("given up before anything was done")
    except OSError as error:
        _end(f"{error.filename or 'a file'} cannot be used ({error.strerror or error}): give another, or make room")
    sys.exit(status if isinstance(status, int) else 0)


def _end(text, status=PitError.exit_status):
    if text:
        print(f"pit: {text}", file=sys.stderr)
    sys.exit(status)


def _usage(error):
    """What is wrong with the words typed, and where the right ones stand; empty where the help was shown instead."""
    if type(error).__name__ == "NoArgsIsHelpError":  # its class has no public name
        return ""
    text = error.format_message().rstrip(".")
    where = getattr(error, "ctx", None)
    return f"{text[:1].lower()}{text[1:]}: see `{where.command_path if where else 'pit'} --help`"


if __name__ == "__main__":
    main()
