"""The engine: order of effects, the lock whatever happens, shoe and beams, faults, opening again."""

import pytest

from firstcard.core.events import LOCK_EDGE
from firstcard.proto import ots1
from host_tests.sim.bench import Bench


def recorded(bench):
    """From now on: names of the ports' members in the order in which the engine calls them."""
    log = []
    for name in ("lock", "arm", "lamp", "show", "out", "hurry"):
        call = getattr(bench.table, name)

        def port(*args, name=name, call=call):
            log.append(name)
            return call(*args)

        setattr(bench.table, name, port)
    return log


# order of effects: lock, journal, lamp and plaque, console


def test_the_lock_comes_before_everything_else():
    bench = Bench()
    bench.bets((1, 1000), (2, 100))
    log = recorded(bench)
    bench.engine.locked(LOCK_EDGE, bench.table.us())
    assert log[0] == "lock" and log.index("lamp") < log.index("out")
    bench.run(1)
    assert [e["event"] for e in bench.events if e["seq"] > bench.one("lock")["seq"] - 1][:2] == ["lock", "state"]


def test_the_plaque_is_drawn_before_the_console_is_told():
    """"one fixed order: lock, then journal, then lamp and plaque, then console"."""
    bench = Bench()
    bench.bets((1, 1000))
    log = recorded(bench)
    bench.engine.locked(LOCK_EDGE, bench.table.us())
    assert log.index("show") < log.index("out")


def test_bets_open_only_after_the_latch_is_armed_and_a_close_locks_before_it_is_told():
    bench = Bench()
    log = recorded(bench)
    bench.ok("open")
    assert log.index("arm") < log.index("out")
    del log[:]
    bench.ok("close")
    assert log.index("lock") < log.index("out")


def test_power_up_is_locked_and_says_so_and_never_opens():
    bench = Bench(login=None)
    assert [e["event"] for e in bench.events[:4]] == ["boot", "state", "limits", "plaque"]
    assert bench.events[0]["cause"] == "power" and bench.events[1]["state"] == "SAFE"
    bench.run(10_000)
    assert [e["state"] for e in bench.told("state")] == ["SAFE", "CLOSED"] and bench.table.is_locked()
    assert bench.events[0]["seq"] == 1


def test_the_plaque_shows_the_limits_and_the_state_by_its_colour():
    from firstcard.core import digits

    bench = Bench(min=1500, max=20000)
    shown = []
    for do in (lambda: None, lambda: bench.ok("open"), lambda: bench.ok("limits set 10 100 in 5m"),
               lambda: bench.ok("limits cancel"), lambda: bench.edge()):
        do()
        bench.run(10)
        shown.append(digits.decode(bench.table.leds))
        told = bench.told("plaque")[-1]
        assert shown[-1] == (told["min"], told["max"], digits.NAMES.index(told["colour"]))
    assert [s[:2] for s in shown] == [(1500, 20000)] * 5
    assert [digits.NAMES[s[2]] for s in shown] == ["red", "green", "amber", "green", "red"]


def test_the_lamp_burns_while_an_alarm_is_open():
    bench = Bench()
    bench.bets((1, 1000))
    bench.draw("TS")
    assert not bench.table.lamp_on
    bench.place(1, 500)
    bench.run(1500)
    assert bench.table.lamp_on
    bench.ok("ack 1")
    assert not bench.table.lamp_on


# the lock, by either path


def test_edge_and_frame_give_one_lock_and_the_first_of_them_is_its_cause():
    bench = Bench()
    bench.bets((1, 1000))
    bench.draw("TS", "9C")
    assert bench.one("lock")["cause"] == "edge"
    bench = Bench()
    bench.bets((1, 1000))
    bench.frame(code="TS")
    bench.run(10)
    bench.edge()
    bench.run(400)
    assert bench.one("lock")["cause"] == "frame" and [e["code"] for e in bench.told("card")] == ["TS"]


def test_the_lock_instant_of_a_frame_is_5_ms_before_it_is_seen():
    bench = Bench()
    bench.bets((1, 1000))
    bench.frame(code="TS")
    sent = bench.table.us()
    bench.run(10)
    assert -5_000 <= bench.one("lock")["us"] - sent <= 0


def test_a_tick_within_the_debounce_time_does_not_turn_an_edge_into_a_frame():
    """"The lock instant is the instant of the *edge*": LOCK is up, EDG is heard, a tick falls due, the latch
    reports."""
    bench = Bench()
    bench.bets((1, 1000))
    edge = bench.table.us()
    bench.table.lock()  # the latch has fired; it reports when 2 ms have passed
    frame = ots1.encode(0, "EDG", 1, 0)
    bench.engine.shoe_bytes(frame, len(frame))
    bench.engine.tick()
    bench.engine.locked(LOCK_EDGE, edge)
    bench.run(10)
    assert (bench.one("lock")["cause"], bench.one("lock")["us"]) == ("edge", edge)


