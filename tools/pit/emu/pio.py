"""The two PIO blocks on emulated time: when is the next instruction due, and how far have their clocks counted.

Defect of the stock emulator: it gives a block ONE instruction per pass of its main loop, so a state machine
 - stands still while the CPU sleeps in WFE (one instruction per jump to the next alarm, be it 50 ms away), and
 - falls behind while the CPU is awake (the loop passes once per CPU instruction, 1.8 cycles on average), with its pin
   changes stamped at the end of a CPU instruction instead of at their own cycle.
Mended here: the loop (loop.py, _loop.pyx) asks `due_ns` and stops the clock at every PIO instruction, asleep or awake,
so pins move at their exact cycle (8 ns). A block whose machines all stall has no due time: it costs one comparison a
CPU instruction until a register write, a FIFO word or a pin change gives it one. That is what parks it.
Not modelled: the two cycles of the input synchroniser.
"""

CYCLE_NS = 8.0  # clk_sys = 125 MHz; the emulator knows no other
NEVER = float("inf")
_NO_DUE_FP = 1 << 60  # the emulator's "never" (1 << 62) and anything near it


class PioClock:
    """Keeps the counters of both blocks in step with the clock. Pure Python twin of what _loop.pyx does in C."""

    def __init__(self, mcu):
        self._blocks = mcu.pio
        self._cycle = int(mcu.clock.nanos / CYCLE_NS)

    def due_ns(self, now_ns):
        """When the next PIO instruction is due, ns, never before `now_ns`; NEVER if every machine stalls or is off."""
        due = NEVER
        for block in self._blocks:
            if not block.stopped and block.next_due_fp < _NO_DUE_FP:
                cycles = max(0, (block.next_due_fp - block.cycle_fp + 255) >> 8)
                due = min(due, (self._cycle + cycles) * CYCLE_NS)
        return max(due, now_ns)

    def count_to(self, ns):
        """Bring the counters to the instant `ns`. Before the alarms of that instant run: they re-arm machines by it."""
        cycle = int(ns / CYCLE_NS)
        passed = (cycle - self._cycle) << 8
        self._cycle = cycle
        for block in self._blocks:
            if not block.stopped:
                block.cycle_fp += passed

    def skip_to(self, ns):
        """The emulator's own loop has run up to `ns` and has counted the blocks already."""
        self._cycle = int(ns / CYCLE_NS)

    def run_due(self):
        """Let every machine that is due execute its one instruction; pin listeners fire from here."""
        for block in self._blocks:
            if not block.stopped and block.next_due_fp <= block.cycle_fp:
                block.advance(0)
