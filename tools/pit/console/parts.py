"""What `pit console` shows, drawn from a View: plaque, state, spots. Functions of the view; no widget knows more."""

from rich.table import Table
from rich.text import Text

from pit import plaque
from pit.timeline import dollars
from pit.view import STATE_WORDS

ZONES = ("main", "tip", "line")
STATE_STYLES = {"OPEN": "bold green", "LOCKED": "bold red", "EXTRA": "bold red", "SETTLE": "bold yellow"}
CELL = 10  # columns of a spot: seven of them and the names of the zones fit in 80
PLAQUE_WIDTH = 45  # digits only: the spots have a table of their own


def head(view, port, connected):
    """First line: who is there, how, and who is logged in. `connected`: None before the first try has ended."""
    known = view.identity
    name = "  ".join(filter(None, [known.get("product", "pit console"), known.get("profile"),
                                   f"table {known['table']}" if "table" in known else ""]))
    if connected is None:
        return Text(f"reaching {port}")
    if not connected:
        return Text(f"LOST, trying again: {port}", style="bold white on red")
    return Text.assemble((name, "bold"), "  ", (port, "green"), "  ",
                         (view.role or "not logged in", "cyan" if view.role else "dim"))


def plaque_rows(view, spots=7):
    """The plaque as the table last told it, three rows; with the limits alone before it has told anything."""
    if view.plaque:
        leds = plaque.picture(view.plaque["min"], view.plaque["max"], view.plaque["colour"], spots)
    elif view.limits:
        leds = plaque.picture(*view.limits, "green" if view.state == "OPEN" else "red", spots)
    else:
        return Text("\n\n")
    return Text("\n").join(row[:PLAQUE_WIDTH] for row in plaque.rows(leds, spots))


def state(view, now_ms=None):
    """State, round, limits and the pending change with its countdown; three rows."""
    if view.state is None:
        return Text("nothing heard yet")
    style = STATE_STYLES.get(view.state, "bold")
    proven = "" if view.plaque is None or view.plaque["proven"] else "  plaque not proven"
    rows = [Text.assemble((view.state, style), f"  {STATE_WORDS.get(view.state, '')}, round {view.round}"),
            Text(f"{dollars(view.limits[0])} to {dollars(view.limits[1])}{proven}" if view.limits else "no limits")]
    if view.pending:
        rows.append(Text(f"next {dollars(view.pending['min'])} to {dollars(view.pending['max'])}"
                         + _countdown(view.pending["due_ms"], now_ms), style="yellow"))
    elif view.faults:
        rows.append(Text(f"FAULT {', '.join(sorted(view.faults))}", style="bold red"))
    return Text("\n").join(rows)


def _countdown(due_ms, now_ms):
    if now_ms is None:
        return ""
    left_s = max(0, due_ms - now_ms) // 1000
    return f" in {left_s // 60}:{left_s % 60:02d}" if left_s else " after this round"


def spots(view, count=7):
    """A column a spot: what lies on each zone, and the verdict where it is not ok."""
    table = Table(box=None, padding=0, show_edge=False, pad_edge=False)
    table.add_column("", width=5, style="dim")
    for spot in range(1, count + 1):
        alarmed = any(alarm.get("spot") == spot for alarm in view.alarms.values())
        table.add_column(Text(f"spot {spot}", style="bold red" if alarmed else "bold"), width=CELL, no_wrap=True)
    for zone in ZONES:
        places = [(spot, zone) for spot in range(1, count + 1)]
        table.add_row(zone, *[_amount(view, place) for place in places])
        if zone == "main":
            table.add_row("", *[_verdict(view, place) for place in places])
    return table


def _amount(view, place):
    """What counts once it is locked, else what lies there."""
    if place in view.wagers:
        return Text(dollars(view.wagers[place]), style="bold")
    return Text(dollars(view.bets[place]["sum"])) if place in view.bets else Text("\u00b7", style="dim")


def _verdict(view, place):
    if place in view.wagers:
        return Text("locked", style="green") if view.wagers[place] else Text("no wager", style="bold red")
    verdict = view.bets[place]["verdict"] if place in view.bets else ""
    return Text(verdict[:CELL - 1], style="green" if verdict == "ok" else "bold red")


def alarm(one):
    """One line of the list of alarms."""
    where = f"spot {one['spot']}" if one.get("spot") else "table"
    by = "" if one.get("by") is None else f" by {dollars(one['by'])}"
    return Text.assemble((f"{one['id']:>3} {one['kind']}", "bold red"), f"{by} on {where}  {one.get('text') or ''}")
