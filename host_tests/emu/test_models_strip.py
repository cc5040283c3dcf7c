"""The strip model: frames from edges, on a board without a processor."""

import pytest

from boards import fc7
from pit.emu.fakeboard import FakeBoard
from pit.emu.ledcurrent import SupplyCurrent
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


@pytest.fixture
def chain(board):
    """Three LEDs whose end comes back; `edges`: (ns, level) on the return pin."""
    strip = Strip(fc7.LEDS, count=3, back=fc7.PLAQUE_RETURN, sense=fc7.PLAQUE_CURRENT)
    strip.edges, drive = [], board.drive
    board.drive = lambda gp, level: (strip.edges.append((board.now_ns, level)), drive(gp, level))
    strip.attach(board)
    strip.edges.clear()
    return strip


def bits(strip):
    """Bits that came back, from their high times."""
    assert [level for _, level in strip.edges] == [True, False] * (len(strip.edges) // 2)
    at = [ns for ns, _ in strip.edges]
    return "".join({320: "0", 800: "1"}[fall - rise] for rise, fall in zip(at[::2], at[1::2], strict=True))


def test_fourth_pixel_comes_back_from_three_leds(board, chain):
    draw(board, [(1, 1, 1), (2, 2, 2), (3, 3, 3), (0x5A, 0, 0xFF)])
    board.run_us(100)
    assert bits(chain) == f"{0x5A00FF:024b}"
    assert chain.edges[0][0] == 3 * 24 * 1250 + 3 * 300, "each LED on the way takes 0.3 us"


def test_nothing_comes_back_without_a_surplus(board, chain):
    draw(board, [(1, 1, 1), (2, 2, 2), (3, 3, 3)])
    board.run_us(100)
    draw(board, [(1, 1, 1)])
    board.run_us(100)
    assert chain.edges == []


@pytest.mark.parametrize("kind, leds, back", [
    ("dead-led", [(8, 8, 8), (0, 0, 0), (0, 0, 0)], 0),
    ("short", [(8, 8, 8), (8, 8, 8), (0, 0, 0)], 48),
    ("long", [(8, 8, 8)] * 3, 0),
    ("stuck", [(1, 2, 3)] * 3, 0),
    ("dark", [(0, 0, 0)] * 3, 0),
    ("weak", [(8, 8, 8)] * 3, 24),
    ("ok", [(8, 8, 8)] * 3, 24),
])
def test_faults(board, chain, kind, leds, back):
    draw(board, [(1, 2, 3)] * 4)
    board.run_us(100)
    chain.edges.clear()
    chain.fault(kind)
    draw(board, [(8, 8, 8)] * 4)
    board.run_us(3_000)
    assert chain.leds == leds and len(bits(chain)) == back
    shares = sum(part for led in leds for part in led) / 255
    mean = sum(chain.current.ma(board.now_ns + n * 5_000) for n in range(100)) / 100  # over one pulse
    idle = 0.6 * (3 + (kind == "long"))
    light = 12 * shares * (0.5 if kind == "weak" else 1)
    assert mean == pytest.approx(0 if kind == "dark" else idle + light, rel=0.05, abs=0.01)
    board.run_us(500)
    chain.fault("ok")
    chain.edges.clear()
    draw(board, [(9, 9, 9)] * 4)
    board.run_us(100)
    assert chain.leds == [(9, 9, 9)] * 3 and len(bits(chain)) == 24


def test_fault_in_the_middle_of_a_frame(board, chain):
    draw(board, [(1, 1, 1)])
    chain.fault("stuck")
    draw(board, [(2, 2, 2)])
    chain.fault("ok")
    board.run_us(100)
    draw(board, [(7, 7, 7)] * 3)
    board.run_us(100)
    assert chain.leds == [(7, 7, 7)] * 3


def test_unknown_fault(chain):
    with pytest.raises(ValueError, match="dead-led short long stuck dark weak or ok"):
        chain.fault("wet")


def test_current_is_pulsed_and_smoothed():
    current = SupplyCurrent()
    current.show(0, [(255, 0, 0)] * 10, 10)
    assert current.ma(150_000) == pytest.approx(126 * 0.632, rel=0.01), "one time constant"
    assert current.ma(5_000_000) == pytest.approx(126, rel=0.001), "full shade: no pulses"
    current.show(5_000_000, [(51, 0, 0)] * 10, 10)
    seen = [current.ma(10_000_000 + n * 10_000) for n in range(200)]
    assert sum(seen) / 200 == pytest.approx(6 + 24, rel=0.02), "a fifth of the time"
    assert max(seen) - min(seen) > 20, "and what is left of the pulses"
    assert current.volts(13_000_000) < 0.4
    current.show(13_000_000, [(255, 255, 255)] * 70, 70)
    assert current.volts(20_000_000) == 3.3, "the amplifier has no more"
