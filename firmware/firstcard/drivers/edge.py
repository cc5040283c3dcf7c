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
# How the mark of a lock gets into the FRAM without waiting for anything (bus.py). I2C_AT 0: it does not.
BUS = const(8)  # not 0: somebody is at work on the bus
MARKED = const(9)  # since armed
I2C_AT = const(10)  # address of the registers of the bus
FRAM = const(11)  # its address on the bus
MESSAGE = const(12)  # address of the message: where (2 bytes), round (4), instant (4), check sum (4)
CHECK = const(13)  # the register of the check sum behind the round
STAMPS = const(14)  # address of the ring of stamps ...
NEXT_AT = const(15)  # ... and of the register that says where the next one goes
WORDS = array.array("i", [0] * 16)

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
    """The pulse was long enough: LOCK stays. Its mark is on its way at once, if nobody uses the bus: the message of 14
    bytes fits the FIFO of the I2C block (RP2040 datasheet 4.3.17: IC_TAR, IC_DATA_CMD, IC_ENABLE, IC_STATUS)."""
    page = _SIO_PAGE
    sio = ptr32(page << 24)
    w = ptr32(sio[_AT])
    w[SURVIVED] = int(w[SURVIVED]) + 1
    w[WAKE] = 1
    if int(w[ARMED]) == 0 or int(w[I2C_AT]) == 0 or int(w[BUS]) != 0 or int(w[MARKED]) != 0:
        return
    i2c = ptr32(w[I2C_AT])
    if int(i2c[28]) & 0x20:  # a transfer is under way all the same
        return
    stamps = ptr32(w[STAMPS])
    behind = ptr32(w[NEXT_AT])
    us = int(stamps[((int(behind[0]) - int(w[STAMPS])) >> 2) - 1 & 15]) & 0x3FFFFFFF
    message = ptr8(w[MESSAGE])
    polynomial = 0xEDB8
    polynomial = polynomial << 16 | 0x8320
    positive = 1
    positive = positive << 30
    positive = positive - 1 + positive  # shifts of a viper int copy the sign
    check = int(w[CHECK])
    n = 0
    while n < 4:
        byte = us >> (n << 3) & 255
        message[6 + n] = byte
        check = check ^ byte
        k = 8
        while k > 0:
            if check & 1:
                check = check >> 1 & positive ^ polynomial
            else:
                check = check >> 1 & positive
            k = k - 1
        n = n + 1
    check = check ^ -1
    n = 0
    while n < 4:
        message[10 + n] = check >> (n << 3) & 255
        n = n + 1
    i2c[27] = 0
    i2c[1] = int(w[FRAM])
    i2c[27] = 1
    n = 0
    while n < 13:
        i2c[4] = int(message[n])
        n = n + 1
    i2c[4] = int(message[13]) | 0x200  # and stop
    w[MARKED] = 1


@micropython.viper
def on_b(pin):
    """Beam B is covered: a card leaves, and the tasks look at the beams (shoe.py)."""
    page = _SIO_PAGE
    sio = ptr32(page << 24)
    w = ptr32(sio[_AT])
    w[WAKE] = 1
