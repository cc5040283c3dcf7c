"""A table without hardware on a pseudo terminal: any terminal program, and pit, talk to it as to a board on USB.

Table time follows the clock on the wall as well as the PC can keep up; it never runs ahead.
"""

import os
import pty
import select
import threading
import time
import tty

from boards import fc7

SLICE_MS = 10  # table time between two looks at the terminal
MOST = 8192  # bytes that wait for a program that does not read; then whole takes are dropped, as USB would
MOST_BEHIND_S = 0.5  # a slow PC: the table is late, and does not rush to catch up


class Simulated:
    """pit.sim.table.SimTable. `table` may be played on between turns (do(action))."""

    def __init__(self, setup):
        from pit import ROOT
        from pit.sim import files
        from pit.sim.table import SimTable

        files.prepare()
        self.table = SimTable(setup, str(ROOT))
        self._spoken = False
        self._out = bytearray()

    def give(self, data):
        self._spoken = True
        self.table.engine.console_bytes(data, len(data))

    def run_ms(self, ms):
        end = self.table.now_ms + ms
        while self.table.now_ms < end:
            self.table.advance(end - self.table.now_ms)
            self._out += b"".join(line.replace(b"\n", b"\r\n") for line in self.table.take())

    @property
    def now_ms(self):
        return self.table.now_ms

    def do(self, action):
        """What people do: see pit.targets.base."""
        self.table.do(action)

    def take(self):
        if not self._spoken:
            return b""
        out, self._out = bytes(self._out), bytearray()
        return out

    def close(self):
        pass


class Emulated:
    """pit.emu.table.Table: the real image. `table` may be played on between turns."""

    def __init__(self, uf2, image_fs=None, service=False, pins=fc7):
        from pit.emu.hands import Hands
        from pit.emu.table import Table

        self.table = Table(image_fs, uf2, pins)
        self.table.service(service)
        self._hands = Hands(self.table)
        self._out, self._given = None, 0

    def give(self, data):
        self.table.board.send(data)

    def run_ms(self, ms):
        self.table.board.run_ms(ms)

    @property
    def now_ms(self):
        return self.table.board.now_us / 1000

    def do(self, action):
        """What people do: see pit.targets.base."""
        self._hands.do(action)

    def take(self):
        out = self.table.board.out
        if out is not self._out:  # the power was cut: another board
            self._out, self._given = out, 0
        new = bytes(out[self._given:])
        self._given = len(out)
        return new

    def close(self):
        self.table.close()


class Server:
    """Serves `table` (Simulated, Emulated) at `device`. One thread calls turn(), or serve() does it all."""

    def __init__(self, table):
        self.table = table
        self._master, self._slave = pty.openpty()  # the slave is kept: else the terminal is gone with its first user
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.device = os.ttyname(self._slave)
        self._waiting = bytearray()
        self._stop = threading.Event()

    def turn(self, ms=SLICE_MS):
        """One slice of table time, and whatever goes in and out in it."""
        if select.select([self._master], [], [], 0)[0]:
            self.table.give(os.read(self._master, 4096))
        self.table.run_ms(ms)
        new = self.table.take()
        if len(self._waiting) + len(new) <= MOST:
            self._waiting += new
        if self._waiting and select.select([], [self._master], [], 0)[1]:
            del self._waiting[:os.write(self._master, self._waiting[:512])]

    def serve(self, between=lambda: None):
        """Until stop(); `between()` is called after every slice."""
        due = time.monotonic()
        while not self._stop.is_set():
            self.turn()
            between()
            due = max(due + SLICE_MS / 1000, time.monotonic() - MOST_BEHIND_S)
            if due > time.monotonic():
                self._stop.wait(due - time.monotonic())

    def stop(self):
        self._stop.set()

    def close(self):
        self.stop()
        self.table.close()
        os.close(self._slave)
        os.close(self._master)
