"""Modes: RUN, or SERVICE while the strap is closed at reset, and once after the command `service`.

RUN never gives the console to the Python prompt. In SERVICE nothing is started: the prompt stays, Ctrl-C works, LOCK
is high by its pull-up, and a technician can copy files or look around. The journal knows of it: the command writes it
down itself, of the strap a cell of the fast memory tells the next start. There is no boot.py (I-01).
"""

import gc
import sys

import board

from firstcard.drivers import system, watchdog

# Packages and modules that a table needs only while it is made.
SET_UP = ("firstcard.app.build", "firstcard.app.restart", "firstcard.rules", "firstcard.drivers.inplace")


def start():
    """Called by main.py; in RUN it never returns."""
    strap = system.closed(board.SERVICE)()
    if watchdog.for_service() or strap:
        system.keep_repl()
        print("# SERVICE: the table is not running. Open the strap and reset to run.")
        if strap:
            from firstcard.app import parts

            parts.note_strap()
        return
    import asyncio

    asyncio.run(_table().run())


def _table():
    """The table, ready to run."""
    from firstcard.drivers import inplace

    mover = inplace.Mover()
    apart = SET_UP + (__name__,)  # this very function is running, so it must not be moved
    from firstcard.core import round as stage

    mover.move_new(apart)
    gc.collect()  # the rest comes to lie where the copies were: else the heap fills to its end and stays in pieces
    from firstcard.app import build, tasks

    mover.move_new(apart)
    gc.collect()
    engine, ports = build.table()
    mover.move_new(apart)  # what the profile needs; nothing of it is waiting in the middle of a function
    del build, inplace, mover, stage
    table = tasks.Tasks(engine, ports)
    system.forget(SET_UP)
    forget_making(table, engine, engine.round, engine.console, engine.intake, ports, ports.latch, ports.shoe,
                  ports.leds, ports.port, ports.readers)
    gc.collect()
    return table


def panel(engine, ports):
    """The dealer's panel, which no start waits for: made when the table is there, its code moved to flash like the
    rest."""
    from firstcard.drivers import inplace

    mover = inplace.Mover()
    before = set(sys.modules)
    from firstcard.app.panel import Panel

    for name in set(sys.modules) - before:
        mover.move(name)
    made = Panel(engine, ports)
    del inplace, mover, before  # else 4 kB stay, as long as anything remembers this call
    system.forget(SET_UP)
    forget_making(made, *made.parts)
    made.parts = None
    gc.collect()
    return made


def forget_making(*objects):
    """Take `__init__` away from the classes of these objects: a table has one of each and will not make another.

    Who tries all the same gets a TypeError.
    """
    for made in objects:
        type(made).__init__ = None
