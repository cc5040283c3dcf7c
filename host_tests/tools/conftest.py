"""Fixtures of the tools' tests: pit called as from a shell, and a simulated table at a pseudo terminal."""

import sys
import threading

import pytest

from pit import cli, keys
from pit.emulate import SETTINGS
from pit.serve import Server, Simulated

CHIPS = [[(0xE0040100 << 32 | n).to_bytes(8, "little").hex(), 2500] for n in range(1, 8)]


class Said:
    """How a call of pit ended: `status`, `out`, `err`."""

    def __init__(self, status, captured):
        self.status, self.out, self.err = status, captured.out, captured.err


@pytest.fixture
def pit(monkeypatch, capsys):
    """Function (*words) -> Said: pit as from a shell, in this process."""

    def call(*words):
        monkeypatch.setattr(sys, "argv", ["pit", *words])
        capsys.readouterr()
        status = 0
        try:
            cli.main()
        except SystemExit as end:
            status = end.code or 0
        return Said(status, capsys.readouterr())

    return call


@pytest.fixture
def at_pty():
    """Function (table) -> Server: serves it from a thread until the test ends."""
    running = []

    def serve(table):
        server = Server(table)
        thread = threading.Thread(target=server.serve)
        thread.start()
        running.append((server, thread))
        return server

    yield serve
    for server, thread in running:
        server.stop()
        thread.join()
        server.close()


@pytest.fixture
def simulated(at_pty):
    """A Server of a simulated table, with the keys of table 1 and chips of $25 (CHIPS)."""
    return at_pty(Simulated({**SETTINGS, "registry": CHIPS, "keys": keys.login_keys("1", create=True)}))
