"""The models of the dealer's keypad and display, spoken to without a bus; and that every model is written down."""

import re

import pytest

from boards import fc7
from pit import ROOT
from pit.emu.display import PAGES, WIDTH, Display
from pit.emu.fakeboard import FakeBoard
from pit.emu.keypad import DIRECTIONS, INPUTS, OUTPUTS, POLARITY, Keypad
from pit.emu.modelerror import ModelError, NotModelled

DIRECTORY = ROOT / "tools" / "pit" / "emu"
GROUND_ROW = 16  # the first key of the row that goes to ground


@pytest.fixture
def board():
    return FakeBoard()


@pytest.fixture
def pad(board):
    pad = Keypad(fc7.KEYPAD_INT)
    pad.attach(board)
    return pad


def put(device, *data):
    device.start(False)
    for byte in data:
        assert device.write(byte)
    device.stop()


def inputs(pad):
    put(pad, INPUTS)
    pad.start(True)
    return pad.read()


# keypad


def test_at_power_up_all_lines_are_inputs_and_high(board, pad):
    assert inputs(pad) == 0xFF and board.pin(fc7.KEYPAD_INT)
    put(pad, DIRECTIONS)
    pad.start(True)
    assert pad.read() == 0xFF


@pytest.mark.parametrize("key", range(20))
def test_a_key_connects_its_row_and_its_column(pad, key):
    """Row 4 is ground; the others show their keys only when they are driven low."""
    row, column = divmod(key, 4)
    put(pad, OUTPUTS, 0xF0)
    put(pad, DIRECTIONS, 0xFF if row == 4 else 0xFF & ~(1 << row))
    before = inputs(pad)
    pad.down(key)
    assert before ^ inputs(pad) == 0x10 << column
    pad.up(key)
    assert inputs(pad) == before


def test_two_lines_that_are_inputs_show_nothing(pad):
    pad.down(0)
    assert inputs(pad) == 0xFF


def test_int_falls_at_a_change_and_rises_when_it_is_read_or_undone(board, pad):
    pad.down(GROUND_ROW)
    assert not board.pin(fc7.KEYPAD_INT)
    pad.up(GROUND_ROW)
    assert board.pin(fc7.KEYPAD_INT)
    pad.down(GROUND_ROW)
    inputs(pad)
    assert board.pin(fc7.KEYPAD_INT)


def test_polarity_turns_what_is_read(pad):
    put(pad, POLARITY, 0xFF)
    assert inputs(pad) == 0


def test_three_keys_of_a_rectangle_show_the_fourth(pad):
    put(pad, OUTPUTS, 0xF0)
    put(pad, DIRECTIONS, 0xFE)
    pad.down(1)
    pad.down(4)
    pad.down(5)
    assert inputs(pad) & 0x10 == 0, "key 0, which nobody presses"


def test_two_outputs_that_fight(pad):
    put(pad, OUTPUTS, 0xFE)
    put(pad, DIRECTIONS, 0xFC)
    pad.down(0)
    with pytest.raises(ModelError, match="keys \\[0, 4\\]"):
        pad.down(4)


@pytest.mark.parametrize("play", ["press", "bounce"])
def test_a_press_ends_by_itself(board, pad, play):
    getattr(pad, play)(GROUND_ROW)
    board.run_ms(50)
    assert pad.pressed == {GROUND_ROW}
    board.run_ms(50)
    assert pad.pressed == set()


def test_a_keypad_that_was_unplugged_has_forgotten_its_registers(board, pad):
    put(pad, OUTPUTS, 0xF0)
    put(pad, DIRECTIONS, 0xF0)
    pad.unplug()
    pad.down(GROUND_ROW)
    assert board.pin(fc7.KEYPAD_INT), "a cable that is off pulls nothing"
    pad.up(GROUND_ROW)
    pad.plug()
    assert pad._registers == [0, 0xFF, 0, 0xFF] and pad.ADDRESS == 0x20


# display

SET_UP = (0xA8, 63, 0xD3, 0, 0x40, 0xA1, 0xC8, 0xDA, 0x12, 0x8D, 0x14, 0x20, 0x02)


@pytest.fixture
def glass(board):
    glass = Display()
    glass.attach(board)
    return glass


def dark(glass):
    return not any(any(row) for row in glass.pixels())


def test_noise_lies_in_it_and_nothing_is_shown_before_it_is_set_up_and_on(glass):
    assert any(any(row) for row in glass.ram) and dark(glass)
    put(glass, 0x00, *SET_UP)
    assert dark(glass)
    put(glass, 0x00, 0xAF)
    assert glass.lit and not dark(glass)
    put(glass, 0x00, 0xAE)
    assert dark(glass)


@pytest.mark.parametrize("missing", [0xA8, 0xD3, 0xA1, 0xC8, 0xDA, 0x8D])
def test_nothing_is_shown_while_a_command_of_the_set_up_is_missing(glass, missing):
    at = SET_UP.index(missing)
    length = 1 if missing in (0xA1, 0xC8) else 2
    put(glass, 0x00, *SET_UP[:at], *SET_UP[at + length :], 0xAF)
    assert not glass.lit


def test_data_goes_to_a_page_and_stays_in_it(glass):
    put(glass, 0x00, *SET_UP, 0xAF, 0xB3, 0x0E, 0x17)
    put(glass, 0x40, 1, 2, 4)
    assert (glass.ram[3][126], glass.ram[3][127], glass.ram[3][0]) == (1, 2, 4)
    pixels = glass.pixels()
    assert pixels[24][126] and pixels[25][127] and pixels[26][0] and len(pixels) == 8 * PAGES
    assert len(pixels[0]) == WIDTH and glass.messages[-1] == (3, True)


@pytest.mark.parametrize("data", [(0x80,), (0x00, 0x41), (0x00, 0x20, 0x00), (0x00, 0x2F), (0x00, 0xA5)])
def test_what_it_does_not_know(glass, data):
    with pytest.raises(NotModelled):
        put(glass, *data)


def test_it_is_never_read(glass):
    with pytest.raises(NotModelled):
        glass.start(True)


def test_without_power_it_forgets(glass):
    put(glass, 0x00, *SET_UP, 0xAF)
    glass.unplug()
    glass.plug()
    assert not glass.lit


# the list of models


def test_every_model_of_the_table_is_in_the_list():
    """What hangs on the table's pins, and the buses that it hangs on."""
    imported = re.findall(r"^from pit\.emu\.(\w+) import", (DIRECTORY / "table.py").read_text(), re.M)
    no_models = {"board", "fakeboard", "modelerror"}
    page = (DIRECTORY / "MODELS.md").read_text(encoding="utf-8")
    for module in {*imported, "pn5180_radio", "air", "ledcurrent", "i2c", "flash"} - no_models:
        assert f"`{module}.py`" in page, module
