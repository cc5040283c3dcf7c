"""`pit flash --port`: the real mpremote over a pseudo terminal to the emulated board; and what is refused before."""

import json

import pytest

from pit import build, doctor, firmware, flash, image, keys, ports, upgrade
from pit.emu.board import Board
from pit.errors import NoTable, PitError, Refusal
from pit.ports import Found
from pit.serve import Emulated

JOURNAL = bytes(range(256)) * 32


def boots(flash_bytes, ms=5_000):
    """What a board with this flash says of itself, and when (ms after power-up)."""
    with Board(None, flash=flash_bytes) as board:
        for pull_up in (7, 9):
            board.drive(pull_up, True)
        board.send(b"\r\n")
        board.expect(rb'"event":"boot"', ms)
        at = board.now_us / 1000
        board.send(b"id\r\n")
        return board.expect(rb"OK (firstcard [^\r]*)\r\n", 2_000)[1].decode(), at


@pytest.fixture(scope="module")
def old():
    """An older installation: other texts, a module that is not needed any more, and a journal."""
    files = build.files("fc7", {"keys": keys.login_keys("1", create=True), "limits": {"min": 1000, "max": 20_000}})
    files["texts.bin"] = files["texts.bin"].replace(b"unknown command", b"unbekannt: was?")
    files["firstcard/stale.mpy"] = files["board.mpy"]
    files["evidence"] = JOURNAL
    return {"main.py": files.pop("main.py"), **files}


class Interrupted(Exception):
    """The cable is out."""


def test_an_upgrade_over_a_pty(old, at_pty, capsys):
    """Interrupted once, then finished: old, old, new; journal and settings as they were."""
    table = Emulated(firmware.image_path(), image.make_fs(old), service=True)
    server = at_pty(table)
    said = []

    def tell(text):
        said.append(text)
        if len(said) == 3:
            raise Interrupted

    with pytest.raises(Interrupted):
        flash.upgrade(server.device, tell=tell)
    assert "files are not those of this version" in doctor.board(server.device)[1].text
    text, old_ms = boots(table.table.board.flash_bytes())
    assert text.startswith("firstcard") and "/a/" in said[2]

    said.clear()
    flash.upgrade(server.device, table="7", tell=lambda text: said.append(text))
    assert doctor.board(server.device)[1].text.startswith("every file is that of this version")
    after = table.table.board.flash_bytes()
    with Board(None, flash=after) as board:
        files = image.read_fs(board.fs_bytes())
    new = build.files("fc7")
    assert files["evidence"] == JOURNAL
    settings = json.loads(files["settings.json"])
    assert settings["keys"] == keys.login_keys("7") and settings["table"] == "7"
    assert settings["limits"] == {"min": 1000, "max": 20_000}, "the others are kept"
    site_key = keys.site_key().hex()
    assert not any(site_key.encode() in data or bytes.fromhex(site_key) in data for data in files.values())
    program = {path: data for path, data in new.items()
               if path not in (*upgrade.DATA, "main.py") and not image.is_journal(path)}
    assert {path for path in files if path.startswith("a/")} == {"a/" + path for path in program}
    assert all(files["a/" + path] == data for path, data in program.items() if path != "code.xip")
    assert files[image.MAP] == image.read_fs(image.make_fs(old))[image.MAP], "the journal lies where it lay"
    assert "firstcard/stale.mpy" not in files and "board.mpy" not in files
    text, new_ms = boots(after)
    assert text.startswith("firstcard")
    with capsys.disabled():
        print(f"\n  power-up to the boot event: as built {old_ms:.0f} ms, after an upgrade {new_ms:.0f} ms", end="")
    assert any("copied on the board" in line for line in said)


class Table:
    """A serial port with a table by rote behind it."""

    def __init__(self, answers):
        self.answers, self.sent, self._lines = answers, [], []

    def write(self, data):
        line = data.decode().strip()
        if line:
            self.sent.append(line)
            word = next((word for word in self.answers if line.startswith(word)), None)
            self._lines += self.answers[word] if word else ["OK"]

    def readline(self):
        return self._lines.pop(0).encode() + b"\r\n" if self._lines else b""

    def close(self):
        pass


