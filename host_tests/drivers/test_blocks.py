"""Blocks of chips are read by address, twice, with the errors of chip and air told apart."""

import pytest

from pit.emu.hosttable import HostTable
from pit.emu.tagfield import Disturbance, Tag

UIDS = [bytes((n, 7, 0, 0, 0, 1, 4, 0xE0)) for n in (1, 2)]
OK, SILENT, GARBLED, DIFFERENT, DEAD, ERROR = 0, 1, 2, 3, 4, 0x100


@pytest.fixture
def table():
    table = HostTable()
    table.run("import board\nfrom firstcard.drivers import blocks, pn5180, readerbus\nreaderbus.init(board)\n"
              "pn5180.hard_reset(board.READER_RESET)\npn5180.bring_up(3, True)\nTX = pn5180.tx_config(3)")
    for n, uid in enumerate(UIDS):
        tag = Tag(uid)
        tag.memory[:] = bytes((at * 3 + n) & 255 for at in range(len(tag.memory)))
        table.fields[3].place(tag, table.board.now_ns)
    yield table
    assert not table.bus.violations and table.fields[3].on_ns is None, "the field is off again"


def read(table, uid, first, count=1, antenna=3):
    return table.value(f"blocks.read({antenna}, TX, {uid!r}, {first}, {count})")


@pytest.mark.parametrize(("first", "count"), [(0, 1), (4, 1), (4, 4), (27, 1), (0, 28)])
def test_the_blocks_of_one_chip_of_two(table, first, count):
    for n, uid in enumerate(UIDS):
        wanted = bytes((at * 3 + n) & 255 for at in range(4 * first, 4 * (first + count)))
        assert read(table, uid, first, count) == (OK, wanted)


def test_errors_are_told_apart(table):
    assert read(table, bytes(8), 0) == (SILENT, b"")
    assert read(table, UIDS[0], 28) == (ERROR | 0x10, b""), "the chip has no such block"
    assert read(table, UIDS[0], 0, antenna=25) == (DEAD, b""), "there is no such reader: BUSY stays high"
    table.fields[3].disturbance = Disturbance(1, noise=1.0)
    assert read(table, UIDS[0], 0) == (GARBLED, b"")


def test_two_readings_that_differ_are_none(table):
    """A chip that is written to, or wrong data that no CRC shows (ISSUES 7)."""
    tag = table.fields[3].tags[0]
    stock = tag.memory
    answers = [bytearray(b"a" * len(stock)), bytearray(b"b" * len(stock))]

    class Fickle(Tag):
        memory = property(lambda self: answers.pop(0) if len(answers) > 1 else answers[0], lambda self, value: None)

    table.fields[3].tags[0] = Fickle(tag.uid)
    assert read(table, tag.uid, 0) == (DIFFERENT, b"")
