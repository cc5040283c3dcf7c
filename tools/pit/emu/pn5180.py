"""One PN5180 reader at command level: the host's frames in, replies and busy times out.

Source: NXP PN5180A0xx/C3,C4 data sheet Rev 4.0 (table 5 commands, table 141 start-up). A bad parameter sets
GENERAL_ERROR as on the chip and is remembered; what the model does not know raises (`modelerror`).
"""

from pit.emu import pn5180_map as chip
from pit.emu.modelerror import NotModelled, StateViolation
from pit.emu.pn5180_radio import Radio

START_UP_NS = 2_400_000  # reset released -> IDLE_IRQ, 2.3 to 2.5 ms
# How long BUSY stays high after the frame: not in the data sheet, assumed.
COMMAND_NS, REPLY_NS = 15_000, 2_000
SLOW_NS = {chip.LOAD_RF_CONFIG: 300_000, chip.RF_ON: 100_000, chip.RF_OFF: 50_000}
FIRMWARE = PRODUCT = 0x0305  # boards ship with 3.4 or 3.5
EEPROM_IDENTITY, EEPROM_PRODUCT, EEPROM_IRQ_PIN = 0x00, 0x10, 0x1A
TX_CONFIGS, RX_CONFIGS = range(0x00, 0x1D), range(0x80, 0x9D)  # numbers that LOAD_RF_CONFIG knows


