"""The bench: its rows, its file, and that it notices a lock that does not work."""

import json

import pytest

from pit.bench import __main__ as bench
from pit.bench import edges, lock, logic, report, rig
from pit.bench.inventories import Inventories
from pit.bench.rows import KINDS, Detail, Row
from pit.prove import proof, runner
from pit.prove.keeper import Keeper

PIO0_CTRL = 0x5020_0000
CONTRACT = ("edge_to_lock_us_max edge_to_latch_us_max shoe_bytes_lost register_read_us empty_inventory_us "
            "stack20_over_air sweep70_over_sum fsm_event_us parse_command_us plaque_update_us lock_durable_us "
            "erases_per_round console_p99_ms heap_free_kb heap_growth_bytes boot_to_console_ms").split()
FIELDS = ["name", "value", "unit", "budget", "ok", "peer", "irq", "note"]


def test_names_are_the_contracts_and_each_has_its_bench():
    assert set(KINDS) <= set(CONTRACT)
    benched = [name for figures, _, _ in bench.BENCHES for name in figures] + list(bench.LOCK_FIGURES)
    assert sorted(benched) == sorted(KINDS)


def test_a_cheap_row_is_measured_and_written(tmp_path):
    with_modules = rig.Lab(logic.SOURCES)
    rows = logic.command_rows(with_modules)
    with_modules.close()
    report.write(rows, tmp_path / "dist" / "bench.jsonl")
    (line,) = (tmp_path / "dist" / "bench.jsonl").read_text().splitlines()
    row = json.loads(line)
    assert list(row) == FIELDS
    assert (row["name"], row["unit"], row["irq"]) == ("parse_command_us", "us", "off")
    assert 20 < row["value"] < 10_000 and row["ok"] is (rows[0].ok)


def test_what_makes_a_row_not_ok():
    assert Row("heap_free_kb", 80).ok and not Row("heap_free_kb", 79.9).ok
    assert Row("fsm_event_us", 60).ok and not Row("fsm_event_us", 60.1).ok
    missed = Row("fsm_event_us", 10, details=[Detail("allocated", 16, "bytes", 0)])
    assert not missed.ok and "allocated 16 bytes (budget 0, MISSED)" in json.loads(missed.json())["note"]
    broken = Row("shoe_bytes_lost", 0, broken=["no erase"])
    assert not broken.ok and "no erase" in json.loads(broken.json())["note"]


def test_an_unknown_figure_is_named(capsys):
    assert bench.main(["no_such_us"]) == 2
    assert "no_such_us" in capsys.readouterr().err


@pytest.fixture(scope="module")
def open_table():
    table = rig.with_bets(per_spot=1)
    yield table
    table.close()


def stop_pio(table):
    """The state machine that owns LOCK stands still; the rest of the table is well."""
    table.board.mcu.write_uint32(PIO0_CTRL, 0)


def cut_beam(table):
    """The light barrier never sees the card."""
    table.table.beams.edge = lambda: None


@pytest.mark.parametrize("sabotage", [stop_pio, cut_beam])
def test_a_lock_that_does_not_work_is_noticed(open_table, sabotage):
    rows = lock.rows(open_table, per_phase=2, phases=("collection",), sabotage=sabotage)
    row = rows[0]
    assert row.name == "edge_to_lock_us_max" and not row.ok
    assert "2 of 2 instants wrong" in row.broken and "2 left UNLOCKED" in row.broken


def test_a_lock_that_works_is_well(open_table):
    rows = lock.rows(open_table, per_phase=2, phases=("collection",))
    assert [(row.name, row.broken) for row in rows] == [(name, []) for name in bench.LOCK_FIGURES]
    assert rows[0].ok


class Fields:
    """A table as far as Inventories knows one: one antenna."""

    def __init__(self):
        self.bus = self
        self.fields = {0: self}
        self.tags = []

    def on_field(self, number, on, ns):
        pass

    def inventory(self, on_ns, off_ns, before, after):
        self.tags = [type("Tag", (), {"uid": uid}) for uid in before]
        self.bus.on_field(0, True, on_ns)
        self.tags = [type("Tag", (), {"uid": uid}) for uid in after]
        self.bus.on_field(0, False, off_ns)


def test_the_wager_is_that_of_the_last_inventory_that_ended_before_the_edge():
    table = Fields()
    inventories = Inventories(table, {b"a": 100, b"b": 20})
    table.inventory(0, 1_000_000, b"", b"")
    for on_ns, before, after in ((2_000_000, "a", "a"), (4_000_000, "ab", "a"), (6_000_000, "ab", "ab")):
        table.inventory(on_ns, on_ns + 1_000_000, [c.encode() for c in before], [c.encode() for c in after])
    assert inventories.allowed(0, 7_500_000) == {120}
    assert inventories.allowed(0, 6_999_999) == {0, 100, 120}, "a chip was lifted in the inventory"
    assert inventories.allowed(0, 4_999_999) == {100}
    assert inventories.allowed(0, 7_010_000) >= {120, 100}, "the firmware notes the end a little later"


def test_instants_lie_one_in_each_part():
    assert [int(fraction * 10) for fraction in edges.instants(10)] == list(range(10))
    assert edges.instants(10) == edges.instants(10) != edges.instants(10, seed=1)


class Sum(proof.Proof):
    """A proof in three units, one of which fails until told otherwise."""

    name, title = "sum", "sums"

    def __init__(self, log, bad=True):
        self._log, self._bad = log, bad

    def units(self, options):
        return ["1", "2", "3"]

    def run(self, shared, unit):
        with self._log.open("a") as log:
            log.write(unit)
        if unit == "3":
            raise ValueError("not this one")
        note = "two | is\nwrong" if self._bad else ""
        return proof.Result(unit != "2" or not self._bad, {"instants": int(unit)}, note)


def test_proofs_go_on_where_they_were_and_keep_their_results(tmp_path):
    log = tmp_path / "log"
    rows = runner.run(Sum(log), {}, Keeper("image", tmp_path))
    assert [result.ok for _, result in rows] == [True, False, False]
    assert rows[2][1].note == "ValueError: not this one"
    assert "NOT proven: 2 of 3" in runner.summary(Sum(log), rows)
    text = runner.markdown("image", [(Sum(log), rows)])
    assert "| 2 | **NO** | 2 | two \\| is wrong |" in text
    assert sorted(log.read_text()) == ["1", "2", "3"]
    rows = runner.run(Sum(log, bad=False), {}, Keeper("image", tmp_path))
    assert [result.ok for _, result in rows] == [True, True, False]
    assert sorted(log.read_text()) == ["1", "2", "2", "3", "3"], "what was proven is not run again"
    assert json.loads(runner.jsonl("image", [(Sum(log), rows)]).splitlines()[0])["unit"] == "1"
