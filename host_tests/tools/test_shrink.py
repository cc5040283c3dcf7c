"""The linker: what it may take away, what it must leave alone, and that the meaning stays."""

import ast
import re

import pytest

from pit import build, firmware, shrink
from pit.errors import PitError

MAIN = "from firstcard.app import go\ngo.start()\n"
WORDS = {"append", "value", "ioctl", "irq"}


def link(go, **more):
    """The text of app/go.py in a program of which `more` are the other modules (`core_x="..."` -> core/x.py)."""
    sources = {"main.py": MAIN, "firstcard/app/go.py": go}
    for name, text in more.items():
        sources["board.py" if name == "board" else f"firstcard/{name.replace('_', '/', 1)}.py"] = text
    linked, known = shrink.link(sources, ("main.py",), ("board",), WORDS.__contains__, merge=False)
    assert list(linked) == list(sources)
    for text in linked.values():
        ast.parse(text)
    return linked, known


def go(source, **more):
    return link(source, **more)[0]["firstcard/app/go.py"]


def run(linked):
    """What start() of the linked program returns, its modules executed in the order given."""
    names = {}
    exec(linked["firstcard/app/go.py"], names)
    return names["start"]()


STATES = """
SAFE, CLOSED, OPEN = range(3)
WIDE = OPEN << 4
MASK = -0x10
NAME = 'dealer'
LONG = 'a long sentence'
PAIR = (1, 2)
"""


@pytest.mark.parametrize(("source", "wanted"), [
    ("from firstcard.core import m\ndef start():\n    return m.OPEN", "return 2"),
    ("from firstcard.core.m import WIDE as W\ndef start():\n    return W", "return 32"),
    ("from firstcard.core.m import MASK\ndef start():\n    return MASK ** 2", "return (-16) ** 2"),
    ("from firstcard.core import m\ndef start():\n    return m.NAME", "return 'dealer'"),
    ("from micropython import const\n_A = const(3)\nB = _A + 1\ndef start():\n    return B", "return 4"),
    ("import board\ndef start():\n    return f(board)\ndef f(board):\n    return board.LOCK", "return 7"),
])
def test_constants_take_the_place_of_their_names(source, wanted):
    linked, _ = link(source, core_m=STATES, board="LOCK = 7\nZONES = ('a', 'b')\n")
    text = linked["firstcard/app/go.py"]
    assert wanted in text and "import m" not in text and "const" not in text
    assert "SAFE" not in linked["firstcard/core/m.py"] and "LOCK" not in linked["board.py"]


@pytest.mark.parametrize("source", [
    "A = 1\nA = 2\ndef start():\n    return A",
    "A = 1\ndef start():\n    global A\n    A += 1\n    return A",
    "A = 1\ndef start(A=3):\n    return A",
    "A = (1, 2)\ndef start():\n    return A",
    "A = 1\ndef start():\n    for A in b'x':\n        return A",
    "A = 1\ndef start():\n    return [A for A in b'x']",
    "A = 1\nclass B:\n    A = 5\n    C = A\ndef start():\n    return B.C",
])
def test_what_changes_or_is_local_is_no_constant(source):
    names = {}
    exec(source, names)
    assert run(link(source)[0]) == names["start"]()


def test_a_name_that_another_module_sets_is_a_variable():
    text = go("from firstcard.core import m\ndef start():\n    m.OPEN = 5\n    return m.OPEN", core_m=STATES)
    assert re.search(r"return m\.\w+$", text.strip())


def test_a_deleted_import_opens_no_module():
    linked, _ = link("def start():\n    from firstcard.core import m\n    x = m.PAIR\n    del m\n"
                     "    return x, 'OPEN'\n",
                     core_m=STATES)
    assert "OPEN" not in linked["firstcard/core/m.py"] and "del m" in linked["firstcard/app/go.py"]


def test_unused_definitions_go_and_used_ones_stay():
    linked, _ = link("from firstcard.core import m\ndef start():\n    return m.Used(3).total()",
                     core_m="""
import binascii
class Used:
    def __init__(self, n):
        self.n = n
    def total(self):
        return helper(self.n)
    def decode(self):
        return host(self)
def helper(n):
    return n
def host(x):
    return binascii.hexlify(x)
TABLE = (1, 2)
EFFECT = print('made')
""")
    text = linked["firstcard/core/m.py"]
    assert all(gone not in text for gone in ("decode", "host", "binascii", "(1, 2)"))
    assert text.count("def ") == 3 and "print('made')" in text


