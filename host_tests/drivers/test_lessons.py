"""What went wrong in public drivers of such readers (rows 1 to 62 and defects E1 to E9 of the reports that this project
was begun with; the sources cite them as ISSUES n), and the test that shows that it does not go wrong here, or why none
can.
"""

import ast

import pytest

from pit import ROOT

FIELDS, READERS, STACKS = "drivers/test_fields.py", "drivers/test_readers.py", "emu/test_models_stacks.py"
MODEL, BLOCKS, SELFTEST, NEAR = ("emu/test_models_readers.py", "drivers/test_blocks.py", "drivers/test_selftest.py",
                                 "drivers/test_mfrc522.py")
SHOWN = {  # row: (file, test)
    1: (READERS, "test_dead_reader_is_its_own_fault_and_comes_back"),
    2: (READERS, "test_every_chip_is_read"),  # slots after the first are never opened
    3: (READERS, "test_every_chip_is_read"),  # two chips collide and neither is read
    4: (READERS, "test_every_chip_is_read"),  # ten chips at most are ever found
    5: (FIELDS, "test_a_planted_defect_is_caught"),  # a loop waits for a flag that it does not read again
    6: (BLOCKS, "test_the_blocks_of_one_chip_of_two"),  # block data are taken one byte too early
    7: (BLOCKS, "test_two_readings_that_differ_are_none"),  # spoilt answers pass for good ones
    8: (SELFTEST, "test_it_is_named"),  # a reader that does not start is waited for without end
    9: (MODEL, "test_no_second_send_before_idle"),  # after silence the reader is deaf until it has been idle
    11: (SELFTEST, "test_it_is_named"),  # a dead line reads as a chip of zeros or ones
    12: (READERS, "test_faults_at_any_instant"),  # a chip taken away in mid-answer freezes the reader
    13: (MODEL, "test_read_data_with_nothing_received"),  # data are fetched that never came, and BUSY stays
    14: (READERS, "test_dead_reader_is_its_own_fault_and_comes_back"),  # NSS stays low after a time-out
    15: (READERS, "test_recovery_by_steps"),  # a reader in a wrong state needs a reset by hand
    16: (MODEL, "test_load_rf_config_in_active_transceive"),  # RF configuration in an active transceive wedges the chip
    17: (READERS, "test_some_noise_is_asked_again"),  # of several chips one is found; noise passes for a collision
    18: (MODEL, "test_interrupt_bits_at_their_instants"),  # a stale flag passes for a new answer
    19: (NEAR, "test_a_chip_that_rests_is_read_every_time"),
    21: (MODEL, "test_send_outside_wait_transmit"),  # SEND_DATA before the state allows it
    23: ("core/test_zone.py", "test_a_change_is_an_alarm_once_it_is_sure"),  # a chip that has left is noticed late
    25: (NEAR, "test_two_chips_are_unreadable_and_never_one_of_them"),  # bits behind a collision are taken for good
    26: (READERS, "test_empty_antenna"),  # empty slots take most of the time
    27: (NEAR, "test_a_wrong_check_byte_is_no_chip"),
    28: (MODEL, "test_get_needs_the_second_frame"),  # the reply is looked for while the command is sent
    30: (NEAR, "test_a_chip_that_rests_is_read_every_time"),
    31: (NEAR, "test_a_chip_that_rests_is_read_every_time"),
    32: (NEAR, "test_a_chip_that_rests_is_read_every_time"),  # one miss in twenty counts as a removal
    33: (NEAR, "test_what_is_spoilt_is_asked_again_and_is_never_absence"),  # a garbled answer counts as a removal
    34: (NEAR, "test_an_empty_field_costs_little"),
    35: (NEAR, "test_a_chip_that_rests_is_read_every_time"),
    36: (NEAR, "test_a_chip_that_rests_is_read_every_time"),
    38: (NEAR, "test_an_empty_field_costs_little"),
    41: (NEAR, "test_the_self_test_names_the_fault"),  # a register does not keep what was written
    42: (READERS, "test_sweep_of_seventy_chips"),  # many readers in turn are too slow
    43: (FIELDS, "test_certain_is_right_on_the_host"),  # a chip is read at the spot next to it
    44: (NEAR, "test_a_defective_copy_is_refused"),
    45: (NEAR, "test_two_chips_are_unreadable_and_never_one_of_them"),
    47: (NEAR, "test_a_chip_that_rests_is_read_every_time"),
    48: (NEAR, "test_a_chip_that_rests_is_read_every_time"),
    49: (NEAR, "test_what_is_spoilt_is_asked_again_and_is_never_absence"),  # one reading in thirty is spoilt
    50: (NEAR, "test_a_reader_that_has_reset_itself_is_set_up_again"),  # after many readings none any more
    51: (MODEL, "test_clones_answer_as_one"),  # two chips with one UID look like one
    62: ("core/test_zone.py", "test_a_change_is_an_alarm_once_it_is_sure"),  # nothing says that a chip has gone
    "E1": (FIELDS, "test_a_planted_defect_is_caught"),  # the mask of the second level lies at the wrong place
    "E2": (FIELDS, "test_a_planted_defect_is_caught"),  # a mask that ends in zeros is too short
    "E3": (FIELDS, "test_a_planted_defect_is_caught"),  # no wait, no look at the error bits, no bound
    "E4": (BLOCKS, "test_the_blocks_of_one_chip_of_two"),  # every block but the first is refused
    "E5": (NEAR, "test_an_empty_field_costs_little"),  # an empty field is waited for by counting
    "E6": (NEAR, "test_two_chips_are_unreadable_and_never_one_of_them"),
    "E7": (READERS, "test_dead_reader_is_its_own_fault_and_comes_back"),
    "E8": (READERS, "test_two_chips_with_one_uid_and_more_than_fit"),  # collisions and spoilt answers are passed over
    "E9": (READERS, "test_every_chip_is_read"),
}
PN532 = "of the PN532, and no board here has one"
NOT_SHOWN = {
    10: "writing to a chip: nothing here writes, see test_no_driver_writes_to_a_chip",
    20: "commands of one maker's chips: none is used",
    22: "writing to a chip: nothing here writes, see test_no_driver_writes_to_a_chip",
    24: "a library for another reader",
    29: "a simulator of chips that answers too late: timing of hardware that is not modelled",
    37: "a second thread: no module here starts one (architecture/test_imports.py names what may be imported)",
    39: "levels on MISO with several readers that do not let go of it: analogue; rc522_demo has one reader",
    40: "supply of several readers: analogue",
    46: "a version of somebody else's library",
    **dict.fromkeys(range(52, 62), PN532),
}


