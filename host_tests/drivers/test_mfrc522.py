"""The reader of rc522_demo: driver and model on the emulated board, and each thing that public drivers get wrong."""

import pytest

from boards import rc522_demo

from pit import build, firmware, image
from pit.emu import snapshot
from pit.emu.mfrc522 import Proximity
from pit.emu.table import Table

SETUP = """
import array, board, time
from firstcard.drivers import readers
R = readers.Readers(board, array.array('i', [0]))
R.power_up()
def sweep():
    out = []
    R.begin()
    while True:
        wait = R.run(3000)
        if wait == readers.FINISHED: out.append((R.antenna, R.status, bytes(R.uids)))
        elif wait == readers.SWEPT: return out
        elif wait > 0: time.sleep_us(wait)
"""
OK, UNREADABLE, FAULT = 0, 1, 2
FOUR, SEVEN, LIKE_A_TAG = b"\x11\xa1\xb2\xc3", b"\x04\xa1\xb2\xc3\xd4\xe5\x80", b"\x88\x01\xa2\xb3"


@pytest.fixture(scope="module")
def demo():
    files = {path: data for path, data in build.plain_modules("rc522_demo").items()}
    table = Table(image.make_fs(files), firmware.image_path(), rc522_demo, heartbeat=False)
    _, errors = table.board.exec(SETUP, 20_000)
    assert not errors, errors
    yield table
    table.close()


@pytest.fixture
def play(demo):
    """Function (fn(table, value)) -> what it returns, on a fork of the table."""

    def value(code):
        out, errors = demo.board.exec(f"print({code})", 60_000)
        assert not errors, errors
        return eval(out)  # noqa: S307  what our own board has printed

    def run(fn):
        return snapshot.in_fork(lambda: fn(demo, value))

    return run


def lay(table, *uids):
    table.bus.chips += [Proximity(uid, placed_ns=table.board.now_ns) for uid in uids]


def name(uid):
    return uid + bytes(8 - len(uid))


@pytest.mark.parametrize("uid", [FOUR, SEVEN, LIKE_A_TAG])
def test_a_chip_that_rests_is_read_every_time(play, uid):
    """ISSUES 30 to 36, 47, 48: every time, whole, and a UID that begins like a cascade tag is none."""

    def rests(table, value):
        lay(table, uid)
        table.board.run_ms(10)
        return [value("sweep()") for _ in range(6)]

    for told in play(rests):
        assert told == [(0, OK, name(uid)), (1, OK, b""), (2, OK, b"")]


@pytest.mark.parametrize("uids", [(FOUR, SEVEN), (SEVEN, b"\x04\xa1\xb2\xc3\xd4\xe5\x81"), (FOUR, LIKE_A_TAG)])
def test_two_chips_are_unreadable_and_never_one_of_them(play, uids):
    def two(table, value):
        lay(table, *uids)
        table.board.run_ms(10)
        both = [value("sweep()")[0] for _ in range(3)]
        table.bus.chips.pop()
        table.board.run_ms(10)
        return both, [value("sweep()")[0] for _ in range(2)]

    both, one = play(two)
    assert both == [(0, UNREADABLE, b"")] * 3
    assert one[-1] == (0, OK, name(uids[0]))


def test_an_empty_field_costs_little(play):
    """E5, ISSUES 38: no chip, no long wait."""

    def empty(table, value):
        return value("(lambda t: (sweep()[0], time.ticks_diff(time.ticks_us(), t)))(time.ticks_us())")

    told, us = play(empty)
    assert told == (0, OK, b"") and us < 20_000


def test_what_is_spoilt_is_asked_again_and_is_never_absence(play):
    """ISSUES 33, 49: a garbled answer proves presence."""

    def noise(table, value):
        lay(table, SEVEN)
        table.board.run_ms(10)
        table.bus.disturb(5, 0.08)
        told = [value("sweep()")[0] for _ in range(25)]
        return told, value("R.about(0)")[3]

    told, retries = play(noise)
    assert {row[2] for row in told if row[1] == OK} == {name(SEVEN)}
    assert sum(row[1] == OK for row in told) > 18 and retries > 3


