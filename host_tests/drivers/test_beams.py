"""Each change of a beam is stamped without the CPU, in order, whatever it is busy with; the self-test's own ones do not
count.
"""

SETUP = """
L = latch.Latch(board)
AB = shoe.Beam(1, board.BEAM_A), shoe.Beam(2, board.BEAM_B)
def changes():
    got = []
    for n in (0, 1):
        us = AB[n].next_us()
        while us >= 0:
            got.append((us, n, AB[n].take()))
            us = AB[n].next_us()
    return sorted(got)
"""


def test_changes_are_stamped_to_the_microsecond_during_an_erase(on_lab):
    def play(lab):
        lab.run(SETUP)
        at = []
        lab.board.after_us(55_000, lambda: at.append(lab.board.now_us))
        lab.table.edge(delay_us=55_000)
        lab.table.beams.glitch(50, delay_us=60_000)  # while the card covers beam A: no change
        lab.table.beams.glitch(30, delay_us=240_000)
        lab.run("flash = rp2.Flash()\nfor n in (211, 210, 209): flash.ioctl(6, n)")
        lab.board.run_ms(200)
        return at[0], lab.value("changes()")

    at, got = on_lab(play)
    assert [(n, covered) for _, n, covered in got] == [(0, 1), (1, 1), (0, 0), (1, 0), (0, 1), (0, 0)]
    due = [0, 20_000, 60_000, 80_000, 185_000, 185_030]
    assert all(abs(us - at - after) <= 1 for (us, _, _), after in zip(got, due))


def test_three_cards_and_one_that_is_pushed_back_while_the_latch_is_armed(on_lab):
    def play(lab):
        lab.run(SETUP)
        lab.run("L.arm()\nchanges()")
        for n in range(3):
            lab.table.edge(delay_us=20_000 + n * 125_000)
        lab.table.edge(back=True, delay_us=500_000)
        lab.run("time.sleep_ms(700)")
        return lab.value("[c[1:] for c in changes()]")

    assert on_lab(play) == 3 * [(0, 1), (1, 1), (0, 0), (1, 0)] + [(0, 1), (0, 0)]


def test_a_beam_that_is_covered_at_power_up_is_told_as_a_change(on_lab):
    def play(lab):
        lab.table.beams.cut(1)
        lab.run(SETUP)
        first = lab.value("changes()")
        lab.table.beams.cut(1, False)
        lab.board.run_ms(1)
        return first, lab.value("changes()")

    first, then = on_lab(play)
    assert [(n, covered) for _, n, covered in first + then] == [(1, 1), (1, 0)]


def test_the_self_test_of_the_latch_is_nobodys_card(on_lab):
    """Only what it did itself: a card that leaves just before or just after it is told."""

    def play(lab):
        lab.run(SETUP)
        lab.table.edge()
        lab.board.run_ms(100)
        lab.run("""
began = T()
fine = L.arm() == 0
for b in AB: b.tested(began, fine)
""")
        lab.table.edge()
        lab.board.run_ms(100)
        passed = lab.value("fine, [c[1:] for c in changes()]")
        lab.table.beams.cut(1)  # it does not pass
        lab.board.run_ms(1)
        lab.run("""
began = T()
fine = L.arm() == 0
for b in AB: b.tested(began, fine)
""")
        lab.table.beams.cut(1, False)
        lab.board.run_ms(1)
        return passed, lab.value("fine, [c[1:] for c in changes()]")

    (fine, got), (failed, rest) = on_lab(play)
    assert fine and got == 2 * [(0, 1), (1, 1), (0, 0), (1, 0)]
    assert failed is False and rest == [(1, 1), (1, 0)]


def test_more_changes_than_the_ring_holds_keep_their_sense(on_lab):
    def play(lab):
        lab.run(SETUP)
        for n in range(20):
            lab.table.beams.glitch(100, delay_us=1_000 + 300 * n)
        lab.board.run_ms(20)
        lab.table.beams.cover(0, 50_000)
        lab.board.run_ms(10)
        return lab.value("[c[1:] for c in changes()]")

    got = on_lab(play)
    assert got[-1] == (0, 1) and [covered for _, covered in got] == [1 - n % 2 for n in range(len(got))]
