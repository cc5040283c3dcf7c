# Thumb instructions that touch nothing but registers, flags, plain memory, the divider, and registers of the chip that
# only tell how things are: nearly all that MicroPython executes.
#
# thumb() executes the next one as the emulator's core does, with its cycles and its flags, or leaves everything as it
# was and answers 0: then it is the core's. That is so for anything that can be seen from outside: other peripherals,
# interrupts, special registers, sleep, warnings. test_thumb.py holds all 65,536 opcodes against the core.

from libc.string cimport memcpy

cdef enum:
    RAM_START = 0x20000000
    FLASH_START = 0x10000000
    SP = 13
    LR = 14
    PC = 15
    BL = 3  # cycles
    IO_READ = 4  # cycles of a peripheral's register
    TIMER = 0x40054000
    TIMERAWH = 0x40054024
    TIMERAWL = 0x40054028
    SPI0_SR = 0x4003C00C
    SPI1_SR = 0x4004000C
    IC_TX_ABRT_SOURCE = 0x80
    I2C0 = 0x40044000
    I2C1 = 0x40048000
    SIO_DIVIDER = 0xD0000060


cdef struct Status:  # of a register, while `known` is Memory's `now`
    unsigned int address
    unsigned int value
    double until_ns
    unsigned long long known


cdef struct Memory:
    unsigned char *ram
    unsigned char *flash
    unsigned char *rom
    unsigned int ram_size
    unsigned int flash_size
    unsigned int rom_size
    # What is asked again and again while waiting. Whatever happens outside the CPU makes it unknown.
    double begun_ns  # the clock's time `passed` cycles ago
    long long passed
    unsigned long long now  # how often that has been so
    double epoch_ns  # of the microsecond timer
    unsigned long long epoch_known  # the epoch is right as long as this is `now`
    Status[32] status
    unsigned int wanted  # a register of these that was read and is not known, or 0


cdef inline unsigned char *place(Memory *m, unsigned int address, unsigned int size) noexcept nogil:
    """Where `size` aligned bytes at `address` lie, or NULL if a read of them is not plain."""
    if address & (size - 1):
        return NULL
    if address - RAM_START < m.ram_size:
        return m.ram + (address - RAM_START)
    if address - FLASH_START < m.flash_size:
        return m.flash + (address - FLASH_START)
    if address < m.rom_size:
        return m.rom + address
    return NULL


cdef inline unsigned char *span(Memory *m, unsigned int address, unsigned int words) noexcept nogil:
    """Where `words` words of RAM at `address` lie, or NULL if not all of them do."""
    if address & 3 or address - RAM_START >= m.ram_size or m.ram_size - (address - RAM_START) < 4 * words:
        return NULL
    return m.ram + (address - RAM_START)


cdef inline unsigned int word(unsigned char *at) noexcept nogil:
    cdef unsigned int value
    memcpy(&value, at, 4)
    return value


cdef inline unsigned short half(unsigned char *at) noexcept nogil:
    cdef unsigned short value
    memcpy(&value, at, 2)
    return value


cdef inline void nz(CortexM0Core core, unsigned int result) noexcept:
    core.n = result >> 31
    core.z = result == 0


cdef inline unsigned int add(CortexM0Core core, unsigned int a, unsigned int b, unsigned int carry) noexcept:
    # The carry belongs to b, which then may be 2**32: V is the core's in that case too.
    cdef unsigned long long wide = <unsigned long long>b + carry
    cdef unsigned long long raw = a + wide
    cdef unsigned int result = <unsigned int>raw
    nz(core, result)
    core.c = raw >> 32 != 0
    core.v = <long long><int>result != <long long><int>a + <long long><int><unsigned int>wide
    return result


cdef inline unsigned int sub(CortexM0Core core, unsigned int a, unsigned int b, unsigned int borrow) noexcept:
    cdef unsigned long long wide = <unsigned long long>b + borrow
    cdef unsigned int low = <unsigned int>wide
    cdef unsigned int result = a - low
    nz(core, result)
    core.c = a >= wide
    core.v = ((a ^ low) & (a ^ result)) >> 31
    return result


