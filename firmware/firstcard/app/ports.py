"""Ports: what the engine asks of the table, answered by the drivers of the board that this firmware was built for."""

import gc
import sys

import board

from firstcard.app import tasks
from firstcard.core import digits
from firstcard.drivers import memory, system
from firstcard.drivers.clock import Clock, us
from firstcard.drivers.latch import BLOCKED, FINE, Latch
from firstcard.drivers.leds import Leds
from firstcard.drivers.port import Port
from firstcard.drivers.readers import Readers
from firstcard.drivers.shoe import Beam, Shoe
from firstcard.drivers.watchdog import REBOOT, SERVICE, Watchdog
from firstcard.proto.login import to_hex
from firstcard.store import cell
from firstcard.store.mark import Mark


# Loaded when they are needed, and forgotten between rounds; a text, since names one by one take more memory.
RARE = "app.upkeep app.readout app.parts app.selfcheck drivers.selftest drivers.rtc core.calendar store.crash"
LAST_WORDS_MS = 300  # for a host that reads, before a restart


class Ports:
    """What the engine asks for (firmware/README.md), made of the drivers."""

    def __init__(self):
        self._clean = gc.mem_free()  # after the last collection
        self.latch = Latch(board)  # first of all: from here on LOCK is high by our own hand
        self.dog = Watchdog()
        self.shoe = Shoe(board)
        self.beams = (Beam(1, board.BEAM_A), Beam(2, board.BEAM_B))
        self.port = Port(self.shoe.spare)
        self.leds = Leds(board.LEDS, digits.size(board.SPOTS) // 3, board.PLAQUE_RETURN, board.PLAQUE_CURRENT)
        self.readers = Readers(board, self.latch.words, self.port.waits)
        self.bus = memory.bus(board)
        self.memory = memory.Fram(self.bus, board.FRAM) if board.FRAM else None
        self.panel = None  # what wakes the panel's task, once it is there
        self.mark = Mark(self.memory) if self.memory else None
        if self.mark:
            self.latch.on_fired(self._marked)
        self.blocks = memory.Blocks()
        self._tries = bytearray(3)
        self._clock = Clock()
        self.ms = self._clock.ms
        self.us = us
        self.is_locked = self.latch.is_locked
        self.show = self.leds.show
        self.prove = self.leds.prove
        self.key_turned = system.closed(board.KEY_SWITCH) if board.KEYPAD else None
        self.lamp = system.Lamp(board.LAMP).set
        self.shoe_write = self.shoe.write
        self.readers_ok = self.readers.all_dead
        self.reader = self.readers.about
        self.spots = self.readers.spots
        self.random = system.random
        self.hurry = self.more = tasks.nothing  # the tasks put theirs here
        self.refused = FINE  # why the latch did not arm, see drivers/latch.py
        self.unique = to_hex(system.unique_id())
        self.build, self.files = "-", "checking"  # see app/selfcheck.py

    def arm(self):
        self.refused = self._fired(self.latch.arm)
        fine = self.refused == FINE
        self.shoe.watch(fine)
        return None if self.refused == BLOCKED else fine

    def fire(self):
        """Test the latch, LOCK staying high; the result is one of drivers/latch.py."""
        return self._fired(self.latch.fire)

    def _fired(self, function):
        if self.beams[0].next_us() >= 0 or self.beams[1].next_us() >= 0:  # a card, and nobody has been told of it yet
            self.lock()
            return BLOCKED
        began = us()
        result = function()
        for beam in self.beams:
            beam.tested(began, result == FINE)
        return result

    def test(self, part):
        """(`ok` or what is wrong, figure) of `readers`, `edge`, `latch` or `plaque`. Only while no round is running."""
        from firstcard.app import parts  # rarely used: not in memory otherwise

        return parts.test(self, part)

    def lock(self):
        self.latch.lock()
        self.shoe.watch(False)

    def _marked(self, us):
        try:
            self.mark.set(us)
        except OSError:
            pass  # the log's own entry, which comes next, meets it too and names the fault

    def out(self, line):
        told = self.port.out(line)
        if self.port.pending:
            self.more()
        return told

    def keep(self, settings):
        """Write the settings, old or new whenever the power goes. Raises OSError."""
        from firstcard.app import parts

        parts.keep(settings)

    def restart(self, why):
        self.lock()
        self.port.drain(LAST_WORDS_MS)
        self.dog.leave(SERVICE if why == "service" else REBOOT)

    def tries(self, place, count=None):
        """Wrong PINs in a row of role `place` (0 to 2); `count` sets them. What is set is kept before this returns."""
        kept = self._tries  # all there is on a board without that memory
        try:
            if self.memory:
                kept[:] = (cell.load(self.memory, cell.LOCKOUT) + bytes(3))[:3]
            if count is not None:
                kept[place] = min(count, 255)
                if self.memory:
                    cell.save(self.memory, cell.LOCKOUT, kept)
            return kept[place]
        except OSError:
            return 99  # nobody guesses while they cannot be counted

    def wall(self, seconds=None):
        """The clock chip's time, seconds since 2000; 0: it is not set; -1: it does not answer; None: there is
        none. `seconds` sets it."""
        if not board.RTC:
            return None
        from firstcard.drivers import rtc

        if seconds is not None:
            try:
                rtc.write(self.bus, board.RTC, seconds)
            except OSError:
                return rtc.SILENT
        return rtc.read(self.bus, board.RTC)

    def collect(self):
        for name in RARE.split(" "):
            if "firstcard." + name in sys.modules:
                system.forget(("firstcard." + name,))
        gc.collect()
        self._clean = gc.mem_free()

    def heap(self):
        return self._clean, self.dog.errors()
