"""`pit doctor`: what is wrong with this set-up, and what to do. Looks only: changes and fetches nothing."""

import hashlib
import os
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

from pit import ROOT, __version__, firmware, flash, keys, ports
from pit.errors import PitError

OK, NOTE, WRONG = "ok", "note", "WRONG"
USB = Path("/sys/bus/usb/devices")
FASTEST = "compiled loop, rebuilt core"
BOOTSEL_PID = "0003"


class Finding(NamedTuple):
    """One thing looked at. `state`: ok, note (nothing is wrong, but you may want to know) or WRONG."""

    what: str
    state: str
    text: str


def look(port=""):
    """Everything, in the order in which one thing needs the other: list of Finding."""
    found = [python(), environment(), packages(), micropython(), emulator(), image(), site_key()]
    name = port or os.environ.get(ports.VARIABLE, "")
    return found + (board(name) if name else usb())


def python(running=sys.version_info):
    text = ".".join(str(part) for part in running[:3])
    if running[:2] < (3, 11):
        return Finding("Python", WRONG, f"{text} is too old: install 3.11 or newer, `make setup PYTHON=python3.11`")
    return Finding("Python", OK, text)


def environment(prefix=sys.prefix, root=ROOT):
    """Is this the project's own .venv, and does it fit pyproject.toml?"""
    if Path(prefix).resolve() != (root / ".venv").resolve():
        return Finding("environment", NOTE, f"pit runs in {prefix}, not in the .venv of the project")
    stamp = root / ".venv" / ".firstcard-setup"
    if not stamp.exists() or stamp.stat().st_mtime < (root / "pyproject.toml").stat().st_mtime:
        return Finding("environment", WRONG, ".venv is older than pyproject.toml: run `make setup`")
    return Finding("environment", OK, prefix)


def packages(root=ROOT, installed=version):
    """Are the pinned packages there in their versions?"""
    with open(root / "pyproject.toml", "rb") as file:
        pinned = [line.split("==") for line in tomllib.load(file)["project"]["dependencies"]]
    wrong = []
    for name, wanted in pinned:
        try:
            here = installed(name)
        except PackageNotFoundError:
            here = "missing"
        if here != wanted:
            wrong.append(f"{name} {here} (not {wanted})")
    if wrong:
        return Finding("packages", WRONG, f"{', '.join(wrong)}: run `make setup`")
    return Finding("packages", OK, f"{len(pinned)} as pinned")


def micropython(cache=ROOT / ".cache"):
    """Is the image there that goes on a board?"""
    given = os.environ.get(firmware.OVERRIDE)
    try:
        if given:
            return Finding("MicroPython", NOTE, f"{firmware.image_path()}, given by {firmware.OVERRIDE}")
        path = cache / Path(firmware.MEMBER).name
        if not path.exists():
            return Finding("MicroPython", WRONG, "the image for RP2040 is not fetched yet: run `make setup`")
        return Finding("MicroPython", OK, str(firmware.image_path(cache)))
    except PitError as error:
        return Finding("MicroPython", WRONG, str(error))


def emulator():
    """Is the emulated board as fast as it can be?"""
    from pit.emu import board, native  # noqa: F401  the board, because it loads the core that is described

    text = native.describe()
    if text == FASTEST:
        return Finding("emulator", OK, text)
    return Finding("emulator", NOTE, f"{text}: it works, but slowly; with a C compiler `make setup` builds the rest")


def image(path=ROOT / "dist" / "firstcard-fc7.uf2"):
    if not path.exists():
        return Finding("image", NOTE, f"{path.name} is not built yet: `make build`")
    if path.stat().st_mode & 0o077:
        return Finding("image", WRONG, f"others on this PC can read {path}, which holds the table's login keys: run "
                                       f"`chmod 600 {path}`")
    return Finding("image", OK, f"{path.name}, SHA-256 {hashlib.sha256(path.read_bytes()).hexdigest()[:16]}")


