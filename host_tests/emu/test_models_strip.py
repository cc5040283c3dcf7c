"""The strip model: frames from edges, on a board without a processor."""

import pytest

from boards import fc7
from pit.emu.fakeboard import FakeBoard
from pit.emu.strip import Strip

ZERO_US, ONE_US, BIT_US = 0.25, 0.875, 1.25


@pytest.fixture
def board():
    return FakeBoard()


@pytest.fixture
def strip(board):
    strip = Strip(fc7.LEDS)
    strip.attach(board)
    return strip


def pulse(board, high_us, low_us):
    board.set(fc7.LEDS, True)
    board.run_us(high_us)
    board.set(fc7.LEDS, False)
    board.run_us(low_us)


def draw(board, pixels):
    for pixel in pixels:
        for byte in pixel:
            for bit in range(7, -1, -1):
                high_us = ONE_US if byte >> bit & 1 else ZERO_US
                pulse(board, high_us, BIT_US - high_us)


def test_frame_is_shown_after_the_reset_gap_only(board, strip):
    pixels = [(1, 2, 3), (0xFF, 0, 0x80)]
    draw(board, pixels)
    board.run_us(40)
    assert strip.leds == []
    board.run_us(20)
    assert strip.leds == pixels
    assert strip.malformed == 0
    draw(board, [(9, 9, 9)])
    board.run_us(100)
    assert strip.leds == [(9, 9, 9), (0xFF, 0, 0x80)]  # the second LED has heard nothing new
    assert len(strip.frames) == 2


def test_few_alarms_for_eighty_leds(board, strip):
    draw(board, [(n, n, n) for n in range(80)])
    board.run_us(100)
    assert len(strip.leds) == 80
    assert board.alarms < 100


def test_surplus_leaves_the_last_led(board):
    strip = Strip(fc7.LEDS, count=2)
    strip.attach(board)
    draw(board, [(1, 1, 1), (2, 2, 2), (3, 3, 3)])
    board.run_us(100)
    assert strip.leds == [(1, 1, 1), (2, 2, 2)]
    assert strip.surplus == [(3, 3, 3)]


@pytest.mark.parametrize("high_us", [0.1, 0.52, 1.2])
def test_bits_of_a_wrong_length_are_counted(board, strip, high_us):
    draw(board, [(1, 1, 1)])
    pulse(board, high_us, 1)
    for _ in range(23):
        pulse(board, ZERO_US, 1)
    board.run_us(100)
    assert strip.malformed == 1


def test_frame_with_a_part_of_an_led(board, strip):
    draw(board, [(1, 1, 1)])
    pulse(board, ZERO_US, 1)
    board.run_us(100)
    assert strip.leds == [(1, 1, 1)]
    assert strip.malformed == 1


def test_long_pause_within_a_frame_is_counted(board, strip):
    draw(board, [(1, 1, 1)])
    board.run_us(20)
    draw(board, [(2, 2, 2)])
    board.run_us(100)
    assert strip.malformed == 1


def test_line_that_stays_high(board, strip):
    board.set(fc7.LEDS, True)
    board.run_us(500)
    assert strip.malformed >= 1 and strip.frames == []
    board.set(fc7.LEDS, False)
    board.run_us(200)
    draw(board, [(4, 5, 6)])
    board.run_us(100)
    assert strip.leds == [(4, 5, 6)]
