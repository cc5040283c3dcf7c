"""pit.mutants: what is changed and what is not, and that a trial tells noticed from unnoticed."""

import pytest

from pit.mutants import mutate, trial
from pit.mutants.__main__ import WANTED, every_mutant, percent, report

SOURCE = '''"""A module that says 1 + 1."""
LIMIT = 5


def name(self, a: int, b=2):
    """Says a < b."""
    if a and b:
        self.x = a
    local = f"{a + 1}" + "no %d" % a
    return local if not a >= b else -a
'''


def changed(source):
    return [(m.where, m.before, m.after) for m in mutate.mutants("core/x.py", source)]


def test_each_kind_of_change():
    found = changed(SOURCE)
    assert ("module", "LIMIT = 5", "LIMIT = 6") in found and ("module", "LIMIT = 5", "LIMIT = 4") in found
    for before, after in (("a and b", "a or b"), ("a and b", "not (a and b)"), ("self.x = a", "pass"),
                          ("a >= b", "a > b"), ("a >= b", "a < b"), ("not a >= b", "a >= b"), ("-a", "a"),
                          ("local if not a >= b else -a", "-a if not a >= b else local"),
                          ("return local if not a >= b else -a", "return None")):
        assert ("name", before, after) in found, before


def test_what_is_left_alone():
    for _, before, after in changed(SOURCE):
        assert "A module" not in before and "Says" not in before
        assert "int" not in before
        assert not before.startswith("local =") or after != "pass"
        assert before != "'no %d' % a"


def test_no_two_mutants_are_the_same_and_each_compiles():
    found = list(mutate.mutants("core/x.py", SOURCE))
    assert len({m.hash for m in found}) == len({m.key for m in found}) == len(found)
    for m in found:
        compile(m.text, m.module, "exec")


def test_the_core_has_thousands():
    found = list(every_mutant("core/hands"))
    assert len(found) > 100
    assert {m.module for m in found} == {"core/hands.py"}


def test_a_trial_tells_who_noticed(monkeypatch):
    monkeypatch.setattr(trial, "STAGES", (("common",),))
    monkeypatch.setattr(trial, "FILES", "test_hands.py")
    text = (trial.ROOT / "firmware/firstcard/core/hands.py").read_text()
    assert trial.run("core/hands.py", text)[0] is None
    assert "test_hands.py::" in trial.run("core/hands.py", text.replace("best > 21", "best > 22"))[0]


def test_a_hang_is_noticed(monkeypatch):
    monkeypatch.setattr(trial, "STAGES", (("common",),))
    monkeypatch.setattr(trial, "TEST_CPU_S", 1)
    text = (trial.ROOT / "firmware/firstcard/core/hands.py").read_text()
    assert trial.run("core/hands.py", text + "\nwhile True:\n    pass\n")[0].startswith("hang: ")


def test_a_reason_does_not_make_a_survivor_noticed(monkeypatch, tmp_path):
    monkeypatch.setattr("pit.mutants.__main__.REPORT", tmp_path / "mutants.md")
    first, second = list(mutate.mutants("core/x.py", SOURCE))[:2]
    noticed, survivors = report([(first, {"killed": None}), (second, {"killed": "test_x"})], 9, {first.key: "Equal."})
    text = (tmp_path / "mutants.md").read_text()
    assert noticed == 1 and len(survivors) == 1 and "1 of 2 noticed: 50.0 %" in text and "Equal." in text
    assert "| core/x.py | 2 | 1 | 50 % |" in text


@pytest.mark.parametrize("part, whole, score", [(9, 10, 90.0), (0, 0, 100.0)])
def test_the_score(part, whole, score):
    assert percent(part, whole) == score and WANTED == 90
