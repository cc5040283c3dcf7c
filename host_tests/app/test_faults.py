"""The registry of faults (tools/pit/faults.py) and the firmware say the same: codes, texts, effect, end."""

import ast

import pytest

from firstcard.app import link, opening, readout
from firstcard.proto import ots1
from host_tests.sim.bench import Bench
from pit import ROOT, faults, texts
from pit.faults import CLOSES, ITSELF, KEEPS, OPENING, REGISTRY, SIGN, TECHNICIAN
from pit.prove import noise

CALLS = ("fault", "name_fault", "trip", "Bad", "append", "_tell")


def raised():
    """{code: names of the calls by which the firmware raises it}."""
    found = {code: {"trip"} for code in (*ots1.FLAGS, *link.STANDING)}
    for path in (ROOT / "firmware" / "firstcard").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
                if getattr(node.targets[0], "id", "") == "code":
                    found.setdefault(node.value.value, set()).add("fault")
            if not isinstance(node, ast.Call) or not node.args:
                continue
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            literals = [one.value for one in ast.walk(node.args[0]) if isinstance(one, ast.Constant)]
            of_faults = name != "append" or getattr(node.func.value, "id", "") == "faults"
            if name in CALLS and of_faults:
                for code in literals:
                    if isinstance(code, str) and (name != "_tell" or code in REGISTRY):
                        found.setdefault(code, set()).add("name_fault" if name == "name_fault" else
                                                          "trip" if name == "trip" else "fault")
    return found


RAISED = raised()


def told(bench, name):
    bench._collect()
    return bench.told(name)


def test_the_firmware_raises_what_is_registered_and_nothing_else():
    said = texts.parse(texts.SOURCE.read_text(encoding="utf-8"))
    assert set(RAISED) == set(REGISTRY)
    assert {key[6:] for key in said if key.startswith("fault.")} == set(REGISTRY)


def test_the_page_is_as_generated():
    assert faults.PAGE.read_text(encoding="utf-8") == faults.page(), "make documents"


def test_how_they_end_is_what_the_engine_does():
    ends = {way: {code for code, fault in REGISTRY.items() if fault.ends == way} for way in (ITSELF, TECHNICIAN)}
    assert ends[TECHNICIAN] == set(readout.CLEARED)
    assert ends[ITSELF] | {"cut-card"} == set(link.STANDING) | {"console-flood", "keypad", "display"}
    stops = {code for code, fault in REGISTRY.items() if fault.severity == "stop"}
    assert stops == set(REGISTRY) - set(opening.CURABLE)


@pytest.mark.parametrize("code", sorted(REGISTRY))
def test_what_it_does_to_bets_that_are_open_and_to_an_opening(code):
    bench = Bench()
    bench.ok("open")
    fault, how = REGISTRY[code], RAISED[code]
    if "fault" in how and code != "reader":
        bench.engine.fault(code)
    elif "trip" in how and fault.severity != "note":
        bench.engine.intake.link.trip(code)
    else:
        bench.engine.name_fault(code)
    assert [event["code"] for event in told(bench, "fault")] == [code]
    if fault.bets in (KEEPS, SIGN):  # no sign is demanded here; where it is: test_sign.py
        assert bench.state == "OPEN" and not bench.table.is_locked()
        return
    if fault.bets == CLOSES:
        assert bench.state != "OPEN" and bench.table.is_locked()
    bench.run(200)
    if fault.severity == "stop":
        assert bench.error("open") in (12, 46) and bench.table.is_locked()
    elif fault.ends == OPENING and bench.state == "CLOSED":
        bench.ok("open")
        assert code not in bench.engine.faults


def test_a_journal_that_flash_does_not_take_is_a_fault_and_loses_nothing():
    bench = Bench()
    blocks, keeper = bench.table.blocks, bench.engine.keeper
    blocks.bad = [(block, at) for block in range(blocks.count) for at in range(0, 4096, 128)]
    keeper.flush()
    assert "store" in bench.engine.faults and keeper.journal.stuck and keeper.packed < keeper.log.at
    blocks.bad = ()
    bench.login("supervisor")
    assert bench.error("open") in (12, 46)


def test_the_clocks_are_held_against_each_other():
    bench = Bench()
    bench.run(500)
    stock = bench.table.ms
    bench.table.ms = lambda: stock() + 300
    bench.run(200)
    assert [event["code"] for event in told(bench, "fault")] == ["clock"] and bench.state == "SAFE"


def test_a_console_that_is_flooded_is_named_and_the_table_goes_on():
    bench = Bench()
    bench.ok("open")
    for _ in range(100):
        bench.send("nonsense")
    bench.run(1100)
    assert [event["code"] for event in told(bench, "fault")] == ["console-flood"] and bench.state == "OPEN"
    bench.run(3000)
    assert [event["code"] for event in told(bench, "fault-cleared")] == ["console-flood"]


@pytest.mark.parametrize("state", ["OPEN", "LOCKED"])
def test_noise_on_the_console_changes_nothing_else(state):
    """100,000 lines of it are in `make prove` (proof `tasks`)."""
    assert noise.on_host(state, 5000) == ([], {"lines": 5000})


def test_a_fault_before_the_opening_does_not_close_the_table_after_its_first_round():
    bench = Bench()
    bench.engine.fault("shoe-suspect")
    bench.run(200)
    bench.bets((1, 500))
    bench.draw("TS", "9C", "9D", "8D")
    for line in ("key stand", "key reveal", "key settled"):
        bench.ok(line)
    bench.run(100)
    assert bench.state == "OPEN" and bench.round.number == 2
