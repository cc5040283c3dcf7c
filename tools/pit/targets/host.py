"""The table on CPython with a simulated clock: `pit run --on host`."""

from pit import ROOT
from pit.errors import PitError
from pit.sim import files
from pit.sim.table import SimError, SimTable
from pit.targets.base import Target
from pit.targets.lines import item

class HostTarget(Target):
    """The firmware's own rules and engine in this process, on pit.sim.table.SimTable."""

    name = "host"

    def __init__(self, make_table=SimTable):
        self._make_table = make_table
        self._table = None

    def start(self, setup):
        files.prepare()
        self._table = self._make_table(setup, str(ROOT))

    def do(self, action):
        try:
            self._table.do(action)
        except SimError as error:
            raise PitError(str(error))

    def advance(self, ms):
        items = self._take()
        if not items and ms > 0:
            self._table.advance(ms)  # stops by itself after the first line
            items = self._take()
        return items

    def _take(self):
        found = (item(line, self.now_ms) for line in self._table.take())
        return [one for one in found if one is not None]

    @property
    def now_ms(self):
        return self._table.now_ms

    def leds(self):
        return rgb(getattr(self._table, "leds", b""))


def rgb(strip):
    """WS2812 bytes (green, red, blue a LED) as a list of (red, green, blue)."""
    return [(strip[at + 1], strip[at], strip[at + 2]) for at in range(0, len(strip) - 2, 3)]
