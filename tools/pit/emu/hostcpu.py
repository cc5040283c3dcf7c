"""A processor that is Python itself: runs the sources of drivers in this process, against the models on the pins.

The same files that are compiled for the board, the same models, no instruction set in between: thousands of tag fields
in the time that an emulated board takes for dozens. Viper code is rewritten only where Python differs from it: sums,
products and left shifts wrap at 32 bits, parameters become pointers as their annotations say, `int(pointer)` is an
address. A pointer into memory is a memoryview, whose stores refuse what does not fit; registers are objects that know
the few a driver of the readers needs and raise on any other. Time passes with every access to a register, and in WFE.
"""

import ast
import builtins
import functools
import types

from pit import ROOT
from pit.emu.fakeboard import FakeBoard
from pit.emu.modelerror import NotModelled

ACCESS_NS = 150  # about 20 cycles for an access and the bytecode around it
BYTE_NS = 8000 / 6  # on the SPI at 6 MHz
SPIN = 4  # equal looks at the pins, then time goes on to whatever happens next
SPIN_NS = 5_000
RAM, RAM_STEP = 0x20000000, 12  # a place of 4 kB for each buffer whose address is taken
SIO, TIMER, SPI, PPB = 0xD0000000, 0x40054000, (0x4003C000, 0x40040000), 0xE000E000
WFE = 0xBF20
SOURCES = ROOT / "firmware"


class HostBoard(FakeBoard):
    """A FakeBoard whose time is spent in small change, and that knows all its pins as one word."""

    def __init__(self):
        super().__init__()
        self.levels = self.own = 0  # bits: what the pins show; what the processor drives
        self._outputs = 0

    def spend(self, ns):
        """Let `ns` nanoseconds pass."""
        end = self.now_ns + ns
        queue = self._queue
        if queue and queue[0][0] <= end:
            self.run_us((end - self.now_ns) / 1000)
        else:
            self.now_ns = end

    def to_next(self, limit_ns):
        """Let time pass until the next alarm, at most `limit_ns`."""
        due = self._queue[0][0] - self.now_ns if self._queue else limit_ns
        self.spend(max(ACCESS_NS, min(due, limit_ns)))

    def drive(self, gp, level):
        super().drive(gp, level)
        self._show(gp)

    def set(self, gp, level):
        super().set(gp, level)
        self._show(gp)

    def _show(self, gp):
        if self.pin(gp):
            self.levels |= 1 << gp
        else:
            self.levels &= ~(1 << gp)

    def output(self, gp, level):
        """Pin `gp` becomes an output of the processor."""
        self._outputs |= 1 << gp
        self.write((self.own & ~(1 << gp)) | bool(level) << gp)
        self.set(gp, level)

    def write(self, own):
        """GPIO_OUT: the pins whose bits changed move."""
        changed, self.own = self.own ^ own, own
        while changed:
            gp = (changed & -changed).bit_length() - 1
            changed &= changed - 1
            if not self._outputs >> gp & 1:
                raise NotModelled(f"GPIO_OUT of GP{gp}, which is no output")
            self.set(gp, own >> gp & 1)


class _Sio:
    """SIO, RP2040 datasheet 2.3.1.7, by word."""

    def __init__(self, board):
        self._board, self._equal, self._last = board, 0, None

    def __getitem__(self, word):
        board = self._board
        if word == 4:
            return board.own
        if word != 1:
            raise NotModelled(f"read of SIO word {word}")
        if self._last == board.levels:
            self._equal += 1
        else:
            self._last, self._equal = board.levels, 0
        if self._equal < SPIN:
            board.spend(ACCESS_NS)
        else:
            board.to_next(SPIN_NS)
        return board.levels

    def __setitem__(self, word, bits):
        board = self._board
        self._equal = 0
        board.spend(ACCESS_NS)
        if word == 5:
            board.write(board.own | bits)
        elif word == 6:
            board.write(board.own & ~bits)
        elif word == 7:
            board.write(board.own ^ bits)
        else:
            raise NotModelled(f"write of SIO word {word}")


