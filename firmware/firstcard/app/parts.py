"""Parts: what a board does rarely, loaded then: the self-test of what it is made of, settings and service strap written
down."""

import json
import os

import board

from firstcard.drivers import memory
from firstcard.drivers.latch import BLOCKED, DEAF
from firstcard.store import cell

LATCH = ("ok", "blocked", "stopped", "unheard", "deaf", "stuck")  # by the results of drivers/latch.py
OF_THE_EDGE = (BLOCKED, DEAF)


def test(ports, part):
    """(`ok` or what is wrong, figure) of a part of `ports`: `readers`, `edge`, `latch` or `plaque`."""
    if part == "readers":
        return _readers(ports)
    if part == "plaque":
        return "ok" if ports.prove() else "not-proven", "%d mA" % (ports.leds.seen_ua // 1000)
    code = ports.fire()
    if part == "edge":
        return LATCH[code] if code in OF_THE_EDGE else "ok", "dark within %d us" % ports.latch.dark_us
    return "not-fired" if code in OF_THE_EDGE else LATCH[code], "heard after %d us" % ports.latch.heard_us


def _readers(ports):
    """Every wire of every reader; they are all reset."""
    from firstcard.drivers import selftest

    about, count = ports.reader, board.ANTENNAS + (1 if board.TRAY_ANTENNA else 0)
    wrong = ["%s:%s" % row[:2] for row in selftest.run(board, ports.readers) if row[1] != "ok"]
    ports.readers.restart()
    well = len([antenna for antenna in range(count) if not about(antenna)[5]])
    return ",".join(wrong) or "ok", "%d of %d" % (well, count)


def keep(settings):
    """Write the settings, old or new whenever the power goes. Raises OSError."""
    with open("/settings.new", "w") as file:
        json.dump(settings, file)
    os.rename("/settings.new", "/settings.json")


def note_strap():
    """The next start of the table writes into the journal that the strap was closed."""
    bus = memory.bus(board)
    if bus:
        try:
            cell.save(memory.Fram(bus, board.FRAM), cell.SERVICED, b"1")
        except OSError:
            print("# The memory for what is going on does not answer: the journal will not tell of this.")
