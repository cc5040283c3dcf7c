"""The TIMER block and SEVONPEND: alarms on their microsecond, and a WFE that a masked alarm wakes.

Defects of the stock emulator mended here:
 - an alarm fires up to 1 us before its time, since the distance is cut to whole microseconds from a fraction.
 - SCR.SEVONPEND (ARMv6-M B3.2.7) is not stored, and an interrupt that becomes pending while it is masked in the NVIC
   does not wake WFE: a nap on ALARM0 without a handler would never end. MicroPython sets the bit at its start.
 - reading the time goes through many comparisons; `time.sleep_us` spins on it, so it is looked at first here.
"""

from rp2040py.peripherals.ppb import RPPPB
from rp2040py.peripherals.timer import ALARM0, ALARM3, TIMER_INTERRUPTS, TIMERAWH, TIMERAWL, RPTimer

TIMER_BASE = 0x40054  # upper bits of the address, as the emulator keys its peripherals
_WORD = 0xFFFFFFFF
_US_NS = 1000
_SCR = 0xD10
_SEVONPEND = 1 << 4


class Ppb(RPPPB):
    """Private peripheral bus with the system control register."""

    scr = 0

    def reset(self):
        """As stock, and SCR back to 0."""
        super().reset()
        self.scr = 0

    def read_uint32(self, offset):
        """Register at `offset` from 0xE000E000."""
        return self.scr if offset == _SCR else super().read_uint32(offset)

    def write_uint32(self, offset, value):
        """Register at `offset` from 0xE000E000."""
        if offset == _SCR:
            self.scr = value & _WORD
        else:
            super().write_uint32(offset, value)

    def pended(self, irq):
        """An interrupt has become pending: if it is masked and SEVONPEND is set, it is an event for WFE."""
        core = self.rp2040.core
        if self.scr & _SEVONPEND and not core.enabled_interrupts >> irq & 1:
            if core.waiting:
                core.waiting = False
            else:
                core.event_registered = True


class Timer(RPTimer):
    """The microsecond timer with alarms that fire on their microsecond."""

    def read_uint32(self, offset):
        """Register at `offset` from TIMER_BASE."""
        if offset == TIMERAWL or offset == TIMERAWH:
            us = int((self.clock.nanos - self._epoch_nanos) / _US_NS)
            return us & _WORD if offset == TIMERAWL else us >> 32
        return super().read_uint32(offset)

    def write_uint32(self, offset, value):
        """Register at `offset` from TIMER_BASE; a write to ALARMn arms it."""
        if not ALARM0 <= offset <= ALARM3:
            super().write_uint32(offset, value)
            return
        alarm = self.alarms[(offset - ALARM0) // 4]
        now_ns = self.clock.nanos - self._epoch_nanos
        now_us = int(now_ns / _US_NS)
        due_ns = (now_us + (value - now_us & _WORD)) * _US_NS
        alarm.armed = True
        alarm.target_micros = value
        alarm.clock_alarm.schedule(max(0.0, due_ns - now_ns))

    def _fire_alarm(self, index):
        super()._fire_alarm(index)
        if self._int_enable >> index & 1:
            self.rp2040.ppb.pended(TIMER_INTERRUPTS[index])


def mend(mcu):
    """Put both blocks into the chip in place of the stock ones."""
    mcu.ppb.rp2040 = mcu.timer.rp2040 = None  # the old ones live on in their own alarms: without the chip
    mcu.ppb = Ppb(mcu, "PPB")
    mcu.timer = mcu.peripherals[TIMER_BASE] = Timer(mcu, "TIMER_BASE")