class _Timer:
    """TIMER, datasheet 4.6.5: the raw low word, and alarm 0."""

    def __init__(self, board):
        self._board, self.alarm, self.enabled = board, None, 0

    def __getitem__(self, word):
        self._board.spend(ACCESS_NS)
        if word == 10:
            return signed(int(self._board.now_ns // 1000))
        if word == 14:
            return self.enabled
        raise NotModelled(f"read of TIMER word {word}")

    def __setitem__(self, word, value):
        if word == 4:
            self.alarm = value
        elif word == 14:
            self.enabled = value
        elif word == 8 and value == 1:
            self.alarm = None
        elif word != 13 or value != 1:
            raise NotModelled(f"write {value:#x} to TIMER word {word}")


class _Ppb:
    """System registers of the Cortex-M0+: SCR with SEVONPEND, and NVIC_ICPR for the timer's first interrupt."""

    def __init__(self):
        self.scr = 0

    def __getitem__(self, word):
        if word != 0xD10 >> 2:
            raise NotModelled(f"read of PPB word {word:#x}")
        return self.scr

    def __setitem__(self, word, value):
        if word == 0xD10 >> 2:
            self.scr = value
        elif (word, value) != (0x280 >> 2, 1):
            raise NotModelled(f"write {value:#x} to PPB word {word:#x}")


class _Spi:
    """PL022, datasheet 4.4: data and status."""

    def __init__(self, board):
        self._board, self._got, self._until_ns = board, [], 0

    def __getitem__(self, word):
        board = self._board
        if word == 2:
            if not self._got:
                raise NotModelled("read of an empty SPI FIFO")
            return self._got.pop(0)
        if word != 3:
            raise NotModelled(f"read of SPI word {word}")
        if board.now_ns < self._until_ns:
            board.spend(self._until_ns - board.now_ns)
        return 0

    def __setitem__(self, word, value):
        if word != 2 or not 0 <= value <= 255:
            raise NotModelled(f"write {value:#x} to SPI word {word}")
        if len(self._got) == 8:
            raise NotModelled("ninth byte in an SPI FIFO of eight")
        now_ns, until_ns = self._board.now_ns, self._until_ns
        self._got.append(self._board.spi(0).device.exchange(value))
        self._until_ns = (now_ns if now_ns > until_ns else until_ns) + BYTE_NS


def signed(value):
    """`value` as viper has it: 32 bits with a sign."""
    return (value + 0x80000000 & 0xFFFFFFFF) - 0x80000000


class HostCpu:
    """Runs driver sources on `board` (a HostBoard with the models attached). `run` and `value` are those of a board's
    prompt. `pins`: what `import board` gives; `changed`: {module: function of its source}, for tests that break one.
    """

    def __init__(self, board, pins, changed=None):
        self.board = board
        self._pins = pins
        self._changed = changed or {}
        self._memory, self._places = [], {}
        self._timer = _Timer(board)
        ppb = _Ppb()
        self._registers = {SIO: _Sio(board), TIMER: self._timer, SPI[0]: _Spi(board), PPB: ppb}
        self._ppb = ppb
        self._modules = {"machine": self._machine(), "micropython": self._micropython(), "time": self._time()}
        names = dict(vars(builtins))
        names.update(__import__=self._import, ptr8=self._ptr8, ptr32=self._ptr32, data=self._instruction,
                     viper_int=self._int)
        self._builtins = names
        self._prompt = self._namespace("__main__")

    # ---- the prompt ----

    def run(self, code):
        """Execute statements."""
        exec(_compiled(code, "<prompt>"), self._prompt)  # noqa: S102  the board's own prompt does no less

    def value(self, expression):
        """Value of an expression."""
        self._prompt["_"] = None
        self.run(f"_ = ({expression})")
        return self._prompt["_"]

    # ---- modules ----

    def _namespace(self, name):
        return {"__name__": name, "__builtins__": self._builtins}

    def _import(self, name, globals=None, locals=None, fromlist=(), level=0):
        if level or name == "rp2":
            raise NotModelled(f"import of {name}, level {level}")
        top = name.partition(".")[0]
        if name in self._modules:
            return self._modules[name]
        if top != "firstcard":
            return self._pins if name == "board" else __import__(name, globals, locals, fromlist, level)
        if name == "firstcard.drivers":
            package = types.ModuleType(name)
            for each in fromlist:
                setattr(package, each, self._import(f"{name}.{each}", fromlist=("*",)))
            return package
        if not fromlist:
            raise NotModelled(f"import {name} without from")
        path = SOURCES / (name.replace(".", "/") + ".py")
        source = path.read_text()
        change = self._changed.get(name.rpartition(".")[2])
        module = self._modules[name] = types.ModuleType(name)
        module.__dict__.update(self._namespace(name))
        exec(_compiled(change(source) if change else source, str(path)), module.__dict__)  # noqa: S102
        return module

    def _machine(self):
        board = self.board

        class Pin:
            OUT, IN, PULL_UP = "out", "in", "up"

            def __init__(self, gp, mode=None, pull=None, value=None):
                self._gp = gp
                if mode == self.OUT:
                    board.output(gp, value)
                elif mode not in (None, self.IN):
                    raise NotModelled(f"Pin mode {mode}")

            def value(self, level):
                board.output(self._gp, level)

        def spi(number, baudrate, polarity, phase, sck, mosi, miso):
            block = board.spi(number)
            block.spi_mode, block.clock_frequency = polarity << 1 | phase, baudrate

        return types.SimpleNamespace(Pin=Pin, SPI=spi)

    def _micropython(self):
        def same(function):
            return function

        return types.SimpleNamespace(viper=same, native=same, asm_thumb=same, const=same)

    def _time(self):
        board = self.board

        def ticks_us():
            board.spend(ACCESS_NS)
            return int(board.now_ns // 1000) & 0x3FFFFFFF

        def ticks_ms():
            board.spend(ACCESS_NS)
            return int(board.now_ns // 1_000_000) & 0x3FFFFFFF

        def ticks_diff(a, b):
            return (a - b + 0x20000000 & 0x3FFFFFFF) - 0x20000000

        def ticks_add(a, b):
            return a + b & 0x3FFFFFFF

        return types.SimpleNamespace(ticks_us=ticks_us, ticks_ms=ticks_ms, ticks_diff=ticks_diff, ticks_add=ticks_add)

    # ---- viper ----

    def _instruction(self, size, word):
        if (size, word) != (2, WFE):
            raise NotModelled(f"instruction {word:#x} of {size} bytes")
        timer, board = self._timer, self.board
        if timer.alarm is None or not timer.enabled & 1 or not self._ppb.scr & 0x10:
            raise NotModelled("WFE that nothing would end")
        left = signed(timer.alarm - int(board.now_ns // 1000))
        board.spend(max(0, left) * 1000)

    def _place(self, whole):
        place = self._places.get(id(whole))
        if place is None:
            place = self._places[id(whole)] = RAM + (len(self._memory) << RAM_STEP)
            self._memory.append((whole, memoryview(whole).cast("B")))
        return place

    def _int(self, value):
        if type(value) is not memoryview:
            return int(value)
        if value.nbytes != memoryview(value.obj).nbytes:
            raise NotModelled("address of a part of a buffer")
        return self._place(value.obj)

    def _ptr8(self, thing):
        if type(thing) is int:
            address = thing - RAM
            return self._memory[address >> RAM_STEP][1][address & (1 << RAM_STEP) - 1 :]
        view = thing if type(thing) is memoryview else memoryview(thing)
        return view if view.format == "B" else view.cast("B")

    def _ptr32(self, thing):
        if type(thing) is int:
            register = self._registers.get(thing & 0xFFFFFFFF)
            return self._ptr8(thing).cast("i") if register is None else register
        if type(thing) is memoryview and thing.format == "i":
            return thing
        return self._ptr8(thing).cast("i")


class _Viper(ast.NodeTransformer):
    """The body of a viper function as plain Python that counts as viper does."""

    WRAPS = (ast.Add, ast.Sub, ast.Mult, ast.LShift)

    def visit_FunctionDef(self, node):
        heads = [f"{arg.arg} = {arg.annotation.id}({arg.arg})" for arg in node.args.args
                 if arg.annotation is not None and arg.annotation.id.startswith("ptr")]
        for arg in node.args.args:
            arg.annotation = None
        node.returns = None
        self.generic_visit(node)
        node.body = [*ast.parse("\n".join(heads)).body, *node.body]
        return node

    def visit_BinOp(self, node):
        self.generic_visit(node)
        return self._wrapped(node) if isinstance(node.op, self.WRAPS) and not _small(node) else node

    def visit_AugAssign(self, node):
        self.generic_visit(node)
        if isinstance(node.op, self.WRAPS) and isinstance(node.target, ast.Name):
            value = ast.BinOp(ast.Name(node.target.id, ast.Load()), node.op, node.value)
            return ast.Assign([node.target], value if _one(node.value) else self._wrapped(value))
        return node

    def visit_Call(self, node):
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id == "int":
            if not isinstance(node.args[0], ast.Name):
                return node.args[0]  # loads and results are ints already
            node.func.id = "viper_int"
        return node

    def _wrapped(self, node):
        out = ast.parse("(x + 0x80000000 & 0xFFFFFFFF) - 0x80000000", mode="eval").body
        out.left.left.left = node
        return out


def _one(node):
    return isinstance(node, ast.Constant) and node.value == 1


def _small(node):
    """A sum of constants: mpy-cross has worked it out."""
    return isinstance(node.left, ast.Constant) and isinstance(node.right, ast.Constant)


@functools.lru_cache(maxsize=256)
def _compiled(source, name):
    tree = ast.parse(source, name)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            kinds = [one.attr for one in node.decorator_list if isinstance(one, ast.Attribute)]
            if "viper" in kinds:
                _Viper().visit(node)
    return compile(ast.fix_missing_locations(tree), name, "exec")
