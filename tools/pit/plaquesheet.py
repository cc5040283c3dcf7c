"""What the plaque shows, as a picture for boards/README.md: twelve pairs of limits and every state of the table.

`python -m pit.plaquesheet` plays the firmware on the emulated board and draws what the LEDs took off their data pin
(emu/strip.py), not what anybody meant to show. Takes about a minute; writes boards/plaque.svg.
"""

import sys
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape

from pit import ROOT, build, firmware, image, picture, plaque
from pit.operator import Operator, fields
from pit.runner import BENCH_KEY

PICTURE = ROOT / "boards" / "plaque.svg"
PAIRS = ((1, 1), (1, 7), (5, 6), (7, 77), (11, 171), (8, 800), (25, 500), (56, 6556), (100, 10_000), (808, 8080),
         (2345, 67_890), (9999, 99_999))  # dollars
DRAWN_MS = 20  # after an answer of the table: its picture is on the strip
SPOTS, DIGIT_STEP = 7, 34
CYCLE_MS = 4000  # of the countdown: app/showing.py, BLINK_MS times eight
GCB = {"dealer_natural_beats_21": True, "approved_limits": [[2500, 50_000], [5000, 100_000]]}

COLUMNS, WIDTH, MARGIN, GAP = 3, 1064, 20, 12
CELL_W, PANEL_H, CELL_H = (WIDTH - 2 * MARGIN - (COLUMNS - 1) * GAP) // COLUMNS, 132, 188


class Shot(NamedTuple):
    """`title` and `note`: below the picture. `leds`: list of (red, green, blue), as the strip showed them."""

    title: str
    note: str
    leds: list


class Stage:
    """The emulated table, its operator and the people around it; also the port that the operator's lines go through."""

    def __init__(self, profile="us-in-blackjack", options=None):
        from pit.emu.table import Table

        settings = {"profile": profile, "options": options or {}, "limits": {"min": 2500, "max": 50_000},
                    "keys": dict.fromkeys(("supervisor", "technician"), BENCH_KEY)}
        self._chips = {value: [bytes((n, 0, value & 255, value >> 8, 0, 1, 4, 0xE0)) for n in range(4)]
                       for value in (500, 2500)}
        registry = [(uid, value) for value, uids in self._chips.items() for uid in uids]
        self.table = Table(image.make_fs(build.files("fc7", settings, registry)), firmware.image_path())
        self.events, self.shots = [], []
        self._operator = Operator(self, lambda: self.board.now_us / 1e6, self._hear)
        self._boot_ms = 0

    @property
    def board(self):
        return self.table.board

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.table.close()

    def _hear(self, event):
        self.events.append(event)
        self._boot_ms = self.board.now_us / 1000 - event["ms"]

    def write(self, data):
        self.board.send(data)

    def readline(self):
        if not (line := next(self.table.console_lines(), None)):
            seen = len(self.board.out)
            self.board.run_ms(DRAWN_MS, lambda: self.board.out.find(b"\n", seen) >= 0)
            line = next(self.table.console_lines(), None)
        return line + b"\n" if line is not None else b""

    def until(self, name, within=10_000, **fields):
        """Let time pass until the table tells such an event, and until what it shows is drawn."""
        end = self.board.now_us + within * 1000
        while self.board.now_us < end:
            event = self._operator.listen()
            if event:
                self._hear(event)
                if event["event"] == name and all(event.get(field) == value for field, value in fields.items()):
                    return self.run(DRAWN_MS)
        raise RuntimeError(f"no event {name} {fields} within {within} ms; the last: {self.events[-3:]}")

    def until_shown(self, spot, lit, within=2000):
        """Let time pass until the LED of a spot is lit, or dark."""
        end = self.board.now_us + within * 1000
        while any(self.table.leds[spot - 1]) != lit:
            if self.board.now_us > end:
                raise RuntimeError(f"the LED of spot {spot} does not become {'lit' if lit else 'dark'}")
            self.run(DRAWN_MS)

    def run(self, ms):
        self.board.run_ms(ms)

    def come_up(self):
        self.write(b"\r\n")
        self.until("state", state="CLOSED")
        self._operator.login("supervisor", BENCH_KEY)

    def say(self, *lines):
        for line in lines:
            self._operator.command(line)
        self.run(DRAWN_MS)

    def ask(self, line):
        return self._operator.ask(line)

    def state(self):
        return fields(self.ask("status").text)["state"]

    def at_phase(self, ms):
        """Wait for this moment of the countdown's cycle, as the table's own clock counts it."""
        self.run((ms - self.board.now_us / 1000 + self._boot_ms) % CYCLE_MS)

    def service(self):
        self._operator.login("technician", BENCH_KEY)
        self.say("service")
        self.run(1500)

    def readers(self, kind):
        """The same fault in every reader."""
        for number in self.table.fields:
            self.table.fault({"reader": number, "kind": kind})

    def lay(self, spot, value):
        """A chip that has not lain anywhere yet; its UID."""
        uid = self._chips[value].pop()
        self.table.place(spot, "main", [uid])
        return uid

    def shoot(self, title, note=""):
        leds = [(red, green, blue) for green, red, blue in self.table.leds] or [(0, 0, 0)] * 70
        self.shots.append(Shot(title, note, leds))


