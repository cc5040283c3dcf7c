"""Clock: milliseconds since boot that never wrap in use, and the microsecond ticks everything is stamped with."""

import time

us = time.ticks_us  # 30 bits, wraps every 17.9 minutes; compare with time.ticks_diff only


class Clock:
    """`ms()` must be called at least once in six days, half the period of `ticks_ms` (it is, many times a second)."""

    def __init__(self):
        self._last = time.ticks_ms()
        self._ms = self._last

    def ms(self):
        """Milliseconds since boot."""
        now = time.ticks_ms()
        self._ms += time.ticks_diff(now, self._last)
        self._last = now
        return self._ms
