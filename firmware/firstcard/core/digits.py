"""The picture of the LED strip: spot LEDs, then the plaque's minimum (4 digits) and maximum (5 digits).

Order on the strip: spot 1 first, then per digit seven LEDs for segments a..g, digits from left to right. Whole dollars,
right aligned, leading blanks. Three bytes a LED in the strip's order green, red, blue (WS2812 data sheet,
"Composition of 24bit data"). A value the digits cannot show becomes dashes, never another number; 0 (no limit set)
is blank. The time until new limits apply has a dash in front: no number of it can be taken for a limit.
"""

MIN_DIGITS = 4
MAX_DIGITS = 5
PLAQUE_LEDS = (MIN_DIGITS + MAX_DIGITS) * 7

OFF = 0
GREEN = 1
RED = 2
AMBER = 3
NAMES = ("off", "green", "red", "amber")
GRB = b"\x00\x00\x00" b"\x30\x00\x00" b"\x00\x40\x00" b"\x18\x40\x00"  # at most 64: 70 LEDs stay below 0.6 A

# Colour of a spot that a prompt is about, by kind: amber asks, red is wrong, green is paid
ASKING = {"amount": RED, "unsettled": RED, "card": RED, "stack": RED, "tip": RED, "settle": GREEN}

# One byte a digit, bit 0 = segment a ... bit 6 = segment g; after 0..9 the dash and the blank
FONT = b"\x3f\x06\x5b\x4f\x66\x6d\x7d\x07\x7f\x6f\x40\x00"
DASH = 10
BLANK = 11


def size(spots):
    """Bytes of the whole strip of a table with that many spots."""
    return (spots + PLAQUE_LEDS) * 3


def draw(buf, min_cents, max_cents, colour, spot_colours):
    """Draw limits in one colour and the spots in theirs into `buf` (bytearray of `size(len(spot_colours))`).

    Allocates nothing. colour and each of spot_colours: OFF, GREEN, RED or AMBER.
    """
    spots = len(spot_colours)
    for spot in range(spots):
        shade = spot_colours[spot] * 3
        for byte in range(3):
            buf[spot * 3 + byte] = GRB[shade + byte]
    _number(buf, spots * 3, min_cents, MIN_DIGITS, colour * 3)
    _number(buf, (spots + MIN_DIGITS * 7) * 3, max_cents, MAX_DIGITS, colour * 3)


def count_down(buf, seconds, colour):
    """Draw the time that is left in place of the limits: minutes, then seconds. Allocates nothing."""
    at = len(buf) - PLAQUE_LEDS * 3
    _time(buf, at, min(seconds // 60, 999), MIN_DIGITS, 1, colour * 3)
    _time(buf, at + MIN_DIGITS * 21, seconds % 60, MAX_DIGITS, 2, colour * 3)


def decode(leds):
    """(min_cents, max_cents, colour) that a strip shows, for hosts and tests: the inverse of `draw`.

    leds: flat bytes as `draw` makes them, or a list of (g, r, b); only the last 63 LEDs are looked at. A blank
    number is 0, one that is not readable as a number is -1. The colour is OFF when nothing is lit, -1 when it is
    mixed or none of ours.
    """
    flat = leds
    if len(leds) and not isinstance(leds[0], int):
        flat = bytearray()
        for led in leds:
            flat.extend(bytes(led))
    flat = flat[len(flat) - PLAQUE_LEDS * 3 :]
    colour = OFF
    for at in range(0, len(flat), 3):
        seen = _colour(flat, at)
        if seen != OFF and colour != seen:
            colour = seen if colour == OFF else -1
    return _read(flat, 0, MIN_DIGITS), _read(flat, MIN_DIGITS * 21, MAX_DIGITS), colour


def _number(buf, at, cents, digits, shade):
    """Digits of an amount from byte `at` of the strip on, from the right; `shade` is the colour's place in GRB."""
    value = cents // 100
    bad = cents < 0 or cents % 100 != 0 or value >= 10**digits
    at += digits * 21
    for _ in range(digits):
        if bad:
            shape = DASH
        elif value:
            shape = value % 10
            value //= 10
        else:
            shape = BLANK
        at -= 21
        _digit(buf, at, shape, shade)


def _time(buf, at, value, digits, least, shade):
    """A number of at least so many digits, right aligned, with a dash before it."""
    at += digits * 21
    left = digits
    while left:
        at -= 21
        left -= 1
        if value or left >= digits - least:
            shape = value % 10
            value //= 10
            last = left
        else:
            shape = DASH if left == last - 1 else BLANK
        _digit(buf, at, shape, shade)


def _digit(buf, at, shape, shade):
    """The seven LEDs of one digit, from byte `at` on."""
    green, red, blue = GRB[shade], GRB[shade + 1], GRB[shade + 2]
    segments = FONT[shape]
    for led in range(at, at + 21, 3):
        if segments & 1:
            buf[led] = green
            buf[led + 1] = red
            buf[led + 2] = blue
        else:
            buf[led] = buf[led + 1] = buf[led + 2] = 0
        segments >>= 1


def _colour(flat, at):
    for colour in range(4):
        if flat[at : at + 3] == GRB[colour * 3 : colour * 3 + 3]:
            return colour
    return -1


def _read(flat, at, digits):
    value = 0
    for place in range(digits):
        segments = 0
        for segment in range(7):
            here = at + (place * 7 + segment) * 3
            if flat[here] or flat[here + 1] or flat[here + 2]:
                segments |= 1 << segment
        shape = FONT.find(bytes((segments,)))
        if shape == BLANK and not value:
            continue
        if not 0 <= shape < 10 or (shape == 0 and not value):
            return -1
        value = value * 10 + shape
    return value * 100
