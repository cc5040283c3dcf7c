"""Nap: put the CPU to sleep for a few hundred microseconds without spinning.

`time.sleep_us` spins: awake it costs power, and on an emulated board wall time. This sleeps in WFE on hardware alarm
0 of the timer, which MicroPython leaves free (its alarm pool owns alarm 3, soft timers alarm 2). The alarm's
interrupt stays disabled in the NVIC: with SEVONPEND set, an interrupt that only becomes *pending* is enough to wake
WFE. Any other interrupt wakes the CPU too, is served, and the nap goes on.

Every table imports this, so here the drivers also find out whether a sound compiler made them.
"""

import micropython
from micropython import const

_TIMER_PAGE = const(0x40054)  # TIMER, RP2040 datasheet 4.6.5, address >> 12
_PPB_PAGE = const(0xE000E)  # Cortex-M0+ system registers, address >> 12
_LEAST_US = const(4)  # shorter than this the alarm might be set behind the clock


@micropython.asm_thumb
def _wfe():
    data(2, 0xBF20)  # a name of the assembler


@micropython.viper
def nap(us: int):
    """Sleep `us` microseconds (at most 2**30). Allocates nothing; interrupts stay on."""
    page = _TIMER_PAGE  # addresses above 2**30 are built by a shift: as constants they would be objects
    timer = ptr32(page << 12)
    page = _PPB_PAGE
    ppb = ptr32(page << 12)
    end = int(timer[10]) + us  # TIMERAWL
    ppb[0xD10 >> 2] = int(ppb[0xD10 >> 2]) | 0x10  # SCR.SEVONPEND
    timer[14] = int(timer[14]) | 1  # INTE, alarm 0
    while end - int(timer[10]) >= _LEAST_US:
        timer[4] = end  # ALARM0 arms itself
        _wfe()
        timer[13] = 1  # INTR, alarm 0
        ppb[0x280 >> 2] = 1  # NVIC_ICPR, TIMER_IRQ_0
    timer[8] = 1  # disarm


@micropython.viper
def _index_after(words: ptr32, index: int) -> int:
    words[0] = words[index]
    return index


if _index_after(bytearray(8), 1) != 1:
    # MicroPython's viper of 1.26 to 1.28 leaves an index four times as large after such a load (its issue 18800): a
    # reader is then selected that is not there. The image's own compiler, which takes sources, is one of these.
    raise RuntimeError("drivers need files compiled by mpy-cross 1.29 (pit build), this compiler spoils them")
