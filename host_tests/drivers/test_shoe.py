"""The shoe's line: nothing is lost in a flash erase, a frame locks by itself, an overrun is seen."""

import pytest

SETUP = """
L = latch.Latch(board)
S = shoe.Shoe(board)
buf = bytearray(128)
def read():
    got = b""
    n = S.read_into(buf)
    while n:
        got += buf[:n]
        n = S.read_into(buf)
    return got
"""


def test_nothing_is_lost_in_an_erase(on_lab, figure):
    sent = bytes(n & 255 for n in range(500))

    def play(lab):
        lab.run(SETUP)
        uart = lab.board.mcu.uart[0]
        lab.board.after_us(50_000, lambda: uart.send(sent))
        lab.run("flash = rp2.Flash()\ntime.sleep_ms(20)\nt = T()\nflash.ioctl(6, 211)\nt = D(T(), t)")
        lab.board.run_ms(50)
        return lab.value("read(), t, S.overruns, S.line_errors()")

    got, erase_us, overruns, errors = on_lab(play)
    assert got == sent and not overruns and not errors and erase_us > 45_000
    figure("bytes lost of 500 across an erase", len(sent) - len(got), "", 0)


def test_overrun_is_seen_and_the_line_goes_on(on_lab):
    def play(lab):
        lab.run(SETUP)
        uart = lab.board.mcu.uart[0]
        uart.send(bytes(2_100))
        lab.board.run_ms(250)
        first = lab.value("read(), S.overruns")
        uart.send(b"@00,HBT\r\n")
        lab.board.run_ms(5)
        return first, lab.value("read(), S.overruns")

    assert on_lab(play) == ((b"", 1), (b"@00,HBT\r\n", 1))


def test_line_errors_are_told_once(on_lab):
    def play(lab):
        lab.run(SETUP)
        uart = lab.board.mcu.uart[0]
        uart.baud = 57_600
        uart.send(b"@00,HBT\r\n")
        lab.board.run_ms(10)
        uart.baud = 115_200
        spoiled = lab.value("read(), S.line_errors(), S.line_errors()")
        uart.send(b"@01,HBT\r\n")
        lab.board.run_ms(5)
        return spoiled, lab.value("read(), S.line_errors()")

    (noise, errors, again), after = on_lab(play)
    assert b"@" not in noise and errors == 1 and again == 0, "bit 0: framing"
    assert after == (b"@01,HBT\r\n", 0)


def test_long_answers_to_the_shoe(on_lab):
    def play(lab):
        heard = bytearray()
        lab.board.mcu.uart[0]._callbacks[:] = [heard.append]  # no shoe would understand this
        lab.run(SETUP)
        lab.run("t = T()\nn = S.write(bytes(range(200)))\nt = D(T(), t)")
        lab.board.run_ms(30)
        return bytes(heard), lab.value("n, t")

    heard, (taken, us) = on_lab(play)
    assert heard == bytes(range(200)) and taken == 200 and us < 2_000


FRAMES = {
    b"@1F,EDG,12,123456*ABCD\r\n": True,
    b"@00,CRD,1,AS,99,U,12*0000\r\n": True,
    b"@41,HBT,3,0,77*0000\r\n": False,
    b"@00,MIS,1,EDG*0000\r\n": False,
    b"@0,EDG,@,CRD,@00,CRX,EDG": False,
}


@pytest.mark.parametrize("frame", FRAMES)
def test_frame_locks_while_open(on_lab, frame):
    def play(lab):
        lab.run(SETUP)
        lab.run("L.arm()\nS.watch(True)\ntime.sleep_ms(20)")
        lab.table.lock_log.clear()
        began = []

        def send():
            began.append(lab.board.now_us)
            lab.board.mcu.uart[0].send(frame)

        lab.board.after_us(1_000, send)
        lab.board.run_ms(40)
        log = lab.lock_log()
        lab.run("S.watch(False)")
        return began[0], log, lab.value("L.take(), L.lock_us, L.take(), L.is_locked(), L.check()")

    began, log, (cause, instant, none, locked, fault) = on_lab(play)
    assert none == fault == 0
    if not FRAMES[frame]:
        assert not log and not cause and not locked
        return
    assert cause == 2 and locked and [level for _, level in log] == [True]
    assert 600 < log[0][0] - began < 5_800, "seven bytes on the wire, then the next look"
    assert -5_200 < instant - began <= 100, "never later than the frame's first bit"


def test_frame_half_arrived_when_bets_open(on_lab):
    def play(lab):
        lab.run(SETUP)
        lab.board.mcu.uart[0].send(b"@1F,ED")
        lab.run("time.sleep_ms(5)\nread()\nL.arm()\nS.watch(True)")
        lab.board.mcu.uart[0].send(b"G,1,1*0000\r\n")
        lab.board.run_ms(10)
        return lab.value("L.take(), L.is_locked()")

    assert on_lab(play) == (2, True)


def test_no_frame_locks_while_closed(on_lab):
    def play(lab):
        lab.run(SETUP)
        lab.board.mcu.uart[0].send(b"@1F,EDG,1,1*0000\r\n")
        lab.board.run_ms(20)
        return lab.value("L.take(), latch.WORDS[latch.FRAMES]")

    assert on_lab(play) == (0, 0)


def test_start_bit_wakes_once(on_lab):
    def play(lab):
        lab.run(SETUP)
        idle = lab.value("S.listen(), S.words[0]")
        lab.board.mcu.uart[0].send(b"@1F,HBT\r\n")
        lab.board.run_ms(3)
        woken = lab.value("S.words[0], S.listen()")  # there are bytes to read: not listening
        lab.run("S.words[0] = 0\nread()")
        return idle, woken, lab.value("S.words[0], S.listen(), S.words[0]")

    idle, woken, after = on_lab(play)
    assert idle == (True, 0) and woken == (1, False) and after[1:] == (True, 0)
