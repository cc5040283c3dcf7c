"""The SPI model: bytes take their wire time, by the CPU and by DMA, without an alarm each."""

import pytest

_SPI0 = 0x4003C000
_CR0, _CR1, _DR, _SR, _CPSR, _RIS = 0x00, 0x04, 0x08, 0x0C, 0x10, 0x18
_TFE, _TNF, _RNE, _RFF, _BSY = 1, 2, 4, 8, 16
_BYTE_NS = 8e9 / 6e6 // 8 * 8  # 6 MHz, on the 8 ns grid
_SET_UP = ("import time\nfrom machine import Pin, SPI\n"
           "s = SPI(0, 6_000_000, sck=Pin(18), mosi=Pin(19), miso=Pin(16))\n")


class Echo:
    """Answers each byte with the one before, complemented; remembers when it came."""

    def __init__(self, board):
        self._board = board
        self._last = 0
        self.seen = []

    def exchange(self, byte):
        self.seen.append((byte, self._board.now_ns))
        answer, self._last = self._last ^ 0xFF, byte
        return answer


def _enable(chip):
    for offset, value in ((_CR0, 7), (_CPSR, 8), (_CR1, 2)):
        chip.mcu.write_uint32(_SPI0 + offset, value)
    chip.spi(0).device = Echo(chip)


def _status(chip):
    return chip.mcu.read_uint32(_SPI0 + _SR)


def test_an_answer_is_there_when_its_last_bit_has_passed(chip):
    _enable(chip)
    chip.mcu.write_uint32(_SPI0 + _DR, 0x5A)
    assert chip.spi(0).device.seen == [(0x5A, 0)]
    assert _status(chip) == _BSY | _TFE | _TNF
    chip.run_us(_BYTE_NS / 1000 - 0.008)
    assert _status(chip) & _BSY and not _status(chip) & _RNE
    chip.run_us(0.008)
    assert _status(chip) == _TFE | _TNF | _RNE
    assert chip.mcu.read_uint32(_SPI0 + _DR) == 0xFF
    assert not _status(chip) & _RNE


def test_fifos_hold_eight_and_lose_the_rest(chip):
    _enable(chip)
    for byte in range(9):
        assert _status(chip) & _TNF
        chip.mcu.write_uint32(_SPI0 + _DR, byte)
    assert not _status(chip) & _TNF
    chip.mcu.write_uint32(_SPI0 + _DR, 99)
    assert chip.spi(0).lost == 1
    chip.run_us(20)
    assert _status(chip) == _TFE | _TNF | _RNE | _RFF
    assert chip.mcu.read_uint32(_SPI0 + _RIS) & 1, "overrun"
    assert chip.spi(0).lost == 2
    assert [chip.mcu.read_uint32(_SPI0 + _DR) for _ in range(8)] == [0xFF, 0xFF, 0xFE, 0xFD, 0xFC, 0xFB, 0xFA, 0xF9]


@pytest.mark.parametrize("size", [1, 9, 31, 32, 300])  # from 32 bytes on MicroPython uses two DMA channels
def test_transfers_of_micropython_are_right_and_take_their_time(forked, size):
    def transfer(board):
        board.spi(0).device = device = Echo(board)
        board.exec(_SET_UP + f"a = bytes(k & 255 for k in range({size}))\nb = bytearray({size})\n")
        out, _ = board.exec("t = time.ticks_us()\ns.write_readinto(a, b)\nt = time.ticks_us() - t\n"
                            "print(t, b[0] == 255 and all(b[k + 1] == a[k] ^ 255 for k in range(len(a) - 1)))")
        return out.split(), [ns for _, ns in device.seen], board.spi(0).lost

    (us, right), times, lost = forked(transfer)
    assert right == "True" and lost == 0 and len(times) == size
    assert int(us) >= int(size * _BYTE_NS / 1000)
    assert int(us) < size * _BYTE_NS / 1000 + 120 + size * 0.3


@pytest.mark.parametrize("mode", range(4))
def test_mode_is_that_of_the_firmware(forked, mode):
    code = _SET_UP.replace("6_000_000,", f"6_000_000, polarity={mode >> 1}, phase={mode & 1},")
    assert forked(lambda board: (board.exec(code), board.spi(0).spi_mode)) == (("", ""), mode)


def test_without_a_device_the_line_reads_high(forked):
    assert forked(lambda board: board.exec(_SET_UP + "print(s.read(3))")[0]) == "b'\\xff\\xff\\xff'\n"


def test_no_alarm_is_set_for_a_byte_by_the_cpu(chip):
    _enable(chip)
    chip.mcu.write_uint32(_SPI0 + _DR, 1)
    assert not chip.spi(0)._alarm_set
