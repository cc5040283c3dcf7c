"""One MFRC522 on its own SPI select, and the ISO 14443A chips before its antenna, with the faults of a reader.

Source: MFRC522 data sheet 9 (registers), 8.1.2 (SPI: address byte, then data), ISO 14443-3 (states, frames, times at
106 kbit/s). What the model does not know raises (`modelerror`); what the real part reports is reported.
"""

import random
from dataclasses import dataclass

from pit.emu.modelerror import AirViolation, BusViolation, NotModelled, StateViolation

FAULTS = ("silent", "stuck", "noisy", "hot", "reset", "ok")
START_UP_NS = 1_000_000  # the oscillator
BIT_NS = 9_440
FRAME_DELAY_NS = 91_000  # end of a request -> first bit of an answer
WAKE_NS = 5_000_000  # field on -> a chip listens (ISO 14443-3, 5.2)
MAX_BAUD = 10_000_000
COMMAND, IRQ, ERROR, FIFO, LEVEL, CONTROL, FRAMING, COLL = 0x01, 0x04, 0x06, 0x09, 0x0A, 0x0C, 0x0D, 0x0E
MODE, TX_MODE, RX_MODE, TX_CONTROL, TX_ASK, VERSION = 0x11, 0x12, 0x13, 0x14, 0x15, 0x37
AFTER_RESET = {MODE: 0x3F, TX_MODE: 0, RX_MODE: 0, TX_CONTROL: 0x80, TX_ASK: 0, COLL: 0x80}
IDLE, TRANSCEIVE = 0x00, 0x0C
RX_IRQ, TX_IRQ = 0x20, 0x40
COLLISION, CRC_ERROR, PARITY_ERROR, TEMP_ERROR = 0x08, 0x04, 0x02, 0x40
WUPA, REQA, HLTA = 0x52, 0x26, b"\x50\x00"
LEVELS = (0x93, 0x95, 0x97)
CASCADE_TAG = 0x88


@dataclass(eq=False)
class Proximity:
    """A chip of ISO 14443A. `uid`: 4 or 7 bytes in the order of the air."""

    uid: bytes
    state: str = "idle"  # idle, ready, active, halt
    level: int = 0
    placed_ns: int = 0

    def part(self, level):
        """The five bytes that it sends at cascade level 0 or 1, BCC among them; and its SAK there."""
        whole = len(self.uid) == 4
        if level > (0 if whole else 1):
            return None, None
        four = self.uid if whole else bytes((CASCADE_TAG,)) + self.uid[:3] if level == 0 else self.uid[3:]
        bcc = four[0] ^ four[1] ^ four[2] ^ four[3]
        return four + bytes((bcc,)), 0x08 if whole or level else 0x04


def uid_of(name):
    """UID (bytes) of the chip that the firmware calls by these 8 bytes."""
    for size in (4, 7):
        if not any(name[size:]):
            return bytes(name[:size])
    raise ValueError(f"{bytes(name).hex()} is no name of an ISO 14443A chip")


