"""The runner: table time, expectations in order, replies, log-in, warnings; on a table that plays by rote."""

import io
import json
import sys
from pathlib import Path

import pytest

from pit import scenario
from pit.errors import TableError
from pit.runner import Runner, matches
from pit.targets.host import HostTarget

sys.path.insert(0, str(Path(__file__).parent))
from fake_table import FakeTable  # noqa: E402

HEAD = "profile: us-in-blackjack\nsteps:\n"


def play(steps, script=None, table=None):
    table = table or FakeTable(script)
    told = []
    outcome = Runner(scenario.parse(HEAD + steps, "t.yaml"), HostTarget(table),
                     lambda kind, data: told.append((kind, data))).play()
    return outcome, table, told


def lines(table):
    return [action["line"] for action in table.actions if "line" in action]


def test_it_logs_in_by_challenge_and_sends_lines():
    outcome, table, _ = play("- open\n- key: stand\n- key: {name: double, spot: 4}\n- key: {name: ack, id: 2}\n"
                             "- key: {name: oral, spot: 2, amount: 5000}\n- send: limits set 10 200\n- close\n")
    assert outcome.failure is None
    assert lines(table)[0] == "login supervisor" and lines(table)[1].startswith("answer ")
    assert lines(table)[2:] == ["open", "key stand", "key double 4", "ack 2", "key oral 2 50", "limits set 10 200",
                                "close"]


def test_login_none_starts_logged_out():
    table = FakeTable()
    Runner(scenario.parse("login: none\n" + HEAD + "- open\n"), HostTarget(table)).play()
    assert lines(table) == ["open"]


def test_steps_take_no_time_except_those_that_do():
    at = {}
    script = {"place": lambda table, arg: at.setdefault("place", table.now_ms),
              "draw": lambda table, arg: at.setdefault(arg["code"], table.now_ms),
              "edge": lambda table, arg: at.setdefault("edge", table.now_ms)}
    play("- place: {spot: 1, chips: [500]}\n- wait: 1500\n- draw: [TH, 9C]\n- edge\n", script)
    start = at["place"]
    assert {name: ms - start for name, ms in at.items()} == {"place": 0, "TH": 1500, "9C": 1900, "edge": 2300}


def test_events_are_consumed_in_order():
    def opened(table, line):
        table.line("OK")
        table.event("bet", 100, spot=1, zone="main", sum=500)
        table.event("bet", 200, spot=2, zone="main", sum=700)

    good = "- open\n- expect: {event: bet, spot: 1}\n- expect: {event: bet, spot: 2}\n"
    assert play(good, {"line": opened})[0].failure is None
    bad = "- open\n- expect: {event: bet, spot: 2}\n- expect: {event: bet, spot: 1}\n"
    failure = play(bad, {"line": opened})[0].failure
    assert failure.startswith("t.yaml:5: expected bet spot=1 within 10000 ms; since line 4 came:")


def test_a_failure_tells_what_came_instead():
    script = {"line": lambda table, line: table.event("alarm", 50, id=1, kind="decrease", spot=3, text="x")}
    failure = play("- open\n- expect: {event: alarm, kind: increase, within: 500}\n", script)[0].failure
    assert "expected alarm kind=increase within 500 ms" in failure
    assert "alarm id=1 kind=decrease spot=3" in failure


def test_within_is_table_time():
    def opened(table, line):
        table.line("OK")
        table.event("round", 3000, round=1, result="complete")

    script = {"line": opened}
    assert play("- open\n- expect: {event: round, within: 3000}\n", script)[0].failure is None
    assert play("- open\n- expect: {event: round, within: 2900}\n", script)[0].failure


def test_expect_none_is_the_reverse_and_consumes_nothing():
    def opened(table, line):
        table.line("OK")
        table.event("alarm", 1500, id=1, kind="swap", text="x")

    script = {"line": opened}
    both = "- open\n- expect_none: {event: alarm, within: 1000}\n- expect: {event: alarm}\n"
    assert play(both, script)[0].failure is None
    failure = play("- open\n- expect_none: {event: alarm, within: 2000}\n", script)[0].failure
    assert "expected no alarm within 2000 ms" in failure
    assert play("- open\n- wait: 2000\n- expect_none: {event: alarm, within: 0}\n", script)[0].failure


def test_replies_are_those_of_the_line_before():
    def answer(table, line):
        table.line('ERROR 12 "close first"' if "bad" in line else "OK", 5)

    good = "- send: bad\n- expect: {reply: error, number: 12}\n- send: good\n- expect: {reply: ok}\n"
    assert play(good, {"line": answer})[0].failure is None
    bad = "- key: stand\n- expect: {reply: ok}\n- send: bad\n- expect: {reply: ok, within: 100}\n"
    failure = play(bad, {"line": answer})[0].failure
    assert "expected reply=ok" in failure and "12 close first" in failure