def pairs():
    """A Shot of each of PAIRS, set by an operator."""
    with Stage() as stage:
        stage.come_up()
        for low, high in PAIRS:
            stage.say(f"limits set {low} {high}")
            stage.shoot(f"{low:,} to {high:,}")
        return stage.shots


def states():
    """Shots of a table from power-on through a round, with what may happen in it."""
    with Stage() as stage:
        stage.run(100)
        stage.shoot("power-on", "nothing is drawn yet, LOCK is high")
        stage.come_up()
        stage.readers("silent")
        stage.until("state", state="SAFE")
        stage.shoot("SAFE", "no reader answers: locked until one does")
        stage.readers("ok")
        stage.until("state", state="CLOSED")
        stage.run(1000)
        stage.shoot("CLOSED", "the limits, in red")
        stage.say("open")
        stage.shoot("OPEN", "green; no bets yet")
        stage.lay(2, 2500)
        stage.lay(5, 2500)
        stage.until("bet", spot=5)
        stage.lay(6, 500)
        stage.until("bet", spot=6)
        stage.shoot("OPEN, bets", "2 and 5 count; 6 is under the minimum")
        stage.table.remove(6, "main")
        stage.until("bet", spot=6)
        _pending(stage)
        _round(stage)
        stage.say("close")
        stage.shoot("CLOSED again", "by the operator")
        stage.service()
        stage.shoot("service mode", "no program runs, the LEDs stay as they are")
        return stage.shots


def _pending(stage):
    stage.at_phase(200)
    stage.say("limits set 50 1000 in 20m")
    stage.at_phase(1000)
    stage.shoot("OPEN, change pending", "the limits that apply, most of the time")
    stage.at_phase(2750)
    stage.shoot("OPEN, change pending", "then dark for half a second")
    stage.at_phase(3250)
    stage.shoot("OPEN, change pending", "then the time left, behind dashes: 19:57")
    stage.say("limits cancel")


