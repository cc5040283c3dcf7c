"""The main loop of the emulated chip, in Python: what _loop.pyx does in C, where there is no compiler.

One pass is one CPU instruction, or one step of a CPU that sleeps (WFE, WFI) or is stalled by the flash chip. Time is
split at every alarm and at every PIO instruction (pio.py). Both loops give the same cycle counts and the same memory,
and, as long as no PIO runs, the same as the emulator's own loop (test_speed.py).
"""

from rp2040py.execute_batch import execute_batch

from pit.emu.pio import CYCLE_NS, NEVER, PioClock

_CLEAR_CYCLES = 64  # longer than any CPU instruction takes
_CLEAR_NS = _CLEAR_CYCLES * CYCLE_NS


class _Stretch:
    """Lets the emulator's own loop run while nothing but CPU instructions can happen: it asks `stopped` before each."""

    def __init__(self, loop, mcu):
        self.rp2040, self.clock = mcu, mcu.clock
        self._loop, self._core = loop, mcu.core
        self._block0, self._block1 = mcu.pio

    @property
    def stopped(self):
        """True if the next instruction may meet an alarm, a PIO instruction, a sleeping CPU or the end of the run."""
        block0, block1 = self._block0, self._block1
        return (self._core.waiting or self._loop.stopped or self.clock.nanos_to_next_alarm < _CLEAR_NS
                or not block0.stopped and block0.next_due_fp - block0.cycle_fp < _CLEAR_CYCLES << 8
                or not block1.stopped and block1.next_due_fp - block1.cycle_fp < _CLEAR_CYCLES << 8
                or self._loop.stall_until > self.clock.nanos)


class Loop:
    """Runs `mcu` until told to stop.

    stopped      set it (from any callback) to leave run() after the instruction in hand
    stall_until  ns; the CPU executes nothing before, whatever interrupts are pending (flash.py)
    """

    def __init__(self, mcu):
        self._core = mcu.core
        self._clock = mcu.clock
        self._pio = PioClock(mcu)
        self._stretch = _Stretch(self, mcu)
        self.stopped = True
        self.stall_until = 0.0

    def run(self):
        """Execute until `stopped`. Exceptions of callbacks pass through; the chip is then in the middle of a step."""
        core, clock = self._core, self._clock
        self.stopped = False
        while not self.stopped:
            if core.waiting or clock.nanos < self.stall_until:
                self._sleep()
            else:
                cycles = core.execute_instruction()
                self._advance(clock.nanos + cycles * CYCLE_NS)
                execute_batch(self._stretch, 1)
                self._pio.skip_to(clock.nanos)

    def _sleep(self):
        """One step without the CPU: to the next alarm, PIO instruction or end of the stall, whichever comes first."""
        now = self._clock.nanos
        target = self._pio.due_ns(now)
        if self._clock.has_scheduled_alarm:
            target = min(target, now + self._clock.nanos_to_next_alarm)
        if now < self.stall_until:
            target = min(target, self.stall_until)
        if target == NEVER:
            self.stopped = True  # asleep for good: nothing is left that could wake it
        else:
            self._advance(target)

    def _advance(self, target):
        """Let emulated time pass up to `target` (ns), with alarms and PIO in their order; alarms first on a tie."""
        clock, pio = self._clock, self._pio
        while True:
            now = clock.nanos
            step = min(target, pio.due_ns(now))
            if clock.has_scheduled_alarm:
                step = min(step, now + clock.nanos_to_next_alarm)
            pio.count_to(step)
            clock.tick(step - now)
            pio.run_due()
            if step >= target:
                return

    def close(self):
        """Let go of the chip (see Board.close)."""
        self._core = self._clock = self._pio = self._stretch = None