class Rc522Bus:
    """The reader on `pins` (SPI, READER_SELECT, READER_RESET). It has the interface of readerbus.ReaderBus."""

    def __init__(self, pins, version=0x92):
        self.pins, self.version = pins, version
        self.chips = []
        self.violations, self.frames, self.max_radiating = [], 0, 1
        self.disturbance = None  # (random.Random, chance that an answer is spoilt)
        self._fault = "ok"

    # ---- wiring ----

    def attach(self, board):
        """Wire it to a board that has just been powered."""
        self._board, self._resets = board, board.resets
        for gp in (self.pins.READER_SELECT, self.pins.READER_RESET):
            board.drive(gp, True)
        board.on_pin(self.pins.READER_SELECT, self._on_select)
        board.on_pin(self.pins.READER_RESET, self._on_reset)
        self._spi = board.spi(self.pins.SPI)
        self._spi.device = self
        self._selected, self._address, self._held = False, None, False
        self._restart(board.now_ns)

    def _restart(self, ns):
        self._registers = dict(AFTER_RESET)
        self._irq = self._error = 0
        self._command, self._framing = IDLE, 0
        self._out, self._in, self._last_bits = bytearray(), bytearray(), 0
        self._due = None  # (ns, bytes, error, bits of the last byte)
        self._up_ns = ns + START_UP_NS
        self._dark()

    def _on_reset(self, level, ns):
        self._held = not level
        self._restart(ns)

    def _on_select(self, level, ns):
        if self._board.resets != self._resets:
            self._resets, self._selected = self._board.resets, False
        if not level:
            if self._spi.spi_mode != 0 or self._spi.clock_frequency > MAX_BAUD:
                raise BusViolation(f"SPI mode {self._spi.spi_mode} at {self._spi.clock_frequency / 1e6:.1f} Mbit/s")
            self._address = None
            self.frames += 1
        self._selected = not level

    def exchange(self, byte):
        """One byte on the wire."""
        if not self._selected:
            raise BusViolation(f"byte {byte:#04x} clocked while the reader was not selected")
        if self._held or self._fault == "silent":
            return 0xFF
        if self._fault == "stuck":
            return 0x00
        if self._address is None:
            if byte & 1:
                raise NotModelled(f"address byte {byte:#04x}")
            self._address = byte
            return 0x00
        register = self._address >> 1 & 0x3F
        if self._address & 0x80:
            return self._read(register)
        self._write(register, byte)
        return 0x00

    # ---- registers ----

    def _settle(self):
        if self._due and self._due[0] <= self._board.now_ns:
            _, self._in, self._error, self._last_bits = self._due
            self._due = None
            self._irq |= RX_IRQ

    def _read(self, register):
        self._settle()
        if register == COMMAND:
            return self._command | (0x10 if self._board.now_ns < self._up_ns else 0)
        if self._board.now_ns < self._up_ns:
            return 0x00 if register != VERSION else self.version
        if register == IRQ:
            return self._irq
        if register == ERROR:
            return self._error | (TEMP_ERROR if self._fault == "hot" else 0)
        if register == LEVEL:
            return len(self._in)
        if register == FIFO:
            if not self._in:
                raise StateViolation("read of an empty FIFO")
            return self._in.pop(0)
        if register == CONTROL:
            return self._last_bits
        if register == VERSION:
            return self.version
        if register in self._registers:
            return self._registers[register]
        raise NotModelled(f"read of register {register:#04x}")

    def _write(self, register, value):
        if self._board.now_ns < self._up_ns:
            raise StateViolation(f"register {register:#04x} written while the reader starts up")
        self._settle()
        if register == COMMAND:
            if value not in (IDLE, TRANSCEIVE):
                raise NotModelled(f"command {value:#04x}")
            if value == IDLE:
                self._due = None
            self._command = value
        elif register == IRQ:
            if value & 0x80:
                raise NotModelled(f"ComIrqReg {value:#04x}")
            self._irq &= ~value
        elif register == LEVEL:
            if value != 0x80:
                raise NotModelled(f"FIFOLevelReg {value:#04x}")
            self._out, self._in = bytearray(), bytearray()
        elif register == FIFO:
            self._out.append(value)
        elif register == FRAMING:
            self._framing = value
            if value & 0x80:
                self._send(bytes(self._out), value & 7)
        elif register in self._registers:
            self._registers[register] = value
            if register == TX_CONTROL:
                self._field(bool(value & 3))
        else:
            raise NotModelled(f"register {register:#04x} written")

    # ---- air ----

    def _field(self, on):
        if on and self._on_ns is None:
            self._on_ns = self._board.now_ns
        elif not on:
            self._dark()

    def _dark(self):
        self._on_ns = None
        for chip in self.chips:
            chip.state, chip.level = "idle", 0

    def _send(self, data, bits):
        now_ns, registers = self._board.now_ns, self._registers
        if self._command != TRANSCEIVE:
            raise StateViolation("StartSend without the command Transceive")
        if self._on_ns is None:
            raise AirViolation("sent with the antenna off")
        if self._due:
            raise AirViolation("sent into an answer")
        if registers[TX_ASK] != 0x40 or registers[MODE] & 3 != 1:
            return  # not 100 % ASK: no chip hears it
        if self._fault == "hot":
            return
        self._irq |= TX_IRQ
        self._error = 0
        crc = bool(registers[TX_MODE] & 0x80)
        sent_ns = now_ns + BIT_NS * ((bits or 8) + 9 * (len(data) - 1 + 2 * crc) + 2)
        answers = [answer for chip in self.chips if (answer := self._heard(chip, data, bits, crc)) is not None]
        self._out = bytearray()
        noise = self._fault == "noisy" or bool(answers) and self.disturbance is not None and (
            self.disturbance[0].random() < self.disturbance[1])
        if not answers and not noise:
            return
        numbers = {bytes(answer) for answer in answers}
        size = max((len(number) for number in numbers), default=2)
        error = PARITY_ERROR if noise else COLLISION if len(numbers) > 1 else 0
        if not error and bool(registers[RX_MODE] & 0x80) != (data[:1] != bytes((WUPA,)) and len(data) > 2):
            error = CRC_ERROR  # it looks for a CRC that is none, or takes one for data
        self._due = (sent_ns + FRAME_DELAY_NS + BIT_NS * 9 * (size + 2), bytearray(min(numbers, default=bytes(2))),
                     error, 0)

    def _heard(self, chip, data, bits, crc):
        """What a chip answers to a frame, or None."""
        now_ns = self._board.now_ns
        if now_ns - max(self._on_ns, chip.placed_ns) < WAKE_NS:
            return None
        if len(data) == 1 and bits == 7:
            if data[0] not in (WUPA, REQA):
                raise NotModelled(f"short frame {data[0]:#04x}")
            if chip.state == "idle" or data[0] == WUPA and chip.state == "halt":
                chip.state, chip.level = "ready", 0
                return b"\x44\x00" if len(chip.uid) == 7 else b"\x04\x00"
            chip.state = "idle" if chip.state != "halt" else "halt"
            return None
        if data == HLTA and crc:
            if chip.state == "active":
                chip.state = "halt"
            return None
        if data[:1] and data[0] in LEVELS and chip.state == "ready" and LEVELS[chip.level] == data[0]:
            part, sak = chip.part(chip.level)
            if data[1:] == b"\x20" and not crc:
                return part
            if data[1:2] == b"\x70" and len(data) == 7 and crc:
                if data[2:] != part:
                    chip.state = "idle"
                    return None
                if sak & 4:
                    chip.level += 1
                else:
                    chip.state = "active"
                return bytes((sak,))
            raise NotModelled(f"anticollision frame {data.hex(' ')}")
        if data[:1] and data[0] in LEVELS:
            return None
        raise NotModelled(f"frame {data.hex(' ')}, CRC {crc}")

    # ---- chips and faults ----

    def place(self, name):
        """Lay the chip down that the firmware calls by these 8 bytes."""
        self.chips.append(Proximity(uid_of(name), placed_ns=self._board.now_ns))

    def remove(self, name):
        """Take it away; an answer that it is giving is spoilt. ValueError if it is not there."""
        uid = uid_of(name)
        found = [chip for chip in self.chips if chip.uid == uid]
        if not found:
            raise ValueError(f"chip {uid.hex()} does not lie there")
        self.chips.remove(found[0])
        if self._due:
            self._due = (self._due[0], self._due[1], PARITY_ERROR, 0)

    def disturb(self, seed, chance):
        """From now on so many answers are spoilt."""
        self.disturbance = (random.Random(seed), chance) if chance else None

    def fault(self, number, kind):
        """The reader is from now on `silent` (MISO high), `stuck` (MISO low), `noisy`, `hot` (it turns its
        antenna off) or `ok`; `reset`: once."""
        if number != 0:
            raise ValueError(f"there is no reader {number}")
        if kind not in FAULTS:
            raise ValueError(f"reader fault {kind!r}: one of {', '.join(FAULTS)}")
        if kind == "reset" or "silent" in (kind, self._fault) or "stuck" in (kind, self._fault):
            self._restart(self._board.now_ns)
        if kind != "reset":
            self._fault = kind
