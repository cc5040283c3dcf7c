"""FRAM with I2C (FM24W256 kind): 32 kB, two address bytes, then data; a byte is kept as soon as it is acknowledged.

Content survives power cuts, and the power may fail in any write: before its first byte, between two of them (a byte is
whole or not there), or after the last. Reading and writing go on at address 0 behind the end, as on the part.
"""

from pit.emu.flash import TEARS, PowerCut

SIZE = 32768
ADDRESS = 0x50


class Fram:
    """`data`: the content. `writes`: writes with at least one data byte that have begun. `bytes`: data bytes written.

    cut(at_write, tear, rnd)  the power fails in the at_write-th write from now on (1 = the next)
    """

    def __init__(self, size=SIZE):
        self.data = bytearray(size)
        self.writes = self.bytes = 0
        self.log = []  # (address, bytes) of finished writes, if `logging`
        self.logging = False
        self.on_written = None  # function (address, bytes) called at the end of a write
        self._cut_at, self._tear, self._rnd = None, "torn", None
        self._address = self._given = self._left = 0
        self._begun = None  # address of the write that is under way

    def attach(self, board):
        board.i2c(0).devices[ADDRESS] = self

    def cut(self, at_write, tear, rnd):
        if tear not in TEARS:
            raise ValueError(f"tear is one of {TEARS}, not {tear!r}")
        self._cut_at, self._tear, self._rnd = at_write, tear, rnd
        self._left = None

    def start(self, reading):
        self._given = 2 if reading else 0  # a read goes on at the address of the write before it

    def write(self, value):
        if self._given < 2:
            self._address = (self._address << 8 | value) & 0xFFFF
            self._given += 1
            if self._given == 2:
                self._address %= len(self.data)
                self._begun = None
            return True
        if self._begun is None:
            self._begun = self._address
            self.writes += 1
            if self._cut_at is not None:
                self._cut_at -= 1
                if self._cut_at <= 0:
                    self._left = {"before": 0, "torn": self._rnd.randrange(1, 24), "after": 1 << 30}[self._tear]
        if self._cut_at is not None and self._cut_at <= 0:
            if not self._left:
                self._fail()
            self._left -= 1
        self.data[self._address] = value
        self.bytes += 1
        self._address = (self._address + 1) % len(self.data)
        return True

    def _fail(self):
        raise PowerCut(f"FRAM write at 0x{self._begun:04X}, {self._tear}, {self._address - self._begun} bytes written")

    def read(self):
        value = self.data[self._address]
        self._address = (self._address + 1) % len(self.data)
        return value

    def stop(self):
        if self._begun is None:
            return
        if self._cut_at is not None and self._cut_at <= 0:
            self._fail()
        if self.on_written:
            self.on_written(self._begun, self._address - self._begun)
        if self.logging:
            self.log.append((self._begun, self._address - self._begun))
        self._begun = None

    def power_up(self):
        """The power is back: no cut is planned."""
        self._cut_at = self._begun = None
