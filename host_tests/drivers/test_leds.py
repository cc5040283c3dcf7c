"""The strip: what is decoded from the pin is what was shown, the CPU only starts it, and prove() is True only then."""

import pytest

from firstcard.core import digits
from pit.emu.strip import FAULTS

SHOW = """
P = leds.Leds(board.LEDS, 70, board.PLAQUE_RETURN, board.PLAQUE_CURRENT)
one = bytearray(b"\\x30\\0\\0\\0\\0\\0" * 35)
two = bytearray(b"\\0\\x40\\0" * 70)
def proof(picture):
    P.show(picture)
    t = T()
    told = P.prove()
    return told, D(T(), t)
"""


def strip_of(count):
    return f"P = leds.Leds(board.LEDS, {count}, board.PLAQUE_RETURN, board.PLAQUE_CURRENT)\n"


def plaque(minimum, maximum, colour):
    """The bytes of a picture, as an expression for the board."""
    picture = bytearray(digits.size(7))
    digits.draw(picture, minimum, maximum, colour, bytes((1, 2, 3, 0, 1, 1, 1)))
    return f"bytearray({bytes(picture)!r})"


def test_frame_is_drawn(on_lab, figure):
    picture = bytes(n * 37 & 255 for n in range(64 * 3))

    def play(lab):
        lab.table.strip.count = 64
        lab.run(strip_of(64) + "picture = bytearray([n * 37 & 255 for n in range(64 * 3)])")
        lab.run("us = []\nfor _ in range(9):\n t = T()\n P.show(picture)\n us.append(D(T(), t))\n time.sleep_ms(5)")
        return lab.table.strip.frames, lab.table.strip.malformed, lab.value("us"), lab.table.strip.surplus

    frames, malformed, us, surplus = on_lab(play)
    shown = [tuple(picture[at : at + 3]) for at in range(0, len(picture), 3)]
    assert [leds for _, leds in frames] == [shown] * 9 and not malformed and len(surplus) == 1
    figure("kick of 64 LEDs, CPU with interrupts on, median", sorted(us)[4], "us", 150)


def test_picture_that_comes_while_one_is_drawn(on_lab):
    def play(lab):
        lab.run(strip_of(43) + "one = bytearray(129)\ntwo = bytearray([9] * 129)")
        lab.run("P.show(one)\nP.show(two)\nP.poll()\ntime.sleep_ms(5)\nP.poll()\ntime.sleep_ms(5)\nP.poll()\ntime.sleep_ms(5)")
        return [leds[0] for _, leds in lab.table.strip.frames], lab.value("allocated(lambda: P.show(one))")

    assert on_lab(play) == ([(0, 0, 0), (9, 9, 9)], 0)


@pytest.mark.parametrize("wait_us", [0, 1_000, 1_400, 1_600, 2_400])
def test_pictures_in_quick_succession_are_not_mixed(on_lab, wait_us):
    """The DMA is done 150 us before the last LED has its bits: a picture that began then would be surplus."""

    def play(lab):
        lab.run(strip_of(43) + f"P.show(bytearray(129))\nnap({wait_us})\nP.show(bytearray([9] * 129))\n")
        lab.run("time.sleep_ms(5)\nP.poll()\ntime.sleep_ms(5)")
        return [leds[0] for _, leds in lab.table.strip.frames]

    assert on_lab(play) == [(0, 0, 0), (9, 9, 9)]


def test_no_interrupt_is_late(on_lab):
    """A hard timer of 1 ms runs on time while the strip is drawn."""

    def play(lab):
        lab.run(
            strip_of(64) + "picture = bytearray(192)\nseen = array.array('i', [0] * 12)\n"
            "def tick(t):\n n = seen[0]\n if n < 10:\n  seen[n + 2] = T()\n  seen[0] = n + 1\n"
            "timer = machine.Timer()\ntimer.init(period=1, mode=1, callback=tick, hard=True)\n"
            "for n in range(4):\n P.show(picture)\n time.sleep_ms(3)\ntimer.deinit()"
        )
        return lab.value("[D(seen[n + 3], seen[n + 2]) for n in range(9)]")

    assert all(abs(us - 1000) < 40 for us in on_lab(play))


@pytest.mark.parametrize("picture", ["one", "two", "bytearray(210)", plaque(500, 50_000, digits.GREEN),
                                     plaque(888_800, 8_888_800, digits.AMBER)])
def test_proven(on_lab, figure, picture):
    def play(lab):
        lab.run(SHOW)
        first = lab.value(f"proof({picture})")
        return first, [lab.value("proof(two)[0], proof(one)[0], P.prove()") for _ in range(2)]

    (told, us), again = on_lab(play)
    assert told and again == [(True, True, True)] * 2
    figure("show to proven", us, "us", 5_000)


LATER = """
def asked(limit=20, meanwhile=None):
    told, longest = [], 0
    while len(told) < limit:
        t = T()
        told.append(P.prove(True))
        longest = max(longest, D(T(), t))
        if told[-1] is not None:
            break
        if meanwhile and len(told) == 1:
            P.show(meanwhile)
        time.sleep_ms(1)
        P.poll()
    return told, longest
"""


