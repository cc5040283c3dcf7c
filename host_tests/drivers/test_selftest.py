"""Every fault of the readers' wiring is named by the self-test, on the emulated board."""

import pytest

from pit.emu.pn5180 import EEPROM_PRODUCT

SETUP = "from firstcard.drivers import selftest"
ALL = "all readers"
FAULTS = {
    "nothing": ((), [("readers", "ok", "22")]),
    "MISO stuck low": (("miso", None, 0), [("readers", "miso-stuck-low", "22 readers hear")]),
    "MISO stuck high": (("miso", None, 1), [("readers", "miso-stuck-high", "22 readers hear")]),
    "BUSY stuck high": (("busy", None, True), [("readers", "busy-stuck-high", "22 readers answer")]),
    "BUSY stuck low": (("busy", None, False), [("readers", "busy-stuck-low", "22 readers answer")]),
    "NSS of two readers swapped": (("swap", 4, 11), [("reader-4", "nss-swapped-with-11", "3.5"),
                                                     ("reader-11", "nss-swapped-with-4", "3.5")]),
    "reset held": (("reset", 0), [("readers", "reset-held-or-no-supply", "0 readers answer")]),
    "reset does not arrive": (("reset", 1), [("readers", "reset-broken", "-")]),
    "select line stuck low": (("select", 2, 0), [("readers", "select-a2-stuck", "-")]),
    "select line stuck high": (("select", 0, 1), [("readers", "select-a0-stuck", "-")]),
    "MOSI broken": (("mosi",), [("readers", "mosi-broken", "no reader answers")]),
    "clock or strobe broken": (("clock",), [("readers", "no-supply-clock-or-strobe", "no reader answers")]),
    "no power at one reader": ((9, "silent"), [("reader-9", "no-supply-or-nss", "-")]),
    "no power at all": ((ALL, "silent"), [("readers", "no-supply-clock-or-strobe", "no reader answers")]),
    "MISO of one reader": (("miso", 6, 1), [("reader-6", "miso-wire", "-")]),
    "BUSY of one reader low": (("busy", 6, False), [("reader-6", "busy-wire", "3.5")]),
    "BUSY of one reader high": (("busy", 6, True), [("reader-6", "busy-wire", "3.5")]),
    "an old version": ((13, "version"), [("reader-13", "wrong-version", "3.1")]),
}


@pytest.mark.parametrize("name", FAULTS)
def test_it_is_named(on_lab, name):
    fault, wanted = FAULTS[name]

    def play(lab):
        bus = lab.table.bus
        lab.run(SETUP)
        lab.board.run_ms(5)
        if fault and fault[-1] == "version":
            bus.readers[fault[0]]._eeprom.update(enumerate(b"\x01\x03", EEPROM_PRODUCT + 2))
        elif fault and fault[-1] == "silent":
            for number in bus.readers if fault[0] == ALL else fault[:1]:
                bus.fault(number, "silent")
        elif fault:
            bus.wire(*fault)
        lab.board.run_ms(5)
        return lab.value("list(selftest.run(board))")

    assert on_lab(play) == wanted


def test_the_readers_work_again_after_it(on_lab):
    def play(lab):
        lab.run(SETUP + "\nR = readers.Readers(board, [0])\nR.power_up()\nlist(selftest.run(board))\nR.power_up()")
        return lab.value("list(R.health)")

    assert on_lab(play) == [0] * 22
