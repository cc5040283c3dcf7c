"""The commands that the README promises are run, or are listed here with the reason why not."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from pit import ROOT, scenario

README = (ROOT / "README.md").read_text(encoding="utf-8")
NOT_RUN = {
    "make demo": "pit demo is tested by test_demo.py",
    "make test": "this is it",
    "make build": "pit build is tested by test_demo.py",
    "make flash": "needs a board; tested with a folder in test_cli.py",
    ".venv/bin/pit shoe /dev/ttyUSB0 --cards AS,KD,9H,8C --fault misread":
        "needs a board; tested with pseudo terminals in test_shoe_on_a_line.py",
    ".venv/bin/pit flash --port /dev/ttyACM0": "needs a board; tested with the emulated one in test_flash.py",
    ".venv/bin/pit chips make site.csv chips-of-the-maker.csv --house north": "tested in test_chips.py",
    ".venv/bin/pit chips revoke site.csv E004010012345678": "the same",
    ".venv/bin/pit chips check site.csv": "the same",
    ".venv/bin/pit chips load site.csv --port /dev/ttyACM0": "the same",
    ".venv/bin/pit emulate": "runs until Ctrl-C; tested in test_emulate.py",
    ".venv/bin/pit ports": "needs a board; tested with a simulated one in test_operator_cli.py",
    ".venv/bin/pit status": "the same",
    ".venv/bin/pit limits set 5 100 --in 20m": "the same",
    ".venv/bin/pit limits show --json": "the same",
    ".venv/bin/pit journal pull table.journal --port /dev/ttyACM0": "needs a board; host_tests/journal/test_journal.py",
    ".venv/bin/pit console": "needs a terminal; tested in test_console.py",
    ".venv/bin/pit run host_tests/scenarios/late-increase.yaml --on rp2040": "run by test_scenarios.py",
}


def commands():
    """Every command in the README: lines of ```sh blocks, and indented lines that start with make or .venv."""
    fenced = re.findall(r"```sh\n(.*?)```", README, re.S)
    indented = re.findall(r"^    ((?:make|\.venv/).*)$", README, re.M)
    return [line for block in fenced for line in block.splitlines()] + indented


def test_every_command_is_run_or_excused():
    assert set(NOT_RUN) <= set(commands()), "an excuse for a command that is no longer there"


@pytest.mark.parametrize("command", [line for line in commands() if line not in NOT_RUN])
def test_the_command_works(command):
    words = shlex.split(command)
    assert words[0] == ".venv/bin/pit"
    run = subprocess.run([sys.executable, "-m", "pit.cli", *words[1:]], cwd=ROOT, capture_output=True, text=True,
                         check=False)
    assert run.returncode == 0, run.stderr


def test_the_example_round_is_a_valid_file():
    (block,) = re.findall(r"```yaml\n(.*?)```", README, re.S)
    assert scenario.parse(block).steps


def test_every_path_that_is_named_exists():
    for text in (README, (ROOT / "host_tests" / "README.md").read_text(encoding="utf-8")):
        for name in re.findall(r"`((?:firmware|boards|host_tests|tools)/[\w./-]*)`", text):
            assert (ROOT / name).exists(), name
        for name in re.findall(r"\]\(([\w./-]+)\)", text):
            assert (ROOT / name).exists(), name


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
