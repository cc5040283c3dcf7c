"""Upkeep over the console: service, restart, self-test, clock, crash and rules; and that each is written down."""

import re

import pytest

from firstcard.core import calendar
from firstcard.store import cell, crash
from host_tests.sim.bench import Bench
from pit.journal.records import from_dump

ROLES = ("operator", "supervisor", "technician")


@pytest.fixture
def bench():
    return Bench(login="technician", roles=ROLES)


def go_on(bench, ms=400):
    """Past a restart: another engine, and its events are numbered anew."""
    bench.engine, bench.round = bench.table.engine, bench.table.engine.round
    bench.events.clear()
    bench.table.advance(60)
    bench.engine, bench.round = bench.table.engine, bench.table.engine.round
    bench.events.clear()
    bench.run(ms)


def facts(bench):
    """[(name, values)] of the journal, everything flushed."""
    keeper = bench.table.engine.keeper
    keeper.flush()
    blocks = bench.table.blocks
    raw = bytearray()
    for block in range(blocks.count):
        data = bytearray(4096)
        blocks.read(block, 0, data)
        raw += data
    return [(fact.name, fact.values) for record in from_dump(bytes(raw)) for fact in record.facts]


@pytest.mark.parametrize("word", ["service", "reboot"])
def test_it_is_written_down_answered_and_then_the_table_restarts(bench, word):
    assert bench.ok(word) == f"OK {word}"
    assert bench.error("status") == 112 and bench.error("open") == 112
    go_on(bench)
    assert bench.events[0]["event"] == "boot" and bench.events[0]["cause"] == word
    assert ("mode", {"mode": word, "by": "technician"}) in facts(bench)
    assert bench.table.is_locked() and bench.state == "CLOSED"


def test_the_strap_is_written_down_at_the_next_start_and_once(bench):
    cell.save(bench.table.memory, cell.SERVICED, b"1")  # as modes.py does
    for _ in range(2):
        bench.table.do({"fault": {"power": "cut"}})
        bench.table.do({"fault": {"power": "restore"}})
        go_on(bench)
    assert facts(bench).count(("mode", {"mode": "service", "by": "strap"})) == 1


def test_the_self_test_has_a_line_and_a_figure_for_each_part(bench):
    place = len(bench.lines)
    assert bench.ok("selftest") == "OK 6"
    rows = bench.lines[place:-1]
    assert [row.split()[1] for row in rows] == ["readers", "edge", "latch", "plaque", "store", "clock"]
    assert all(re.match(r"PROGRESS \w+ ok \d", row) for row in rows) and bench.table.is_locked()
    assert bench.ok("selftest store") == "OK 1"


@pytest.mark.parametrize(("fault", "part", "verdict"), [
    ({"reader": 4, "kind": "silent"}, "readers", "reader-4:silent"), ({"plaque": "dark"}, "plaque", "dark")])
def test_a_part_that_is_not_well_is_named(bench, fault, part, verdict):
    bench.table.do({"fault": fault})
    place = len(bench.lines)
    assert bench.send("selftest").startswith(f'ERROR 125 "not well: {part}.')
    assert any(row.startswith(f"PROGRESS {part} {verdict} ") for row in bench.lines[place:])


def test_a_memory_that_does_not_answer_or_lies_is_not_well(bench):
    memory = bench.table.memory
    memory.broken = True
    assert bench.error("selftest store") == 125
    memory.broken = False
    write, memory.write = memory.write, lambda at, data: None
    assert bench.error("selftest store") == 125
    memory.write = write
    assert bench.error("selftest store") == 0


def test_clocks_that_come_apart_are_not_well(bench):
    assert bench.error("selftest clock") == 0
    bench.engine._skew += 30
    assert bench.error("selftest clock") == 125


def test_the_time_is_in_the_journal_from_then_on_and_unknown_after_a_restart(bench):
    assert bench.ok("time") == "OK unset"
    bench.run(5000)
    bench.ok("time 2026-11-30T08:50:00")
    bench.run(2000)
    assert bench.ok("time") == "OK 2026-11-30T08:50:02Z"
    bench.ok("logout")
    wall = calendar.parse("2026-11-30T08:50:00") - 5
    assert ("time", {"wall": wall, "by": "technician"}) in facts(bench)
    assert bench.engine.keeper.wall == wall
    bench.table.do({"fault": {"power": "cut"}})
    bench.table.do({"fault": {"power": "restore"}})
    go_on(bench)
    assert bench.ok("time") == "OK unset"
    assert [values["wall"] for name, values in facts(bench) if name == "boot"] == [0, 0]


@pytest.mark.parametrize("text", ["today", "2026-11-31T08:50:00", "2026-02-29T00:00:00", "1999-12-31T23:59:59",
                                  "2026-11-30T24:00:00", "2026-11-30T08:60:00", "2026-11-30T08:50:60",
                                  "20261130T085000", "2026-13-01T00:00:00", "2026-00-01T00:00:00",
                                  "2026-01-00T00:00:00"])
def test_what_is_no_time_of_day(bench, text):
    assert bench.error(f"time {text}") == 126 and bench.ok("time") == "OK unset"


