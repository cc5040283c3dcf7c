"""The commands of pit that talk to a table over its serial port; texts of --help, and what is printed."""

import importlib
import json
import time
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from pit import ports
from pit.errors import PitError, Refusal
from pit.timeline import dollars
from pit.view import STATE_WORDS, View, cents

app = typer.Typer()
limits_app = typer.Typer(no_args_is_help=True, help="Show or set the limits of a table, over its serial port.")
app.add_typer(limits_app, name="limits")
keys_app = typer.Typer(no_args_is_help=True, help="Keys for other PCs: each gets only what its user needs.")
app.add_typer(keys_app, name="keys")

Port = Annotated[str, typer.Option("--port", envvar=ports.VARIABLE,
                                   help="device, socket:// or rfc2217:// URL; not needed with one board plugged in")]
TableName = Annotated[str, typer.Option("--table", help="name of the table, where it does not tell its own")]
Json = Annotated[bool, typer.Option("--json", help="one JSON object, amounts in cents")]
Role = Annotated[str, typer.Argument(help="operator, supervisor or technician")]


@contextmanager
def at(port, on_line=None):
    """The table at `port`, or at the only board."""
    from pit.operator import Operator

    with Operator.at(ports.choose(port), on_line=on_line) as table:
        yield table


def say_json(value):
    print(json.dumps(value))


@app.command("ports")
def show_ports(as_json: Json = False):
    """The boards on USB (and the port of $FIRSTCARD_PORT), and the table that each one is (asked with `id`)."""
    found = [{**board._asdict(), **_who(board.device)} for board in ports.known()]
    if as_json:
        return say_json(found)
    for board in found:
        print(f"{board['device']}  {board['serial'] or '-'}  {board['says']}")
    if not found:
        raise ports.NoTable("no board is found on USB: plug one in; `pit doctor` looks for the reason")


def _who(device):
    from pit.operator import Operator

    try:
        with Operator.at(device) as table:
            known = table.identity()
            return {"id": known, "says": " ".join([known["product"]] + [f"{name}={known[name]}" for name in (
                "table", "board", "profile", "mode") if name in known])}
    except PitError as error:
        return {"id": None, "says": str(error)}


@app.command()
def status(port: Port = "", watch: Annotated[bool, typer.Option("--watch", help="again every second, until Ctrl-C")]
           = False, as_json: Json = False):
    """State, round, limits, bets, alarms, faults and figures of a table."""
    with at(port) as table:
        while True:
            view = View()
            view.ask(table)
            if as_json:
                say_json(view.as_json())
            else:
                print("\n".join(_status(view)), flush=True)
            if not watch:
                return
            try:
                time.sleep(1)
            except KeyboardInterrupt:
                return
            if not as_json:
                print()


def _status(view):
    known = view.identity
    yield " ".join([known["product"]] + [f"{name}={value}" for name, value in known.items() if name != "product"])
    yield f"{view.state}: {STATE_WORDS.get(view.state, '')}, round {view.round}"
    yield "limits " + _limits_text(view.limits, view.pending)
    for place in sorted(view.bets):
        bet = view.bets[place]
        yield (f"spot {bet['spot']} {bet['zone']}: {dollars(bet['sum'])} in {bet['chips']} chips, {bet['verdict']}, "
               f"counts {dollars(bet['value'])}")
    for number, alarm in sorted(view.alarms.items()):
        by = "" if alarm["by"] is None else f" by {dollars(alarm['by'])}"
        yield f"ALARM {number}: {alarm['kind']}{by}" + (f" on spot {alarm['spot']}" if alarm["spot"] else "")
    for code in sorted(view.faults):
        yield f"FAULT {code}: {view.faults[code]}"
    yield " ".join(f"{name}={value}" for name, value in view.figures.items())


def _limits_text(limits, pending):
    if not limits:
        return "none"
    later = f"; pending: {dollars(pending['min'])} to {dollars(pending['max'])}" if pending else ""
    return f"{dollars(limits[0])} to {dollars(limits[1])}{later}"


def _tell_limits(text, as_json):
    view = View()
    view.take_limits(text)
    if as_json:
        say_json({name: view.as_json()[name] for name in ("limits", "pending")})
    else:
        print(_limits_text(view.limits, view.pending))


@limits_app.command("show")
def limits_show(port: Port = "", as_json: Json = False):
    """Show the limits and any pending change."""
    with at(port) as table:
        _tell_limits(table.command("limits"), as_json)


@limits_app.command("set")
def limits_set(minimum: Annotated[str, typer.Argument(metavar="MIN", help="dollars")],
               maximum: Annotated[str, typer.Argument(metavar="MAX", help="dollars")],
               after: Annotated[str, typer.Option("--in", metavar="TIME",
                                                  help="notice, such as 90s or 20m; else what the rules ask for")] = "",
               port: Port = "", table: TableName = "", as_json: Json = False):
    """Set new limits, logged in as operator; they take effect between rounds, and at once while the table is closed."""
    for amount in (minimum, maximum):
        _money(amount)
    line = f"limits set {minimum} {maximum}" + (f" in {after}" if after else "")
    answer = _as("operator", line, port, table).text
    _tell_limits(answer, as_json)
    if after and not as_json and "pending_min" not in answer:
        print("at once: nobody is playing by the old ones")


