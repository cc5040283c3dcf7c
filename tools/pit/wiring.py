"""The wiring of a board as a picture, and its pin table and parts for boards/README.md, all from the board's data file.

`python -m pit.wiring` writes boards/<board>.svg of every board and renews the tables between `<!-- pins fc7 -->` and
`<!-- end -->` in boards/README.md.
"""

import importlib
import re
import sys
from xml.sax.saxutils import escape

from firstcard.core import keypad
from pit import ROOT, build

BOARDS = build.BOARDS
DOCUMENT = BOARDS / "README.md"

# Name in a board file: (group, what the pin is to the outside, what it is wired to). {n} counts the pins of a bus.
PINS = {
    "SHOE_TX": ("shoe", "to the shoe", "RX of the shoe, 3.3 V UART (RS-232 shoe: MAX3232)"),
    "SHOE_RX": ("shoe", "from the shoe", "TX of the shoe, the same"),
    "BEAM_A": ("beams", "card beam A", "photo-transistor to ground, 10 k to 3.3 V: dark or cut = high = card"),
    "BEAM_B": ("beams", "card beam B", "the same, 15 to 20 mm further out"),
    "EMITTERS": ("beams", "beam emitters", "MOSFET in the ground of both infrared LEDs; high = on"),
    "I2C_SDA": ("operator", "I2C SDA", "keypad 0x20, FRAM 0x50, dealer display 0x3C, clock 0x68; 2.2 k to 3.3 V"),
    "I2C_SCL": ("operator", "I2C SCL", "the same"),
    "KEYPAD_INT": ("operator", "keypad INT", "INT of the expander, open drain; 10 k to 3.3 V"),
    "KEY_SWITCH": ("operator", "supervisor key", "key switch to ground; 10 k to 3.3 V"),
    "LOCK": ("lock", "LOCK", "high = locked; 4.7 k to 3.3 V, so an undriven pin is locked"),
    "LAMP": ("lock", "alarm lamp", "MOSFET of lamp and buzzer; high = on"),
    "SERVICE": ("lock", "SERVICE strap", "jumper to ground, closed only for service"),
    "LEDS": ("plaque", "LED data", "DIN of the first LED through a 74AHCT125 at 5 V"),
    "PLAQUE_RETURN": ("plaque", "plaque return", "DOUT of the last LED through 1 k and 2 k (it swings to 5 V)"),
    "PLAQUE_CURRENT": ("plaque", "plaque current", "shunt 0.1 ohm, INA180A2, 1.5 k, 100 nF: 5 V per A"),
    "SELECT": ("readers", "select A{n}", "A{n} of the reader select"),
    "STROBE": ("readers", "select strobe /G", "/G of both 74HC154; 10 k to 3.3 V"),
    "SPI_MISO": ("readers", "SPI MISO", "MISO of all readers"),
    "SPI_SCK": ("readers", "SPI SCK", "SCK of all readers"),
    "SPI_MOSI": ("readers", "SPI MOSI", "MOSI of all readers"),
    "READER_SELECT": ("readers", "reader NSS", "SDA (NSS) of the MFRC522 module"),
    "READER_RESET": ("readers", "reader RESET_N", "RST of all readers"),
    "BUSY": ("readers", "reader BUSY", "BUSY through two CD74HC4067; 100 k to 3.3 V: unselected = busy"),
}
BUSES = {"SELECT": 5}  # a constant that is the first of so many pins
NO_PINS = ("SHOE_UART", "SHOE_BAUD", "SPI", "SPI_BAUD", "I2C", "I2C_BAUD", "FRAM", "KEYPAD", "DISPLAY", "RTC",
           "JOURNAL_BLOCKS")

# The Pico's pads from the top: left row 1 to 20, right row 40 to 21. Numbers are GP, text is supply.
LEFT = (0, 1, "GND", 2, 3, 4, 5, "GND", 6, 7, 8, 9, "GND", 10, 11, 12, 13, "GND", 14, 15)
RIGHT = ("VBUS 5 V", "VSYS", "GND", "3V3_EN", "3V3", "ADC_VREF", 28, "AGND", 27, 26, "RUN", 22, "GND", 21, 20, 19, 18,
         "GND", 17, 16)

COLOURS = {"shoe": "#b58900", "beams": "#cb4b16", "operator": "#6c71c4", "lock": "#dc322f", "plaque": "#2a9d5c",
           "readers": "#268bd2"}
STEP, TOP, PICO_X, PICO_W, WIDTH = 26, 64, 480, 130, 1090
FONT = 'font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace"'


def pins(board):
    """dict of GP -> (group, name, wired to) of a board module."""
    names = re.search(r"^# GP numbers\n((?:[A-Z].*\n)*)", (BOARDS / f"{board.NAME}.py").read_text(), re.M)
    out = {}
    for name in re.findall(r"^(\w+) =", names[1] if names else "", re.M):
        if name in NO_PINS:
            continue
        group, what, to = PINS[name]
        for n in range(BUSES.get(name, 1)):
            out[getattr(board, name) + n] = (group, what.format(n=n), to.format(n=n))
    return out


