"""Build: makes the drivers of the board that this firmware was built for and joins them to the engine as its `ports`.

Only what the chosen board and profile need is imported. Whatever cannot be read from flash (settings, registry,
texts, profile) is a fault by name on a locked table, never a reason not to start: the operator has to be told.
"""

import gc
import json

import board

from firstcard.app import tasks
from firstcard.app.engine import Engine
from firstcard.core import digits
from firstcard.drivers import system
from firstcard.drivers.clock import Clock, us
from firstcard.drivers.latch import FINE, Latch
from firstcard.drivers.leds import Leds
from firstcard.drivers.port import Port
from firstcard.drivers.readers import Readers
from firstcard.drivers.shoe import Shoe
from firstcard.rules import RuleError, load
from firstcard.store.registry import Registry
from firstcard.store.texts import Texts

SAFE_PROFILE = "us-in-blackjack"  # to speak with while the chosen one cannot be used; the table stays locked
SAFE_LIMITS = {"min": 500, "max": 50_000}


class Ports:
    """What the engine asks for (firmware/README.md), made of the drivers."""

    def __init__(self):
        self.latch = Latch(board)  # first of all: from here on LOCK is high by our own hand
        self.shoe = Shoe(board)
        self.port = Port(self.shoe.spare)
        self.leds = Leds(board.LEDS, digits.size(board.SPOTS) // 3)
        self.readers = Readers(board, self.latch.words)
        self._clock = Clock()
        self.ms = self._clock.ms
        self.us = us
        self.is_locked = self.latch.is_locked
        self.show = self.leds.show
        self.lamp = system.Lamp(board.LAMP).set
        self.shoe_write = self.shoe.write
        self.readers_ok = self.readers.first_dead
        self.random = system.random
        self.hurry = self.more = tasks.nothing  # the tasks put theirs here
        self.refused = FINE  # why the latch did not arm, see drivers/latch.py

    def arm(self):
        self.refused = self.latch.arm()
        self.shoe.watch(self.refused == FINE)
        return self.refused == FINE

    def lock(self):
        self.latch.lock()
        self.shoe.watch(False)

    def out(self, line):
        self.port.out(line)
        if self.port.pending:
            self.more()

    def heap(self):
        gc.collect()  # else it tells how long ago the last collection was
        return gc.mem_free(), -1


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


def _registry(faults):
    try:
        return Registry(open("/chips.bin", "rb"))
    except (OSError, ValueError):
        faults.append("registry")
        return Registry(b"")


def _texts():
    try:
        return Texts(open("/texts.bin", "rb"))
    except OSError:
        return Texts(None)


def table():
    """Everything, joined: (engine, ports). LOCK is high; nothing runs yet."""
    ports = Ports()
    faults = []
    settings = _settings(faults)
    engine = Engine(board, _profile(settings, faults), settings, _registry(faults), _texts(), ports)
    engine.start(system.reset_cause())
    for code in faults:
        engine.fault(code)
    ports.readers.power_up()
    gc.collect()
    return engine, ports
