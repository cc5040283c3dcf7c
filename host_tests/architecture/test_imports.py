"""Who may know whom: parses every module of firmware/, boards/ and tools/ and reports what breaks the rules.

The directions are those of firmware/README.md: main -> app -> drivers | proto | store | rules -> core; tools know the
pure packages and the engine, never the drivers. Each rule has a bad snippet below that it must report.
"""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

PURE = {"array", "binascii", "hashlib", "struct"}  # the same on every Python, no hardware
HARDWARE = {"machine", "rp2", "micropython", "uctypes", "neopixel", "_thread"}
MACHINE_CODE = {"micropython", "micropython.const"}  # for what is done byte by byte; on a PC it is tools/micropython.py
NEVER = {"neopixel": "masks interrupts for the whole strip", "_thread": "freezes with flash writes beside it (I-45)"}
# parts of app that know no hardware
SEAM = {"firstcard.app." + name for name in ("engine", "antennas", "opening", "showing", "intake", "link", "console",
                                             "answers", "keys", "session", "keeper", "restart", "readout", "upkeep",
                                             "dealer")}
DYNAMIC = {"firmware/firstcard/rules/__init__.py", "firmware/firstcard/app/build.py", "firmware/main.py"}

# package: what of firstcard it may import; what else, None = anything that is not hardware
ALLOWED = {
    "core": ({"core"}, set()),
    "proto": ({"core", "proto"}, PURE | {"micropython"}),
    "store": ({"core", "store"}, PURE),
    "rules": ({"core", "rules"}, PURE),
    "drivers": ({"core", "drivers"}, None),
    "app": ({"core", "proto", "store", "rules", "app", "drivers"}, None),
    "tools": ({"core", "proto", "store", "rules"}, None),
}


def package_of(path):
    """Package that the rules speak of, for a path relative to the repository."""
    parts = path.split("/")
    if parts[0] == "firmware":
        return parts[2] if parts[1] == "firstcard" and len(parts) > 3 else "main"
    return parts[0]


