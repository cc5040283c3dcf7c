"""Supervisor: feeds the watchdog on evidence from every task; a task that fails locks the table and restarts it.

Each task says `here` when it goes on. Two of them look at all: one that is not heard of for LATE_MS has failed, as
one that raises or ends. Then, in this order: LOCK, the reason into a register that outlives the restart (neither
allocates), the fault into log and console as far as that still goes, and a restart, which brings the round back as it
was before the input that went wrong (app/restart.py). A loop that never gives way is bitten by the watchdog.

After RESTARTS in a row the table stays as it is: locked, with nothing more written down, for somebody to look at.
"""

import gc
import io
import sys
import time

from firstcard.drivers.watchdog import HEAP, TASK

NAMES = ("", "tick", "sweeper", "locks", "shoe", "console", "panel")
TICK, SWEEPER, LOCKS, SHOE, CONSOLE, PANEL = 1, 2, 3, 4, 5, 6
LATE_MS = 4000  # nothing that a task waits for lasts longer; half of what the watchdog allows
POKE_MS = 1000  # so often those who wait for an interrupt are woken without one
RESTARTS = 3
HEALTHY_MS = 60_000
FLUSH_MS = 300  # for the last words
NO_WORDS = "it did not give way until the watchdog bit, or had no memory left for words"


def keep_crash(ports, boot, name, text):
    """What the command `crash` says from now on: which task, in which power-up, and `text`. An empty one is kept where
    nothing is known of that power-up yet: there was no memory for words, or the watchdog has bitten."""
    if ports.memory:
        from firstcard.store import crash  # rarely used: not in memory otherwise

        head = "%s, boot %d" % (name, boot)
        try:
            if text or not crash.load(ports.memory).startswith(head + "\n"):
                crash.save(ports.memory, head + "\n" + (text.strip() or NO_WORDS))
        except OSError:
            ports.out(b"# the memory for what is going on does not answer: this is not kept\n")


class Supervisor:
    """`engine` and `ports` of app/build.py; `ports.dog` is the watchdog."""

    def __init__(self, engine, ports):
        self._engine = engine
        self._ports = ports
        self._dog = ports.dog
        self._seen = [time.ticks_ms()] * len(NAMES)
        self._poked = self._seen[0]
        self._failed = False

    def here(self, task):
        """Task number `task` goes on."""
        self._dog.at_work(task)
        self._seen[task] = time.ticks_ms()

    def look(self):
        """Is anybody late?"""
        now = time.ticks_ms()
        seen = self._seen
        for task in range(TICK, len(seen)):
            if time.ticks_diff(now, seen[task]) > LATE_MS:
                return self.failed(task, None)

    def feed(self):
        """By the tick: what waits for nobody is well, those who wait are woken now and then, and the dog is fed."""
        ports, seen, now = self._ports, self._seen, self._seen[TICK]
        if not ports.latch.words[0]:
            seen[LOCKS] = now
        if not ports.shoe.words[0]:
            seen[SHOE] = now
        if not ports.port.waits():
            seen[CONSOLE] = now
        if not ports.panel or not ports.panel[0]:
            seen[PANEL] = now
        if time.ticks_diff(now, self._poked) > POKE_MS:
            self._poked = now
            ports.latch.words[0] = ports.shoe.words[0] = 1
            if ports.panel:
                ports.panel[0] = 1
        self.look()
        self._dog.feed()
        if self._engine.ports.ms() > HEALTHY_MS and not self._failed:
            self._dog.restarts(0)

    def failed(self, task, error):
        """Task number `task` has raised `error`, or is late (None). Returns only if the table is to stay as it is."""
        if self._failed:
            return
        dog = self._dog
        self._ports.lock()
        why = TASK
        if isinstance(error, MemoryError):
            why = HEAP
            dog.count()
        dog.note(why, task)
        self._failed = True
        again = dog.restarts() < RESTARTS
        try:
            gc.collect()
            self._tell("heap" if why == HEAP else "task", NAMES[task], error, again)
        except Exception:  # no memory for words, or what has to say them is what failed: the register has the reason
            again = True
        if again:
            dog.reset()

    def _tell(self, code, name, error, again):
        engine, ports = self._engine, self._ports
        if error:
            text = io.StringIO()
            sys.print_exception(error, text)
            for line in text.getvalue().split("\n"):
                if line:
                    ports.out(b"# " + line.encode() + b"\n")
        engine.name_fault(code, None, name)
        keep_crash(ports, engine.keeper and engine.keeper.boot, name,
                   text.getvalue() if error else "it was not heard of any more")
        if not again:
            if engine.keeper:
                engine.keeper.ready = False  # the round may be in pieces: what is written stays as it is
            engine.fault(code, None, name)
        ports.port.drain(FLUSH_MS)