def site_key():
    path = keys.site_key_path()
    if not path.exists():
        own = sorted(path.parent.glob("table-*-*.key"))
        if own:
            return Finding("keys", OK, ", ".join(one.stem for one in own))
        return Finding("keys", NOTE, f"no site key at {path}: `make build` makes one (or see {keys.VARIABLE})")
    try:
        keys.site_key()
    except PitError as error:
        return Finding("keys", WRONG, str(error))
    if path.stat().st_mode & 0o077:
        return Finding("keys", WRONG, f"others on this PC can read {path}: run `chmod 600 {path}`")
    return Finding("keys", OK, f"site key {path}")


def usb(root=USB):
    """What is plugged in: boards that run MicroPython, and boards that wait in BOOTSEL mode."""
    found = []
    for one in ports.boards():
        found += board(one.device)
    waiting = [path for path in root.glob("*/idVendor") if _text(path) == f"{ports.VID:04x}"
               and _text(path.with_name("idProduct")) == BOOTSEL_PID]
    drives = flash.find_drives()
    if drives:
        found.append(Finding("BOOTSEL", NOTE, f"a board waits at {drives[0]}: `pit flash` puts the firmware on it"))
    elif waiting:
        found.append(Finding("BOOTSEL", WRONG, "a board waits in BOOTSEL mode and its drive is not mounted: open it in "
                                               "the file manager, then `pit flash`"))
    if not found:
        found.append(Finding("board", NOTE, "none on USB: plug one in with a cable that carries data, or give --port"))
    return found


def _text(path):
    try:
        return path.read_text().strip()
    except OSError:
        return ""


def board(name):
    """Can the port be used, does a table answer there, and is it the one that this pit belongs to?"""
    from pit.operator import Operator

    if "://" not in name and os.path.exists(name) and not os.access(name, os.R_OK | os.W_OK):
        return [Finding(name, WRONG, f"you may not use it: `sudo usermod -aG {_group(name)} $USER`, then log in anew")]
    try:
        with Operator.at(name) as table:
            known = table.identity()
    except PitError as error:
        if flash.PROMPT in str(error):
            return [Finding(name, NOTE, "MicroPython's prompt: service mode, or no firmware"), in_service(name)]
        return [Finding(name, WRONG, str(error))]
    found = [Finding(name, OK, " ".join([known.pop("product")] + [f"{key}={known[key]}" for key in known]))]
    found += itself(known)
    text = found[0].text.split()[1]
    if text != __version__:
        found.append(Finding("firmware", WRONG, f"the table runs {text}, pit is {__version__}: `pit flash` upgrades "
                                                "it and keeps journal and settings"))
    else:
        found.append(Finding("firmware", OK, f"{text}, the same as pit"))
    return found


def itself(known):
    """What the table has found when it looked at its own files and chips; nothing where its firmware does not."""
    files, chips = known.get("files"), known.get("chips")
    if files == "unknown":
        yield Finding("files", NOTE, "the board has no list of hashes: its files were not put there by pit")
    elif files not in (None, "ok", "checking"):
        yield Finding("files", WRONG, f"{files} on the board is not the file that was built: `pit flash --port` puts "
                                      "it right and keeps journal and settings")
    if chips == "false":
        yield Finding("chips", WRONG, "the chip registry is not signed for this table: `pit chips load`")


def in_service(name):
    """Every file of the program on the board against this source tree, by hash."""
    from pit import build
    from pit.prompt import Prompt
    from pit.upgrade import Upgrade

    try:
        with Prompt(name) as prompt:
            own = flash.settings_of(prompt) or {}
            board_name = own.get("board", build.DEFAULT_SETTINGS["board"])
            missing = Upgrade(prompt, build.files(board_name), print).missing()
    except PitError as error:
        return Finding("firmware", WRONG, str(error))
    if missing is None:
        return Finding("firmware", NOTE, "none on the board: `pit flash --port` installs it")
    if missing:
        return Finding("firmware", WRONG, f"{len(missing)} files are not those of this version (first {missing[0]}): "
                                          "`pit flash --port` puts that right and keeps journal and settings")
    return Finding("firmware", OK, f"every file is that of this version, {__version__}, by its hash")


def _group(path):
    import grp

    try:
        return grp.getgrgid(os.stat(path).st_gid).gr_name
    except (KeyError, OSError):
        return "dialout"