cdef inline bint holds(CortexM0Core core, unsigned int condition) noexcept:
    cdef bint result
    cdef unsigned int base = condition >> 1
    if base == 0:
        result = core.z
    elif base == 1:
        result = core.c
    elif base == 2:
        result = core.n
    elif base == 3:
        result = core.v
    elif base == 4:
        result = core.c and not core.z
    elif base == 5:
        result = core.n == core.v
    else:
        result = core.n == core.v and not core.z
    return result != (condition & 1)


cdef inline bint data(CortexM0Core core, unsigned int *r, unsigned int opcode) noexcept:
    """Register with register, 010000: flags as in the core, also where a shift is by nothing or by more than 31."""
    cdef unsigned int rm = r[(opcode >> 3) & 7]
    cdef unsigned int *rd = r + (opcode & 7)
    cdef unsigned int old = rd[0]
    cdef unsigned int kind = (opcode >> 6) & 0xF
    cdef unsigned int shift = rm & 0xFF
    cdef unsigned int result
    if kind == 0:  # AND
        result = old & rm
    elif kind == 1:  # EOR
        result = old ^ rm
    elif kind == 2:  # LSL
        result = 0 if shift >= 32 else old << shift
        if shift:
            core.c = (old >> ((32 - shift) & 31)) & 1
    elif kind == 3:  # LSR
        result = 0 if shift >= 32 else old >> shift
        core.c = shift <= 32 and (old >> ((shift - 1) & 31)) & 1
    elif kind == 4:  # ASR
        if shift > 32:
            shift = 32
        result = <unsigned int>((<int>old) >> (31 if shift == 32 else shift))
        core.c = (old >> ((shift - 1) & 31)) & 1
    elif kind == 5:  # ADC
        rd[0] = add(core, rm, old, core.c)
        return True
    elif kind == 6:  # SBC
        rd[0] = sub(core, old, rm, not core.c)
        return True
    elif kind == 7:  # ROR
        shift &= 31
        result = old if shift == 0 else (old >> shift) | (old << (32 - shift))
        core.c = result >> 31
    elif kind == 8:  # TST
        nz(core, old & rm)
        return True
    elif kind == 9:  # NEG
        rd[0] = sub(core, 0, rm, 0)
        return True
    elif kind == 10:  # CMP
        sub(core, old, rm, 0)
        return True
    elif kind == 11:  # CMN
        add(core, old, rm, 0)
        return True
    elif kind == 12:  # ORR
        result = old | rm
    elif kind == 13:  # MUL
        result = old * rm
    elif kind == 14:  # BIC
        result = old & ~rm
    else:  # MVN
        result = ~rm
    rd[0] = result
    nz(core, result)
    return True


cdef inline int high(CortexM0Core core, unsigned int *r, unsigned int opcode, bint heard) noexcept:
    """ADD, CMP, MOV with any register, BX, BLX: 010001."""
    cdef unsigned int m = (opcode >> 3) & 0xF
    cdef unsigned int d = ((opcode >> 4) & 8) | (opcode & 7)
    cdef unsigned int kind = (opcode >> 8) & 3
    cdef unsigned int value
    if kind == 1:  # CMP
        sub(core, r[d], r[m], 0)
        return 1
    if kind == 3:  # BX, BLX
        if opcode & 7 or (opcode & 0x80 and heard) or (not opcode & 0x80 and core.current_mode and r[m] >> 28 == 0xF):
            return 0
        if opcode & 0x80:
            r[LR] = r[PC] | 1
        r[PC] = r[m] & 0xFFFFFFFEU
        return 2
    value = r[PC] + 2 if m == PC else r[m]
    if kind == 0:
        value += r[PC] + 2 if d == PC else r[d]
    if d == PC:
        r[PC] = value & 0xFFFFFFFEU
        return 2
    r[d] = value & 0xFFFFFFFCU if d == SP else value
    return 1


cdef inline bint is_status(unsigned int address) noexcept nogil:
    """A register that reading does not change: SSPSR; IC_RAW_INTR_STAT, IC_STATUS, levels, abort source."""
    cdef unsigned int offset = address & 0xFFF
    if address == SPI0_SR or address == SPI1_SR:
        return True
    return (address - offset == I2C0 or address - offset == I2C1) and (
        offset == 0x34 or offset == 0x70 or offset == 0x74 or offset == 0x78 or offset == IC_TX_ABRT_SOURCE)


