"""Logins: PINs that cost time and tries, what a try costs, how a login ends, and that no secret is ever told."""

import pytest

from firstcard.app import session
from firstcard.proto import login
from host_tests.sim.bench import KEY, Bench
from pit import keys
from pit.errors import PitError

PIN = "602214"
WRONG = "314159"
SUPERVISOR = 1  # place of the role's count of tries


def bench():
    bench = Bench(login=None)
    bench.engine.settings["pins"] = {"supervisor": keys.pin_record(PIN, bytes(16))}
    return bench


def enter(bench, pin, role="supervisor"):
    """Type a login with a PIN and wait for the answer: the last line."""
    already = len(bench.lines)
    bench.table.engine.console_bytes(b"login %s %s\n" % (role.encode(), pin.encode()), len(role) + len(pin) + 8)
    for _ in range(100):
        bench.run(50)
        for line in bench.lines[already:]:
            if line.startswith(("OK", "ERROR")):
                return line.strip()
    raise AssertionError("no answer")


def told(bench, name):
    return [{k: v for k, v in event.items() if k not in ("seq", "ms")} for event in bench.events
            if event["event"] == name]


def test_a_right_pin_lets_in_and_says_how():
    b = bench()
    assert enter(b, PIN) == "OK supervisor"
    assert told(b, "login") == [{"event": "login", "role": "supervisor", "how": "pin"}]
    b.ok("open")


def test_a_wrong_pin_does_not_and_is_told():
    b = bench()
    assert enter(b, WRONG) == 'ERROR 15 "the login was not accepted: begin again with login supervisor"'
    assert told(b, "login-failed") == [{"event": "login-failed", "role": "supervisor", "how": "pin", "wait_s": 0}]
    assert b.error("open") == 13


@pytest.mark.parametrize("pin", ["", PIN[:-1], PIN + "0", "0" + PIN, PIN + " "])
def test_what_is_nearly_right_is_wrong(pin):
    b = bench()
    if pin.strip() in ("", PIN):
        return  # a challenge follows, or the same word
    assert enter(b, pin).startswith("ERROR 15")


def test_while_a_pin_is_checked_every_other_line_waits():
    b = bench()
    line = b"login supervisor " + PIN.encode() + b"\nstatus\n"
    b.table.engine.console_bytes(line, len(line))
    b.run(200)
    assert b.lines[-1].startswith("ERROR 111")
    b.run(4000)
    assert b.lines[-1].strip() == "OK supervisor"


def test_each_wrong_pin_in_a_row_costs_twice_the_wait():
    b = bench()
    for _ in range(session.FREE_TRIES):
        assert enter(b, WRONG).startswith("ERROR 15")
    waits = []
    for _ in range(8):
        assert enter(b, WRONG).startswith("ERROR 15")
        waits.append(told(b, "login-failed")[-1]["wait_s"])
        assert enter(b, PIN).startswith("ERROR 16"), "not even the right one"
        assert f"wait {waits[-1]} seconds" in b.lines[-1]
        b.run(waits[-1] * 1000)
    assert waits == [60, 120, 240, 480, 960, 1920, 3600, 3600]
    assert enter(b, PIN) == "OK supervisor"
    assert b.table.tries(SUPERVISOR) == 0
    assert enter(b, WRONG).startswith("ERROR 15")


def test_ten_thousand_guesses_take_more_than_a_year():
    """PINs have 6 digits or more: half of them is what a guesser needs on average."""
    guessed_s = sum(session.wait_s(tries) for tries in range(10_000))
    assert guessed_s > 365 * 86_400
    assert 500_000 * session.LONGEST_WAIT_S > 50 * 365 * 86_400
    assert session.wait_s(10_000) == session.LONGEST_WAIT_S == session.wait_s(10**9)


def test_a_try_is_counted_before_it_is_checked():
    """Cutting the power while a PIN is checked gives no free guess."""
    b = bench()
    line = b"login supervisor " + WRONG.encode() + b"\n"
    b.table.engine.console_bytes(line, len(line))
    assert b.table.tries(SUPERVISOR) == 1


def test_after_a_restart_the_wait_begins_anew():
    b = bench()
    b.table.tries(SUPERVISOR, session.FREE_TRIES + 2)
    b.engine.console.session = session.Session(b.engine)
    assert enter(b, PIN) == 'ERROR 16 "too many wrong PINs: wait 120 seconds, or log in with pit and the key"'