def test_a_module_imported_by_a_name_put_together_keeps_what_is_asked_of_it():
    linked, _ = link("def start(x='b'):\n    data = __import__('firstcard.core.' + x, None, None, ('x',))\n"
                     "    return data.FIXED", core_m="FIXED = (1, 2)\nOTHER = 5\n")
    assert "FIXED" in linked["firstcard/core/m.py"] and "OTHER" not in linked["firstcard/core/m.py"]
    assert "data.FIXED" in linked["firstcard/app/go.py"]


def test_short_names_are_shared_between_modules():
    linked, known = link("""
from firstcard.core import m
class Table:
    def __init__(self, amount):
        self._amount = amount
    def _double(self):
        return self._amount * 2
    def step(self):
        return self._double()
def start():
    return Table(4).step() + m.Zone(1).kind_of()
""", core_m="""
class Zone:
    def __init__(self, spot):
        self.spot = spot
    def kind_of(self):
        return self.spot
""")
    assert not re.search(r"_amount|_double|amount|Zone|kind_of|spot|Table", "".join(linked.values()))
    ours, theirs = (set(re.findall(r"self\.(\w+)", linked[f"firstcard/{name}.py"])) for name in ("app/go", "core/m"))
    assert ours & theirs, "one name for attributes of different classes"
    assert {"_amount", "_double", "Table"} <= set(known["firstcard/app/go.py"].values())


def test_attributes_that_one_object_may_both_have_differ():
    linked, _ = link("""
from firstcard.core import m
class Sub(m.Base):
    def __init__(self):
        self.own_thing = 1
        self.from_base()
    def total(self):
        return self.own_thing + self.base_thing
def start():
    s = Sub()
    s.wild_thing = 5
    return s.total(), s.wild_thing
""", core_m="""
class Base:
    def from_base(self):
        self.base_thing = 2
""")
    base = {}
    exec(linked["firstcard/core/m.py"], base)
    names = {"m": type("m", (), base)}
    exec(linked["firstcard/app/go.py"].replace("from firstcard.core import m\n", ""), names)
    assert names["start"]() == (3, 5)


@pytest.mark.parametrize(("source", "stays"), [
    ("class A:\n    def do_open(self):\n        return 1\ndef start(x='open'):\n    return getattr(A(), 'do_' + x)()",
     "do_open"),
    ("class A:\n    def _open(self):\n        pass\ndef start():\n    return [getattr(A, '_' + n) for n in ('open',)]",
     "_open"),
    ("class A:\n    def _open(self):\n        return 1\ndef start():\n    return getattr(A(), '_open')()", "_open"),
    ("class A:\n    def hash(self):\n        return 1\ndef start():\n    return getattr(A(), 'hash')()", "hash"),
    ("def f(a, split=2):\n    return split\ndef start():\n    return f(1, split=3)", "split=3"),
    ("class A:\n    def append(self, x):\n        return x\ndef start():\n    return A().append(1)", ".append("),
    ("class A:\n    def __len__(self):\n        return 4\ndef start():\n    return len(A())", "__len__"),
    ("import asyncio\nclass A:\n    _queue = 1\ndef start():\n    return asyncio.core._queue", "core._queue"),
    ("import io\nclass A(io.IOBase):\n    def ioctl(self, a, b):\n        return 0\ndef start():\n    return A()",
     "def ioctl"),
])
def test_names_that_are_reached_in_another_way_stay(source, stays):
    assert stays in go(source)


