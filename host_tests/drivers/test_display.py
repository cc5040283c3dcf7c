"""The dealer's display: what is on the glass is the text that was asked for; and the bus is never held long."""

import pytest

from firstcard.core import screen
from pit import contract

SET_UP = """
import framebuf
from firstcard.drivers import display, memory
bus = memory.bus(board)
busy = []
S = display.Display(bus, board.DISPLAY, lambda: not busy)
def draw(rows):
    S.show(rows)
    n = 0
    while S.step():
        n += 1
    return n
"""
GLYPHS = """
every = bytearray(8 * 96)
framebuf.FrameBuffer(every, 8 * 96, 8, framebuf.MONO_VLSB).text("".join([chr(c) for c in range(32, 128)]), 0, 0)
"""
REST = ["CLOSED", "$5", "$500", "", "CLOSED ROUND 0"]


def expected(glyphs, rows):
    """Pixels of these rows: 64 rows of 128 bools. `glyphs`: 8 columns for each letter from the blank on."""
    pixels = [[False] * 128 for _ in range(64)]
    for text, (band, wide, high) in zip(rows, screen.ROWS):
        for place, letter in enumerate(text):
            columns = glyphs[8 * (ord(letter) - 32):][:8]
            for x in range(8 * wide):
                for y in range(8 * high):
                    at = 8 * wide * place + x
                    if at < 128:
                        pixels[8 * band + y][at] = bool(columns[x // wide] >> y // high & 1)
    return pixels


def drawn(lab, *pictures):
    """What the glass shows after each of these lists of rows, and what it should show."""
    lab.run(SET_UP + GLYPHS)
    glyphs = lab.value("bytes(every)")
    out = []
    for rows in pictures:
        lab.run(f"draw({rows!r})")
        out.append((lab.table.display.pixels(), expected(glyphs, rows)))
    return out


def test_the_first_picture_covers_what_was_in_the_memory(on_lab):
    def play(lab):
        before = lab.table.display.lit
        (seen, wanted), = drawn(lab, REST)
        return before, seen == wanted

    assert on_lab(play) == (False, True)


def test_every_prompt_is_on_the_glass(on_lab):
    pictures = [screen.cut(screen.asking(kind, spot, amount) + ["THEN CONFIRM", "EXTRA ROUND 17"])
                for spot, (kind, amount) in enumerate(zip(contract.PROMPTS, [None, 500, -250, 9_999_900] * 4), 1)]
    assert len(pictures) == len(contract.PROMPTS)
    for rows, (seen, wanted) in zip(pictures, on_lab(lambda lab: drawn(lab, *pictures))):
        assert seen == wanted, rows


def test_only_what_has_changed_is_written(on_lab):
    def play(lab):
        drawn(lab, REST)
        counts = []
        for rows in (REST, [*REST[:3], "SHIFT", REST[4]], ["OPEN", *REST[1:]]):
            lab.table.display.messages.clear()
            lab.run(f"draw({rows!r})")
            counts.append(sum(length for length, is_data in lab.table.display.messages if is_data))
        return counts

    assert on_lab(play) == [0, 128, 384]  # the row that was "SHIFT" too


def test_the_bus_is_free_again_in_half_a_millisecond(on_lab, figure):
    def play(lab):
        drawn(lab, REST)
        longest = max(length for length, _ in lab.table.display.messages)
        return longest, lab.value("bus and 0"), (longest + 2) * 22.5

    longest, _, us = on_lab(play)
    figure("longest message to the display, on the wire", us, "us", 1_000)
    assert longest <= 25


def test_nothing_is_written_while_the_bus_is_needed(on_lab):
    def play(lab):
        drawn(lab, REST)
        lab.table.display.messages.clear()
        lab.run("busy.append(1)\nS.show(['OPEN', '', '', '', ''])\nfor _ in range(20):\n    assert S.step()")
        waiting = len(lab.table.display.messages)
        lab.run("busy.clear()\nwhile S.step():\n    pass")
        return waiting, len(lab.table.display.messages) > 0

    assert on_lab(play) == (0, True)


def test_a_text_that_comes_while_its_row_is_drawn(on_lab):
    """Nothing of the old one stays behind."""

    def play(lab):
        drawn(lab, REST)
        lab.run("S.show(['LOCKED', '', '', '', ''])\nfor _ in range(5):\n    S.step()")
        return drawn_again(lab, ["EXTRA", "", "", "", ""])

    def drawn_again(lab, rows):
        lab.run(f"draw({rows!r})")
        return lab.table.display.pixels() == expected(lab.value("bytes(every)"), rows)

    assert on_lab(play)


def test_a_display_that_had_no_power_is_set_up_anew(on_lab):
    def play(lab):
        drawn(lab, REST)
        lab.table.display.attach(lab.board)
        dark = lab.table.display.lit
        lab.run(f"S.renew()\ndraw({REST!r})")
        return dark, lab.table.display.pixels() == expected(lab.value("bytes(every)"), REST)

    assert on_lab(play) == (False, True)


def test_a_missing_display_raises(on_lab):
    def play(lab):
        lab.table.display.unplug()
        return lab.run(SET_UP + f"try:\n    draw({REST!r})\nexcept OSError:\n    print('not there')").strip()

    assert on_lab(play) == "not there"


@pytest.mark.parametrize("cents, text", [(500, "$5"), (250, "$2.50"), (-500, "-$5"), (9_999_900, "$99999"), (0, "$0")])
def test_amounts(cents, text):
    assert screen.dollars(cents) == text and len(text) <= screen.LETTERS[2]
