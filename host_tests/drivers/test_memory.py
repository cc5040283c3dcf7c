"""Memory: what must not allocate, and how full the heap is."""

BUS = "B = bus.Bus(board.I2C, board.I2C_SDA, board.I2C_SCL, board.I2C_BAUD)\nAT = bytearray(2)\nBUF = bytearray(8)"


def test_a_transfer_allocates_nothing(on_lab):
    """While the bus is taken the lock's interrupt leaves it alone: no collection may fall into that time."""
    def play(lab):
        lab.run(BUS)
        return lab.value("[allocated(f) for f in (lambda: B.writeto(board.FRAM, AT), lambda: B._take(), "
                         "lambda: B.readfrom_mem_into(board.FRAM, 0, BUF, 16))]")

    assert on_lab(play) == [0, 0, 0]


def test_what_is_left_of_the_heap_is_never_less_than_what_is_free(on_lab):
    """And it sees a heap that is all but full, of garbage, and the collection."""
    def play(lab):
        lab.run("seen = []\ngc.collect()\ngc.disable()\n"
                "while gc.mem_free() > 40000:\n seen.append((system.room(), gc.mem_free()))\n"
                " for m in range(1000): object()")
        return lab.value("seen"), lab.value("system.room()"), lab.value("[gc.collect(), system.room()][1]")

    seen, full, again = on_lab(play)
    assert all(free - 200 < left for left, free in seen)
    assert full < 60_000 and again > 150_000
