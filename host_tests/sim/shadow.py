"""What a restart would make of a table right now, from copies of its memories, and whether it is the same table."""

import copy

from firstcard.app import restart
from firstcard.core.machine import OPEN
from firstcard.core.zone import Zone
from pit.sim.table import SimTable

# What a restart need not bring back: ticks and counters of readings, closures, what only speeds things up
PASSING = {"last_start_us", "last_end_us", "before_end_us", "_sums", "undo", "now_ms", "answer", "lock_us", "out",
           "_value_of", "_actions", "_short", "_shorts", "profile", "p", "r", "waited", "shown", "heard", "sorted",
           "shown_verdict", "shown_value"}


# What a zone goes by while bets are free: the lock sets everything else anew
FREE = {"spot", "kind", "last", "before", "last_status", "before_status", "reads", "same", "phase", "value", "expected",
        "oral", "unsettled", "paying"}


PAYING = {"won", "gone", "done", "loose", "laid", "moved", "lifting"}  # the first payment sets them anew


class Stop(Exception):
    """The log has been read to its end."""


class Shadow(SimTable):
    """A table that starts from copies of another's memories and stops before it goes on by itself."""

    def __init__(self, table):
        self.memory, self.blocks = copy.deepcopy(table.memory), copy.deepcopy(table.blocks)
        for memory in (self.memory, self.blocks):
            memory.power.cut_at = None
        self._sources = table
        super().__init__(table._setup, table._root, memory=self.memory, blocks=self.blocks)


def seen(value, known=None):
    """Everything that can be reached from a value, as plain data that can be compared."""
    known = {} if known is None else known
    if isinstance(value, (int, str, bytes, type(None), bool)):
        return value
    if isinstance(value, (bytearray, memoryview)):
        return bytes(value)
    if id(value) in known:
        return "#%d" % known[id(value)]
    if isinstance(value, (list, tuple)):
        return [seen(one, known) for one in value]
    if isinstance(value, dict):
        return {key: seen(value[key], known) for key in sorted(value, key=str)}
    if callable(value):
        return "callable"
    known[id(value)] = len(known)
    fields = sorted(vars(value).items())
    if isinstance(value, Zone) and not value.phase:
        fields = [(name, one) for name, one in fields if name in FREE]
    if isinstance(value, Zone) and not value.paying:
        fields = [(name, one) for name, one in fields if name not in PAYING]
    return {name: seen(one, known) for name, one in fields if name not in PASSING}


def replayed(table):
    """The round as the log alone gives it, before a restart acts on it; the code of a fault where it gives none."""
    go_on, found = restart.go_on, []

    def stop(keeper, *_):
        found.append(keeper.engine.round)
        raise Stop

    restart.go_on = stop
    try:
        return list(Shadow(table).engine.faults)
    except Stop:
        return found[0]
    finally:
        restart.go_on = go_on


def differences(table):
    """Texts: where the round that the log gives differs from the one that is being played; [] if nowhere."""
    live, again = table.engine.round, replayed(table)
    if isinstance(again, list):
        return again
    if live.state < OPEN:
        pick = ("number", "limits", "alarms")
        one, other = ({name: seen(getattr(r, name)) for name in pick} for r in (live, again))
    else:
        one, other = seen(live), seen(again)
    return list(parts(one, other))[:5]


def parts(one, other, path=""):
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        for key in one:
            yield from parts(one[key], other[key], f"{path}.{key}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for n, (a, b) in enumerate(zip(one, other)):
            yield from parts(a, b, f"{path}[{n}]")
    elif one != other:
        yield f"{path}: {other!r}, played {one!r}"
