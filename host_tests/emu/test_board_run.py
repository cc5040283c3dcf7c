"""The emulated board as a whole: boot, console, time, resets, faults, determinism."""

import hashlib

import pytest

from pit.emu.board import Board
from pit.image import make_fs, read_fs


def test_boot_runs_main_and_leaves_no_faults(new_board):
    board = new_board({"main.py": "import time\ntime.sleep_ms(20)\nprint('up')"})
    board.expect(rb"up\r\n", 100)
    assert board.console.connected
    assert board.faults == []


def test_exec_returns_both_streams(forked):
    assert forked(lambda board: board.exec("print(1 + 1)")) == ("2\n", "")
    out, err = forked(lambda board: board.exec("1 / 0"))
    assert out == "" and "ZeroDivisionError" in err


def test_expect_goes_on_behind_its_last_match_and_shows_the_tail(forked):
    def two_lines(board):
        board.send(b"\x04")  # soft reset of the raw REPL: back to the prompt
        board.send(b"\x02print('a1')\rprint('a2')\r")
        first = board.expect(rb"\na(\d)\r\n", 500).group(1)
        second = board.expect(rb"\na(\d)\r\n", 500).group(1)
        with pytest.raises(TimeoutError, match="a2"):
            board.expect(rb"\na(\d)\r\n", 20)
        return first, second

    assert forked(two_lines) == (b"1", b"2")


def test_alarms_fire_at_their_instant_and_can_be_cancelled(chip):
    seen = []
    start = chip.now_ns
    chip.after_us(10, lambda: seen.append(("b", chip.now_ns - start)))
    chip.after_us(0.376, lambda: seen.append(("a", chip.now_ns - start)))
    gone = chip.after_us(5, lambda: seen.append("cancelled"))
    gone.cancel()
    chip.run_us(20)
    assert seen == [("a", 376), ("b", 10_000)]
    assert not gone.active and chip.now_us == 20


def test_until_ends_a_run_early(chip):
    seen = []
    chip.after_us(3_000, lambda: seen.append(1))
    assert chip.run_ms(50, lambda: seen)
    assert 3_000 <= chip.now_us <= 3_250
    assert not chip.run_ms(1, lambda: False)


def test_the_cpu_sees_the_time_the_board_has(forked):
    def look(board):
        out, _ = board.exec("import time\nt = time.ticks_us()\ntime.sleep_ms(100)\nprint(time.ticks_us() - t)")
        return int(out)

    assert 100_000 <= forked(look) <= 100_200


def test_reset_by_the_firmware_is_seen_from_outside(new_board):
    board = new_board({"main.py": "from machine import Pin\nPin(7, Pin.OUT, value=0)"})
    levels = []
    board.drive(7, True)  # the pull-up on the LOCK line
    board.on_pin(7, lambda level, ns: levels.append(level))
    board.run_ms(60)
    assert levels == [False] and board.pin(7) is False
    board.exec("import machine")
    board.send(b"machine.reset()\x04")
    board.run_ms(4)
    assert board.resets == 1
    assert levels == [False, True] and board.pin(7) is True
    board.run_ms(100)
    assert board.exec("import machine; print(machine.reset_cause())") == ("3\n", "")


def test_watchdog_bites(new_board):
    board = new_board({"main.py": ""})
    board.exec("from machine import WDT")
    board.send(b"WDT(timeout=50)\x04")
    board.run_ms(45)
    assert board.resets == 0
    board.run_ms(20)
    assert board.resets == 1


def test_bad_accesses_are_collected(forked):
    def poke(board):
        board.exec("import machine\nmachine.mem32[0x60000000] = 1\nmachine.mem32[0x70000000]")
        return board.faults

    faults = forked(poke)
    assert any("undefined address: 60000000" in text for text in faults)
    assert any("invalid memory address: 70000000" in text for text in faults)


def test_stray_stores_are_seen(forked):
    def poke(board):
        before = list(board.faults)
        board.exec("import machine\nmachine.mem32[0x10110000] = 0\nmachine.mem32[0x20] = 0")
        return before, list(board.faults), list(board.faults)

    before, faults, again = forked(poke)
    assert before == []
    assert faults == ["FLASH: changed at 0x10110000 by no flash command",
                      "ROM: changed by a store through a pointer near 0"]
    assert again == faults, "told once"


def test_writing_files_is_no_stray_store(forked):
    def write(board):
        board.exec("for k in range(9):\n f = open('x%d' % k, 'w')\n f.write('y' * 500)\n f.close()")
        return board.faults, len(board.flash.ops)

    faults, ops = forked(write)
    assert faults == [] and ops > 9


def test_a_failing_callback_reaches_the_test(chip):
    def fail():
        raise LookupError("model")

    chip.after_us(5, fail)
    with pytest.raises(LookupError, match="model"):
        chip.run_us(10)


def test_files_survive_a_power_cycle(new_board):
    board = new_board({"a.txt": "one"})
    board.exec("f = open('b.txt', 'w'); f.write('two'); f.close()")
    with Board(None, flash=board.flash_bytes()) as again:
        assert again.exec("print(open('a.txt').read(), open('b.txt').read())") == ("one two\n", "")
        assert read_fs(again.fs_bytes()) == {"a.txt": b"one", "b.txt": b"two"}


def test_two_runs_are_the_same_to_the_bit(uf2):
    def run():
        with Board(uf2, make_fs({"main.py": b"print(sum(range(1000)))"})) as board:
            board.exec("import time\nfor i in range(300): pass\ntime.sleep_ms(30)")
            return board.mcu.core.cycles, board.now_ns, hashlib.sha1(bytes(board.mcu.sram)).hexdigest()

    assert run() == run()


def test_closed_boards_free_their_memory_at_once(uf2):
    def resident_mb():
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * 4096 / 1e6

    gc = pytest.importorskip("gc")
    image = make_fs({})
    gc.disable()
    try:
        for _ in range(3):
            Board(uf2, image).close()
        before = resident_mb()
        for _ in range(5):
            with Board(uf2, image) as board:
                board.run_ms(5)
        assert resident_mb() - before < 16  # a board holds about 16 MB: five of them would be 80
    finally:
        gc.enable()
