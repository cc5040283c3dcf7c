"""The lock: at the edge itself whatever the CPU does, glitches let go, a broken path never opens."""

import pytest

SETUP = """
L = latch.Latch(board)
def watch(ms):
    end = time.ticks_add(time.ticks_ms(), ms)
    while D(end, time.ticks_ms()) > 0: pass
"""
ARMED = "L.arm(), L.is_locked(), L.is_armed()"
BUSY = {
    "idle": "time.sleep_ms(120)",
    "gc": "keep = [bytearray(20) for n in range(2000)]\nfor n in range(12): gc.collect()",
    "erase": "flash = rp2.Flash()\nflash.ioctl(6, 211)\nflash.ioctl(6, 210)\nflash.ioctl(6, 209)",
    "sweep": "R = readers.Readers(board, [0])\nR.power_up()\n"
    "for n in range(3):\n R.begin()\n while True:\n  d = R.run(9999)\n  if d == -2: break\n  if d > 0: nap(d)",
}


@pytest.mark.parametrize("doing", BUSY)
def test_lock_at_the_edge(on_lab, figure, doing):
    def play(lab):
        lab.run(SETUP)
        assert lab.value(ARMED) == (0, False, True)
        late = []
        lab.table.lock_log.clear()
        lab.table.edge(delay_us=100_000)
        lab.board.after_us(100_000, lambda: late.append(lab.board.now_us))
        lab.run(BUSY[doing], 60_000)
        lab.board.run_ms(200)
        told, us, instant = lab.value("L.take(), L.lock_us, T()")
        up = [us for us, level in lab.lock_log() if level]
        return up[0] - late[0], len(up), told, abs(us - late[0] % (1 << 30)), lab.value("L.is_locked(), L.check()")

    delay, times, told, off_us, after = on_lab(play)
    assert (times, told, after) == (1, 1, (True, 0))
    assert off_us <= 1, "the stamp is that of the edge"
    figure(f"edge to LOCK, {doing}", round(delay, 3), "us", 0.1)


def test_latch_is_set_by_the_hard_handler(on_lab, figure):
    def play(lab):
        lab.run(SETUP)
        lab.run("L.arm()")
        lab.table.edge(delay_us=50_000)
        lab.run("time.sleep_ms(60)")
        return lab.value("D(latch.WORDS[latch.TICK], L._stamp_us())")

    figure("edge to the hard handler's store, idle", on_lab(play), "us", 10)


def test_glitch_lets_lock_fall_again(on_lab):
    def play(lab):
        lab.run(SETUP)
        lab.run("L.arm()")
        lab.table.lock_log.clear()
        lab.table.beams.glitch(1_800, delay_us=50_000)
        lab.table.beams.glitch(2_200, delay_us=250_000)
        lab.run("time.sleep_ms(60)")
        first = lab.value("L.take(), L.check(), L.glitches, L.is_armed()")
        lab.run("time.sleep_ms(200)")
        second = lab.value("L.take(), L.check(), L.is_locked()")
        return first, second, lab.lock_log()

    first, second, log = on_lab(play)
    assert first == (0, 0, 1, True)
    assert second == (1, 0, True)
    assert [level for _, level in log] == [True, False, True]
    assert 1_800 <= log[1][0] - log[0][0] < 1_801


BREAKS = {
    "machine stopped": "L._sm.active(0)",
    "beam A unheard": "L._a.irq(None)",
    "survival unheard": "L._sm.irq(None)",
    "stamps stopped": "L._dma[0].active(0)",
    "machine elsewhere": "L._sm.exec(L._start_at)",
    "handlers lost": "machine.mem32[latch.WORDS_AT] += 4",
}


@pytest.mark.parametrize("broken", BREAKS)
def test_broken_path_is_noticed_and_locks(on_lab, broken):
    """While armed (check) and when arming (the self-test): LOCK is high and stays high."""

    def play(lab):
        lab.run(SETUP)
        lab.run("L.arm()")
        lab.run(BREAKS[broken])
        noticed = lab.value("L.is_armed(), L.check() != 0, L.is_locked()")
        lab.table.lock_log.clear()
        again = lab.value("L.arm() != 0, L.is_locked()") if broken != "machine elsewhere" else None
        return noticed, again, lab.lock_log()

    noticed, again, log = on_lab(play)
    assert noticed == (False, True, True)
    assert again in (None, (True, True))
    assert not [level for _, level in log if not level] or broken == "machine elsewhere", "LOCK never fell"


def test_beams_that_cannot_go_dark_or_stay_dark(on_lab):
    def play(lab):
        lab.run(SETUP)
        lab.table.beams.cut(0)
        cut = lab.value("L.arm(), L.is_locked()")
        lab.table.beams.cut(0, False)
        board, pins = lab.board, lab.table.pins
        lab.table.beams._show = lambda: None  # the wire is shorted to ground: clear whatever happens
        board.drive(pins.BEAM_A, False)
        shorted = lab.value("L.arm(), L.is_locked()")
        return cut, shorted

    assert on_lab(play) == ((1, True), (4, True))


