"""The bring-up sheet: complete, printable, the same in boards/README.md, and true of the (emulated) table."""

import pytest
from boards import fc7, rc522_demo

from firstcard.app import upkeep
from firstcard.core import keypad
from pit import bringup
from pit.plaquesheet import Stage
from pit.runner import KEY_MS

KNOWN = {"table": "4", "board": "fc7", "unique": "e6614103e7123456", "profile": "us-in-blackjack", "hash": "0badcafe",
         "build": "12345678", "files": "ok", "chips": "ok"}
ROWS = ["readers ok 21 of 21", "edge ok dark within 120 us", "latch ok heard after 5 us", "plaque not-proven 0 mA",
        "store ok 812 us, room for 384 records, 0 bad places", "clock ok 0 ms apart"]


def test_the_sheet_in_the_readme_is_this_one():
    text = bringup.DOCUMENT.read_text(encoding="utf-8")
    assert bringup.renewed(text) == text, "run `.venv/bin/python -m pit.bringup`"
    assert all(f"| {part} |" in text for part in upkeep.PARTS)


def test_there_is_a_line_for_each_part_that_the_board_tests():
    assert tuple(part.name for part in bringup.PARTS) == upkeep.PARTS


def test_a_page_is_a_page_and_says_what_was_found():
    page = bringup.page(fc7, KNOWN, ROWS)
    lines = page.splitlines()
    assert max(map(len, lines)) <= 79 and len(lines) <= 66 and page.isascii()
    for row in ROWS:
        name, verdict, figure = row.split(" ", 2)
        assert f"{verdict}, {figure}" in " ".join(page.split()), row
        box = "[x]" if verdict == "ok" else "[ ]"
        assert any(line.startswith(box) and f" {name}: " in line for line in lines), row
    assert all(word in page for word in ("table 4", KNOWN["unique"], KNOWN["build"], "signature"))
    assert sum(line[3:6] == "[ ]" for line in lines) == len(bringup.steps(fc7))


def test_a_part_that_gave_no_figure_is_not_ticked():
    assert "[x]" not in bringup.page(fc7, KNOWN, [])


def test_a_board_without_a_keypad_is_not_asked_for_one():
    page = bringup.page(rc522_demo, KNOWN, ROWS)
    assert "keypad" not in page and "3 of 3" in page and "key void" in page
    assert "keypad" in bringup.page(fc7, KNOWN, ROWS) and "key void" not in bringup.page(fc7, KNOWN, ROWS)


def press(stage, *names):
    for name in names:
        plain, shifted = keypad.names(keypad.PLAIN), keypad.names(keypad.SHIFTED)
        for key in ([plain.index(name)] if name in plain else [plain.index("shift"), shifted.index(name)]):
            stage.table.keypad.press(key)
            stage.run(KEY_MS)


def faults(stage):
    return {row.split()[1] for row in stage.ask("status").rows if row.startswith("fault ")}


@pytest.fixture
def stage():
    with Stage() as stage:
        stage.come_up()
        yield stage
        assert not stage.board.faults


def test_the_steps_of_hands_and_eyes_on_the_emulated_table(stage):
    """Steps 8 to 13 and 15 to 19, in their order."""
    table = stage.table
    stage.say("limits set 8888 88888")
    assert len(set(table.leds[7:])) == 1 and any(table.leds[7])
    stage.say("limits set 25 500", "open")
    assert not table.lock_level
    table.edge(back=True)
    stage.until("plaque", colour="red")
    assert table.lock_level and stage.state() == "LOCKED"
    stage.run(1500)  # a hand needs as long
    chip = stage.lay(1, 2500)
    stage.until("alarm", kind="late-bet", spot=1)
    green, red, _ = table.leds[0]
    assert table.lamp_level and red and not green
    table.remove(1, "main", [chip])
    table.turn_key(True)
    stage.run(KEY_MS)
    press(stage, "1", "ack")
    stage.until("alarm-cleared", id=1)
    assert not table.lamp_level
    press(stage, "void", "supervisor-confirm")
    table.turn_key(False)
    stage.until("state", state="OPEN")
    assert not table.lock_level
    table.bus.fault(4, "silent")
    table.fault({"plaque": "stuck"})
    table.keypad.unplug()
    table.display.unplug()
    stage.run(6000)
    assert {"reader", "plaque", "keypad", "display"} == faults(stage) and stage.state() == "OPEN"
    table.beams.cut(0)
    stage.run(100)
    assert table.lock_level and stage.state() == "LOCKED"
    stage.until("fault", code="beam", within=5000)
    table.beams.cut(0, False)
    table.bus.fault(4, "ok")
    table.fault({"plaque": "ok"})
    table.keypad.plug()
    table.display.plug()
    stage.run(6000)
    assert not faults(stage)
    table.turn_key(True)
    stage.run(KEY_MS)
    press(stage, "void", "supervisor-confirm")
    table.turn_key(False)
    stage.until("state", state="OPEN")
    stage.say("close")
    table.power_cut()
    table.restore()
    stage.come_up()
    assert stage.state() == "CLOSED" and not faults(stage) and "min=25 max=500" in stage.ask("limits").text
