"""Readers of a board with READER = "mfrc522": one antenna, one chip of ISO 14443A; two of them are unreadable.

pit.build puts this in the place of drivers/readers.py, so the app knows one interface (see there). A place without an
antenna is told as empty. A chip is named by 8 bytes: its 4 or 7 bytes in the order in which it sends them, then zeros.

Sources: MFRC522 data sheet 9 (registers), ISO 14443-3. WUPA and HLTA, so that a chip that rests is found each time
(ISSUES 30, 47); the SAK says whether a UID goes on, not the byte 0x88 (35, 36); BCC; a collision is seen and never
guessed through (27, 45); whatever answers and is spoilt proves presence (33); limits in time, not in loops (38, E5);
only known silicon, and what is written at set-up is read back (41, 44). Too hot (TempErr, 9.3.1.7) the chip turns its
antenna off by itself and hears nobody: that is a fault, not an empty spot.
"""

import time

from machine import SPI, Pin

from firstcard.drivers.nap import nap

FINISHED, SWEPT = -1, -2
OK, UNREADABLE, FAULT = 0, 1, 2
# health of the reader
READY, ALL_ZEROS, ALL_ONES, WRONG_VERSION, NOT_CONFIGURED, NOT_IDLE, TOO_HOT = 0, 2, 3, 4, 5, 6, 7
VERSIONS = (0x91, 0x92, 0x88)  # NXP 1.0 and 2.0; Fudan's FM17522. Not 0x12 and 0x82, which are defective copies

_COMMAND, _IRQ, _ERROR, _FIFO, _LEVEL, _CONTROL, _FRAMING, _COLL = 0x01, 0x04, 0x06, 0x09, 0x0A, 0x0C, 0x0D, 0x0E
_MODE, _TX_MODE, _RX_MODE, _TX_CONTROL, _TX_ASK, _VERSION = 0x11, 0x12, 0x13, 0x14, 0x15, 0x37
_IDLE, _TRANSCEIVE, _SOFT_RESET = 0x00, 0x0C, 0x0F
_SET_UP = ((_TX_ASK, 0x40), (_MODE, 0x3D), (_COLL, 0x00))  # 100 % ASK; CRC from 0x6363; bits after a collision are 0
_POWER_DOWN = 0x10  # in _COMMAND while it starts up
_COLLISION, _SPOILT, _TEMP = 0x08, 0x17, 0x40  # in _ERROR: the second overflow, CRC, parity, protocol
_RX_IRQ = 0x20
_START_UP_MS = 50
_FIELD_US = 5000  # a chip listens so long after the field is on
_ANSWER_US = 2500  # the longest exchange, SELECT, takes 1.3 ms
_LOOK_US = 150
_TRIES = 2  # more of a reading that was spoilt
_COOLING = 16  # sweeps for which a reader that is too hot is left alone
# outcome of an exchange
_SILENCE, _GOOD, _MANY, _NOISE = 0, 1, 2, 3
READS, MISSED, RETRIES, RESETS = 0, 1, 2, 3
_AGES = 60_000


