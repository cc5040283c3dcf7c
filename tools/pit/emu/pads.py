"""The GPIO pads: external levels in, driven levels out, and read-back, all without invented edges.

Defects of the stock emulator mended here:
 - `set_input_value()` latches an edge interrupt at every call, even if the level stays (three calls, three IRQs), and
   so does a firmware that merely switches the input buffer on. `Pad` latches an edge only where the level the chip
   sees has changed.
 - a pin that the firmware drives reads back 0 (`Pin.value()`, open drain, an interrupt on one's own pin). `Pads`
   mirrors the driven level into the input.
 - listeners of a pin sit in a set, so their order differs from run to run, and they may be told nothing at a chip
   reset. Here each pin has one listener, callbacks run in the order they were added, and `resync()` follows a reset.
 - pads start with the input buffer off.
"""

from rp2040py.gpio_pin import GPIOPin, GPIOPinState

PINS = 30
_PAD_RESET = 0x56  # PADS_BANK0 GPIOn: input enabled, 4 mA, pull-down, Schmitt trigger (datasheet 2.19.6.3)
_INPUT_ENABLE = 1 << 6
_PULL_DOWN, _PULL_UP = 1 << 2, 1 << 3
_LEVEL_HIGH, _LEVEL_LOW = 1 << 1, 1 << 0  # IO_BANK0 INTR bits (datasheet 2.19.6.1)
_DRIVEN = {GPIOPinState.HIGH: True, GPIOPinState.LOW: False}


class Pad(GPIOPin):
    """A GPIO pin whose interrupt logic sees an edge only where there is one."""

    seen = False  # the level behind the input buffer when the interrupt logic last looked

    def __init__(self, mcu, index):
        super().__init__(mcu, index)
        self.pad_value = _PAD_RESET
        self.irq_status = _LEVEL_LOW

    def reset(self, io=True, pads=True):
        """Registers back to power-on; what is connected to the pin stays (as stock, with the right pad value)."""
        super().reset(io=io, pads=pads)
        if pads:
            self.pad_value = _PAD_RESET
        if io:
            self.irq_status = _LEVEL_HIGH if self.seen else _LEVEL_LOW

    def _apply_input_value(self, value):
        seen = bool(value) and bool(self.pad_value & _INPUT_ENABLE)
        if seen is self.seen:
            self._raw_input_value = bool(value)
        else:
            self.seen = seen
            super()._apply_input_value(value)


class Pads:
    """All pins of the chip, as the circuit around it sees them."""

    def __init__(self, mcu):
        self._mcu = mcu
        self._clock = mcu.clock
        mcu.gpio[:] = [Pad(mcu, index) for index in range(PINS)]
        self._external = [None] * PINS  # what the circuit applies: True, False, or None = nothing connected
        self._callbacks = [[] for _ in range(PINS)]
        self._level = [False] * PINS
        for index, pad in enumerate(mcu.gpio):
            pad.add_listener(self._listener(index, pad))
            self._level[index] = self._follow(index, pad, pad.value)

    def _listener(self, index, pad):
        def changed(state, _before):
            level = self._follow(index, pad, state)
            if level is not self._level[index]:
                self._level[index] = level
                for fn in self._callbacks[index]:
                    fn(level, self._clock.nanos)
        return changed

    def _follow(self, index, pad, state):
        """Put the level at the pad into its input; returns it. Driven wins over external, external over the pull."""
        level = _DRIVEN.get(state, self._external[index])
        if level is not None:
            pad.set_input_value(level)
            return level
        pad.release_input()
        pulls = pad.pad_value & (_PULL_DOWN | _PULL_UP)
        if pulls == _PULL_UP or pulls == _PULL_DOWN:
            return pulls == _PULL_UP
        return pad._raw_input_value  # floating or bus keeper: as it was left

    def _apply(self, index):
        pad = self._mcu.gpio[index]
        self._level[index] = self._follow(index, pad, pad.value)

    def drive(self, index, level):
        """The circuit applies `level` to the pin from now on; a driven pin keeps its own level until it lets go."""
        level = bool(level)
        if self._external[index] is not level:
            self._external[index] = level
            self._apply(index)

    def release(self, index):
        """The circuit lets go of the pin: only the pull inside the chip is left."""
        if self._external[index] is not None:
            self._external[index] = None
            self._apply(index)

    def level(self, index):
        """Level at the pad now."""
        pad = self._mcu.gpio[index]
        level = _DRIVEN.get(pad.value, self._external[index])
        if level is not None:
            return level
        return self._follow(index, pad, pad.value)

    def on_change(self, index, fn):
        """`fn(level, ns)` whenever the firmware's side changes the level at the pad (not when drive() does)."""
        self._callbacks[index].append(fn)

    def resync(self):
        """After a chip reset, which changes pins without telling: follow all of them, call back where levels moved."""
        for index, pad in enumerate(self._mcu.gpio):
            self._listener(index, pad)(pad.value, None)

    def close(self):
        """Let go of the chip (see Board.close)."""
        for pad in self._mcu.gpio:
            pad._listeners.clear()
        self._callbacks = [[] for _ in range(PINS)]
        self._mcu = self._clock = None
