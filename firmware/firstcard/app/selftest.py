"""Self-test of the board's own parts, for a technician. Loaded when it is asked for; only while no round is running."""

import board

from firstcard.drivers import latch, selftest

LATCH = ("ok", "blocked", "stopped", "unheard", "deaf", "stuck")  # by the results of drivers/latch.py
OF_THE_EDGE = (latch.BLOCKED, latch.DEAF)


def run(ports, part):
    """(`ok` or what is wrong, figure) of `readers`, `edge`, `latch` or `plaque`."""
    if part == "readers":
        return _readers(ports.readers)
    if part == "plaque":
        return "ok" if ports.prove() else "not-proven", "%d mA" % (ports.leds.seen_ua // 1000)
    code = ports.fire()
    own = LATCH[code] if (code in OF_THE_EDGE) == (part == "edge") else "ok"
    if part == "edge":
        return own, "dark within %d us" % ports.latch.dark_us
    return own if code not in OF_THE_EDGE else "not-fired", "heard after %d us" % ports.latch.heard_us


def _readers(readers):
    """Every wire of every reader; they are all reset."""
    wrong = ["%s:%s" % (part, verdict) for part, verdict, _ in selftest.run(board, readers) if verdict != "ok"]
    readers.restart()
    count = board.ANTENNAS
    well = len([antenna for antenna in range(count) if not readers.about(antenna)[5]])
    return ",".join(wrong) or "ok", "%d of %d" % (well, count)
