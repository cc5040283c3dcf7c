"""One SVG picture of a round's time line, the plaque included. No fonts, scripts or files from elsewhere."""

from xml.sax.saxutils import escape

from pit import plaque

WIDTH = 1040
MARGIN = 28
LINE = 21  # height of a text row
PLAQUE = 92  # height of a plaque row
TIME_X, NAME_X, TEXT_X = MARGIN + 72, MARGIN + 92, MARGIN + 206
MAX_TEXT = 92  # characters of a row; the rest is cut with an ellipsis

BACK, PANEL, DARK_LED, TEXT, DIM = "#14171c", "#0a0c0f", "#191d22", "#dfe5ec", "#8b96a3"
COLOURS = {"lock": "#ff6b5e", "alarm": "#ff6b5e", "fault": "#ff6b5e", "error": "#ff6b5e", "refused": "#ff9d8f",
           "settle": "#ffffff", "prompt": "#f4c152", "state": "#62c9e8", "plaque": "#69d98c",
           "alarm-cleared": "#69d98c"}
FONT = 'font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="13"'



def _segment(x1, y1, x2, y2, half=3, apart=1):
    """Corners of the hexagon around a middle line, `half` as wide to each side, short of the line's ends by `apart`."""
    along, down = int(x2 > x1), int(y2 > y1)
    near = x1 + along * apart, y1 + down * apart
    far = x2 - along * apart, y2 - down * apart
    shoulders = ((half, half), (half * (along - down), half * (down - along)))
    (ax, ay), (bx, by) = shoulders
    return (near, (near[0] + ax, near[1] + ay), (far[0] - bx, far[1] - by), far, (far[0] - ax, far[1] - ay),
            (near[0] + bx, near[1] + by))


# A digit is 28 x 50: the middle lines of its segments a..g
_SEGMENTS = tuple(_segment(*line) for line in (
    (3, 3, 25, 3), (25, 3, 25, 25), (25, 25, 25, 47), (3, 47, 25, 47), (3, 25, 3, 47), (3, 3, 3, 25), (3, 25, 25, 25)))
_DIGIT_STEP = 38


def draw(title, rows, spots=7):
    """The SVG (text) of timeline.Row `rows`."""
    parts = []
    y = MARGIN + 34
    for row in rows:
        if row.leds:
            parts.append(_plaque(y + 8, row.leds, spots))
            y += PLAQUE
        else:
            y += LINE
            parts.append(_line(y, row))
    height = y + MARGIN
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
            f'viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(title)}">')
    back = f'<rect width="{WIDTH}" height="{height}" rx="10" fill="{BACK}"/>'
    heading = (f'<text x="{MARGIN}" y="{MARGIN + 14}" fill="{TEXT}" font-weight="bold" '
               f'{FONT.replace("13", "17")}>{escape(title)}</text>')
    return "\n".join([head, back, heading, *parts, "</svg>"]) + "\n"


def _line(y, row):
    text = row.text if len(row.text) <= MAX_TEXT else row.text[:MAX_TEXT - 1] + "\u2026"
    colour = COLOURS.get(row.name, TEXT) if row.ms is not None else DIM
    out = f'<text x="{TEXT_X}" y="{y}" fill="{colour}" xml:space="preserve" {FONT}>{escape(text)}</text>'
    if row.ms is not None:
        out += (f'<text x="{TIME_X}" y="{y}" fill="{DIM}" text-anchor="end" {FONT}>{row.ms / 1000:.3f}</text>'
                f'<text x="{NAME_X}" y="{y}" fill="{colour}" {FONT}>{escape(row.name)}</text>')
    return out


def _plaque(y, leds, spots):
    spot_leds, minimum, maximum = plaque.split(leds, spots)
    x = TEXT_X
    out = [f'<g><rect x="{x}" y="{y}" width="{WIDTH - x - MARGIN}" height="{PLAQUE - 16}" rx="8" fill="{PANEL}"/>']
    x += 16
    for word, group in (("MIN", minimum), ("MAX", maximum)):
        out.append(f'<text x="{x}" y="{y + 44}" fill="{DIM}" {FONT}>{word}</text>')
        x += 40
        for segments in group:
            out.append(digit(x, y + 13, segments))
            x += _DIGIT_STEP
        x += 20
    for number, led in enumerate(spot_leds, 1):
        out.append(spot(x + 26 * (number - 1) + 8, y + 30, number, led))
    return "".join(out) + "</g>"


def digit(x, y, leds):
    """Seven LEDs (segments a..g) as a digit of 28 x 50 at (x, y): a path for each colour of them."""
    paths = {}
    for led, corners in zip(leds, _SEGMENTS):
        outline = "M" + " ".join(f"{x + right},{y + down}" for right, down in corners) + "z"
        colour = plaque.css(led) or DARK_LED
        paths[colour] = paths.get(colour, "") + outline
    return "".join(f'<path fill="{colour}" d="{outlines}"/>' for colour, outlines in paths.items())


def spot(x, y, number, led):
    """The LED of a spot, with its number below it."""
    return (f'<circle cx="{x}" cy="{y}" r="7" fill="{plaque.css(led) or DARK_LED}"/>'
            f'<text x="{x}" y="{y + 24}" fill="{DIM}" text-anchor="middle" {FONT}>{number}</text>')
