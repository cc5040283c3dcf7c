"""Which line enforces a clause, and which tests and scenarios prove it: read from the marks in the sources.

A mark is a clause id in a comment, a string or the docstring of a function; `ND-40 ... ND-48` and `IN-BJ-09/-10, -12`
name several. A module's docstring is no mark: it says where a module belongs, not what a line does. A mark of a table
of cases proves through the test functions that use the table. Marks are claims of people: what they are worth is shown
by breaking the code (`make mutants`).
"""

import ast
import re
import tokenize
from collections import namedtuple
from pathlib import Path

from pit.rules.clauses import ADVISED, CLAUSES

REPOSITORY = Path(__file__).resolve().parents[3]
FIRMWARE = REPOSITORY / "firmware" / "firstcard"
TESTS = REPOSITORY / "host_tests"
SCENARIOS = TESTS / "scenarios"
SENTENCES = Path(__file__).with_name("readings.py")  # what `pit rules explain` always says
UNREAD = ("test_trace.py",)  # it names clauses to test this module

FIRST = re.compile(r"\b(ND|IN-BJ|GCB|IN-TCP)-(\d\d)\b")
NEXT = re.compile(r"\s*(,|/|\.\.\.|and\b)\s*(?:#\s*)?(?:(ND|IN-BJ|GCB|IN-TCP)(?=-\d\d))?-?(\d\d)\b(?!\d)")

Row = namedtuple("Row", "clause text advised places proofs")
"""places: `file:line` each; proofs: `file:line test` or `file:line` of a scenario each."""


def named(text):
    """Clause ids in a text, in order, lists and ranges written out; ids that no text has are kept as they are."""
    out = []
    at = 0
    while True:
        first = FIRST.search(text, at)
        if not first:
            return out
        prefix, number = first.group(1), int(first.group(2))
        out.append(f"{prefix}-{number:02}")
        at = first.end()
        while True:
            more = NEXT.match(text, at)
            if not more or (more.group(2) or prefix) != prefix or (more.group(1) in (",", "and")
                                                                   and "-" not in more.group(0)):
                break
            if more.group(1) == "...":
                between = (f"{prefix}-{n:02}" for n in range(number + 1, int(more.group(3))))
                out += [clause for clause in between if clause in CLAUSES]
            number = int(more.group(3))
            out.append(f"{prefix}-{number:02}")
            at = more.end()


def marks(path):
    """(line, clause) of every mark of a Python file, in the order of the lines."""
    source = path.read_text(encoding="utf-8")
    tree = ast.parse(source)
    skipped = range(0)
    if tree.body and isinstance(tree.body[0], ast.Expr) and isinstance(tree.body[0].value, ast.Constant):
        skipped = range(tree.body[0].lineno, tree.body[0].end_lineno + 1)
    out, comments = [], []
    with tokenize.open(path) as file:
        for token in tokenize.generate_tokens(file.readline):
            if token.start[0] in skipped:
                continue
            if token.type == tokenize.STRING:
                out += _by_line(token.start[0], token.string)
            elif token.type == tokenize.COMMENT:
                comments.append((token.start[0], token.string))
    for line, text in comments:
        out += [(line, clause) for clause in named(text)]
    return sorted(set(out))


def _by_line(line, text):
    """Marks of a string over several lines; a list that goes on in the next line is one list."""
    out, seen = [], 0
    rows = text.split("\n")
    for i in range(len(rows)):
        so_far = named("\n".join(rows[:i + 1]))
        out += [(line + i, clause) for clause in so_far[seen:]]
        seen = len(so_far)
    return out


def tests(path):
    """(line, clause, test function) of every mark of a test file that a test function stands behind."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = {node.name: node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    tables = {}  # line: names of the module's variable or helper that it belongs to
    for node in tree.body:
        if isinstance(node, (ast.Assign, ast.FunctionDef, ast.ClassDef)) and not _name(node).startswith("test"):
            for line in range(node.lineno, node.end_lineno + 1):
                tables[line] = _name(node)
    used = {name: _used(node) for name, node in functions.items() if name.startswith("test")}
    helpers = {_name(node): _used(node) for node in tree.body if isinstance(node, (ast.Assign, ast.FunctionDef))}
    for names in used.values():
        grown = True
        while grown:
            more = set().union(*[helpers.get(name, set()) for name in names]) - names
            grown = bool(more)
            names |= more
    spans = [(min([node.lineno] + [d.lineno for d in node.decorator_list]), node.end_lineno, name)
             for name, node in functions.items() if name in used]
    out = []
    for line, clause in marks(path):
        behind = [name for first, last, name in spans if first <= line <= last]
        if not behind and line in tables:
            behind = [name for name, names in used.items() if tables[line] in names]
        out += [(line, clause, name) for name in behind]
    return out


def _name(node):
    if isinstance(node, ast.Assign):
        return node.targets[0].id if isinstance(node.targets[0], ast.Name) else ""
    return node.name


def _used(node):
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}


def _shown(path, line):
    return f"{path.relative_to(REPOSITORY).as_posix()}:{line}"


def trace():
    """A Row for every clause, in the order of `CLAUSES`. Marks of ids that no text has raise ValueError."""
    places = {clause: [] for clause in CLAUSES}
    proofs = {clause: [] for clause in CLAUSES}
    found = []
    for path in sorted(FIRMWARE.rglob("*.py")):
        found += [(places, _shown(path, line), clause) for line, clause in marks(path)]
    found += [(places, _shown(SENTENCES, line), clause) for line, clause in marks(SENTENCES) if clause in ADVISED]
    for path in sorted(TESTS.rglob("test_*.py")):
        if path.name not in UNREAD:
            found += [(proofs, f"{_shown(path, line)} {name}", clause) for line, clause, name in tests(path)]
    for path in sorted(SCENARIOS.glob("*.yaml")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            found += [(proofs, _shown(path, number), clause) for clause in named(line)]
    for where, shown, clause in found:
        if clause not in CLAUSES:
            raise ValueError(f"{shown}: there is no clause {clause}")
        if shown not in where[clause]:
            where[clause].append(shown)
    return [Row(clause, text, clause in ADVISED, places[clause], proofs[clause]) for clause, text in CLAUSES.items()]


def lacking(rows):
    """What is missing, one sentence for each clause without a place or without a proof."""
    out = []
    for row in rows:
        if not row.places:
            out.append(f"{row.clause} ({row.text}): no line {'advises' if row.advised else 'enforces'} it")
        if not row.proofs:
            out.append(f"{row.clause} ({row.text}): no test or scenario proves it")
    return out