@pytest.mark.parametrize(("kind", "health"), [("silent", 3), ("stuck", 2)])
def test_a_dead_line_is_a_fault_with_a_name_and_heals(play, kind, health):
    def dead(table, value):
        lay(table, FOUR)
        table.bus.fault(0, kind)
        first = value("sweep()")[0], value("sweep()")[0], value("R.about(0)")
        table.bus.fault(0, "ok")
        table.board.run_ms(10)
        return first, value("sweep()")[0], value("R.about(0)")

    (first, second, about), healed, after = play(dead)
    assert second == (0, FAULT, b"") and first[1] == FAULT and about[5] == health
    assert healed == (0, OK, name(FOUR)) and after[5] == 0 and after[4] == 1


def test_too_hot_is_a_fault_and_not_an_empty_spot(play):
    def hot(table, value):
        lay(table, FOUR)
        table.bus.fault(0, "hot")
        table.board.run_ms(10)
        told = [value("sweep()")[0] for _ in range(3)], value("R.about(0)")[5]
        table.bus.fault(0, "ok")
        return told, [value("sweep()")[0] for _ in range(16)][-1], value("R.about(0)")[4:]

    (first, health), last, after = play(hot)
    assert first == [(0, FAULT, b"")] * 3 and health == 7
    assert last == (0, OK, name(FOUR)) and after == [1, 0]


@pytest.mark.parametrize("version", [0x12, 0x82])
def test_a_defective_copy_is_refused(play, version):
    """ISSUES 41, 44."""

    def copy(table, value):
        table.bus.version = version
        return value("R.power_up() or R.about(0)")

    assert play(copy)[5] == 4


def test_a_reader_that_has_reset_itself_is_set_up_again(play):
    """ISSUES 50."""

    def reset(table, value):
        lay(table, FOUR)
        table.board.run_ms(10)
        before = value("sweep()")[0]
        table.bus.fault(0, "reset")
        table.board.run_ms(10)
        return before, value("sweep()")[0]

    assert play(reset) == ((0, OK, name(FOUR)),) * 2


def test_a_wrong_check_byte_is_no_chip(play, monkeypatch):
    """ISSUES 27: BCC."""

    def bad(table, value):
        part = Proximity.part
        monkeypatch.setattr(Proximity, "part", lambda chip, level: (part(chip, level)[0][:4] + b"\0", 8))
        lay(table, FOUR)
        table.board.run_ms(10)
        return value("sweep()")[0]

    assert play(bad) == (0, UNREADABLE, b"")


def test_nothing_of_it_goes_to_a_board_with_other_readers():
    fc7, demo = (set(build.sources(board)) for board in ("fc7", "rc522_demo"))
    assert "firstcard/drivers/readers.py" in fc7 & demo
    assert "firstcard/drivers/mfrc522.py" not in fc7 | demo
    assert {f"firstcard/drivers/{module}.py" for module in ("inventory", "pn5180", "readerbus")} <= fc7 - demo
    assert "MFRC522" in build.sources("rc522_demo")["firstcard/drivers/readers.py"]


@pytest.mark.parametrize(("kind", "row"), [
    ("ok", ("reader", "ok", "92")), ("silent", ("reader", "miso-stuck-high-or-no-supply", "ff")),
    ("stuck", ("reader", "miso-stuck-low", "00")), (0x12, ("reader", "wrong-version", "12"))])
def test_the_self_test_names_the_fault(play, kind, row):
    def test(table, value):
        if kind in (0x12,):
            table.bus.version = kind
        else:
            table.bus.fault(0, kind)
        return value("list(__import__('firstcard.drivers.selftest', None, None, ('x',)).run(board, R))")

    assert play(test) == [row]
