"""The clock chip: what is set comes back after hours without power; a chip that is new, flat or silent is no time."""

import pytest

from pit import build, firmware, image, keys
from pit.emu.table import Table
from pit.journal.records import from_dump
from pit.runner import BENCH_KEY

SETUP = "from firstcard.drivers import memory, rtc\nB = memory.bus(board)"
AT = 848_825_400  # 2026-11-24T08:50:00
READ = "rtc.read(B, board.RTC)"


def after(change):
    """A function of the lab: the chip is set to AT, then `change(chip)` happens; what is read."""
    def play(lab):
        lab.run(f"{SETUP}\nrtc.write(B, board.RTC, {AT})")
        change(lab.table.rtc)
        return lab.value(READ)

    return play


def set_to(**registers):
    """The chip's registers are not what a set chip holds."""
    def change(chip):
        held = bytearray(chip._registers())
        for name, value in registers.items():
            held[("second", "minute", "hour", "weekday", "day", "month", "year").index(name)] = value
        chip._registers = lambda: held

    return change


@pytest.mark.parametrize(("change", "read"), [
    (lambda chip: None, AT),
    (lambda chip: chip.wait(days=700, hours=13, seconds=59), AT + 700 * 86400 + 13 * 3600 + 59),
    (lambda chip: chip.flat(), 0),
    (lambda chip: chip.unplug(), -1),
    (set_to(hour=0x72), 0),  # 12 o'clock of a chip in twelve-hour mode
    (set_to(month=0x91), AT),  # November, and the bit of the next century, which nobody keeps
    (set_to(day=0x31), 0), (set_to(month=0), 0), (set_to(second=0x5A), 0)])
def test_what_is_set_is_read_and_what_is_no_date_is_none(on_lab, change, read):
    assert on_lab(after(change)) == read


def test_a_new_chip_is_not_set(on_lab):
    def play(lab):
        lab.run(SETUP)
        return lab.value(READ)

    assert on_lab(play) == 0


class Rig:
    """A table of its own, since its power is cut."""

    def __init__(self):
        settings = {"keys": {"technician": BENCH_KEY}}
        self.table = Table(image.make_fs(build.files("fc7", settings, [])), firmware.image_path())

    def up(self):
        self.table.board.send(b"\r\n")
        self.table.board.expect(rb'"state":"CLOSED"', 5000)
        nonce = self.ask("login technician").split()[-1]
        assert self.ask("answer " + keys.answer(BENCH_KEY, "technician", nonce)) == "OK technician"

    def ask(self, line):
        board = self.table.board
        board.send(line.encode() + b"\r\n")
        return board.expect(rb"(?m)^((?:OK|ERROR).*)\r\n", 5000)[1].decode()

    def checked(self):
        while "files=checking" in self.ask("id"):
            self.table.board.run_ms(1000)


def test_the_time_of_day_outlasts_the_power_and_the_journal_says_whose_it_is():
    rig = Rig()
    rig.up()
    assert rig.ask("time 2026-11-30T08:50:00").startswith("OK 2026-11-30T08:50:0")
    rig.table.power_cut()
    rig.table.rtc.wait(hours=15)
    rig.table.restore()
    rig.up()
    rig.checked()
    rig.table.board.run_ms(500)
    assert rig.ask("time").startswith("OK 2026-11-30T23:50:")
    assert rig.ask("selftest clock") == "OK 1"
    rig.table.rtc.unplug()
    assert rig.ask("selftest clock").startswith("ERROR 125")
    assert rig.ask("time 2026-12-01T00:00:00").startswith("OK 2026-12-01T00:00:0")
    assert b"PROGRESS clock-chip silent" in bytes(rig.table.board.out)
    facts = [fact for record in from_dump(rig.table.board.flash_bytes()) for fact in record.facts]
    assert [fact.values["by"] for fact in facts if fact.name == "time"] == ["technician", "clock-chip", "technician"]
    assert not rig.table.board.faults
    rig.table.close()
