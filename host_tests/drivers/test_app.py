"""Drivers, tasks and engine together on the emulated table: LOCK is high whenever something is wrong, and somebody is
told. What becomes of a task that fails: test_supervision.py.
"""

import re

import pytest

from pit import build, firmware, image, keys
from pit.emu import snapshot
from pit.emu.table import Table

KEY = "ab" * 32
PIN = keys.pin_record("602214")
CHIPS = [(0xE0040100 << 32 | n).to_bytes(8, "little") for n in range(1, 22)]


def table():
    files = build.files("fc7", {"keys": {"supervisor": KEY}, "pins": {"operator": PIN}}, [(uid, 500) for uid in CHIPS])
    return Table(image.make_fs(files), firmware.image_path())


def command(played, line):
    """Send an operator line; its final line."""
    played.board.send(line.encode() + b"\r\n")
    return played.board.expect(rb"(?m)^((?:OK|ERROR).*)\r\n", 3_000)[1].decode()


def up(played):
    """Boot to CLOSED, log in and open."""
    played.board.send(b"\r\n")
    played.board.expect(rb'"state":"CLOSED"', 5_000)
    nonce = command(played, "login supervisor").split()[-1]
    assert command(played, "answer " + keys.answer(KEY, "supervisor", nonce)).startswith("OK")
    assert command(played, "open") == "OK"
    return played


@pytest.fixture(scope="module")
def open_table():
    with table() as played:
        up(played)
        for spot in range(1, 8):
            played.place(spot, "main", CHIPS[3 * spot - 3 : 3 * spot])
        played.board.run_ms(1_500)
        yield played
        assert not played.board.faults and not played.bus.violations


def test_boot_says_what_it_is(figure):
    with table() as played:
        played.board.run_ms(1_500)
        assert not played.board.out, "nothing before a host has spoken"
        played.board.send(b"\r\n")
        first = played.board.expect(rb'"ms":(\d+),"event":"boot"', 1_000)
        assert command(played, "id").startswith("OK firstcard")
        assert played.lock_level and not [level for _, level in played.lock_log if not level], "locked all the time"
        figure("power-up to the boot event", int(first[1]), "ms", 1_500)


def test_lock_at_any_instant_of_a_sweep(open_table, figure):
    """The pin at the edge, the engine a few milliseconds later, with chips on seven spots."""

    def edge(us):
        board = open_table.board
        at = []
        open_table.lock_log.clear()
        board.after_us(us, lambda: at.append(board.now_ns))
        open_table.edge(delay_us=us)
        board.run_us(us + 50_000)
        return (open_table.lock_log[0][0] - at[0]) / 1000, len(open_table.lock_log)

    found = snapshot.fork_map(edge, [7_919 * n % 400_000 + n * 0.37 for n in range(24)])
    assert all(times == 1 for _, times in found)
    figure("edge to LOCK with the application sweeping 21 chips", max(us for us, _ in found), "us", 0.1)


def test_host_that_does_not_read_delays_nothing(open_table, figure):
    def play():
        board = open_table.board
        board.host_reads = False
        seen = len(board.out)
        for _ in range(40):
            board.send(b"id\r\n")
        board.run_ms(100)
        at = []
        open_table.lock_log.clear()
        open_table.edge(delay_us=10_000)
        board.after_us(10_000, lambda: at.append(board.now_us))
        board.run_ms(400)
        board.host_reads = True
        open_table.board.run_ms(300)
        told = re.search(rb'"ms":(\d+),"event":"lock"', bytes(board.out[seen:]))
        return at[0], open_table.lock_log[0], told and int(told[1])

    at, (ns, level), told = snapshot.in_fork(play)
    assert level and ns / 1000 - at < 0.1
    if told is not None:  # the queue is bounded: with a host that deaf the line may be dropped, but whole
        figure("edge to the lock event, host not reading", round(told - at / 1000, 1), "ms", 120)


@pytest.mark.parametrize("line", [b"help\r", b"option\n", b"status\r\n", b"login supervisor\n"])
def test_long_answers_without_end_keep_nobody_waiting(open_table, figure, line):
    """Others get their turn after each line, and after each row of `help`: the lock is told, and no card is taken for
    a disagreement of beams and shoe."""

    def play():
        board = open_table.board
        seen = len(board.out)
        board.send(line * 60)
        board.run_ms(200)
        open_table.draw("TH")
        began = board.now_us
        board.expect(rb'"event":"lock"', 1_000)
        told_ms = (board.now_us - began) / 1000
        board.run_ms(600)
        said = bytes(board.out[seen:])
        return told_ms, b'"event":"alarm"' in said, said.count(b"OK")

    told_ms, alarmed, answers = snapshot.in_fork(play)
    assert not alarmed and answers > 2
    figure(f"edge to the lock event under {line.split()[0].decode()} without end", round(told_ms, 1), "ms", 100)


def test_frame_locks_the_table(open_table):
    def play():
        board = open_table.board
        open_table.lock_log.clear()
        began = board.now_us
        open_table.frame("9C")
        board.expect(rb'"event":"lock".*"cause":"frame"', 1_000)
        return open_table.lock_log[0][0] / 1000 - began, open_table.lock_log[0][1], len(open_table.lock_log)

    us, level, times = snapshot.in_fork(play)
    assert level and times == 1 and us < 6_000


