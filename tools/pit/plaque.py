"""The plaque and the spot LEDs, as they are drawn in a terminal and in a picture: which LED is which segment.

LEDs of the strip: one a spot, then seven a digit (segments a..g): four digits of the minimum, five of the maximum.
"""

from rich.text import Text

from firstcard.core import digits

SEGMENTS = 7
_FULL = max(digits.GRB)  # the strip is driven dimly; shown at full brightness
_GAMMA = 2.2  # a LED's number is its light, a screen's is not: amber would look red


def picture(minimum, maximum, colour, spots=7):
    """The LEDs (list of (red, green, blue)) of a plaque event, where the real ones cannot be seen; spots dark."""
    strip = bytearray(digits.size(spots))
    number = digits.NAMES.index(colour) if colour in digits.NAMES else digits.OFF
    digits.draw(strip, minimum, maximum, number, bytes(spots))
    return [(strip[at + 1], strip[at], strip[at + 2]) for at in range(0, len(strip), 3)]


def split(leds, spots=7):
    """(spot LEDs, minimum digits, maximum digits): a digit is its seven LEDs."""
    groups = [leds[at:at + SEGMENTS] for at in range(spots, len(leds) - SEGMENTS + 1, SEGMENTS)]
    return leds[:spots], groups[:digits.MIN_DIGITS], groups[digits.MIN_DIGITS:]


def shown(leds):
    """(minimum, maximum, colour) that the LEDs show: cents, -1 for what is no number; colour by name, or None."""
    minimum, maximum, colour = digits.decode([(green, red, blue) for red, green, blue in leds])
    return minimum, maximum, digits.NAMES[colour] if colour >= 0 else None


def css(led):
    """Colour of a LED as #rrggbb, at full brightness; None when it is dark."""
    if not any(led):
        return None
    return "#" + "".join(f"{round(255 * min(1, part / _FULL) ** (1 / _GAMMA)):02x}" for part in led)


def _cell(led, lit):
    colour = css(led)
    return Text(lit, style=f"bold {colour}") if colour else Text(" " * len(lit))


def _digit_rows(digit):
    """Three rows of three characters."""
    a, b, c, d, e, f, g = digit
    blank = Text(" ")
    return (Text.assemble(blank, _cell(a, "_"), blank),
            Text.assemble(_cell(f, "|"), _cell(g, "_"), _cell(b, "|")),
            Text.assemble(_cell(e, "|"), _cell(d, "_"), _cell(c, "|")))


def rows(leds, spots=7):
    """The plaque for a terminal: list of three rich.Text rows: minimum, maximum, spots."""
    spot_leds, minimum, maximum = split(leds, spots)
    out = [Text("  "), Text("$ "), Text("  ")]
    for group, gap in ((minimum, "     "), (maximum, "    ")):
        for digit in group:
            for row, cells in zip(out, _digit_rows(digit)):
                row.append_text(cells)
                row.append(" ")
        for n, row in enumerate(out):
            row.append(("  $ " if n == 1 else "    ") if group is minimum else gap)
    out[0].append("spots", style="dim")
    for n, led in enumerate(spot_leds, 1):
        colour = css(led)
        out[1].append(f"{n} ", style="dim")
        out[2].append("\u25cf " if colour else "\u00b7 ", style=f"bold {colour}" if colour else "dim")
    return out