@pytest.mark.parametrize(("text", "seconds"), [
    ("2000-01-01T00:00:00Z", 0), ("2000-03-01T00:00:00Z", 60 * 86400), ("2001-01-01T00:00:00Z", 366 * 86400),
    ("2024-02-29T12:00:00Z", 762523200), ("2026-11-30T08:50:00Z", 849343800), ("2099-12-31T23:59:59Z", 3155759999)])
def test_the_calendar(text, seconds):
    assert calendar.parse(text) == seconds and calendar.show(seconds) == text


def test_a_crash_is_told_line_by_line(bench):
    assert bench.error("crash") == 124
    crash.save(bench.table.memory, "sweeper, boot 1, 5 ms\nTraceback:\nValueError: worn out")
    place = len(bench.lines)
    assert bench.ok("crash") == "OK 3"
    assert bench.lines[place:-1] == ["PROGRESS crash sweeper, boot 1, 5 ms", "PROGRESS crash Traceback:",
                                     "PROGRESS crash ValueError: worn out"]


def test_a_crash_that_the_power_cut_short_is_none(bench):
    crash.save(bench.table.memory, "sweeper\nValueError")
    bench.table.memory.data[crash.PLACE + crash.HEAD + 3] ^= 1
    assert bench.error("crash") == 124


def test_a_long_crash_keeps_its_end(bench):
    crash.save(bench.table.memory, "x" * 2000 + "\nthe end")
    assert crash.load(bench.table.memory).endswith("\nthe end")


# the rules


def test_an_option_holds_from_the_restart_on_and_is_written_down(bench):
    assert bench.ok("option decks 8").startswith("OK us-in-blackjack hash=")
    assert bench.engine.profile.decks == 6
    go_on(bench)
    assert bench.engine.profile.decks == 8 and bench.state == "CLOSED" and not bench.engine.faults
    assert ("rules", {"name": "decks", "value": "8", "hash": bench.engine.profile.hash, "by": "technician"}) \
        in facts(bench)


def test_who_tells_of_other_tables_is_written_down():
    """A higher minimum may rest on it (ND-03)."""
    bench = Bench(min=300, max=2500, login="operator", roles=ROLES, profile="us-nd-twentyone")
    bench.ok("tables 3-25,5-25 idle")
    bench.ok("limits set 5 25")
    assert ("rules", {"name": "other_tables", "value": "3-25,5-25 idle", "hash": bench.engine.profile.hash,
                      "by": "operator"}) in facts(bench)


def test_another_profile_with_its_options(bench):
    bench.ok("logout")
    bench.login("supervisor")
    bench.ok("limits set 3 25")
    bench.ok("profile us-nd-twentyone tips=on tip_cap=10")
    go_on(bench)
    assert bench.engine.profile.id == "us-nd-twentyone" and bench.engine.profile.tip_cap == 1000
    assert not bench.engine.faults and bench.state == "CLOSED"


@pytest.mark.parametrize(("line", "number"), [
    ("option decks 9", 73), ("option tips on", 74), ("option valve 1", 72), ("profile pontoon", 70),
    ("profile gcb-blackjack", 75), ("profile us-nd-twentyone", 34), ("profile us-in-blackjack decks", 11),
    ("option dealer_natural_beats_21 off", 77)])
def test_rules_that_the_loader_refuses_change_nothing(bench, line, number):
    assert bench.error(line) == number
    assert bench.ok("option decks") == "OK 1" and not bench.engine.console.leaving


def test_no_other_rules_while_a_change_of_limits_is_pending(bench):
    bench.ok("logout")
    bench.login("supervisor")
    bench.ok("limits set 10 200 in 20m")
    bench.round.limits.pending = bench.round.limits.pending or (1000, 20000, "supervisor", 1_200_000)
    assert bench.error("option decks 8") == 127


def test_settings_that_cannot_be_written_change_nothing(bench, monkeypatch):
    def full(settings):
        raise OSError(28)

    monkeypatch.setattr(bench.table, "keep", full)
    assert bench.error("option decks 8") == 48 and not bench.engine.console.leaving


def test_rules_that_were_changed_in_a_round_are_still_a_fault():
    bench = Bench()
    bench.bets((3, 2500))
    bench.draw("TH", "KD")
    bench.table.keep({"profile": "us-in-blackjack", "options": {"decks": 8}})
    bench.table.do({"fault": {"power": "cut"}})
    bench.table.do({"fault": {"power": "restore"}})
    go_on(bench)
    assert list(bench.engine.faults) == ["profile-changed"] and bench.state == "SAFE"


# who the table is


def test_id_has_the_table_and_what_was_checked(bench):
    text = bench.ok("id")
    assert "table=" not in text and " chips=ok " in text and text.endswith(" mode=RUN")
    bench.engine.settings["table"] = "5"
    assert " table=5 " in bench.ok("id")
    bench.engine._genuine = False
    assert " chips=checking " in bench.ok("id")
    bench.engine.fault("registry")
    assert " chips=false " in bench.ok("id")


def test_no_challenge_comes_twice_though_the_noise_does(bench):
    """The board's noise may be poor: number of the power-up and of the challenge make the difference."""
    bench.table.random = lambda n: bytes(n)
    seen = {bench.ok("login technician") for _ in range(3)}
    for _ in range(2):
        bench.table.do({"fault": {"power": "cut"}})
        bench.table.do({"fault": {"power": "restore"}})
        go_on(bench)
        seen.add(bench.ok("login technician"))
    assert len(seen) == 5
