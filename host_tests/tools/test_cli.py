"""The command line: exit statuses, one sentence for an error, the picture, the operator's commands, the flash drive."""

import hashlib
import hmac
import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ET

import pytest

from pit import ROOT, __version__, keys, picture, plaque
from pit.errors import PitError
from pit.flash import flash
from pit.operator import Operator
from pit.timeline import Row, dollars, sentence


def pit(*arguments):
    return subprocess.run([sys.executable, "-m", "pit.cli", *arguments], capture_output=True, text=True, cwd=ROOT,
                          check=False)


def test_version():
    assert pit("--version").stdout == f"pit {__version__}\n"


def test_the_shell_completes_commands():
    run = subprocess.run([sys.executable, "-c", "import sys; sys.argv[0] = 'pit'; from pit.cli import main; main()"],
                         capture_output=True, text=True, cwd=ROOT, check=False,
                         env={**os.environ, "COMP_WORDS": "pit lim", "COMP_CWORD": "1",
                              "_PIT_COMPLETE": "complete_bash"})
    assert run.stdout.split() == ["limits"]


def test_help_names_every_command():
    text = pit("--help").stdout
    assert all(word in text for word in ("run", "build", "demo", "flash", "limits"))


@pytest.mark.parametrize("arguments, words", [
    (("run", "nowhere.yaml"), "nowhere.yaml cannot be read"),
    (("run", "--on", "moon", "host_tests/scenarios/late-bet.yaml"), "write host, unix, rp2040"),
    (("flash", "--table", "2"), "go with --port"),
    (("flash", "--port", "/dev/nothing", "--board", "fc9"), "there is no board 'fc9'"),
    (("build", "--board", "fc9"), "there is no board 'fc9'"),
])
def test_a_users_error_is_a_sentence_and_exit_2(arguments, words):
    run = pit(*arguments)
    assert run.returncode == 2
    assert words in run.stderr
    assert "Traceback" not in run.stderr


def test_exit_status_1_when_an_expectation_is_not_met(tmp_path):
    file = tmp_path / "wrong.yaml"
    file.write_text("profile: us-in-blackjack\nsteps:\n- open\n- expect: {event: lock, within: 100}\n")
    run = pit("run", str(file), "--json")
    assert run.returncode == 1
    assert f"{file}:4: expected lock" in run.stderr
    assert all(line.startswith("{") for line in run.stdout.splitlines())


def test_the_picture_is_one_self_contained_svg():
    rows = [Row(12, "plaque", leds=plaque.picture(500, 20000, "green")), Row(None, "", "> draw: [TH]"),
            Row(2503, "lock", "BETS LOCKED <by> edge"), Row(2600, "alarm", "x" * 200)]
    svg = picture.draw("a & b", rows)
    root = ET.fromstring(svg)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert "http" not in svg.replace("http://www.w3.org/2000/svg", "") and "<image" not in svg
    green = plaque.css((0, 0x30, 0))
    paths = root.iter("{http://www.w3.org/2000/svg}path")
    lit = sum(path.get("d").count("M") for path in paths if path.get("fill") == green)
    assert lit == 5 + 5 + 6 + 6, "$5 and $200 have that many segments"


def test_the_plaque_that_is_drawn_can_be_read_back():
    assert plaque.shown(plaque.picture(1000, 20000, "red")) == (1000, 20000, "red")


def test_money_and_sentences():
    assert [dollars(cents) for cents in (500, -250, 123456)] == ["$5", "-$2.50", "$1,234.56"]
    assert sentence({"event": "brand-new", "seq": 1, "ms": 2, "what": 3}) == "what=3"
    assert "spot" in sentence({"event": "bet", "spot": 1})  # a broken event is still shown


class Port:
    """A serial port at whose other end a table answers by rote."""

    def __init__(self, answers):
        self.answers = answers
        self.sent = []
        self._lines = []

    def write(self, data):
        line = data.decode().strip()
        self.sent.append(line)
        self._lines += self.answers.get(line, ["OK"])

    def readline(self):
        return self._lines.pop(0).encode() + b"\r\n" if self._lines else b""

    def close(self):
        pass


def test_the_operator_gets_the_final_line_and_nothing_else():
    port = Port({"limits": ["# hello", '! {"seq":1,"ms":2,"event":"state"}', "PROGRESS half", "OK min=5.00 max=50.00"]})
    assert Operator(port).command("limits") == "min=5.00 max=50.00"


def test_the_tables_refusal_is_passed_on_in_its_words():
    port = Port({"limits set 9 5": ['ERROR 31 "the minimum is above the maximum"']})
    with pytest.raises(PitError, match=r"the table refuses `limits`: the minimum is above the maximum \(error 31\)"):
        Operator(port).command("limits set 9 5")


def test_login_by_challenge_with_a_key_of_this_table_only(tmp_path, monkeypatch):
    monkeypatch.setenv("FIRSTCARD_SITE_KEY", str(tmp_path / "sub" / "site.key"))
    with pytest.raises(PitError, match="FIRSTCARD_SITE_KEY"):
        keys.login_keys("1")
    mine, other = keys.login_keys("1", create=True), keys.login_keys("2")
    assert (tmp_path / "sub" / "site.key").stat().st_mode & 0o077 == 0
    assert mine == keys.login_keys("1")
    assert len(set(mine.values()) | set(other.values())) == 10, "three roles, journal and registry, of two tables"
    port = Port({"login operator": ["OK 0a0b"]})
    Operator(port).login("operator", mine["operator"])
    right = hmac.new(bytes.fromhex(mine["operator"]), b"operator\x0a\x0b", hashlib.sha256).hexdigest()
    assert port.sent == ["login operator", f"answer {right}"]


def test_a_silent_table_is_not_waited_for_for_ever():
    seconds = iter(range(100))
    with pytest.raises(PitError, match="does not answer `limits`"):
        Operator(Port({"limits": []}), clock=lambda: next(seconds)).command("limits")


def test_flash_copies_to_the_one_board_that_waits(tmp_path):
    image = tmp_path / "firstcard-fc7.uf2"
    place = [str(tmp_path / "*")]
    with pytest.raises(PitError, match="make build"):
        flash(image, place)
    image.write_bytes(b"UF2")
    with pytest.raises(PitError, match="nobody can tell"):
        flash(image, place)
    image.with_suffix(".json").write_text('{"sha256": "00"}')
    with pytest.raises(PitError, match="another SHA-256"):
        flash(image, place)
    image.with_suffix(".json").write_text(json.dumps({"sha256": hashlib.sha256(b"UF2").hexdigest()}))
    with pytest.raises(PitError, match="no board waits"):
        flash(image, place)
    drive = tmp_path / "RPI-RP2"
    drive.mkdir()
    (drive / "INFO_UF2.TXT").write_text("UF2 Bootloader v3.0\nModel: Raspberry Pi RP2\nBoard-ID: RPI-RP2\n")
    assert "copied" in flash(image, place)
    assert (drive / "firstcard-fc7.uf2").read_bytes() == b"UF2"
