"""The real firmware image on the emulated table: `pit run --on rp2040`."""

import importlib
import time

from pit import build, firmware, image
from pit.errors import TableError
from pit.targets.base import Target
from pit.targets.lines import item

HELLO = b"\r\n"  # the table keeps what it has to say until a host has spoken
LAST_WORDS_MS = 300  # after a line outside the protocol (a traceback): what else does the board say?


class Rp2040Target(Target):
    """pit.emu.table.Table with the application, the scenario's settings and its chips in the board's flash."""

    name = "rp2040"
    slow = True

    def __init__(self):
        self._table = self._hands = None
        self._first_ms = None
        self._off_ms = 0.0  # table time before the board's last power-up
        self._wall_s = 0.0

    def start(self, setup):
        from pit.emu.hands import Hands
        from pit.emu.table import Table

        settings = {name: setup[name] for name in ("profile", "options", "limits", "keys")}
        registry = [(bytes.fromhex(uid), cents) for uid, cents in setup["registry"]]
        contents = build.files(setup["board"], settings, registry)
        pins = importlib.import_module(f"boards.{setup['board']}")
        self._table = Table(image.make_fs(contents), firmware.image_path(), pins)
        self._hands = Hands(self._table)
        self._table.board.send(HELLO)

    def do(self, action):
        (name, value), = action.items()
        if name in ("line", "fault"):
            getattr(self, "_do_" + name)(value)
        else:
            self._hands.do(action)

    def _do_line(self, text):
        self._table.board.send(text.encode("ascii") + b"\r\n")

    def _do_fault(self, fault):
        before = self.now_ms
        self._hands.do({"fault": fault})
        self._off_ms += before - self.now_ms  # another board's clock begins at 0
        if fault.get("power") == "restore":
            self._table.board.send(HELLO)

    def advance(self, ms):
        items = self._take()
        if items or ms <= 0:
            return items
        started = time.monotonic()
        board = self._table.board
        seen = len(board.out)
        board.run_ms(ms, lambda: board.out.find(b"\n", seen) >= 0)
        self._wall_s += time.monotonic() - started
        return self._take()

    def _take(self):
        items = []
        for line in self._table.console_lines():
            if self._first_ms is None:
                self._first_ms = self.now_ms
            try:
                found = item(line, self.now_ms)
            except TableError as error:
                self._table.board.run_ms(LAST_WORDS_MS)
                said = "\n".join(str(bytes(more), "ascii", "replace").rstrip() for more in self._table.console_lines())
                raise TableError(f"{error}\n{said}".rstrip())
            if found is not None:
                items.append(found)
        return items

    @property
    def now_ms(self):
        return self._off_ms + self._table.board.now_us / 1000

    def leds(self):
        return [(red, green, blue) for green, red, blue in self._table.leds or ()]

    def figures(self):
        if not self._table or self._first_ms is None:
            return {}
        table_s = self.now_ms / 1000
        return {"power-up to the first console line": f"{self._first_ms:.0f} ms of table time",
                "emulated": f"{table_s:.1f} s of table time in {self._wall_s:.1f} s"
                            f" ({self._wall_s / table_s:.2f} s a second)"}

    def close(self):
        if self._table:
            self._table.close()
            self._table = None
