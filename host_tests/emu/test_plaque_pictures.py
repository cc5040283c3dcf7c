"""boards/plaque.svg is what the firmware's LEDs show on the emulated board, and a stranger reads it right.

Read by emu/glyphs.py, which knows nothing of the firmware. Broken once and seen red: a digit of the font
(core/digits.py), pictures that are not drawn (app/showing.py), green and red exchanged on the wire (drivers/leds.py).
"""

import pytest

from host_tests.emu import glyphs
from host_tests.emu.glyphs import Reading
from pit import plaque, plaquesheet
from pit.plaquesheet import Shot, Stage, draw

PAIRS = ["1 to 1", "1 to 7", "5 to 6", "7 to 77", "11 to 171", "8 to 800", "25 to 500", "56 to 6,556", "100 to 10,000",
         "808 to 8,080", "2,345 to 67,890", "9,999 to 99,999"]
STATES = [
    Reading("power-on", "", "", "off", "......."),
    Reading("SAFE", "25", "500", "red", "......."),
    Reading("CLOSED", "25", "500", "red", "......."),
    Reading("OPEN", "25", "500", "green", "......."),
    Reading("OPEN, bets", "25", "500", "green", ".g..ga."),
    Reading("OPEN, change pending", "25", "500", "amber", ".g..g.."),
    Reading("OPEN, change pending", "", "", "off", ".g..g.."),
    Reading("OPEN, change pending", "-19", "-57", "amber", ".g..g.."),
    Reading("LOCKED", "25", "500", "red", ".g..g.."),
    Reading("LOCKED, change pending", "25", "500", "red", ".g..g.."),
    Reading("LOCKED, prompt", "25", "500", "red", ".a..g.."),
    Reading("LOCKED, prompt", "25", "500", "red", "....g.."),
    Reading("LOCKED, alarm", "25", "500", "red", ".a..r.."),
    Reading("EXTRA", "25", "500", "red", ".g..g.."),
    Reading("SETTLE", "25", "500", "red", ".g..g.."),
    Reading("OPEN, new limits", "50", "1000", "green", ".a..a.."),
    Reading("CLOSED again", "50", "1000", "red", "......."),
    Reading("service mode", "50", "1000", "red", "......."),
    Reading("OPEN, change pending, GCB", "25", "500", "amber", ".g....."),
    Reading("CLOSED, a LED is dead", "25", "", "red", "......."),
]


def stripped(readings):
    return [one._replace(low=one.low.lstrip(" "), high=one.high.lstrip(" ")) for one in readings]


def check(svg):
    """The readings of a picture are what the table was told to show."""
    told = stripped(glyphs.read(svg))
    assert [one.title for one in told[:12]] == PAIRS
    for one in told[:12]:
        assert f"{one.low} to {one.high}" == one.title.replace(",", "") and one.colour == "red"
    assert told[12:] == STATES


def test_the_kept_picture_is_read_as_what_it_says():
    check(plaquesheet.PICTURE.read_text(encoding="utf-8"))


def test_the_board_shows_what_the_kept_picture_shows():
    fresh = plaquesheet.make()
    check(fresh)
    assert plaquesheet.PICTURE.read_text(encoding="utf-8") == fresh, "run `.venv/bin/python -m pit.plaquesheet`"


def test_a_picture_that_does_not_reach_the_leds_is_noticed():
    with Stage() as stage:
        stage.come_up()
        stage.say("limits set 5 6")
        stage.shoot("5 to 6")
        stage.table.strip.fault("stuck")
        stage.say("limits set 7 77")
        stage.shoot("7 to 77")
        assert not stage.table.strip.malformed
    first, second = stripped(glyphs.read(draw(("", stage.shots))))
    assert (first.low, first.high) == ("5", "6") and (second.low, second.high) == ("5", "6")


@pytest.mark.parametrize("low, high", [(2345, 67_890), (1018, 88_888), (1, 7)])
def test_no_single_light_can_be_wrong_without_being_read_wrong(low, high):
    """Also for those who do not know seven segments: what is no digit is `?`, never the digit that was meant."""
    leds = plaque.picture(low * 100, high * 100, "green")
    meant = glyphs.read(draw(("", [Shot("", "", leds)])))[0]
    assert (int(meant.low), int(meant.high)) == (low, high)
    spoiled = []
    for n in range(7, 70):
        other = list(leds)
        other[n] = (0, 0, 0) if any(leds[n]) else max(leds)
        spoiled.append(Shot(str(n), "", other))
    for one in glyphs.read(draw(("", spoiled))):
        assert (one.low, one.high) != (meant.low, meant.high), one


def test_lights_stand_out_and_red_is_told_apart_by_brightness_alone():
    """Red is locked, amber and green are open: the difference that matters is there for those who see no hue."""
    lit = {colour: plaque.css(next(filter(any, plaque.picture(100, 100, colour)))) for colour in glyphs.HUES}
    assert {colour: glyphs.name(css) for colour, css in lit.items()} == {colour: colour for colour in lit}
    for css in lit.values():
        assert glyphs.contrast(css, plaquesheet.picture.PANEL) > 4.5 > 3 * glyphs.contrast(
            plaquesheet.picture.DARK_LED, plaquesheet.picture.PANEL)
    assert all(glyphs.contrast(lit["red"], lit[other]) > 1.5 for other in ("amber", "green"))