cdef inline Status *slot(Memory *m, unsigned int address) noexcept nogil:
    return &m.status[address >> 2 & 31]


cdef inline int ask(Memory *m, Sio sio, unsigned int *rt, unsigned int address) noexcept:
    """A load from a peripheral, if it is the divider or if its answer is known; else `wanted` may say which."""
    cdef double now_ns = m.begun_ns + m.passed * CYCLE_NS
    cdef Status *status
    if address - SIO_DIVIDER <= 0x18 and not address & 3:
        if sio is None:
            return 0
        rt[0] = sio.division(address - SIO_DIVIDER)
        return 1
    if address == TIMERAWL or address == TIMERAWH:
        if m.epoch_known != m.now:
            m.wanted = address
            return 0
        rt[0] = <unsigned int>(<long long>((now_ns - m.epoch_ns) / 1000.0) >> (32 if address == TIMERAWH else 0))
        return IO_READ
    if is_status(address):
        status = slot(m, address)
        if status.known == m.now and status.address == address and now_ns < status.until_ns:
            rt[0] = status.value
            return IO_READ
        m.wanted = address
    return 0


cdef inline int load(Memory *m, Sio sio, unsigned int *rt, unsigned int address, unsigned int size,
                     bint signed) noexcept:
    cdef unsigned char *at = place(m, address, size)
    if at == NULL:
        return ask(m, sio, rt, address) if size == 4 else 0
    if size == 4:
        rt[0] = word(at)
    elif size == 2:
        rt[0] = <unsigned int><int><short>half(at) if signed else half(at)
    else:
        rt[0] = <unsigned int><int><signed char>at[0] if signed else at[0]
    return 2


cdef inline int store(Memory *m, Sio sio, unsigned int value, unsigned int address, unsigned int size) noexcept:
    if address & (size - 1) or address - RAM_START >= m.ram_size:
        if size == 4 and address - SIO_DIVIDER <= 0x14 and not address & 3 and sio is not None:
            sio.divide(address - SIO_DIVIDER, value)
            return 1
        return 0
    memcpy(m.ram + (address - RAM_START), &value, size)  # a PC's bytes lie as the chip's do (native.py)
    return 2


cdef inline int push(Memory *m, unsigned int *r, unsigned int opcode) noexcept:
    cdef unsigned int i, count = 0
    cdef unsigned char *at
    for i in range(9):
        count += (opcode >> i) & 1
    at = span(m, r[SP] - 4 * count, count)
    if at == NULL:
        return 0
    for i in range(8):
        if opcode >> i & 1:
            memcpy(at, r + i, 4)
            at += 4
    if opcode & 0x100:
        memcpy(at, r + LR, 4)
        count -= 1
    r[SP] = (r[SP] - 4 * (count + (opcode >> 8 & 1))) & 0xFFFFFFFCU
    return 1 + count


cdef inline int pop(CortexM0Core core, Memory *m, unsigned int *r, unsigned int opcode) noexcept:
    cdef unsigned int i, count = 0, target = 0
    cdef unsigned char *at
    for i in range(9):
        count += (opcode >> i) & 1
    at = span(m, r[SP], count)
    if at == NULL:
        return 0
    if opcode & 0x100:
        target = word(at + 4 * (count - 1))
        if core.current_mode and target >> 28 == 0xF:  # the end of an interrupt
            return 0
    for i in range(8):
        if opcode >> i & 1:
            memcpy(r + i, at, 4)
            at += 4
    r[SP] = (r[SP] + 4 * count) & 0xFFFFFFFCU
    if opcode & 0x100:
        r[PC] = target & 0xFFFFFFFEU
        return 2 + count
    return 1 + count


