"""The RP2040 as far as drivers/latch.py and drivers/edge.py know it, for CPython: registers, PIO machine, DMA, beams.

Whatever is not modelled raises. Time stands still but in `nap`; what is due then happens in order. Handlers run where
the edge falls, as the hard interrupts of the board do. `load()` gives the modules and a board of their own.
"""

import importlib
import sys
import types

from boards import fc7
from firstcard.core import ticks

WORDS_AT, RING_AT, DROP_AT = 0x20000100, 0x20001000, 0x20002000
GPIO_IN, TIMERAWL, INTERP = 0xD0000004, 0x40054028, 0xD00000D0
LOCK_CTRL = 0x40014004 + 8 * fc7.LOCK
PIO, SET, CLEAR = 0x50200000, 0x2000, 0x3000
START = 5  # where the program lies in the instruction memory
A, B = fc7.BEAM_A, fc7.BEAM_B
FIXED = {0x40014100: 0x800, 0xE000E100: 0x2180, PIO + 0x12C: 0x100, PIO + 0x138: 0}


class NotModelled(Exception):
    """The drivers have touched something that this board does not have."""


class Board:
    """State of the hardware. `locked`: level of the LOCK pin; `falls`: how often it has fallen."""

    def __init__(self, now_us):
        self.now = now_us & 0xFFFFFFFF
        self._due = []  # (us, fn)
        self.levels = {A: False, B: False}
        self._covered = {A: 0, B: 0}
        self._lit = True
        self.handlers = {}
        self.words = None
        self.priorities = 0x80808080
        self.interp = self.override = 0
        self.running = False
        self.pad = True
        self.fifo = []
        self.state = "pull"
        self._count_us = 0
        self._pulse = 0  # number of the pulse that is being watched
        self.ram = {}
        self.stamp_at = None
        self.stamping = False
        self.falls = 0

    # time

    def after(self, us, fn):
        self._due.append((self.now + us, fn))

    def nap(self, us):
        """Let time pass."""
        end = self.now + us
        while True:
            due = sorted((one for one in self._due if one[0] <= end), key=lambda one: one[0])[:1]
            if not due:
                break
            self._due.remove(due[0])
            self.now = due[0][0]
            due[0][1]()
        self.now = end

    # the world

    @property
    def locked(self):
        return bool(self.override) or self.pad

    def cover(self, pin, by=1):
        """Something enters (1) or leaves (-1) the gap of a beam."""
        self._covered[pin] += by
        self._show()

    def card(self, again_us=60_000):
        """A card leaves: A at once, B 20 ms later, each covered for 60 ms."""
        self.cover(A)
        self.after(20_000, lambda: self.cover(B))
        self.after(again_us, lambda: self.cover(A, -1))
        self.after(again_us + 20_000, lambda: self.cover(B, -1))

    def shine(self, lit):
        def follow():
            self._lit = lit
            self._show()

        self.after(100, follow)

    def _show(self):
        for pin in (A, B):
            level = self._covered[pin] > 0 or not self._lit
            if level != self.levels[pin]:
                self.levels[pin] = level
                if pin == A:
                    self._machine(level)
                if level and pin in self.handlers:
                    self.handlers[pin](None)

    # the state machine

    def _set_pad(self, level):
        if self.pad and not level and not self.override:
            self.falls += 1
        self.pad = level

    def _machine(self, level):
        if self.running and self.state == "wait" and level:
            self._fire()
        elif self.state == "look" and not level:
            self._set_pad(False)
            self.state = "wait"

    def _fire(self):
        self._set_pad(True)
        if self.stamping:
            self.ram[self.stamp_at] = self.now
            self.stamp_at = RING_AT + (self.stamp_at - RING_AT + 4) % 64
        self.state = "look"
        self._pulse += 1
        pulse = self._pulse
        self.after(self._count_us, lambda: self._survive(pulse))

    def _survive(self, pulse):
        if self.state == "look" and pulse == self._pulse:
            self.state = "pull"
            self.handlers["survived"](None)
            self._pull()

    def _pull(self):
        if self.running and self.state == "pull" and self.fifo:
            self._count_us = self.fifo.pop(0) * 32 // 125
            self._set_pad(False)
            self.state = "wait"
            if self.levels[A]:
                self._fire()

    def put(self, count):
        self.fifo.append(count)
        self._pull()

    # registers

    def read(self, at):
        if at in FIXED:
            return FIXED[at]
        if WORDS_AT <= at < WORDS_AT + 4 * len(self.words):
            return self.words[(at - WORDS_AT) // 4]
        if RING_AT <= at < RING_AT + 64:
            return self.ram.get(at, 0)
        one = {GPIO_IN: lambda: self.locked << fc7.LOCK | self.levels[A] << A | self.levels[B] << B,
               TIMERAWL: lambda: self.now & 0xFFFFFFFF, INTERP: lambda: self.interp,
               0xE000E40C: lambda: self.priorities, PIO: lambda: int(self.running),
               PIO + 0x0C: lambda: len(self.fifo),
               PIO + 0x3C: lambda: self.pad << fc7.LOCK,
               PIO + 0xD4: lambda: START + {"pull": 0, "wait": 2, "look": 5}[self.state]}.get(at)
        if one is None:
            raise NotModelled(f"read of {at:#x}")
        return one()

    def write(self, at, value):
        if WORDS_AT <= at < WORDS_AT + 4 * len(self.words):
            self.words[(at - WORDS_AT) // 4] = Int(value)
        elif at == LOCK_CTRL + SET and value == 0x3300:
            self.override = value
        elif at == LOCK_CTRL + CLEAR and value == 0x3300:
            if self.override and not self.pad:
                self.falls += 1
            self.override = 0
        elif at == INTERP:
            self.interp = value
        elif at == 0xE000E40C:
            self.priorities = value
        elif at == PIO + CLEAR and value == 1:
            self.running = False
        elif at == PIO + SET and value in (1, 0x10):
            self.running = value == 1 or self.running
            self._pull()
        elif at == PIO + 0xD8:
            self._execute(value)
        elif at != PIO + 0x30 or value != 1:
            raise NotModelled(f"{value:#x} to {at:#x}")

    def _execute(self, instruction):
        if instruction == 0x8080:  # pull noblock
            del self.fifo[:1]
        elif instruction == START:  # jmp
            self.state = "pull"
        elif instruction == 0xE001:  # set pins, 1
            self._set_pad(True)
        else:
            raise NotModelled(f"instruction {instruction:#x}")


class Registers:
    """machine.mem32."""

    def __init__(self, board):
        self._board = board

    def __getitem__(self, at):
        return self._board.read(at)

    def __setitem__(self, at, value):
        self._board.write(at, value)


class Int(int):
    """int of viper: 32 bits, signed, wrapping."""

    def __new__(cls, value):
        return super().__new__(cls, (int(value) + (1 << 31)) % (1 << 32) - (1 << 31))

    def __add__(self, other):
        return Int(int(self) + other)

    def __sub__(self, other):
        return Int(int(self) - other)


class Words:
    """ptr32 of viper: words from an address on."""

    def __init__(self, board, at):
        self._board, self._at = board, at

    def __getitem__(self, n):
        return Int(self._board.read(self._at + 4 * n))

    def __setitem__(self, n, value):
        self._board.write(self._at + 4 * n, value)


def _pin(board):
    class Pin:
        IN, OUT, PULL_UP, IRQ_RISING, IRQ_FALLING = 0, 1, 1, 8, 4

        def __init__(self, number, mode=-1, pull=-1, value=None):
            if number not in (A, B, fc7.EMITTERS, fc7.LOCK):
                raise NotModelled(f"pin {number}")
            self.number = number

        def value(self, level=None):
            if self.number == fc7.EMITTERS and level is not None:
                board.shine(bool(level))
            elif self.number == B and level is None:
                return int(board.levels[B])
            else:
                raise NotModelled(f"pin {self.number}, value {level}")
            return None

        def irq(self, handler, trigger, hard):
            if trigger != self.IRQ_RISING or not hard:
                raise NotModelled("an interrupt that is not hard and rising")
            board.handlers[self.number] = handler

    return Pin


def _rp2(board):
    class StateMachine:
        def __init__(self, number, program, in_base, jmp_pin, set_base):
            if (number, in_base.number, jmp_pin.number, set_base.number) != (0, A, A, fc7.LOCK):
                raise NotModelled("another machine than that of the lock")

        def irq(self, handler, hard):
            board.handlers["survived"] = handler

        def active(self, on):
            board.running = bool(on)

        def put(self, count):
            board.put(count)

    class DMA:
        made = 0

        def __init__(self):
            self.channel = DMA.made
            DMA.made += 1

        def pack_ctrl(self, **fields):
            return fields

        def config(self, read, write, count, ctrl):
            if read == TIMERAWL:
                board.stamp_at = write

        @property
        def write(self):
            return board.stamp_at

        def active(self, on=None):
            if on is not None:
                board.stamping = bool(on)
            return board.stamping

    return types.SimpleNamespace(StateMachine=StateMachine, DMA=DMA)


def _modules():
    """The drivers' modules and the tasks', imported once on an empty board. Nothing of it stays in sys.modules."""
    micropython = types.ModuleType("micropython")
    micropython.const, micropython.viper, micropython.native = int, lambda f: f, lambda f: f
    rp2 = types.ModuleType("rp2")
    rp2.PIO = types.SimpleNamespace(OUT_HIGH=1)
    rp2.asm_pio = lambda **_: lambda function: None
    machine = types.ModuleType("machine")
    machine.Pin = None
    nap = types.ModuleType("firstcard.drivers.nap")
    nap.nap = None
    readers = types.ModuleType("firstcard.drivers.readers")
    readers.FINISHED, readers.SWEPT = 1, 2
    new = {"machine": machine, "micropython": micropython, "uctypes": types.ModuleType("uctypes"), "rp2": rp2,
           "board": fc7, "firstcard.drivers.nap": nap, "firstcard.drivers.readers": readers}
    names = ("firstcard.drivers.edge", "firstcard.drivers.latch", "firstcard.drivers.watchdog",
             "firstcard.app.supervisor", "firstcard.app.tasks")
    kept = {name: sys.modules.pop(name, None) for name in (*new, *names, "firstcard.drivers.wake")}
    sys.modules.update(new)
    try:
        return types.SimpleNamespace(**{name.split(".")[-1]: importlib.import_module(name) for name in names})
    finally:
        for name, module in kept.items():
            sys.modules.pop(name, None)
            if module is not None:
                sys.modules[name] = module


MODULES = []


def modules():
    """The modules, as SimpleNamespace: edge, latch, watchdog, supervisor, tasks."""
    if not MODULES:
        MODULES.append(_modules())
    return MODULES[0]


def load(now_us=5_000_000):
    """(Board, Latch, modules): a new latch on a new board."""
    found, board = modules(), Board(now_us)
    edge, latch = found.edge, found.latch
    board.words = edge.WORDS
    for n in range(len(edge.WORDS)):
        edge.WORDS[n] = 0
    edge.ptr32, edge.int = (lambda at: Words(board, at & 0xFFFFFFFF)), Int
    latch.machine = types.SimpleNamespace(mem32=Registers(board))
    latch.Pin, latch.rp2, latch.nap = _pin(board), _rp2(board), board.nap
    latch.uctypes = types.SimpleNamespace(addressof=lambda thing: WORDS_AT if thing is board.words else RING_AT)
    latch.time = types.SimpleNamespace(ticks_diff=ticks.diff, ticks_us=lambda: board.now & (1 << 30) - 1)
    return board, latch.Latch(fc7), found