def test_card_that_is_pushed_back_locks_and_counts_none(open_table):
    def play():
        seen = len(open_table.board.out)
        open_table.edge(back=True)
        open_table.board.run_ms(1_000)
        return bytes(open_table.board.out[seen:])

    said = snapshot.in_fork(play)
    assert b'"event":"lock"' in said and b'"event":"card"' not in said


def test_latch_that_dies_while_open_locks(open_table):
    """Its machine is stopped from outside: the comparison in the tick notices and LOCK goes up."""

    def play():
        board = open_table.board
        board.mcu.pio[0].machines[0].enabled = False
        board.run_ms(150)
        board.expect(rb'"event":"fault","code":"latch"', 500)
        return open_table.lock_level

    assert snapshot.in_fork(play)


def test_a_handler_that_has_died_locks_and_is_named(open_table):
    """The interrupt of beam A is off, as it is once a handler has raised: seen before any card comes."""

    def play():
        board, pins = open_table.board, open_table.pins
        register = 0x4001_4100 + 4 * (pins.BEAM_A >> 3)  # PROC0_INTE
        bits = board.mcu.read_uint32(register)
        board.mcu.write_uint32(register, bits & ~(8 << 4 * (pins.BEAM_A & 7)))
        board.run_ms(150)
        board.expect(rb'"event":"fault","code":"latch"', 500)
        locked = open_table.lock_level
        board.run_ms(500)
        return locked, command(open_table, "open")

    locked, answer = snapshot.in_fork(play)
    assert locked and answer.startswith("ERROR 46"), "nor does the self-test let it open"


def test_a_reader_bus_that_hangs_locks_and_is_named(open_table):
    def play():
        for antenna in open_table.fields:
            open_table.fault({"reader": antenna, "kind": "stuck"})
        board = open_table.board
        board.expect(rb'"event":"fault","code":"reader"', 3_000)
        board.expect(rb'"event":"state","state":"SAFE"', 5_000)
        return open_table.lock_level, command(open_table, "status"), command(open_table, "open")

    locked, status, answer = snapshot.in_fork(play)
    assert locked and "state=SAFE" in status and answer.startswith("ERROR")


def test_service_strap_keeps_the_prompt():
    with table() as played:
        played.service()
        played.board.run_ms(300)
        played.board.send(b"\r\n")
        played.board.run_ms(100)
        assert played.board.exec("print(6 * 7)")[0] == "42\n"
        assert played.lock_level


def test_ctrl_c_stops_nothing(open_table):
    def play():
        return command(open_table, "\x03\x03"), command(open_table, "id")

    refused, answer = snapshot.in_fork(play)
    assert refused.startswith("ERROR") and answer.startswith("OK firstcard")


def test_a_login_ends_when_the_host_goes(open_table):
    """What a reset of the bus does to the mark: test_port.py."""

    def play():
        open_table.board.mcu.write_uint32(0x50100078, 0)
        open_table.board.expect(rb'"event":"logout","role":"supervisor","why":"host"', 200)
        return command(open_table, "close")

    assert snapshot.in_fork(play).startswith("ERROR 13")


def test_a_pin_is_checked_beside_the_sweeps(open_table, figure):
    """Half a second of hashing, in slices: a card in the midst of it is told as soon as ever."""

    def play():
        board = open_table.board
        begun = board.now_us
        board.send(b"login operator 602214\r\n")
        board.run_ms(200)
        open_table.lock_log.clear()
        open_table.edge()
        edge_us = board.now_us
        board.expect(rb'"event":"lock"', 500)
        told_us = board.now_us
        said = board.expect(rb"(?m)^(OK operator|ERROR.*)\r\n", 5_000)[1]
        return said, (told_us - edge_us) / 1000, (board.now_us - begun) / 1000, open_table.lock_log[0][1]

    said, lock_ms, took_ms, level = snapshot.in_fork(play)
    assert said == b"OK operator" and level
    figure("edge to the lock event while a PIN is checked", round(lock_ms, 1), "ms", 120)
    figure("login with a PIN while sweeping 21 chips", round(took_ms), "ms", 3_000)


def test_guessing_goes_on_where_it_was_whenever_the_plug_is_pulled(open_table):
    """The plug is out before the answer to each guess: it counts all the same, and then the right one does not help."""

    def play():
        for _ in range(5):
            open_table.board.send(b"login operator 314159\r\n")
            open_table.board.run_ms(300)
            open_table.power_cut()
            open_table.board.run_ms(50)
            open_table.restore()
            open_table.board.run_ms(1_500)
            open_table.board.send(b"\r\n")
            open_table.board.run_ms(300)
        return command(open_table, "login operator 602214"), command(open_table, "login supervisor")

    refused, challenge = snapshot.in_fork(play)
    assert refused.startswith("ERROR 16") and challenge.startswith("OK ")


def test_who_plugs_in_next_gets_nothing_of_the_one_before(open_table):
    """The host goes (see above) while a PIN is checked, with half a line typed."""

    def play():
        board = open_table.board
        command(open_table, "logout")
        board.send(b"login operator 602214\r\nlimits set 1 ")
        board.run_ms(300)
        board.mcu.write_uint32(0x50100078, 0)
        board.run_ms(4_000)
        return bytes(board.out), command(open_table, "5"), command(open_table, "limits set 10 200")

    said, rest, answer = snapshot.in_fork(play)
    assert b'"role":"operator"' not in said and rest.startswith("ERROR 10") and answer.startswith("ERROR 13")