def test_a_proof_that_does_not_wait(on_lab, figure):
    """It takes several calls, none of them long; a fault is found and its end too."""

    def play(lab):
        lab.run(SHOW + LATER)
        lab.run("P.show(one)")
        told = [lab.value("asked()")]
        lab.run("time.sleep_ms(5)")
        told.append(lab.value("asked()"))
        for kind in (*FAULTS, "ok"):
            lab.table.fault({"plaque": kind})
            told.append(lab.value("asked()"))
        return told, lab.value("allocated(lambda: P.prove(True))")

    told, allocated = on_lab(play)
    assert [one[-1] for one, _ in told] == [True, True, *[False] * len(FAULTS), True]
    assert all(set(one[:-1]) == {None} for one, _ in told) and not allocated
    figure("one call of a proof that does not wait", max(us for _, us in told), "us", 2_000)


def test_a_picture_in_the_middle_of_a_proof_that_does_not_wait(on_lab):
    """The answer is about the new one: never that of the one before, and never a mixture."""

    def play(lab):
        lab.run(SHOW + LATER)
        lab.run("P.show(one)\ntime.sleep_ms(5)")
        first = lab.value("asked(meanwhile=two)")[0], lab.table.leds
        lab.run("P.show(one)\ntime.sleep_ms(5)")
        begun = lab.value("P.prove(True), P.prove()")
        return first, begun, lab.value("asked()")[0], lab.table.strip.malformed

    (told, leds), begun, after, malformed = on_lab(play)
    assert told[-1] is True and len(told) > 4 and leds == [(0, 0x40, 0)] * 70
    assert begun == (None, True) and after[-1] is True and not malformed


def test_the_newest_picture_is_proven(on_lab, figure):
    """prove() right after two show(): the first is cut short, the second is what the strip has at the end."""

    def play(lab):
        lab.run(SHOW)
        lab.run(f"red = {plaque(500, 50_000, digits.RED)}")
        lab.run("P.show(one)\nnap(400)\nP.show(two)\nt = T()\ntold = P.prove()\nt = D(T(), t)")
        first = lab.value("told, t"), lab.table.leds, lab.table.strip.malformed
        lab.run("P.show(one)\ntime.sleep_us(2300)\nP.show(red)\nt = T()\ntold = P.prove()\nt = D(T(), t)")
        return first, lab.value("told, t"), digits.decode(lab.table.leds), lab.value("allocated(lambda: P.prove())")

    ((told, us), shown, malformed), (late, late_us), decoded, allocated = on_lab(play)
    assert told and late and shown == [(0, 0x40, 0)] * 70 and not malformed and not allocated
    assert decoded == (500, 50_000, digits.RED)
    figure("two pictures, the second proven", max(us, late_us), "us", 5_000)


@pytest.mark.parametrize("kind", FAULTS)
def test_fault_is_found_and_its_end_too(on_lab, kind):
    def play(lab):
        lab.run(SHOW)
        told = [lab.value("proof(one)[0]")]
        lab.table.fault({"plaque": kind})
        told += lab.value("P.prove(), proof(two)[0], proof(one)[0]")
        shown = lab.table.leds
        lab.table.fault({"plaque": "ok"})
        return told, shown, lab.value("proof(two)[0]"), lab.table.leds

    told, shown, after, leds = on_lab(play)
    assert told == [True, False, False, False] and after
    assert leds == [(0, 0x40, 0)] * 70
    lit = [n for n, led in enumerate(shown) if any(led)]
    assert lit == {"dead-led": list(range(0, 35, 2)), "short": list(range(0, 69, 2)), "stuck": list(range(0, 70, 2)),
                   "dark": [], "long": list(range(0, 70, 2)), "weak": list(range(0, 70, 2))}[kind]


@pytest.mark.parametrize("at", [0, 1, 68, 69])
def test_any_led_that_is_dead(on_lab, at):
    def play(lab):
        lab.run(SHOW)
        lab.table.strip.fault("dead-led", at)
        return lab.value("proof(two)[0]")

    assert on_lab(play) is False


@pytest.mark.parametrize("count, told", [(0, False), (60, False), (71, False), (70, True)])
def test_strip_of_another_length(on_lab, count, told):
    """0: data pin and return pin joined. The next proof is not disturbed by what is left of the last one."""

    def play(lab):
        lab.run(SHOW)
        lab.table.strip.count = count
        first = lab.value("proof(one)[0]")
        lab.table.strip.count = 70
        return first, lab.value("proof(two)[0]")

    assert on_lab(play) == (told, True)


