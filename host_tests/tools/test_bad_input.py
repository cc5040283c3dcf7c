"""pit with wrong words, wrong files, broken YAML, no port: one sentence that says what to do, and the exit status."""

import random
import re

import pytest
import yaml

from pit import ROOT, scenario
from pit.chiplist import read_rows
from pit.errors import PitError
from pit.rules import files as rule_files

GOLDEN = str(ROOT / "host_tests" / "journal" / "golden.journal")
LATE = str(ROOT / "host_tests" / "scenarios" / "late-increase.yaml")
FILES = {
    "binary": b"\x00\xff\x01", "noise": bytes(random.Random(1).randrange(256) for _ in range(5000)), "empty": b"",
    "open.yaml": b"a: [1\n b", "list.yaml": b"- a\n- b\n", "tag.yaml": b"!!python/object:os.system x\n",
    "types.yaml": b"profile: [1]\nsteps: 5\nlimits: 5\noptions: 3\nboard: {a: b}\ntitle: [1]\nlogin: [3]\n",
    "itself.yaml": b"a: &a [*a]\n", "date.yaml": b"profile: 2026-99-99\nsteps: []\n",
    "board.yaml": b"profile: us-in-blackjack\nboard: ../x\nsteps: []\n",
    "maker.csv": b"uid,dollars\nE004010012345678,25\n",
}
CASES = [
    (("frobnicate",), 2, "no such command"),
    (("run",), 2, "see `pit run --help`"),
    (("limits", "set", "5"), 2, "see `pit limits set --help`"),
    (("limits", "set", "5", "100", "in", "20m"), 2, "see `pit limits set --help`"),
    (("limits", "set", "five", "ten"), 2, "write dollars"),
    (("limits", "show", "--port", "/dev/nothing"), 3, "is the table plugged in"),
    (("status", "--port", "/dev/null"), 3, "it is no serial port"),
    (("status", "--port", "socket://x"), 3, "write socket://HOST:NUMBER"),
    (("status", "--port", "socket://localhost:1"), 3, "is the address right"),
    (("status", "--port", "foo://bar"), 3, "is the address right"),
    (("shoe", "/dev/nothing"), 3, "is the adapter plugged in"),
    (("shoe", "/dev/null", "--every", "0"), 2, "see `pit shoe --help`"),
    (("run", LATE, "--on", "/dev/nothing"), 3, "is the table plugged in"),
    (("run", "binary"), 2, "it is not UTF-8 text"),
    (("run", "types.yaml"), 2, "types.yaml:1:"),
    (("run", "itself.yaml"), 2, "write it out"),
    (("run", "date.yaml"), 2, "put it in quotes"),
    (("run", "tag.yaml"), 2, "not valid YAML"),
    (("run", "board.yaml"), 2, "there is no board"),
    (("rules", "check", "types.yaml"), 2, "types.yaml:"),
    (("rules", "check", "itself.yaml"), 2, "write it out"),
    (("rules", "explain", "date.yaml"), 2, "put it in quotes"),
    (("rules", "check", "."), 2, "cannot be read"),
    (("journal", "verify", "binary"), 1, "holds no record"),
    (("journal", "verify", "empty"), 2, "holds no records"),
    (("journal", "print", "noise"), 2, "pit journal verify says more"),
    (("journal", "export", GOLDEN, "nowhere/x.csv"), 2, "cannot be written"),
    (("journal", "export", GOLDEN, "nowhere/x.db"), 2, "cannot be written"),
    (("journal", "pull", "x"), 3, "no board is found on USB"),
    (("chips", "make", "list.csv", "binary", "--house", "n"), 2, "it is no CSV text"),
    (("chips", "make", "list.csv", "empty", "--house", "n"), 2, "the first line has to name"),
    (("chips", "make", "list.csv", "maker.csv", "--house", "h\u00f6he"), 2, "write it in plain letters"),
    (("chips", "check", "noise"), 2, "it is no chip registry"),
    (("build", "--table", ""), 2, "no name of a table"),
    (("build", "--table", "a b"), 2, "no name of a table"),
    (("keys", "give", "operator", "k", "--table", "../x"), 2, "no name of a table"),
    (("emulate", "binary"), 2, "not a UF2 file"),
]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name, data in FILES.items():
        (tmp_path / name).write_bytes(data)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("pit.ports.boards", lambda: [])
    monkeypatch.delenv("FIRSTCARD_PORT", raising=False)


@pytest.mark.parametrize("words, status, text", CASES, ids=[" ".join(case[0])[-50:] for case in CASES])
def test_a_sentence_and_the_exit_status(pit, folder, words, status, text):
    said = pit(*words)
    assert said.status == status and text in (said.err or said.out).lower().replace(text.lower(), text), said.err
    assert "Traceback" not in said.err and "None" not in said.err + said.out


def test_help_is_shown_where_a_group_stands_alone(pit):
    said = pit("limits")
    assert said.status == 2 and "cancel" in said.out and not said.err


@pytest.mark.parametrize("rows, text", [
    ("E004010012345678", "nothing is no value"), ("E004010012345678,2,50", "write dollars as 2.50"),
    ("E004010012345678,-5", "type dollars"), (",", "no UID"), ("E004010012345678,0", "is worth 1 to")])
def test_chips_are_never_guessed(tmp_path, rows, text):
    from pit.chiplist import ChipList

    path = tmp_path / "maker.csv"
    path.write_text("\ufeffuid,dollars\n" + rows + "\n", encoding="utf-8")
    with pytest.raises(PitError, match=re.escape(text)):
        ChipList("north").add(read_rows(path))


PIECES = (None, True, -1, 0, 10**30, 1.5, float("nan"), "", "x", "3", [], [1], [[]], {}, {"a": 1}, {"spot": []},
          ["TH", None], {"event": {}}, {"event": "bet", "spot": {}}, {"reader": {"spot": []}, "kind": []})


def spoiled(value, chance):
    """The same value with one or more parts replaced by something else."""
    if chance.random() < 0.06:
        return chance.choice(PIECES)
    if isinstance(value, dict):
        return {chance.choice(["x", 1, key]) if chance.random() < 0.03 else key: spoiled(one, chance)
                for key, one in value.items()}
    if isinstance(value, list):
        return [spoiled(one, chance) for one in value]
    return value


def test_spoiled_files_are_refused_by_line_or_are_files(tmp_path):
    """Every kind of step with parts of the wrong kind: nothing but a PitError, or a scenario."""
    from host_tests.tools.test_scenario_files import EVERY_STEP

    whole = yaml.safe_load(EVERY_STEP)
    path = tmp_path / "x.yaml"
    for seed in range(400):
        path.write_text(yaml.safe_dump(spoiled(whole, random.Random(seed))))
        for load in (scenario.load, rule_files.load):
            try:
                load(path)
            except PitError as error:
                assert re.match(r".*x\.yaml:\d+: ", str(error)), error
