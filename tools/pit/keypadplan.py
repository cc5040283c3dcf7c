"""The dealer's keypad as a picture for boards/README.md: caps with both meanings, and the lines each key connects.

`python -m pit.keypadplan` writes boards/keypad.svg from firstcard/core/keypad.py.
"""

import sys
from xml.sax.saxutils import escape

from firstcard.core import keypad
from pit import ROOT

PICTURE = ROOT / "boards" / "keypad.svg"
PLAIN, SHIFTED = keypad.names(keypad.PLAIN), keypad.names(keypad.SHIFTED)
COLUMNS = 4
WIDTH, KEY_W, KEY_H, GAP, LEFT, TOP = 760, 150, 62, 12, 96, 74
FONT = 'font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace"'
SUPERVISOR = ("supervisor-confirm", "ack")
BACK, CAP, EDGE, TEXT, SECOND, KEYED = "#fdfdfb", "#ffffff", "#8a8f98", "#222222", "#6c71c4", "#dc322f"


def cap(name):
    """What is printed on a key: `insurance-closed` as INSURANCE CLOSED."""
    return name.replace("-", " ").upper()


def _key(n):
    row, column = divmod(n, COLUMNS)
    x, y = LEFT + column * (KEY_W + GAP), TOP + row * (KEY_H + GAP)
    plain, second = PLAIN[n], SHIFTED[n]
    out = (f'<rect x="{x}" y="{y}" width="{KEY_W}" height="{KEY_H}" rx="8" fill="{CAP}" stroke="{EDGE}"/>'
           f'<text x="{x + KEY_W / 2}" y="{y + 28}" text-anchor="middle" font-size="{22 if len(plain) == 1 else 14}" '
           f'font-weight="bold" fill="{TEXT}">{escape(cap(plain))}</text>')
    if second not in ("-", plain):
        colour = KEYED if second in SUPERVISOR else SECOND
        out += (f'<text x="{x + KEY_W / 2}" y="{y + 50}" text-anchor="middle" font-size="11" fill="{colour}">'
                f'{escape(cap(second))}</text>')
    return out


def draw():
    """The SVG (text)."""
    rows = len(PLAIN) // COLUMNS
    height = TOP + rows * (KEY_H + GAP) + 44
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
           f'aria-label="the keys of the dealer" {FONT} font-size="12">',
           f'<rect width="{WIDTH}" height="{height}" rx="10" fill="{BACK}"/>',
           f'<text x="20" y="30" font-size="17" font-weight="bold" fill="{TEXT}">The dealer\'s keypad</text>']
    for column in range(COLUMNS):
        out.append(f'<text x="{LEFT + column * (KEY_W + GAP) + KEY_W / 2}" y="{TOP - 10}" text-anchor="middle" '
                   f'fill="{EDGE}">P{4 + column}</text>')
    for row in range(rows):
        line = f"P{row}" if row < rows - 1 else "ground"
        out.append(f'<text x="{LEFT - 16}" y="{TOP + row * (KEY_H + GAP) + KEY_H / 2 + 4}" text-anchor="end" '
                   f'fill="{EDGE}">{line}</text>')
    out += [_key(n) for n in range(len(PLAIN))]
    out.append(f'<text x="{LEFT}" y="{height - 18}" fill="{SECOND}">after SHIFT</text>'
               f'<text x="{LEFT + 110}" y="{height - 18}" fill="{KEYED}">after SHIFT, and only while the supervisor\'s '
               'key is turned</text>')
    return "\n".join([*out, "</svg>"]) + "\n"


def main():
    PICTURE.write_text(draw(), encoding="utf-8")
    print(PICTURE.relative_to(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main())
