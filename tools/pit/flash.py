"""Puts the firmware on a board: a new one in BOOTSEL mode, where it shows up as a drive; one that has it, over serial.

The UF2 file replaces everything on the board. The way over serial keeps journal, settings and chips (pit.upgrade); it
needs MicroPython's prompt, so the table is closed and goes into service mode first.
"""

import hashlib
import json
import secrets
import shutil
import time
from pathlib import Path

from firstcard.rules import RuleError, load
from pit import build, inplace, keys, ports, registry
from pit.errors import NoTable, PitError, Refusal
from pit.operator import DEFAULT_TABLE, Operator

MARK = "INFO_UF2.TXT"  # on the drive of every UF2 bootloader; the RP2040's says RPI-RP2
PLACES = ("/media/*/*", "/run/media/*/*", "/Volumes/*", "/mnt/*")
REST = ("SAFE", "CLOSED")  # states in which the table may be taken away
UNKNOWN_COMMAND = 10
PROMPT = "MicroPython's prompt"  # in the error of an Operator who has met it
BOOT_S = 15  # until a board that was reset answers again


def find_drives(places=PLACES):
    """Mount points of boards in BOOTSEL mode."""
    found = []
    for place in places:
        for path in Path("/").glob(place.lstrip("/")):
            try:
                if "RPI-RP2" in (path / MARK).read_text(encoding="ascii", errors="replace"):
                    found.append(path)
            except OSError:
                continue  # not that kind of drive, or not ours to read
    return found


def flash(image, places=PLACES):
    """Copy `image` to the one board that waits; returns what to tell the user. Raises PitError."""
    image = Path(image)
    if not image.exists():
        raise PitError(f"{image} is not built yet: run `make build`")
    check_release(image)
    drives = find_drives(places)
    if len(drives) != 1:
        state = f"{len(drives)} boards wait" if drives else "no board waits"
        raise PitError(f"{state} in BOOTSEL mode: hold BOOTSEL while you plug in one board, wait for the drive "
                       f"RPI-RP2, and try again (or copy {image} there yourself)")
    shutil.copyfile(image, drives[0] / image.name)
    return (f"{image.name} copied to {drives[0]}: the board restarts by itself. "
            "This replaced all files on it: settings, chips and journal are those of the image.")


def check_release(image):
    """PitError if the image is not the one that its list of hashes (beside it) names: before anything is erased (I-12).
    """
    try:
        wanted = json.loads(image.with_suffix(".json").read_text())["sha256"]
    except OSError:
        raise PitError(f"{image.with_suffix('.json')} is missing, so nobody can tell whether {image.name} is whole: "
                       "run `make build`")
    except (ValueError, KeyError, TypeError):
        wanted = None
    if hashlib.sha256(image.read_bytes()).hexdigest() != wanted:
        raise PitError(f"{image.name} is not what was built (another SHA-256): run `make build` again")


def wait_for_table(known, name="", seconds=BOOT_S, clock=time.monotonic, pause=time.sleep):
    """What the table says of itself (dict) that appears on USB beside the `known` devices, or at port `name`."""
    end = clock() + seconds
    last = NoTable("the board did not come back on USB: unplug it and plug it in again, then `pit doctor`")
    while clock() < end:
        devices = [name] if name else [one.device for one in ports.boards() if one.device not in known]
        for device in devices:
            try:
                with Operator.at(device) as table:
                    return table.identity()
            except NoTable as error:
                last = error
        pause(0.5)
    raise last


def upgrade(port, board="fc7", table="", profile="", chips="", pins=None, tell=print):
    """Bring this source tree's firmware onto the board at `port`. Raises PitError, NoTable, Refusal.

    `table`: write that table's keys; `profile`: another rule profile; `chips`: a packed registry; `pins`: records by
    role (pit.keys.pin_record). Without them the board keeps its own.
    """
    from pit.prompt import Prompt
    from pit.upgrade import Upgrade, check_mpy

    build.board_file(board)
    extra = _registry(chips) if chips else {}
    into_service(port, table, tell)
    contents = build.files(board, nonce=secrets.token_bytes(len(inplace.NONCE)))
    with Prompt(port) as prompt:
        machine, version, word = prompt.about()
        tell(f"{machine}, MicroPython {version}")
        if "RP2040" not in machine:
            raise PitError(f"this is a {machine}: the firmware is for boards with RP2040")
        check_mpy(contents, word)
        work = Upgrade(prompt, contents, tell)
        settings = new_settings(settings_of(prompt), board, table, profile, pins, tell)
        if settings:
            extra["settings.json"] = json.dumps(settings, separators=(",", ":")).encode()
        for path, data in extra.items():
            work.put(path, data)
        work.run()
        tell("the board restarts")
        prompt.reset()


