"""The picture on the LED strip (firstcard.core.digits)."""

from firstcard.core import digits

SEGMENTS = ("abcdef", "bc", "abged", "abgcd", "fgbc", "afgcd", "afgedc", "abc", "abcdefg", "abcdfg")  # of 0..9


def lit(buf, led):
    return bytes(buf[led * 3 : led * 3 + 3]) != b"\0\0\0"


def shape(buf, digit):
    """Names of the lit segments of the plaque's digit 0..8."""
    return "".join(["abcdefg"[s] for s in range(7) if lit(buf, 7 + digit * 7 + s)])


def draw(low, high, colour=digits.GREEN, spots=bytes(7)):
    buf = bytearray(b"\xaa" * digits.size(7))
    digits.draw(buf, low, high, colour, spots)
    return buf


def test_the_strip_of_seven_spots_has_70_leds():
    assert digits.size(7) == 210


def test_5_to_500_dollars_is_right_aligned_with_blanks_in_front():
    buf = draw(500, 50000)
    shapes = [shape(buf, digit) for digit in range(9)]
    assert shapes == ["", "", "", "acdfg", "", "", "acdfg", "abcdef", "abcdef"]
    assert digits.decode(buf) == (500, 50000, digits.GREEN)


def test_every_digit_lights_its_own_segments():
    for value in range(1, 10):
        assert shape(draw(value * 100, 0), 3) == "".join(sorted(SEGMENTS[value])), value
    assert shape(draw(1000, 0), 3) == SEGMENTS[0]


def test_colours_are_green_red_blue_on_the_wire_and_dim():
    for colour, grb in ((digits.GREEN, (1, 0, 0)), (digits.RED, (0, 1, 0)), (digits.AMBER, (1, 1, 0))):
        buf = draw(888800, 8888800, colour)
        for led in range(7, 70):
            assert tuple([1 if level else 0 for level in buf[led * 3 : led * 3 + 3]]) == grb
        assert 32 <= max(buf[21:]) <= 64
        assert digits.decode(buf) == (888800, 8888800, colour)


def test_spot_leds_come_first_each_in_its_own_colour():
    spots = bytes((digits.RED, digits.OFF, digits.GREEN, digits.AMBER, 0, 0, digits.RED))
    buf = draw(500, 2500, digits.GREEN, spots)
    assert [lit(buf, led) for led in range(7)] == [True, False, True, True, False, False, True]
    assert bytes(buf[0:3]) == bytes(buf[18:21]) and buf[0] == 0 and buf[1] > 0
    assert digits.decode(buf) == (500, 2500, digits.GREEN)


def test_nothing_is_left_of_the_picture_before():
    buf = draw(888800, 8888800, digits.RED, bytes((digits.RED,) * 7))
    digits.draw(buf, 100, 700, digits.OFF, bytes(7))
    assert bytes(buf) == bytes(210)
    assert digits.decode(buf) == (0, 0, digits.OFF)


def test_what_the_digits_cannot_show_is_dashes_and_never_another_number():
    for low in (1000000, 250, -500):
        buf = draw(low, 50000)
        assert [shape(buf, digit) for digit in range(4)] == ["g"] * 4, low
        assert digits.decode(buf) == (-1, 50000, digits.GREEN)
    assert digits.decode(draw(500, 10000000)) == (500, -1, digits.GREEN)


def test_decode_takes_tuples_and_reports_what_is_broken():
    buf = draw(500, 10000)
    leds = [tuple(buf[at : at + 3]) for at in range(0, 210, 3)]
    assert digits.decode(leds) == (500, 10000, digits.GREEN)
    leds[7 + 21] = (0, 0, 0)  # segment a of the 5 is dead
    assert digits.decode(leds)[0] == -1
    leds[7 + 21] = (0, 64, 0)  # or it shines red
    assert digits.decode(leds) == (500, 10000, -1)
