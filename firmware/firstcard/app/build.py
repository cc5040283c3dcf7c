"""Build: reads settings, profile, registry and texts from flash and joins them to the drivers and the engine.

Only what the chosen board and profile need is imported. Whatever cannot be read from flash (settings, registry,
texts, profile) is a fault by name on a locked table, never a reason not to start: the operator has to be told.
Nothing that lives on may refer to this module: modes.py forgets it once the table is made.
"""

import gc
import json
from binascii import unhexlify

import board

from firstcard.app.engine import Engine
from firstcard.app.ports import Ports
from firstcard.app.supervisor import NAMES, keep_crash
from firstcard.proto import login
from firstcard.rules import RuleError, load
from firstcard.store.registry import Registry
from firstcard.store.texts import Texts

SAFE_PROFILE = "us-in-blackjack"  # to speak with while the chosen one cannot be used; the table stays locked
SAFE_LIMITS = {"min": 500, "max": 50_000}


def _settings(faults):
    try:
        with open("/settings.json") as file:
            settings = json.load(file)
        settings["limits"]["min"], settings["limits"]["max"], settings["keys"], settings["profile"], settings["options"]
        return settings
    except (OSError, ValueError, KeyError, TypeError):
        faults.append("settings")
        return {"limits": SAFE_LIMITS, "keys": {}, "profile": SAFE_PROFILE, "options": {}}


def _profile(settings, faults):
    try:
        return load(settings["profile"], settings["options"])
    except RuleError:
        faults.append("profile")
        return load(SAFE_PROFILE)


def _registry(settings, faults):
    try:
        return Registry(open("/chips.bin", "rb"), login.begun(unhexlify(settings["keys"]["registry"])))
    except (OSError, ValueError, KeyError):
        faults.append("registry")
        return Registry(None)


def _texts():
    try:
        return Texts(open("texts.bin", "rb"))  # beside the modules, see main.py
    except OSError:
        return Texts(None)


def table():
    """Everything, joined: (engine, ports). LOCK is high; nothing runs yet."""
    gc.collect()  # the pool of names may have to grow in one piece
    ports = Ports()
    faults = []
    settings = _settings(faults)
    engine = Engine(board, _profile(settings, faults), settings, _registry(settings, faults), _texts(), ports)
    cause, task = ports.dog.last()
    engine.start(cause)
    for code in faults:
        engine.fault(code)
    if task:
        engine.name_fault("restarted", None, NAMES[task])
        keep_crash(ports, engine.keeper and engine.keeper.boot - 1, NAMES[task], "")
    ports.readers.power_up(1)  # one that answers is enough to close the table; the sweeper goes on with the others
    return engine, ports
