"""What the strip shows over time: spots that a prompt is about blink, a pending change of limits is counted down."""

import pytest

from firstcard.core import digits
from host_tests.sim.bench import Bench

SHAPES = {code: "0123456789- "[n] for n, code in enumerate(digits.FONT)}


def text(leds, digit, count):
    """What `count` digits show, from digit `digit` of the plaque on."""
    at = len(leds) - digits.PLAQUE_LEDS * 3 + digit * 21
    out = ""
    for place in range(count):
        segments = 0
        for segment in range(7):
            led = at + (place * 7 + segment) * 3
            segments |= any(leds[led : led + 3]) << segment
        out += SHAPES[segments]
    return out


def plaque(leds):
    return text(leds, 0, 4), text(leds, 4, 5)


def spot(leds, number):
    return bytes(leds[3 * number - 3 : 3 * number])


def colour(number):
    return bytes(digits.GRB[3 * number : 3 * number + 3])


def seen(bench, ms, step=50):
    """The strip at every 50 ms."""
    out = []
    for _ in range(0, ms, step):
        bench.run(step)
        out.append(bytes(bench.table.leds))
    return out


@pytest.mark.parametrize("seconds, shown", [(0, ("  -0", "  -00")), (59, ("  -0", "  -59")), (1200, (" -20", "  -00")),
                                            (59_999, ("-999", "  -59")), (90_000, ("-999", "  -00"))])
def test_the_time_that_is_left_is_no_limit(seconds, shown):
    strip = bytearray(digits.size(7))
    digits.count_down(strip, seconds, digits.AMBER)
    assert plaque(strip) == shown and digits.decode(strip)[:2] == (-1, -1)


def test_a_spot_that_is_asked_blinks_and_no_other():
    bench = Bench()
    bench.bets((2, 1000), (4, 1000))
    bench.draw("6S", "5C", "TC", "7D", "6H", "9H")
    strips = seen(bench, 2000)
    assert [spot(leds, 2) for leds in strips].count(colour(digits.AMBER)) == 20
    assert [spot(leds, 2) for leds in strips].count(colour(digits.OFF)) == 20
    assert {spot(leds, 4) for leds in strips} == {colour(digits.GREEN)}
    bench.ok("key stand")
    strips = seen(bench, 2000)
    assert {spot(leds, 2) for leds in strips} == {colour(digits.GREEN)}
    assert {spot(leds, 4) for leds in strips} == {colour(digits.AMBER), colour(digits.OFF)}
    assert {plaque(leds) for leds in strips} == {("   5", "  500")}, "the plaque does not blink with it"


def pending(profile="us-in-blackjack", **more):
    bench = Bench(profile=profile, **more)
    bench.bets((2, 1000))
    bench.ok("limits set 10 200 in 20m")
    bench.run(100)
    return bench


def test_a_pending_change_is_counted_down_and_the_limits_are_shown_most_of_the_time():
    bench = pending()
    strips = seen(bench, 8000)
    shown = [plaque(leds) for leds in strips]
    assert 0.6 < shown.count(("   5", "  500")) / len(shown) < 0.7
    assert ("    ", "     ") in shown
    counts = {one for one in shown if one[0] == " -19"}
    assert len(counts) >= 2 and {digits.decode(leds)[2] for leds in strips} == {digits.AMBER, digits.OFF}
    assert not [e for e in bench.told("plaque") if e["colour"] != "amber"][3:]


def test_the_limits_are_there_at_the_lock_whatever_was_shown():
    for ms in range(0, 4000, 250):
        bench = pending()
        bench.run(ms)
        bench.draw("6S")
        assert plaque(bench.table.leds) == ("   5", "  500")
        assert digits.decode(bench.table.leds)[2] == digits.RED


def test_a_sign_that_the_rules_always_demand_shows_nothing_but_the_limits():
    bench = pending("gcb-blackjack", options={"dealer_natural_beats_21": True,
                                              "approved_limits": [[1000, 20_000], [500, 50_000]]})
    assert {plaque(leds) for leds in seen(bench, 5000)} == {("   5", "  500")}
