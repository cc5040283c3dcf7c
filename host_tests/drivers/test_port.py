"""The console: nothing waits for a host, whole lines only, and what is said before a host speaks is kept."""

SETUP = """
P = port.Port(memoryview(bytearray(2048)))
line = b"!" + b"x" * 62 + b"\\n"
worst = 0
def say(n):
    global worst
    for _ in range(n):
        t = T()
        P.out(line)
        worst = max(worst, D(T(), t))
        time.sleep_ms(1)
"""
LINE = b"!" + b"x" * 62 + b"\r\n"


def count(lab):
    return bytes(lab.board.out).count(LINE)


def test_host_that_stops_reading_costs_nothing(on_lab, figure):
    def play(lab):
        lab.run(SETUP)
        lab.board.after_us(60_000, lambda: setattr(lab.board, "host_reads", False))
        lab.board.after_us(300_000, lambda: setattr(lab.board, "host_reads", True))
        lab.run(
            "P.host = True\ntime.sleep_ms(70)\nsay(100)\nlost = P.dropped\ntime.sleep_ms(300)\n"
            "while P.flush(): time.sleep_ms(2)\ntime.sleep_ms(5)\nsay(1)\ntime.sleep_ms(5)"
        )
        return lab.value("worst, lost, P.dropped, P.pending"), count(lab)

    (worst, lost, dropped, pending), came = on_lab(play)
    assert lost == dropped > 0 and not pending
    assert came == 101 - lost, "a line is there whole, or not at all"
    figure("longest out() while the host does not read", worst, "us", 1_000)


def test_burst_to_a_host_that_reads(on_lab):
    def play(lab):
        lab.run(SETUP)
        lab.run("P.host = True\nfor n in range(31): P.out(line)\nwhile P.flush(): time.sleep_ms(2)\ntime.sleep_ms(10)")
        return count(lab), lab.value("P.dropped")

    assert on_lab(play) == (31, 0)


def test_kept_until_the_host_speaks(on_lab):
    def play(lab):
        lab.run(SETUP)
        lab.run("P.out(line)\nP.out(line)\ntime.sleep_ms(20)\nP.flush()\ntime.sleep_ms(5)")
        before = count(lab)
        lab.board.after_us(60_000, lambda: lab.board.send(b"\r"))
        lab.run("time.sleep_ms(80)\nbuf = bytearray(8)\nn = P.read_into(buf)\nP.flush()\ntime.sleep_ms(5)")
        return before, count(lab), lab.value("n, bytes(buf[:n]), P.read_into(buf)")

    assert on_lab(play) == (0, 2, (1, b"\r", 0))


def test_one_line_is_read_at_a_time(on_lab):
    """However its end looks: the engine's other work comes between two lines."""
    def play(lab):
        lab.run(SETUP)
        lab.board.after_us(60_000, lambda: lab.board.send(b"id\rab\r\nc"))
        lab.run("time.sleep_ms(80)\nbuf = bytearray(8)\nread = [bytes(buf[:P.read_into(buf)]) for _ in range(4)]")
        return lab.value("read")

    assert on_lab(play) == [b"id\r", b"ab\r", b"\n", b"c"]


EP15_IN_CONTROL = 0x50100078


def test_a_host_that_leaves_is_seen_once(on_lab):
    """A reset of the bus, as when a cable is pulled and plugged in again, clears the mark: TinyUSB's own work."""
    def play(lab):
        lab.run("P = port.Port(memoryview(bytearray(64)))")
        seen = lab.value("[P.host_left() for _ in range(3)]")
        marked = lab.board.mcu.read_uint32(EP15_IN_CONTROL)
        lab.board.mcu.usb_ctrl.reset_device()  # takes 10 ms, as the standard asks
        lab.board.run_ms(30)
        return seen, marked, lab.board.mcu.read_uint32(EP15_IN_CONTROL)

    assert on_lab(play) == ([1, 0, 0], 0x40, 0)


def test_nothing_of_it_allocates(on_lab):
    """But a line that goes over the end of the queue, for the part behind it."""
    def play(lab):
        lab.run(SETUP)
        lab.run("P.host = True\nbuf = bytearray(8)")
        lab.board.after_us(60_000, lambda: lab.board.send(b"abcd"))
        lab.run("time.sleep_ms(80)\nmade = [allocated(f) for f in (lambda: P.read_into(buf), P.waits, "
                "lambda: P.out(line), P.flush, P.empty)]\ntime.sleep_ms(5)")
        return lab.value("made"), lab.value("bytes(buf[:4]), P.pending")

    assert on_lab(play) == ([0, 0, 0, 0, 0], (b"abcd", 0))


def test_a_line_over_the_end_of_the_queue_comes_whole(on_lab):
    def play(lab):
        lab.run(SETUP + "P = port.Port(memoryview(bytearray(100)))\nP.host = True")
        lab.run("for n in range(7):\n P.out(line)\n while P.flush(): time.sleep_ms(2)\ntime.sleep_ms(5)")
        return count(lab)

    assert on_lab(play) == 7