def load_chips(port, chips, table="", tell=print):
    """Bring the registry of `chips` (a chiplist.ChipList) onto the board at `port`. Raises PitError, NoTable, Refusal.

    `table`: the name of the table, where its settings do not tell it.
    """
    from pit.prompt import Prompt
    from pit.upgrade import replace

    into_service(port, table, tell)
    with Prompt(port) as prompt:
        settings = settings_of(prompt)
        if settings is None:
            raise PitError("the settings of this board cannot be read: `pit flash --port ... --table NAME` writes them")
        own = keys.login_keys(table or settings.get("table", DEFAULT_TABLE))
        files = {"/chips.bin": chips.signed(own["registry"])}
        if settings["keys"].get("registry") != own["registry"]:
            settings["keys"]["registry"] = own["registry"]
            files["/settings.json"] = json.dumps(settings, separators=(",", ":")).encode()
        sizes = prompt.sizes()
        for path, data in files.items():
            done = "replaced" if replace(prompt, sizes, path, data) else "there already"
            tell(f"{path} {len(data):,} bytes, {done}")
        prompt.reset()
    tell(f"{len(chips.chips):,} chips; the board restarts")


def settings_of(prompt):
    """The board's settings, or None."""
    if "/settings.json" not in prompt.sizes():
        return None
    try:
        return json.loads(prompt.read("/settings.json"))
    except ValueError:
        return None  # damaged: written anew


def new_settings(old, board, table="", profile="", pins=None, tell=print):
    """Settings to be written, or None when the board's own stay as they are. PitError."""
    if old and old.get("board", board) != board:
        raise PitError(f"this board is a {old['board']}, not a {board}: give --board {old['board']}, or put the UF2 "
                       "file of the other on it")
    if old and not table and not profile and not pins:
        return None
    new = {**build.DEFAULT_SETTINGS, **(old or {}), "board": board}
    if table or not old:
        name = table or DEFAULT_TABLE
        new["table"], new["keys"] = name, keys.login_keys(name, create=True)
        tell(f"login keys of table {name}")
    if pins:
        new["pins"] = {**new.get("pins", {}), **pins}
        tell(f"PINs of {', '.join(pins)}")
    if profile:
        try:
            load(profile)
        except RuleError as error:
            raise PitError(f"profile {profile}: {error}")
        new["profile"], new["options"] = profile, {}
        tell(f"profile {profile}")
    return new


def _registry(path):
    try:
        data = Path(path).read_bytes()
        count = len(registry.unpack(data))
    except OSError as error:
        raise PitError(f"{path} cannot be read ({error.strerror})")
    except ValueError as error:
        raise PitError(f"{path} is no packed chip registry ({error})")
    return {"chips.bin": data} if count else {}


def into_service(port, table, tell):
    """See to it that the board shows MicroPython's prompt. Refusal while a round is running."""
    with Operator.at(port) as there:
        try:
            status = there.ask("status").text
        except NoTable as error:
            if PROMPT in str(error):
                return
            raise
        state = dict(word.split("=", 1) for word in status.split() if "=" in word).get("state")
        if state not in REST:
            raise Refusal(f"the table is {state}, a round may be running: close it, and flash when the round is over")
        there.login_here("technician", table)
        try:
            there.command("service")
        except Refusal as error:
            there.command("logout")
            if error.number == UNKNOWN_COMMAND:
                raise Refusal("this table's firmware has no command `service`: close the SERVICE strap, reset the "
                              "board and run the same command again", error.number)
            raise
    tell("the table goes into service mode")
    _wait_for_prompt(port)


def _wait_for_prompt(port):
    end = time.monotonic() + BOOT_S
    while True:
        try:
            with Operator.at(port) as there:
                there.ask("id")
        except NoTable as error:
            if PROMPT in str(error):
                return
        except Refusal:
            pass  # the table is still there and says that it is about to restart
        if time.monotonic() > end:
            raise NoTable("the board did not go into service mode: close the SERVICE strap, reset it and run the same "
                          "command again")
        time.sleep(0.5)