def _round(stage):
    stage.table.draw("6S")
    stage.until("card", to="2.1")
    stage.shoot("LOCKED", "the first card; spots in play in green")
    stage.say("limits set 50 1000")
    stage.shoot("LOCKED, change pending", "not shown: this round keeps its limits")
    for code, to in (("5C", "5.1"), ("TC", "dealer"), ("7D", "2.1"), ("6H", "5.1"), ("9H", "dealer")):
        stage.table.draw(code)
        stage.until("card", to=to)
    stage.until_shown(2, True)
    stage.shoot("LOCKED, prompt", "spot 2 is asked: amber")
    stage.until_shown(2, False)
    stage.shoot("LOCKED, prompt", "and dark, twice a second")
    late = stage.lay(5, 2500)
    stage.until("alarm", spot=5)
    stage.until_shown(2, True)
    stage.shoot("LOCKED, alarm", "a chip was added on spot 5")
    stage.table.remove(5, "main", [late])
    stage.run(1500)
    stage.say("ack 1", "key double 2")
    stage.until_shown(2, True)
    stage.shoot("EXTRA", "chips may be moved on spot 2")
    stage.say("key cancel 2", "key stand", "key stand", "key reveal")
    stage.shoot("SETTLE", "bets are taken and paid")
    stage.say("key settled")
    stage.until("bet", spot=5)
    stage.shoot("OPEN, new limits", "in force now; bets of 25 are too small")


def where_a_sign_is_demanded():
    """GCB-08: the sign is never without the limits."""
    with Stage("gcb-blackjack", GCB) as stage:
        stage.come_up()
        stage.say("open")
        stage.lay(2, 2500)
        stage.until("bet", spot=2)
        stage.at_phase(200)
        stage.say("limits set 50 1000 in 5m")
        stage.at_phase(3250)
        stage.shoot("OPEN, change pending, GCB", "a sign is demanded: it never blinks")
        stage.table.strip.fault("dead-led", 45)
        stage.until("state", state="CLOSED")
        stage.shoot("CLOSED, a LED is dead", "and all behind it: no proof, no bets")
        return stage.shots


def draw(*blocks):
    """The SVG (text) of blocks: (heading, shots)."""
    y, parts = MARGIN, []
    for heading, shots in blocks:
        parts.append(f'<text x="{MARGIN}" y="{y + 18}" fill="{picture.TEXT}" font-weight="bold" '
                     f'{picture.FONT.replace("13", "17")}>{escape(heading)}</text>')
        y += 34
        for n, shot in enumerate(shots):
            parts.append(_cell(MARGIN + n % COLUMNS * (CELL_W + GAP), y + n // COLUMNS * CELL_H, shot))
        y += -(-len(shots) // COLUMNS) * CELL_H + GAP
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{y}" viewBox="0 0 {WIDTH} {y}" '
            'role="img" aria-label="what the plaque shows">')
    back = f'<rect width="{WIDTH}" height="{y}" rx="10" fill="{picture.BACK}"/>'
    return "\n".join([head, back, *parts, "</svg>"]) + "\n"


def _cell(x, y, shot):
    spots, low, high = plaque.split(shot.leds, SPOTS)
    out = [f'<g><title>{escape(shot.title)}</title>'
           f'<rect x="{x}" y="{y}" width="{CELL_W}" height="{PANEL_H}" rx="8" fill="{picture.PANEL}"/>']
    at = x + 10
    for word, group in (("MINIMUM", low), ("MAXIMUM", high)):
        out.append(f'<text x="{at}" y="{y + 18}" fill="{picture.DIM}" {picture.FONT}>{word}</text>')
        for segments in group:
            out.append(picture.digit(at, y + 28, segments))
            at += DIGIT_STEP
        at += 14
    for number, led in enumerate(spots, 1):
        out.append(picture.spot(x + CELL_W // 2 + 44 * (number - 4), y + 98, number, led))
    for words, colour, down in ((shot.title, picture.TEXT, 20), (shot.note, picture.DIM, 37)):
        out.append(f'<text x="{x + 4}" y="{y + PANEL_H + down}" fill="{colour}" {picture.FONT}>{escape(words)}</text>')
    return "\n".join(out) + "</g>"


def make():
    """The SVG (text), played anew."""
    return draw(("Twelve pairs of limits", pairs()), ("Every state", states() + where_a_sign_is_demanded()))


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else PICTURE
    target.write_text(make(), encoding="utf-8")
    print(target)
