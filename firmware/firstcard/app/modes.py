"""Modes: RUN, or SERVICE while the strap is closed at reset.

RUN never gives the console to the Python prompt. With the SERVICE strap closed nothing is started: the prompt stays,
Ctrl-C works, LOCK is high by its pull-up, and a technician can copy files or look around. There is no boot.py (I-01).
"""

import gc
import sys

import board

from firstcard.drivers import system

# Packages and modules that a table needs only while it is made.
SET_UP = ("firstcard.app.build", "firstcard.app.restart", "firstcard.rules", "firstcard.drivers.inplace")


def start():
    """Called by main.py; in RUN it never returns."""
    if system.service(board.SERVICE):
        system.keep_repl()
        print("# SERVICE: the table is not running. Open the strap and reset to run.")
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
    forget(SET_UP)
    forget_making(table, engine, engine.round, engine.console, engine.intake, ports, ports.latch, ports.shoe,
                  ports.leds, ports.port, ports.readers)
    gc.collect()
    return table


def forget(packages):
    """Take packages or modules out of memory, with what only they hold. The next import reads them from flash again."""
    for name in list(sys.modules):
        for package in packages:
            if name.startswith(package) and name[len(package):][:1] in ("", "."):
                parent, _, last = name.rpartition(".")
                sys.modules[name] = None  # a deleted entry would keep its value alive
                del sys.modules[name]
                if parent in sys.modules:
                    setattr(sys.modules[parent], last, None)
                    delattr(sys.modules[parent], last)


def forget_making(*objects):
    """Take `__init__` away from the classes of these objects: a table has one of each and will not make another.

    Who tries all the same gets a TypeError.
    """
    for made in objects:
        type(made).__init__ = None
