"""What public reports say goes wrong with chip readers, and the test here that shows it cannot happen, or why none can.

The numbers are those that drivers and models quote ("ISSUES 9"); E rows were found by reading drivers. `-` begins the
reason where no test is possible.
"""

import ast
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parents[1]
MODEL, READERS, FIELDS, ZONE = ("emu/test_models_readers.py", "drivers/test_readers.py", "drivers/test_fields.py",
                                "core/test_zone.py")
NO_14443 = "- this board has ISO 15693 readers; a reader of 14443A cards is not built yet"
NO_PN532 = "- no board has a PN532: two cards at most, and no ISO 15693"
REPORTS = {
    "1": ("BUSY never falls when both frames of a read share one NSS", MODEL, "test_get_needs_the_second_frame"),
    "2": ("slots after the first are never opened", MODEL, "test_sixteen_slots_and_no_more"),
    "3": ("two chips collide and neither is read", READERS, "test_every_chip_is_read"),
    "4": ("ten chips at most are ever found", READERS, "test_every_chip_is_read"),
    "5": ("a loop waits for a flag that it does not read again", READERS, "test_one_chip"),
    "6": ("block data are taken one byte too early", MODEL, "test_read_blocks"),
    "7": ("spoilt answers pass for good ones", FIELDS, "test_a_planted_defect_is_caught"),
    "8": ("a reader that does not start is waited for without end", READERS,
          "test_dead_reader_is_its_own_fault_and_comes_back"),
    "9": ("after silence the reader is deaf until it has been idle", MODEL, "test_no_second_send_before_idle"),
    "10": ("some chips refuse writes without the option flag", "- the table never writes to a chip"),
    "11": ("a dead line reads as a chip of zeros or ones", READERS, "test_faults_at_any_instant"),
    "12": ("a chip taken away in mid-answer freezes the reader", FIELDS, "test_certain_is_right_on_the_host"),
    "13": ("data are fetched that never came, and BUSY stays", MODEL, "test_read_data_with_nothing_received"),
    "14": ("NSS stays low after a time-out", READERS, "test_faults_at_any_instant"),
    "15": ("a reader in a wrong state needs a reset by hand", READERS,
           "test_dead_reader_is_its_own_fault_and_comes_back"),
    "16": ("RF configuration in an active transceive wedges the chip", MODEL,
           "test_load_rf_config_in_active_transceive"),
    "17": ("of several chips one is found; noise passes for a collision", FIELDS, "test_a_planted_defect_is_caught"),
    "18": ("a stale flag passes for a new answer", FIELDS, "test_certain_is_right_on_the_host"),
    "19": (NO_14443,),
    "20": ("addressed requests with wrong flags are not answered", MODEL, "test_requests_that_are_not_modelled"),
    "21": ("SEND_DATA before the state allows it", MODEL, "test_send_outside_wait_transmit"),
    "22": ("a request without an address reaches every chip", "- the table never writes to a chip"),
    "23": ("a chip that has left is noticed a second late", ZONE, "test_a_change_is_an_alarm_once_it_is_sure"),
    "24": ("the reader could, its driver cannot: no anticollision", READERS, "test_every_chip_is_read"),
    "25": ("bits behind a collision are taken for good", MODEL,
           "test_collision_position_is_the_first_bit_that_differs"),
    "26": ("empty slots take most of the time", READERS, "test_empty_antenna"),
    "27": (NO_14443,),
    "28": ("the reply is looked for while the command is sent", MODEL, "test_get_needs_the_second_frame"),
    "29": (NO_14443,),
    **{str(n): (NO_14443,) for n in (30, 31, 34, 35, 36, 38, 44, 45, 47, 48)},
    "32": ("one miss in twenty counts as a removal", ZONE,
           "test_one_missed_read_never_alarms_at_any_place_of_a_quiet_watch"),
    "33": ("a garbled answer counts as a removal", ZONE, "test_a_garbled_sweep_is_never_a_removal"),
    "37": ("a reader read from a second thread", "architecture/test_imports.py", "test_a_bad_snippet_is_reported"),
    "39": ("readers that do not let go of MISO disturb one another", "- MISO levels of two readers are not modelled"),
    "40": ("readers without enough power die at random", "- the supply is not modelled; at most four fields are"),
    "41": ("a register does not keep what was written", READERS, "test_dead_reader_is_its_own_fault_and_comes_back"),
    "42": ("many readers in turn are too slow", READERS, "test_sweep_of_seventy_chips"),
    "43": ("a chip is read at the spot next to it", FIELDS, "test_certain_is_right_on_the_host"),
    "46": ("- a new release breaks what the old one read: MicroPython and all packages are pinned",),
    "49": ("one reading in thirty is spoilt", READERS, "test_some_noise_is_asked_again"),
    "50": ("after many readings none any more", READERS, "test_faults_at_any_instant"),
    "51": ("two chips with one UID look like one", MODEL, "test_clones_answer_as_one"),
    **{str(n): (NO_PN532,) for n in (*range(52, 59), 60)},
    "59": ("long wires and a fast clock", MODEL, "test_spi_mode_and_speed"),
    "61": ("the field disturbs the radio of the board", "- nothing analogue is modelled"),
    "62": ("nothing says that a chip has gone", ZONE, "test_a_change_is_an_alarm_once_it_is_sure"),
    "E1": ("the mask of the second level lies at the wrong place", FIELDS, "test_a_planted_defect_is_caught"),
    "E2": ("a mask that ends in zeros is too short", FIELDS, "test_a_planted_defect_is_caught"),
    "E3": ("no wait, no look at the error bits, no bound", FIELDS, "test_a_planted_defect_is_caught"),
    "E4": ("every block but the first is refused", MODEL, "test_read_blocks"),
    "E5": ("an empty field is waited for by counting", READERS, "test_empty_antenna"),
    "E6": (NO_14443,),
    "E7": ("NSS low after a time-out, ticks subtracted, one slot only", READERS, "test_faults_at_any_instant"),
    "E8": ("collisions and spoilt answers are passed over", READERS, "test_every_chip_is_read"),
    "E9": (NO_PN532,),
}


def names(path):
    """The test functions of a file."""
    return {node.name for node in ast.walk(ast.parse((HERE / path).read_text()))
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")}


def test_no_report_is_missing():
    assert set(REPORTS) == {str(n) for n in range(1, 63)} | {f"E{n}" for n in range(1, 10)}


@pytest.mark.parametrize("number", REPORTS)
def test_what_shows_it_exists(number):
    row = REPORTS[number]
    if row[-1].startswith("-"):
        assert len(row[-1]) > 20
        return
    _, path, name = row
    assert name in names(path), f"{number}: {path} has no {name}"
