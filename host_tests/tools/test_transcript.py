"""The same evening twice on the emulated board: a person at a plain terminal with PINs, then `pit` with keys.

Log in as operator, set limits, open, play a round with a chip that comes too late, acknowledge the alarm as supervisor.
"""

import os
import re
import select
import time

import pytest

from pit import build, firmware, image, keys
from pit.serve import Emulated

CHIPS = [((0xE0040100 << 32 | n).to_bytes(8, "little"), 2500) for n in range(1, 5)]
PINS = {"operator": "602214", "supervisor": "137035"}
PATIENCE_S = 60


class Terminal:
    """What a person has in front of them: what they type goes out, what comes is on the screen."""

    def __init__(self, device):
        self.fd = os.open(device, os.O_RDWR | os.O_NOCTTY)
        self.screen = ""

    def type(self, line, expect):
        """Type a line; wait for its final line, which must begin with `expect`."""
        mark = len(self.screen)
        os.write(self.fd, line.encode() + b"\r")
        found = self.see(r"^(OK.*|ERROR.*)\r\n", mark)
        assert found.startswith(expect), f"{line}: {found}"
        return found

    def see(self, pattern, mark=0):
        """Wait until it stands on the screen behind `mark`; what stands there."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            found = re.search(pattern, self.screen[mark:], re.M)
            if found:
                return found[1] if found.groups() else found[0]
            if select.select([self.fd], [], [], 0.2)[0]:
                self.screen += os.read(self.fd, 4096).decode("ascii")
        raise AssertionError(f"no {pattern!r} on the screen:\n{self.screen[mark:]}")

    def close(self):
        os.close(self.fd)


@pytest.fixture
def table(at_pty):
    settings = {"keys": keys.login_keys("1", create=True),
                "pins": {role: keys.pin_record(pin) for role, pin in PINS.items()}}
    files = build.files("fc7", settings, CHIPS)
    emulated = Emulated(firmware.image_path(), image.make_fs(files))
    server = at_pty(emulated)
    server.hands = emulated.table
    yield server
    assert not emulated.table.board.faults


def test_the_same_evening_at_a_terminal_and_by_pit(table, pit):
    chips = [uid for uid, _ in CHIPS]
    person = Terminal(table.device)
    os.write(person.fd, b"\r")  # Enter: the table tells who has spoken
    person.see(r'"state":"CLOSED"')
    person.type("open", 'ERROR 13 "open needs a login')
    person.type("login operator 602215", "ERROR 15")
    person.type("login operator 602214", "OK")
    person.type("limits set 10 200", "OK min=10 max=200")
    person.type("open", "OK")
    table.hands.place(3, "main", chips[:2])
    person.see(r'"event":"bet","spot":3,"zone":"main","sum":5000,"value":5000')
    table.hands.draw("TH")
    person.see(r'"event":"lock".*"value":5000')
    person.see(r'"event":"card","n":1,"code":"TH","to":"3.1"')  # by then the sweep after the edge is over
    table.hands.place(3, "main", chips[2:3])
    person.see(r'"event":"alarm","id":1,"kind":"increase","spot":3')
    person.type("ack 1", "ERROR 14")
    person.type("login supervisor 137035", "OK")
    person.type("ack 1", "OK")
    person.see(r'"event":"alarm-cleared","id":1,"by":"supervisor"')
    person.type("key void", "OK")
    person.type("key supervisor-confirm", "OK")
    person.see(r'"event":"round","round":1,"result":"void"')
    person.type("close", "OK")
    person.type("logout", "OK")
    person.close()
    assert not any(pin in person.screen for pin in PINS.values()), "no echo, and no PIN in any answer"
    table.hands.remove(3, "main")

    port = ("--port", table.device)

    def done(*words):
        said = pit(*words, *port)
        assert said.status == 0, said.err
        return said.out

    assert pit("send", "open", *port).status == 1
    assert done("limits", "set", "20", "300") == "$20 to $300\n"
    done("send", "open", "--as", "operator")
    table.hands.place(5, "main", chips[:2])
    seen = ""
    end = time.monotonic() + PATIENCE_S
    while "spot 5 main: $50 in 2 chips, ok" not in seen and time.monotonic() < end:
        seen = done("status")
    table.hands.draw("9C")
    while "hand 5.1 cards 9C" not in seen and time.monotonic() < end:
        seen = done("send", "round")
    table.hands.place(5, "main", chips[2:3])
    while "ALARM 2: increase by $25 on spot 5" not in seen and time.monotonic() < end:
        seen = done("status")
    assert "ALARM 2" in seen
    assert "needs another role" in pit("send", "ack 2", "--as", "operator", *port).err
    done("send", "ack 2", "--as", "supervisor")
    assert "ALARM" not in done("status")
