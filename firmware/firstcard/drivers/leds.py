"""LEDs: a WS2812 strip drawn by PIO 1 and DMA. The CPU only starts it, and interrupts are never off.

The stock `neopixel` masks interrupts for the whole strip, 2 ms for 64 LEDs: a window in which no handler hears a card
(I-43).
"""

import array

import micropython
import rp2
from machine import Pin
from micropython import const

_TXF0 = const(0x50300010)  # PIO 1, machine 0
_DREQ_PIO1_TX0 = const(8)
_FREQUENCY = const(8_000_000)  # 10 cycles a bit: 1.25 us


@rp2.asm_pio(sideset_init=rp2.PIO.OUT_LOW, out_shiftdir=rp2.PIO.SHIFT_LEFT, autopull=True, pull_thresh=24)
def _program():
    """High 2 cycles for a 0 and 7 for a 1, of 10; stalls low in `out` when there is nothing to draw."""
    wrap_target()  # names of the PIO assembler
    label("bit")
    out(x, 1).side(0)[2]
    jmp(not_x, "zero").side(1)[1]
    jmp("bit").side(1)[4]
    label("zero")
    nop().side(0)[4]
    wrap()


@micropython.viper
def _draw(grb: ptr8, words: ptr32, leds: int, channel: int) -> int:
    """Three bytes a LED into the upper 24 bits of a word, and start the DMA. 1 = still drawing, nothing done."""
    page = 0x50000
    dma = ptr32((page << 12) + (channel << 6))
    if (int(dma[0x10 >> 2]) >> 24) & 1:  # BUSY
        return 1
    at = 0
    n = 0
    while n < leds:
        words[n] = (int(grb[at]) << 24) | (int(grb[at + 1]) << 16) | (int(grb[at + 2]) << 8)
        at += 3
        n += 1
    dma[0] = int(words)  # READ_ADDR
    dma[0x1C >> 2] = leds  # AL1_TRANS_COUNT_TRIG
    return 0


class Leds:
    """A strip of `count` LEDs on pin `gp`."""

    def __init__(self, gp, count):
        self._machine = rp2.StateMachine(4, _program, freq=_FREQUENCY, sideset_base=Pin(gp))
        self._machine.active(1)
        self._words = array.array("I", [0] * count)
        self._dma = rp2.DMA()
        self._dma.config(
            read=self._words,
            write=_TXF0,
            count=0,
            ctrl=self._dma.pack_ctrl(size=2, inc_write=False, treq_sel=_DREQ_PIO1_TX0, irq_quiet=True),
        )
        self._channel = self._dma.channel
        self._waiting = None

    def show(self, grb):
        """Draw 3 bytes a LED (G, R, B). Returns at once; a picture that comes while one is drawn waits for poll()."""
        leds = min(len(grb) // 3, len(self._words))
        self._waiting = grb if _draw(grb, self._words, leds, self._channel) else None

    def poll(self):
        """Draw the picture that waits, if any; 2.5 ms after show() or later, so that the last one has been shown."""
        if self._waiting is not None:
            self.show(self._waiting)