def parts(board):
    """Bill of materials of a board module: list of (how many, part, what for)."""
    out = [("1", "Raspberry Pi Pico or Pico W", "the controller")]
    used = {group for group, _, _ in pins(board).values()}
    if "readers" in used:
        out += [(str(board.ANTENNAS + 1), "PN5180 reader with its antenna", "main, tip and line of each spot; tray"),
                ("2", "74HC154", "select: NSS of 32 readers"), ("1", "74LVC1G04", "select: /A4"),
                ("2", "CD74HC4067", "BUSY of the selected reader")] if board.READER == "pn5180" else [
                    ("1", "MFRC522 module", "the chip on spot 1"),
                    ("1", "push button that opens, 2N7000, 10 k, 1 uF", "the card: A at once, B by way of the 10 k")]
    if "beams" in used and board.READER == "pn5180":
        out += [("2", "infrared LED and photo-transistor", "card beams at the mouth of the shoe"),
                ("1", "logic-level MOSFET", "beam emitters")]
    if "plaque" in used and board.SPOTS > 1:
        leds = board.SPOTS + 7 * (board.MIN_DIGITS + board.MAX_DIGITS)
        out += [(str(leds), "WS2812B, 12 mA a colour", "spots and the digits of the plaque"),
                ("1", "74AHCT125", "LED data to 5 V"), ("1", "INA180A2 and shunt 0.1 ohm", "plaque current"),
                ("1", "supply 5 V, 3 A", "LEDs, readers, Pico by VSYS through a Schottky diode")]
    if "lock" in used:
        out += [("1", "alarm lamp with buzzer, MOSFET", "alarms"), ("1", "jumper", "SERVICE strap")]
    if "operator" in used:
        out += [("1", "FM24W256 or another FRAM of 32 kB", "what is going on at the table"),
                ("1", "TCA9534, 8 resistors 10 k", "keypad: lines and their pull-ups"),
                (str(len(keypad.names(keypad.PLAIN))), "push button", "the dealer's keys"),
                ("1", "OLED 128 x 64 with SSD1306, I2C", "the dealer's display"),
                ("1", "DS3231 with battery, I2C", "the time of day"),
                ("1", "key switch, key out only when off", "the supervisor")]
    return out


def pin_table(board):
    rows = ["| GP | what | wired to |", "|---|---|---|"]
    for gp, (_, what, to) in sorted(pins(board).items()):
        rows.append(f"| {gp} | {what} | {to} |")
    return "\n".join(rows) + "\n"


def part_table(board):
    rows = ["| number | part | for |", "|---|---|---|"]
    return "\n".join([*rows, *("| " + " | ".join(row) + " |" for row in parts(board))]) + "\n"


def draw(board):
    """The SVG (text)."""
    known = pins(board)
    height = TOP + STEP * len(LEFT) + 40
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
           f'aria-label="wiring of {board.NAME}" {FONT} font-size="12">',
           f'<rect width="{WIDTH}" height="{height}" rx="10" fill="#fdfdfb"/>',
           f'<text x="20" y="30" font-size="17" font-weight="bold" fill="#222">{board.NAME}: what each pin of the Pico '
           'goes to</text>',
           f'<rect x="{PICO_X}" y="{TOP - 14}" width="{PICO_W}" height="{STEP * len(LEFT) + 20}" rx="8" '
           'fill="#1f6f4a"/>',
           f'<rect x="{PICO_X + PICO_W / 2 - 22}" y="{TOP - 24}" width="44" height="24" rx="3" fill="#b9bfc4"/>',
           f'<text x="{PICO_X + PICO_W / 2}" y="{TOP - 8}" text-anchor="middle" fill="#333">USB</text>']
    for row, (left, right) in enumerate(zip(LEFT, RIGHT)):
        y = TOP + STEP * row + 10
        out.append(_pad(left, known, y, PICO_X, -1))
        out.append(_pad(right, known, y, PICO_X + PICO_W, 1))
    return "\n".join([*out, "</svg>"]) + "\n"


def _pad(pad, known, y, x, side):
    """One pad with its name, and the wire with its label; `side` -1 left, 1 right."""
    name = f"GP{pad}" if isinstance(pad, int) else pad
    anchor = "start" if side < 0 else "end"
    out = (f'<circle cx="{x}" cy="{y}" r="5" fill="#e8c65a"/>'
           f'<text x="{x - side * 10}" y="{y + 4}" text-anchor="{anchor}" fill="#fff">{escape(name)}</text>')
    if pad not in known:
        return out
    group, what, to = known[pad]
    end = x + side * 30
    anchor = "end" if side < 0 else "start"
    return out + (f'<line x1="{x + side * 5}" y1="{y}" x2="{end}" y2="{y}" stroke="{COLOURS[group]}" stroke-width="3"/>'
                  f'<text x="{end + side * 6}" y="{y - 1}" text-anchor="{anchor}" fill="{COLOURS[group]}" '
                  f'font-weight="bold">{escape(what)}</text>'
                  f'<text x="{end + side * 6}" y="{y + 11}" text-anchor="{anchor}" fill="#555" font-size="10">'
                  f'{escape(to)}</text>')


def boards():
    """The board modules."""
    return [importlib.import_module(f"boards.{name}") for name in build.boards()]


def renewed(document):
    """boards/README.md (text) with its tables written anew."""
    for board in boards():
        for name, table in (("pins", pin_table), ("parts", part_table)):
            pattern = re.compile(rf"(<!-- {name} {board.NAME} -->\n).*?(<!-- end -->)", re.S)
            document = pattern.sub(lambda found, table=table, board=board: found[1] + table(board) + found[2], document)
    return document


def main():
    for board in boards():
        path = BOARDS / f"{board.NAME}.svg"
        path.write_text(draw(board), encoding="utf-8")
        print(path.relative_to(ROOT))
    DOCUMENT.write_text(renewed(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
