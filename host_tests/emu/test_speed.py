"""What emulated time costs, and that no trick changes what the firmware does."""

import hashlib
import time

import pytest
from rp2040py.native._simulator import execute_batch

from pit.emu import loop as python_loop
from pit.emu import native
from pit.emu.board import Board
from pit.image import make_fs

_WORK = ("import time\ndef f(n):\n return n if n < 2 else f(n - 1) + f(n - 2)\n"
         "print(f(9), sum(k * k for k in range(200)))\ntime.sleep_ms(30)\nd = {str(k): [k] * 9 for k in range(40)}\n"
         "from machine import I2C, SPI, Pin\ni2c = I2C(0, scl=Pin(5), sda=Pin(4), freq=400000)\n"
         "spi = SPI(0, 7000000, sck=Pin(18), mosi=Pin(19), miso=Pin(16))\nspi.write(bytes(300))\n"
         "print(i2c.scan(), spi.read(20), time.ticks_us(), -7 // 3, 100 % -7)\n")


class StockLoop:
    """The emulator's own loop behind the interface of ours; it knows nothing of a stalled CPU."""

    stall_until = 0.0

    def __init__(self, mcu):
        self.rp2040, self.clock, self.stopped = mcu, mcu.clock, True

    def run(self):
        """Execute until `stopped`."""
        self.stopped = False
        while not self.stopped:
            execute_batch(self, 1)

    def close(self):
        """Let go of the chip."""
        self.rp2040 = self.clock = None


def _run(uf2, make_loop, monkeypatch):
    """Cycles, time, memory and output of a boot and some work under one of the loops."""
    monkeypatch.setattr(native, "loop", make_loop)
    with Board(uf2, make_fs({"main.py": b"print('main')"})) as board:
        board.run_ms(40)
        out = board.exec(_WORK)
        memory = hashlib.sha1(bytes(board.mcu.sram)).hexdigest()
        return board.mcu.core.cycles, board.now_ns, memory, out, bytes(board.out)


@pytest.fixture(scope="module")
def stock_run(uf2):
    """The same under the emulator's own loop."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(native, "sio", lambda mcu: mcu.sio)
        return _run(uf2, StockLoop, patch)


def test_our_loop_is_the_emulators_to_the_bit(uf2, stock_run, monkeypatch):
    assert _run(uf2, native.loop, monkeypatch) == stock_run
    assert stock_run[3][0].startswith("34 2646700\n[]")


def test_the_python_loop_is_the_emulators_to_the_bit(uf2, stock_run, monkeypatch):
    assert _run(uf2, python_loop.Loop, monkeypatch) == stock_run


def test_build_is_idempotent_and_quick_when_done():
    lines = []
    if not native.build(lines.append):
        pytest.skip(lines[-1])
    start = time.monotonic()
    assert native.build(lines.append)
    assert lines[-2:] == ["setup: emulator's C: up to date", "setup: main loop in C: up to date"]
    assert time.monotonic() - start < 2


def test_without_a_compiler_the_build_says_so_in_one_line(monkeypatch, tmp_path):
    monkeypatch.setenv("CC", "no-such-compiler")
    monkeypatch.setattr(native, "CACHE", tmp_path)
    lines = []
    assert not native.build(lines.append)
    assert any("slower" in line and "no-such-compiler" in line for line in lines)
    assert all("\n" not in line for line in lines)


@pytest.mark.parametrize(("name", "code", "ms", "limit"), [
    ("CPU-bound", "while True: pass", 100, 12),
    ("asleep", "import time\nwhile True: time.sleep(1)", 5_000, 0.2),
    ("asleep, latch armed", "import rp2, time\nfrom machine import Pin\n"
     "@rp2.asm_pio(set_init=rp2.PIO.OUT_LOW)\ndef latch():\n wait(1, pin, 0)\n set(pins, 1)\n"
     "sm = rp2.StateMachine(0, latch, in_base=Pin(2, Pin.IN), set_base=Pin(7))\nsm.active(1)\n"
     "while True: time.sleep(1)", 5_000, 0.2),
])
def test_wall_seconds_per_emulated_second(forked, name, code, ms, limit, capsys):
    def run(board):
        board.exec("pass")
        board.send(code.encode() + b"\x04")
        board.run_ms(30)
        start, cycles = time.process_time(), board.mcu.core.cycles
        board.run_ms(ms)
        return time.process_time() - start, board.mcu.core.cycles - cycles

    wall_s, cycles = forked(run)
    per_s = wall_s * 1000 / ms
    with capsys.disabled():
        print(f"\n  {name} ({native.describe()}): {per_s:.3f} s per emulated second, "
              f"{cycles / wall_s / 1e6:.1f} Mcycle/s")
    if native.describe() == "compiled loop, rebuilt core":
        assert per_s < limit
