"""The commands that talk to a table: over a pseudo terminal, to the simulated table; and what is said when nobody is
there."""

import json
import os
import pty
import subprocess
import tty

import pytest

from host_tests.tools.conftest import CHIPS
from pit import ROOT, keys, ports, protocol
from pit.doctor import OK, WRONG
from pit.errors import NoTable
from pit.operator import Operator
from pit.ports import Found
from pit.view import View, cents


def test_limits_are_shown_set_and_cancelled(pit, simulated):
    port = ("--port", simulated.device)
    assert pit("limits", "show", *port).out == "$5 to $500\n"
    assert pit("limits", "set", "10", "200", *port).out == "$10 to $200\n"
    assert "at once" in pit("limits", "set", "10", "200", "--in", "20m", *port).out, "no surprise on a closed table"
    assert json.loads(pit("limits", "show", "--json", *port).out) == {"limits": {"min": 1000, "max": 20000},
                                                                      "pending": None}
    assert pit("send", "open", "--as", "operator", *port).out == "OK\n"
    simulated.table.table.do({"place": {"spot": 3, "zone": "main", "uids": [CHIPS[0][0]]}})
    later = pit("limits", "set", "15", "300", "--in", "20m", "--json", *port)
    assert json.loads(later.out)["pending"]["min"] == 1500
    assert "pending: $15 to $300" in pit("limits", "show", *port).out
    assert pit("limits", "cancel", *port).out == "$10 to $200\n"
    again = pit("limits", "cancel", *port)
    assert (again.status, again.out) == (1, "") and "(error 64)" in again.err, "1: the table refuses"
    assert pit("send", "close", *port).err.startswith("pit: the table refuses `close`: close needs a login")


@pytest.mark.parametrize("words, status, text", [
    (("limits", "set", "five", "100"), 2, "'five' is no amount"),
    (("limits", "set", "9", "5"), 1, "the minimum 9 is above the maximum 5"),
    (("limits", "set", "5", "100", "--in", "soon"), 1, "is no time"),
    (("send", "opne"), 1, "unknown command opne"),
    (("send", "\u00e9"), 2, "is no command"),
    (("send", "open", "--as", "boss"), 2, "there is no role 'boss'"),
    (("limits", "set", "5", "100", "--table", "2"), 1, "does not know this PC"),
])
def test_errors_are_one_sentence(pit, simulated, words, status, text):
    said = pit(*words, "--port", simulated.device)
    assert said.status == status and text in said.err and said.err.count("\n") == 1 and not said.out


def test_status(pit, simulated):
    said = pit("status", "--port", simulated.device)
    assert "profile=us-in-blackjack" in said.out and "CLOSED: closed, round 0\nlimits $5 to $500\n" in said.out
    told = json.loads(pit("status", "--json", "--port", simulated.device).out)
    assert told["state"] == "CLOSED" and told["limits"] == {"min": 500, "max": 50000} and told["alarms"] == []


def test_status_again_and_again(pit, simulated, monkeypatch):
    pauses = iter([None, KeyboardInterrupt()])

    def sleep(seconds):
        end = next(pauses)
        if end:
            raise end

    monkeypatch.setattr("pit.operator_cli.time.sleep", sleep)
    said = pit("status", "--watch", "--json", "--port", simulated.device)
    assert said.status == 0 and [json.loads(line)["state"] for line in said.out.splitlines()] == ["CLOSED"] * 2


def test_a_login_stays_until_the_logout(pit, simulated):
    port = ("--port", simulated.device)
    assert "logged in as supervisor" in pit("login", "supervisor", *port).out
    assert pit("send", "open", *port).status == 0
    assert pit("logout", *port).status == 0
    assert pit("send", "close", *port).status == 1


def test_a_pc_with_one_roles_key_only(pit, simulated, tmp_path, monkeypatch):
    """An operator's PC holds no site key (design section 5)."""
    given = tmp_path / "given.key"
    assert "operator at table 1" in pit("keys", "give", "operator", str(given)).out
    assert "is there already" in pit("keys", "give", "operator", str(given)).err
    monkeypatch.setenv(keys.VARIABLE, str(tmp_path / "home" / "site.key"))
    own = keys.role_key_path("1", "operator")
    own.parent.mkdir()
    own.write_bytes(given.read_bytes())
    assert pit("limits", "set", "10", "200", "--port", simulated.device).out == "$10 to $200\n"
    assert "cannot be used" in pit("login", "supervisor", "--port", simulated.device).err
    own.write_text("abc")
    assert "is damaged" in pit("limits", "set", "10", "200", "--port", simulated.device).err
    assert given.stat().st_mode & 0o077 == 0


