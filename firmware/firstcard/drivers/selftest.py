"""Wiring of the readers: what does not answer, and which wire that means. Loaded for a self-test, then forgotten.

Frames are sent here whatever BUSY says, for BUSY may be what is broken. The probe: a soft reset keeps the reader that
has heard it busy for 2.4 ms, so a look through the BUSY multiplexer at every address shows who that was. Only while no
round is running: all readers are reset, and have to be brought up again (Readers.power_up).
"""

from machine import SPI, Pin

from firstcard.drivers.nap import nap

START_UP_US = 3000
LATEST_BUSY_US = 1500  # of whatever a reader may have been doing
LEAST_VERSION = 0x0304  # of its firmware; older ones lack what the driver uses
NOBODY = b"\xff\xff"
_GET_VERSION = b"\x07\x12\x02"
_SOFT_RESET = b"\x01\x00\x00\x01\x00\x00"
_CRC_ON = b"\x01\x19\x01\x00\x00\x00"
_GET_CRC = b"\x04\x19"


class Bench:
    """The wires of the readers of `board`, one by one."""

    def __init__(self, board):
        self._strobe = Pin(board.STROBE, Pin.OUT, value=1)
        self._lines = [Pin(board.SELECT + n, Pin.OUT, value=0) for n in range(5)]
        self._busy = Pin(board.BUSY, Pin.IN)
        self._spi = SPI(board.SPI, baudrate=board.SPI_BAUD, polarity=0, phase=0, sck=Pin(board.SPI_SCK),
                        mosi=Pin(board.SPI_MOSI), miso=Pin(board.SPI_MISO))
        self._reset = Pin(board.READER_RESET, Pin.OUT, value=1)
        self.rose = 0  # addresses (bits) at which BUSY has risen in a frame

    def busy(self, select):
        for n in range(5):
            self._lines[n].value(select >> n & 1)
        return self._busy.value()

    def send(self, select, frame, size=0):
        """One command, and the `size` bytes of its answer."""
        if self.busy(select):
            nap(LATEST_BUSY_US)
        self._strobe.value(0)
        self._spi.write(frame)
        if self._busy.value():
            self.rose |= 1 << select
        self._strobe.value(1)
        if not size:
            return b""
        nap(50)
        answer = bytearray(size)
        self._strobe.value(0)
        self._spi.readinto(answer, 0xFF)
        self._strobe.value(1)
        nap(20)
        return bytes(answer)

    def reset(self):
        self._reset.value(0)
        nap(100)
        self._reset.value(1)
        nap(START_UP_US)

    def heard_by(self, select, addresses):
        """The addresses at which a reader is busy after a soft reset of the one at `select`."""
        self.send(select, _SOFT_RESET)
        nap(60)
        found = [n for n in addresses if self.busy(n)]
        nap(START_UP_US)
        return found


def run(board, readers=None):
    """Yields (part, "ok" or what is wrong, figure): of the wires that all share, else of each reader. `readers` is not
    asked: what they know may be wrong."""
    bench = Bench(board)
    addresses = list(range(board.ANTENNAS))
    if board.TRAY_ANTENNA:
        addresses.append(board.TRAY_ANTENNA)
    bench.reset()
    idle = {n: bench.busy(n) for n in addresses}
    versions = {n: bench.send(n, _GET_VERSION, 2) for n in addresses}
    rose = bench.rose
    talking = [n for n in addresses if versions[n] not in (NOBODY, b"\0\0")]
    if min(idle.values()):
        yield "readers", "busy-stuck-high" if talking else "reset-held-or-no-supply", "%d readers answer" % len(talking)
        return
    heard = {n: bench.heard_by(n, addresses) for n in addresses}
    hearing = [n for n in addresses if heard[n]]
    if not bench.busy(board.ANTENNAS) and not rose and talking:
        yield "readers", "busy-stuck-low", "%d readers answer" % len(talking)
        return
    if not hearing and not talking:
        yield "readers", "mosi-broken" if rose else "no-supply-clock-or-strobe", "no reader answers"
        return
    if not talking:
        stuck = "miso-stuck-low" if versions[0] == b"\0\0" else "miso-stuck-high"
        yield "readers", stuck, "%d readers hear" % len(hearing)
        return
    stuck = _stuck_line(heard)
    if stuck >= 0:
        yield "readers", "select-a%d-stuck" % stuck, "-"
        return
    bench.send(talking[0], _CRC_ON)
    bench.reset()
    if bench.send(talking[0], _GET_CRC, 4)[0] & 1:
        yield "readers", "reset-broken", "-"
        return
    wrong = False
    for n in addresses:
        verdict = "busy-wire" if idle[n] else _verdict(n, heard, versions, rose)
        if verdict:
            wrong = True
            yield "reader-%d" % n, verdict, "%d.%d" % (versions[n][1], versions[n][0]) if n in talking else "-"
    if not wrong:
        yield "readers", "ok", "%d" % len(addresses)


def _stuck_line(heard):
    """The address line that makes no difference: addresses that differ in it alone are the same reader. -1: none."""
    for line in range(5):
        pairs = [n for n in heard if n ^ 1 << line in heard]
        if pairs and min([n ^ 1 << line in heard[n] for n in pairs]):
            return line
    return -1


def _verdict(n, heard, versions, rose):
    """What is wrong with reader `n`, or None."""
    others = [other for other in heard[n] if other != n]
    talks = versions[n] not in (NOBODY, b"\0\0")
    if others and n not in heard[n]:
        return "nss-swapped-with-%d" % others[0]
    if n not in heard[n]:
        return "busy-wire" if talks else "not-configured" if rose >> n & 1 else "no-supply-or-nss"
    if not talks:
        return "miso-wire"
    if versions[n][0] | versions[n][1] << 8 < LEAST_VERSION:
        return "wrong-version"
    return None
