"""The commands that the README promises are run, or are listed here with the reason why not."""

import re
import shlex
import subprocess
from pathlib import Path

from boards import fc7
from pit import ROOT, ports, scenario
from pit.people import REGISTRY, People

DOCUMENTS = {name: (ROOT / name).read_text(encoding="utf-8") for name in (
    "README.md", "tools/pit/README.md", "host_tests/README.md", "boards/README.md")}
README = DOCUMENTS["README.md"]
PIT = ".venv/bin/pit "
NOT_RUN = {  # the words behind PIT, or the whole line
    "make demo": "pit demo is tested by test_demo.py",
    "make test": "this is it",
    "make prove": "the long proofs",
    "make build": "pit build is tested by test_demo.py",
    "make flash": "needs a board; tested with a folder in test_cli.py",
    "emulate": "runs until Ctrl-C; tested in test_emulate.py",
    "console": "needs a terminal; tested in test_console.py",
    "shoe /dev/ttyUSB0 --cards AS,KD,9H,8C --fault misread": "needs a board; test_shoe_on_a_line.py",
    "run host_tests/scenarios/late-increase.yaml --on rp2040": "run by test_scenarios.py",
    "run host_tests/scenarios/late-increase.yaml --on /dev/ttyACM0": "needs a board; tested in test_bench_board.py",
    "build --board pico_bench": "tested in test_bench_board.py",
    "flash --board pico_bench": "needs a board; the same",
    "flash --port /dev/ttyACM0": "needs a board; tested with the emulated one in test_flash.py",
    "flash --port /dev/ttyACM0 --pin operator": "the same",
    "build --table 1 --pin operator --pin supervisor": "asks for PINs; tested in test_operator_cli.py",
    "journal pull table.journal": "needs a board; host_tests/journal/test_journal.py",
    "journal verify table.journal --table 1": "the same",
    "journal forget 1": "the same",
    "doctor": "looks at this PC as well; tested in test_operator_cli.py",
    "chips load site.csv": "needs a board; tested in test_chips.py",
    "status --watch --json": "runs until Ctrl-C; tested in test_operator_cli.py",
    "selftest": "is not there on a simulated table; tested in test_upkeep.py",
    "send 'ack 1' --as supervisor": "needs an alarm; tested in test_operator_cli.py",
    "send 'option decks 8' --as technician": "restarts the table; tested in test_upkeep.py",
}


def commands():
    """Every command in the documents: lines of ```sh blocks, and indented lines that start with make or .venv."""
    found = []
    for text in DOCUMENTS.values():
        for block in re.findall(r"```sh\n(.*?)```", text, re.S):
            found += block.splitlines()
        found += re.findall(r"^    ((?:make|\.venv/bin/pit)\b[^#\n]*?) *(?:#.*)?$", text, re.M)
    return list(dict.fromkeys(line.removeprefix(PIT) for line in found))


def test_every_command_is_run_or_excused():
    assert set(NOT_RUN) <= set(commands()), "an excuse for a command that is no longer there"


def test_the_commands_work_in_their_order(pit, simulated, tmp_path, monkeypatch):
    """All of them at one simulated table, as somebody would who reads on."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(ports.VARIABLE, simulated.device)
    (tmp_path / "host_tests").symlink_to(ROOT / "host_tests")
    (tmp_path / "build").mkdir()
    (tmp_path / "chips-of-the-maker.csv").write_text("uid,dollars\nE004010012345678,25\nE004010012345679,5\n")
    run = 0
    for line in commands():
        if line not in NOT_RUN:
            said = pit(*shlex.split(line))
            assert said.status == 0, (line, said.err)
            run += 1
    assert run > 15


def test_the_hands_of_the_readme_know_what_to_do():
    (block,) = re.findall(r"```hands\n(.*?)```", README, re.S)
    sitting = People(fc7, REGISTRY, None)
    assert [sitting.told(line) for line in block.splitlines()] == [""] * len(block.splitlines())


def test_the_readme_is_short_and_shows_a_picture_first():
    lines = README.splitlines()
    assert len(lines) <= 120 and any(line.startswith("![") for line in lines[:10])


def test_the_example_round_is_a_valid_file():
    (block,) = re.findall(r"```yaml\n(.*?)```", DOCUMENTS["host_tests/README.md"], re.S)
    assert scenario.parse(block).steps


def test_every_path_that_is_named_exists():
    for where, text in DOCUMENTS.items():
        for name in re.findall(r"`((?:firmware|boards|host_tests|tools)/[\w./-]*)`", text):
            assert (ROOT / name).exists(), name
        for name in re.findall(r"\]\(([\w./-]+)\)", text):
            assert (ROOT / where).parent.joinpath(name).exists(), name


def test_texts_name_only_commands_of_pit_that_exist(pit):
    """On the board, in the documents, in pit itself."""
    known = set(re.findall(r"^\W ([a-z]+) ", pit("--help").out, re.M)) | {"COMMAND"}
    texts = [*(ROOT / "firmware").rglob("*.md"), *(ROOT / "tools" / "pit").rglob("*.py"),
             *(ROOT / name for name in DOCUMENTS)]
    for path in texts:
        for word in re.findall(r"`(?:\.venv/bin/)?pit ([a-zA-Z]+)", path.read_text(encoding="utf-8")):
            assert word in known, (path, word)
    for word in re.findall(r"\bpit (flash|chips|journal|build|pin|doctor|keys|service)\b",
                           (ROOT / "firmware" / "texts" / "en.txt").read_text(encoding="utf-8")):
        assert word in known, word


def test_every_make_target_is_explained():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    run = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True)
    (phony,) = re.findall(r"^\.PHONY: (.*)$", makefile, re.M)
    for target in phony.split():
        assert re.search(rf"^  make {target} +\S", run.stdout, re.M), target
    contract = "demo test setup lint build flash bench-firmware prove mutants help".split()
    assert set(contract) <= set(phony.split())


def test_ci_runs_what_a_developer_runs():
    text = Path(ROOT / ".ci" / "run").read_text(encoding="ascii")
    assert "exec make test" in text