def test_a_pin_is_asked_for_and_not_kept(pit, monkeypatch):
    from pit import build

    made = {}
    monkeypatch.setattr("typer.prompt", lambda text, **options: "602214")
    monkeypatch.setattr(build, "build", lambda board, key, **rest: made.update(rest) or (protocol.DOCUMENT, {}))
    assert pit("build", "--pin", "operator", "--table", "7").status == 0
    assert made["table"] == "7" and set(made["pins"]) == {"operator"} and "602214" not in str(made)
    assert "no role 'boss'" in pit("build", "--pin", "boss").err
    monkeypatch.setattr("typer.prompt", lambda text, **options: "1234")
    assert "6 to 12 digits" in pit("build", "--pin", "operator").err


def test_ports_shows_who_is_there(pit, simulated, monkeypatch):
    monkeypatch.setattr(ports, "boards", lambda: [Found(simulated.device, "E66", "Board"), Found("/dev/none", "", "")])
    said = pit("ports", "--json")
    first, second = json.loads(said.out)
    assert first["id"]["profile"] == "us-in-blackjack" and first["serial"] == "E66"
    assert second["id"] is None and "cannot be opened" in second["says"]
    assert f"{simulated.device}  E66  firstcard" in pit("ports").out


def test_ports_shows_the_chosen_port_too(pit, simulated, monkeypatch):
    monkeypatch.setattr(ports, "boards", lambda: [])
    monkeypatch.setenv(ports.VARIABLE, simulated.device)
    assert [one["device"] for one in json.loads(pit("ports", "--json").out)] == [simulated.device]


def test_which_port_is_taken(pit, simulated, monkeypatch):
    monkeypatch.delenv(ports.VARIABLE, raising=False)
    monkeypatch.setattr(ports, "boards", lambda: [])
    nobody = pit("limits", "show")
    assert nobody.status == 3 and "no board is found" in nobody.err
    monkeypatch.setattr(ports, "boards", lambda: [Found(simulated.device, "", "")])
    assert pit("limits", "show").out == "$5 to $500\n"
    monkeypatch.setattr(ports, "boards", lambda: [Found("/dev/a", "", ""), Found("/dev/b", "", "")])
    several = pit("limits", "show")
    assert several.status == 2 and "/dev/a, /dev/b" in several.err, "never a guess (I-14)"
    monkeypatch.setenv(ports.VARIABLE, simulated.device)
    assert pit("limits", "show").status == 0


@pytest.mark.parametrize("name, text", [
    ("/dev/nothing", "is the table plugged in"),
    ("socket://127.0.0.1:1", "is the other end listening"),
    ("nonsense://x", "is the address right"),
])
def test_a_port_that_is_not_there(pit, name, text):
    said = pit("status", "--port", name)
    assert said.status == 3 and text in said.err and said.err.count("\n") == 1


def test_a_port_that_is_not_ours(monkeypatch):
    import serial

    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(serial, "serial_for_url", refuse)
    with pytest.raises(NoTable, match="Permission denied.*dialout"):
        ports.open_port("/dev/ttyACM0")


def test_a_url_is_a_port_too(pit, simulated):
    """A socket in front of the pseudo terminal."""
    import socket
    import threading

    server = socket.create_server(("127.0.0.1", 0))

    def forward():
        peer, _ = server.accept()
        with peer, open(simulated.device, "r+b", buffering=0) as table:
            threading.Thread(target=lambda: [table.write(data) for data in iter(lambda: peer.recv(64), b"")],
                             daemon=True).start()
            while True:
                data = os.read(table.fileno(), 256)
                try:
                    peer.sendall(data)
                except OSError:
                    return
                if b"OK min" in data:
                    return

    thread = threading.Thread(target=forward, daemon=True)
    thread.start()
    assert pit("limits", "show", "--port", f"socket://127.0.0.1:{server.getsockname()[1]}").out == "$5 to $500\n"
    thread.join(5)
    server.close()


class Prompt:
    """A board at MicroPython's prompt."""

    def __init__(self):
        self.said = b""

    def write(self, data):
        self.said += data + b"Traceback\r\nNameError: name 'limits' isn't defined\r\n>>> "

    def readline(self):
        line, end, rest = self.said.partition(b"\n")
        self.said = rest
        return line + end

    def close(self):
        pass


def test_the_prompt_of_a_board_is_named():
    with pytest.raises(NoTable, match="MicroPython's prompt.*SERVICE strap"):
        Operator(Prompt()).command("limits")


def test_a_table_that_goes_away():
    master, slave = pty.openpty()
    tty.setraw(slave)
    with Operator.at(os.ttyname(slave)) as table:
        os.close(slave)
        os.close(master)
        with pytest.raises(NoTable, match="went away during `limits`"):
            table.command("limits")


