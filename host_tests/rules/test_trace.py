"""`pit rules trace`: every clause has a place and a proof; marks, lists and ranges are read as they are written."""

import json

import pytest
from typer.testing import CliRunner

from pit import rules_cli
from pit.errors import PitError
from pit.rules import breaking, trace
from pit.rules.breaks import BREAKS
from pit.rules.clauses import ADVISED, CLAUSES
from pit.rules.explain import explain

COUNTS = {"ND": 51, "IN-BJ": 12, "GCB": 12, "IN-TCP": 14}
PROFILES = {"ND": "us-nd-twentyone", "IN-TCP": "us-in-three-card-poker"}  # those that have clauses of advice

ROWS = trace.trace()


def pit(*arguments):
    result = CliRunner().invoke(rules_cli.app, ["trace", *arguments])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout


def test_all_clauses_are_there():
    assert {prefix: sum(clause.rpartition("-")[0] == prefix for clause in CLAUSES) for prefix in COUNTS} == COUNTS
    assert [row.clause for row in ROWS] == list(CLAUSES) and len(ROWS) == 89


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.clause)
def test_every_clause_has_a_place_and_a_proof(row):
    assert not trace.lacking([row])


@pytest.mark.parametrize("row", [row for row in ROWS if not row.advised], ids=lambda row: row.clause)
def test_what_can_be_sensed_is_enforced_on_the_board(row):
    assert all(place.startswith("firmware/") for place in row.places)


@pytest.mark.parametrize("clause", ADVISED)
def test_what_is_only_advised_is_said_to_people(clause):
    lines = explain(PROFILES[clause.rpartition("-")[0]])
    assert [line for line in lines if clause in line and line.endswith(")")]


@pytest.mark.parametrize("text, clauses", [
    ("ND-12, IN-BJ-09/-10, GCB-06/-10: nothing", "ND-12 IN-BJ-09 IN-BJ-10 GCB-06 GCB-10"),
    ("ND-40 ... ND-43", "ND-40 ND-41 ND-42 ND-43"),
    ("ND-13, -30 ... -33, IN-BJ-09, -11", "ND-13 ND-30 ND-31 ND-32 ND-33 IN-BJ-09 IN-BJ-11"),
    ("ND-14 ... ND-20", "ND-14 ND-19 ND-20"),
    ("IN-BJ-03/04, GCB-02/03 need 21", "IN-BJ-03 IN-BJ-04 GCB-02 GCB-03"),
    ("ND-09, 12 of them", "ND-09"),
    ("ND-44 (first), ND-45", "ND-44 ND-45"),
    ("END-12 and ND-1 and R14", ""),
    ("GCB-99", "GCB-99"),
])
def test_lists_and_ranges(text, clauses):
    assert trace.named(text) == clauses.split()


SAMPLE = '''"""A module that names ND-01: no mark."""

CASES = (
    ("a", "ND-02"),  # GCB-09
)


def helper():
    return CASES


def test_by_helper():
    assert helper()


def test_other():
    """ND-03,
    -04."""


# ND-05 stands behind no test
'''


def test_marks_belong_to_the_tests_behind_them(tmp_path):
    path = tmp_path / "test_sample.py"
    path.write_text(SAMPLE)
    assert trace.marks(path) == [(4, "GCB-09"), (4, "ND-02"), (17, "ND-03"), (18, "ND-04"), (21, "ND-05")]
    assert trace.tests(path) == [(4, "GCB-09", "test_by_helper"), (4, "ND-02", "test_by_helper"),
                                 (17, "ND-03", "test_other"), (18, "ND-04", "test_other")]


def test_what_lacks_is_named():
    row = trace.Row("ND-01", "whole dollars", False, [], [])
    assert trace.lacking([row]) == ["ND-01 (whole dollars): no line enforces it",
                                    "ND-01 (whole dollars): no test or scenario proves it"]
    assert trace.lacking([row._replace(advised=True)])[0].endswith("no line advises it")


def test_a_mark_of_an_unknown_clause_is_an_error(tmp_path, monkeypatch):
    (tmp_path / "a.yaml").write_text("# GCB-13\n")
    monkeypatch.setattr(trace, "SCENARIOS", tmp_path)
    monkeypatch.setattr(trace, "REPOSITORY", tmp_path)
    monkeypatch.setattr(trace, "FIRMWARE", tmp_path)
    monkeypatch.setattr(trace, "TESTS", tmp_path)
    monkeypatch.setattr(trace, "SENTENCES", tmp_path / "test_b.py")
    (tmp_path / "test_b.py").write_text("")
    with pytest.raises(ValueError, match="a.yaml:1: there is no clause GCB-13"):
        trace.trace()


def test_the_command():
    code, text = pit()
    assert code == 0 and "89 of 89 clauses have a place and a proof." in text
    code, text = pit("ND-60", "IN-TCP-04")
    assert code == 0 and "advised:" in text and "core/threecard.py" in text and "IN-TCP-05" not in text
    code, text = pit("--json")
    assert code == 0 and [row["clause"] for row in json.loads(text)] == list(CLAUSES)
    with pytest.raises(PitError, match="there is no clause ND-15"):
        pit("ND-15")


def test_the_command_fails_where_a_proof_lacks(monkeypatch):
    monkeypatch.setattr(trace, "trace", lambda: [ROWS[0]._replace(proofs=[]), ROWS[1]])
    code, text = pit()
    assert code == 1 and "1 of 2 clauses" in text and "no test or scenario proves it" in text


def test_every_clause_has_a_way_to_break_it():
    """`make prove PROOFS=clauses` plays them: the lines stand once where they are said to stand."""
    assert {clause for row in BREAKS for clause in row[0].split()} == set(CLAUSES)
    for _, file, old, new in BREAKS:
        assert breaking.place(trace.REPOSITORY, file).read_text().count(old) == 1, (file, old)
        assert old != new


def test_a_break_turns_its_proofs_red(tmp_path):
    breaking.copy(tmp_path)
    proofs = ["host_tests/scenarios/test_scenarios.py::test_on_the_host[unknown-chip]"]
    assert breaking.broken(tmp_path, "IN-BJ-02", proofs) \
        == [("core/bets.py", "pass", ["test_on_the_host[unknown-chip]"])]
    assert not breaking.red(tmp_path, proofs)  # and it is whole again
