"""What a real chip would have answered with a HardFault, and the emulator only warns of or does not notice at all.

Defects of the stock emulator mended here: a bad address reads as ffffffff with a line in a log; a store into the flash
window changes the flash, and one through a null pointer the boot ROM, without a word.
"""

import re

from pit.image import FLASH_BASE

# What MicroPython's start-up touches and the emulator does not model, without any consequence: both PLLs, the ring
# oscillator, two registers of the flash interface and the divider of the real-time clock.
_HARMLESS = re.compile(r"(PLL_SYS_BASE|PLL_USB_BASE|ROSC_BASE): Unimplemented peripheral|"
                       r"SSI: Unimplemented peripheral (read from 0x48$|write to 0x10:)|"
                       r"RTC_BASE: Unimplemented peripheral write to 0x0:")


class Faults:
    """The emulator's logger, and a check of the memory that only stray stores change."""

    def __init__(self):
        self._texts = []
        self._rom = None

    def watch_from_now(self, mcu, flash):
        """The content is loaded: what changes from now on is the firmware's doing."""
        self._rom = tuple(mcu.bootrom)
        flash.remember()

    def texts(self, mcu, flash):
        """Everything noticed so far, oldest first; each stray change is told once."""
        stray = flash.stray()
        if stray is not None:
            self._texts.append(f"FLASH: changed at 0x{FLASH_BASE + stray:08x} by no flash command")
            flash.remember()
        if tuple(mcu.bootrom) != self._rom:
            self._texts.append("ROM: changed by a store through a pointer near 0")
            self._rom = tuple(mcu.bootrom)
        return self._texts

    def warning(self, component, message):
        """Bad accesses, registers and instructions that are not implemented."""
        text = f"{component}: {message}"
        if not _HARMLESS.match(text):
            self._texts.append(text)

    error = warning

    def debug(self, component, message):
        """Not kept."""

    info = debug
