"""Modes: RUN, or SERVICE while the strap is closed at reset.

RUN never gives the console to the Python prompt. With the SERVICE strap closed nothing is started: the prompt stays,
Ctrl-C works, LOCK is high by its pull-up, and a technician can copy files or look around. There is no boot.py (I-01).
"""

import board

from firstcard.drivers import system


def start():
    """Called by main.py; in RUN it never returns."""
    if system.service(board.SERVICE):
        system.keep_repl()
        print("# SERVICE: the table is not running. Open the strap and reset to run.")
        return
    import asyncio

    from firstcard.app import build, tasks

    asyncio.run(tasks.Tasks(*build.table()).run())
