"""Latch: the lock itself. A state machine raises LOCK at the card's edge; the CPU learns of it and may re-arm it.

Three parts that do not rely on each other:
 1. State machine 0 of PIO 0 is blocked in `wait`, sets LOCK at the very edge, pushes (a DMA pair stamps TIMERAWL at
    that push), and watches the debounce time: a pulse that ends sooner was a glitch and LOCK falls again, else LOCK
    stays until the CPU sends a new count. No CPU, flash or bus activity delays it.
 2. Hard viper handlers (beam A, survived pulse, beam B) write into WORDS: edge.py.
 3. check() compares both with the levels of the pins. Disagreement is a fault, and LOCK goes up.

The CPU raises LOCK by the pad's output override (RP2040 datasheet 2.19.6, GPIOn_CTRL), which no state machine can
undo. An undriven pin (reset, no firmware) is high by its pull-up: locked. Arming happens only under that override: it
empties the FIFO (a word left there would let LOCK fall by itself later), makes the emitters dark so that the whole
path really fires, and lets go of the override last.
"""

import time

import machine
import rp2
import uctypes
from machine import Pin
from micropython import const

from firstcard.drivers.edge import (
    ARMED,
    EDGES,
    FRAME_TICK,
    FRAMES,
    LOCK_SET,
    LOOP_CYCLES,
    MARKED,
    NEXT_AT,
    OVERRIDE,
    STAMPS,
    SURVIVED,
    TICK,
    WORDS,
    WORDS_AT,
    on_a,
    on_b,
    on_survived,
    program,
)
from firstcard.drivers.nap import nap

EDGE, FRAME = 1, 2  # causes, as LOCK_EDGE and LOCK_FRAME of the seam

_GPIO_IN = const(0xD0000004)
_PRIORITIES = const(0xE000E40C)  # NVIC_IPR3; IO_IRQ_BANK0 is interrupt 13, its second byte
_GPIO_CTRL = const(0x40014004)
_PROC0_INTE = const(0x40014100)
_NVIC_ISER = const(0xE000E100)
_TIMERAWL = const(0x40054028)
_SET = const(0x2000)  # aliases of a register, datasheet 2.1.2
_CLEAR = const(0x3000)
_PIO = const(0x50200000)
_FLEVEL = const(0x0C)
_IRQ = const(0x30)
_IRQ0_INTE = const(0x12C)
_IRQ1_INTE = const(0x138)
_PADOUT = const(0x3C)
_SM_ADDR = const(0xD4)
_SM_INSTR = const(0xD8)
_PULL_NOBLOCK = const(0x8080)
_SET_PINS_1 = const(0xE001)
_DMA = const(0x50000000)
_STAMPS = const(16)
_TEST_US = const(10)  # debounce time of the self-test
_LIMIT_US = const(5000)  # for the light barriers to go dark or bright

# results of check() and arm()
FINE, BLOCKED, STOPPED, UNHEARD, DEAF, STUCK = 0, 1, 2, 3, 4, 5