def test_the_next_step_waits_for_the_answer():
    at = {}
    script = {"line": lambda table, line: table.line("OK", 40),
              "edge": lambda table, arg: at.setdefault("edge", table.now_ms)}
    _, _, told = play("- key: stand\n- edge\n", script)
    replies = [data for kind, data in told if kind == "reply"]
    assert replies[-1]["ms"] <= at["edge"]


def test_a_dead_console_holds_nobody_up():
    at = {}
    script = {"line": lambda table, line: at.setdefault("line", table.now_ms),
              "edge": lambda table, arg: at.setdefault("edge", table.now_ms)}
    play("- key: stand\n- edge\n", script)
    assert at["edge"] - at["line"] == 500


def test_events_come_while_cards_are_drawn():
    script = {"draw": lambda table, arg: table.event("card", 120, n=1, code=arg["code"], to="1.1")}
    outcome, _, told = play("- draw: [TH, 9C]\n- wait: 10\n", script)
    cards = [data["ms"] for kind, data in told if kind == "event" and data["event"] == "card"]
    assert cards[1] - cards[0] == 400


@pytest.mark.parametrize("between, warned", [
    ("- wait: 1000\n", True),
    ("- wait: 1500\n", False),
    ("- expect: {event: bet}\n", False),
])
def test_a_young_chip_at_an_edge_is_warned_of(between, warned):
    script = {"line": lambda table, line: table.event("state", state="OPEN", round=1),
              "place": lambda table, arg: table.event("bet", 300 if "expect" in between else 1400, spot=1, zone="main")}
    steps = "- open\n- wait: 1\n- place: {spot: 1, chips: [500]}\n" + between + "- draw: [TH]\n"
    assert bool(play(steps, script)[0].warnings) is warned


def test_a_late_chip_is_not_warned_of():
    script = {"line": lambda table, line: table.event("state", state="LOCKED", round=1)}
    assert not play("- open\n- wait: 1\n- place: {spot: 1, chips: [500]}\n- draw: [TH]\n", script)[0].warnings


def test_a_rest_of_rounding_is_no_time_to_wait_for():
    """An emulated clock ticks in steps of 8 ns: a wait of 1e-13 ms would never be over."""

    class Grained(HostTarget):
        @property
        def now_ms(self):
            return self._table.now_ms + (0.1 + 0.2 - 0.3 if self._table.now_ms else 0)

        def advance(self, ms):
            return super().advance(int(ms + 0.5)) if ms > 1e-6 else []

    outcome = Runner(scenario.parse(HEAD + "- wait: 100\n- wait: 7\n"), Grained(FakeTable())).play()
    assert outcome.failure is None


def test_a_table_that_never_comes_up_is_an_error():
    with pytest.raises(TableError, match="did not come up"):
        play("- open\n", table=FakeTable(boots=False))


def test_a_line_outside_the_protocol_is_an_error():
    with pytest.raises(TableError, match="not in the operator protocol"):
        play("- open\n- wait: 5\n", {"line": lambda table, line: table.line("Traceback (most recent call last):")})


def test_true_is_not_one():
    assert matches({"proven": True}, {"proven": True})
    assert not matches({"proven": 1}, {"proven": True})
    assert not matches({"spot": 1}, {"spot": True})


def test_pit_run_speaks_json_and_nothing_else(tmp_path, monkeypatch):
    from pit import play as play_module

    file = tmp_path / "t.yaml"
    file.write_text(HEAD + "- open\n- expect: {event: alarm, within: 10}\n")
    monkeypatch.setattr(play_module, "make_target", lambda name: HostTarget(FakeTable()))
    out, err = io.StringIO(), io.StringIO()
    assert play_module.run_files([str(file)], as_json=True, out=out, err=err) == 1
    events = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [event["event"] for event in events] == ["boot", "state"]
    assert f"{file}:4: expected alarm" in err.getvalue()


def test_pit_run_tells_people_what_happened(tmp_path, monkeypatch):
    from pit import play as play_module

    def opened(table, line):
        table.event("plaque", min=500, max=20000, colour="green", proven=True)
        table.event("bet", spot=1, zone="main", sum=500, value=500, excess=0, verdict="ok", chips=1)
        table.line("OK")

    file = tmp_path / "t.yaml"
    file.write_text("title: hello\n" + HEAD + "- open\n- wait: 100\n")
    monkeypatch.setattr(play_module, "make_target", lambda name: HostTarget(FakeTable({"line": opened})))
    out, err = io.StringIO(), io.StringIO()
    assert play_module.run_files([str(file)], out=out, err=err) == 0
    text = out.getvalue()
    assert "hello" in text and "spot 1: $5 in 1 chip" in text and "as expected: 4 events" in text
    assert "|_" in text, "the plaque is drawn"
    assert not err.getvalue()


def test_a_wrong_file_stops_everything_before_it_starts(tmp_path):
    from pit import play as play_module

    (tmp_path / "bad.yaml").write_text(HEAD + "- opn\n")
    err = io.StringIO()
    assert play_module.run_files([str(tmp_path / "bad.yaml")], err=err) == 2
    assert "bad.yaml:3: 'opn' is no step: did you mean `open`?" in err.getvalue()
