"""The ADC against the stock emulator: one conversion a start, sampled at its beginning."""

_CS, _RESULT = 0x4004C000, 0x4004C004
_XOR = 0x1000  # alias of a register
_EN, _START_ONE, _READY, _CHANNEL_1 = 1, 1 << 2, 1 << 8, 1 << 12


def _conversions(chip, run_us):
    """Channels that were converted when channel 0 was started once and then channel 1 selected."""
    mcu, seen = chip.mcu, []
    read = mcu.adc.on_adc_read
    mcu.adc.on_adc_read = lambda channel: (seen.append(channel), read(channel))
    mcu.write_uint32(_CS, _EN | _START_ONE)
    run_us(10)
    mcu.write_uint32(_CS + _XOR, _CHANNEL_1)  # as the SDK selects a channel
    run_us(10)
    return seen


def test_stock_converts_what_nobody_started(stock):
    stock.mcu.core.waiting = True
    assert _conversions(stock, stock.run_us) == [0, 1]


def test_one_conversion_for_each_start(chip):
    assert _conversions(chip, chip.run_us) == [0]


def test_sample_is_taken_at_the_beginning(chip):
    volts = [1.65]
    chip.analog(26, lambda: volts[0])
    chip.mcu.write_uint32(_CS, _EN | _START_ONE)
    volts[0] = 3.0
    assert not chip.mcu.read_uint32(_CS) & _READY
    chip.run_us(2.1)
    assert chip.mcu.read_uint32(_CS) & _READY
    assert chip.mcu.read_uint32(_RESULT) == 2048


def test_readings_in_the_interpreter(forked):
    def read(board):
        board.analog(26, lambda: 0.5)
        board.analog(27, lambda: 9.0)
        board.analog(28, lambda: -1.0)
        code = "from machine import ADC\nprint([ADC(n).read_u16() >> 4 for n in (26, 27, 28, 26)])"
        return board.exec(code)[0], board.faults

    assert forked(read) == ("[620, 4095, 0, 620]\n", [])