@pytest.fixture
def at(monkeypatch):
    def at(answers):
        port = Table(answers)
        monkeypatch.setattr(ports, "open_port", lambda name: port)
        keys.login_keys("1", create=True)
        return port

    return at


@pytest.mark.parametrize("state", ["OPEN", "LOCKED", "EXTRA", "SETTLE"])
def test_a_round_is_not_cut_off(at, state):
    port = at({"status": [f"OK state={state} round=3"]})
    with pytest.raises(Refusal, match=f"the table is {state}, a round may be running"):
        flash.into_service("x", "1", print)
    assert port.sent == ["status"]


def test_firmware_without_the_command(at):
    at({"status": ["OK state=CLOSED round=3"], "login": ["OK 0a0b"], "service": ['ERROR 10 "unknown command service"']})
    with pytest.raises(Refusal, match="close the SERVICE strap"):
        flash.into_service("x", "1", print)


def test_a_key_that_does_not_fit(at):
    at({"status": ["OK state=CLOSED round=3"], "login": ["OK 0a0b"], "answer": ['ERROR 15 "not accepted"']})
    with pytest.raises(Refusal, match="another site key"):
        flash.into_service("x", "1", print)


def test_a_table_goes_into_service(at, monkeypatch):
    """It may say that it is about to restart, before it does."""
    monkeypatch.setattr(flash.time, "sleep", lambda seconds: port.answers.update({"id": ["NameError: no id", ">>> "]}))
    port = at({"status": ["OK state=SAFE round=0"], "login": ["OK 0a0b"], "id": ['ERROR 112 "wait for it"']})
    flash.into_service("x", "1", print)
    assert port.sent == ["status", "login technician", port.sent[2], "service", "id", "id"]


def test_settings_are_kept_unless_asked_for():
    keys.login_keys("1", create=True)
    own = {**build.DEFAULT_SETTINGS, "limits": {"min": 1, "max": 2}, "keys": {"operator": "x"}, "pins": {"operator": 1}}
    assert flash.new_settings(own, "fc7") is None
    fresh = flash.new_settings(None, "fc7", tell=str)
    assert fresh["keys"] == keys.login_keys("1") and fresh["table"] == "1"
    other = flash.new_settings(own, "fc7", profile="us-nd-twentyone", tell=str)
    assert other["profile"] == "us-nd-twentyone" and other["keys"] == own["keys"] and other["pins"] == own["pins"]
    pinned = flash.new_settings(own, "fc7", pins={"supervisor": 2}, tell=str)
    assert pinned["pins"] == {"operator": 1, "supervisor": 2} and pinned["limits"] == own["limits"]
    with pytest.raises(PitError, match="profile gcb-blackjack: .*dealer_natural_beats_21"):
        flash.new_settings(own, "fc7", profile="gcb-blackjack", tell=str)
    with pytest.raises(PitError, match="this board is a fc7"):
        flash.new_settings(own, "pico_bench")


def test_a_registry_is_looked_at_first(tmp_path):
    with pytest.raises(PitError, match="cannot be read"):
        flash.upgrade("/dev/nothing", chips=str(tmp_path / "none"))
    (tmp_path / "bad").write_bytes(b"12345")
    with pytest.raises(PitError, match="no packed chip registry"):
        flash.upgrade("/dev/nothing", chips=str(tmp_path / "bad"))


def test_a_new_board_is_waited_for(at, monkeypatch):
    at({"id": ["OK firstcard 0.1.0 board=fc7"]})
    monkeypatch.setattr(ports, "boards", lambda: [Found("/dev/old", "", ""), Found("/dev/new", "", "")])
    assert flash.wait_for_table(["/dev/old"], pause=lambda s: None)["board"] == "fc7"
    monkeypatch.setattr(ports, "boards", lambda: [])
    with pytest.raises(NoTable, match="did not come back"):
        flash.wait_for_table([], seconds=3, clock=iter(range(9)).__next__, pause=lambda s: None)


def test_a_port_without_a_prompt(at_pty):
    from pit.emulate import SETTINGS
    from pit.prompt import Prompt
    from pit.serve import Simulated

    device = at_pty(Simulated({**SETTINGS, "keys": {}})).device
    with pytest.raises(NoTable, match="no MicroPython prompt.*SERVICE strap"):
        Prompt(device)