@limits_app.command("cancel")
def limits_cancel(port: Port = "", table: TableName = "", as_json: Json = False):
    """Drop the pending change of limits."""
    _tell_limits(_as("operator", "limits cancel", port, table).text, as_json)


def _money(text):
    try:
        if cents(text) > 0:
            return
    except (TypeError, ValueError):
        pass
    raise PitError(f"{text!r} is no amount: write dollars, such as 5 or 2.50")


def _as(role, line, port, table_name, on_line=None):
    """The Answer to one line given as `role`; logged out again behind it, whatever comes."""
    with at(port, on_line) as table:
        table.login_here(role, table_name)
        try:
            return table.ask(line)
        finally:
            table.command("logout")


@app.command()
def login(role: Role, port: Port = "", table: TableName = ""):
    """Log in by challenge and stay so: for a terminal program on the same port, without typing a PIN.

    The login ends with `pit logout`, after silence, and when the table loses its USB host.
    """
    with at(port) as there:
        there.login_here(role, table)
    print(f"logged in as {role}; it ends with `pit logout`, or by itself after silence")


@app.command()
def logout(port: Port = ""):
    """End a login."""
    with at(port) as table:
        table.command("logout")


@app.command()
def send(line: Annotated[str, typer.Argument(help="a command of PROTOCOL.md, in quotes")],
         role: Annotated[str, typer.Option("--as", metavar="ROLE", help="log in as this role for it")] = "",
         port: Port = "", table: TableName = "", as_json: Json = False):
    """Give any command to a table and show its answer."""
    notes = []

    def hear(text):
        if text.startswith("# "):  # for people: what `help` says, for one
            notes.append(text[2:])

    if role:
        answer = _as(role, line, port, table, hear)
    else:
        with at(port, hear) as there:
            answer = there.ask(line)
    if as_json:
        say_json({"text": answer.text, "rows": answer.rows, "notes": notes})
    else:
        print("\n".join([*notes, *answer.rows, *([answer.text] if answer.text else [])]) or "OK")


@app.command()
def console(port: Port = "", table: TableName = ""):
    """The table on one screen: plaque, spots, alarms, limits and log; keyboard only, from 80x24 up."""
    from pit.console import run

    run(ports.choose(port), table)


@app.command()
def doctor(port: Port = "", as_json: Json = False):
    """What is wrong with this set-up, and what to do. Exit status 1 if something is."""
    from pit.doctor import WRONG, look

    findings = look(port)
    if as_json:
        say_json([one._asdict() for one in findings])
    else:
        for one in findings:
            print(f"{one.state:5}  {one.what}: {one.text}")
    if any(one.state == WRONG for one in findings):
        raise typer.Exit(1)


@app.command()
def selftest(part: Annotated[str, typer.Argument(help="one part of it; without, all of them")] = "",
             port: Port = "", table: TableName = "", as_json: Json = False,
             sheet: Annotated[bool, typer.Option("--sheet", help="the bring-up sheet with its figures, to be printed")]
             = False):
    """Have the table test itself, logged in as technician: a figure for each part. Exit status 1 if one is not well."""
    if sheet:
        return _sheet(port, table)
    try:
        answer = _as("technician", f"selftest {part}".strip(), port, table)
    except Refusal as refusal:  # a part is not well: what is known of the others helps to find out why
        if as_json:
            say_json({"text": str(refusal), "rows": refusal.rows})
        elif refusal.rows:
            print("\n".join(refusal.rows))
        raise
    if as_json:
        say_json({"text": answer.text, "rows": answer.rows})
    else:
        print("\n".join([*answer.rows, f"all well ({answer.text} parts)"]))


def _sheet(port, table_name):
    from pit import bringup

    with at(port) as table:
        known = table.identity()
        table.login_here("technician", table_name)
        try:
            rows, wrong = table.ask("selftest").rows, None
        except Refusal as refusal:
            rows, wrong = refusal.rows, refusal
        table.command("logout")
    print(bringup.page(importlib.import_module(f"boards.{known['board']}"), known, rows), end="")
    if wrong:
        raise wrong


@app.command()
def service(port: Port = "", table: TableName = ""):
    """Bring a closed table into service mode: it locks, restarts, and shows MicroPython's prompt (for mpremote, or
    `pit flash`). A reset ends it.
    """
    from pit.flash import into_service

    into_service(ports.choose(port), table, print)
    print("the board is in service mode: its prompt answers, no table is running")


@app.command()
def emulate(uf2: Annotated[str, typer.Argument(help="what `pit build` wrote")] = "",
            simulated: Annotated[bool, typer.Option("--simulated", help="not the image, only its rules: faster")]
            = False,
            service: Annotated[bool, typer.Option("--service", help="with the SERVICE strap closed")] = False):
    """A table without hardware, on a pseudo terminal: for pit or any terminal program, as if on USB. Ends with Ctrl-C.
    """
    from pit.emulate import serve

    serve(uf2, simulated, service)


@keys_app.command("give")
def keys_give(role: Role, file: Annotated[Path, typer.Argument(help="new file; on the other PC it belongs at the place "
                                                                     "that is printed")],
              table: TableName = "1"):
    """Write the key of one role at one table to a file, for the PC of its user. The site key stays here."""
    from pit import keys

    keys.give(table, role, file)
    print(f"{file}: {role} at table {table}; on the other PC it is {keys.role_key_path(table, role)}")
