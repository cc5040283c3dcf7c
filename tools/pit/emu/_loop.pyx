# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The main loop of the emulated chip in C: the steps of loop.py, which is the reference and explains them.

Two things make it fast. Compiled by native.py against the .pxd files of the emulator's wheel, it reads the next alarm,
the PIO blocks' due times and the stop flag as C fields. And stretch() executes by itself (_thumb.pxi) what no part of
the chip but the CPU can notice, up to the next alarm or PIO instruction. Nothing of the emulator is changed.
"""

from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport ceil

from rp2040py.native._cortex_m0_core cimport CortexM0Core
from rp2040py.native._pio cimport RPPIO
from rp2040py.native._rp2040 cimport RP2040
from rp2040py.native._simulation_clock cimport SimulationClock

cdef double CYCLE_NS = 8.0
cdef double NEVER = float("inf")
cdef long long NO_DUE_FP = <long long>1 << 60
cdef int SIGNALS_EVERY = 1 << 20  # passes, about 0.1 s: Ctrl-C gets through a loop that calls no Python
cdef long long STRETCH = 1 << 22  # cycles at most between two looks at the signals

include "_sio.pxi"
include "_thumb.pxi"


cdef class Loop:
    """Runs the chip until told to stop; see loop.Loop."""

    cdef CortexM0Core core
    cdef SimulationClock clock
    cdef RPPIO pio0
    cdef RPPIO pio1
    cdef RP2040 chip
    cdef Sio sio  # ours, or None
    cdef Memory memory
    cdef object quiet  # what the core calls at BL and BLX as long as nobody listens
    cdef long long cycle
    cdef public bint stopped
    cdef public double stall_until

    def __init__(self, mcu):
        cdef RP2040 chip = mcu
        self.chip = chip
        self.sio = mcu.sio if isinstance(mcu.sio, Sio) else None
        self.core = chip.core
        self.clock = chip.clock
        self.memory.ram, self.memory.ram_size = &chip._sram[0], chip.ram_byte_size
        self.memory.flash, self.memory.flash_size = &chip._flash[0], chip.flash_byte_size
        self.memory.rom, self.memory.rom_size = <unsigned char *>&chip._bootrom[0], chip.bootrom_byte_size
        self.quiet = chip.core.bl_taken
        self.pio0, self.pio1 = mcu.pio
        self.cycle = <long long>(self.clock._nanos_counter / CYCLE_NS)
        self.stopped = True
        self.stall_until = 0.0

    def run(self):
        """Execute until `stopped`."""
        cdef CortexM0Core core = self.core
        cdef SimulationClock clock = self.clock
        cdef RPPIO pio0 = self.pio0
        cdef RPPIO pio1 = self.pio1
        cdef double target
        cdef long long cycle, passed
        cdef int passes = 0
        self.stopped = False
        while not self.stopped:
            passes += 1
            if passes >= SIGNALS_EVERY:
                passes = 0
                PyErr_CheckSignals()
            if core.waiting or clock._nanos_counter < self.stall_until:
                self.sleep()
                continue
            if not core.interrupts_updated and self.stretch():
                continue
            target = clock._nanos_counter
            self.forget()
            target += core.execute_instruction() * CYCLE_NS
            # The short way: no alarm and no PIO instruction falls into this CPU instruction.
            if clock._next_alarm is None or clock._next_alarm.nanos > target:
                cycle = <long long>(target / CYCLE_NS)
                passed = (cycle - self.cycle) << 8
                if ((pio0.stopped or pio0.cycle_fp + passed < pio0.next_due_fp)
                        and (pio1.stopped or pio1.cycle_fp + passed < pio1.next_due_fp)):
                    if not pio0.stopped:
                        pio0.cycle_fp += passed
                    if not pio1.stopped:
                        pio1.cycle_fp += passed
                    self.cycle = cycle
                    clock._nanos_counter = target
                    continue
            self.advance(target)

    cdef int stretch(self) except -1:
        """Execute what thumb() can, up to the next alarm or PIO instruction; False if that was nothing."""
        cdef CortexM0Core core = self.core
        cdef SimulationClock clock = self.clock
        cdef unsigned int *r = &core.registers[0]
        cdef bint heard = core.bl_taken is not self.quiet
        cdef long long free = STRETCH, passed = 0
        cdef int cycles
        if clock._nanos_counter != self.cycle * CYCLE_NS:
            return False
        if clock._next_alarm is not None:
            free = min(free, <long long>ceil((clock._next_alarm.nanos - clock._nanos_counter) / CYCLE_NS) - 1)
        free = self.free_of(self.pio1, self.free_of(self.pio0, free))
        self.memory.begun_ns = clock._nanos_counter
        self.memory.wanted = 0
        while passed <= free:
            self.memory.passed = passed
            cycles = thumb(core, &self.memory, self.sio, r, heard)
            if cycles == 0:
                break
            passed += cycles
        core.cycles += passed
        if passed > free:  # the last one reached an alarm or a PIO instruction
            passed -= cycles
            self.skip(passed)
            self.advance(clock._nanos_counter + cycles * CYCLE_NS)
            return True
        self.skip(passed)
        if self.memory.wanted and self.find_out(self.memory.wanted):
            return True
        return passed > 0

    cdef bint find_out(self, unsigned int register) except -1:
        """Ask the chip what a register tells now: it tells the same until anything happens outside the CPU. False: it
        is one that does not, this time."""
        cdef Status *status = slot(&self.memory, register)
        if register == TIMERAWL or register == TIMERAWH:
            self.memory.epoch_ns = self.chip.timer._epoch_nanos
            self.memory.epoch_known = self.memory.now
            return True
        if register & 0xFFF == IC_TX_ABRT_SOURCE and self.chip.i2c[register & ~0xFFF == I2C1].abort_source:
            return False  # reading clears it
        status.value = self.chip.read_uint32(register)
        status.until_ns = NEVER
        if register == SPI0_SR or register == SPI1_SR:
            status.until_ns = self.chip.spi[register == SPI1_SR].steady_ns()
        status.address = register
        status.known = self.memory.now
        return True

    cdef inline void forget(self) noexcept:
        self.memory.now += 1

    def step(self):
        """One instruction by thumb() alone, without time: its cycles, or 0 if it is the core's (test_thumb.py)."""
        self.forget()
        return thumb(self.core, &self.memory, self.sio, &self.core.registers[0], self.core.bl_taken is not self.quiet)

    cdef inline long long free_of(self, RPPIO block, long long free) noexcept:
        """Cycles that can pass before the block's next instruction is due, at most `free`."""
        if block.stopped:
            return free
        return min(free, (block.next_due_fp - block.cycle_fp - 1) >> 8)

    cdef inline void skip(self, long long cycles) noexcept:
        """Let `cycles` pass in which nothing but the CPU does anything."""
        self.cycle += cycles
        self.clock._nanos_counter += cycles * CYCLE_NS
        if not self.pio0.stopped:
            self.pio0.cycle_fp += cycles << 8
        if not self.pio1.stopped:
            self.pio1.cycle_fp += cycles << 8

    cdef inline double due_of(self, RPPIO block, double due) noexcept:
        cdef long long cycles
        cdef double ns
        if not block.stopped and block.next_due_fp < NO_DUE_FP:
            cycles = (block.next_due_fp - block.cycle_fp + 255) >> 8
            if cycles < 0:
                cycles = 0
            ns = (self.cycle + cycles) * CYCLE_NS
            if ns < due:
                return ns
        return due

    cdef inline double due_ns(self, double now) noexcept:
        cdef double due = self.due_of(self.pio1, self.due_of(self.pio0, NEVER))
        return due if due > now else now

    cdef int sleep(self) except -1:
        cdef double now = self.clock._nanos_counter
        cdef double target = self.due_ns(now)
        cdef double alarm
        if self.clock._next_alarm is not None:
            alarm = now + (self.clock._next_alarm.nanos - now)
            if alarm < target:
                target = alarm
        if now < self.stall_until and self.stall_until < target:
            target = self.stall_until
        if target == NEVER:
            self.stopped = True
        else:
            self.advance(target)
        return 0

    cdef int advance(self, double target) except -1:
        cdef SimulationClock clock = self.clock
        cdef double now, step, alarm
        cdef long long cycle, passed
        self.forget()
        while True:
            now = clock._nanos_counter
            step = self.due_ns(now)
            if step > target:
                step = target
            if clock._next_alarm is not None:
                alarm = now + (clock._next_alarm.nanos - now)
                if alarm < step:
                    step = alarm
            cycle = <long long>(step / CYCLE_NS)
            passed = (cycle - self.cycle) << 8
            self.cycle = cycle
            if not self.pio0.stopped:
                self.pio0.cycle_fp += passed
            if not self.pio1.stopped:
                self.pio1.cycle_fp += passed
            clock.tick(step - now)
            if not self.pio0.stopped and self.pio0.next_due_fp <= self.pio0.cycle_fp:
                self.pio0._run_due()
            if not self.pio1.stopped and self.pio1.next_due_fp <= self.pio1.cycle_fp:
                self.pio1._run_due()
            if step >= target:
                return 0

    def close(self):
        """Let go of the chip (see Board.close)."""
        self.core = self.clock = self.quiet = self.chip = self.sio = None
        self.memory.ram_size = self.memory.flash_size = self.memory.rom_size = 0
        self.pio0 = self.pio1 = None
