"""The models of the I2C bus and of the FRAM on it (tools/pit/emu/i2c.py, fram.py): what they do, what time it takes,
what a power cut leaves."""

import random

import pytest

from pit.emu.flash import PowerCut
from pit.emu.fram import ADDRESS, SIZE, Fram

BUS = """
from machine import I2C, Pin
import time
bus = I2C(0, sda=Pin(4), scl=Pin(5), freq=400_000)
"""


class Wire:
    """A FRAM and whoever speaks to it, without a bus."""

    def __init__(self):
        self.fram = Fram()

    def write(self, at, data):
        self.fram.start(False)
        for byte in (at >> 8, at & 255, *data):
            assert self.fram.write(byte)
        self.fram.stop()

    def read(self, at, n):
        self.fram.start(False)
        self.fram.write(at >> 8)
        self.fram.write(at & 255)
        self.fram.start(True)
        data = bytes(self.fram.read() for _ in range(n))
        self.fram.stop()
        return data


@pytest.fixture
def wire():
    return Wire()


def test_what_is_written_is_read(wire):
    wire.write(0x1234, b"wager")
    assert wire.read(0x1234, 5) == b"wager" and wire.read(0x1233, 1) == b"\0"
    assert (wire.fram.writes, wire.fram.bytes) == (1, 5)


def test_it_goes_on_at_the_beginning_behind_the_end(wire):
    wire.write(SIZE - 2, b"abcd")
    assert wire.read(SIZE - 2, 4) == b"abcd" and bytes(wire.fram.data[:2]) == b"cd"


def test_an_address_alone_is_no_write(wire):
    wire.fram.cut(1, "before", random.Random(1))
    assert wire.read(7, 1) == b"\0" and wire.fram.writes == 0


def test_a_byte_is_there_or_not(wire):
    left = set()
    for seed in range(200):
        wire.fram.data[:16] = b"-" * 16
        wire.fram.cut(1, "torn", random.Random(seed))
        with pytest.raises(PowerCut):
            wire.write(0, b"0123456789abcdef")
        n = len(bytes(wire.fram.data[:16]).rstrip(b"-"))
        assert bytes(wire.fram.data[:16]) == b"0123456789abcdef"[:n] + b"-" * (16 - n) and n
        left.add(n)
        wire.fram.power_up()
    assert left == set(range(1, 17))


@pytest.mark.parametrize("tear, kept", [("before", b"--"), ("after", b"ab")])
def test_a_cut_before_or_after_a_write_is_that(wire, tear, kept):
    wire.fram.data[:2] = b"--"
    wire.fram.cut(2, tear, random.Random(0))
    wire.write(100, b"first")
    with pytest.raises(PowerCut, match=tear):
        wire.write(0, b"ab")
    assert bytes(wire.fram.data[:2]) == kept and bytes(wire.fram.data[100:105]) == b"first"


def test_the_part_is_not_told_a_tear_that_there_is_not(wire):
    with pytest.raises(ValueError, match="tear"):
        wire.fram.cut(1, "half", None)


@pytest.fixture
def on_bus(forked):
    """Function (code, fn) -> what the board printed and fn(board, fram), with a FRAM on bus 0."""

    def run(code, fn=lambda board, fram: None):
        def body(board):
            fram = Fram()
            fram.attach(board)
            out, errors = board.exec(BUS + code)
            return out, errors, fn(board, fram)

        return forked(body)

    return run


def test_micropython_writes_and_reads_it(on_bus):
    out, errors, data = on_bus(f"bus.writeto({ADDRESS}, b'\\x01\\x00table')\n"
                               f"bus.writeto({ADDRESS}, b'\\x01\\x00', False)\n"
                               f"print(bus.readfrom({ADDRESS}, 5))", lambda board, fram: bytes(fram.data[256:261]))
    assert (out, errors, data) == ("b'table'\n", "", b"table")


def test_a_byte_takes_its_nine_bits(on_bus):
    """66 bytes and the address at 400 kHz: 67 * 22.5 us, and no more than the overhead of one call on top."""
    out, _, passed = on_bus(f"buf = bytes(66)\nt = time.ticks_us()\nbus.writeto({ADDRESS}, buf)\n"
                            "print(time.ticks_diff(time.ticks_us(), t))", lambda board, fram: board.i2c(0).bytes)
    assert passed == 67 and 67 * 22 <= int(out) <= 67 * 24 + 300


def test_nobody_at_an_address_is_an_error(on_bus):
    _, errors, _ = on_bus("bus.writeto(0x51, b'\\x00\\x00x')")
    assert "OSError" in errors


def test_the_other_bus_has_other_devices(on_bus):
    _, errors, _ = on_bus(f"I2C(1, sda=Pin(6), scl=Pin(7), freq=400_000).writeto({ADDRESS}, b'\\x00\\x00x')")
    assert "OSError" in errors


def test_a_cut_in_a_write_ends_the_run(on_bus, forked):
    def body(board):
        fram = Fram()
        fram.attach(board)
        board.exec(BUS)
        fram.cut(1, "torn", random.Random(3))
        try:
            board.exec(f"bus.writeto({ADDRESS}, b'\\x00\\x00' + b'x' * 40)")
        except PowerCut as cut:
            return str(cut), bytes(fram.data).count(b"x")

    text, n = forked(body)
    assert "torn" in text and 1 <= n < 40
