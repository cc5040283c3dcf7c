"""Watchdog: resets the chip unless it is fed; its registers tell after a reset which task was at work, and why.

Scratch registers 0 to 3 (RP2040 datasheet 4.7.6) keep what they hold over every reset but a loss of power; the boot ROM
and the SDK use 4 to 7. A store there allocates nothing and waits for nobody, so it is the last thing that a dying table
does. A reason in FRAM would have to pass the bus that may be what has died. MicroPython itself tells no difference
between a bite and `machine.reset()` (I-56).
"""

import machine
from micropython import const

# Causes of a boot, by number: what a table has noted before it went
TASK, HEAP, REBOOT, SERVICE = 1, 2, 3, 4
CAUSES = ("reset", "task", "heap", "reboot", "service", "watchdog")
LIMIT_MS = const(8000)  # the chip can do 8388 (I-57)
_AT_WORK = const(0x4005800C)
_REASON = const(0x40058010)  # _MARK | why << 8 | task
_ERRORS = const(0x40058014)  # MemoryErrors since power-up
_RESTARTS = const(0x40058018)  # by our own hand or by a bite, one after the other
_MARK = const(0x1FC00000)


def for_service():
    """Has the table restarted itself in order to go into service mode? Asked once: it is forgotten, and who was at work
    then, since the reset that ends the service mode is no bite."""
    asked = machine.mem32[_REASON] == _MARK | SERVICE << 8 and machine.reset_cause() != machine.PWRON_RESET
    if asked:
        machine.mem32[_REASON] = machine.mem32[_AT_WORK] = 0
    return asked


class Watchdog:
    """Once started it cannot be stopped: not at import, not in SERVICE (I-58). `reset()`: by our own hand."""

    def __init__(self):
        self.feed = None
        self.reset = machine.reset

    def start(self):
        self.feed = machine.WDT(timeout=LIMIT_MS).feed

    def at_work(self, task):
        """Task number `task` goes on now; whoever is named last when the chip is bitten is who did not come back."""
        machine.mem32[_AT_WORK] = task

    def note(self, why, task):
        """Why the table is about to stop. Allocates nothing."""
        machine.mem32[_REASON] = _MARK | why << 8 | task

    def count(self):
        """One more MemoryError. Allocates nothing."""
        machine.mem32[_ERRORS] += 1

    def errors(self):
        return machine.mem32[_ERRORS]

    def restarts(self, n=None):
        """Restarts without a healthy minute between them; `n` sets them."""
        if n is not None:
            machine.mem32[_RESTARTS] = n
        return machine.mem32[_RESTARTS]

    def leave(self, why):
        """Restart by our own hand, asked for by an operator: REBOOT or SERVICE."""
        self.restarts(0)
        self.note(why, 0)
        self.reset()

    def last(self):
        """(cause, task) of this boot, and forgets them: `power` or one of CAUSES, and the number of a task or 0."""
        reason, task = machine.mem32[_REASON], machine.mem32[_AT_WORK]
        machine.mem32[_REASON] = machine.mem32[_AT_WORK] = 0
        if machine.reset_cause() == machine.PWRON_RESET:
            machine.mem32[_ERRORS] = machine.mem32[_RESTARTS] = 0
            return "power", 0
        machine.mem32[_RESTARTS] += 1
        if reason & ~0xFFFF == _MARK:
            return CAUSES[reason >> 8 & 255], reason & 255
        return ("watchdog" if task else "reset"), task
