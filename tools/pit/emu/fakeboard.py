"""A board without a processor: the same clock, pins, SPI and UART for the models, driven by a test or by nobody.

For tests of the models alone and for driving them from Python: `set(gp, level)` is what firmware would do to a pin,
`clock()` what it would do on the SPI, `type()` what it would send on the UART. Time moves only in `run_us()`. It also
stands in for the real board while a table has no power.
"""

import heapq
import itertools


class _Alarm:
    def __init__(self, fn):
        self.fn = fn

    def cancel(self):
        """The alarm does not fire."""
        self.fn = None


class _Spi:
    def __init__(self):
        self.device, self.spi_mode, self.clock_frequency, self.shifting = None, 0, 6_000_000, False

    def read_uint32(self, offset):
        """Only the BSY flag of SSPSR is here."""
        return 0x10 if self.shifting else 0


class _Uart:
    def __init__(self):
        self.callbacks, self.received, self.sending = [], bytearray(), 0

    def listen(self, fn):
        """`fn(byte)` for every byte from the board."""
        self.callbacks.append(fn)

    def send(self, data):
        """Bytes to the board, at once."""
        self.received += data


class _I2c:
    def __init__(self):
        self.devices = {}


class FakeBoard:
    """`alarms`: how many alarms have fired, to show that models are sparing with them. `out`: nothing is ever said."""

    def __init__(self):
        self.now_ns = 0
        self.alarms = self.resets = 0
        self.out, self.faults = bytearray(), []
        self._queue, self._order = [], itertools.count()
        self._listeners, self._driven, self._external = {}, {}, {}
        self._spi, self._uarts = _Spi(), [_Uart(), _Uart()]

    @property
    def now_us(self):
        """Microseconds since power-up."""
        return self.now_ns / 1000

    def after_us(self, us, fn):
        """Call `fn` in `us` microseconds; returns an alarm with cancel()."""
        alarm = _Alarm(fn)
        heapq.heappush(self._queue, (self.now_ns + round(us * 1000), next(self._order), alarm))
        return alarm

    def run_ms(self, ms, until=None):
        """As run_us, in ms."""
        return self.run_us(ms * 1000, until)

    def run_us(self, us, until=None):
        """Let time pass, firing alarms at their instants. `until` is asked once, at the end."""
        end_ns = self.now_ns + round(us * 1000)
        while self._queue and self._queue[0][0] <= end_ns:
            self.now_ns, _, alarm = heapq.heappop(self._queue)
            if alarm.fn is not None:
                self.alarms += 1
                alarm.fn()
        self.now_ns = end_ns
        return until is None or bool(until())

    def send(self, data):
        """Nobody listens."""

    def spi(self, number):
        """The one SPI block."""
        return self._spi

    def i2c(self, number):
        """I2C bus `number`: nobody speaks on it."""
        return _I2c()

    def uart(self, number):
        """UART block `number`."""
        return self._uarts[number]

    def on_pin(self, gp, fn):
        """Call `fn(level, ns)` when set() changes the pin."""
        self._listeners.setdefault(gp, []).append(fn)

    def drive(self, gp, level):
        """What a model puts on a pin."""
        self._external[gp] = bool(level)

    def release(self, gp):
        """The model lets go of the pin."""
        self._external.pop(gp, None)

    def analog(self, gp, fn):
        """Nobody converts it."""

    def pin(self, gp):
        """The level at the pin: what set() drives wins."""
        return self._driven.get(gp, self._external.get(gp, False))

    def set(self, gp, level):
        """What firmware would drive; None = high impedance."""
        before = self.pin(gp)
        if level is None:
            self._driven.pop(gp, None)
        else:
            self._driven[gp] = bool(level)
        if self.pin(gp) is not before:
            for fn in self._listeners.get(gp, ()):
                fn(not before, self.now_ns)

    def clock(self, data):
        """Clock bytes out on the SPI at its baud; returns the bytes clocked in."""
        answer = bytearray()
        for byte in data:
            answer.append(self._spi.device.exchange(byte))
            self.run_us(8e6 / self._spi.clock_frequency)
        return bytes(answer)

    def type(self, data, uart=0):
        """Bytes the firmware would send on a UART."""
        for byte in data:
            for fn in self._uarts[uart].callbacks:
                fn(byte)
