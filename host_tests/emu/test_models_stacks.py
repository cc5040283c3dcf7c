"""What spoils the reading of a stack, in the models: answers that cover others, late ones, high stacks, side lobes,
persistent quiet. The reader is driven by hand, as in test_models_readers."""

import pytest

from pit.emu import air
from pit.emu.hostcpu import HostBoard
from pit.emu.hosttable import HostTable, pins_of
from pit.emu.modelerror import NotModelled
from pit.emu.tagfield import Disturbance, Field, Tag

RESET_TO_READY = bytes((0x02, 0x26))
ONE_SLOT = bytes((0x26, 1, 0))


def uid(low):
    return (0xE00401 << 40 | low).to_bytes(8, "little")


class Asked:
    """A Field that is asked at the instants that the standard allows."""

    def __init__(self, *tags, **chances):
        self.field, self.now_ns = Field(), 10_000_000
        self.field.disturbance = Disturbance(1, **chances)
        for tag in tags:
            self.field.place(tag, 0)
        self.on()

    def on(self):
        self.field.switch_on(self.now_ns)
        self.now_ns += 2_000_000

    def off(self, dark_ns=0):
        self.field.switch_off(self.now_ns)
        self.now_ns += dark_ns

    def ask(self, data, wait_ns=5_500_000):
        start_ns = self.field.earliest_ns(self.now_ns)
        end_ns = start_ns + air.request_ns(len(data))
        heard = self.field.request(data, start_ns, end_ns)
        self.now_ns = end_ns + wait_ns
        return heard


def test_a_strong_answer_covers_a_weak_one():
    heard = Asked(Tag(uid(1), strength=3.0), Tag(uid(2), strength=1.0)).ask(ONE_SLOT)
    assert (heard.data[2:], heard.collision, heard.noise) == (uid(1), None, False)
    heard = Asked(Tag(uid(1), strength=2.0), Tag(uid(2), strength=1.0)).ask(ONE_SLOT)
    assert heard.collision == 16


def test_by_chance_the_stronger_one_covers_the_other():
    asked = Asked(Tag(uid(1)), Tag(uid(2)), capture=0.5)
    assert {asked.ask(ONE_SLOT).collision for _ in range(30)} == {None, 16}


def test_a_tag_that_was_covered_answers_once_the_other_is_quiet():
    asked = Asked(Tag(uid(1), strength=9.0), Tag(uid(2)))
    asked.ask(bytes((0x22, 2)) + uid(1))
    assert asked.ask(ONE_SLOT).data[2:] == uid(2)


@pytest.mark.parametrize(("wait_us", "heard_later"), [(480, False), (5500, True)])
def test_a_late_answer_is_heard_by_who_waits_and_noise_to_who_does_not(wait_us, heard_later):
    asked = Asked(Tag(uid(1), late_ns=200_000))
    first = asked.ask(bytes((0x06, 1, 0)), wait_us * 1000)
    assert first is None  # slot 1 is its own
    heard = asked.field.next_slot(asked.field.earliest_ns(asked.now_ns) + air.EOF_NS)
    assert heard.late and heard.start_ns - asked.now_ns >= air.T1_NS + 200_000
    asked.now_ns += air.EOF_NS + wait_us * 1000
    following = asked.field.next_slot(asked.field.earliest_ns(asked.now_ns) + air.EOF_NS)
    assert (following is None) == heard_later
    if not heard_later:
        assert following.noise and not following.tags


def test_answers_shifted_against_one_another_are_noise():
    heard = Asked(Tag(uid(1)), Tag(uid(2), late_ns=100_000)).ask(ONE_SLOT)
    assert heard.noise and heard.collision is None


def test_a_high_stack_starves_the_tags_on_top():
    asked = Asked(*(Tag(uid(n)) for n in range(3)))
    asked.field.most = 2
    assert len(asked.ask(ONE_SLOT).tags) == 2
    asked.field.remove(asked.field.tags[0], asked.now_ns)
    assert {tag.uid for tag in asked.ask(ONE_SLOT).tags} == {uid(1), uid(2)}


def test_side_lobes_reach_the_next_field_by_chance():
    asked, next_door = Asked(miss=0.0), Field()
    next_door.place(Tag(uid(7)), 0)
    asked.field.near = [(next_door, 0.5)]
    heard = [asked.ask(ONE_SLOT) for _ in range(30)]
    assert {None if one is None else one.data[2:] for one in heard} == {None, uid(7)}


def test_persistent_quiet_outlasts_the_field_and_ends_by_reset_to_ready_or_by_time():
    asked = Asked(Tag(uid(1), persistent=True))
    asked.off(1_000_000_000)
    asked.on()
    assert asked.ask(ONE_SLOT) is None
    assert asked.ask(RESET_TO_READY).data == bytes(1)
    assert asked.ask(ONE_SLOT).data[2:] == uid(1)
    asked = Asked(Tag(uid(1), persistent=True))
    asked.off(2_100_000_000)
    asked.on()
    assert asked.ask(ONE_SLOT).data[2:] == uid(1)


def test_reset_to_ready_ends_plain_quiet():
    asked = Asked(Tag(uid(1)))
    asked.ask(bytes((0x22, 2)) + uid(1))
    assert asked.ask(ONE_SLOT) is None
    asked.ask(RESET_TO_READY)
    assert asked.ask(ONE_SLOT) is not None


# ---- the processor that is Python ----


def test_the_processor_knows_only_what_the_drivers_use():
    table = HostTable(pins_of())
    for code, why in (("import rp2", "import of rp2"), ("ptr32(0x40054000)[0]", "TIMER word 0"),
                      ("ptr32(0x4003C000)[2]", "empty SPI FIFO"), ("ptr32(0xD0000000)[2]", "SIO word 2"),
                      ("data(2, 0xBF30)", "instruction")):
        with pytest.raises(NotModelled, match=why):
            table.run(code)


def test_viper_counts_in_32_bits():
    table = HostTable(pins_of())
    table.run("import micropython\n"
              "@micropython.viper\ndef f(a: int, b: int) -> int:\n    a += b\n    return a - b * 2\n"
              "@micropython.viper\ndef g(m: ptr32) -> int:\n    b = ptr8(int(m) + 4)\n    b[1] = 2\n"
              "    return int(m[1]) << 23\n")
    table.run("import array")
    assert table.value("f(0x7fffffff, 1)") == 0x7FFFFFFE
    assert table.value("f(-0x80000000, -1)") == -0x7FFFFFFF
    assert table.value("g(array.array('i', [0, 0]))") == 0
    assert table.value("g(array.array('i', [0, 1]))") == 0x00800000


def test_time_passes_at_the_pins():
    board = HostBoard()
    seen = []
    board.after_us(3, lambda: seen.append(board.now_ns))
    board.spend(2_000)
    board.to_next(5_000)
    assert seen == [3_000] and board.now_ns == 3_000

