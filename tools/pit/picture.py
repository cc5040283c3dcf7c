"""One SVG picture of a round's time line, the plaque included. No fonts, scripts or files from elsewhere."""

from xml.sax.saxutils import escape

from pit import plaque

WIDTH = 1040
MARGIN = 28
LINE = 21  # height of a text row
PLAQUE = 92  # height of a plaque row
TIME_X, NAME_X, TEXT_X = MARGIN + 72, MARGIN + 92, MARGIN + 206
MAX_TEXT = 92  # characters of a row; the rest is cut with an ellipsis

BACK, PANEL, DARK_LED, TEXT, DIM = "#14171c", "#0a0c0f", "#20252c", "#dfe5ec", "#8b96a3"
COLOURS = {"lock": "#ff6b5e", "alarm": "#ff6b5e", "fault": "#ff6b5e", "error": "#ff6b5e", "refused": "#ff9d8f",
           "settle": "#ffffff", "prompt": "#f4c152", "state": "#62c9e8", "plaque": "#69d98c",
           "alarm-cleared": "#69d98c"}
FONT = 'font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="13"'

# A digit is 26 x 46: where its segments a..g lie, as (x, y, is_horizontal)
_SEGMENTS = ((3, 0, True), (22, 3, False), (22, 25, False), (3, 44, True), (0, 25, False), (0, 3, False),
             (3, 22, True))
_LONG, _THICK = 19, 4
_DIGIT_STEP = 36


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
        for digit in group:
            out.append(_digit(x, y + 14, digit))
            x += _DIGIT_STEP
        x += 20
    for number, led in enumerate(spot_leds, 1):
        at = x + 26 * (number - 1) + 8
        out.append(f'<circle cx="{at}" cy="{y + 30}" r="7" fill="{plaque.css(led) or DARK_LED}"/>'
                   f'<text x="{at}" y="{y + 58}" fill="{DIM}" text-anchor="middle" {FONT}>{number}</text>')
    return "".join(out) + "</g>"


def _digit(x, y, digit):
    out = ""
    for led, (dx, dy, flat) in zip(digit, _SEGMENTS):
        width, height = (_LONG, _THICK) if flat else (_THICK, _LONG)
        out += (f'<rect x="{x + dx}" y="{y + dy}" width="{width}" height="{height}" rx="2" '
                f'fill="{plaque.css(led) or DARK_LED}"/>')
    return out