def test_half_a_line_is_kept_for_the_next_read():
    class Slow:
        pieces = [b"", b"OK min=5.0", b"", b"0 max=6.00\r\n"]

        def write(self, data):
            pass

        def readline(self):
            return self.pieces.pop(0) if self.pieces else b""

    assert Operator(Slow()).command("limits") == "min=5.00 max=6.00"


class Rote:
    """A port at whose other end a table answers by rote."""

    def __init__(self, answers):
        self.answers, self.lines = answers, []

    def write(self, data):
        line = data.decode().strip()
        word = next((word for word in self.answers if line.startswith(word)), None)
        self.lines += (self.answers[word] if word else ["OK"]) if line else []

    def readline(self):
        return self.lines.pop(0).encode() + b"\r\n" if self.lines else b""

    def close(self):
        pass


def test_selftest_and_service(pit, monkeypatch):
    """What the table says is passed on; a figure that is out of order is its refusal, exit status 1."""
    keys.login_keys("1", create=True)
    answers = {"login": ["OK 0a0b"], "selftest": ["PROGRESS latch ok 0.1 us", "OK 1"],
               "status": ["OK state=CLOSED round=0"], "id": ["NameError", ">>> "]}
    monkeypatch.setattr(ports, "open_port", lambda name: Rote(answers))
    assert pit("selftest", "--port", "x", "--table", "1").out == "latch ok 0.1 us\nall well (1 parts)\n"
    assert "in service mode" in pit("service", "--port", "x", "--table", "1").out
    answers["selftest"] = ["PROGRESS latch ok 0.1 us", "PROGRESS plaque not-proven 0 mA",
                           'ERROR 125 "not well: plaque"']
    failed = pit("selftest", "--port", "x", "--table", "1")
    assert failed.status == 1 and "not well: plaque" in failed.err
    assert failed.out == "latch ok 0.1 us\nplaque not-proven 0 mA\n"


def test_selftest_of_a_whole_table(pit, simulated):
    said = pit("selftest", "--port", simulated.device)
    assert said.status == 0 and said.out.startswith("readers ok 22 of 22\n") and "all well (6 parts)" in said.out
    assert pit("selftest", "valve", "--port", simulated.device).status == 1


def test_the_bring_up_sheet_of_a_whole_table(pit, simulated):
    """Also of one that is not well: the sheet is printed, and what is wrong is said and is the exit status."""
    said = pit("selftest", "--sheet", "--port", simulated.device)
    assert said.status == 0 and said.out.startswith("Bring-up sheet: ") and said.out.count("[x]") == 6
    simulated.table.do({"fault": {"plaque": "dark"}})
    said = pit("selftest", "--sheet", "--port", simulated.device)
    assert said.status == 1 and said.out.count("[x]") == 5 and "not well: plaque" in said.err


@pytest.mark.parametrize(("files", "chips", "wrong"), [
    ("ok", "ok", []), ("checking", "checking", []), ("main.mpy", "ok", ["files"]), ("ok", "false", ["chips"])])
def test_doctor_tells_what_the_table_has_found(pit, monkeypatch, files, chips, wrong):
    answers = {"id": [f"OK firstcard 0.1.0 board=fc7 files={files} chips={chips} mode=RUN"]}
    monkeypatch.setattr(ports, "open_port", lambda name: Rote(answers))
    found = json.loads(pit("doctor", "--json", "--port", "x").out)
    assert [one["what"] for one in found if one["what"] in ("files", "chips") and one["state"] == "WRONG"] == wrong


@pytest.mark.parametrize(("shell", "typed", "words"), [
    ("bash", {"COMP_WORDS": "pit l", "COMP_CWORD": "1"}, {"limits", "login", "logout"}),
    ("bash", {"COMP_WORDS": "pit limits ", "COMP_CWORD": "2"}, {"set", "show", "cancel"}),
    ("zsh", {"_TYPER_COMPLETE_ARGS": "pit selft"}, {"selftest"})])
def test_a_shell_completes_the_commands(shell, typed, words):
    """As the shell itself asks for it."""
    done = subprocess.run([ROOT / ".venv" / "bin" / "pit"], capture_output=True, text=True, check=False,
                          env={**os.environ, **typed, "_PIT_COMPLETE": f"complete_{shell}"})
    assert words <= set(done.stdout.replace('"', " ").replace(":", " ").split()), done


def test_doctor(pit, simulated, monkeypatch):
    said = pit("doctor", "--json", "--port", simulated.device)
    found = {one["what"]: one for one in json.loads(said.out)}
    assert found["Python"]["state"] == OK and found["firmware"]["state"] == OK
    assert found[simulated.device]["state"] == OK and "us-in-blackjack" in found[simulated.device]["text"]
    bad = pit("doctor", "--port", "/dev/nothing")
    assert bad.status == 1 and "WRONG  /dev/nothing" in bad.out and "Traceback" not in bad.err