def test_sentinel_of_an_earlier_show_is_not_taken(on_lab):
    """The data line is dead, and the return line plays the last show again."""

    def play(lab):
        lab.run(SHOW)
        board, pin, begun, edges = lab.board, lab.table.pins.LEDS, [], []
        board.on_pin(pin, lambda level, ns: begun.append(ns) if level else None)
        drive = board.drive
        board.drive = lambda gp, level: (edges.append((board.now_ns - begun[0], level)), drive(gp, level))
        told = lab.value("proof(two)[0]")
        board.drive = drive
        lab.table.fault({"plaque": "stuck"})
        begun.clear()

        def replay():
            for ns, level in edges:
                board.after_us(ns / 1000, lambda level=level: drive(lab.table.pins.PLAQUE_RETURN, level))

        board.on_pin(pin, lambda level, ns: replay() if len(begun) == 1 and level else None)
        return told, len(edges), lab.value("proof(two)[0], P._back.rx_fifo()"), len(begun)

    told, edges, (stale, left), bits = on_lab(play)
    assert told and edges == 48 and bits == 71 * 24
    assert (stale, left) == (False, 0), "one pixel came, and was looked at"


@pytest.mark.parametrize("bits", [1, 23, 25, 47, 48])
def test_return_of_another_number_of_bits(on_lab, bits):
    """More or fewer than 24 bits; the first 24 are right."""

    def play(lab):
        lab.run(SHOW)
        strip, count = lab.table.strip, []
        pass_on = strip._pass_on

        def other(level, ns, late_ns):
            count.append(level)
            if len(count) <= 2 * bits:
                pass_on(level, ns, late_ns)
            if len(count) == 48:
                for n in range(24, bits):
                    at_us = 20 + 1.25 * (n - 23)
                    lab.board.after_us(at_us, lambda: lab.board.drive(strip.back, True))
                    lab.board.after_us(at_us + 0.32, lambda: lab.board.drive(strip.back, False))

        strip._pass_on = other
        told = lab.value("proof(one)[0]")
        strip._pass_on = pass_on
        return told, lab.value("proof(one)[0]")

    assert on_lab(play) == (False, True)


@pytest.mark.parametrize("out_ns", [(224, 584), (496, 1_000)])
def test_shapes_that_data_sheets_allow(on_lab, out_ns):
    def play(lab):
        lab.run(SHOW)
        lab.table.strip.out_ns = out_ns
        return lab.value("[proof(one)[0], proof(two)[0], proof(one)[0], proof(two)[0]]")

    assert on_lab(play) == [True] * 4


@pytest.mark.parametrize(
    "scale, told", [(1.0, True), (0.95, True), (1.05, True), (0.8, False), (1.25, False), (0, False)]
)
def test_light_of_the_leds(on_lab, scale, told):
    def play(lab):
        lab.run(SHOW)
        lab.table.strip.current.scale = scale
        return lab.value("proof(two)[0]")

    assert on_lab(play) is told


def test_limit_of_the_proof(on_lab):
    """One colour of one LED is within the tolerance: not seen. Written down so that nobody believes otherwise."""

    def play(lab):
        lab.run(SHOW)
        show = lab.table.strip.current.show

        def with_dead_colours(dead):
            lab.table.strip.current.show = lambda ns, leds, powered: show(ns, [(0, 0, 0)] * dead + leds[dead:], powered)
            return lab.value("proof(two)[0]")

        return [with_dead_colours(dead) for dead in (1, 4, 15)]

    assert on_lab(play) == [True, True, False]


def test_lock_while_proving(on_lab, figure):
    def play(lab):
        lab.run(SHOW + "L = latch.Latch(board)\n")
        assert lab.value("L.arm(), L.is_locked()") == (0, False)
        found = []
        for us in (300, 1_234.5, 2_499, 2_900, 3_777, 4_100):
            lab.run("P.show(one)\nL.arm()")
            lab.table.lock_log.clear()
            at = []

            def begun(level, ns, us=us, at=at):
                if not at:
                    at.append(lab.board.now_us + us)
                    lab.table.edge(delay_us=us)

            lab.table.board.pads._callbacks[lab.table.pins.LEDS].append(begun)
            told = lab.value("proof(two)[0]")
            lab.table.board.pads._callbacks[lab.table.pins.LEDS].remove(begun)
            lab.board.run_ms(150)
            found.append((told, [us - at[0] for us, level in lab.lock_log() if level]))
        return found

    found = on_lab(play)
    assert all(told and len(late) == 1 for told, late in found)
    figure("edge to LOCK while proving", round(max(late[0] for _, late in found), 3), "us", 0.1)


def test_pio1_has_room(on_lab):
    """32 instructions for all programs of PIO 1: there is room for more."""

    def play(lab):
        lab.run(SHOW)
        return lab.value("[len(p[0]) for p in (leds._program, leds._catch)]")

    assert sum(on_lab(play)) == 7


def test_cpu_time_of_a_proof(on_lab, figure):
    """The CPU sleeps nearly all the time."""

    def play(lab):
        lab.run(SHOW + "slept = [0]\ndef asleep(us):\n t = T()\n nap(us)\n slept[0] += D(T(), t)\nleds.nap = asleep\n")
        told, us = lab.value("proof(one)")
        return told, us - lab.value("slept[0]")

    told, us = on_lab(play)
    assert told
    figure("CPU of a proof", us, "us", 700)
