"""The picture of `pit console` in the README: `python -m pit.console.picture [FILE]` plays half a round and draws it.

The table is simulated and its clock too, so the picture comes out the same every time.
"""

import asyncio
import re
import sys
from pathlib import Path

from pit import ROOT, keys
from pit.console.app import TableApp
from pit.emulate import SETTINGS
from pit.operator import Operator
from pit.view import View

PICTURE = ROOT / "tools" / "pit" / "console" / "console.svg"
SIZE = (80, 24)
CHIPS = {f"{n:02x}000000000104e0": cents for n, cents in enumerate((2500, 2500, 500, 200, 10000, 2500), 1)}


class InStep:
    """A simulated table behind the calls of a serial port: time passes only while an answer is waited for."""

    def __init__(self, setup):
        from pit.sim import files
        from pit.sim.table import SimTable

        files.prepare()
        self.table = SimTable(setup, str(ROOT))
        self._lines = []

    def write(self, data):
        self._collect()
        self.table.engine.console_bytes(data, len(data))

    def readline(self):
        self._collect()
        if not self._lines:
            self.table.advance(20)
            self._collect()
        return self._lines.pop(0) if self._lines else b""

    def _collect(self):
        self._lines += self.table.take()

    def close(self):
        pass


class StillLink:
    """A Link without a thread: pump() tells what has happened."""

    def __init__(self, operator, now_ms):
        self._operator, self._now_ms = operator, now_ms
        self._tell = None

    def start(self, tell):
        self._tell = tell

    def stop(self):
        pass

    def login(self, role, pin, done):
        self._operator.login_here(role)

    def pump(self, take, ms):
        """Let `ms` of table time pass and take(kind, data) what comes of it."""
        end = self._now_ms() + ms
        while self._now_ms() < end:
            event = self._operator.listen()
            if event:
                take("event", event)


def make(path=PICTURE):
    """Write the SVG; returns its text."""
    svg = asyncio.run(_draw())
    path.write_text(svg, encoding="utf-8")
    return svg


async def _draw():
    port = InStep({**SETTINGS, "registry": list(CHIPS.items()), "keys": keys.login_keys("1", create=True)})
    operator = Operator(port, clock=lambda: port.table.now_ms / 1000)
    link = StillLink(operator, lambda: port.table.now_ms)
    app = TableApp(link, "/dev/ttyACM0")
    async with app.run_test(size=SIZE) as pilot:
        operator.on_event = lambda event: app.take("event", event)
        link.pump(app.take, 100)
        view = View()
        view.ask(operator)
        view.log = app.view.log
        app.view, app.connected = view, True
        operator.login_here("supervisor")
        operator.command("open")
        uids = list(CHIPS)
        for spot, few in ((2, uids[0:1]), (3, uids[1:3]), (5, uids[3:4]), (6, uids[4:5])):
            port.table.do({"place": {"spot": spot, "zone": "main", "uids": few}})
        link.pump(app.take, 3000)
        port.table.do({"draw": {"code": "TH"}})
        link.pump(app.take, 1000)
        port.table.do({"place": {"spot": 3, "zone": "main", "uids": uids[5:6]}})
        link.pump(app.take, 2500)
        app.refresh_view()
        await pilot.pause()
        return plain(app.export_screenshot(title="pit console"))


def plain(svg):
    """Without the fonts that such pictures fetch from elsewhere."""
    return re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.S).replace("Fira Code", "ui-monospace, Menlo, Consolas")


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else PICTURE
    make(target)
    print(target)