def test_doctor_finds_what_is_wrong(tmp_path, monkeypatch):
    from pit import doctor, flash

    assert doctor.python((3, 9, 2)).state == WRONG
    assert doctor.environment(prefix="/usr").state == doctor.NOTE
    assert doctor.packages(installed=lambda name: "0").state == WRONG
    monkeypatch.delenv("FIRSTCARD_UF2", raising=False)
    assert doctor.micropython(tmp_path).state == WRONG
    monkeypatch.setattr("pit.emu.native.describe", lambda: "Python loop, stock core")
    assert "make setup" in doctor.emulator().text
    monkeypatch.setenv(keys.VARIABLE, str(tmp_path / "site.key"))
    assert doctor.site_key().state == doctor.NOTE
    (tmp_path / "site.key").write_text("ab" * 32)
    (tmp_path / "site.key").chmod(0o644)
    assert "chmod 600" in doctor.site_key().text
    (tmp_path / "site.key").chmod(0o600)
    assert doctor.site_key().state == OK
    made = tmp_path / "firstcard-fc7.uf2"
    assert doctor.image(made).state == doctor.NOTE
    made.write_bytes(b"keys")
    made.chmod(0o644)
    assert "chmod 600" in doctor.image(made).text
    made.chmod(0o600)
    assert doctor.image(made).state == OK
    monkeypatch.setattr(ports, "boards", lambda: [])
    monkeypatch.setattr(flash, "find_drives", lambda: [])
    assert doctor.usb(tmp_path)[0].what == "board"
    (tmp_path / "1-1").mkdir()
    (tmp_path / "1-1" / "idVendor").write_text("2e8a\n")
    (tmp_path / "1-1" / "idProduct").write_text("0003\n")
    assert "BOOTSEL" in doctor.usb(tmp_path)[0].text
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert "usermod" in doctor.board(os.ttyname(pty.openpty()[1]))[0].text


def test_amounts():
    assert [cents(text) for text in ("25", "2.50", "-0.5", "-")] == [2500, 250, -50, None]


def test_view_follows_the_events():
    view = View()
    for n, event in enumerate((
            {"event": "state", "state": "OPEN", "round": 1},
            {"event": "limits", "min": 500, "max": 5000, "pending": {"min": 1000, "max": 5000, "due_ms": 9}, "by": "x"},
            {"event": "bet", "spot": 3, "zone": "main", "sum": 500, "value": 500, "verdict": "ok", "chips": 1},
            {"event": "bet", "spot": 4, "zone": "tip", "sum": 500, "value": 500, "verdict": "ok", "chips": 1},
            {"event": "bet", "spot": 4, "zone": "tip", "sum": 0, "value": 0, "verdict": "empty", "chips": 0},
            {"event": "alarm", "id": 1, "kind": "swap", "spot": 3, "zone": "main", "by": 0, "text": "t"},
            {"event": "alarm", "id": 2, "kind": "swap", "spot": 4, "zone": "main", "by": 0, "text": "t"},
            {"event": "alarm-cleared", "id": 1, "by": "supervisor"},
            {"event": "login", "role": "operator", "how": "key"},
            {"event": "fault", "code": "reader", "text": "t"})):
        view.event({"seq": n, "ms": n, **event})
    assert (view.state, view.round, view.limits, view.pending["due_ms"]) == ("OPEN", 1, (500, 5000), 9)
    assert list(view.bets) == [(3, "main")] and list(view.alarms) == [2] and list(view.faults) == ["reader"]
    assert len(view.log) == 10 and view.last_ms == 9 and view.role == "operator"
    view.event({"seq": 9, "ms": 0, "event": "boot", "cause": "power", "mode": "RUN", "profile": "x", "version": "0"})
    assert not view.bets and not view.alarms and not view.role


def test_send_shows_what_is_said_to_people(pit, simulated):
    said = pit("send", "help limits", "--port", simulated.device)
    assert said.out == "limits  - the limits and any pending change\n"
    assert json.loads(pit("send", "help limits", "--json", "--port", simulated.device).out)["notes"]


def test_status_says_what_a_fault_means(pit, simulated):
    simulated.table.table.engine.name_fault("keypad")
    assert "FAULT keypad: the dealer's keypad does not answer" in pit("status", "--port", simulated.device).out


def test_the_journal_is_pulled_from_the_usual_port(pit, simulated, monkeypatch, tmp_path):
    monkeypatch.setenv(ports.VARIABLE, simulated.device)
    said = pit("journal", "pull", str(tmp_path / "x.journal"))
    assert "No such file" not in said.err and "cannot be opened" not in said.err