@pytest.mark.parametrize(("source", "more", "why"), [
    ("from firstcard.core import m\ndef start():\n    return m._secret", {"core_m": "_secret = [1]\n"},
     r"firstcard/app/go.py:3: _secret is private to firstcard/core/m.py"),
    ("from firstcard.core import m\ndef start():\n    return m._SECRET", {"core_m": "_SECRET = 1\n"},
     r"go.py:3: _SECRET is private"),
    ("from firstcard.core.m import _secret\ndef start():\n    return _secret()", {"core_m": "def _secret(): pass\n"},
     r"firstcard/app/go.py:1: _secret is private"),
    ("from firstcard.core import m\ndef start():\n    return m.Z()._n",
     {"core_m": "class Z:\n    def __init__(self):\n        self._n = 1\n"},
     r"go.py:3: _n is private to firstcard/core/m.py"),
    ("def start():\n    return globals()['start']", {}, r"go.py:2: globals\(\) reaches"),
    ("def start(x):\n    return __import__(x)", {}, r"go.py:2: __import__ of a name that could be any module"),
    ("from firstcard.core import *\ndef start():\n    pass", {}, r"go.py:1: star"),
    ("def start():\n    from firstcard.core import m\n    m = m.A\n    return m", {"core_m": "A = 1\n"},
     r"go.py:2: m is bound a second time"),
    ("def start(:\n", {}, r"go.py does not compile"),
])
def test_what_could_not_survive_is_refused_by_file_and_line(source, more, why):
    with pytest.raises(PitError, match=why):
        link(source, **more)


def test_assembler_functions_are_left_alone():
    source = """
import rp2
IN = 1
set = 5
@rp2.asm_pio(set_init=rp2.PIO.OUT_HIGH)
def _program():
    wait(1, pin, 0)
    set(pins, IN)
    jmp(x_dec, 'look')[30]
def start():
    return _program, set, IN
"""
    text = go(source)
    assert "    wait(1, pin, 0)\n    set(pins, IN)\n    jmp(x_dec, 'look')[30]\n" in text
    assert re.search(r"return \(?\w+, 5, 1", text)


def test_a_swap_makes_no_tuple():
    assert "a, b = b, a" in go("def start():\n    a = b = 1\n    a, b = b, a\n    return a")


def test_parameters_of_functions_inside_functions_do_not_hide_each_other():
    source = ("def start():\n    return outer(1, 2)\ndef outer(first, second):\n    def inner(third):\n"
              "        nonlocal second\n        second += third\n        return first\n"
              "    return inner(7), second, [(lambda fourth: fourth + first)(n) for n in (3,)]\n")
    assert run(link(source)[0]) == (1, 9, [4])


def test_without_the_words_of_micropython_public_names_stay():
    source = {"main.py": MAIN, "firstcard/app/go.py": "class Zone:\n    def total(self):\n        return 1\n"
              "def start():\n    return Zone().total()\n"}
    assert "def total" in shrink.link(source, ("main.py",))[0]["firstcard/app/go.py"]


def test_the_words_of_the_image():
    words = firmware.words()
    assert {"append", "mem32", "StateMachine", "ticks_us", "hexlify", "_io_queue", "asm_pio"} <= words
    assert not {"locked_sum", "do_limits_set"} & words


def test_the_firmware_shrinks():
    sources = build.sources()
    linked = build.linked(sources, merge=False)
    assert "READY" not in linked["firstcard/core/machine.py"] and "range(" not in linked["firstcard/core/machine.py"]
    plain, shrunk = (sum(map(len, modules.values())) for modules in (build.plain_modules(), build.modules()))
    assert shrunk < 0.9 * plain


WORDY = """
KINDS = ("irq", "value")
BOTH = KINDS + ("append", "a word of more than ten letters")
FIELDS = {"lock": ("round", ("ioctl", 1)), "ms": (1, 2)}
NEW = ("append", "nowhere")
class Table:
    round = ("append", "value")
def start():
    return KINDS, BOTH, FIELDS, NEW, Table.round, callable(wait), ("irq", "value")
async def wait():
    return ("value", "irq")
"""


def test_kept_tuples_of_names_are_made_of_shared_names_and_are_the_same_tuples():
    linked, _ = link(WORDY)
    text = linked["firstcard/app/go.py"]
    assert "tuple(['irq', 'value'])" in text and "tuple(['append', 'value'])" in text
    assert "tuple(['append', 'a word of more" in text and "tuple(['round', tuple(['ioctl', 1])])" in text
    assert "(1, 2)" in text, "no words"
    assert "('irq', 'value'))" in text and "['value', 'irq']" not in text, "made anew at every call"
    assert "('append', 'nowhere')" in text, "the list of names is not to grow"
    before = {}
    exec(WORDY, before)
    assert run(linked) == before["start"]()
