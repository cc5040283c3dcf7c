"""Edge: the parts of the latch that run without the CPU or in a hard interrupt, and the words they write.

The state machine `program` raises LOCK, the handlers write into WORDS. They allocate nothing and cannot raise: a hard
handler that raises once is switched off for good by MicroPython. What they mean together is latch.py's business.

Handlers find WORDS by its address in a register that nobody else uses, an interpolator's (RP2040 datasheet 2.3.1.6):
looking a global up and asking it for its buffer takes a third of the whole way from the edge to the latch.
"""

import array

import micropython
import rp2
from micropython import const

# WORDS: what hard handlers write. A task waits for WAKE.
WAKE = const(0)  # not 0: something has happened (wake.py)
EDGES = const(1)  # since armed
TICK = const(2)  # of the latest edge, as the handler saw it
SURVIVED = const(3)
FRAMES = const(4)  # locked by a frame of the shoe (shoe.py)
FRAME_TICK = const(5)
ARMED = const(6)
LOCK_SET = const(7)  # address: a store of OVERRIDE there raises LOCK
WORDS = array.array("i", [0] * 8)

OVERRIDE = const(0x3300)  # GPIOn_CTRL: output high, output enabled
LOOP_CYCLES = const(32)  # of the debounce loop
_TIMER_PAGE = const(0x40054)
_SIO_PAGE = const(0xD0)
WORDS_AT = const(0xD00000D0)  # INTERP1_BASE2: holds the address of WORDS, as long as a latch is there
_AT = const(0xD0 >> 2)


@rp2.asm_pio(set_init=rp2.PIO.OUT_HIGH)
def program():
    wrap_target()  # names of the PIO assembler
    pull(block)  # locked until the CPU sends the debounce count
    label("open")
    set(pins, 0)
    wait(1, pin, 0)
    set(pins, 1)  # the lock
    push(noblock)  # paces the DMA that stamps it
    mov(x, osr)
    label("look")
    jmp(pin, "covered")
    jmp("open")  # a glitch
    label("covered")
    jmp(x_dec, "look")[30]  # with the jmp above LOOP_CYCLES
    irq(rel(0))  # survived
    wrap()


@micropython.viper
def on_a(pin):
    """Beam A is covered."""
    page = _SIO_PAGE
    sio = ptr32(page << 24)
    w = ptr32(sio[_AT])
    page = _TIMER_PAGE
    timer = ptr32(page << 12)
    w[TICK] = int(timer[10]) & 0x3FFFFFFF
    w[EDGES] = int(w[EDGES]) + 1


@micropython.viper
def on_survived(sm):
    """The pulse was long enough: LOCK stays."""
    page = _SIO_PAGE
    sio = ptr32(page << 24)
    w = ptr32(sio[_AT])
    w[SURVIVED] = int(w[SURVIVED]) + 1
    w[WAKE] = 1


@micropython.viper
def on_b(pin):
    """Beam B is covered: a card leaves, and the tasks look at the beams (shoe.py)."""
    page = _SIO_PAGE
    sio = ptr32(page << 24)
    w = ptr32(sio[_AT])
    w[WAKE] = 1
