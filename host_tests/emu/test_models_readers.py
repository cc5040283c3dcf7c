"""The reader models on a board without a processor: what a driver sees, and everything that a model refuses."""

import random

import pytest

from boards import fc7
from pit.emu import air
from pit.emu import pn5180_map as pn5180
from pit.emu.fakeboard import FakeBoard
from pit.emu.modelerror import AirViolation, BusViolation, NotModelled, StateViolation
from pit.emu.pn5180 import Pn5180
from pit.emu.readerbus import ReaderBus
from pit.emu.tagfield import Disturbance, Field, Tag

EOF_ONLY = 0xFFFFFB3F  # TX_CONFIG without start symbol and data (hardware notes 1.5)


def uid(low, family=0xE00401):
    """UID whose low 40 bits are `low`, as the air carries it."""
    return (family << 40 | low).to_bytes(8, "little")


def random_uids(count, seed):
    """As many random UIDs of one maker."""
    rnd = random.Random(seed)
    return [uid(rnd.getrandbits(40)) for _ in range(count)]


class Host:
    """What a driver does to the bus, one frame at a time, always as slowly as the rules ask."""

    def __init__(self, antennas=(0, 1, 2, 3, 4, 6, 9, 12, 15, 31)):
        self.board = FakeBoard()
        self.fields = {n: Field() for n in antennas}
        readers = {n: Pn5180(n, field, self._on_field) for n, field in self.fields.items()}
        self.bus = ReaderBus(readers, fc7)
        self.bus.attach(self.board)
        for gp in range(fc7.SELECT, fc7.SELECT + 5):
            self.board.set(gp, False)
        self.board.set(fc7.STROBE, True)
        self.board.run_us(3000)

    def _on_field(self, number, on, ns):
        self.bus.on_field(number, on, ns)

    def place(self, antenna, uids):
        for each in uids:
            self.fields[antenna].place(Tag(each), self.board.now_ns)

    def select(self, number):
        for bit in range(5):
            self.board.set(fc7.SELECT + bit, number >> bit & 1)
        self.board.run_us(0.2)

    def wait(self):
        for _ in range(1000):
            if not self.board.pin(fc7.BUSY):
                return
            self.board.run_us(5)
        raise TimeoutError("BUSY")

    def frame(self, data):
        self.wait()
        self.board.set(fc7.STROBE, False)
        answer = self.board.clock(data)
        self.board.set(fc7.STROBE, True)
        self.board.run_us(0.2)
        return answer

    def get(self, command, size):
        self.frame(command)
        return self.frame(b"\xff" * size)

    def write(self, register, value, action=pn5180.WRITE_REGISTER):
        self.frame(bytes((action, register)) + value.to_bytes(4, "little"))

    def read(self, register):
        return int.from_bytes(self.get(bytes((pn5180.READ_REGISTER, register)), 4), "little")

    def setup(self, number):
        self.select(number)
        self.frame(bytes((pn5180.LOAD_RF_CONFIG, 0x0D, 0x8D)))
        self.tx_config = self.read(pn5180.TX_CONFIG)
        self.write(pn5180.CRC_TX, 1, pn5180.WRITE_OR)
        self.write(pn5180.CRC_RX, 1, pn5180.WRITE_OR)

    def field_on(self):
        self.frame(bytes((pn5180.RF_ON, 0)))
        self.board.run_us(1200)

    def ready(self, number=0):
        self.setup(number)
        self.field_on()

    def transceive(self):
        self.write(pn5180.SYSTEM_CONFIG, 0xFFFFFFF8, pn5180.WRITE_AND)
        self.write(pn5180.SYSTEM_CONFIG, 3, pn5180.WRITE_OR)
        self.write(pn5180.IRQ_CLEAR, 0xFFFFF)

    def send(self, request):
        self.transceive()
        self.frame(bytes((pn5180.SEND_DATA, 0)) + bytes(request))

    def answer(self, limit_us=6000):
        """What the answer window holds: None, or (RX_STATUS, data)."""
        while True:
            irq = self.read(pn5180.IRQ_STATUS)
            if irq & pn5180.RX_IRQ:
                status = self.read(pn5180.RX_STATUS)
                return status, self.get(bytes((pn5180.READ_DATA, 0)), status & 0x1FF)
            if irq & pn5180.TX_IRQ and not irq & pn5180.SOF_IRQ:
                self.board.run_us(500)
                if not self.read(pn5180.IRQ_STATUS) & pn5180.SOF_IRQ:
                    return None
            self.board.run_us(50)

    def ask(self, request):
        self.send(request)
        return self.answer()

    def slots(self, mask=b"", bits=0, afi=None):
        """One 16-slot round: a list of 16 answers."""
        head = bytes((0x06, 1)) if afi is None else bytes((0x16, 1, afi))
        found = [self.ask(head + bytes((bits,)) + mask)]
        self.write(pn5180.TX_CONFIG, EOF_ONLY, pn5180.WRITE_AND)
        for _ in range(15):
            self.transceive()
            self.frame(bytes((pn5180.SEND_DATA, 0)))
            found.append(self.answer())
        self.write(pn5180.TX_CONFIG, self.tx_config)
        return found

    def inventory(self):
        """Every tag, by splitting collided slots; the order of the air."""
        found, rounds = [], [(0, 0)]
        while rounds:
            mask, bits = rounds.pop()
            for slot, answer in enumerate(self.slots(mask.to_bytes((bits + 7) // 8, "little"), bits)):
                if answer is None:
                    continue
                if answer[0] >> 16 & 7:
                    rounds.append((mask | slot << bits, bits + 4))
                else:
                    found.append(answer[1][2:])
        return found


@pytest.fixture
def host():
    return Host()


ONE_SLOT = bytes((0x26, 1, 0))


# ---- start-up, registers, EEPROM ----


def test_ready_after_start_up_with_idle_irq():
    host = Host()
    assert host.read(pn5180.IRQ_STATUS) == pn5180.IDLE_IRQ


def test_reset_line_keeps_busy_until_the_chip_has_started(host):
    host.board.set(fc7.READER_RESET, False)
    host.board.run_us(50)
    assert host.board.pin(fc7.BUSY)
    host.board.set(fc7.READER_RESET, True)
    host.board.run_us(2300)
    assert host.board.pin(fc7.BUSY)
    host.board.run_us(200)
    assert not host.board.pin(fc7.BUSY)
    assert host.read(pn5180.IRQ_STATUS) == pn5180.IDLE_IRQ


def test_reset_forgets_the_configuration_and_the_field(host):
    host.ready()
    host.board.set(fc7.READER_RESET, False)
    host.board.run_us(20)
    host.board.set(fc7.READER_RESET, True)
    assert host.fields[0].on_ns is None and not host.bus.radiating
    host.wait()
    with pytest.raises(StateViolation, match="before LOAD_RF_CONFIG"):
        host.frame(bytes((pn5180.RF_ON, 0)))


def test_soft_reset(host):
    host.ready()
    host.write(pn5180.SYSTEM_CONFIG, 0x100)
    assert host.fields[0].on_ns is None
    assert host.read(pn5180.IRQ_STATUS) == pn5180.IDLE_IRQ


def test_versions_in_eeprom(host):
    assert host.get(bytes((pn5180.READ_EEPROM, 0x10, 6)), 6) == bytes((5, 3, 5, 3, 5, 3))


def test_register_and_or_set(host):
    host.write(pn5180.RX_WAIT, 0x0F0)
    host.write(pn5180.RX_WAIT, 0x00F, pn5180.WRITE_OR)
    host.write(pn5180.RX_WAIT, 0xF3C, pn5180.WRITE_AND)
    assert host.read(pn5180.RX_WAIT) == 0x03C


def test_multiple_frames_and_their_limits(host):
    write = bytes((pn5180.RX_WAIT, 1, 1, 2, 3, 4))
    host.frame(bytes((pn5180.WRITE_MULTIPLE,)) + write * 42)
    assert host.get(bytes((pn5180.READ_MULTIPLE,)) + bytes((pn5180.RX_WAIT,)) * 18, 72) == bytes((1, 2, 3, 4)) * 18
    assert not host.read(pn5180.IRQ_STATUS) & pn5180.GENERAL_ERROR_IRQ
    host.frame(bytes((pn5180.WRITE_MULTIPLE,)) + write * 43)
    assert host.read(pn5180.IRQ_STATUS) & pn5180.GENERAL_ERROR_IRQ
    host.write(pn5180.IRQ_CLEAR, pn5180.GENERAL_ERROR_IRQ)
    host.frame(bytes((pn5180.READ_MULTIPLE,)) + bytes((pn5180.RX_WAIT,)) * 19)
    assert host.read(pn5180.IRQ_STATUS) & pn5180.GENERAL_ERROR_IRQ
    assert len(host.bus.readers[0].general_errors) == 2


@pytest.mark.parametrize(
    "frame",
    [
        bytes((pn5180.READ_EEPROM, 250, 6)),
        bytes((pn5180.LOAD_RF_CONFIG, 0x0D, 0x0D)),
        bytes((pn5180.READ_DATA, 1)),
        bytes((pn5180.SEND_DATA, 0)) + bytes(261),
        bytes((pn5180.WRITE_MULTIPLE, pn5180.RX_WAIT, 4, 0, 0, 0, 0)),
    ],
)
def test_bad_parameter_is_a_general_error_without_a_reply(host, frame):
    host.frame(frame)
    assert host.read(pn5180.IRQ_STATUS) & pn5180.GENERAL_ERROR_IRQ


@pytest.mark.parametrize(
    "frame",
    [
        bytes((0x06, 0x1A, 0)),  # WRITE_EEPROM
        bytes((0x0B, 1)),  # SWITCH_MODE
        bytes((0x42,)),
        bytes((pn5180.READ_REGISTER, 0x30)),
        bytes((pn5180.WRITE_REGISTER, 0x0C, 0, 0, 0, 0)),  # TIMER1_RELOAD
        bytes((pn5180.WRITE_REGISTER, pn5180.IRQ_STATUS, 0, 0, 0, 0)),
        bytes((pn5180.WRITE_REGISTER, pn5180.SYSTEM_CONFIG, 5, 0, 0, 0)),
        bytes((pn5180.WRITE_REGISTER, pn5180.SYSTEM_CONFIG, 11, 0, 0, 0)),  # START_SEND
        bytes((pn5180.WRITE_REGISTER, pn5180.RX_WAIT, 0)),  # too short
        bytes((pn5180.READ_EEPROM, 0x40, 1)),
        bytes((pn5180.LOAD_RF_CONFIG, 0x00, 0x80)),  # ISO 14443A
        bytes((pn5180.SEND_DATA, 7, 0x26, 1, 0)),  # seven bits of the last byte
    ],
)
def test_unknown_things_raise(host, frame):
    with pytest.raises(NotModelled):
        host.frame(frame)


# ---- bus rules ----


def test_get_needs_the_second_frame(host):
    host.frame(bytes((pn5180.READ_REGISTER, pn5180.IRQ_STATUS)))
    with pytest.raises(BusViolation, match="reply waits"):
        host.frame(bytes((pn5180.READ_REGISTER, pn5180.IRQ_STATUS)))


def test_reading_past_a_reply(host):
    with pytest.raises(StateViolation, match="5 bytes read of a reply of 4"):
        host.get(bytes((pn5180.READ_REGISTER, pn5180.IRQ_STATUS)), 5)


def test_strobe_while_busy(host):
    host.frame(bytes((pn5180.WRITE_REGISTER, pn5180.RX_WAIT, 0, 0, 0, 0)))
    assert host.board.pin(fc7.BUSY)
    with pytest.raises(BusViolation, match="BUSY"):
        host.board.set(fc7.STROBE, False)


def test_busy_rises_with_the_first_byte_and_falls_after_the_strobe(host):
    host.board.set(fc7.STROBE, False)
    assert not host.board.pin(fc7.BUSY)
    host.board.clock(bytes((pn5180.READ_REGISTER,)))
    assert host.board.pin(fc7.BUSY)
    host.board.clock(bytes((pn5180.IRQ_STATUS,)))
    host.board.run_us(100)
    assert host.board.pin(fc7.BUSY)  # ISSUES 1: falls only after NSS is high
    host.board.set(fc7.STROBE, True)
    host.board.run_us(14)
    assert host.board.pin(fc7.BUSY)
    host.board.run_us(2)
    assert not host.board.pin(fc7.BUSY)


def test_select_lines_move_only_with_the_strobe_high(host):
    host.board.set(fc7.STROBE, False)
    with pytest.raises(BusViolation, match="A2 moved while the strobe was low"):
        host.board.set(fc7.SELECT + 2, True)


def test_select_lines_settle_before_and_after_the_strobe(host):
    host.board.set(fc7.SELECT, True)
    host.board.run_us(0.05)
    with pytest.raises(BusViolation, match="50 ns after the select lines moved"):
        host.board.set(fc7.STROBE, False)
    host = Host()
    host.board.set(fc7.STROBE, False)
    host.board.clock(bytes((pn5180.READ_REGISTER, pn5180.IRQ_STATUS)))
    host.board.set(fc7.STROBE, True)
    host.board.run_us(0.05)
    with pytest.raises(BusViolation, match="50 ns after the strobe rose"):
        host.board.set(fc7.SELECT, True)


def test_byte_without_a_selected_reader(host):
    with pytest.raises(BusViolation, match="no reader was selected"):
        host.board.clock(b"\x04")


def test_strobe_without_a_byte(host):
    host.board.set(fc7.STROBE, False)
    with pytest.raises(BusViolation, match="without a byte"):
        host.board.set(fc7.STROBE, True)


def test_strobe_raised_inside_a_byte(host):
    host.board.set(fc7.STROBE, False)
    host.board.spi(0).device.exchange(0x04)
    host.board.spi(0).shifting = True
    with pytest.raises(BusViolation, match="middle of a byte"):
        host.board.set(fc7.STROBE, True)


@pytest.mark.parametrize("setting", [{"spi_mode": 1}, {"clock_frequency": 8_000_000}])
def test_spi_mode_and_speed(host, setting):
    vars(host.board.spi(0)).update(setting)
    with pytest.raises(BusViolation, match="mode 0"):
        host.board.set(fc7.STROBE, False)


def test_reset_pulse_too_short(host):
    host.board.set(fc7.READER_RESET, False)
    host.board.run_us(5)
    with pytest.raises(BusViolation, match="reset pulse"):
        host.board.set(fc7.READER_RESET, True)


def test_busy_of_a_number_without_reader_is_high(host):
    host.select(5)
    assert host.board.pin(fc7.BUSY)
    host.select(4)
    assert not host.board.pin(fc7.BUSY)


def test_busy_follows_the_select_lines_through_two_busy_readers(host):
    host.frame(bytes((pn5180.LOAD_RF_CONFIG, 0x0D, 0x8D)))  # reader 0 thinks for 300 us
    assert host.board.pin(fc7.BUSY)
    host.select(1)
    assert not host.board.pin(fc7.BUSY)
    host.write(pn5180.RX_WAIT, 1)
    assert host.board.pin(fc7.BUSY)
    host.board.run_us(20)
    assert not host.board.pin(fc7.BUSY)
    host.select(0)
    assert host.board.pin(fc7.BUSY)
    host.board.run_us(300)
    assert not host.board.pin(fc7.BUSY)


# ---- states ----


def test_send_outside_wait_transmit(host):
    host.ready()
    with pytest.raises(StateViolation, match="transceive state 0"):
        host.frame(bytes((pn5180.SEND_DATA, 0)) + ONE_SLOT)


def test_no_second_send_before_idle(host):
    host.ready()
    assert host.ask(ONE_SLOT) is None
    assert host.read(pn5180.RF_STATUS) >> 24 == pn5180.WAIT_DATA
    with pytest.raises(StateViolation, match="transceive state 4"):  # ISSUES 9
        host.frame(bytes((pn5180.SEND_DATA, 0)) + ONE_SLOT)


def test_transceive_states_follow_the_air(host):
    host.place(0, [uid(1)])
    host.board.run_us(10)
    host.ready()
    host.transceive()
    assert host.read(pn5180.RF_STATUS) >> 24 == pn5180.WAIT_TRANSMIT
    host.frame(bytes((pn5180.SEND_DATA, 0)) + ONE_SLOT)
    assert host.read(pn5180.RF_STATUS) >> 24 == pn5180.TRANSMITTING
    host.board.run_us(1700)
    assert host.read(pn5180.RF_STATUS) >> 24 == pn5180.WAIT_DATA
    host.board.run_us(300)
    assert host.read(pn5180.RF_STATUS) >> 24 == pn5180.RECEIVING
    host.board.run_us(4000)
    assert host.read(pn5180.RF_STATUS) >> 24 == pn5180.WAIT_TRANSMIT


def test_load_rf_config_in_active_transceive(host):
    host.ready()
    host.transceive()
    with pytest.raises(StateViolation, match="active transceive"):
        host.frame(bytes((pn5180.LOAD_RF_CONFIG, 0x0D, 0x8D)))


def test_idle_during_a_transmission(host):
    host.ready()
    host.send(ONE_SLOT)
    with pytest.raises(StateViolation, match="middle of a transmission"):
        host.write(pn5180.SYSTEM_CONFIG, 0)


def test_send_without_field_or_without_crc(host):
    host.setup(0)
    with pytest.raises(StateViolation, match="without a field"):
        host.send(ONE_SLOT)
    host = Host()
    host.ready()
    host.write(pn5180.CRC_TX, 0)
    with pytest.raises(StateViolation, match="without CRC"):
        host.send(ONE_SLOT)


def test_request_with_eof_only_setting_and_eof_with_the_full_one(host):
    host.ready()
    with pytest.raises(StateViolation, match="0 bytes with TX_CONFIG"):
        host.send(b"")
    host = Host()
    host.ready()
    host.write(pn5180.TX_CONFIG, EOF_ONLY, pn5180.WRITE_AND)
    with pytest.raises(StateViolation, match="3 bytes with TX_CONFIG"):
        host.send(ONE_SLOT)


def test_read_data_with_nothing_received(host):
    host.ready()
    with pytest.raises(StateViolation, match="nothing received"):
        host.frame(bytes((pn5180.READ_DATA, 0)))


def test_interrupt_bits_at_their_instants(host):
    host.place(0, [uid(7)])
    host.board.run_us(10)
    host.ready()
    host.transceive()
    host.frame(bytes((pn5180.SEND_DATA, 0)) + ONE_SLOT)
    sent_us = host.board.now_us - 0.2
    expected = ((1620, 0), (320.9 + 151, pn5180.TX_IRQ), (3930 - 151, pn5180.SOF_IRQ), (100, pn5180.RX_IRQ))
    due_us, bits = sent_us, 0
    for span_us, bit in expected:
        due_us += span_us
        bits |= bit
        host.board.run_us(due_us - host.board.now_us - 60)  # the read costs less than 60 us
        assert host.read(pn5180.IRQ_STATUS) & ~pn5180.SUBCARRIER_IRQ == bits
        assert host.board.now_us < due_us


# ---- tags ----


def test_one_tag_by_one_slot(host):
    host.place(0, [uid(0x123456789A)])
    host.ready()
    assert host.ask(ONE_SLOT) == (10, bytes(2) + uid(0x123456789A))


def test_crc_stays_in_the_data_when_crc_rx_is_off(host):
    host.place(0, [uid(1)])
    host.ready()
    host.write(pn5180.CRC_RX, 0)
    status, data = host.ask(ONE_SLOT)
    assert status == 12 and len(data) == 12


def test_collision_position_is_the_first_bit_that_differs(host):
    host.place(0, [uid(0b0100), uid(0b1100)])
    host.ready()
    status, _ = host.ask(ONE_SLOT)
    assert status & pn5180.RX_COLLISION
    assert status >> 19 & 0x7F == 16 + 3  # flags and DSFID come first


def test_clones_answer_as_one(host):
    host.place(0, [uid(9), uid(9)])
    host.ready()
    assert host.ask(ONE_SLOT) == (10, bytes(2) + uid(9))


def test_slots_and_masks(host):
    host.place(0, [uid(0x00), uid(0x10), uid(0x25), uid(0xF5)])
    host.ready()
    found = host.slots()
    assert [at for at, answer in enumerate(found) if answer] == [0, 5]
    assert all(found[at][0] & pn5180.RX_COLLISION for at in (0, 5))
    assert [at for at, answer in enumerate(host.slots(b"\x00", 4)) if answer] == [0, 1]
    assert [at for at, answer in enumerate(host.slots(b"\x05", 4)) if answer] == [2, 15]
    assert not any(host.slots(b"\x05", 8))


@pytest.mark.parametrize("count, seed", [(3, 1), (20, 2), (40, 3)])
def test_random_stacks_are_read_whole(host, count, seed):
    uids = random_uids(count, seed)
    host.place(0, uids)
    host.ready()
    assert sorted(host.inventory()) == sorted(uids)


def test_uids_that_differ_only_in_the_last_nibble(host):
    uids = [(0xE << 60 | 5).to_bytes(8, "little"), (0x7 << 60 | 5).to_bytes(8, "little")]
    host.place(0, uids)
    host.ready()
    assert sorted(host.inventory()) == sorted(uids)  # sixteen levels: masks of 60 bits


def test_a_tag_needs_a_millisecond_of_field(host):
    host.place(0, [uid(1)])
    host.setup(0)
    host.frame(bytes((pn5180.RF_ON, 0)))
    assert host.ask(ONE_SLOT) is None
    assert host.ask(ONE_SLOT) is not None


def test_a_tag_that_arrives_in_mid_round_waits_for_the_next(host):
    host.ready()
    host.send(bytes((0x06, 1, 0)))
    host.place(0, [uid(1)])
    assert host.answer() is None
    host.board.run_us(2000)
    host.write(pn5180.TX_CONFIG, EOF_ONLY, pn5180.WRITE_AND)
    host.send(b"")
    assert host.answer() is None
    host.write(pn5180.TX_CONFIG, host.tx_config)
    assert host.ask(ONE_SLOT) is not None


def test_a_tag_taken_away_while_it_answers_is_noise(host):
    host.place(0, [uid(1)])
    host.ready()
    host.send(ONE_SLOT)
    host.board.run_us(3000)
    host.fields[0].remove(host.fields[0].tags[0], host.board.now_ns)
    status, _ = host.answer()
    assert status & pn5180.RX_CRC_ERROR and not status & pn5180.RX_COLLISION


def test_a_tag_taken_away_in_mid_round_is_silent_in_its_slot(host):
    host.place(0, [uid(1)])
    host.ready()
    host.send(bytes((0x06, 1, 0)))
    assert host.answer() is None
    host.fields[0].remove(host.fields[0].tags[0], host.board.now_ns)
    host.write(pn5180.TX_CONFIG, EOF_ONLY, pn5180.WRITE_AND)
    host.send(b"")
    assert host.answer() is None


@pytest.mark.parametrize("leave", ["idle", "dark"])
def test_an_answer_left_in_the_middle_is_lost(host, leave):
    host.place(0, [uid(1)])
    host.ready()
    host.send(ONE_SLOT)
    host.board.run_us(3000)
    if leave == "dark":
        host.frame(bytes((pn5180.RF_OFF, 0)))
    host.write(pn5180.SYSTEM_CONFIG, 0)
    host.board.run_us(5000)
    assert not host.read(pn5180.IRQ_STATUS) & pn5180.RX_IRQ
    assert host.read(pn5180.RX_STATUS) == 0


def test_afi(host):
    host.fields[0].place(Tag(uid(1), afi=0x31), 0)
    host.fields[0].place(Tag(uid(2), afi=0x32), 0)
    host.ready()
    assert host.ask(bytes((0x36, 1, 0x31, 0)))[1][2:] == uid(1)
    assert host.ask(bytes((0x36, 1, 0x00, 0)))[0] & pn5180.RX_COLLISION
    assert [at for at, answer in enumerate(host.slots(afi=0x32)) if answer] == [2]


def test_stay_quiet_until_the_field_goes(host):
    host.place(0, [uid(1), uid(2)])
    host.ready()
    host.send(bytes((0x22, 2)) + uid(1))
    host.board.run_us(5000)
    assert host.ask(ONE_SLOT)[1][2:] == uid(2)
    host.write(pn5180.SYSTEM_CONFIG, 0)
    host.frame(bytes((pn5180.RF_OFF, 0)))
    host.field_on()
    assert host.ask(ONE_SLOT)[0] & pn5180.RX_COLLISION


def test_read_blocks(host):
    tag = Tag(uid(1))
    tag.memory[8:12] = b"chip"
    host.fields[0].place(tag, 0)
    host.place(0, [uid(2)])
    host.ready()
    assert host.ask(bytes((0x22, 0x20)) + uid(1) + bytes((2,))) == (5, b"\0chip")
    assert host.ask(bytes((0x22, 0x23)) + uid(1) + bytes((1, 1))) == (9, bytes(5) + b"chip")
    assert host.ask(bytes((0x22, 0x20)) + uid(1) + bytes((28,))) == (2, b"\x01\x10")
    assert host.ask(bytes((0x22, 0x20)) + uid(3) + bytes((2,))) is None


@pytest.mark.parametrize(
    "request_bytes",
    [
        bytes((0x24, 1, 0)),  # low data rate
        bytes((0x27, 1, 0)),  # two subcarriers
        bytes((0x26, 2, 0)),  # not an inventory
        bytes((0x06, 1, 4)),  # a mask without its byte
        bytes((0x06, 1, 4, 0x10)),  # a mask with bits beyond its length
        bytes((0x06, 1, 64)) + bytes(8),  # no bits left for the slots
        bytes((0x22, 0x21)) + bytes(9),  # WRITE SINGLE BLOCK
        bytes((0x62, 0x20)) + bytes(9),  # option flag
    ],
)
def test_requests_that_are_not_modelled(host, request_bytes):
    host.ready()
    with pytest.raises(NotModelled):
        host.send(request_bytes)


# ---- the air ----


def test_slot_closed_before_an_answer_could_begin(host):
    host.ready()
    host.send(bytes((0x06, 1, 0)))
    host.board.run_us(1700)
    host.write(pn5180.TX_CONFIG, EOF_ONLY, pn5180.WRITE_AND)
    with pytest.raises(AirViolation, match="t3"):
        host.send(b"")


def test_sending_into_an_answer(host):
    host.place(0, [uid(1)])
    host.ready()
    host.send(ONE_SLOT)
    host.board.run_us(4000)
    with pytest.raises(AirViolation, match="still answering"):
        host.send(ONE_SLOT)


def test_sixteen_slots_and_no_more(host):
    host.ready()
    host.slots()
    host.write(pn5180.TX_CONFIG, EOF_ONLY, pn5180.WRITE_AND)
    with pytest.raises(AirViolation, match="after its last slot"):
        host.send(b"")


def test_the_reader_keeps_t2_by_itself(host):
    host.place(0, [uid(0)])
    host.ready()
    host.send(bytes((0x06, 1, 0)))
    answered_ns = host.bus.readers[0].radio.heard.end_ns
    assert host.answer()
    host.write(pn5180.TX_CONFIG, EOF_ONLY, pn5180.WRITE_AND)
    host.send(b"")
    assert host.bus.readers[0].radio.tx_end_ns == answered_ns + air.T2_NS + air.EOF_NS


def test_neighbours_and_too_many_fields_are_recorded(host):
    for number in (0, 3, 6, 9):
        host.ready(number)
    assert host.bus.violations == []
    host.ready(12)
    assert [text for _, text in host.bus.violations] == ["5 fields at once: [0, 3, 6, 9, 12]"]
    host.ready(4)
    assert host.bus.violations[1][1] == "antenna 4 radiates beside [3, 6]"
    assert host.bus.max_radiating == 6


def test_empty_probe_time():
    host = Host()
    host.setup(0)
    start_us = host.board.now_us
    host.field_on()
    host.send(ONE_SLOT)
    while not host.read(pn5180.IRQ_STATUS) & pn5180.TX_IRQ:
        host.board.run_us(20)
    host.board.run_us(480)
    host.frame(bytes((pn5180.RF_OFF, 0)))
    assert 3400 < host.board.now_us - start_us < 3900


def test_air_times_of_whole_inventories():
    assert air.inventory_us([]) == pytest.approx(9740, abs=10)
    for count, expected_ms in ((1, 14), (5, 39), (10, 81), (20, 181), (40, 379)):
        mean_ms = sum(air.inventory_us(random_uids(count, seed)) for seed in range(200)) / 200_000
        assert mean_ms == pytest.approx(expected_ms, rel=0.06)
    assert air.air_limit_us([]) == pytest.approx(3092, abs=1)
    assert air.air_limit_us([uid(1)]) == pytest.approx(7180, abs=1)
    assert air.air_limit_us([uid(1), uid(2)]) == 1000 + air.inventory_us([uid(1), uid(2)])


# ---- disturbances and faults ----


def test_misses_and_noise_repeat_with_their_seed():
    def run():
        host = Host()
        host.fields[0].disturbance = Disturbance(5, miss=0.3, noise=0.2)
        host.place(0, random_uids(6, 1))
        host.ready()
        return [(answer[0] if answer else None) for _ in range(3) for answer in host.slots()]

    first = run()
    assert first == run()
    assert any(status and status & pn5180.RX_CRC_ERROR and not status & pn5180.RX_COLLISION for status in first)
    assert any(status == 10 for status in first)


def test_silent_reader(host):
    host.bus.fault(0, "silent")
    assert host.read(pn5180.IRQ_STATUS) == 0xFFFFFFFF
    host.bus.fault(0, "ok")
    assert host.read(pn5180.IRQ_STATUS) == pn5180.IDLE_IRQ


def test_stuck_reader_and_its_healthy_neighbour(host):
    host.bus.fault(0, "stuck")
    host.board.run_us(100_000)
    assert host.board.pin(fc7.BUSY)
    host.select(1)
    assert not host.board.pin(fc7.BUSY)
    host.select(0)
    with pytest.raises(BusViolation, match="BUSY of reader 0"):
        host.board.set(fc7.STROBE, False)


def test_noisy_reader_hears_noise_in_every_slot(host):
    host.bus.fault(0, "noisy")
    host.ready()
    found = host.slots()
    assert all(answer[0] & pn5180.RX_CRC_ERROR and not answer[0] & pn5180.RX_COLLISION for answer in found)
    host.bus.fault(0, "ok")
    assert not any(host.slots())


def test_unknown_fault(host):
    with pytest.raises(ValueError, match="silent, stuck"):
        host.bus.fault(0, "tired")


def test_few_alarms(host):
    host.place(0, random_uids(5, 1))
    host.ready()
    alarms, frames = host.board.alarms, host.bus.frames
    host.slots()
    assert host.board.alarms - alarms <= host.bus.frames - frames


def test_reader_that_resets_itself(host):
    host.ready()
    host.bus.fault(0, "reset")
    assert host.fields[0].on_ns is None
    host.wait()
    assert not host.read(pn5180.CRC_TX) & 1  # how a driver notices


@pytest.mark.parametrize("kind", ["stuck", "silent", "reset"])
def test_fault_between_looking_at_busy_and_the_strobe_is_forgiven(host, kind):
    host.wait()
    host.bus.fault(0, kind)
    host.board.set(fc7.STROBE, False)
    assert host.board.clock(bytes((pn5180.READ_REGISTER, pn5180.IRQ_STATUS))) == b"\xff\xff"
    host.board.set(fc7.STROBE, True)


def test_fault_inside_a_reply(host):
    host.frame(bytes((pn5180.READ_REGISTER, pn5180.IRQ_STATUS)))
    host.wait()
    host.board.set(fc7.STROBE, False)
    host.board.clock(b"\xff\xff")
    host.bus.fault(0, "reset")
    assert host.board.clock(b"\xff\xff") == b"\xff\xff"
    host.board.set(fc7.STROBE, True)
    host.wait()
    assert host.read(pn5180.IRQ_STATUS) == pn5180.IDLE_IRQ


def test_reset_line_under_the_strobe(host):
    host.board.set(fc7.STROBE, False)
    with pytest.raises(BusViolation, match="reset line"):
        host.board.set(fc7.READER_RESET, False)


def test_processor_reset_in_mid_frame_is_no_violation(host):
    host.select(3)
    host.board.set(fc7.STROBE, False)
    host.board.clock(bytes((pn5180.READ_REGISTER,)))
    host.board.resets += 1
    for gp in (fc7.SELECT, fc7.SELECT + 1, fc7.STROBE):
        host.board.set(gp, None)
    for gp in (fc7.SELECT, fc7.SELECT + 1):
        host.board.set(gp, False)
    host.board.set(fc7.STROBE, True)
    host.select(0)
    assert host.read(pn5180.IRQ_STATUS) == pn5180.IDLE_IRQ


def test_processor_reset_ends_a_reset_pulse(host):
    host.board.set(fc7.READER_RESET, False)
    host.board.run_us(2)
    host.board.resets += 1
    host.board.set(fc7.READER_RESET, None)
    host.board.run_us(2500)
    assert not host.board.pin(fc7.BUSY)