cdef inline int multiple(Memory *m, unsigned int *r, unsigned int opcode) noexcept:
    """LDMIA, STMIA: 1100."""
    cdef unsigned int i, count = 0, n = (opcode >> 8) & 7
    cdef unsigned int base = r[n]
    cdef unsigned char *at
    for i in range(8):
        count += (opcode >> i) & 1
    at = span(m, base, count)
    if at == NULL:
        return 0
    for i in range(8):
        if opcode >> i & 1:
            if opcode & 0x800:
                memcpy(r + i, at, 4)
            else:
                memcpy(at, r + i, 4)
            at += 4
    if not opcode >> n & 1:
        r[n] = base + 4 * count
    return 1 + count


cdef inline int extend(unsigned int *r, unsigned int opcode) noexcept:
    """SXTH, SXTB, UXTH, UXTB: 10110010."""
    cdef unsigned int value = r[(opcode >> 3) & 7]
    cdef unsigned int kind = (opcode >> 6) & 3
    if kind == 0:
        value = <unsigned int><int><short>value
    elif kind == 1:
        value = <unsigned int><int><signed char>value
    elif kind == 2:
        value &= 0xFFFF
    else:
        value &= 0xFF
    r[opcode & 7] = value
    return 1


cdef inline int reverse(unsigned int *r, unsigned int opcode) noexcept:
    """REV, REV16, REVSH: 10111010."""
    cdef unsigned int v = r[(opcode >> 3) & 7]
    cdef unsigned int kind = (opcode >> 6) & 3
    if kind == 2:
        return 0
    if kind == 0:
        v = v << 24 | (v << 8 & 0xFF0000) | (v >> 8 & 0xFF00) | v >> 24
    else:
        v = (v << 8 & 0xFF00FF00U) | (v >> 8 & 0xFF00FF)
        if kind == 3:
            v = <unsigned int><int><short>v
    r[opcode & 7] = v
    return 1


