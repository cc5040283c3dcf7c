"""Upkeep on the emulated board: self-check and self-test, service mode by command and by strap, rules, restart."""

import hashlib
import json
import re

import pytest

from pit import build, firmware, image, keys
from pit.emu import snapshot
from pit.emu.table import Table
from pit.journal.records import from_dump
from pit.runner import BENCH_KEY

SET = "OK 2026-11-30T08:50:00Z", "OK 2026-11-30T08:50:01Z"  # the answer may come after the turn of a second
CHIPS = [bytes((n, 0, 0, 0, 0, 1, 4, 0xE0)) for n in range(3)]


class Rig:
    """A table and its technician."""

    def __init__(self, contents):
        self.table = Table(image.make_fs(contents), firmware.image_path())
        self.board = self.table.board
        self.board.send(b"\r\n")
        self.board.expect(rb'"state":"CLOSED"', 5000)

    def ask(self, line, ms=3000):
        """(rows, final line) of the answer to an operator line."""
        since = len(self.board.out)
        self.board.send(line.encode() + b"\r\n")
        final = self.board.expect(rb"(?m)^((?:OK|ERROR).*)\r\n", ms)[1].decode()
        return re.findall(r"(?m)^PROGRESS (.*)\r", bytes(self.board.out[since:]).decode()), final

    def login(self, role="technician"):
        nonce = self.ask(f"login {role}")[1].split()[-1]
        assert self.ask("answer " + keys.answer(BENCH_KEY, role, nonce))[1] == f"OK {role}"

    def again(self, state="CLOSED"):
        """Greet the table after a restart, and wait until it has found itself."""
        self.board.run_ms(700)
        self.board.send(b"\r\n")
        self.board.expect(f'"state":"{state}"'.encode(), 5000)

    def checked(self):
        """Wait until the table has held its files against their hashes; what `id` says then."""
        for _ in range(30):
            said = self.ask("id")[1]
            if "files=checking" not in said:
                break
            self.board.run_ms(1000)
        return said

    def facts(self):
        """The journal's facts as (name, values)."""
        self.login()
        assert self.ask("time 2026-11-30T08:50:00")[1] in SET  # it fills the last record
        return [(fact.name, fact.values) for record in from_dump(self.board.flash_bytes()) for fact in record.facts]

    def events(self, name):
        found = re.findall(rb"(?m)^! (\{.*\})\r?$", bytes(self.board.out))
        return [event for event in map(json.loads, found) if event["event"] == name]


def contents():
    return build.files("fc7", {"keys": dict.fromkeys(("technician", "operator"), BENCH_KEY), "table": "4"},
                       [(uid, 500) for uid in CHIPS])


@pytest.fixture(scope="module")
def rig():
    made = Rig(contents())
    made.login()
    yield made
    made.table.close()


@pytest.fixture
def play(rig):
    def run(function):
        def with_faults():
            out = function(rig)
            assert not rig.board.faults
            return out

        return snapshot.in_fork(with_faults)

    return run


def test_the_table_says_who_it_is_and_that_its_files_are_right(play):
    def look(rig):
        return rig.ask("id")[1], rig.checked()

    first, last = play(look)
    assert " files=checking chips=" in first and " table=4 " in first
    manifest = build.files("fc7")[build.MANIFEST]
    assert re.search(r" unique=[0-9a-f]{16} table=4 .* build=[0-9a-f]{8} files=ok chips=ok mode=RUN$", last), last
    assert f" build={build.build_id(manifest)} " in last


def test_a_file_that_is_not_the_one_that_was_built_is_named_and_nothing_opens():
    files = contents()
    wanted = hashlib.sha256(files["board.mpy"]).hexdigest()
    files[build.MANIFEST] = files[build.MANIFEST].replace(wanted.encode(), b"0" * 64)
    rig = Rig(files)
    assert " files=board.mpy " in rig.checked()
    fault, = rig.events("fault")
    assert (fault["code"], fault["seen"]) == ("program", "board.mpy")
    rig.login("operator")
    assert rig.ask("open")[1].startswith("ERROR 12")
    rig.table.close()


