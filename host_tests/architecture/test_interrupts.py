"""What hard handlers may do, from the sources; and that each sin is reported."""

import ast

import pytest

from pit import ROOT, interrupts

FIRMWARE = ROOT / "firmware"
FILES = {path.relative_to(FIRMWARE).as_posix(): path.read_text() for path in FIRMWARE.rglob("*.py")}
HANDED = {(path, name) for path, source in FILES.items() for name in interrupts.handlers(ast.parse(source))}
# a name that is handed on by a method of its own module, with the functions that it may be
PASSED_ON = {("firstcard/drivers/shoe.py", "handler"): ["_on_start_bit"]}


def home(path, name):
    """Where a handler that a module imports is written."""
    for node in ast.parse(FILES[path]).body:
        if isinstance(node, ast.ImportFrom) and name in [alias.name for alias in node.names]:
            return node.module.replace(".", "/") + ".py"
    return path


CHECKED = sorted({(home(path, one), one) for path, name in HANDED for one in PASSED_ON.get((path, name), [name])})


def test_the_handlers_are_found():
    assert {name for _, name in CHECKED} >= {"on_a", "on_b", "on_survived", "_follow", "_on_start_bit"}


@pytest.mark.parametrize("path, name", CHECKED)
def test_a_hard_handler_allocates_nothing_and_calls_nothing(path, name):
    assert interrupts.complaints(FILES[path], name) == []


def test_only_drivers_have_hard_handlers():
    assert {path.split("/")[1] for path, _ in CHECKED} == {"drivers"}


HEAD = "@micropython.viper\ndef handler(pin):\n    w = ptr32(WORDS)\n"
SINS = {
    "bytecode": ("def handler(pin):\n    pass\n", "not a viper function"),
    "native": ("@micropython.native\ndef handler(pin):\n    pass\n", "not a viper function"),
    "a default": ("@micropython.viper\ndef handler(pin, n=1):\n    pass\n", "more than plain arguments"),
    "a list": (HEAD + "    a = [1]\n", "List"),
    "a tuple": (HEAD + "    a = 1, 2\n", "Tuple"),
    "a text": (HEAD + "    a = 'x'\n", "the object 'x'"),
    "bytes": (HEAD + "    a = b'x'\n", "the object b'x'"),
    "a float": (HEAD + "    a = 1.5\n", "the object 1.5"),
    "a big number": (HEAD + "    w[0] = 0x40000000\n", "the object 1073741824"),
    "an attribute": (HEAD + "    w[0] = pin.value\n", "Attribute"),
    "a method": (HEAD + "    pin.value(1)\n", "a call of pin.value"),
    "the clock": (HEAD + "    w[0] = time.ticks_us()\n", "a call of time.ticks_us"),
    "print": (HEAD + "    print(1)\n", "a call of print"),
    "schedule": (HEAD + "    schedule(f, 0)\n", "a call of schedule"),
    "raise": (HEAD + "    raise ValueError\n", "Raise"),
    "try": (HEAD + "    try:\n        pass\n    except OSError:\n        pass\n", "Try"),
    "global": (HEAD + "    global n\n    n = 1\n", "Global"),
    "lambda": (HEAD + "    f = lambda: 0\n", "Lambda"),
    "f-string": (HEAD + "    f'{pin}'\n", "JoinedStr"),
    "a sin of a helper": (HEAD + "    help(1)\n\n@micropython.viper\ndef help(n):\n    x = [n]\n", "List in help"),
    "a helper in bytecode": (HEAD + "    help(1)\n\ndef help(n):\n    pass\n", "help is not a viper function"),
}


@pytest.mark.parametrize("sin", SINS)
def test_each_sin_is_reported(sin):
    source, text = SINS[sin]
    assert any(text in one for _, one in interrupts.complaints(source, "handler")), sin


def test_a_handler_that_keeps_to_it_is_not_reported():
    source = HEAD + "    if int(w[1]) == 0:\n        w[0] = int(w[0]) + 1\n    help(2)\n\n" \
        "@micropython.viper\ndef help(n: int):\n    return\n"
    assert interrupts.complaints(source, "handler") == []


@pytest.mark.parametrize("call, name", [
    ("pin.irq(f, 4, hard=True)", "f"), ("sm.irq(handler=f, hard=True)", "f"), ("t.init(callback=f, hard=True)", "f"),
    ("pin.irq(lambda p: 0, 4, hard=True)", "lambda p: 0"), ("pin.irq(self.f, hard=True)", "self.f"),
])
def test_whatever_is_handed_over_is_found(call, name):
    assert list(interrupts.handlers(ast.parse(call))) == [name]


def test_a_handler_that_is_no_plain_function_is_reported():
    assert interrupts.complaints("x = 1", "self.f")