class Latch:
    """`board`: BEAM_A, BEAM_B, EMITTERS, LOCK, DEBOUNCE_US. LOCK is high from here on until arm(). `words`: WORDS."""

    def __init__(self, board):
        ctrl = _GPIO_CTRL + 8 * board.LOCK
        self._release_at = ctrl + _CLEAR
        self._lock_bit = 1 << board.LOCK
        self._a_bit = 1 << board.BEAM_A
        self._words_at = machine.mem32[WORDS_AT] = uctypes.addressof(WORDS)
        WORDS[LOCK_SET] = self._lock_at = ctrl + _SET  # here as a number that need not be made anew
        self.lock()
        self._count = board.DEBOUNCE_US * 125 // LOOP_CYCLES
        self._late_us = board.DEBOUNCE_US + 1000
        self._emitters = Pin(board.EMITTERS, Pin.OUT, value=1)
        self._a = Pin(board.BEAM_A, Pin.IN, Pin.PULL_UP)
        self._b = Pin(board.BEAM_B, Pin.IN, Pin.PULL_UP)
        self._sm = rp2.StateMachine(0, program, in_base=self._a, jmp_pin=self._a, set_base=Pin(board.LOCK))
        self._start_at = machine.mem32[_PIO + _SM_ADDR]
        self._inte = _PROC0_INTE + 4 * (board.BEAM_A >> 3)
        self._inte_bit = 8 << 4 * (board.BEAM_A & 7)  # rising edge
        self._stamp()
        # The pins' interrupt before all others (priority 1 of 0..3, the rest are at 2; RP2040 datasheet, NVIC): a
        # timer's or USB's handler that is running does not keep the card waiting.
        machine.mem32[_PRIORITIES] = machine.mem32[_PRIORITIES] & ~0xFF00 | 0x4000
        self._sm.irq(on_survived, hard=True)
        self._a.irq(on_a, Pin.IRQ_RISING, hard=True)
        self._b.irq(on_b, Pin.IRQ_RISING, hard=True)
        self._sm.active(1)
        self.words = WORDS
        self._told = 0  # causes already taken since armed
        self._glitches = 0  # counted since armed
        self.glitches = 0
        self.lock_us = 0

    def _stamp(self):
        """Two chained DMA channels: one waits for the machine's push, the other copies TIMERAWL into the ring."""
        self._ring = bytearray(8 * _STAMPS)  # twice the ring: it has to be aligned to its size
        self._drop = bytearray(4)
        size = 4 * _STAMPS
        self._stamps_at = (uctypes.addressof(self._ring) + size - 1) & ~(size - 1)
        first = rp2.DMA()
        second = rp2.DMA()
        first.config(
            read=_PIO + 0x20,  # RXF0
            write=self._drop,
            count=1,
            ctrl=first.pack_ctrl(inc_read=False, inc_write=False, treq_sel=4, chain_to=second.channel, irq_quiet=True),
        )
        second.config(
            read=_TIMERAWL,
            write=self._stamps_at,
            count=1,
            ctrl=second.pack_ctrl(
                inc_read=False,
                inc_write=True,
                ring_size=6,
                ring_sel=True,
                treq_sel=0x3F,
                chain_to=first.channel,
                irq_quiet=True,
            ),
        )
        self._dma = (first, second)
        WORDS[STAMPS] = self._stamps_at
        WORDS[NEXT_AT] = _DMA + 0x40 * second.channel + 4
        first.active(1)

    def _stamped(self):
        """Edges stamped so far, modulo _STAMPS."""
        return (self._dma[1].write - self._stamps_at >> 2) & _STAMPS - 1

    def _stamp_us(self):
        """The latest stamp, 30 bits."""
        return machine.mem32[self._stamps_at + 4 * (self._stamped() - 1 & _STAMPS - 1)] & 0x3FFFFFFF

    def _levels(self):
        """Bit 0: LOCK is high, bit 1: beam A is covered."""
        pins = machine.mem32[_GPIO_IN]
        return bool(pins & self._lock_bit) | bool(pins & self._a_bit) << 1

    def _waiting(self):
        """Is everything that an edge needs ready: the machine at its `wait`, both interrupts, the DMA?"""
        mem = machine.mem32
        return (
            mem[_PIO] & 1
            and mem[_PIO + _SM_ADDR] == self._start_at + 2
            and (mem[_PIO + _IRQ0_INTE] | mem[_PIO + _IRQ1_INTE]) & 0x100  # flag 0
            and mem[self._inte] & self._inte_bit
            and mem[_NVIC_ISER] & 0x2000  # IO_IRQ_BANK0
            and mem[_NVIC_ISER] & 0x180  # PIO0_IRQ_0 or PIO0_IRQ_1
            and self._dma[0].active()
            and mem[WORDS_AT] == self._words_at
        )

    def lock(self):
        """LOCK high now, whatever the state machine does; idempotent. Allocates nothing."""
        machine.mem32[self._lock_at] = OVERRIDE
        WORDS[ARMED] = 0

    def is_locked(self):
        """The level of the LOCK pin."""
        return bool(self._levels() & 1)

    def is_armed(self):
        """LOCK is low and everything that would raise it is ready."""
        return bool(WORDS[ARMED] and not self._levels() & 1 and self._waiting())

    def fire(self):
        """Test the latch by firing it; LOCK stays high. FINE, or what is wrong. Takes well below 1 ms."""
        self.lock()
        self.dark_us = self.heard_us = 0  # how long the beams took to go dark, and the handler to hear of it
        if self._levels() & 2 or self._b.value():
            return BLOCKED
        if not machine.mem32[_PIO] & 1:
            return STOPPED
        self._rewind()
        self._forget()
        fault = self._fire()
        self._forget()  # also where it has failed: what it made the handlers count was no card
        return fault

    def arm(self):
        """Test the latch, then let LOCK fall. FINE, or why LOCK stays high."""
        fault = self.fire()
        if fault:
            return fault
        WORDS[ARMED] = 1
        self._sm.put(self._count)
        nap(10)
        if machine.mem32[_PIO + _FLEVEL] & 15:
            return self._refuse(STOPPED)
        if self._levels() & 2 or not self._waiting() or machine.mem32[_PIO + _PADOUT] & self._lock_bit:
            return self._refuse(BLOCKED if self._levels() & 2 else STOPPED)
        machine.mem32[self._release_at] = OVERRIDE
        if self._levels() & 1 and not WORDS[EDGES]:
            return self._refuse(STUCK)
        return FINE

    def _fire(self):
        """Let the machine wait, make both beams dark, and see that each part has heard it; then bright again."""
        self._sm.put(_TEST_US * 125 // LOOP_CYCLES)
        nap(10)
        if not self._waiting() or machine.mem32[_PIO + _PADOUT] & self._lock_bit:
            return STOPPED
        stamped = self._stamped()
        begun = time.ticks_us()
        self._emitters.value(0)
        try:
            if not self._until(True):
                return DEAF  # a beam that stays clear in the dark: its wire is shorted
            self.dark_us = time.ticks_diff(time.ticks_us(), begun)
            nap(50)
            if not machine.mem32[_PIO + _PADOUT] & self._lock_bit or self._stamped() == stamped:
                return STOPPED
            self.heard_us = abs(time.ticks_diff(self._stamp_us(), WORDS[TICK]))
            if not WORDS[EDGES] or not WORDS[SURVIVED] or self.heard_us > 100:
                return UNHEARD
        finally:
            self._emitters.value(1)
        return FINE if self._until(False) else BLOCKED

    def _until(self, dark):
        """Wait until both beams are dark, or both bright. False = not within _LIMIT_US."""
        for _ in range(_LIMIT_US // 50):
            if bool(self._levels() & 2) == dark and bool(self._b.value()) == dark:
                return True
            nap(50)
        return False

    def _rewind(self):
        """The machine back to its first instruction, FIFO empty, its own output high. LOCK is held by the override."""
        mem = machine.mem32
        mem[_PIO + _CLEAR] = 1
        while mem[_PIO + _FLEVEL] & 15:
            mem[_PIO + _SM_INSTR] = _PULL_NOBLOCK
        mem[_PIO + _SET] = 0x10  # restart
        mem[_PIO + _SM_INSTR] = self._start_at  # jmp
        mem[_PIO + _SM_INSTR] = _SET_PINS_1
        mem[_PIO + _IRQ] = 1
        mem[_PIO + _SET] = 1

    def _forget(self):
        WORDS[EDGES] = WORDS[SURVIVED] = WORDS[FRAMES] = WORDS[MARKED] = 0
        self._told = self._glitches = 0
        self._stamped_before = self._stamped()

    def _refuse(self, why):
        self.lock()
        return why

    def on_fired(self, function):
        """Have `function(us)` called when an edge has locked: soon, between two bytecodes of whatever runs then. Not if
        the lock's mark has been sent by the interrupt itself."""

        def fired(pio):
            if WORDS[ARMED] and WORDS[SURVIVED] and not WORDS[MARKED]:  # neither the self-test nor one that is taken
                function(self._stamp_us())

        rp2.PIO(0).irq(fired, rp2.PIO.IRQ_SM0)

    def take(self):
        """A cause that has locked since armed and was not yet taken (EDGE, FRAME), else 0. `lock_us` is its instant."""
        frame = WORDS[FRAMES] and not self._told & FRAME
        if frame and WORDS[EDGES] and time.ticks_diff(self._stamp_us(), WORDS[FRAME_TICK]) <= 5000:
            if not WORDS[SURVIVED] and self._levels() & 2:
                return 0  # the edge may be the first of the two: its pulse is not over yet
            frame = not WORDS[SURVIVED] or self._told & EDGE
        if frame:
            self._told |= FRAME
            self.lock_us = WORDS[FRAME_TICK]
            return FRAME
        if WORDS[SURVIVED] and not self._told & EDGE:
            self._told |= EDGE
            self.lock_us = self._stamp_us()
            WORDS[ARMED] = 0
            return EDGE
        return 0

    def check(self):
        """Do machine, handlers and pins tell the same story? FINE, or the fault: LOCK is high then. Every 50 ms."""
        if not WORDS[ARMED] or WORDS[SURVIVED] or WORDS[FRAMES]:
            return FINE
        glitches = WORDS[EDGES]
        if not self._levels() & 1 and glitches != self._glitches:
            self.glitches += glitches - self._glitches
            self._glitches = glitches
        fault = self._compare()
        if fault:
            nap(100)  # an edge may have come while we looked
            if WORDS[SURVIVED]:
                return FINE
            fault = self._compare()
            if fault:
                self.lock()
        return fault

    def _compare(self):
        now = self._levels()
        edges = WORDS[EDGES]
        if now & 2 and not now & 1:
            return STOPPED  # a card, and LOCK is low
        if bool(edges) != (self._stamped() != self._stamped_before) and edges < _STAMPS:
            return UNHEARD
        if not now & 1:
            return FINE if self._waiting() else STOPPED
        since = (machine.mem32[_TIMERAWL] - WORDS[TICK]) & 0x3FFFFFFF
        return STUCK if since > self._late_us else FINE
