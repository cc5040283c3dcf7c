"""One PN5180 reader at command level: host frames in, registers, interrupt bits and air times out.

Source: NXP PN5180A0xx/C3,C4 data sheet Rev 4.0 (commands table 5, registers, table 141 for the start-up). Nothing here sets an
alarm: an event is stored with its instant and comes true when a register is read at or after it. What the data sheet leaves
open (how long a command keeps BUSY high) is a constant below. Anything unknown raises (`modelerror`).
"""

from pit.emu import air
from pit.emu.modelerror import NotModelled, StateViolation

WRITE_REGISTER, WRITE_OR, WRITE_AND, WRITE_MULTIPLE, READ_REGISTER, READ_MULTIPLE = range(6)
READ_EEPROM, SEND_DATA, READ_DATA, LOAD_RF_CONFIG, RF_ON, RF_OFF = 0x07, 0x09, 0x0A, 0x11, 0x16, 0x17
SET, OR, AND = 1, 2, 3  # actions of WRITE_REGISTER_MULTIPLE

SYSTEM_CONFIG, IRQ_ENABLE, IRQ_STATUS, IRQ_CLEAR, TRANSCEIVE_CONTROL = 0x00, 0x01, 0x02, 0x03, 0x04
RX_WAIT, CRC_RX, RX_STATUS, TX_WAIT, TX_CONFIG, CRC_TX, RF_STATUS = 0x11, 0x12, 0x13, 0x17, 0x18, 0x19, 0x1D
PLAIN = (IRQ_ENABLE, TRANSCEIVE_CONTROL, RX_WAIT, CRC_RX, TX_WAIT, TX_CONFIG, CRC_TX)  # read back what was written

RX_IRQ, TX_IRQ, IDLE_IRQ, RF_OFF_IRQ, RF_ON_IRQ = 1 << 0, 1 << 1, 1 << 2, 1 << 8, 1 << 9
SOF_IRQ, SUBCARRIER_IRQ, GENERAL_ERROR_IRQ = 1 << 14, 1 << 15, 1 << 17
RX_CRC_ERROR, RX_COLLISION, RX_COLLISION_SHIFT = 1 << 16, 1 << 18, 19

COMMAND_MASK, COMMAND_IDLE, COMMAND_TRANSCEIVE, SOFT_RESET = 0x07, 0x00, 0x03, 1 << 8
CRC_ENABLE = 1 << 0
TX_START_SYMBOL, TX_STOP_SYMBOL, TX_DATA_ENABLE = 0xC0, 0x300, 1 << 10
IDLE, WAIT_TRANSMIT, TRANSMITTING, WAIT_RECEIVE, WAIT_DATA, RECEIVING = range(6)  # RF_STATUS bits 26:24
STATE_SHIFT = 24

MAX_WRITES, MAX_READS, MAX_SEND = 42, 18, 260  # of one frame
EEPROM_SIZE = 255
ISO15693_TX, ISO15693_RX = 0x0D, 0x8D  # ASK 100 %, 26 kbit/s
TX_CONFIG_15693 = TX_DATA_ENABLE | TX_STOP_SYMBOL | TX_START_SYMBOL  # the bits that matter here, after LOAD_RF_CONFIG

START_UP_NS = 2_400_000  # reset released -> IDLE_IRQ, 2.3 to 2.5 ms
# How long BUSY stays high after the frame: not in the data sheet, assumed.
COMMAND_NS, REPLY_NS = 15_000, 2_000
SLOW_NS = {LOAD_RF_CONFIG: 300_000, RF_ON: 100_000, RF_OFF: 50_000}


