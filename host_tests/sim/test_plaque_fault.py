"""The simulated plaque is proven unless it is broken."""

import pit
import pytest
from pit.emu.strip import FAULTS
from pit.sim import files
from pit.sim.table import SimTable


@pytest.mark.parametrize("kind", FAULTS)
def test_fault_and_its_end(kind):
    files.prepare()
    setup = {"board": "fc7", "profile": "us-in-blackjack", "options": {}, "limits": {"min": 500, "max": 50_000},
             "keys": {}, "registry": []}
    table = SimTable(setup, str(pit.ROOT))
    told = [table.prove()]
    for state in (kind, "ok"):
        table.do({"fault": {"plaque": state}})
        told.append(table.prove())
    assert told == [True, False, True]