cdef inline int thumb(CortexM0Core core, Memory *m, Sio sio, unsigned int *r, bint heard) noexcept:
    """Execute the next instruction; its cycles, or 0 with nothing changed. `heard`: somebody listens to calls."""
    cdef unsigned char *at = place(m, r[PC], 2)
    cdef unsigned int opcode, group, rd, rn, imm, second, old
    cdef int cycles
    if at == NULL:
        return 0
    opcode = half(at)
    group = opcode >> 11
    rd = opcode & 7
    rn = (opcode >> 3) & 7
    imm = (opcode >> 6) & 0x1F
    r[PC] += 2
    cycles = 1
    if group == 0:  # LSL
        old = r[rn]
        r[rd] = old << imm
        if imm:
            core.c = old >> (32 - imm) & 1
        nz(core, r[rd])
    elif group == 1:  # LSR
        old = r[rn]
        r[rd] = old >> imm if imm else 0
        core.c = old >> (imm - 1 if imm else 31) & 1
        nz(core, r[rd])
    elif group == 2:  # ASR
        old = r[rn]
        r[rd] = <unsigned int>((<int>old) >> (imm if imm else 31))
        core.c = old >> (imm - 1 if imm else 31) & 1
        nz(core, r[rd])
    elif group == 3:  # ADD, SUB with three operands
        old = imm & 7 if opcode & 0x400 else r[imm & 7]
        r[rd] = sub(core, r[rn], old, 0) if opcode & 0x200 else add(core, r[rn], old, 0)
    elif group == 4:  # MOV
        r[(opcode >> 8) & 7] = opcode & 0xFF
        nz(core, opcode & 0xFF)
    elif group == 5:  # CMP
        sub(core, r[(opcode >> 8) & 7], opcode & 0xFF, 0)
    elif group == 6:  # ADD
        rd = (opcode >> 8) & 7
        r[rd] = add(core, r[rd], opcode & 0xFF, 0)
    elif group == 7:  # SUB
        rd = (opcode >> 8) & 7
        r[rd] = sub(core, r[rd], opcode & 0xFF, 0)
    elif group == 8:
        if opcode & 0x400:
            cycles = high(core, r, opcode, heard)
        else:
            data(core, r, opcode)
    elif group == 9:  # LDR from the code
        cycles = load(m, sio, r + ((opcode >> 8) & 7), ((r[PC] + 2) & 0xFFFFFFFCU) + ((opcode & 0xFF) << 2), 4, False)
    elif group == 10:
        old = r[rn] + r[imm & 7]
        if opcode >> 9 & 3 == 0:
            cycles = store(m, sio, r[rd], old, 4)
        elif opcode >> 9 & 3 == 1:
            cycles = store(m, sio, r[rd], old, 2)
        elif opcode >> 9 & 3 == 2:
            cycles = store(m, sio, r[rd], old, 1)
        else:
            cycles = load(m, sio, r + rd, old, 1, True)
    elif group == 11:
        old = r[rn] + r[imm & 7]
        if opcode >> 9 & 3 == 0:
            cycles = load(m, sio, r + rd, old, 4, False)
        elif opcode >> 9 & 3 == 1:
            cycles = load(m, sio, r + rd, old, 2, False)
        elif opcode >> 9 & 3 == 2:
            cycles = load(m, sio, r + rd, old, 1, False)
        else:
            cycles = load(m, sio, r + rd, old, 2, True)
    elif group == 12:  # STR
        cycles = store(m, sio, r[rd], r[rn] + (imm << 2), 4)
    elif group == 13:  # LDR
        cycles = load(m, sio, r + rd, r[rn] + (imm << 2), 4, False)
    elif group == 14:  # STRB
        cycles = store(m, sio, r[rd], r[rn] + imm, 1)
    elif group == 15:  # LDRB
        cycles = load(m, sio, r + rd, r[rn] + imm, 1, False)
    elif group == 16:  # STRH
        cycles = store(m, sio, r[rd], r[rn] + (imm << 1), 2)
    elif group == 17:  # LDRH
        cycles = load(m, sio, r + rd, r[rn] + (imm << 1), 2, False)
    elif group == 18:  # STR to the stack
        cycles = store(m, sio, r[(opcode >> 8) & 7], r[SP] + ((opcode & 0xFF) << 2), 4)
    elif group == 19:  # LDR from the stack
        cycles = load(m, sio, r + ((opcode >> 8) & 7), r[SP] + ((opcode & 0xFF) << 2), 4, False)
    elif group == 20:  # ADR
        r[(opcode >> 8) & 7] = ((r[PC] - 2) & 0xFFFFFFFCU) + 4 + ((opcode & 0xFF) << 2)
    elif group == 21:  # ADD to SP
        r[(opcode >> 8) & 7] = r[SP] + ((opcode & 0xFF) << 2)
    elif group == 22:
        if opcode >> 8 == 0xB0:
            imm = (opcode & 0x7F) << 2
            r[SP] = (r[SP] - imm if opcode & 0x80 else r[SP] + imm) & 0xFFFFFFFCU
        elif opcode >> 8 == 0xB2:
            cycles = extend(r, opcode)
        elif opcode >> 9 == 0x5A:
            cycles = push(m, r, opcode)
        else:
            cycles = 0
    elif group == 23:
        if opcode >> 9 == 0x5E:
            cycles = pop(core, m, r, opcode)
        elif opcode >> 8 == 0xBA:
            cycles = reverse(r, opcode)
        elif opcode != 0xBF00:  # NOP
            cycles = 0
    elif group == 24 or group == 25:
        cycles = multiple(m, r, opcode)
    elif group == 26 or group == 27:  # B on a condition
        if opcode >> 8 & 0xF >= 14:
            cycles = 0
        elif holds(core, opcode >> 8 & 0xF):
            r[PC] += 2 + (<int><signed char>(opcode & 0xFF) << 1)
            cycles = 2
    elif group == 28:  # B
        r[PC] += 2 + ((<int>(opcode << 21)) >> 20)
        cycles = 2
    elif group == 30:  # BL
        at = place(m, r[PC], 2)
        second = half(at) if at != NULL else 0
        if heard or second & 0xD000 != 0xD000:
            cycles = 0
        else:
            old = opcode >> 10 & 1
            imm = ((0xFF000000U if old else 0) | (1 ^ old ^ (second >> 13 & 1)) << 23
                   | (1 ^ old ^ (second >> 11 & 1)) << 22 | (opcode & 0x3FF) << 12 | (second & 0x7FF) << 1)
            r[LR] = (r[PC] + 2) | 1
            r[PC] += 2 + imm
            cycles = BL
    else:
        cycles = 0
    if cycles == 0:
        r[PC] -= 2
    return cycles
