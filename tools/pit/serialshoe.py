"""`pit shoe`: the shoe of pit.sim.shoe on a serial line, for bench tests of a real board. No beams: they are wired."""

import heapq
import itertools
import time

from pit import contract, ports
from pit.errors import NoTable, PitError
from pit.sim import ots1
from pit.sim.shoe import FAULTS, Shoe

READ_S = 0.02  # how long a look at the line may take
NEED_BEAMS = ("blocked", "push-in")


class SerialWire:
    """The wire of a Shoe: a pyserial port and the clock of this PC. `tell(text)` gets lines for people."""

    def __init__(self, port, tell=lambda text: None, clock=time.monotonic):
        self._port, self._tell, self._clock = port, tell, clock
        self._began = clock()
        self._queue, self._order = [], itertools.count()
        self._free_us = 0
        self.shoe = Shoe(self)
        self._told = [0, 0]

    def now_us(self):
        """Microseconds since this object was made."""
        return int((self._clock() - self._began) * 1e6)

    def after(self, us, function, *arguments):
        """Call later, from run()."""
        heapq.heappush(self._queue, (self.now_us() + us, next(self._order), function, arguments))

    def put(self, data, spoiled):
        """Bytes to the table; spoiled ones go at half the speed, so that their stop bits are missed."""
        baud = self._port.baudrate
        if spoiled:
            self._port.baudrate = baud // 2
        self._port.write(data)
        if spoiled:
            self._port.flush()
            self._port.baudrate = baud
        self._free_us = max(self.now_us(), self._free_us) + len(data) * 10_000_000 // self._port.baudrate

    def busy_us(self):
        """Until the last byte has left."""
        return max(0, self._free_us - self.now_us())

    def run(self, ms):
        """Be a shoe for so long. Raises PitError if the line goes away or the table does not speak OTS-1."""
        import serial

        end_us = self.now_us() + ms * 1000
        try:
            while self.now_us() < end_us:
                while self._queue and self._queue[0][0] <= self.now_us():
                    _, _, function, arguments = heapq.heappop(self._queue)
                    function(*arguments)
                for byte in self._port.read(self._port.in_waiting or 1):
                    self.shoe.hear(byte)
                self._tell_new()
        except ots1.ShoeProtocolError as error:
            raise PitError(f"what the table sends is not OTS-1 ({error}): is it the right port, and the right speed?")
        except (serial.SerialException, OSError) as error:
            raise PitError(f"the serial line went away ({error}): is its adapter plugged in?")

    def _tell_new(self):
        for way, lines in enumerate((self.shoe.log, self.shoe.heard)):
            for us, *what in lines[self._told[way]:]:
                text = what[0][1:-5].decode() if way == 0 else ",".join([what[0], *what[1]])
                self._tell(f"{us / 1e6:9.3f} {'<>'[1 - way]} {text}")
            self._told[way] = len(lines)


def check(cards, faults):
    """The list of codes in `cards` (comma between them). Raises PitError for a word that is none."""
    codes = [code.strip().upper() for code in cards.split(",") if code.strip()]
    for code in codes:
        if code not in contract.CODES and code != contract.MISREAD:
            raise PitError(f"{code} is no card: write rank and suit such as TH or 9C, or ??, with commas between them")
    for fault in faults:
        if fault not in FAULTS:
            raise PitError(f"{fault} is no fault of a shoe: choose from {' '.join(FAULTS)}")
        if fault in NEED_BEAMS:
            raise PitError(f"fault {fault} needs the beams, which are not on this line: do it by hand at the mouth")
    return codes


def play(port, codes, faults=(), every_ms=400, rest_ms=2000, tell=print):
    """Draw the cards, one each `every_ms`, the first fault before the first card and so on; then go on for `rest_ms`.
    Returns the sequence numbers that the table has not acknowledged."""
    wire = SerialWire(port, tell)
    wire.shoe.start()
    wire.run(every_ms)
    for code, fault in itertools.zip_longest(codes, faults):
        if fault:
            wire.shoe.fault(fault)
        if code:
            wire.shoe.draw(code)
        wire.run(every_ms)
    wire.run(rest_ms)
    return wire.shoe.unacknowledged


def run(device, cards, faults, every_ms, seconds, baud):
    """What `pit shoe` does; returns its exit status: 1 if the table has left a line unacknowledged."""
    import serial

    codes = check(cards, faults)
    try:
        port = serial.serial_for_url(device, baudrate=baud, timeout=READ_S, exclusive=True)
    except (serial.SerialException, ValueError, OSError) as error:
        raise NoTable(f"{device} cannot be opened ({ports.reason(error)}): is the adapter plugged in, and does no "
                      "other program use it?")
    with port:
        try:
            missing = play(port, codes, faults, every_ms, round(seconds * 1000))
        except KeyboardInterrupt:
            return 0
    if missing:
        print(f"{len(missing)} lines were not acknowledged: "
              f"{' '.join(f'{number:02X}' for number in missing)}")
    return 1 if missing else 0