class Pn5180:
    """One reader. `field`: its antenna's Field. `on_field(number, on, now_ns)` hears the field come and go.

    `busy_until_ns`: the end of what it is doing (infinite while held in reset). `reply`: bytes waiting to be clocked out.
    `general_errors`: (ns, text) of every parameter that the chip would only have flagged.
    """

    def __init__(self, number, field, on_field=None, product=0x0305, firmware=0x0305):
        self.number, self.field = number, field
        self._on_field = on_field or (lambda number, on, now_ns: None)
        words = product.to_bytes(2, "little") + firmware.to_bytes(2, "little") + firmware.to_bytes(2, "little")
        self._eeprom = dict(enumerate(number.to_bytes(16, "little"))) | dict(enumerate(words, 0x10)) | {0x1A: 0}
        self.general_errors = []
        self.commands = 0
        self.restart(0)

    # ---- power and reset ----

    def hold_reset(self, now_ns):
        """RESET_N low."""
        self._set_field(False, now_ns)
        self._clear()
        self.busy_until_ns = float("inf")

    def restart(self, now_ns):
        """Power-up, RESET_N released, or a soft reset: everything forgotten, ready after the start-up time."""
        if self.field.on_ns is not None:
            self._set_field(False, now_ns)
        self._clear()
        self.busy_until_ns = now_ns + START_UP_NS
        self._events = [(self.busy_until_ns, IDLE_IRQ)]

    def _clear(self):
        self._registers = dict.fromkeys(PLAIN, 0)
        self._system = 0
        self._irq, self._events = 0, []
        self._configured = False
        self._transceive = False
        self._tx_end_ns = None  # of the last transmission since transceive began
        self._heard = None
        self.reply = None

    # ---- the host's frames ----

    def frame(self, frame, now_ns):
        """A whole command frame, NSS raised at `now_ns`."""
        self.commands += 1
        code = frame[0]
        handler = self._HANDLERS.get(code)
        if handler is None:
            raise NotModelled(f"reader {self.number}: command {bytes(frame).hex(' ')}")
        self.busy_until_ns = now_ns + SLOW_NS.get(code, COMMAND_NS)
        handler(self, frame, now_ns)

    def reply_taken(self, count, now_ns):
        """The host has clocked out `count` bytes of the reply and raised NSS."""
        if count > len(self.reply):
            raise StateViolation(f"reader {self.number}: {count} bytes read of a reply of {len(self.reply)}")
        self.reply = None
        self.busy_until_ns = now_ns + REPLY_NS

    def _error(self, now_ns, text):
        self.general_errors.append((now_ns, text))
        self._irq |= GENERAL_ERROR_IRQ

    def _write_command(self, frame, now_ns):
        self._length(frame, 6)
        self._write(frame[1], frame[0] + 1, int.from_bytes(frame[2:6], "little"), now_ns)

    def _write_multiple(self, frame, now_ns):
        count, rest = divmod(len(frame) - 1, 6)
        if rest or not count:
            raise NotModelled(f"reader {self.number}: WRITE_REGISTER_MULTIPLE of {len(frame)} bytes")
        if count > MAX_WRITES or any(frame[at + 1] not in (SET, OR, AND) for at in range(1, len(frame), 6)):
            self._error(now_ns, f"WRITE_REGISTER_MULTIPLE: {count} writes, or an action that is none")
            return
        for at in range(1, len(frame), 6):
            self._write(frame[at], frame[at + 1], int.from_bytes(frame[at + 2 : at + 6], "little"), now_ns)

    def _read_command(self, frame, now_ns):
        self._length(frame, 2)
        self.reply = self._read(frame[1], now_ns).to_bytes(4, "little")

    def _read_multiple(self, frame, now_ns):
        if not 1 <= len(frame) - 1 <= MAX_READS:
            self._error(now_ns, f"READ_REGISTER_MULTIPLE of {len(frame) - 1} registers")
            return
        self.reply = b"".join(self._read(address, now_ns).to_bytes(4, "little") for address in frame[1:])

    def _read_eeprom(self, frame, now_ns):
        self._length(frame, 3)
        first, count = frame[1], frame[2]
        if not count or first + count > EEPROM_SIZE:
            self._error(now_ns, f"READ_EEPROM {first:#04x}, {count} bytes")
            return
        cells = range(first, first + count)
        if any(cell not in self._eeprom for cell in cells):
            raise NotModelled(f"reader {self.number}: EEPROM {first:#04x}, {count} bytes")
        self.reply = bytes(self._eeprom[cell] for cell in cells)

    def _read_data(self, frame, now_ns):
        self._length(frame, 2)
        if frame[1]:
            self._error(now_ns, f"READ_DATA parameter {frame[1]}")
        elif self._heard is None or now_ns < self._heard.end_ns:
            raise StateViolation(f"reader {self.number}: READ_DATA with nothing received (see RX_STATUS first)")
        else:
            self.reply = self._received()

    def _load_rf_config(self, frame, now_ns):
        self._length(frame, 3)
        if self._transceive:
            raise StateViolation(f"reader {self.number}: LOAD_RF_CONFIG in an active transceive (ISSUES 16)")
        tx, rx = frame[1], frame[2]
        if tx > 0x1C or not 0x80 <= rx <= 0x9C:
            self._error(now_ns, f"LOAD_RF_CONFIG {tx:#04x} {rx:#04x}")
        elif (tx, rx) != (ISO15693_TX, ISO15693_RX):
            raise NotModelled(f"reader {self.number}: RF configuration {tx:#04x} {rx:#04x}, only ISO 15693 0x0d 0x8d")
        else:
            self._configured = True
            self._registers.update({TX_CONFIG: TX_CONFIG_15693, CRC_TX: 0, CRC_RX: 0})

    def _rf_on(self, frame, now_ns):
        self._length(frame, 2)
        if frame[1]:
            raise NotModelled(f"reader {self.number}: RF_ON with parameter {frame[1]}")
        if not self._configured:
            raise StateViolation(f"reader {self.number}: RF_ON before LOAD_RF_CONFIG")
        self._events.append((self.busy_until_ns, RF_ON_IRQ))
        if self.field.on_ns is None:
            self._set_field(True, self.busy_until_ns)

    def _rf_off(self, frame, now_ns):
        self._length(frame, 2)
        self._events.append((self.busy_until_ns, RF_OFF_IRQ))
        self._stop_receiving(now_ns)
        self._set_field(False, now_ns)

    def _send_data(self, frame, now_ns):
        size = len(frame) - 2
        if size < 0 or frame[1]:
            raise NotModelled(f"reader {self.number}: SEND_DATA {bytes(frame).hex(' ')} (only whole bytes)")
        if size > MAX_SEND:
            self._error(now_ns, f"SEND_DATA of {size} bytes")
            return
        if self.state(now_ns) != WAIT_TRANSMIT:
            raise StateViolation(f"reader {self.number}: SEND_DATA in transceive state {self.state(now_ns)} (ISSUES 21)")
        if self.field.on_ns is None:
            raise StateViolation(f"reader {self.number}: SEND_DATA without a field")
        config = self._registers[TX_CONFIG] & (TX_START_SYMBOL | TX_STOP_SYMBOL | TX_DATA_ENABLE)
        start_ns = self.field.earliest_ns(now_ns)
        if size and config == TX_CONFIG_15693:
            if not self._registers[CRC_TX] & CRC_ENABLE:
                raise StateViolation(f"reader {self.number}: a request without CRC (CRC_TX is off): no tag would hear it")
            self._tx_end_ns = start_ns + air.request_ns(size)
            self._heard = self.field.request(frame[2:], start_ns, self._tx_end_ns)
        elif not size and config == TX_STOP_SYMBOL:
            self._tx_end_ns = start_ns + air.EOF_NS
            self._heard = self.field.next_slot(self._tx_end_ns)
        else:
            raise StateViolation(f"reader {self.number}: {size} bytes with TX_CONFIG {self._registers[TX_CONFIG]:#x}")
        self._events.append((self._tx_end_ns, TX_IRQ))
        heard = self._heard
        if heard is not None:
            self._events += ((heard.sof_ns, SOF_IRQ | SUBCARRIER_IRQ), (heard.end_ns, RX_IRQ))

    def _length(self, frame, size):
        if len(frame) != size:
            raise NotModelled(f"reader {self.number}: command {bytes(frame).hex(' ')} should have {size} bytes")

    _HANDLERS = {
        WRITE_REGISTER: _write_command,
        WRITE_OR: _write_command,
        WRITE_AND: _write_command,
        WRITE_MULTIPLE: _write_multiple,
        READ_REGISTER: _read_command,
        READ_MULTIPLE: _read_multiple,
        READ_EEPROM: _read_eeprom,
        READ_DATA: _read_data,
        SEND_DATA: _send_data,
        LOAD_RF_CONFIG: _load_rf_config,
        RF_ON: _rf_on,
        RF_OFF: _rf_off,
    }

    # ---- registers ----

    def _write(self, address, action, value, now_ns):
        if address == IRQ_CLEAR:
            self._latch(now_ns)
            self._irq &= ~value
        elif address == SYSTEM_CONFIG:
            self._write_system(_combine(self._system, action, value), now_ns)
        elif address in self._registers:
            self._registers[address] = _combine(self._registers[address], action, value)
        else:
            raise NotModelled(f"reader {self.number}: write of register {address:#04x}")

    def _write_system(self, value, now_ns):
        command = value & COMMAND_MASK
        if value & ~(COMMAND_MASK | SOFT_RESET) or command not in (COMMAND_IDLE, COMMAND_TRANSCEIVE):
            raise NotModelled(f"reader {self.number}: SYSTEM_CONFIG {value:#x}")
        if value & SOFT_RESET:
            self.restart(now_ns)
            return
        self._system = value
        if command == COMMAND_IDLE:
            if self._tx_end_ns is not None and now_ns < self._tx_end_ns:
                raise StateViolation(f"reader {self.number}: idle in the middle of a transmission")
            self._stop_receiving(now_ns)
            self._transceive, self._tx_end_ns = False, None
        elif not self._transceive:
            self._transceive, self._tx_end_ns = True, None

    def _stop_receiving(self, now_ns):
        """What is not complete is lost; what is complete stays readable."""
        self._latch(now_ns)
        self._events = [e for e in self._events if e[1] in (RF_ON_IRQ, RF_OFF_IRQ, IDLE_IRQ)]
        if self._heard is not None and now_ns < self._heard.end_ns:
            self._heard = None

    def _read(self, address, now_ns):
        if address == IRQ_STATUS:
            self._latch(now_ns)
            return self._irq
        if address == RX_STATUS:
            return self._rx_status(now_ns)
        if address == RF_STATUS:
            return self.state(now_ns) << STATE_SHIFT
        if address == SYSTEM_CONFIG:
            return self._system
        if address in self._registers:
            return self._registers[address]
        raise NotModelled(f"reader {self.number}: read of register {address:#04x}")

    def _latch(self, now_ns):
        """Let the events that are due come true."""
        if self._events:
            for due_ns, bits in self._events:
                if due_ns <= now_ns:
                    self._irq |= bits
            self._events = [e for e in self._events if e[0] > now_ns]

    def state(self, now_ns):
        """Transceive state as in RF_STATUS bits 26:24."""
        if not self._transceive:
            return IDLE
        if self._tx_end_ns is None:
            return WAIT_TRANSMIT
        if now_ns < self._tx_end_ns:
            return TRANSMITTING
        heard = self._heard
        if heard is None or now_ns < heard.start_ns:
            return WAIT_DATA
        return RECEIVING if now_ns < heard.end_ns else WAIT_TRANSMIT

    def _received(self):
        data = self._heard.data
        return data if self._registers[CRC_RX] & CRC_ENABLE else data + bytes(2)

    def _rx_status(self, now_ns):
        heard = self._heard
        if heard is None or now_ns < heard.end_ns:
            return 0
        status = len(self._received())
        if heard.collision is not None:
            return status | RX_CRC_ERROR | RX_COLLISION | heard.collision << RX_COLLISION_SHIFT
        return status | RX_CRC_ERROR if heard.noise else status

    def _set_field(self, on, now_ns):
        if on:
            self.field.switch_on(now_ns)
        else:
            self.field.switch_off()
        self._on_field(self.number, on, now_ns)


def _combine(old, action, value):
    return value if action == SET else old | value if action == OR else old & value
