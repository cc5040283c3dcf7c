"""The clock chip's model: it counts on without power, tells when it has stopped, refuses what it does not know."""

import pytest

from pit.emu.fakeboard import FakeBoard
from pit.emu.modelerror import NotModelled
from pit.emu.rtc import OSF, STATUS, Rtc


@pytest.fixture
def chip():
    made = Rtc()
    made.attach(FakeBoard())
    return made


def send(chip, *values):
    chip.start(False)
    for value in values:
        assert chip.write(value)
    chip.stop()


def read(chip, at, count=1):
    send(chip, at)
    chip.start(True)
    found = [chip.read() for _ in range(count)]
    chip.stop()
    return found


NOW = (0x59, 0x59, 0x23, 0x04, 0x31, 0x12, 0x26)  # the last second of 2026


def test_it_counts_on_and_its_registers_are_those_of_one_moment(chip):
    send(chip, 0, *NOW)
    assert read(chip, 0, 7) == list(NOW)
    chip.wait(seconds=1)
    assert read(chip, 0, 7) == [0, 0, 0, 5, 1, 1, 0x27]


def test_it_has_stopped_until_that_is_cleared_and_again_after_a_flat_battery(chip):
    assert read(chip, STATUS) == [OSF]
    send(chip, STATUS, 0)
    assert read(chip, STATUS) == [0]
    send(chip, STATUS, OSF)
    assert read(chip, STATUS) == [0], "it can only be cleared"
    chip.flat()
    assert read(chip, STATUS) == [OSF]


@pytest.mark.parametrize("what", [lambda chip: read(chip, 0x0E), lambda chip: send(chip, 0x0E, 0),
                                  lambda chip: send(chip, 0, 0x30), lambda chip: send(chip, 4, 1, 1, 0x26)])
def test_other_registers_and_a_part_of_a_date_are_refused(chip, what):
    with pytest.raises(NotModelled):
        what(chip)
