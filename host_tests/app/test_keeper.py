"""The keeper: what is written down survives; what cannot be written down or read again locks the table, by name."""

import pytest

from host_tests.sim.bench import Bench
from host_tests.sim.shadow import differences


def restarted(bench):
    """The same bench after a power cut."""
    bench.table.do({"fault": {"power": "cut"}})
    bench.table.do({"fault": {"power": "restore"}})
    bench.engine, bench.round = bench.table.engine, bench.table.engine.round
    bench.events.clear()
    bench.run(500)
    return bench


def in_a_round():
    bench = Bench()
    bench.ok("open")
    bench.place(3, 2500, 500)
    bench.run(1500)
    bench.draw("TH", "KD", "9C", "8D")
    assert bench.state == "LOCKED"
    return bench


def faults(bench):
    return [event["code"] for event in bench.events if event["event"] == "fault"]


def test_the_log_gives_the_round_back():
    bench = in_a_round()
    assert differences(bench.table) == []


def test_a_memory_that_does_not_answer_keeps_the_table_closed():
    bench = Bench()
    bench.table.memory.broken = True
    restarted(bench)
    assert faults(bench) == ["fram"] and bench.state == "SAFE" and bench.table.is_locked()


def test_a_memory_that_dies_in_a_round_is_named_and_nothing_opens_again():
    bench = in_a_round()
    bench.table.memory.broken = True
    bench.draw("5C")
    assert "fram" in faults(bench) and bench.table.is_locked()


@pytest.mark.parametrize("at", [0, 5, 12, 20, 60, 200])
def test_a_flipped_bit_in_the_log_is_no_other_round(at):
    """Wherever it is, what comes back is the same round or SAFE with the fault named; never other wagers."""
    bench = in_a_round()
    log = bench.engine.keeper.log
    place = (0, 12288)[log.slot] + at
    bench.table.memory.data[place] ^= 4
    wagers = [z.value for z in bench.round.zones]
    restarted(bench)
    if bench.state == "SAFE":
        assert faults(bench) == ["memory"]
    else:
        assert [z.value for z in bench.round.zones] == wagers


def test_an_empty_memory_beside_a_journal_is_a_fault_that_a_technician_ends():
    bench = in_a_round()
    bench.ok("key void")
    bench.ok("key supervisor-confirm")
    bench.run(200)
    bench.table.memory.data[:] = bytes(len(bench.table.memory.data))
    restarted(bench)
    assert faults(bench) == ["memory"] and bench.state == "SAFE"
    bench.login("supervisor")
    assert bench.error("journal reset") == 14


def test_a_young_file_system_beside_an_old_memory_is_a_fault():
    bench = in_a_round()
    bench.ok("key void")
    bench.ok("key supervisor-confirm")
    bench.run(200)
    assert bench.engine.keeper.journal.seq
    bench.table.blocks.data[:] = b"\xff" * len(bench.table.blocks.data)
    restarted(bench)
    assert faults(bench) == ["journal-lost"] and bench.state == "SAFE"


def test_a_technician_lets_the_table_begin_anew_and_that_is_written_down():
    bench = Bench(roles=("supervisor", "technician"))
    bench.table.memory.data[0:4] = b"fcs1"
    bench.table.memory.data[12288:12292] = b"fcs1"
    for at in (8, 12296):
        bench.table.memory.data[at] ^= 255
    restarted(bench)
    assert faults(bench) == ["memory"]
    bench.login("technician")
    bench.ok("journal reset")
    bench.run(200)
    assert bench.state == "CLOSED"
    bench.engine.keeper.flush()
    from pit.journal.records import from_dump

    facts = [fact for record in from_dump(bytes(bench.table.blocks.data)) for fact in record.facts]
    assert [fact.values for fact in facts if fact.name == "reset"] == [{"faults": "memory", "by": "technician"}]


def test_a_full_journal_keeps_the_table_closed_until_it_is_read_out_and_released():
    bench = Bench()
    keeper = bench.engine.keeper
    keeper.flush()
    for _ in range(10 * 32):
        keeper.note("note", "filled")
        keeper.flush()
        if keeper.log.at > 9000:
            keeper.checkpoint()
    keeper.checkpoint()
    assert keeper.journal.free < 3
    assert bench.error("open") == 48
    assert bench.ok("journal").startswith("OK first=1 ")
    seq = keeper.journal.seq
    assert bench.ok("journal from %d" % seq).startswith("OK next=%d" % (seq + 1))
    bench.ok("journal release %d %s" % (seq, keeper.journal.hash[:12].hex()))
    bench.run(3000)
    bench.ok("open")
    assert sum(bench.table.blocks.erases) == 10


@pytest.mark.parametrize("back, cards", [(False, ["??"]), (True, [])])
def test_a_card_on_its_way_at_a_cut_is_there_and_one_that_went_back_is_not(back, cards):
    """Without a name it is dealt unread, and asked for; it is a fact like any other."""
    bench = Bench()
    bench.ok("open")
    bench.place(3, 2500)
    bench.run(1500)
    bench.edge(back=back)
    bench.run(250)
    restarted(bench)
    bench.run(1000)
    assert bench.state == "LOCKED"
    assert [event["code"] for event in bench.events if event["event"] == "card"] == cards
    assert differences(bench.table) == []
    restarted(bench).run(1000)
    assert [event["code"] for event in bench.events if event["event"] == "card"] == [], "told once"
    assert len(bench.round.game.describe()[0][1]) == len(cards)


def test_49_days_after_power_up_a_pending_change_and_the_journal_go_on():
    """The log keeps 32 bits of a time: 4,294,967 s. A change asked for before that, and a power cut after it."""
    bench = Bench()
    since_boot = bench.table.ms
    bench.table.ms = lambda: since_boot() + 2**32 - 60_000  # a minute before
    restarted(bench).login("supervisor")
    bench.bets((3, 2500))
    bench.ok("limits set 10 200 in 90s")
    bench.run(20_000)
    bench.draw("TH", "KD", "9C", "8D")
    bench.run(50_000)
    assert bench.engine.ports.ms() > 2**32
    assert [row.split(":")[0] for row in differences(bench.table)] == [".limits.pending[3]"], "32 bits of it"
    left_ms = bench.round.limits.pending[3] - bench.engine.ports.ms()
    bench.table.ms = since_boot
    restarted(bench)
    assert bench.state == "LOCKED" and bench.round.limits.pending[:2] == (1000, 20_000)
    left_ms += 50_000  # what was left at the last input before the power went
    assert abs(bench.round.limits.pending[3] - bench.engine.ports.ms() - left_ms) < 3000


@pytest.mark.parametrize("time", ["1440m", "86400s", "86400"])
def test_the_longest_notice_is_a_day(time):
    bench = Bench()
    bench.bets((3, 2500))
    bench.ok(f"limits set 10 200 in {time}")
    assert bench.error("limits set 10 200 in 1441m") == 25 and bench.error("limits set 10 200 in 99999m") == 25