def test_a_lock_out_does_not_keep_the_key_out():
    b = bench()
    b.table.tries(SUPERVISOR, 30)
    b.login("supervisor")
    b.ok("open")


def test_who_knows_one_pin_gets_no_more_guesses_at_another():
    """An operator who logs in between tries does not set the supervisor's count back."""
    b = bench()
    b.engine.settings["pins"]["operator"] = keys.pin_record("271828", bytes(16))
    for _ in range(session.FREE_TRIES + 1):
        assert enter(b, WRONG).startswith("ERROR 15")
        assert enter(b, "271828", "operator") == "OK operator"
    assert enter(b, PIN).startswith("ERROR 16")


def test_without_a_memory_for_them_tries_are_counted_until_the_power_goes():
    b = bench()
    b.table.memory = None
    for _ in range(session.FREE_TRIES + 1):
        assert enter(b, WRONG).startswith("ERROR 15")
    assert enter(b, PIN).startswith("ERROR 16")


def test_a_host_that_goes_leaves_nothing_to_the_next_one():
    """Unplugged while a PIN is checked, with half a line typed and the events off."""
    b = bench()
    b.ok("events off")
    line = b"login supervisor " + PIN.encode() + b"\n"
    b.table.engine.console_bytes(line, len(line))
    b.run(200)
    b.table.engine.console_bytes(b"limits set 1 ", 13)
    b.engine.console.host_left()
    b.run(4000)
    assert not told(b, "login") and b.error("open") == 13
    assert b.engine.telling, "and the next one hears what happens"


def test_no_pin_is_set():
    assert enter(Bench(login=None), PIN).startswith("ERROR 29")


def test_a_login_ends_with_silence():
    b = bench()
    b.login("supervisor")
    b.run(session.ROLE_MS - 1000)
    b.ok("limits")
    b.run(session.ROLE_MS - 1000)
    assert not told(b, "logout"), "every line counts"
    b.run(2000)
    assert told(b, "logout") == [{"event": "logout", "role": "supervisor", "why": "silence"}]
    assert b.error("open") == 13


def test_logging_in_as_somebody_else_ends_the_first_login():
    b = Bench(login=None, roles=("operator", "supervisor"))
    b.login("supervisor")
    b.login("operator")
    b.ok("logout")
    b.ok("logout")
    assert [row["event"] + " " + row["role"] for row in b.events if row["event"] in ("login", "logout")] == [
        "login supervisor", "logout supervisor", "login operator", "logout operator"]


def test_a_recorded_login_is_good_for_nothing():
    b = Bench(login=None)
    first = b.ok("login supervisor").split()[1]
    answer = login.to_hex(login.hmac_sha256(bytes.fromhex(KEY), b"supervisor" + bytes.fromhex(first)))
    b.ok("answer " + answer)
    b.ok("logout")
    assert b.error("answer " + answer) == 17
    assert b.ok("login supervisor").split()[1] != first
    assert b.error("answer " + answer) == 15
    assert b.error("answer " + answer) == 17, "a challenge takes one answer"


@pytest.mark.parametrize("line", [PIN, "login " + PIN, "login supervisr " + PIN, "login supervisor", "pin " + PIN,
                                  "login supervisor {0} {0}".format(PIN), "login supervisor " + PIN,
                                  "answer " + PIN, "answer " + KEY])
def test_no_secret_comes_back(line):
    """Wherever a PIN is typed by mistake, what the table puts out does not hold it."""
    b = bench()
    line = line.encode() + b"\n"
    b.table.engine.console_bytes(line, len(line))
    b.run(4000)
    b.ok("status")
    record = b.engine.settings["pins"]["supervisor"]
    for secret in (PIN, KEY, *record):
        assert secret not in "".join(b.lines)


@pytest.mark.parametrize("pin", ["12345", "1234567890123", "12a456", "111111", "121212", "", "١٢٣٤٥٦"])
def test_pins_that_are_no_good(pin):
    with pytest.raises(PitError):
        keys.pin_record(pin)


def test_a_record_is_salted():
    assert keys.pin_record(PIN) != keys.pin_record(PIN)
    assert len(bytes.fromhex(keys.pin_record(PIN)[1])) == 32
