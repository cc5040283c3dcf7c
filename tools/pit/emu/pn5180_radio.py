"""The radio half of a PN5180: registers, interrupt bits at their instants, transceive states, sending and receiving.

Nothing here sets an alarm: an event is stored with its instant and comes true when a register is read at or after it.
Anything unknown raises (`modelerror`).
"""

from pit.emu import air
from pit.emu import pn5180_map as chip
from pit.emu.modelerror import NotModelled, StateViolation

_OF_POWER = (chip.RF_ON_IRQ, chip.RF_OFF_IRQ, chip.IDLE_IRQ)  # events that leaving transceive does not cancel


class Radio:
    """Radio of reader `number` on antenna `field`; as after a reset."""

    def __init__(self, number, field):
        self._number, self._field = number, field
        self._registers = dict.fromkeys(chip.PLAIN, 0)
        self._system = 0
        self._irq, self._events = 0, []  # bits that are set; (ns, bits) that will be
        self.configured = False
        self.in_transceive = False
        self.tx_end_ns = None  # of the last transmission since transceive began
        self.heard = None  # Reception after the last transmission

    def at(self, due_ns, bits):
        """Interrupt `bits` are set at `due_ns`."""
        self._events.append((due_ns, bits))

    def configure(self):
        """LOAD_RF_CONFIG for ISO 15693. Whether it enables the CRCs is not documented: here a driver has to."""
        self.configured = True
        self._registers.update({chip.TX_CONFIG: chip.TX_WHOLE, chip.CRC_TX: 0, chip.CRC_RX: 0})

    # ---- registers ----

    def write(self, address, action, value, now_ns):
        """Apply one write. Returns True when it asks for a soft reset."""
        if address == chip.IRQ_CLEAR:
            self._latch(now_ns)
            self._irq &= ~value
        elif address == chip.SYSTEM_CONFIG:
            return self._write_system(_combine(self._system, action, value), now_ns)
        elif address in self._registers:
            self._registers[address] = _combine(self._registers[address], action, value)
        else:
            raise NotModelled(f"reader {self._number}: write of register {address:#04x}")
        return False

    def read(self, address, now_ns):
        """The register's value at this instant."""
        if address == chip.IRQ_STATUS:
            self._latch(now_ns)
            return self._irq
        if address == chip.RX_STATUS:
            return self._rx_status(now_ns)
        if address == chip.RF_STATUS:
            return self.state(now_ns) << chip.STATE_SHIFT
        if address == chip.SYSTEM_CONFIG:
            return self._system
        if address in self._registers:
            return self._registers[address]
        raise NotModelled(f"reader {self._number}: read of register {address:#04x}")

    def _latch(self, now_ns):
        """Let the events that are due come true."""
        if self._events:
            for due_ns, bits in self._events:
                if due_ns <= now_ns:
                    self._irq |= bits
            self._events = [e for e in self._events if e[0] > now_ns]

    def _write_system(self, value, now_ns):
        command = value & chip.COMMAND_MASK
        unknown = value & ~(chip.COMMAND_MASK | chip.SOFT_RESET)
        if unknown or command not in (chip.COMMAND_IDLE, chip.COMMAND_TRANSCEIVE):
            raise NotModelled(f"reader {self._number}: SYSTEM_CONFIG {value:#x}")
        if value & chip.SOFT_RESET:
            return True
        self._system = value
        if command == chip.COMMAND_IDLE:
            if self.tx_end_ns is not None and now_ns < self.tx_end_ns:
                raise StateViolation(f"reader {self._number}: idle in the middle of a transmission")
            self.stop_receiving(now_ns)
            self.in_transceive, self.tx_end_ns = False, None
        elif not self.in_transceive:
            self.in_transceive, self.tx_end_ns = True, None
        return False

    # ---- transceiver ----

    def state(self, now_ns):
        """Transceive state as in RF_STATUS bits 26:24."""
        if not self.in_transceive:
            return chip.IDLE
        if self.tx_end_ns is None:
            return chip.WAIT_TRANSMIT
        if now_ns < self.tx_end_ns:
            return chip.TRANSMITTING
        heard = self.heard
        if heard is None or now_ns < heard.start_ns:
            return chip.WAIT_DATA
        return chip.RECEIVING if now_ns < heard.end_ns else chip.WAIT_TRANSMIT

    def stop_receiving(self, now_ns):
        """What is not complete is lost; what is complete stays readable."""
        self._latch(now_ns)
        self._events = [e for e in self._events if e[1] in _OF_POWER]
        if self.heard is not None and now_ns < self.heard.end_ns:
            self.heard = None

    def send(self, data, now_ns):
        """SEND_DATA: a request, or without data the EOF that opens the next slot."""
        state = self.state(now_ns)
        if state != chip.WAIT_TRANSMIT:
            raise StateViolation(f"reader {self._number}: SEND_DATA in transceive state {state} (ISSUES 21)")
        if self._field.on_ns is None:
            raise StateViolation(f"reader {self._number}: SEND_DATA without a field")
        symbols = self._registers[chip.TX_CONFIG] & chip.TX_WHOLE
        start_ns = self._field.earliest_ns(now_ns)
        if data and symbols == chip.TX_WHOLE:
            if not self._registers[chip.CRC_TX] & chip.CRC_ENABLE:
                raise StateViolation(f"reader {self._number}: request without CRC (CRC_TX is off): no tag hears it")
            self.tx_end_ns = start_ns + air.request_ns(len(data))
            self.heard = self._field.request(data, start_ns, self.tx_end_ns)
        elif not data and symbols == chip.TX_STOP_SYMBOL:
            self.tx_end_ns = start_ns + air.EOF_NS
            self.heard = self._field.next_slot(self.tx_end_ns)
        else:
            raise StateViolation(
                f"reader {self._number}: {len(data)} bytes with TX_CONFIG {self._registers[chip.TX_CONFIG]:#x}"
            )
        self.at(self.tx_end_ns, chip.TX_IRQ)
        if self.heard is not None:
            self.at(self.heard.sof_ns, chip.SOF_IRQ | chip.SUBCARRIER_IRQ)
            self.at(self.heard.end_ns, chip.RX_IRQ)

    def send_into_the_dark(self, size, now_ns):
        """SEND_DATA while the chip has turned its field off by itself: done as ever, and no answer."""
        self.tx_end_ns = now_ns + (air.request_ns(size) if size else air.EOF_NS)
        self.heard = None
        self.at(self.tx_end_ns, chip.TX_IRQ)

    def received(self, now_ns):
        """The bytes of the last complete answer, or None."""
        heard = self.heard
        if heard is None or now_ns < heard.end_ns:
            return None
        return heard.data if self._registers[chip.CRC_RX] & chip.CRC_ENABLE else heard.data + bytes(2)

    def _rx_status(self, now_ns):
        data = self.received(now_ns)
        if data is None:
            return 0
        heard = self.heard
        if heard.collision is not None:
            return len(data) | chip.RX_CRC_ERROR | chip.RX_COLLISION | heard.collision << chip.RX_COLLISION_SHIFT
        return len(data) | chip.RX_CRC_ERROR if heard.noise else len(data)


def _combine(old, action, value):
    return value if action == chip.SET else old | value if action == chip.OR else old & value
