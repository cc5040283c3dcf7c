"""The UART model against the stock emulator, at the registers and under MicroPython's driver."""

import pytest

_UART0 = 0x40034000
_DR, _FR, _IBRD, _FBRD, _LCR, _CR, _IMSC, _MIS, _ICR = 0x00, 0x18, 0x24, 0x28, 0x2C, 0x30, 0x38, 0x40, 0x44
_TX_INTERRUPT = 1 << 5
_SET_UP = "import time\nfrom machine import Pin, UART\nu = UART(0, 115200, tx=Pin(0), rx=Pin(1), rxbuf=512)\n"
_BYTE_US = 10 * 1e6 / 115_177  # of the divider that MicroPython sets for 115200


def _enable(mcu):
    """115200 8N1 with FIFOs, from 48 MHz."""
    for offset, value in ((_IBRD, 26), (_FBRD, 3), (_LCR, 0x70), (_CR, 0x301)):
        mcu.write_uint32(_UART0 + offset, value)


def test_stock_raises_the_transmit_interrupt_again_at_every_clear(stock):
    _enable(stock.mcu)
    stock.mcu.write_uint32(_UART0 + _IMSC, _TX_INTERRUPT)
    stock.mcu.write_uint32(_UART0 + _ICR, _TX_INTERRUPT)
    assert stock.mcu.read_uint32(_UART0 + _MIS) & _TX_INTERRUPT


def test_transmit_interrupt_comes_when_the_fifo_falls_to_its_level(chip):
    mcu = chip.mcu
    _enable(mcu)
    mcu.write_uint32(_UART0 + _IMSC, _TX_INTERRUPT)
    for byte in range(20):
        mcu.write_uint32(_UART0 + _DR, byte)
    assert not mcu.read_uint32(_UART0 + _MIS) & _TX_INTERRUPT
    chip.run_us(2.9 * _BYTE_US)  # 19 queued at the start, one on the wire: 16 (half) after three
    assert not mcu.read_uint32(_UART0 + _MIS)
    chip.run_us(0.2 * _BYTE_US)
    assert mcu.read_uint32(_UART0 + _MIS) & _TX_INTERRUPT
    mcu.write_uint32(_UART0 + _ICR, _TX_INTERRUPT)
    assert not mcu.read_uint32(_UART0 + _MIS)


def test_bytes_from_the_firmware_come_at_their_pace(forked):
    def listen(board):
        seen = []
        board.exec(_SET_UP + "b = bytes(range(60))")
        board.uart(0).listen(lambda byte: seen.append((byte, board.now_us)))
        board.exec("u.write(b)\ntime.sleep_ms(10)")
        return seen

    seen = forked(listen)
    assert [byte for byte, _ in seen] == list(range(60))
    gaps = [later[1] - earlier[1] for earlier, later in zip(seen, seen[1:])]
    assert all(abs(gap - _BYTE_US) < 0.02 for gap in gaps)


@pytest.mark.parametrize("size", [1, 7, 16, 33, 200])
def test_bytes_to_the_firmware_arrive_whole(forked, size):
    def ask(board):
        board.exec(_SET_UP)
        board.uart(0).send(bytes(range(size)))
        return board.exec("time.sleep_ms(25)\nr = u.read()\nprint(len(r), r == bytes(range(len(r))))")[0]

    assert forked(ask) == f"{size} True\n"


def test_receive_time_out_ends_a_frame(forked):
    def ask(board):
        board.exec(_SET_UP + "n = []\nu.irq(lambda u: n.append(time.ticks_us()), UART.IRQ_RXIDLE)")
        start = board.now_us
        board.uart(0).send(b"x" * 50)
        board.run_ms(20)
        return board.exec("print(len(n), n[0])")[0].split(), start

    (count, at_us), start = forked(ask)
    assert count == "1"
    idle_us = int(at_us) - start - 50 * 10 * 1e6 / 115_200
    assert 32 * _BYTE_US / 10 - 2 < idle_us < 32 * _BYTE_US / 10 + 60  # 32 bit times and the handler's start


def test_start_bit_wakes_a_pin_interrupt(forked):
    def ask(board):
        board.uart(0)
        board.exec(_SET_UP + "n = []\ndef h(p): n.append(time.ticks_us())\n"
                             "Pin(1).irq(h, Pin.IRQ_FALLING)\nu.init(115200, tx=Pin(0), rx=Pin(1))")
        board.uart(0).send(b"abc")
        start = board.now_us
        board.run_ms(2)
        return board.exec("print(len(n), n[0], u.read())")[0].split(maxsplit=2), start

    (count, at_us, text), start = forked(ask)
    assert count == "3" and text == "b'abc'\n"
    assert 0 <= int(at_us) - start < 100


_ERASE = "import rp2\nf = rp2.Flash()\nf.ioctl(6, 150)\n"


def _burst_in_an_erase(board, count):
    board.send(_ERASE.encode() + b"time.sleep_ms(30)\x04")
    assert board.run_ms(20, lambda: board.flash.ops)
    board.uart(0).send(bytes(k & 0xFF for k in range(count)))
    board.run_ms(100)


def test_machine_uart_loses_what_comes_in_an_erase(forked):
    def ask(board):
        board.exec(_SET_UP)
        _burst_in_an_erase(board, 200)
        return int(board.exec("print(len(u.read()))")[0]), board.uart(0).overruns

    received, overruns = forked(ask)
    assert received == 32 and overruns == 168


_DMA = """
import rp2, uctypes, machine
raw = bytearray(512)
base = (uctypes.addressof(raw) + 255) & ~255
d = rp2.DMA()
c = d.pack_ctrl(size=0, inc_read=False, inc_write=True, ring_size=8, ring_sel=True, treq_sel=21)
machine.mem32[0x40034038] = 0x20  # the driver's receive interrupts off
machine.mem32[0x40034048] |= 1  # RXDMAE
d.config(read=0x40034000, write=base, count=0x7fffffff, ctrl=c, trigger=True)
"""


def test_a_dma_ring_hears_all_of_it(forked):
    def ask(board):
        board.exec(_SET_UP + _DMA)
        _burst_in_an_erase(board, 200)
        out = board.exec("n = d.write - base\nprint(n, bytes(uctypes.bytearray_at(base, n)) == bytes(range(n)))")
        return out, board.uart(0).overruns

    assert forked(ask) == (("200 True\n", ""), 0)


def test_another_baud_rate_spoils_the_bytes(forked):
    def ask(board):
        board.exec(_SET_UP)
        board.uart(0).baud = 9600
        board.uart(0).send(b"ab")
        board.run_ms(10)
        return board.uart(0).framing_errors

    assert forked(ask) == 2
