"""The parts of firmware/PROTOCOL.md that would rot: written by `python -m pit.protocol` from the firmware's own tables.

They stand between `<!-- <name> -->` and `<!-- end -->`. The sessions in the document are replayed by a test.
"""

import re
import sys

from firstcard.core import machine
from firstcard.proto import commands
from pit import ROOT, contract, texts

DOCUMENT = ROOT / "firmware" / "PROTOCOL.md"
STATES = machine.STATES
ROLES = sorted(commands.ROLES, key=commands.ROLES.get)


def states(bits):
    """`CLOSED`, `all`, `all but SAFE`: the states of a column of bits."""
    names = [name for n, name in enumerate(STATES) if bits >> n & 1]
    missing = [name for name in STATES if name not in names]
    if not missing:
        return "all"
    return f"all but {missing[0]}" if len(missing) == 1 else " ".join(names)


def who(bits):
    """The roles of a column of bits."""
    return ", ".join(name for name in ROLES if commands.ROLES[name] & bits) or "anybody"


def command_rows(said):
    for entry in commands.TABLE:
        typed = f"{entry[commands.WORDS]} {entry[commands.SHAPE]}".strip().replace("|", "\\|")
        yield (f"`{typed}`", who(entry[commands.WHO]), states(entry[commands.STATES]),
               said["help." + entry[commands.ID]])


def event_rows(said):
    for name, fields in contract.EVENTS.items():
        words = [f"`{field}`: {' '.join(contract.WORDS[name, field])}" for field in fields
                 if (name, field) in contract.WORDS]
        yield f"`{name}`", " ".join(f"`{field}`" for field in fields), "; ".join(words)


def error_rows(said):
    for key in sorted((key for key in said if re.fullmatch(r"E\d+", key)), key=lambda key: int(key[1:])):
        yield key[1:], said[key].replace("{}", "\u2026").replace("<", "\\<")


def text_rows(kind):
    def rows(said):
        return ((f"`{key.partition('.')[2]}`", text) for key, text in said.items() if key.startswith(kind + "."))

    return rows


PARTS = {  # name: (heads of the columns, function that gives the rows)
    "commands": (("command", "who", "states", "what it does"), command_rows),
    "events": (("event", "further fields", "words"), event_rows),
    "errors": (("number", "text"), error_rows),
    "alarms": (("alarm", "text"), text_rows("alarm")),
    "prompts": (("prompt", "text"), text_rows("prompt")),
    "notices": (("notice", "text"), text_rows("notice")),
    "faults": (("fault", "text"), text_rows("fault")),
}


def table(name, said):
    heads, rows = PARTS[name]
    lines = [heads, ["---"] * len(heads), *rows(said)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def renewed(document):
    """The document (text) with its generated parts written anew."""
    said = texts.parse(texts.SOURCE.read_text(encoding="utf-8"))
    for name in PARTS:
        pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.S)
        if not pattern.search(document):
            raise ValueError(f"the document has no part <!-- {name} -->")
        document = pattern.sub(lambda found, name=name: found[1] + table(name, said) + found[2], document)
    return document


def main():
    text = DOCUMENT.read_text(encoding="utf-8")
    new = renewed(text)
    if "--check" in sys.argv:
        return 0 if new == text else 1
    DOCUMENT.write_text(new, encoding="utf-8")
    print(f"{DOCUMENT.relative_to(ROOT)}: " + ("renewed" if new != text else "was up to date"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