def test_every_part_is_well_lock_stays_high_and_the_table_goes_on(play):
    def test(rig):
        rig.board.run_ms(1200)
        rig.table.lock_log.clear()
        answer = rig.ask("selftest")
        log = list(rig.table.lock_log)
        rig.ask("logout")
        rig.login("operator")
        opened = rig.ask("open")[1]
        rig.table.place(3, "main", CHIPS)
        rig.board.expect(rb'"event":"bet","spot":3,"zone":"main","sum":1500', 3000)
        return answer, log, opened, rig.events("fault"), rig.events("alarm")

    (rows, final), log, opened, faults, alarms = play(test)
    assert final == "OK 6" and opened == "OK" and not faults and not alarms and all(level for _, level in log)
    parts = [row.split(maxsplit=2) for row in rows]
    assert [part[:2] for part in parts] == [[name, "ok"] for name in ("readers", "edge", "latch", "plaque", "store",
                                                                      "clock")]
    figures = {name: int(re.search(r"\d+", text)[0]) for name, _, text in parts}
    assert figures["readers"] == 22 and 0 < figures["edge"] < 5000 and figures["latch"] < 20
    assert 10 < figures["plaque"] < 600 and figures["clock"] <= 1


@pytest.mark.parametrize(("spoil", "part", "verdict"), [
    (lambda table: table.bus.fault(5, "silent"), "readers", "reader-5:no-supply-or-nss"),
    (lambda table: table.fault({"plaque": "dark"}), "plaque", "not-proven"),
    (lambda table: table.beams.cut(0), "edge", "blocked")])
def test_what_is_broken_is_named(play, spoil, part, verdict):
    def test(rig):
        spoil(rig.table)
        rig.board.run_ms(50)
        return rig.ask(f"selftest {part}")

    rows, final = play(test)
    assert rows[0].startswith(f"{part} {verdict} ") and final.startswith(f'ERROR 125 "not well: {part}.')


def test_service_by_command_shows_the_prompt_once_and_is_in_the_journal(play):
    def test(rig):
        assert rig.ask("service")[1] == "OK service"
        rig.board.expect(rb"# SERVICE", 5000)
        rig.board.send(b"\r\n")
        rig.board.expect(rb">>> ", 2000)
        level = rig.table.lock_level
        rig.board.send(b"1 + 1\r\n")
        rig.board.expect(rb"\r\n2\r\n>>> ", 2000)
        rig.board.send(b"import machine; machine.reset()\r\n")
        rig.again()
        rig.login()
        return level, rig.events("boot")[-1]["cause"], rig.events("fault"), rig.ask("crash")[1], rig.facts()

    level, cause, faults, crash, facts = play(test)
    assert level and ("mode", {"mode": "service", "by": "technician"}) in facts
    assert cause == "reset" and not faults and crash.startswith("ERROR 124"), "nobody takes it for a part that stopped"


def test_service_by_the_strap_is_in_the_journal_of_the_next_start(play):
    def test(rig):
        rig.table.service(True)
        rig.ask("reboot")
        rig.board.run_ms(800)
        rig.board.send(b"\r\n")
        rig.board.expect(rb">>> ", 3000)
        rig.table.service(False)
        rig.board.send(b"import machine; machine.reset()\r\n")
        rig.again()
        return rig.facts()

    facts = play(test)
    assert [values for name, values in facts if name == "mode"] == [
        {"mode": "reboot", "by": "technician"}, {"mode": "service", "by": "strap"}]


def test_an_option_is_kept_over_the_restart(play):
    def test(rig):
        assert rig.ask("option decks 8")[1].startswith("OK us-in-blackjack hash=")
        rig.again()
        return rig.ask("option decks"), rig.ask("id")[1], rig.events("boot")[-1]["cause"], rig.events("fault")

    (rows, _), who, cause, faults = play(test)
    assert rows == ["option decks=8"] and " table=4 " in who and cause == "reboot" and not faults


def test_the_heap_is_back_once_upkeep_is_over(play):
    """What upkeep loads stays until the next restart; the budget holds with it."""
    def test(rig):
        for line in ("selftest", "time", "option", "crash", "journal"):
            rig.ask(line)
        rig.ask("logout")
        rig.login("operator")
        rig.ask("open")
        return int(re.search(r"heap=(\d+)", rig.ask("status")[1])[1])

    assert play(test) >= 80_000