class Pn5180:
    """One reader. `field`: its antenna's Field. `on_field(number, on, now_ns)` hears the field come and go.

    `busy_until_ns`: the end of what it is doing (infinite while held in reset). `reply`: bytes that wait to be clocked
    out, or None. `general_errors`: (ns, text) of every parameter that the chip would only have flagged.
    """

    def __init__(self, number, field, on_field=None):
        self.number, self.field = number, field
        self._on_field = on_field or (lambda number, on, now_ns: None)
        versions = b"".join(word.to_bytes(2, "little") for word in (PRODUCT, FIRMWARE, FIRMWARE))
        self._eeprom = {EEPROM_IRQ_PIN: 0}
        self._eeprom.update(enumerate(number.to_bytes(16, "little"), EEPROM_IDENTITY))
        self._eeprom.update(enumerate(versions, EEPROM_PRODUCT))
        self.general_errors = []
        self.hot = self.unlit = False  # too hot: see heat(); its field does not come up, without a word
        self.restart(0)

    # ---- power and reset ----

    def hold_reset(self, now_ns):
        """RESET_N low."""
        self._set_field(False, now_ns)
        self._forget()
        self.busy_until_ns = float("inf")

    def restart(self, now_ns):
        """Power-up, RESET_N released, or a soft reset: everything forgotten, ready after the start-up time."""
        self._set_field(False, now_ns)
        self._forget()
        self.wedged = False
        self.busy_until_ns = now_ns + START_UP_NS
        self.radio.at(self.busy_until_ns, chip.IDLE_IRQ)

    def _forget(self):
        self.radio = Radio(self.number, self.field)
        self.reply = None

    def _set_field(self, on, now_ns):
        if on:
            self.field.switch_on(now_ns)
        elif self.field.on_ns is None:
            return
        else:
            self.field.switch_off(now_ns)
        self._on_field(self.number, on, now_ns)

    def heat(self, hot, now_ns):
        """Above or below the threshold of its temperature sensor. Too hot it turns its field off, says so once (until
        it is to turn it on again) and what it sends nobody hears; no reset cools it."""
        self.hot = hot
        if hot and self.field.on_ns is not None:
            self.radio.stop_receiving(now_ns)
            self.radio.at(now_ns, chip.TEMPSENS_ERROR_IRQ)
            self._set_field(False, now_ns)

    # ---- frames ----

    def frame(self, frame, now_ns):
        """A whole command frame, NSS raised at `now_ns`."""
        code = frame[0]
        handler = self._HANDLERS.get(code)
        if handler is None:
            raise NotModelled(f"reader {self.number}: command {frame.hex(' ')}")
        self.busy_until_ns = now_ns + SLOW_NS.get(code, COMMAND_NS)
        handler(self, frame, now_ns)

    def nonsense(self, now_ns):
        """A frame that is no command: flagged, no more."""
        self.busy_until_ns = now_ns + COMMAND_NS
        self._error(now_ns, "no command")

    def reply_taken(self, count, now_ns):
        """The host has clocked out `count` bytes of the reply and raised NSS."""
        if count > len(self.reply):
            raise StateViolation(f"reader {self.number}: {count} bytes read of a reply of {len(self.reply)}")
        self.reply = None
        self.busy_until_ns = now_ns + REPLY_NS

    def _error(self, now_ns, text):
        self.general_errors.append((now_ns, text))
        self.radio.at(now_ns, chip.GENERAL_ERROR_IRQ)

    def _length(self, frame, size):
        if len(frame) != size:
            raise NotModelled(f"reader {self.number}: command {frame.hex(' ')} should have {size} bytes")

    def _write_register(self, frame, now_ns):
        self._length(frame, 6)
        if self.radio.write(frame[1], frame[0] + 1, int.from_bytes(frame[2:6], "little"), now_ns):
            self.restart(now_ns)

    def _write_multiple(self, frame, now_ns):
        count, rest = divmod(len(frame) - 1, 6)
        if rest or not count:
            raise NotModelled(f"reader {self.number}: WRITE_REGISTER_MULTIPLE of {len(frame)} bytes")
        writes = [(frame[at], frame[at + 1], frame[at + 2 : at + 6]) for at in range(1, len(frame), 6)]
        if count > chip.MAX_WRITES or any(action not in (chip.SET, chip.OR, chip.AND) for _, action, _ in writes):
            self._error(now_ns, f"WRITE_REGISTER_MULTIPLE: {count} writes, or an action that is none")
            return
        for address, action, value in writes:
            if self.wedged and address in (chip.CRC_TX, chip.CRC_RX):
                continue
            if self.radio.write(address, action, int.from_bytes(value, "little"), now_ns):
                raise NotModelled(f"reader {self.number}: soft reset inside WRITE_REGISTER_MULTIPLE")

    def _read_register(self, frame, now_ns):
        self._length(frame, 2)
        self.reply = self.radio.read(frame[1], now_ns).to_bytes(4, "little")

    def _read_multiple(self, frame, now_ns):
        if not 1 <= len(frame) - 1 <= chip.MAX_READS:
            self._error(now_ns, f"READ_REGISTER_MULTIPLE of {len(frame) - 1} registers")
            return
        self.reply = b"".join(self.radio.read(address, now_ns).to_bytes(4, "little") for address in frame[1:])

    def _read_eeprom(self, frame, now_ns):
        self._length(frame, 3)
        first, count = frame[1], frame[2]
        if not count or first + count > chip.EEPROM_SIZE:
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
            return
        self.reply = self.radio.received(now_ns)
        if self.reply is None:
            raise StateViolation(f"reader {self.number}: READ_DATA with nothing received (see RX_STATUS first)")

    def _send_data(self, frame, now_ns):
        size = len(frame) - 2
        if size < 0 or frame[1]:
            raise NotModelled(f"reader {self.number}: SEND_DATA {frame.hex(' ')} (only whole bytes)")
        if size > chip.MAX_SEND:
            self._error(now_ns, f"SEND_DATA of {size} bytes")
            return
        if self.hot:
            self.radio.send_into_the_dark(len(frame) - 2, now_ns)
            return
        self.radio.send(frame[2:], now_ns)

    def _load_rf_config(self, frame, now_ns):
        self._length(frame, 3)
        if self.radio.in_transceive:
            raise StateViolation(f"reader {self.number}: LOAD_RF_CONFIG in an active transceive (ISSUES 16)")
        tx, rx = frame[1], frame[2]
        if tx not in TX_CONFIGS or rx not in RX_CONFIGS:
            self._error(now_ns, f"LOAD_RF_CONFIG {tx:#04x} {rx:#04x}")
        elif self.wedged:
            return
        elif (tx, rx) != (chip.ISO15693_TX, chip.ISO15693_RX):
            raise NotModelled(f"reader {self.number}: RF configuration {tx:#04x} {rx:#04x}, only 0x0d 0x8d is")
        else:
            self.radio.configure()

    def _rf_on(self, frame, now_ns):
        self._length(frame, 2)
        if frame[1]:
            raise NotModelled(f"reader {self.number}: RF_ON with parameter {frame[1]}")
        if not self.radio.configured:
            raise StateViolation(f"reader {self.number}: RF_ON before LOAD_RF_CONFIG")
        if self.unlit:
            return
        self.radio.at(self.busy_until_ns, chip.RF_ON_IRQ | (chip.TEMPSENS_ERROR_IRQ if self.hot else 0))
        if self.field.on_ns is None and not self.hot:
            self._set_field(True, self.busy_until_ns)

    def _rf_off(self, frame, now_ns):
        self._length(frame, 2)
        self.radio.stop_receiving(now_ns)
        self.radio.at(self.busy_until_ns, chip.RF_OFF_IRQ)
        self._set_field(False, now_ns)

    _HANDLERS = {
        chip.WRITE_REGISTER: _write_register,
        chip.WRITE_OR: _write_register,
        chip.WRITE_AND: _write_register,
        chip.WRITE_MULTIPLE: _write_multiple,
        chip.READ_REGISTER: _read_register,
        chip.READ_MULTIPLE: _read_multiple,
        chip.READ_EEPROM: _read_eeprom,
        chip.READ_DATA: _read_data,
        chip.SEND_DATA: _send_data,
        chip.LOAD_RF_CONFIG: _load_rf_config,
        chip.RF_ON: _rf_on,
        chip.RF_OFF: _rf_off,
    }
