"""The short form of `make prove PROOFS=fuzz`, and that it would see a crash, an open door and a lost answer."""

import pytest

from firstcard.app import answers, console, session
from firstcard.proto import commands, crc
from pit.emu import snapshot
from pit.prove import fuzz
from pit.prove.fuzzlines import Lines, Owed

CLOSED_NOBODY, CLOSED_OPERATOR, LOCKED_NOBODY = 1, 7, 3  # seeds


@pytest.mark.parametrize("seed", range(24))
def test_every_state_and_role(seed):
    wrong, lines, told = fuzz.on_host(seed, 500)
    assert not wrong and lines == 500 and told > 350


def test_the_board():
    rig = fuzz.Board()
    (wrong, times), (wrong_locked, more) = snapshot.fork_map(lambda seed: fuzz.on_board(rig, seed, 50), (0, 3))
    assert not wrong and not wrong_locked and len(times) > 25 and len(more) > 25
    rig.table.close()


def planted(monkeypatch, where, name, bug, seed):
    monkeypatch.setattr(where, name, bug)
    return fuzz.on_host(seed, 5000)[0]


def test_a_planted_crash_is_found(monkeypatch):
    """An argument that is believed to be a number."""
    def crash(self, rest):
        return "%d" % int(rest[-1]) if rest else ""

    assert "ValueError" in planted(monkeypatch, console.Console, "do_journal", crash, CLOSED_OPERATOR)


def test_a_planted_door_is_found(monkeypatch):
    """A right that is not asked for in one state."""
    stock = commands.refusal

    def lax(entry, role, state):
        return None if entry[commands.ID] == "limits-set" and state == 1 else stock(entry, role, state)

    assert "changed without a login" in planted(monkeypatch, commands, "refusal", lax, CLOSED_NOBODY)


def test_a_lock_that_falls_is_found(monkeypatch):
    def falls(self, rest):
        self.engine.ports._lock = False
        return ""

    assert "LOCK is low in LOCKED" in planted(monkeypatch, answers.Answers, "do_round", falls, LOCKED_NOBODY)


def test_a_login_without_its_key_is_found(monkeypatch):
    def enter(self, given):
        self._enter("operator", "key")
        return "operator"

    assert "somebody is operator now" in planted(monkeypatch, session.Session, "answer", enter, CLOSED_NOBODY)


def test_an_answer_that_does_not_come_is_found(monkeypatch):
    stock = console.Console._error

    def silent(self, number, *values):
        if number != 2:
            stock(self, number, *values)

    assert "answers" in planted(monkeypatch, console.Console, "_error", silent, CLOSED_NOBODY)


@pytest.mark.parametrize(("data", "owed"), [
    (b"id\r\n", 1), (b"\r\n\n\r", 0), (b"  \r\n", 0), (b"id\nid\rid", 2), (b"x" * 96 + b"\n", 1), (b"\0\n", 1),
    (b"x" * 97 + b"\n", 1), (b"\xff" * 300 + b"\r\n", 1), (b"   *%04X\n" % crc.crc16(b"   "), 0), (b"   *0000\n", 1)])
def test_what_is_owed(data, owed):
    assert Owed().take(data) == owed


def test_a_half_line_is_owed_nothing_before_its_end():
    owed = Owed()
    assert [owed.take(part) for part in (b"i", b"d", b"\r", b"\n")] == [0, 0, 1, 0]


def test_the_same_seed_gives_the_same_lines_of_every_kind():
    import random

    once, again = (Lines(random.Random(5)) for _ in range(2))
    lines = [once.next() for _ in range(2000)]
    assert lines == [again.next() for _ in range(2000)]
    ended = {len(line.rstrip(b"\r\n")) for line in lines}
    assert {63, 64, 65, 95, 96, 97, 127, 128, 129} <= ended
    assert any(line[-1:] not in b"\r\n" for line in lines) and any(max(line) > 127 for line in lines)
