# The chip's SIO block: GPIO levels, spin locks and the divider, which MicroPython reads 35 times per bytecode jump.
#
# The emulator's own (rp2040py/sio.py) is Python and took half of the emulated board's time. It is the reference: the
# same values, cycles and pin changes (test_thumb.py holds both against each other), and it still answers what is rare
# here, the interpolators and wrong addresses.

cdef enum:
    GPIO_MASK = 0x3FFFFFFF
    SPINLOCK0 = 0x100
    SPINLOCK31 = 0x17C
    DIVIDER = 0x60  # dividend, divisor, the same signed, quotient, remainder, CSR


cdef class Sio:
    """Takes the place of `mcu.sio`, at power-on; the stock block is kept for what is not answered here."""

    cdef public object rp2040
    cdef object stock
    cdef object gpio
    cdef CortexM0Core core
    cdef public unsigned int gpio_value
    cdef public unsigned int gpio_output_enable
    cdef unsigned int dividend
    cdef unsigned int divisor
    cdef unsigned int quotient
    cdef unsigned int remainder
    cdef unsigned int csr
    cdef unsigned int spin_lock

    def __init__(self, mcu):
        self.rp2040 = mcu
        self.stock = mcu.sio
        self.gpio = mcu.gpio
        self.core = mcu.core
        self._clear()

    cdef void _clear(self) noexcept:
        self.gpio_value = self.gpio_output_enable = 0
        self.dividend = self.quotient = self.remainder = self.csr = self.spin_lock = 0
        self.divisor = 1

    def reset(self):
        """Back to power-on."""
        self.stock.reset()
        self._clear()

    cdef void _divide(self, bint signed) noexcept:
        cdef long long a, b
        if self.divisor == 0:
            self.quotient = 0xFFFFFFFFU if self.dividend else 1
            self.remainder = self.dividend
        else:
            if signed:
                a, b = <int>self.dividend, <int>self.divisor
            else:
                a, b = self.dividend, self.divisor
            self.quotient = <unsigned int>(a // b)  # C's division: towards zero, and the remainder has a's sign
            self.remainder = <unsigned int>(a % b)
        self.csr = 3
        self.core.cycles += 8

    cdef inline unsigned int division(self, unsigned int offset) noexcept:
        """The divider's register at DIVIDER + `offset`."""
        if offset == 0x18:  # CSR
            return self.csr
        if offset == 0x14:
            return self.remainder
        if offset == 0x10:  # quotient; reading it clears DIRTY
            self.csr &= ~2U
            return self.quotient
        return self.divisor if offset & 4 else self.dividend

    cdef inline void divide(self, unsigned int offset, unsigned int value) noexcept:
        """Write an operand or, after an interrupt, a result."""
        if offset == 0x10:
            self.quotient = value
            self.csr = 3
        elif offset == 0x14:
            self.remainder = value
            self.csr = 3
        else:
            if offset & 4:
                self.divisor = value
            else:
                self.dividend = value
            self._divide(offset & 8)

    def read_uint32(self, unsigned int offset):
        """The register at `offset`."""
        cdef unsigned int bit
        if offset == 0x04:  # GPIO_IN
            return self.rp2040.gpio_values
        if offset - DIVIDER <= 0x18 and not offset & 3:
            return self.division(offset - DIVIDER)
        if SPINLOCK0 <= offset <= SPINLOCK31:
            bit = 1U << ((offset - SPINLOCK0) // 4)
            if self.spin_lock & bit:
                return 0
            self.spin_lock |= bit
            return bit
        if offset == 0x00:  # CPUID
            return 0
        if offset == 0x10:  # GPIO_OUT
            return self.gpio_value
        if offset == 0x20:  # GPIO_OE
            return self.gpio_output_enable
        if offset == 0x5C:  # SPINLOCK_ST
            return self.spin_lock
        return self.stock.read_uint32(offset)

    def write_uint32(self, unsigned int offset, long long value):
        """Write `value` to the register at `offset`."""
        cdef unsigned int val = <unsigned int>value
        cdef unsigned int out = self.gpio_value
        cdef unsigned int enable = self.gpio_output_enable
        cdef unsigned int changed, pin
        if offset - DIVIDER <= 0x14 and not offset & 3:
            self.divide(offset - DIVIDER, val)
            return
        if SPINLOCK0 <= offset <= SPINLOCK31:
            self.spin_lock &= ~(1U << ((offset - SPINLOCK0) // 4))
            return
        if 0x10 <= offset <= 0x1C:  # GPIO_OUT and its SET, CLR, XOR
            self.gpio_value = self._merge(out, val, offset)
        elif 0x20 <= offset <= 0x2C:  # GPIO_OE and its SET, CLR, XOR
            self.gpio_output_enable = self._merge(enable, val, offset)
        else:
            self.stock.write_uint32(offset, value)
            return
        changed = (self.gpio_value ^ out) | (self.gpio_output_enable ^ enable)
        pin = 0
        while changed:
            if changed & 1:
                self.gpio[pin].check_for_updates()
            changed >>= 1
            pin += 1

    cdef unsigned int _merge(self, unsigned int old, unsigned int value, unsigned int offset) noexcept:
        value &= GPIO_MASK
        if (offset & 0xC) == 0:
            return value
        if (offset & 0xC) == 4:
            return old | value
        if (offset & 0xC) == 8:
            return old & ~value
        return old ^ value

    def close(self):
        """Let go of the chip (see Board.close)."""
        self.stock.rp2040 = self.rp2040 = self.stock = self.gpio = None
        self.core = None