def test_every_row_has_a_test_or_a_reason():
    rows = {*range(1, 63), *(f"E{n}" for n in range(1, 10))}
    assert set(SHOWN) | set(NOT_SHOWN) == rows and not set(SHOWN) & set(NOT_SHOWN)


@pytest.mark.parametrize("file", sorted({file for file, _ in SHOWN.values()}))
def test_the_tests_exist(file):
    tree = ast.parse((ROOT / "host_tests" / file).read_text())
    there = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert {test for other, test in SHOWN.values() if other == file} <= there


WRITES = (0x21, 0x22, 0x24, 0x27, 0x28, 0x29, 0x2A)  # ISO 15693-3: write, lock, AFI, DSFID


def test_no_driver_writes_to_a_chip():
    """ISSUES 10, 22. Requests of the drivers are made in three places, each with a command that only reads."""
    calls = [node for module in ("inventory", "thorough")
             for node in ast.walk(ast.parse((ROOT / f"firmware/firstcard/drivers/{module}.py").read_text()))
             if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("send", "_order")]
    sent = {int(node.args[place].value) for node in calls for place in (2, 3)
            if isinstance(node.args[place], ast.Constant) and isinstance(node.args[place].value, int)}
    assert {0x01, 0x02, 0x26} <= sent, "INVENTORY, STAY QUIET, RESET TO READY"
    commands = {0x01, 0x02, 0x26, 0x20, 0x23}
    assert not commands & set(WRITES)
    blocks = (ROOT / "firmware/firstcard/drivers/blocks.py").read_text()
    assert "0x20 if count == 1 else 0x23" in blocks
