"""The lock's mark and all others on the I2C bus: the interrupt sends it, or leaves the bus alone and is made up for."""

import pytest

from pit import build
from pit.bench import edges, rig
from pit.bench.edges import NOTED, Instant
from pit.emu.snapshot import in_fork

BY_INTERRUPT_US = 2_400  # 2,000 in which an edge may be a glitch, 15 bytes at 400 kHz
DURABLE_US = 4_000
EDGES, BUS = 1, 8  # of edge.WORDS
LOOK = "int(w[BUS]) != 0"
LOOK_AGAIN = "if int(i2c[28]) & 0x20:"


@pytest.fixture(scope="module")
def table():
    """An open table with bets."""
    made = rig.with_bets()
    yield made
    made.close()


def transfers(bench, ms):
    """[(begin, end)] in us of the FRAM's transfers in the next `ms`, after a chip has been laid."""
    found, fram = [], bench.table.fram
    start, stop = fram.start, fram.stop
    fram.start = lambda reading: (found.append([bench.board.now_us, 0]), start(reading))[1]
    fram.stop = lambda: (found[-1].__setitem__(1, bench.board.now_us) if found else None, stop())[1]
    bench.table.place(1, "main", [rig.uid(50)])
    bench.board.run_ms(ms)
    return found


def edges_into(bench, count):
    """Instants whose pulse has survived in the middle of the longest of those transfers."""
    begin, end = max(in_fork(transfers, bench, 600), key=lambda one: one[1] - one[0])
    assert end - begin > 300

    def tried(survives_us):
        bench.table.place(1, "main", [rig.uid(50)])
        at = survives_us - 2_000
        bench.board.run_us(at - 50 - bench.board.now_us)
        return edges._try_edge(bench, Instant("sweep with chips", at, False, NOTED), at, None)

    return [in_fork(tried, begin + (end - begin) * (n + 0.5) / count) for n in range(count)]


def test_an_idle_bus_is_the_interrupts(table):
    def tried():
        at = table.board.now_us + 100
        return edges._try_edge(table, Instant("sweep with chips", at, False, NOTED), at, None)

    one = in_fork(tried)
    assert not one.wrong and one.durable_us < BY_INTERRUPT_US


def test_a_bus_in_use_is_left_alone_and_the_mark_comes_right_after(table):
    def tried():
        table.board.mcu.write_uint32(table.edges_at + 4 * (BUS - EDGES), 1)
        at = table.board.now_us + 100
        return edges._try_edge(table, Instant("sweep with chips", at, False, NOTED), at, None)

    one = in_fork(tried)
    assert not one.wrong and BY_INTERRUPT_US < one.durable_us < DURABLE_US


def test_a_pulse_that_survives_in_the_middle_of_a_transfer(table):
    found = edges_into(table, 24)
    assert [one.wrong for one in found if one.wrong] == []
    assert max(one.durable_us for one in found) < DURABLE_US
    assert any(one.durable_us > BY_INTERRUPT_US for one in found)


def test_an_interrupt_that_does_not_look_is_found(monkeypatch):
    source = (build.FIRMWARE / "firstcard" / "drivers" / "edge.py").read_text()
    assert source.count(LOOK) == 1 and source.count(LOOK_AGAIN) == 1
    blind = source.replace(LOOK, "int(w[BUS]) == 77").replace(LOOK_AGAIN, "if int(i2c[28]) & 0x4000:")
    stock = rig.modules
    monkeypatch.setattr(rig, "modules", lambda extra, board_source=None: stock(
        {**extra, "firstcard/drivers/edge.py": blind}, board_source))
    table = rig.with_bets()
    try:
        assert any(one.wrong for one in edges_into(table, 24))
    finally:
        table.close()
