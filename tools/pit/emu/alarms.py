"""One-shot alarms of the models, on the cycle grid of the chip."""

GRID_NS = 8  # everything happens on cycles of clk_sys, 125 MHz
_ROUNDING_NS = 0.001  # error of a time that was once divided by 1000


def grid(ns):
    """The next multiple of 8 ns, at least 0: never early, or a model that asks "is it time?" would ask for ever."""
    return max(0.0, -(-(ns - _ROUNDING_NS) // GRID_NS) * GRID_NS)


class Alarm:
    """Calls `fn()` once, `delta_ns` from now; cancel() if it has not fired."""

    __slots__ = ("_alarm", "_fn")

    def __init__(self, clock, delta_ns, fn):
        self._fn = fn
        self._alarm = clock.create_alarm(self._fire)
        self._alarm.schedule(grid(delta_ns))

    def _fire(self):
        fn, self._fn, self._alarm = self._fn, None, None  # no cycle is left behind
        fn()

    def cancel(self):
        """Do not fire. Harmless if it has fired."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._fn = self._alarm = None

    @property
    def active(self):
        """True until fired or cancelled."""
        return self._alarm is not None
