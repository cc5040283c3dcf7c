"""What lies on a board with mock sensors (pico_bench): the engine as it is on every board, and pit.sim around it."""

from pit import ROOT, build, texts

SIM = ROOT / "tools" / "pit" / "sim"
OFF_BOARD = ("files.py", "rpc.py")
NEVER = ("firstcard/drivers/", "firstcard/app/build", "firstcard/app/modes", "firstcard/app/ports",
         "firstcard/app/tasks")

FORGETS = b"Keeper = None  # a bench board has neither FRAM nor room for a keeper\n"

MAIN = '''"""A bench board: plays what comes over the console. With the SERVICE strap closed the prompt stays."""

import json
import os
import machine
from machine import Pin

PROGRAM = "/"
os.chdir(PROGRAM)

from boards import {board} as board

SETUP = "/setup.json"  # of the file that is played; gone with the next power-up


def restart(text):
    following.write(text)
    following.close()
    machine.reset()


lock = Pin(board.LOCK, Pin.OUT, value=1)
if Pin(board.SERVICE, Pin.IN, Pin.PULL_UP).value():
    __import__("micropython").kbd_intr(-1)
    from sim import bench

    try:
        with open(SETUP) as file:
            setup = json.load(file)
        os.remove(SETUP)
    except (OSError, ValueError):
        with open("/settings.json") as file:
            setup = json.load(file)
        setup["registry"] = []
    following = open(SETUP, "wb")  # now: after hours of play there may be no room for a file in one piece
    bench.run(setup, PROGRAM.rstrip("/"), lock.value, Pin(board.LAMP, Pin.OUT, value=0).value, restart)
'''


def files(board, settings):
    """Everything on the board: dict of path -> bytes, main.py last. Names are those of the sources: no linking."""
    out = {path: data for path, data in build.plain_modules(board).items()
           if not path.startswith(NEVER) and path != "board.mpy"}
    out["firstcard/app/keeper.mpy"] = build.compile_module(FORGETS, "keeper.py")
    for path in sorted(SIM.glob("*.py")):
        source = path.read_bytes()
        if path.name not in OFF_BOARD and source.strip():
            out[f"sim/{path.stem}.mpy"] = build.compile_module(source, f"sim/{path.name}")
    out[f"boards/{board}.mpy"] = build.compile_module(build.board_file(board).read_bytes(), f"boards/{board}.py")
    out["build/texts.bin"] = texts.build()
    out["settings.json"] = build.data_files(settings, [])["settings.json"]
    out["main.py"] = MAIN.replace("{board}", board).encode()
    return out
