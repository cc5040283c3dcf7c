"""The bring-up sheet of a new table: what the board finds by itself, and what only hands and eyes can.

`pit selftest --sheet` prints it with the figures of the board it is asked for; `python -m pit.bringup` writes the same
lines into boards/README.md, between `<!-- sheet -->` and `<!-- end -->`.
"""

import re
import sys
import textwrap
from typing import NamedTuple

from pit import ROOT

DOCUMENT = ROOT / "boards" / "README.md"
WIDTH, DO, MUST = 79, 42, 28  # letters of a page, of its columns
WELL = "ok"


class Part(NamedTuple):
    """A line of `selftest`. `tests`: what it does; `must`: the figure that it shows where all is well."""

    name: str
    tests: str
    must: str


class Step(NamedTuple):
    """`do`, and what `must` be seen. `needs`: the field that a board must have for it, or `not` have."""

    do: str
    must: str
    needs: str = ""


PARTS = (
    Part("readers", "every wire of every reader", "{antennas} of {antennas}"),
    Part("edge", "emitters off: both beams go dark", "dark within 5000 us"),
    Part("latch", "the lock fires by that, the CPU hears of it", "heard after 100 us at most"),
    Part("plaque", "sentinel comes back, current is the picture's", "45 to 600 mA"),
    Part("store", "fast memory written and read, journal has room", "1 record or more, 0 bad places"),
    Part("clock", "both clocks of the chip go alike", "20 ms apart at most"),
)
STEPS = (
    Step("without the Pico: measure 5 V and 3.3 V at its socket, then LOCK against ground",
         "4.8 to 5.2 V; 3.2 to 3.4 V; LOCK = 3.3 V"),
    Step("put the Pico in, SERVICE strap open, USB to the PC, BOOTSEL held; `make flash`",
         "`it runs: ... board={board}`"),
    Step("`pit doctor`", "no line begins with WRONG"),
    Step("`pit selftest --sheet`, and print what it says", "every part `ok`, its figure as the sheet wants it"),
    Step("`pit status`", "CLOSED, no FAULT"),
    Step("look at the plaque", "the limits of `pit limits show`, red, every segment of them lit"),
    Step("look at the dealer's display", "CLOSED, and the same limits", "KEYPAD"),
    Step("`pit limits set 8888 88888`, look, then set them right", "every segment lit, one colour, one brightness"),
    Step("`pit login supervisor`, then `pit send open`", "OK; plaque green; LOCK = 0 V"),
    Step("put a card into beam A and take it back", "LOCK = 3.3 V at once; `state` LOCKED; plaque red"),
    Step("lay a chip of the registry on spot 1", "alarm `late-bet`; lamp and buzzer on; the spot's LED red"),
    Step("take it off; `pit send 'ack 1' --as supervisor`", "lamp and buzzer off", "not KEYPAD"),
    Step("`pit send 'key void' --as supervisor`, `pit send 'key supervisor-confirm' --as supervisor`",
         "OPEN again by itself", "not KEYPAD"),
    Step("take it off; turn the supervisor's key; keypad: 1, SHIFT, ACK", "lamp and buzzer off", "KEYPAD"),
    Step("keypad: SHIFT, VOID, then SHIFT, SUPERVISOR CONFIRM; turn the key back", "OPEN again by itself", "KEYPAD"),
    Step("a chip of the registry on every zone of every spot, one after the other; `pit status` each time",
         "that spot, that zone, its value"),
    Step("pull the plug of one reader; `pit status`", "FAULT reader, and its number in the log"),
    Step("pull the plug of the plaque's data; `pit status`", "FAULT plaque within 2 s"),
    Step("pull the plugs of keypad and display; `pit status`", "FAULT keypad, FAULT display", "KEYPAD"),
    Step("pull the plug of one beam", "`state` LOCKED; then FAULT beam"),
    Step("all back, the round ended as before; `pit send close`; power off and on; `pit status`",
         "CLOSED, no FAULT, the limits as they were"),
)
SIGNED = "Table ............ chip number ............ firmware ............ date and name ............"


def steps(board):
    """The Steps of a board (module of boards/)."""
    return [step for step in STEPS if not step.needs
            or bool(getattr(board, step.needs.removeprefix("not "))) != step.needs.startswith("not ")]


def page(board, known, rows):
    """The sheet (text) of one table. `known`: what `id` says, a dict; `rows`: the rows that `selftest` gave."""
    found = {name: (verdict, figure) for name, verdict, figure in (row.split(" ", 2) for row in rows)}
    out = ["Bring-up sheet: " + _some(known, "table", "board", "unique"),
           _some(known, "profile", "hash", "build", "files", "chips"),
           "", "The table about itself", ""]
    for part in PARTS:
        verdict, figure = found.get(part.name, ("not asked", "-"))
        out += _row("[x]" if verdict == WELL else "[ ]", f"{part.name}: {part.tests}",
                    part.must.format(antennas=board.ANTENNAS), f"found: {verdict}, {figure}")
    out += ["", "Hands and eyes: nothing goes on with a line that is not ticked", ""]
    for number, step in enumerate(steps(board), 1):
        out += _row(f"{number:2} [ ]", step.do.replace("`", ""), step.must.format(board=board.NAME).replace("`", ""))
    return "\n".join([*out, "", "date, name, signature: " + "." * (WIDTH - 23)]) + "\n"


def _some(known, *names):
    return ", ".join(f"{name} {known[name]}" for name in names if name in known)


def _row(head, do, must, more=""):
    """Lines of two columns, wrapped; `more` below the left one."""
    left = textwrap.wrap(do, DO) + textwrap.wrap(more, DO)
    right = textwrap.wrap(must, MUST)
    rows = max(len(left), len(right))
    left += [""] * (rows - len(left))
    right += [""] * (rows - len(right))
    heads = [head] + [""] * (rows - 1)
    return [f"{one:6} {two:{DO}} {three}".rstrip() for one, two, three in zip(heads, left, right)]


def table(board):
    """The sheet of a board without figures, for boards/README.md."""
    out = ["| `selftest` | does | must be | seen |", "|---|---|---|---|"]
    out += [f"| {part.name} | {part.tests} | {part.must.format(antennas=board.ANTENNAS)} | |" for part in PARTS]
    out += ["", "| | do | must be | seen |", "|---|---|---|---|"]
    out += [f"| {n} | {step.do} | {step.must.format(board=board.NAME)} | |" for n, step in enumerate(steps(board), 1)]
    return "\n".join([*out, "", SIGNED]) + "\n"


def renewed(document):
    """boards/README.md (text) with its sheet written anew."""
    from boards import fc7

    return re.sub(r"(<!-- sheet -->\n).*?(<!-- end -->)", lambda found: found[1] + table(fc7) + found[2], document,
                  flags=re.S)


def main():
    DOCUMENT.write_text(renewed(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
