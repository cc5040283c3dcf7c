"""`pit emulate`: a table without hardware that is reached like one on USB; who runs it is the people who sit at it."""

import importlib
import json
import os
import select
import sys
from pathlib import Path

from boards import fc7
from pit import ROOT, image, people, ports, registry
from pit.errors import PitError
from pit.serve import Emulated, Server, Simulated

SETTINGS = {"board": "fc7", "profile": "us-in-blackjack", "options": {}, "limits": {"min": 500, "max": 50_000},
            "registry": []}


def serve(uf2="", simulated=False, service=False):
    """Until Ctrl-C. PitError without an image."""
    table, board, chips = _simulated() if simulated else _emulated(uf2, service)
    server = Server(table)
    print(f"{server.device} is the table's port; Ctrl-C ends it. In another window: "
          f"export {ports.VARIABLE}={server.device}, then pit console\n"
          "Here you lay chips and draw cards: type `place: {spot: 3, chips: [2500]}`, `draw: TH`, or `help`.",
          flush=True)
    sitting = people.People(board, chips, table.do)
    keyboard = Keyboard(sys.stdin)

    def between():
        for line in keyboard.lines():
            answer = sitting.told(line)
            if answer:
                print(answer, flush=True)
        try:
            sitting.turn(table.now_ms)
        except (PitError, ValueError) as error:
            print(error, flush=True)

    try:
        server.serve(between)
    except KeyboardInterrupt:
        pass
    finally:
        server.close()


class Keyboard:
    """Whole lines of `stream` as they are typed; never waits. In the background nothing is read."""

    def __init__(self, stream):
        self._fd = stream.fileno() if stream else None
        self._begun = b""

    def lines(self):
        if self._fd is None or not self._in_front() or not select.select([self._fd], [], [], 0)[0]:
            return []
        data = os.read(self._fd, 4096)
        if not data:
            self._fd = None  # closed: the table goes on
        *whole, self._begun = (self._begun + data).split(b"\n")
        return [line.decode("utf-8", "replace") for line in whole]

    def _in_front(self):
        return not os.isatty(self._fd) or os.tcgetpgrp(self._fd) == os.getpgrp()


def _simulated():
    from pit import keys

    return Simulated({**SETTINGS, "registry": people.REGISTRY, "keys": keys.login_keys("1", create=True)}), fc7, \
        people.REGISTRY


def _emulated(uf2, service):
    path = Path(uf2 or ROOT / "dist" / "firstcard-fc7.uf2")
    if not path.exists():
        raise PitError(f"{path} is not there: run `make build` first, or give another UF2 file")
    data = path.read_bytes()
    files = image.read_fs(image.fs_of(data))
    if "chips.bin" not in files:  # a board with mock sensors: its chips come over the console
        return Emulated(data, None, service), fc7, ()
    try:
        settings = json.loads(files["settings.json"])
        board = importlib.import_module(f"boards.{settings['board']}")
        chips = [(uid.hex(), cents) for uid, cents in registry.unpack(files["chips.bin"])]
        key = bytes.fromhex(settings["keys"]["registry"])
    except (KeyError, ValueError, TypeError, ImportError) as error:
        raise PitError(f"{path} is no image of this firmware ({error!r}): give what `pit build` wrote")
    if not chips:
        chips = people.REGISTRY
        files["chips.bin"] = registry.pack([(bytes.fromhex(uid), cents) for uid, cents in chips], key)
    return Emulated(data, image.make_fs(files), service, board), board, chips
