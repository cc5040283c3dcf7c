"""Pins of the emulated board against the stock emulator: edges, read-back, order of callbacks."""

import pytest

_IO_BANK0, _PADS_BANK0, _SIO = 0x40014000, 0x4001C000, 0xD0000000
_EDGES = 0b1100
_FUNCTION_SIO = 5


def _edges(mcu, pin):
    """The edge bits latched for `pin` since the last call."""
    address = _IO_BANK0 + 0xF0 + pin // 8 * 4
    shift = pin % 8 * 4
    latched = mcu.read_uint32(address) >> shift & _EDGES
    mcu.write_uint32(address, latched << shift)
    return latched


def _output(mcu, pin, level):
    mcu.write_uint32(_IO_BANK0 + 8 * pin + 4, _FUNCTION_SIO)
    mcu.write_uint32(_SIO + (0x14 if level else 0x18), 1 << pin)
    mcu.write_uint32(_SIO + 0x24, 1 << pin)


def test_stock_invents_an_edge_where_the_level_stays(stock):
    pin = stock.mcu.gpio[2]
    stock.mcu.write_uint32(_PADS_BANK0 + 4 + 4 * 2, 0x56)
    pin.set_input_value(True)
    _edges(stock.mcu, 2)
    pin.set_input_value(True)
    assert _edges(stock.mcu, 2) == 0b1000


def test_no_edge_where_the_level_stays(chip):
    chip.drive(2, True)
    assert _edges(chip.mcu, 2) == 0b1000
    chip.drive(2, True)
    chip.mcu.gpio[2].set_input_value(True)
    chip.mcu.gpio[2].refresh_input()
    assert _edges(chip.mcu, 2) == 0
    chip.drive(2, False)
    assert _edges(chip.mcu, 2) == 0b0100


def test_stock_reads_0_from_a_pin_it_drives(stock):
    stock.mcu.write_uint32(_PADS_BANK0 + 4 + 4 * 5, 0x56)
    _output(stock.mcu, 5, True)
    assert not stock.mcu.read_uint32(_SIO + 4) >> 5 & 1


def test_a_driven_pin_reads_back(chip):
    _output(chip.mcu, 5, True)
    assert chip.mcu.read_uint32(_SIO + 4) >> 5 & 1
    _output(chip.mcu, 5, False)
    assert not chip.mcu.read_uint32(_SIO + 4) >> 5 & 1
    assert _edges(chip.mcu, 5) == 0b1100


def test_external_level_shows_when_the_firmware_lets_go(chip):
    chip.drive(6, True)
    _output(chip.mcu, 6, False)
    assert chip.pin(6) is False
    chip.mcu.write_uint32(_SIO + 0x28, 1 << 6)  # output enable off
    assert chip.pin(6) is True and chip.mcu.read_uint32(_SIO + 4) >> 6 & 1
    chip.release(6)
    assert chip.pin(6) is False  # the pull-down after reset


@pytest.mark.parametrize(("pad", "level"), [(0x5A, True), (0x56, False)])
def test_pull_decides_over_a_free_pin(chip, pad, level):
    chip.mcu.write_uint32(_PADS_BANK0 + 4 + 4 * 4, pad)
    assert chip.pin(4) is level
    assert bool(chip.mcu.read_uint32(_SIO + 4) >> 4 & 1) is level


def test_callbacks_come_in_order_with_the_instant(chip):
    seen = []
    for name in "abc":
        chip.on_pin(7, lambda level, ns, name=name: seen.append((name, level, ns)))
    chip.after_us(3, lambda: _output(chip.mcu, 7, True))
    chip.drive(7, False)  # not the firmware's doing: nobody is told
    chip.run_us(10)
    assert seen == [("a", True, 3000.0), ("b", True, 3000.0), ("c", True, 3000.0)]


def test_interrupt_on_an_edge_and_on_ones_own_pin(forked):
    def count(board):
        board.exec("from machine import Pin\nn = [0, 0]\n"
                   "def a(p): n[0] += 1\ndef b(p): n[1] += 1\n"
                   "Pin(2, Pin.IN).irq(a, Pin.IRQ_RISING, hard=False)\n"
                   "o = Pin(4, Pin.OUT, value=0)\no.irq(b, Pin.IRQ_FALLING, hard=False)")
        for _ in range(3):
            board.drive(2, True)
            board.run_ms(1)
            board.drive(2, True)
            board.run_ms(1)
            board.drive(2, False)
            board.run_ms(1)
        return board.exec("o.value(1); o.value(0)\nimport time; time.sleep_ms(1); print(n, o.value())")[0]

    assert forked(count) == "[3, 1] 0\n"
