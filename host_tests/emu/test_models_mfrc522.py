"""The MFRC522 model without a processor: what it refuses. What it answers: host_tests/drivers/test_mfrc522.py."""

import pytest

from boards import rc522_demo as pins
from pit.emu.fakeboard import FakeBoard
from pit.emu.mfrc522 import (COMMAND, FIFO, FRAMING, IDLE, IRQ, LEVEL, MODE, RX_IRQ, START_UP_NS, TRANSCEIVE,
                             TX_ASK, TX_CONTROL, VERSION, WUPA, Proximity, Rc522Bus)
from pit.emu.modelerror import AirViolation, BusViolation, NotModelled, StateViolation

ON = ((TX_ASK, 0x40), (MODE, 0x3D), (TX_CONTROL, 0x83), (COMMAND, TRANSCEIVE))
ASK = ((LEVEL, 0x80), (FIFO, WUPA), (FRAMING, 0x87))


class Wire:
    """The model, and a controller that writes and reads its registers."""

    def __init__(self):
        self.board, self.bus = FakeBoard(), Rc522Bus(pins)
        self.bus.attach(self.board)

    def select(self, low=True):
        self.board.set(pins.READER_SELECT, not low)

    def write(self, *pairs):
        for register, value in pairs:
            self.select()
            self.board.clock(bytes((register << 1, value)))
            self.select(False)

    def read(self, register):
        self.select()
        value = self.board.clock(bytes((register << 1 | 0x80, 0)))[1]
        self.select(False)
        return value


@pytest.fixture
def wire():
    wire = Wire()
    wire.board.run_us(START_UP_NS / 1000 + 1)
    return wire


def test_a_chip_answers_and_the_model_says_so(wire):
    wire.bus.chips.append(Proximity(b"\x11\xa1\xb2\xc3"))
    wire.write(*ON)
    wire.board.run_ms(6)
    wire.write(*ASK)
    assert not wire.read(IRQ) & RX_IRQ, "an answer takes its time"
    wire.board.run_ms(1)
    assert wire.read(IRQ) & RX_IRQ and wire.read(LEVEL) == 2 and wire.read(VERSION) == 0x92


@pytest.mark.parametrize("error, words, pairs", [
    (StateViolation, "without the command", (*ON[:3], *ASK)),
    (AirViolation, "antenna off", (ON[3], *ASK)),
    (NotModelled, "command", ((COMMAND, 0x0E),)),
    (NotModelled, "register 0x2a", ((0x2A, 0),)),
    (NotModelled, "FIFOLevelReg", ((LEVEL, 0x01),)),
    (NotModelled, "ComIrqReg", ((IRQ, 0x80),)),
])
def test_what_is_written_that_the_part_would_not_forgive(wire, error, words, pairs):
    with pytest.raises(error, match=words):
        wire.write(*pairs)


def test_a_request_that_no_chip_of_ours_knows(wire):
    wire.bus.chips.append(Proximity(b"\x11\xa1\xb2\xc3"))
    wire.write(*ON)
    wire.board.run_ms(6)
    with pytest.raises(NotModelled, match="short frame"):
        wire.write((LEVEL, 0x80), (FIFO, 0x35), (FRAMING, 0x87))


def test_a_register_that_is_written_too_early():
    wire = Wire()
    with pytest.raises(StateViolation, match="starts up"):
        wire.write((COMMAND, IDLE))


@pytest.mark.parametrize("error, words, register", [(StateViolation, "empty FIFO", FIFO),
                                                    (NotModelled, "read of register", 0x2A)])
def test_what_is_read_that_is_not_there(wire, error, words, register):
    with pytest.raises(error, match=words):
        wire.read(register)


def test_the_wire(wire):
    with pytest.raises(BusViolation, match="not selected"):
        wire.board.clock(b"\x02")
    wire.board.spi(0).clock_frequency = 12_000_000
    with pytest.raises(BusViolation, match="12.0 Mbit"):
        wire.select()
    with pytest.raises(ValueError, match="one of"):
        wire.bus.fault(0, "wet")