class Readers:
    """`board`: pins, ANTENNAS (places, of which the first has the antenna). A reading is so short that nobody waits."""

    def __init__(self, board, urgent, waits=bool):
        self._select = Pin(board.READER_SELECT, Pin.OUT, value=1)
        self._reset = Pin(board.READER_RESET, Pin.OUT, value=1)
        self._spi = SPI(board.SPI, baudrate=board.SPI_BAUD, polarity=0, phase=0, sck=Pin(board.SPI_SCK),
                        mosi=Pin(board.SPI_MOSI), miso=Pin(board.SPI_MISO))
        self._pair = bytearray(2)
        self._places = board.ANTENNAS
        self._health = NOT_CONFIGURED
        self.counts = [0, 0, 0, 0]
        self._good_ms = time.ticks_ms()
        self._failing = False
        self._place = self._tries = self._on_us = self._rest = 0
        self._lit = False
        self._missing = b""
        self.first = bytearray(board.ANTENNAS)
        self.antenna = self.status = self.doubt = self.start_us = self.end_us = 0  # doubt: never, with one chip at most
        self.uids = b""
        self._said = OK
        self._known = b""
        self.changed = False

    # the interface

    def power_up(self, count=None):
        """Hard reset and set-up: at most 55 ms, about 2."""
        self._health = self._bring_up()

    def configure(self, antenna):
        """All antennas are the one reader's."""

    def restart(self):
        """Power-up in the middle of a sweep, which begins anew."""
        self.power_up()
        self.begin()

    def all_dead(self):
        """-1 if the reader answers, else 0."""
        return 0 if self._health else -1

    def hopeless(self):
        """Never: this reader's reset line is its own, so each try resets it."""
        return False

    def spots(self, count, zones):
        """As Readers.spots in drivers/readers.py; all spots have one reader."""
        told = self._health or any(self.counts[1:])
        return [time.ticks_diff(time.ticks_ms(), self._good_ms)] * count, list(range(1, count + 1)) if told else []

    def about(self, antenna):
        """As Readers.about in drivers/readers.py."""
        if antenna:
            return (0, 0, 0, 0, 0, READY)
        return [time.ticks_diff(time.ticks_ms(), self._good_ms)] + self.counts + [self._health]

    def look(self):
        """Begin a sweep of nothing: no chip covers another one here, both together are unreadable."""

    def begin(self):
        """Start a new sweep."""
        self._place = 0
        self.changed = False

    def run(self, slice_us):
        """A part of a sweep, at most one reading (12 ms, most of it asleep): FINISHED, SWEPT or us to wait."""
        if self._place >= self._places:
            return SWEPT
        if self._place == 0 and not self._lit:
            self._tries = 0
            self.start_us = time.ticks_us()
            if self._rest:
                self._rest -= 1
            elif self._health or self._get(_TX_ASK) != 0x40:  # it has reset itself (ISSUES 50)
                self._health = self._bring_up()
            if self._health == READY:
                self._put(_TX_CONTROL, 0x83)  # both drivers of the antenna
                self._lit = True
                self._on_us = time.ticks_us()
                return _FIELD_US
        status, uids = OK, b""
        if self._place:
            self.start_us = time.ticks_us()
        elif not self._lit:
            status = FAULT
        else:
            left_us = _FIELD_US - time.ticks_diff(time.ticks_us(), self._on_us)
            if left_us > 0:
                return left_us
            status, uids = self._read()
            if status == UNREADABLE and self._tries < _TRIES:
                self._tries += 1
                self.counts[RETRIES] = self.counts[RETRIES] + 1 & 0xFFFF
                return 0
            hot = self._get(_ERROR) & _TEMP
            self._put(_TX_CONTROL, 0x80)
            self._lit = False
            if self._get(_TX_ASK) != 0x40:
                self._health = self._line() or NOT_CONFIGURED
                status, uids = FAULT, b""
            elif hot:
                self._health, self._rest = TOO_HOT, _COOLING
                status, uids = FAULT, b""
        self.end_us = time.ticks_us()
        self.antenna, self.status = self._place, status
        if not self._place:
            uids = self._take(status, uids)
        self.uids = uids
        self._place += 1
        return FINISHED

    def _take(self, status, uids):
        """Count a reading of the antenna; its chips, the same object while the same one lies there."""
        counts = self.counts
        counts[READS] += 1
        if counts[READS] == _AGES:
            for n in range(len(counts)):
                counts[n] >>= 1
        if status == OK:
            self._good_ms = time.ticks_ms()
        if status == FAULT:
            self._failing = True
        elif self._failing:
            self._failing = False
            counts[RESETS] = counts[RESETS] + 1 & 0xFFFF
        if uids == self._known:
            uids = self._known
        else:
            self.changed = True
            if uids and uids == self._missing:
                counts[MISSED] = counts[MISSED] + 1 & 0xFFFF
            self._missing, self._known = self._known, uids
        if status != self._said:
            self._said = status
            self.changed = True
        return uids

    # the chip on the antenna

    def _read(self):
        """(OK, UID or b"") or (UNREADABLE, b"")."""
        found, answer = self._exchange(b"\x52", 7, False)  # WUPA
        if found == _SILENCE and self._tries:  # something has been spoilt: it has gone from ready back to idle
            found, answer = self._exchange(b"\x52", 7, False)
        elif found == _SILENCE:
            return OK, b""
        uid = b""
        for level in (0x93, 0x95, 0x97):
            if found != _GOOD:
                break
            found, answer = self._exchange(bytes((level, 0x20)), 0, False)
            if found != _GOOD or len(answer) != 5 or answer[0] ^ answer[1] ^ answer[2] ^ answer[3] ^ answer[4]:
                break
            found, sak = self._exchange(bytes((level, 0x70)) + answer, 0, True)
            if found != _GOOD or len(sak) != 1:
                break
            if not sak[0] & 4:  # the UID is complete
                uid += answer[:4]
                self._exchange(b"\x50\x00", 0, True)  # HLTA: nobody answers
                return (OK, uid + bytes(8 - len(uid))) if len(uid) < 8 else (UNREADABLE, b"")
            uid += answer[1:4]
        return UNREADABLE, b""

    def _exchange(self, data, bits, crc):
        """Send `data` (`bits` of the last byte, 0 = all), with and without CRC: (outcome, answer)."""
        self._put(_COMMAND, _IDLE)
        self._put(_IRQ, 0x7F)
        self._put(_LEVEL, 0x80)  # flush
        self._put(_TX_MODE, 0x80 if crc else 0)
        self._put(_RX_MODE, 0x80 if crc else 0)
        for byte in data:
            self._put(_FIFO, byte)
        self._put(_COMMAND, _TRANSCEIVE)
        self._put(_FRAMING, 0x80 | bits)
        begun = time.ticks_us()
        while not self._get(_IRQ) & _RX_IRQ:
            if time.ticks_diff(time.ticks_us(), begun) > _ANSWER_US:
                self._put(_COMMAND, _IDLE)
                return _SILENCE, b""
            nap(_LOOK_US)
        self._put(_FRAMING, 0)
        error = self._get(_ERROR)
        if error & _COLLISION:
            return _MANY, b""
        if error & _SPOILT or self._get(_CONTROL) & 7:
            return _NOISE, b""
        return _GOOD, bytes([self._get(_FIFO) for _ in range(self._get(_LEVEL) & 0x7F)])

    # the reader

    def _bring_up(self):
        """Reset it and set it up; its health."""
        self._lit = False
        self._reset.value(0)
        nap(100)
        self._reset.value(1)
        begun = time.ticks_ms()
        nap(200)
        while self._get(_COMMAND) & _POWER_DOWN:
            if time.ticks_diff(time.ticks_ms(), begun) > _START_UP_MS:
                return self._line() or NOT_IDLE
            nap(200)
        line = self._line()
        if line:
            return line
        if self._get(_VERSION) not in VERSIONS:
            return WRONG_VERSION
        for register, value in _SET_UP:
            self._put(register, value)
        for register, value in _SET_UP:
            if self._get(register) != value:
                return NOT_CONFIGURED
        return READY

    def _line(self):
        """READY, or what is wrong with the line: all zeros or ones are never data (ISSUES 11)."""
        version = self._get(_VERSION)
        return ALL_ZEROS if version == 0 else ALL_ONES if version == 0xFF else READY

    def version(self):
        """What its version register says."""
        return self._get(_VERSION)

    def _put(self, register, value):
        self._pair[0], self._pair[1] = register << 1, value
        self._select.value(0)
        self._spi.write(self._pair)
        self._select.value(1)

    def _get(self, register):
        pair = self._pair
        pair[0], pair[1] = 0x80 | register << 1, 0
        self._select.value(0)
        self._spi.write_readinto(pair, pair)
        self._select.value(1)
        return pair[1]