def test_a_name_without_edge_and_frame_locks_too_and_is_a_mismatch():
    bench = Bench()
    bench.bets((1, 1000))
    bench.frame(type="CRD", code="TS")
    bench.run(400)
    assert bench.one("lock")["cause"] == "frame"
    assert bench.one("alarm", kind="shoe-mismatch") and bench.one("card", code="TS", to="1.1")


def test_an_edge_without_a_word_from_the_shoe_is_a_misread_card_300_ms_later():
    bench = Bench()
    bench.bets((1, 1000))
    bench.edge()
    bench.run(250)
    assert not bench.told("card")
    bench.run(150)
    assert bench.one("card", code="??", to="1.1") and bench.one("prompt", kind="card", spot=1)
    bench.ok("card TS")
    assert bench.told("card")[-1] == {**bench.told("card")[-1], "n": 1, "code": "TS", "to": "1.1"}


def test_a_card_pulled_back_into_the_shoe_is_not_counted():
    """"`edge: {return: true}`: LOCK holds, no card is counted"; the shoe's RTN says the same of its own card."""
    bench = Bench()
    bench.bets((1, 1000))
    bench.edge(back=True)
    bench.frame(type="EDG")
    bench.run(100)
    bench.frame(type="RTN")
    bench.run(1000)
    assert bench.one("lock") and not bench.told("card")


def test_a_card_while_closed_is_an_alarm_and_no_lock():
    bench = Bench()
    bench.draw("TS")
    assert bench.alarms() == ["card-while-closed"] and not bench.told("lock") and bench.table.is_locked()
    assert bench.state == "CLOSED"


def test_a_card_in_the_mouth_of_the_shoe_keeps_the_table_closed():
    bench = Bench()
    bench.edge()
    bench.run(50)
    assert bench.error("open") == 44
    bench.run(1000)
    assert bench.error("open") == 0


def ready_to_settle():
    bench = Bench()
    bench.bets((1, 1000))
    bench.draw("TS", "9C", "9D", "8D")
    bench.ok("key stand")
    bench.ok("key reveal")
    assert bench.state == "SETTLE"
    return bench


def test_a_card_that_left_before_the_round_ended_does_not_lock_the_next():
    """"After the last one the table checks as for `open`": a card without a name keeps it from opening."""
    bench = ready_to_settle()
    bench.table.do({"draw": {"code": "5H"}})
    bench.run(50)
    bench.ok("key settled")
    bench.run(1000)
    assert len(bench.told("lock")) == 1


def test_a_first_card_burned_while_full_spots_are_still_being_read():
    """Seven stacks of ten chips: a sweep takes longer than the shoe needs for CRD and BRN."""
    bench = Bench()
    bench.bets(*[(spot, *[500] * 5, *[100] * 5) for spot in range(1, 8)])
    bench.draw("5H", to="burn")
    bench.run(3000)
    assert bench.told("card")[-1]["to"] == "burn"
    bench.draw("TS")
    assert bench.told("card")[-1] == {**bench.told("card")[-1], "n": 2, "code": "TS", "to": "1.1"}


# faults


def test_a_fault_with_bets_open_locks_at_once():
    bench = Bench()
    bench.bets((1, 1000))
    bench.engine.fault("task", None, "sweeper")
    assert bench.table.is_locked() and bench.state == "SAFE"
    bench.run(100)
    assert bench.one("fault", code="task")["seen"] == "sweeper"
    bench.run(5000)
    assert bench.state == "SAFE" and bench.error("open") == 12
    bench.engine.clear_fault("task")
    bench.run(100)
    assert bench.state == "CLOSED" and bench.one("fault-cleared", code="task")


def test_a_fault_in_a_round_is_played_out_and_ends_closed():
    bench = ready_to_settle()
    bench.engine.fault("task")
    assert bench.state == "SETTLE"
    bench.ok("key settled")
    assert bench.state == "CLOSED" and bench.error("open") == 46


def test_a_fault_is_told_once_while_it_stands():
    bench = Bench()
    for _ in range(3):
        bench.engine.fault("latch")
    bench.run(1)
    assert len(bench.told("fault")) == 1


def test_lock_lost_is_noticed_and_mended():
    bench = Bench()
    bench.table._lock = False
    bench.engine.tick()
    bench.run(1)
    assert bench.table.is_locked() and bench.one("fault", code="lock-lost")


def test_a_latch_that_does_not_pass_its_test_keeps_the_table_closed():
    bench = Bench()
    bench.table.arm = lambda: False
    assert bench.error("open") == 46
    assert bench.one("fault", code="latch") and bench.state == "SAFE"


def test_a_latch_that_fails_at_the_end_of_a_round_closes_the_table():
    bench = ready_to_settle()
    bench.table.arm = lambda: False
    bench.ok("key settled")
    assert bench.state == "CLOSED" and bench.table.is_locked() and bench.one("round", result="complete")


