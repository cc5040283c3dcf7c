"""The clock chip: a DS3231 on I2C. It runs by its battery while the table has no power.

Time, date and status (OSF); alarms, control, ageing and temperature are not asked for, and an error here.
"""

from datetime import datetime, timedelta

from pit.emu.cabled import Cabled
from pit.emu.modelerror import NotModelled

STATUS = 0x0F
OSF = 0x80


class Rtc(Cabled):
    """`stopped`: its oscillator has stopped since it was set, as before the first time."""

    ADDRESS = 0x68

    def __init__(self):
        self.stopped = True
        self._set_to = datetime(2000, 1, 1)
        self._board = None

    def attach(self, board):
        """As of Cabled; it counts from there what the board counts. Its battery keeps it going without a cable."""
        if board is not self._board:
            self._set_ns = board.now_ns
        super().attach(board)

    def powered(self):
        self._pointer = self._given = 0

    def detach(self):
        """The power of that board is about to go; the chip keeps its time."""
        self._set_to = self.now()

    def wait(self, **time):
        """Time that the board does not see, such as hours=3 without power."""
        self._set_to += timedelta(**time)

    def flat(self):
        """Its battery has been empty."""
        self.stopped, self._set_to, self._set_ns = True, datetime(2000, 1, 1), self._board.now_ns

    def now(self):
        """What it shows (datetime)."""
        return self._set_to + timedelta(microseconds=(self._board.now_ns - self._set_ns) // 1000)

    def _registers(self):
        now = self.now()
        values = (now.second, now.minute, now.hour, now.isoweekday(), now.day, now.month, now.year % 100)
        return bytearray(value // 10 << 4 | value % 10 for value in values)

    # as a device of the bus

    def start(self, reading):
        self._reading, self._given = reading, 0
        if reading:
            self._held = self._registers()
        else:
            self._new = {}

    def write(self, value):
        self._given += 1
        if self._given == 1:
            self._pointer = value
            return True
        self._new[self._pointer] = value
        self._pointer += 1
        return True

    def read(self):
        at, self._pointer = self._pointer, self._pointer + 1
        if at < len(self._held):
            return self._held[at]
        if at == STATUS:
            return OSF if self.stopped else 0
        raise NotModelled(f"clock chip: register {at:02x} is not modelled")

    def stop(self):
        if self._reading or not self._new:
            return
        new, self._new = self._new, {}
        if set(new) == {STATUS}:
            self.stopped = self.stopped and bool(new[STATUS] & OSF)
        elif set(new) == set(range(7)):
            second, minute, hour, _, day, month, year = ((new[at] >> 4) * 10 + (new[at] & 15) for at in range(7))
            self._set_to, self._set_ns = datetime(2000 + year, month, day, hour, minute, second), self._board.now_ns
        else:
            raise NotModelled(f"clock chip: writing registers {sorted(new)} is not modelled")
