"""The shoe and beam models on a board without a processor: what they say and show, and what they refuse."""

import pytest

from boards import fc7
from pit.emu.beams import A, B, Beams
from pit.emu.fakeboard import FakeBoard
from pit.emu.modelerror import ShoeProtocolError
from pit.emu.shoe import Shoe
from pit.sim import ots1


class Bench:
    """A shoe without heartbeat on a fake board; `hear()` gives what it has said since."""

    def __init__(self, heartbeat=False):
        self.board = FakeBoard()
        self.shoe = Shoe(heartbeat=heartbeat)
        self.shoe.attach(self.board)

    def hear(self):
        text = bytes(self.board.uart(0).received)
        self.board.uart(0).received.clear()
        return [line[1 : line.rfind(b"*")].decode() for line in text.split(b"\r\n") if line]

    def say(self, sequence, kind, *fields):
        self.board.type(ots1.line(sequence, kind, *fields))

    def acknowledge(self, *numbers):
        for number in numbers:
            self.say(number, "ACK")


@pytest.fixture
def bench():
    bench = Bench()
    bench.board.run_us(1)
    assert bench.hear() == ["00,HLO,1,EMU,OTS1,0001,00000000,6,EDG"]
    bench.acknowledge(0)
    return bench


def test_lines_carry_crc_16_ccitt_false():
    crc = 0xFFFF
    for byte in b"12,EDG,3,4567":
        crc ^= byte << 8
        for _ in range(8):
            crc = crc << 1 ^ (0x1021 if crc & 0x8000 else 0)
            crc &= 0xFFFF
    assert ots1.line(0x12, "EDG", 3, 4567) == b"@12,EDG,3,4567*%04X\r\n" % crc
    assert ots1.parse_table(ots1.line(0x1FF, "RPL", "0A")[:-2]) == (0xFF, "RPL", ["0A"])


def test_card_is_an_edge_at_once_and_its_code_120_ms_later(bench):
    bench.shoe.draw("TH")
    assert bench.hear() == ["01,EDG,1,0"]
    bench.acknowledge(1)
    bench.board.run_us(119_990)
    assert bench.hear() == []
    bench.board.run_us(20)
    assert bench.hear() == ["02,CRD,1,TH,99,U,120"]


def test_unknown_card(bench):
    bench.shoe.draw("??")
    bench.acknowledge(1)
    bench.board.run_us(121_000)
    assert bench.hear()[1] == "02,CRD,1,??,0,?,120"


def test_unacknowledged_line_is_sent_four_times_in_all(bench):
    bench.shoe.send("KEY", "GO")
    bench.board.run_us(149_000)
    assert bench.hear() == ["01,KEY,GO"] * 3
    bench.board.run_us(500_000)
    assert bench.hear() == ["01,KEY,GO"]
    assert bench.shoe.unacknowledged == [1]


def test_acknowledged_line_is_sent_once(bench):
    bench.shoe.send("KEY", "GO")
    bench.board.run_us(40_000)
    bench.acknowledge(1)
    bench.board.run_us(500_000)
    assert bench.hear() == ["01,KEY,GO"]
    assert bench.shoe.unacknowledged == []


def test_nak_is_answered_at_once(bench):
    bench.shoe.send("KEY", "GO")
    bench.say(1, "NAK")
    assert bench.hear() == ["01,KEY,GO"] * 2


def test_who_replay_inhibit_mode(bench):
    bench.shoe.send("KEY", "A")
    bench.shoe.send("KEY", "B")
    bench.acknowledge(1, 2)
    bench.hear()
    bench.say(7, "RPL", "01")
    assert bench.hear() == ["01,KEY,A", "02,KEY,B"]
    bench.say(8, "RPL", "40")  # not in the ring: nothing
    assert bench.hear() == []
    bench.say(9, "WHO")
    assert bench.hear()[0].startswith("03,HLO,")
    bench.say(10, "INH", 1)
    bench.say(11, "MOD", "TCP")
    assert bench.shoe.blocked and bench.shoe.game == "TCP"


def test_replay_ring_holds_32_lines(bench):
    for _ in range(40):
        bench.acknowledge(bench.shoe.send("KEY", "GO"))
    bench.hear()
    bench.say(0, "RPL", f"{40 - 32 + 1:02X}")
    assert len(bench.hear()) == 32
    bench.say(0, "RPL", "08")
    assert bench.hear() == []


def test_heartbeat_twice_a_second():
    bench = Bench(heartbeat=True)
    for _ in range(110):
        bench.board.run_us(10_000)
        bench.acknowledge(*list(bench.shoe._waiting))
    assert bench.hear()[1:] == ["01,HBT,0,0,0", "02,HBT,0,0,1"]


def test_sequence_wraps(bench):
    for _ in range(256):
        bench.acknowledge(bench.shoe.send("KEY", "GO"))
    assert bench.hear()[-2:] == ["FF,KEY,GO", "00,KEY,GO"]