def imports(tree):
    """(line, module) of every import; `from a import b` gives a.b as well, b may be a module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            yield node.lineno, base
            for alias in node.names:
                yield node.lineno, f"{base}.{alias.name}"


def layer(module):
    """core, proto, ... of a firstcard module; "" for the package itself, None for anything else."""
    parts = module.split(".")
    if parts[0] != "firstcard":
        return None
    return parts[1] if len(parts) > 1 else ""


def check_directions(path, tree):
    package = package_of(path)
    seam = path.removeprefix("firmware/").removesuffix(".py").replace("/", ".") in SEAM
    relative = [node.lineno for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.level]
    if package not in ("main", "tools"):
        yield from ((line, "relative import: write it from firstcard") for line in relative)
    for line, module in imports(tree):
        top = module.split(".")[0]
        inside = layer(module)
        if top in NEVER:
            yield line, f"{top} is not used on this board: it {NEVER[top]}"
        if package == "boards":
            yield line, "a board is data and imports nothing"
        elif package == "main":
            if top in HARDWARE - {"micropython"} or inside not in (None, "", "app"):
                yield line, f"main.py imports {module}: it knows app only"
        elif inside:
            known = ALLOWED[package][0] - ({"drivers"} if seam else set())
            if inside not in known and not (package == "tools" and ".".join(module.split(".")[:3]) in SEAM
                                            or package == "tools" and module == "firstcard.app"):
                yield line, f"{package} imports {module}"
            elif seam and inside == "app" and module != "firstcard.app" and ".".join(module.split(".")[:3]) not in SEAM:
                yield line, f"the engine imports {module}, which may know hardware"
        elif inside is None:
            others = PURE if seam else ALLOWED[package][1]
            if module in MACHINE_CODE and package == "proto":
                continue
            if top in HARDWARE and package != "drivers":
                yield line, f"{package} imports {top}: only drivers do"
            elif others is not None and top not in others:
                yield line, f"{package} imports {top}"
            elif top == "boards" and package == "drivers":
                yield line, "a driver gets its pins from app, not from boards"


def check_style(path, tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and any(alias.name == "*" for alias in node.names):
            yield node.lineno, "star import"
        if isinstance(node, ast.ExceptHandler) and node.type is None:
            yield node.lineno, "bare except"
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("__import__", "exec", "eval"):
            if path.startswith("firmware/") and path not in DYNAMIC:
                yield node.lineno, f"{node.func.id}: imports must be readable"


TICKS = ("ticks_us", "ticks_ms", "ticks_cpu", "ticks_add", "ticks_us32")


def _is_call(node, names):
    if not isinstance(node, ast.Call):
        return False
    return getattr(node.func, "id", "") in names or getattr(node.func, "attr", "") in names


def check_ticks(path, tree):
    """Ticks wrap: they are compared and subtracted by ticks_diff or ticks.diff only (section H of public reports).

    Ticks are calls of ticks_us() and the like, and names that are assigned from one in the same function.
    """
    if package_of(path) not in ("drivers", "app"):
        return
    scopes = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    for scope in scopes:
        held = {
            target.id
            for node in ast.walk(scope)
            if isinstance(node, ast.Assign) and _is_call(node.value, TICKS)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        for node in ast.walk(scope):
            order = isinstance(node, ast.Compare) and any(
                isinstance(op, (ast.Lt, ast.LtE, ast.Gt, ast.GtE)) for op in node.ops
            )
            sides = [node.left, *node.comparators] if order else []
            if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Sub, ast.Add)):
                sides = [node.left, node.right]
            if any(_is_call(side, TICKS) or getattr(side, "id", None) in held for side in sides):
                yield node.lineno, "ticks compared or calculated without ticks_diff / ticks_add"


CHECKS = (check_directions, check_style, check_ticks)


def problems(path, source):
    """["path:line: what is wrong"] of one module."""
    tree = ast.parse(source)
    return sorted({f"{path}:{line}: {why}" for check in CHECKS for line, why in check(path, tree)})


def sources():
    for folder in ("firmware", "boards", "tools"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", list(sources()))
def test_module(path):
    assert problems(path, (ROOT / path).read_text()) == []


def test_there_is_no_boot_py():
    """boot.py runs before USB is up: a fault in it leaves no console (hazards of the rp2 port)."""
    assert [path for folder in ("firmware", "boards", "tools") for path in (ROOT / folder).rglob("boot.py")] == []


@pytest.mark.parametrize(("path", "source", "why"), [
    ("firmware/firstcard/core/x.py", "import time", "core imports time"),
    ("firmware/firstcard/core/x.py", "from firstcard.proto import crc", "core imports firstcard.proto"),
    ("firmware/firstcard/core/x.py", "def f():\n    import os", "core imports os"),
    ("firmware/firstcard/core/x.py", "from micropython import const", "only drivers do"),
    ("firmware/firstcard/core/x.py", "from . import cards", "relative import"),
    ("firmware/firstcard/proto/x.py", "from firstcard.store.texts import Texts", "proto imports firstcard.store"),
    ("firmware/firstcard/proto/x.py", "import machine", "only drivers do"),
    ("firmware/firstcard/proto/x.py", "from micropython import schedule", "only drivers do"),
    ("firmware/firstcard/proto/x.py", "import time", "proto imports time"),
    ("firmware/firstcard/store/x.py", "from firstcard import rules", "store imports firstcard.rules"),
    ("firmware/firstcard/store/x.py", "import os", "store imports os"),
    ("firmware/firstcard/rules/x.py", "from firstcard import app", "rules imports firstcard.app"),
    ("firmware/firstcard/app/engine.py", "from firstcard.drivers import latch", "app imports firstcard.drivers"),
    ("firmware/firstcard/app/engine.py", "from firstcard.app import tasks", "the engine imports firstcard.app.tasks"),
    ("firmware/firstcard/app/engine.py", "import time", "app imports time"),
    ("firmware/firstcard/app/console.py", "import rp2", "only drivers do"),
    ("firmware/firstcard/app/tasks.py", "from machine import Pin", "only drivers do"),
    ("firmware/firstcard/drivers/x.py", "from firstcard.app import engine", "drivers imports firstcard.app"),
    ("firmware/firstcard/drivers/x.py", "from firstcard.proto import crc", "drivers imports firstcard.proto"),
    ("firmware/firstcard/drivers/x.py", "from boards import fc7", "from app, not from boards"),
    ("firmware/firstcard/drivers/x.py", "import neopixel", "masks interrupts"),
    ("firmware/firstcard/drivers/x.py", "import _thread", "_thread is not used"),
    ("firmware/main.py", "import machine", "it knows app only"),
    ("firmware/main.py", "from firstcard.core import money", "it knows app only"),
    ("boards/x.py", "import firstcard", "imports nothing"),
    ("tools/pit/x.py", "from firstcard.drivers import pn5180", "tools imports firstcard.drivers"),
    ("tools/pit/x.py", "import firstcard.drivers.pn5180", "tools imports firstcard.drivers"),
    ("tools/pit/x.py", "from firstcard.app import tasks", "tools imports firstcard.app.tasks"),
    ("tools/pit/x.py", "import machine", "only drivers do"),
    ("firmware/firstcard/core/x.py", "from firstcard.core.cards import *", "star import"),
    ("tools/pit/x.py", "try:\n    pass\nexcept:\n    pass", "bare except"),
    ("firmware/firstcard/app/tasks.py", "__import__('machine')", "imports must be readable"),
    ("firmware/firstcard/drivers/x.py", "def f():\n    t = time.ticks_us()\n    return t < 5", "ticks compared"),
    ("firmware/firstcard/drivers/x.py", "def f(end):\n    while ticks_ms() <= end: pass", "ticks compared"),
    ("firmware/firstcard/drivers/x.py", "def f():\n    t = ticks_us()\n    return ticks_us() - t", "ticks compared"),
    ("firmware/firstcard/app/tasks.py", "def f():\n    return time.ticks_ms() + 50", "ticks compared"),
])
def test_a_bad_snippet_is_reported(path, source, why):
    assert any(why in problem for problem in problems(path, source)), problems(path, source)


@pytest.mark.parametrize(("path", "source"), [
    ("firmware/firstcard/core/x.py", "from firstcard.core import cards"),
    ("firmware/firstcard/proto/x.py", "import hashlib\nfrom firstcard.core.money import show"),
    ("firmware/firstcard/app/engine.py", "from firstcard.app.console import Console\nfrom firstcard.proto import crc"),
    ("firmware/firstcard/app/build.py", "from firstcard.drivers import latch\nimport gc"),
    ("firmware/firstcard/drivers/x.py", "import machine, rp2, time\nfrom micropython import const"),
    ("firmware/main.py", "import micropython\nfrom firstcard.app import build"),
    ("tools/pit/x.py", "import os\nfrom firstcard.app.engine import Engine\nfrom firstcard.core import digits"),
    ("firmware/firstcard/drivers/x.py", "def f():\n    t = ticks_us()\n    return ticks_diff(ticks_us(), t) < 5"),
])
def test_a_good_snippet_is_not(path, source):
    assert problems(path, source) == []
