"""The strip: what is decoded from the pin is what was shown, and the CPU only starts it."""


def test_frame_is_drawn(on_lab, figure):
    picture = bytes(n * 37 & 255 for n in range(64 * 3))

    def play(lab):
        lab.run("P = leds.Leds(board.LEDS, 64)\npicture = bytearray([n * 37 & 255 for n in range(64 * 3)])")
        lab.run("P.show(picture)\ntime.sleep_ms(5)\nt = T()\nP.show(picture)\nt = D(T(), t)\ntime.sleep_ms(5)")
        return lab.table.strip.frames, lab.table.strip.malformed, lab.value("t")

    frames, malformed, us = on_lab(play)
    shown = [tuple(picture[at : at + 3]) for at in range(0, len(picture), 3)]
    assert [leds for _, leds in frames] == [shown, shown] and not malformed
    figure("kick of 64 LEDs, CPU with interrupts on", us, "us", 150)


def test_picture_that_comes_while_one_is_drawn(on_lab):
    def play(lab):
        lab.run("P = leds.Leds(board.LEDS, 43)\none = bytearray(129)\ntwo = bytearray([9] * 129)")
        lab.run("P.show(one)\nP.show(two)\nP.poll()\ntime.sleep_ms(5)\nP.poll()\ntime.sleep_ms(5)\nP.poll()\ntime.sleep_ms(5)")
        return [leds[0] for _, leds in lab.table.strip.frames], lab.value("allocated(lambda: P.show(one))")

    assert on_lab(play) == ([(0, 0, 0), (9, 9, 9)], 0)


def test_no_interrupt_is_late(on_lab):
    """A hard timer of 1 ms runs on time while the strip is drawn."""

    def play(lab):
        lab.run(
            "P = leds.Leds(board.LEDS, 64)\npicture = bytearray(192)\nseen = array.array('i', [0] * 12)\n"
            "def tick(t):\n n = seen[0]\n if n < 10:\n  seen[n + 2] = T()\n  seen[0] = n + 1\n"
            "timer = machine.Timer()\ntimer.init(period=1, mode=1, callback=tick, hard=True)\n"
            "for n in range(4):\n P.show(picture)\n time.sleep_ms(3)\ntimer.deinit()"
        )
        return lab.value("[D(seen[n + 3], seen[n + 2]) for n in range(9)]")

    assert all(abs(us - 1000) < 40 for us in on_lab(play))
