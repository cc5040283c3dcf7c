"""The registry of faults: what each code means for the table and how it ends; `python -m pit.faults` writes FAULTS.md.

The texts are those of the firmware (texts/en.txt). A test (host_tests/app/test_faults.py) raises every code in the
engine and sees that it does what is said here, and that the firmware raises no other.
"""

import sys
from typing import NamedTuple

from pit import ROOT, texts

PAGE = ROOT / "firmware" / "FAULTS.md"
CLOSES, KEEPS, HOLDS = "closed at once", "stay open", "the table is not open then"
SIGN = "stay open; where the rules demand a sign closed at once, a round is played out first"
# how a fault ends
ITSELF = "by itself, when it is over"
OPENING = "by the tests of the next opening"
TECHNICIAN = "a technician types `journal reset`"
REPAIR = "repair, then reset the board"
ANSWERS = "by itself, when the reader answers; until then its zone is out"
COOLS = "by itself, when the reader has read again; until then its zone is out"
PROVEN = "by itself, when the picture is proven; where the rules demand a sign nothing opens before"
RESTARTS = "the table restarts by itself"


class Fault(NamedTuple):
    """`part`: of the table; `severity`: `stop` (nothing opens before it is repaired), `fault` or `note`; `bets`: what
    becomes of bets that are open; `ends`: how it is cleared."""

    part: str
    severity: str
    bets: str
    ends: str


REGISTRY = {
    "latch": Fault("lock", "fault", CLOSES, OPENING),
    "lock-lost": Fault("lock", "fault", HOLDS, OPENING),
    "reader": Fault("reader", "fault", KEEPS, ANSWERS),
    "reader-hot": Fault("reader", "fault", KEEPS, COOLS),
    "lid": Fault("lid", "fault", CLOSES, ITSELF),
    "jam": Fault("shoe", "fault", CLOSES, ITSELF),
    "empty": Fault("shoe", "fault", CLOSES, ITSELF),
    "shoe-lost": Fault("shoe", "fault", CLOSES, ITSELF),
    "beam": Fault("shoe", "fault", CLOSES, ITSELF),
    "cut-card": Fault("shoe", "note", KEEPS, "when the shoe says that it was shuffled"),
    "shoe-suspect": Fault("shoe", "fault", CLOSES, OPENING),
    "shoe-restart": Fault("shoe", "fault", CLOSES, OPENING),
    "shoe-line": Fault("shoe", "fault", CLOSES, OPENING),
    "shoe-flood": Fault("shoe", "fault", CLOSES, OPENING),
    "shoe-overrun": Fault("shoe", "fault", CLOSES, OPENING),
    "draws-full": Fault("shoe", "fault", CLOSES, OPENING),
    "edge-missing": Fault("shoe", "fault", CLOSES, OPENING),
    "beam-short": Fault("shoe", "note", KEEPS, OPENING),
    "plaque": Fault("plaque", "note", SIGN, PROVEN),
    "registry": Fault("store", "stop", CLOSES, REPAIR),
    "profile": Fault("store", "stop", CLOSES, REPAIR),
    "program": Fault("store", "stop", CLOSES, REPAIR),
    "settings": Fault("store", "stop", CLOSES, REPAIR),
    "profile-changed": Fault("store", "stop", CLOSES, REPAIR),
    "store": Fault("store", "stop", CLOSES, TECHNICIAN),
    "memory": Fault("store", "stop", CLOSES, TECHNICIAN),
    "journal-lost": Fault("store", "stop", CLOSES, TECHNICIAN),
    "fram": Fault("store", "stop", CLOSES, REPAIR),
    "log": Fault("store", "stop", CLOSES, "`void` ends the round; reset the board"),
    "clock": Fault("clock", "stop", CLOSES, REPAIR),
    "heap": Fault("heap", "stop", CLOSES, RESTARTS),
    "task": Fault("task", "stop", CLOSES, RESTARTS),
    "restarted": Fault("task", "note", HOLDS, OPENING),
    "console-flood": Fault("console", "note", KEEPS, ITSELF),
    "display": Fault("panel", "note", KEEPS, ITSELF),
    "keypad": Fault("panel", "note", KEEPS, ITSELF),
    "key-switch": Fault("panel", "note", KEEPS, "when it is turned back"),
}


def page():
    """The text of FAULTS.md."""
    said = texts.parse(texts.SOURCE.read_text(encoding="utf-8"))
    out = ["# Faults: what they are called, what they do, how they end", "",
           "Written by `make documents` from `tools/pit/faults.py` and the firmware's own texts. Every fault is an",
           "event, a line of `status` and a fact in the journal, and so is its end. LOCK is high whenever bets are not",
           "open. A round that has begun is played to its end, and nothing opens after it while a fault stands, other",
           "than a note.", "",
           "| code | part | severity | bets that are open | ends | what the table says |", "|---|---|---|---|---|---|"]
    for code, fault in sorted(REGISTRY.items(), key=lambda row: (row[1].part, row[0])):
        out.append(f"| `{code}` | {' | '.join(fault)} | {said['fault.' + code]} |")
    return "\n".join(out) + "\n"


def main():
    PAGE.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
