"""Reads the picture of plaques as an eye does: from its pixels, with shapes of digits drawn here by hand.

Nothing of the firmware's or of pit's tables is used: not which LED is which segment, not the font, not the colours.
"""

import colorsys
import re
import xml.etree.ElementTree as ET
from typing import NamedTuple

SVG = "{http://www.w3.org/2000/svg}"
LIT = 3.0  # contrast to the panel from which on a light is on
GAP = 3  # pixels without ink between two digits; more than DIGITS_APART between the minimum and the maximum
DIGITS_APART = 12
INK = 0.4  # of a field of the grid
SHAPES = {  # 3 x 5; where strokes meet (outside, in rows 1, 3, 5) nothing is looked at
    "0": ".#. #.# ... #.# .#.", "1": "... ..# ... ..# ...", "2": ".#. ..# .#. #.. .#.", "3": ".#. ..# .#. ..# .#.",
    "4": "... #.# .#. ..# ...", "5": ".#. #.. .#. ..# .#.", "6": ".#. #.. .#. #.# .#.", "7": ".#. ..# ... ..# ...",
    "8": ".#. #.# .#. #.# .#.", "9": ".#. #.# .#. ..# .#.", "-": "... ... .#. ... ...", " ": "... ... ... ... ...",
}
NAMES = {shape: digit for digit, shape in SHAPES.items()}
HUES = {"red": (0, 15), "amber": (25, 50), "green": (90, 150)}  # degrees


class Reading(NamedTuple):
    """What one plaque says. `?`: no digit's shape; `colour`: a name, `off` or `mixed`; `spots`: a letter each."""

    title: str
    low: str
    high: str
    colour: str
    spots: str


def read(svg):
    """A Reading of every plaque in the picture."""
    return [_plaque(group) for group in ET.fromstring(svg).iter(SVG + "g")]


def luminance(colour):
    """WCAG 2: relative luminance of #rrggbb."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    """WCAG 2: 1 (the same) to 21."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def name(colour):
    """red, amber, green or other."""
    red, green, blue = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    hue = colorsys.rgb_to_hsv(red, green, blue)[0] * 360
    return next((name for name, (low, high) in HUES.items() if low <= hue <= high), "other")


def _plaque(group):
    panel = group.find(SVG + "rect").get("fill")
    strokes = [(path.get("fill"), _outline(outline)) for path in group.iter(SVG + "path")
               for outline in path.get("d").split("z") if outline]
    on = {fill: contrast(fill, panel) >= LIT for fill, _ in strokes}
    colours = {name(fill) for fill, _ in strokes if on[fill]}
    ink = {pixel for fill, outline in strokes if on[fill] for pixel in _pixels(outline)}
    low, high = _numbers([outline for _, outline in strokes])
    spots = "".join(name(dot.get("fill"))[0] if contrast(dot.get("fill"), panel) >= LIT else "."
                    for dot in group.iter(SVG + "circle"))
    return Reading(group.find(SVG + "title").text, "".join(_digit(box, ink) for box in low),
                   "".join(_digit(box, ink) for box in high),
                   "mixed" if len(colours) > 1 else colours.pop() if colours else "off", spots)


def _outline(text):
    return [tuple(map(float, point.split(","))) for point in re.findall(r"[\d.]+,[\d.]+", text)]


def _pixels(outline):
    """The pixels whose middle lies inside."""
    xs, ys = [x for x, _ in outline], [y for _, y in outline]
    edges = list(zip(outline, outline[1:] + outline[:1]))
    for row in range(int(min(ys)), int(max(ys)) + 1):
        for column in range(int(min(xs)), int(max(xs)) + 1):
            x, y = column + 0.5, row + 0.5
            crossed = sum((y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1
                          for (x1, y1), (x2, y2) in edges)
            if crossed % 2:
                yield column, row


def _numbers(outlines):
    """(boxes of the left number's digits, of the right one's): where strokes lie, lit or not. Box: x1, y1, x2, y2."""
    spans = sorted((min(x for x, _ in one), max(x for x, _ in one)) for one in outlines)
    top, bottom = min(y for one in outlines for _, y in one), max(y for one in outlines for _, y in one)
    digits = [list(spans[0])]
    for left, right in spans[1:]:
        if left - digits[-1][1] > GAP:
            digits.append([left, right])
        digits[-1][1] = max(digits[-1][1], right)
    apart = [n for n in range(1, len(digits)) if digits[n][0] - digits[n - 1][1] > DIGITS_APART]
    assert len(apart) == 1, "two numbers"
    boxes = [(left, top, right, bottom) for left, right in digits]
    return boxes[: apart[0]], boxes[apart[0] :]


def _digit(box, ink):
    x1, y1, x2, y2 = map(int, box)
    width, height = (x2 - x1) / 3, (y2 - y1) / 5
    rows = []
    for row in range(5):
        text = ""
        for column in range(3):
            field = [(x, y) for x in range(round(x1 + column * width), round(x1 + (column + 1) * width))
                     for y in range(round(y1 + row * height), round(y1 + (row + 1) * height))]
            joint = column != 1 and row % 2 == 0
            text += "#" if not joint and sum(pixel in ink for pixel in field) > INK * len(field) else "."
        rows.append(text)
    return NAMES.get(" ".join(rows), "?")
