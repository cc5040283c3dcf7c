"""The operator's console: every command by every role in every state, and what each answers.

Who may do what is said twice: in the command table, and here by hand for what the design fixes.
"""

import pytest

from firstcard.proto import commands
from host_tests.sim.bench import Bench

STATES = ("SAFE", "CLOSED", "OPEN", "LOCKED", "EXTRA", "SETTLE")
LIVE = {"OPEN", "LOCKED", "EXTRA", "SETTLE"}
ROLES = (None, "operator", "supervisor", "technician")
BAD_STATE, LOGIN_NEEDED, ROLE_NEEDED = 12, 13, 14
SAMPLE = {"<command>": "open", "<role>": "operator", "<hmac>": "00" * 32, "<min>": "10", "<max>": "200",
          "<list>": "3-25", "<name>": "stand", "<id>": "1", "<code>|<n>": "TH", "<on|off>": "on", "<value>": "1",
          "<nonce>": "00" * 16, "<seq>": "1", "<hash>": "00" * 12, "<iso8601>": "2026-11-30T08:50:00",
          "...": ""}
BY_HAND = {  # command: (roles, states) as the design has them
    "open": ({"operator", "supervisor"}, {"CLOSED"}),
    "close": ({"operator", "supervisor"}, LIVE),
    "limits set": ({"operator", "supervisor"}, {"CLOSED"} | LIVE),
    "ack": ({"supervisor"}, set(STATES)),  # IN-BJ-12, GCB-12
    "key ack": ({"supervisor"}, set(STATES)),  # IN-BJ-12, GCB-12 as well
    "key supervisor-confirm": ({"supervisor"}, {"CLOSED"} | LIVE),
    "key": ({"operator", "supervisor", "technician"}, {"CLOSED"} | LIVE),
    "card": ({"operator", "supervisor", "technician"}, LIVE),
}
ANYBODY = ("id", "status", "help", "login", "logout", "limits", "bets", "round", "alarms", "version")


def bench_in(state, role):
    bench = Bench(login=None, roles=("operator", "supervisor", "technician"))
    if state == "SAFE":
        bench.engine.fault("task")
    elif state != "CLOSED":
        bench.engine.open()
        bench.bets((1, 1000))
        if state != "OPEN":
            bench.draw("TS", "AC" if state == "EXTRA" else "9C", "9D", "8D")  # with an ace up insurance is open
    if state == "SETTLE":
        bench.login("supervisor")
        bench.ok("key stand")
        bench.ok("key reveal")
        bench.ok("logout")
    if role:
        bench.login(role)
    assert bench.state == state
    return bench


def line_of(entry):
    words, shape = entry[commands.WORDS], entry[commands.SHAPE]
    needed = " ".join(token for token in shape.split() if not token.startswith("[") and not token.endswith("]"))
    return " ".join([words] + [SAMPLE[token] for token in needed.split()])


def verdict(entry, role, state):
    """Number of the refusal due, or None."""
    if not entry[commands.STATES] >> ("SAFE", "CLOSED", "OPEN", "LOCKED", "EXTRA", "SETTLE").index(state) & 1:
        return BAD_STATE
    who = entry[commands.WHO]
    if not who or role and who & commands.ROLES[role]:
        return None
    return ROLE_NEEDED if role else LOGIN_NEEDED


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("role", ROLES)
def test_every_command_is_refused_or_obeyed_as_the_table_says(state, role):
    shared = bench_in(state, role)
    for entry in commands.TABLE:
        due = verdict(entry, role, state)
        reads = entry[commands.WHO] == 0 and entry[commands.ID] not in ("login", "answer", "logout")
        bench = shared if due or reads else bench_in(state, role)
        place = bench.mark()
        number = bench.error(line_of(entry))
        if due:
            assert number == due, (entry, role, state)
            refused = bench.one("refused", place)
            assert (refused["number"], refused["command"]) == (due, line_of(entry).split()[0])
            assert bench.state == state
            if due == BAD_STATE:
                assert state in refused["text"]  # refused with the state named
        else:
            assert number not in (BAD_STATE, LOGIN_NEEDED, ROLE_NEEDED), (entry, role, state)


@pytest.mark.parametrize("words", BY_HAND)
def test_the_table_says_what_the_design_says(words):
    roles, states = BY_HAND[words]
    for entry in commands.TABLE:
        if entry[commands.WORDS] == words:
            for role in ROLES:
                for state in STATES:
                    assert (verdict(entry, role, state) is None) == (role in roles and state in states), (role, state)


def test_what_anybody_may_ask_at_any_time():
    for words in ANYBODY:
        entry = next(e for e in commands.TABLE if e[commands.WORDS] == words)
        assert all(verdict(entry, None, state) is None for state in STATES)


def test_help_lists_what_is_allowed_now_and_nothing_else():
    for state, role, there, not_there in (("CLOSED", None, "id", "open"), ("CLOSED", "operator", "open", "close"),
                                          ("OPEN", "operator", "close", "open"), ("OPEN", "operator", "limits", "ack"),
                                          ("LOCKED", "supervisor", "ack", "open")):
        bench = bench_in(state, role)
        place = len(bench.lines)
        bench.ok("help")
        listed = [line.split()[1] for line in bench.lines[place:] if line.startswith("# ")]
        assert there in listed and not_there not in listed, (state, role, listed)


# lines that are no command


@pytest.mark.parametrize("line, number", [("frobnicate", 10), ("limits set 5", 11), ("ack", 11), ("open now", 11),
                                          ("key", 11), ("x" * 97, 1), ("status\x07", 2), ("status*0000", 3)])
def test_a_bad_line_gets_one_error_and_the_next_is_read(line, number):
    bench = Bench()
    assert bench.error(line) == number
    assert bench.ok("version").startswith("OK")


