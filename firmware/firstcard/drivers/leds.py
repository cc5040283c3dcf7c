"""LEDs: a WS2812 strip drawn by PIO 1 and DMA, and the proof that it has arrived. Interrupts are never off.

The stock `neopixel` masks interrupts for the whole strip, 2 ms for 64 LEDs: a window in which no handler hears a card
(I-43).

A WS2812 takes its 24 bits and passes on the rest, so behind the picture goes one pixel more, the sentinel: a number
that is another one at every show. A second machine catches what leaves the last LED.
"""

import array

import micropython
import rp2
from machine import ADC, Pin
from micropython import const

from firstcard.drivers.nap import nap

_PIO1_PAGE = const(0x50300)  # addresses >> 12
_TIMER_PAGE = const(0x40054)
_TXF0 = const(0x50300010)  # PIO 1, machine 0
_DREQ_PIO1_TX0 = const(8)
_FREQUENCY = const(8_000_000)  # 10 cycles a bit: 1.25 us
_PIXEL_US = const(30)
_GAP_US = const(300)  # low for so long: the picture is shown (WS2812B of today: 280 us, the first ones 50)
_CUT_US = const(460)  # words already in the FIFO of a DMA that is stopped, then the gap
_SETTLE_US = const(450)  # the amplifier's filter: three times its 150 us, the mean below is 1 % off at most
_SAMPLES = const(8)  # over 1 ms, two periods of the LEDs' 2 kHz
_SAMPLE_US = const(95)  # and a reading takes about 30
_IN_NULL_23 = const(0x4077)  # PIO instruction: 23 zeros into the ISR

# Supply: 5 V per A at the ADC, see boards/README.md
_READING_NA = const(1259)  # nA for each count of the sum of 8 readings of 16 bits
_IDLE_UA = const(600)  # of a dark LED
_STEP_UA = const(47)  # of one step of one colour: 12 mA at 255
_TOLERANCE_UA = const(5000)  # and a tenth

_STRIDE = const(0x1E3779)  # odd: a number comes again after 4 million shows
_SENTINEL = const(0x3FFFFF)  # 22 bits

# words of a strip
_BUSY = const(0)  # 1: drawing until _DUE (TIMERAWL)
_DUE = const(1)
_LEDS = const(2)  # of the picture
_LIGHT = const(3)  # sum of its bytes
_NONCE = const(4)  # behind it
_CHANNEL = const(5)
_PIXELS = const(6)  # first of the picture's words

_AGAIN = const(-1)
_LOOK = const(-2)


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


@rp2.asm_pio(in_shiftdir=rp2.PIO.SHIFT_LEFT, autopush=True, push_thresh=24)
def _catch():
    """Cycles of 40 ns: looks 520 to 576 ns after the rise, between the longest 0 (500) and the shortest 1 (580)."""
    wait(1, pin, 0)[12]
    in_(pins, 1)
    wait(0, pin, 0)


@micropython.viper
def _draw(grb: ptr8, words: ptr32, leds: int) -> int:
    """Start to draw; returns 0. While the last picture is being drawn: nothing done, returns how many us that takes.

    leds: of 3 bytes each in `grb`. _AGAIN: the last picture again. _LOOK: nothing is drawn in any case.
    """
    page = _TIMER_PAGE
    timer = ptr32(page << 12)
    now = int(timer[10])  # TIMERAWL
    if words[_BUSY]:
        left = int(words[_DUE]) - now
        if left > 0:
            return left
        words[_BUSY] = 0
    if leds == _LOOK:
        return 0
    if leds != _AGAIN:
        words[_LEDS] = leds
        light = 0
        while leds:
            leds -= 1
            at = leds * 3
            green = int(grb[at])
            red = int(grb[at + 1])
            blue = int(grb[at + 2])
            words[_PIXELS + leds] = (green << 24) | (red << 16) | (blue << 8)
            light += green + red + blue
        words[_LIGHT] = light
    leds = int(words[_LEDS])
    words[_NONCE] = (int(words[_NONCE]) + _STRIDE) & _SENTINEL
    words[_PIXELS + leds] = int(words[_NONCE]) << 8
    page = _PIO1_PAGE
    pio = ptr32(page << 12)
    pio[0xF0 >> 2] = (int(pio[0xE4 >> 2]) >> 7) & 31  # SM1_INSTR: jmp to the wrap target in SM1_EXECCTRL
    page += 2
    pio_set = ptr32(page << 12)
    pio_set[0] = 0x20  # CTRL.SM_RESTART: what is in the ISR is forgotten
    at = 4
    while at:
        light = pio[0x24 >> 2]  # RXF1
        at -= 1
    page = 0x50000
    dma = ptr32((page << 12) + (int(words[_CHANNEL]) << 6))
    dma[0] = int(words) + 4 * _PIXELS  # READ_ADDR
    leds += 1
    dma[0x1C >> 2] = leds  # AL1_TRANS_COUNT_TRIG
    words[_DUE] = now + leds * _PIXEL_US + _GAP_US
    words[_BUSY] = 1
    return 0


