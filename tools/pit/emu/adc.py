"""The ADC: samples the circuit when a conversion begins, one conversion for each start.

Defects of the stock emulator mended here:
 - CS.START_ONE is self-clearing (datasheet 4.9.6); the stock block keeps it, so whoever switches the channel starts a
   conversion that nobody asked for, and the next start finds the block busy and is lost.
 - the input is looked at when the conversion ends; the real one holds its sample from the beginning (2 us earlier).
"""

from rp2040py.peripherals.adc import CS, CS_START_ONE, RPADC

ADC_BASE = 0x4004C  # upper bits of the address, as the emulator keys its peripherals
FIRST_GP = 26  # channel 0
FULL_SCALE_V = 3.3
_CODES = 4096
_US_NS = 1000


class Adc(RPADC):
    """The ADC block. `inputs`: channel -> fn() -> volts at that instant; a channel without one reads 0."""

    def __init__(self, mcu):
        super().__init__(mcu, "ADC")
        self.inputs = {}
        self._held = 0

    def write_uint32(self, offset, value):
        """Register at `offset` from ADC_BASE."""
        super().write_uint32(offset, value)
        if offset == CS:
            self.cs &= ~CS_START_ONE

    def _default_on_adc_read(self, channel):
        volts = self.inputs[channel]() if channel in self.inputs else 0.0
        self._held = min(_CODES - 1, max(0, int(volts / FULL_SCALE_V * _CODES)))
        self.sample_alarm.schedule(self.sample_time * _US_NS)

    def _on_sample_alarm(self):
        self.complete_adc_read(self._held, False)


def mend(mcu):
    """Put the block into the chip in place of the stock one."""
    mcu.adc.rp2040 = None  # lives on in its own alarms: without the chip
    mcu.adc = mcu.peripherals[ADC_BASE] = Adc(mcu)