def test_beams_that_see_a_card_which_the_latch_did_not_lock_and_are_a_fault():
    bench = Bench()
    bench.bets((1, 1000))
    bench.table._armed = False  # the latch is dead
    edge = bench.table.us()
    bench.edge()
    bench.run(60)
    assert bench.one("lock", cause="edge")["us"] == edge and bench.one("fault", code="latch")


def test_a_silent_reader_takes_its_zone_out_and_not_the_table():
    bench = Bench()
    bench.fault(reader=6, kind="silent")
    bench.ok("open")
    bench.run(3000)
    assert bench.one("fault", code="reader")["seen"] == 6
    bench.bets((1, 1000), (3, 1000))
    bench.draw("TS")
    assert [(w["spot"], w["value"]) for w in bench.one("lock")["wagers"]] == [(1, 1000)]
    assert not bench.told("alarm") and not bench.told("unsettled")


def test_no_table_opens_while_every_reader_is_silent():
    bench = Bench()
    for antenna in range(21):
        bench.fault(reader=antenna, kind="silent")
    assert bench.error("open") == 46


def test_a_reader_that_answers_again_clears_its_fault():
    """Each is named; the fault is over when the last of them answers."""
    bench = Bench()
    bench.fault(reader=6, kind="silent")
    bench.fault(reader=9, kind="stuck")
    bench.run(5000)
    assert [e["seen"] for e in bench.told("fault", code="reader")] == [6, 9]
    bench.fault(reader=6, kind="ok")
    bench.run(5000)
    assert not bench.told("fault-cleared", code="reader")
    bench.fault(reader=9, kind="ok")
    bench.run(5000)
    assert bench.one("fault-cleared", code="reader") and bench.error("open") == 0


def test_a_reader_that_dies_in_a_round_is_a_fault():
    """An antenna that is silent sees no late chip: it is named. In OPEN it takes its spot out, see below."""
    bench = Bench()
    bench.bets((3, 1000))
    bench.draw("TS")
    bench.fault(reader=6, kind="silent")
    bench.run(3000)
    assert bench.told("fault", code="reader")
    assert bench.state != "OPEN"


def test_what_a_dead_reader_cannot_see_counts_nothing_and_is_named_at_the_lock():
    bench = Bench()
    bench.bets((1, 1000), (3, 1000))
    bench.fault(reader=6, kind="silent")
    bench.run(3000)
    assert bench.one("fault", code="reader")["seen"] == 6
    assert bench.told("bet", spot=3)[-1]["verdict"] == "unreadable"
    bench.draw("TS", "9C", "9D", "8D")
    assert [(w["spot"], w["value"]) for w in bench.one("lock")["wagers"]] == [(1, 1000), (3, 0)]
    assert bench.one("alarm", kind="unreadable")["spot"] == 3
    bench.ok("key stand")
    bench.ok("key reveal")
    for row in list(bench.round.alarms.open):
        bench.ok("ack %d" % row[0])
    bench.ok("key settled")
    assert bench.state == "OPEN", "the other spots go on"


# the shoe's line


@pytest.mark.parametrize("kind, fields", [
    ("HBT", (0, "0", 1)), ("LID", (0,)), ("KEY", ("GO",)), ("HLO", (1, "a", "b", 1, "00", 6, "-")), ("ZZZ", ()),
    ("CUT", (1, 52)), ("SHF", ("S1", 312))])
def test_other_frames_lock_nothing_and_are_acknowledged(kind, fields):
    bench = Bench()
    bench.bets((1, 1000))
    number = bench.table.shoe.send(kind, *fields)
    bench.run(20)
    assert bench.table.shoe.heard[-1][1:] == ("ACK", ["%02X" % number])
    assert bench.state == "OPEN" and not bench.table.is_locked()


def test_noise_on_the_shoes_line_hurts_nothing():
    bench = Bench()
    bench.bets((1, 1000))
    noise = bytes(range(256)) * 4 + b"@@@00,EDG,1,1*0000\r\n"
    bench.engine.shoe_bytes(noise, len(noise))
    bench.run(500)
    assert not bench.told("card")


def test_a_frame_sent_twice_is_one_card():
    bench = Bench()
    bench.bets((1, 1000))
    bench.fault(shoe="twice")
    bench.draw("TS")
    assert [e["code"] for e in bench.told("card")] == ["TS"] and bench.engine.intake.link.receiver.duplicates == 2


def test_a_burn_frame_burns_the_card_it_names_or_none():
    """OTS-1: `BRN n` marks card n. Card 2 has left the shoe when the frame for card 1 arrives."""
    bench = Bench()
    bench.bets((1, 1000))
    bench.draw("5H", "TS")
    bench.frame(type="BRN", n=1)
    bench.run(100)
    assert not bench.told("card", code="TS", to="burn")