@pytest.mark.parametrize("ending", ["\r", "\n", "\r\n"])
def test_any_line_ending_and_empty_lines(ending):
    bench = Bench()
    data = ("version" + ending + ending + "version" + ending).encode()
    bench.engine.console_bytes(data, len(data))
    bench.run(1)
    assert [line for line in bench.lines[-2:]] == ["OK 0.1.0"] * 2


# login


def test_login_by_challenge_and_its_refusals():
    bench = Bench(login=None, roles=("supervisor",))
    assert bench.error("answer " + "00" * 32) == 17
    assert bench.error("login dealer") == 18
    assert bench.error("login operator") == 110  # no key for that role on this board
    first = bench.ok("login supervisor")
    assert bench.ok("login supervisor") != first  # a challenge is never repeated
    assert bench.error("answer " + "00" * 32) == 15
    assert bench.error("answer " + "00" * 32) == 17  # and counts once
    assert bench.error("open") == 13
    bench.login("supervisor")
    assert bench.error("open") == 0
    bench.ok("logout")
    assert bench.error("close") == 13


# limits


@pytest.mark.parametrize("line, number", [
    ("limits set 10 200", 0), ("limits set 2.00 200", 0), ("limits set 200 10", 31), ("limits set 0 10", 32),
    ("limits set 2.50 10", 35), ("limits set five 10", 20), ("limits set -5 10", 20), ("limits set 10 999999", 36),
    ("limits set 10 200 in 90", 0), ("limits set 10 200 in 90s", 0), ("limits set 10 200 in 20m", 0),
    ("limits set 10 200 in soon", 25), ("limits set 10 200 at 90", 25)])
def test_limits_set(line, number):
    bench = Bench()
    place = bench.mark()
    assert bench.error(line) == number
    assert len(bench.told("limits", place)) == (0 if number else 1)
    if number:
        assert bench.one("refused", place, number=number, command="limits")


def test_limits_in_open_take_effect_when_due_and_no_chip_lies_on_any_spot():
    bench = Bench()
    bench.bets((1, 1000))
    bench.ok("limits set 20 200 in 3s")
    pending = bench.told("limits")[-1]
    assert pending["min"] == 500 and pending["pending"]["due_ms"] == bench.now + 3000
    assert bench.told("plaque")[-1]["colour"] == "amber"
    bench.run(6000)
    assert bench.told("limits")[-1] is pending
    bench.lift(1)
    bench.run(2000)
    assert bench.told("limits")[-1]["min"] == 2000 and bench.told("limits")[-1]["pending"] is None
    assert (bench.told("plaque")[-1]["min"], bench.told("plaque")[-1]["colour"]) == (2000, "green")


def test_a_notice_below_the_profiles_is_refused():
    bench = Bench(options={"notice_s": 60})
    bench.bets((1, 1000))
    assert bench.error("limits set 10 200 in 30s") == 37
    assert bench.error("limits set 10 200 in 60s") == 0


def test_without_a_time_the_notice_of_the_profile_is_given():
    bench = Bench(options={"notice_s": 60})
    bench.bets((1, 1000))
    bench.ok("limits set 10 200")
    assert bench.told("limits")[-1]["pending"] == {"min": 1000, "max": 20000, "due_ms": bench.now + 60_000}


def test_with_no_chips_on_any_spot_no_notice_is_needed():
    bench = Bench(options={"notice_s": 60})
    bench.ok("open")
    bench.run(3000)
    assert bench.error("limits set 10 200") == 0


# keys


@pytest.mark.parametrize("line, number", [
    ("key stand 9", 19), ("key stand 0", 19), ("key stand x", 19), ("key stand 2", 55), ("key reveal", 55),
    ("key dance", 21), ("key settled", 60), ("key settled 2", 59), ("key confirm", 51), ("key cancel 1", 51),
    ("key supervisor-confirm", 63), ("card XX", 23), ("card TH", 53), ("ack 7", 65), ("ack x", 65), ("key ack 7", 65),
    ("limits cancel", 64), ("last", 28)])
def test_what_cannot_be_done_now_is_refused_by_number_and_told(line, number):
    bench = bench_in("LOCKED", "supervisor")
    place = bench.mark()
    assert bench.error(line) == number
    assert bench.one("refused", place)["number"] == number
    assert bench.state == "LOCKED" and len(bench.events) == place + 1


# answers


def answers(bench, line):
    place = len(bench.lines)
    bench.ok(line)
    return bench.lines[place:]


def test_what_is_told_of_bets_and_round():
    bench = bench_in("LOCKED", None)
    bench.place(3, 2500)
    bench.run(2000)
    told = answers(bench, "bets")
    assert told[0].startswith("PROGRESS bet spot=1 zone=main sum=10 value=10") and told[-1] == "OK 2"
    told = answers(bench, "round")
    assert told[0] == "PROGRESS wager spot=1 zone=main value=10" and told[-1] == "OK round=1 state=LOCKED"
    assert told[1:3] == ["PROGRESS hand 1.1 cards TS 9D", "PROGRESS hand dealer cards 9C **"] and len(told) == 4
    told = answers(bench, "alarms")
    assert told == ["PROGRESS alarm id=1 kind=late-bet spot=3 zone=main by=25", "OK 1"]


def test_last_is_the_round_before():
    bench = bench_in("SETTLE", "supervisor")
    bench.ok("key settled")
    assert bench.ok("last") == "OK round=1 stakes=10 returned=10 won=10"


def test_events_off_tells_none_and_on_goes_on():
    bench = Bench()
    bench.ok("events off")
    place = bench.mark()
    bench.ok("open")
    assert bench.mark() == place
    assert bench.error("events maybe") == 11