class Leds:
    """A strip of `count` LEDs on pin `gp`; its end comes back on pin `back`, its supply current on ADC pin `sense`."""

    def __init__(self, gp, count, back, sense):
        self._machine = rp2.StateMachine(4, _program, freq=_FREQUENCY, sideset_base=Pin(gp))
        self._machine.active(1)
        self._back = rp2.StateMachine(5, _catch, freq=25_000_000, in_base=Pin(back, Pin.IN, Pin.PULL_DOWN))
        self._back.active(1)
        self._sense = ADC(Pin(sense))
        self._count = count
        self._words = array.array("I", [0] * (_PIXELS + count + 1))
        self._dma = rp2.DMA()
        self._dma.config(
            write=_TXF0,
            ctrl=self._dma.pack_ctrl(size=2, inc_write=False, treq_sel=_DREQ_PIO1_TX0, irq_quiet=True),
        )
        self._words[_CHANNEL] = self._dma.channel
        self._waiting = None
        self._asked = -1  # number of the drawing that a proof which does not wait has begun
        self.seen_ua = 0  # supply current when it was last proven

    def show(self, grb):
        """Draw 3 bytes a LED (G, R, B). Returns at once; a picture that comes while one is drawn waits for poll()."""
        self._waiting = grb if _draw(grb, self._words, min(len(grb) // 3, self._count)) else None

    def poll(self):
        """Draw the picture that waits, if the last one has been shown. To be called at least every half hour."""
        if not _draw(self._words, self._words, _LOOK) and self._waiting is not None:
            self.show(self._waiting)

    def prove(self, later=False):
        """Did the newest picture arrive, and is its light drawn? Naps, at most 5 ms. `later`: at most 2 ms, and the
        answer is None until a later call finds the picture drawn.

        If the picture is not just being drawn, it is drawn again: the answer is never older than the question.
        True = exactly one pixel left the strip, it is this drawing's sentinel, and the supply current is the
        picture's, within a tenth and 5 mA. What that says: the strip has the right length, every LED has taken its 24
        bits and passed on the rest, the supply is on and about the right amount of light is made.
        What it cannot say: a colour that has died behind a working receiver, while that is less current than the
        tolerance (seven segments of a usual picture); LEDs in each other's place or of another colour; a cover on the
        plaque; a bit that fell within one LED's 24. A picture above 600 mA is never proven.
        """
        words = self._words
        if later:
            if words[_NONCE] != self._asked or self._waiting is not None:
                if self._waiting is None and not _draw(words, words, _AGAIN):
                    self._asked = words[_NONCE]
                return None
            if _draw(words, words, _LOOK):
                return None
        elif self._waiting is not None:
            self._dma.active(0)  # the old picture need not be finished: what counts is the next one
            nap(_CUT_US)
            words[_BUSY] = 0
            self.show(self._waiting)
        self.seen_ua = 0
        nap((0 if later else _draw(words, words, _AGAIN) or _draw(words, words, _AGAIN)) + _SETTLE_US)
        self._asked = -1
        back = self._back
        back.exec(_IN_NULL_23)  # one bit more than 24 makes it a second word
        if back.rx_fifo() != 1 or back.get() != words[_NONCE]:
            return False
        seen = 0
        for _ in range(_SAMPLES):
            seen += self._sense.read_u16()
            nap(_SAMPLE_US)
        self.seen_ua = seen * _READING_NA // 1000
        expected = words[_LEDS] * _IDLE_UA + words[_LIGHT] * _STEP_UA
        return abs(self.seen_ua - expected) <= expected // 10 + _TOLERANCE_UA
