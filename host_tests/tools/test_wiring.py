"""The wiring picture, pin table and parts are those of the board files; the recovery ladder keeps what it promises."""

import re
import xml.etree.ElementTree as ET

import pytest
from boards import fc7

from pit import build, firmware, image, keypadplan, wiring

BOARDS = wiring.boards()


def test_the_tables_are_those_of_the_boards():
    text = wiring.DOCUMENT.read_text(encoding="utf-8")
    assert wiring.renewed(text) == text, "run `.venv/bin/python -m pit.wiring`"
    assert all(f"<!-- {part} {board.NAME} -->" in text for board in BOARDS for part in ("pins", "parts"))


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.NAME)
def test_the_picture_is_that_of_the_board(board):
    drawn = wiring.draw(board)
    path = wiring.BOARDS / f"{board.NAME}.svg"
    assert path.read_text(encoding="utf-8") == drawn, "run `.venv/bin/python -m pit.wiring`"
    root = ET.fromstring(drawn)
    words = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
    for _, what, to in wiring.pins(board).values():
        assert what in words and to in words
    assert len([word for word in words if re.fullmatch(r"GP\d+", word)]) == 26, "every GP of a Pico is drawn"


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.NAME)
def test_no_pin_is_used_twice_or_does_not_exist(board):
    """GP23 to GP25 and GP29 are inside the Pico."""
    known = wiring.pins(board)
    wires = 0
    text = (build.BOARDS / f"{board.NAME}.py").read_text()
    for name in wiring.PINS:
        if re.search(rf"^{name} = ", text, re.M):
            wires += wiring.BUSES.get(name, 1)
    assert len(known) == wires
    assert set(known) <= {gp for gp in (*wiring.LEFT, *wiring.RIGHT) if isinstance(gp, int)}


def test_fc7_is_wired_as_the_design_says():
    known = {gp: what for gp, (_, what, _) in wiring.pins(fc7).items()}
    for gp, word in ((7, "LOCK"), (2, "beam A"), (3, "beam B"), (9, "SERVICE"), (15, "strobe"), (20, "BUSY"),
                     (10, "A0"),
                     (14, "A4"), (22, "return"), (26, "current"), (8, "LED"), (17, "RESET"), (16, "MISO")):
        assert word in known[gp]
    parts = {part: number for number, part, _ in wiring.parts(fc7)}
    assert parts["PN5180 reader with its antenna"] == "22" and parts["WS2812B, 12 mA a colour"] == "70"


def test_the_keypads_picture_is_that_of_its_keys():
    drawn = keypadplan.draw()
    assert keypadplan.PICTURE.read_text(encoding="utf-8") == drawn, "run `.venv/bin/python -m pit.keypadplan`"
    words = [text.text for text in ET.fromstring(drawn).iter("{http://www.w3.org/2000/svg}text")]
    assert {keypadplan.cap(name) for name in keypadplan.PLAIN + keypadplan.SHIFTED if name != "-"} <= set(words)


def test_micropython_alone_leaves_the_file_system():
    """Rung 7 of the ladder: its UF2 file ends before the journal begins, no block erases it."""
    sectors = image.read_uf2(firmware.image_path().read_bytes())
    assert max(sectors) + image.BLOCK <= image.FLASH_BASE + image.FS_OFFSET


def test_what_the_ladder_tells_to_type_exists():
    from typer.main import get_command

    from pit import cli

    known = get_command(cli.app).commands
    text = wiring.DOCUMENT.read_text(encoding="utf-8")
    typed = set(re.findall(r"`pit (\w+)", text))
    assert typed >= {"ports", "doctor", "status", "flash"} and typed <= set(known)