@pytest.mark.parametrize(
    "text",
    [
        b"@00,ACK*0000\r\n",
        b"hello\r\n",
        b"@00,ACK\r\n",
        ots1.line(0, "EDG", 1, 2),
        ots1.line(0, "ACK", 1),
        ots1.line(0, "RPL", 300),
        ots1.line(0, "MOD", "WAR"),
        ots1.line(0, "WHO")[:-2] + b"\n",
        b"x" * 97,
    ],
)
def test_line_that_is_not_ots1_raises(bench, text):
    with pytest.raises(ShoeProtocolError):
        bench.board.type(text)


def test_silent(bench):
    bench.shoe.fault("silent")
    bench.shoe.draw("TH")
    bench.board.type(b"noise\r\n")
    bench.board.run_us(300_000)
    assert bench.hear() == []
    bench.shoe.fault("ok")
    bench.shoe.draw("9C")
    assert bench.hear() == ["03,EDG,2,300"]  # the numbers went on: the table sees the gap


@pytest.mark.parametrize("cut_short", ["silent", "reset"])
def test_line_cut_short_is_dropped(bench, cut_short):
    bench.shoe.send("KEY", "GO")
    bench.board.type(ots1.line(1, "ACK")[:5])
    if cut_short == "silent":
        bench.shoe.fault("silent")
        bench.board.type(b"x")
        bench.shoe.fault("ok")
    else:
        bench.board.resets += 1
    bench.acknowledge(1)
    bench.board.run_us(300_000)
    assert bench.shoe.unacknowledged == []


def test_gap(bench):
    bench.shoe.fault("gap")
    bench.shoe.send("KEY", "GO")
    assert bench.hear() == ["02,KEY,GO"]


@pytest.mark.parametrize("kind, line", [("misread", "MIS,1,NOCODE"), ("double", "DBL,1,95"), ("return", "RTN,1")])
def test_fault_of_the_next_card(bench, kind, line):
    bench.shoe.fault(kind)
    bench.shoe.draw("TH")
    bench.acknowledge(1)
    bench.board.run_us(130_000)
    assert bench.hear() == ["01,EDG,1,0", "02," + line]
    bench.acknowledge(2)
    bench.shoe.draw("TH")
    bench.acknowledge(3)
    bench.board.run_us(130_000)
    assert bench.hear()[1].startswith("04,CRD,2,TH")


@pytest.mark.parametrize("kind, name", [("jam", "JAM"), ("lid", "LID"), ("empty", "EMP")])
def test_states(bench, kind, name):
    bench.shoe.fault(kind)
    bench.shoe.fault("ok")
    bench.shoe.fault("ok")
    assert bench.hear() == [f"01,{name},1", f"02,{name},0"]


def test_reboot_begins_again(bench):
    bench.shoe.draw("TH")
    bench.shoe.fault("reboot")
    bench.board.run_us(290_000)
    assert bench.hear() == ["01,EDG,1,0"]
    bench.board.run_us(20_000)
    assert bench.hear()[0].startswith("00,HLO")
    assert bench.shoe.card == 0


def test_unknown_fault(bench):
    with pytest.raises(ValueError, match="shoe fault .angry.: one of "):
        bench.shoe.fault("angry")


# ---- beams ----


@pytest.fixture
def beams():
    board = FakeBoard()
    beams = Beams(fc7)
    beams.attach(board)
    return board, beams


def levels(board):
    return board.pin(fc7.BEAM_A), board.pin(fc7.BEAM_B)


def history(board, ms, step_ms=5):
    """Levels at the start and after every step."""
    out = [levels(board)]
    for _ in range(ms // step_ms):
        board.run_ms(step_ms)
        out.append(levels(board))
    return out


def test_card_covers_a_then_both_then_b(beams):
    board, model = beams
    assert levels(board) == (False, False)
    model.edge()
    seen = history(board, 90)
    assert seen == [(True, False)] * 4 + [(True, True)] * 8 + [(False, True)] * 4 + [(False, False)] * 3


def test_card_pulled_back_covers_a_only(beams):
    board, model = beams
    model.edge(back=True)
    assert history(board, 70) == [(True, False)] * 12 + [(False, False)] * 3


def test_edge_later(beams):
    board, model = beams
    model.edge(delay_us=10_000)
    assert history(board, 10) == [(False, False), (False, False), (True, False)]


def test_glitch(beams):
    board, model = beams
    model.glitch(300)
    assert levels(board) == (True, False)
    board.run_us(301)
    assert levels(board) == (False, False)
    model.glitch(300, B, delay_us=100)
    board.run_us(150)
    assert levels(board) == (False, True)


def test_overlapping_cards_keep_the_beam_covered(beams):
    board, model = beams
    model.edge()
    board.run_ms(50)
    model.edge()
    board.run_ms(20)
    assert levels(board)[0]


def test_dark_emitters_and_cut_wires_look_like_a_card(beams):
    board, model = beams
    board.set(fc7.EMITTERS, False)
    assert levels(board) == (False, False)  # the sensor takes its time
    board.run_us(110)
    assert levels(board) == (True, True)
    board.set(fc7.EMITTERS, True)
    board.run_us(110)
    assert levels(board) == (False, False)
    model.cut(A)
    assert levels(board) == (True, False)
    model.cut(A, False)
    assert levels(board) == (False, False)
