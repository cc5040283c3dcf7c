"""Modes: RUN, or SERVICE while the strap is closed at reset.

RUN never gives the console to the Python prompt. With the SERVICE strap closed nothing is started: the prompt stays,
Ctrl-C works, LOCK is high by its pull-up, and a technician can copy files or look around. There is no boot.py (I-01).
"""

import gc
import sys

import board

from firstcard.drivers import system

SET_UP = ("firstcard.app.build", "firstcard.rules")  # packages and modules that a table needs only while it is made


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
    from firstcard.app import build, tasks

    table = tasks.Tasks(*build.table())
    del build
    forget(SET_UP)
    return table


def forget(packages):
    """Take packages or modules out of memory, with what only they hold. The next import reads them from flash again."""
    for name in list(sys.modules):
        for package in packages:
            if name == package or name.startswith(package + "."):
                parent, _, last = name.rpartition(".")
                del sys.modules[name]
                if parent in sys.modules:
                    delattr(sys.modules[parent], last)
    gc.collect()
