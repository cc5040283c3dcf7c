"""The two beams: what moves in the mouth of the shoe, by the instants at which they are covered and cleared.

Figures: hardware notes on card-edge timing. Ignore pulses under 2 ms; at least 12 ms covered; 15 ms between cards; over
600 ms is no card; 1.6 times the usual length is two cards; A before B is out, B before A is in.
"""

import pytest

from firstcard.core.mouth import BACK, DOUBLE, EDGE, ENTERED, FREE, LONG, SAMPLES, SHORT, Mouth

A, B = 0, 1
NAMES = {EDGE: "edge", BACK: "back", SHORT: "short", LONG: "long", FREE: "free", DOUBLE: "double", ENTERED: "entered"}


def told(*covers, look_ms=50, start=0, until_ms=3_000):
    """Findings [(name, ms)] of (beam, from ms, to ms); somebody looks every `look_ms`. `start`: ticks at 0 ms."""
    found = []
    now = [0]
    mouth = Mouth(lambda what: found.append((NAMES[what], now[0])))
    changes = sorted([(begin, 1, beam) for beam, begin, _ in covers] + [(end, 0, beam) for beam, _, end in covers])
    look = 0
    while look <= until_ms:
        while changes and changes[0][0] <= look:
            ms, covered, beam = changes.pop(0)
            now[0] = ms
            mouth.change(beam, covered, (start + round(ms * 1000)) & 0x3FFFFFFF)
        now[0] = look
        mouth.settle((start + look * 1000) & 0x3FFFFFFF)
        look += look_ms
    return found, mouth


def names(*covers, **how):
    return [name for name, _ in told(*covers, **how)[0]]


def card(at=0, ms=60, lag=20):
    return (A, at, at + ms), (B, at + lag, at + lag + ms)


@pytest.mark.parametrize("start", [0, 0x3FFFFFFF - 30_000, 0x3FFFFFFF])
@pytest.mark.parametrize("ms, lag", [(60, 20), (21, 7), (300, 65), (500, 200)])
def test_a_card_that_leaves_is_one_edge_at_its_first_instant(ms, lag, start):
    found, mouth = told(*card(100, ms, lag), start=start)
    assert [name for name, _ in found] == ["edge"] and mouth.clear()
    assert mouth.edge_us == (start + 100_000) & 0x3FFFFFFF


@pytest.mark.parametrize("ms, edges", [(0.1, 0), (1.9, 0), (2.0, 1), (2.1, 1)])
def test_2_ms_are_the_border_between_a_glitch_and_an_edge(ms, edges):
    assert names((A, 100, 100 + ms)).count("edge") == edges


def test_a_glitch_at_either_beam_is_nothing():
    assert names((A, 100, 101), (B, 200, 201.5), (A, 300, 301.9)) == []


def test_a_glitch_of_beam_b_does_not_make_a_pushed_back_card_a_card():
    assert names((A, 100, 180), (B, 130, 131)) == ["edge", "back"]


@pytest.mark.parametrize("gap, edges", [(5, 1), (14, 1), (16, 2), (65, 2)])
def test_15_ms_are_the_border_between_a_nick_and_two_cards(gap, edges):
    assert names(*card(100), *card(160 + gap)).count("edge") == edges


def test_eight_cards_a_second_are_eight_edges():
    covers = [cover for n in range(8) for cover in card(n * 125)]
    assert names(*covers) == ["edge"] * 8


def test_a_card_right_behind_another_is_a_card():
    """16 ms after the first has left beam A, while its end is still at beam B."""
    assert names(*card(100), *card(176)) == ["edge", "edge"]


@pytest.mark.parametrize("covers", [
    [(A, 100, 160)],
    [(A, 100, 500)],
    [(A, 100, 200), (B, 120, 180)],  # as far as beam B, and back
    [(A, 100, 300), (B, 120, 150), (B, 190, 250)],
])
def test_a_card_that_goes_back(covers):
    assert names(*covers) == ["edge", "back"]


def test_a_dealt_card_that_comes_back_is_entered():
    """Its end is still at beam B when it covers beam A again, and beam B is clear before beam A."""
    assert names(*card(100), (A, 178, 260)) == ["edge", "edge", "back", "entered"]


@pytest.mark.parametrize("covers", [
    [(B, 100, 160), (A, 120, 180)],
    [(B, 100, 300), (A, 150, 280)],
])
def test_a_card_from_outside_is_entered_and_no_edge(covers):
    assert [name for name in names(*covers) if name != "free"] == ["entered"]


def test_something_at_beam_b_alone_is_nothing():
    assert names((B, 100, 400)) == []


@pytest.mark.parametrize("beam", [A, B])
def test_more_than_600_ms_is_no_card(beam):
    found, mouth = told((beam, 100, 2_000))
    assert found[-2:] == [("long", 750), ("free", 2_050)] and mouth.clear()
    assert [name for name, _ in found[:-2]] == (["edge"] if beam == A else [])
    assert names((beam, 100, 700)).count("long") == 0


def test_a_cut_wire_stays_told_for_hours():
    found, mouth = told((A, 100, 20 * 60_000), look_ms=500, until_ms=21 * 60_000)
    assert [name for name, _ in found] == ["edge", "long", "free"]


@pytest.mark.parametrize("ms, short", [(9, True), (11.9, True), (12, False), (21, False)])
def test_less_than_12_ms_is_too_fast_for_a_card(ms, short):
    assert names(*card(100, ms, 4)) == (["edge", "short"] if short else ["edge"])
    assert names((A, 100, 100 + ms)) == (["edge", "back", "short"] if short else ["edge", "back"])


def test_a_card_1_6_times_as_long_as_the_others_is_two():
    usual = [cover for n in range(SAMPLES) for cover in card(n * 400)]
    assert "double" not in names(*usual, *card(2_100, 95, 20))
    assert names(*usual, *card(2_100, 98, 20)).count("double") == 1


def test_the_length_does_not_depend_on_the_speed():
    usual = [cover for n in range(SAMPLES) for cover in card(n * 400)]
    assert "double" not in names(*usual, *card(2_100, 240, 80))
    assert "double" in names(*usual, *card(2_100, 40, 8))


def test_nothing_is_suspected_before_there_is_something_to_compare_with():
    assert "double" not in names(*card(0), *card(400), *card(800, 200, 20))


def test_what_came_in_and_stays_is_told_once():
    assert names((B, 100, 200), (A, 150, 1_000)) == ["entered", "free"]
