"""Supervision on the emulated board: each way to fail and each task once (`make prove PROOFS=tasks`: each with each);
the last resort has no need of memory; the watchdog runs in RUN only.
"""

import pytest

from pit import build, firmware, image
from pit.emu import snapshot
from pit.emu.board import Board
from pit.emu.table import Table
from pit.prove import noise, tasks


@pytest.fixture(scope="module")
def failing():
    made = tasks.Failing()
    yield made
    made.table.close()


def test_each_way_to_fail_locks_names_restarts_and_keeps_the_round(failing):
    cases = [("tick", "wait", "OPEN"), ("sweeper", "raise", "LOCKED"), ("locks", "cancel", "OPEN"),
             ("shoe", "memory", "LOCKED"), ("console", "hang", "CLOSED"), ("panel", "wait", "LOCKED")]
    assert dict(zip(cases, tasks.in_forks(failing, cases))) == {case: [] for case in cases}


@pytest.mark.parametrize("lines, reads", [(300, True), (40, False)], ids=["noise", "nobody reads"])
def test_the_console_keeps_nobody_from_locking(failing, lines, reads):
    wrong, figures = snapshot.in_fork(noise.on_board, failing, "OPEN", lines, reads)
    assert wrong == [] and figures["lines"] > lines / 2


def test_a_card_while_the_firmware_hangs_locks_at_its_edge(failing):
    def play():
        board, table = failing.board, failing.table
        failing.tell("console", "hang")
        board.run_ms(500)
        table.lock_log.clear()
        at = []
        table.edge(delay_us=1000)
        board.after_us(1000, lambda: at.append(board.now_ns))
        board.run_ms(8200)
        return table.lock_log[0][0] - at[0], [level for _, level in table.lock_log if not level], board.resets

    ns, fell, resets = snapshot.in_fork(play)
    assert ns <= 100 and not fell and resets == 1


def test_after_three_restarts_it_stays_locked_and_can_be_asked(failing):
    def play():
        board = failing.board
        board.mcu.watchdog.scratch_data[3] = 3
        failing.tell("sweeper", "raise")
        board.expect(rb'"event":"fault","code":"task".*"seen":"sweeper"', 3000)
        board.run_ms(10_000)
        return failing.table.lock_level, board.resets, failing.ask("id"), failing.ask("open")

    locked, resets, answer, refused = snapshot.in_fork(play)
    assert locked and not resets and answer.startswith("OK firstcard") and refused.startswith("ERROR")


LAST_RESORT = """
import micropython
from firstcard.drivers import watchdog
latch = latch.Latch(board)
shoe = shoe.Shoe(board)
dog = watchdog.Watchdog()
dog.last()
assert latch.arm() == 0
shoe.watch(True)
n = 0  # a name that is new could make the prompt's own table grow
micropython.heap_lock()
latch.lock()
shoe.watch(False)
dog.count()
dog.at_work(3)
dog.note(watchdog.HEAP, 3)
n = dog.restarts()
micropython.heap_unlock()
print(latch.is_locked(), dog.errors(), n, dog.last())
"""


def test_the_last_resort_allocates_nothing(on_lab):
    """LOCK, shoe and registers with the heap locked: an allocation would raise."""
    assert on_lab(lambda lab: lab.run(LAST_RESORT)) == "True 1 0 ('power', 0)\n"


def test_the_cause_of_a_reset_is_our_own(on_lab):
    """Noted, bitten, or neither: told apart though MicroPython says the same of all three."""

    def causes(lab):
        found = []
        for deed in ("dog.note(watchdog.REBOOT, 0)\nmachine.reset()", "dog.at_work(2)\ndog.start()\ntime.sleep(99)",
                     "machine.reset()"):
            lab.run("import machine\nfrom firstcard.drivers import watchdog\ndog = watchdog.Watchdog()")
            lab.board.send(deed.encode() + b"\x04")
            resets = lab.board.resets
            assert lab.board.run_ms(9000, lambda before=resets: lab.board.resets > before)
            lab.board.run_ms(100)
            lab.run("import machine\nfrom firstcard.drivers import watchdog")
            found.append(lab.value("watchdog.Watchdog().last()"))
        return found, lab.value("watchdog.Watchdog().restarts()")

    assert on_lab(causes) == ([("reboot", 0), ("watchdog", 2), ("reset", 0)], 3)


def test_no_watchdog_in_service_mode():
    files = build.files()
    with Table(image.make_fs(files), firmware.image_path()) as table:
        table.service()
        table.board.run_ms(20_000)
        assert not table.board.resets and not table.board.mcu.watchdog.timer.enable


def test_no_watchdog_by_an_import():
    with Board(firmware.image_path(), image.make_fs({**build.plain_modules(), "main.py": b""})) as board:
        out, errors = board.exec("from firstcard.app import modes, supervisor\nfrom firstcard.drivers import watchdog")
        assert not errors and not board.mcu.watchdog.timer.enable


def test_the_watchdog_of_the_emulated_chip():
    """Datasheet 4.7: it bites at its time and not before, feeding puts that off, scratch registers outlive the bite
    and not the loss of power."""
    with Board(firmware.image_path(), image.make_fs({"main.py": b""})) as board:
        board.exec("import machine, time\nmachine.mem32[0x4005800C] = 77\nd = machine.WDT(timeout=300)")
        board.send(b"for n in range(10):\n time.sleep_ms(250)\n d.feed()\ntime.sleep(9)\n\x04")
        began = board.now_us
        assert board.run_ms(4000, lambda: board.resets > 0)
        assert 2_790_000 < board.now_us - began < 2_830_000
        board.run_ms(400)
        assert board.resets == 1, "it does not run on after the reset"
        assert board.exec("import machine; print(machine.mem32[0x4005800C], machine.reset_cause())")[0] == "77 3\n"
        with Board(None, flash=board.flash_bytes()) as again:
            assert again.exec("import machine; print(machine.mem32[0x4005800C], machine.reset_cause())")[0] == "0 1\n"