def test_lock_by_the_cpu_wins(on_lab):
    def play(lab):
        lab.run(SETUP)
        lab.run("L.arm()")
        first = lab.value("L.lock(), L.lock(), L.is_locked(), L.is_armed(), L.check()")[2:]
        lab.table.beams.glitch(1_000, delay_us=20_000)  # the machine would let its own output fall again
        lab.run("time.sleep_ms(60)")
        still = lab.value("L.is_locked()")
        lab.run("t = T()\nr = L.arm()\nt = D(T(), t)")
        return first, still, lab.value("r, L.is_armed(), t")

    first, still, (fine, armed, us) = on_lab(play)
    assert first == (True, False, 0) and still
    assert fine == 0 and armed and us < 3_000


def test_no_word_is_left_that_would_open_later(on_lab):
    """Arming twice, and once while a card lies in the gap: LOCK never falls by itself afterwards."""

    def play(lab):
        lab.run(SETUP)
        lab.run("L.arm()")
        lab.run("L.arm()")
        lab.table.beams.cover(0, 400_000)
        refused = lab.value("L.arm()")  # the card still covers the beam
        lab.board.run_ms(500)
        return refused, lab.value("L.is_locked()")

    assert on_lab(play) == (1, True)


def test_reset_locks(on_lab):
    def play(lab):
        lab.run(SETUP)
        lab.run("L.arm()")
        before = lab.table.lock_level
        lab.board.send(b"\x01machine.reset()\x04")
        lab.board.run_ms(30)
        return before, lab.table.lock_level

    assert on_lab(play) == (False, True)


HEAP_LOCKED = """
from firstcard.drivers import edge
S = shoe.Shoe(board)
def locked(f, n):
    gc.collect()
    before = gc.mem_alloc()
    good = True
    micropython.heap_lock()
    try:
        for i in range(n): f(None)
    except MemoryError:
        good = False
    micropython.heap_unlock()
    return good, gc.mem_alloc() - before
handlers = (edge.on_a, edge.on_b, edge.on_survived, shoe._follow, shoe._on_start_bit)
"""


def test_every_hard_handler_runs_with_the_heap_locked(on_lab):
    """Called by hand as often as in a long night, also with ticks near 2**30 and with counts that are large."""

    def play(lab):
        lab.run(SETUP + HEAP_LOCKED)
        lab.run("L.arm()")
        lab.run("for n in range(8):\n if n != latch.LOCK_SET: latch.WORDS[n] = 0x7FFFFF00")
        return lab.value("[locked(f, 300) for f in handlers], locked(lambda pin: [pin], 1)")

    good, control = on_lab(play)
    assert good == [(True, 0)] * 5
    assert not control[0], "what allocates is noticed"


def test_the_whole_way_from_the_edge_to_the_latch_with_the_heap_locked(on_lab):
    def play(lab):
        lab.run(SETUP)
        lab.run("L.arm()")
        lab.table.edge(delay_us=20_000)
        lab.run("micropython.heap_lock()\nwatch(30)\nmicropython.heap_unlock()")
        return lab.value("L.take(), L.check(), L.is_locked()")

    assert on_lab(play) == (1, 0, True)


@pytest.mark.parametrize("wrap", [1 << 30, 1 << 32], ids=["2**30", "2**32"])
@pytest.mark.parametrize("before_us", [300, 2_010])
def test_an_edge_just_before_the_wrap_of_the_ticks(on_lab, before_us, wrap):
    """The clock runs through 2**30 (where ticks_us wraps) or 2**32 (where TIMERAWL does) while the pulse still has to
    survive, or between its survival and the task."""

    def play(lab):
        lab.run(SETUP)
        lab.run("L.arm()")
        timer, board = lab.board.mcu.timer, lab.board
        timer._epoch_nanos = board.now_ns - (wrap - 10_000) * 1000
        lab.table.edge(delay_us=10_000 - before_us)
        lab.run("time.sleep_ms(15)")
        return lab.value("machine.mem32[0x40054028], L.take(), L.lock_us, L.check(), L.is_locked()")

    now, told, us, fault, locked = on_lab(play)
    assert now % wrap < 1_000_000, "the clock has wrapped"
    assert (told, fault, locked) == (1, 0, True)
    assert abs(us - (wrap - before_us) % (1 << 30)) <= 1


def test_arming_across_the_wrap(on_lab):
    """The self-test compares its stamp with its handler's tick: also when the clock wraps in between."""

    def play(lab):
        lab.run(SETUP)
        out = []
        for wrap in (1 << 30, 1 << 32):
            for before_us in range(200, 3_000, 350):
                lab.board.mcu.timer._epoch_nanos = lab.board.now_ns - (wrap - before_us) * 1000
                out.append(lab.value("L.arm(), L.is_armed()"))
        return out

    assert set(on_lab(play)) == {(0, True)}


def test_a_self_test_that_has_failed_leaves_no_trace(on_lab):
    def play(lab):
        lab.run(SETUP)
        lab.run("L._a.irq(None)")
        return lab.value("L.arm() != 0, L.is_locked(), L.take()")

    assert on_lab(play) == (True, True, 0)
