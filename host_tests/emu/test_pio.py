"""PIO on emulated time: asleep, awake, stalled by the flash; exact instants at the pins."""

import hashlib

import pytest

from pit.emu import loop as python_loop
from pit.emu import native

_PIO0, _IO_BANK0 = 0x50200000, 0x40014000
_CTRL, _INSTRUCTIONS, _CLKDIV, _EXECCTRL, _PINCTRL = 0x00, 0x48, 0xC8, 0xCC, 0xDC
_FUNCTION_PIO0 = 6
_SET_1, _SET_0, _OUTPUT = 0xE001, 0xE000, 0xE081  # set pins, 1; set pins, 0; set pindirs, 1
_WAIT_HIGH = 0x20A0  # wait 1 pin 0
_PIN = 8


def _load(mcu, program, divider=1, in_base=2):
    """Start state machine 0 of PIO0 with `program` (opcodes), set pins from GP8, in pins from `in_base`."""
    for index, opcode in enumerate(program):
        mcu.write_uint32(_PIO0 + _INSTRUCTIONS + 4 * index, opcode)
    mcu.write_uint32(_PIO0 + _CLKDIV, int(divider * 256) << 8)
    mcu.write_uint32(_PIO0 + _EXECCTRL, (len(program) - 1) << 12 | 1 << 7)  # wrap to the second instruction
    mcu.write_uint32(_PIO0 + _PINCTRL, 1 << 26 | in_base << 15 | _PIN << 5)
    mcu.write_uint32(_IO_BANK0 + 8 * _PIN + 4, _FUNCTION_PIO0)
    mcu.write_uint32(_PIO0 + _CTRL, 1)


def test_stock_pio_stands_still_while_the_cpu_sleeps(stock):
    changes = []
    stock.mcu.gpio[_PIN].add_listener(lambda new, old: changes.append(new))
    _load(stock.mcu, [_OUTPUT, _SET_1, _SET_0], divider=100)
    stock.mcu.core.waiting = True
    stock.run_us(1_000)
    assert len(changes) < 5  # 1250 were due


@pytest.mark.parametrize("divider", [1, 15.625, 100])
def test_square_wave_keeps_time_while_the_cpu_sleeps(chip, divider):
    changes = []
    chip.on_pin(_PIN, lambda level, ns: changes.append(ns))
    _load(chip.mcu, [_OUTPUT, _SET_1, _SET_0], divider)
    chip.run_us(100)
    period_ns = 8 * divider
    assert abs(len(changes) - 100_000 / period_ns) <= 2
    assert all(abs(ns - changes[0] - k * period_ns) < 8 for k, ns in enumerate(changes))


def test_square_wave_keeps_time_while_the_cpu_works_and_a_nanosecond_is_not_lost_between(forked):
    def record(board):
        board.exec("import rp2, time\nfrom machine import Pin\n"
                   "@rp2.asm_pio(set_init=rp2.PIO.OUT_LOW)\n"
                   "def wave():\n wrap_target()\n set(pins, 1)[3]\n set(pins, 0)[5]\n wrap()\n"
                   "sm = rp2.StateMachine(0, wave, freq=12_500_000, set_base=Pin(8))\n")
        changes = []
        board.on_pin(8, lambda level, ns: changes.append(ns))
        board.send(b"sm.active(1)\nfor i in range(100): pass\ntime.sleep_us(100)\ntime.sleep_ms(1)\x04")
        board.run_ms(4)
        return changes

    changes = forked(record)
    assert len(changes) > 2_000
    highs = {later - earlier for earlier, later in zip(changes[0::2], changes[1::2])}
    lows = {later - earlier for earlier, later in zip(changes[1::2], changes[2::2])}
    assert highs == {4 * 80} and lows == {6 * 80}


def test_a_latch_follows_its_edge_within_two_cycles_in_every_state(forked):
    def sweep(board):
        board.exec("import rp2, time\nfrom machine import Pin\n"
                   "@rp2.asm_pio(set_init=rp2.PIO.OUT_LOW)\n"
                   "def latch():\n wait(1, pin, 0)\n set(pins, 1)\n wait(0, pin, 0)\n set(pins, 0)\n"
                   "sm = rp2.StateMachine(0, latch, in_base=Pin(2, Pin.IN), set_base=Pin(7))\nsm.active(1)\n"
                   "import rp2\nf = rp2.Flash()\n")
        edges, locks = [], []
        board.on_pin(7, lambda level, ns: locks.append(ns) if level else None)

        def edge():
            edges.append(board.now_ns)
            board.drive(2, True)

        for code in (b"time.sleep_ms(30)", b"for i in range(3000): pass", b"f.ioctl(6, 150)"):
            board.send(code + b"\x04")
            board.after_us(8_000.376, edge)
            board.after_us(9_000, lambda: board.drive(2, False))
            board.run_ms(80)
        delays = [lock - edge for edge, lock in zip(edges, locks, strict=True)]
        return delays, [op.kind for op in board.flash.ops]

    delays, kinds = forked(sweep)
    assert kinds == ["E"]
    assert len(delays) == 3 and all(0 < ns <= 16 for ns in delays)


def test_a_stalled_block_costs_no_steps_until_its_pin_moves(chip):
    _load(chip.mcu, [_OUTPUT, _WAIT_HIGH, _SET_1])
    chip.drive(2, False)
    chip.run_us(10)
    assert chip.mcu.pio[0].next_due_fp > 1 << 60
    chip.run_us(1_000)
    assert not chip.pin(_PIN)
    chip.drive(2, True)
    chip.run_us(1)
    assert chip.pin(_PIN)


_MIXED = """
import rp2, time
from machine import Pin
@rp2.asm_pio(set_init=rp2.PIO.OUT_LOW, out_init=rp2.PIO.OUT_LOW, out_shiftdir=rp2.PIO.SHIFT_LEFT, autopull=True)
def bits():
    out(x, 1)
    set(pins, 1)[1]
    jmp(not_x, "zero")
    set(pins, 1)[3]
    label("zero")
    set(pins, 0)[2]
sm = rp2.StateMachine(4, bits, freq=7_770_000, set_base=Pin(8))
sm.active(1)
for k in range(12):
    sm.put(0x9E3779B1 * k & 0xFFFFFFFF)
    if k % 3 == 0:
        time.sleep_us(70)
time.sleep_ms(1)
"""


def _run_mixed(board):
    changes = []
    board.on_pin(8, lambda level, ns: changes.append(ns))
    board.exec(_MIXED)
    return changes, board.mcu.core.cycles, board.now_ns, hashlib.sha1(bytes(board.mcu.sram)).hexdigest()


def test_both_loops_are_the_same_to_the_bit_with_pio_at_work(forked):
    def with_python_loop(board):
        board.loop = board.flash._loop = python_loop.Loop(board.mcu)
        return _run_mixed(board)

    first = forked(_run_mixed)
    assert len(first[0]) > 700
    if native.describe().startswith("compiled"):
        assert forked(with_python_loop) == first
