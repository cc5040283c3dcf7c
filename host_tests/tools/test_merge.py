"""Joined modules: what goes together, what stays by itself, and that the program still means the same."""

import importlib
import sys
from importlib.machinery import ModuleSpec

import pytest

from pit import build, shrink
from pit.errors import PitError
from pit.shrink.merge import merge
from pit.shrink.program import Program

MAIN = "from firstcard.app import modes\nmodes.start()\n"
MODES = "def start():\n    from firstcard.app import build\n    return build.table()\n"
LINES = "MOST = 3\ndef parse(x):\n    return ('line', x, MOST)\n"
CARDS = "from firstcard.core.money import parse as cents\nMOST = 52\n" \
        "def parse(x):\n    return ('card', cents(x), MOST)\n"
MONEY = "import sys\nMOST = 9\n_count = 0\n" \
        "def parse(x):\n    global _count\n    _count += 1\n    return x * 100 + _count\n"
TABLE = """
from firstcard.core import cards, money
from firstcard.proto.lines import parse
class Table:
    MOST = 7
    def show(self, cents=2):
        from firstcard.core.money import MOST as most
        return parse(cents), cards.parse(cents), money.MOST, self.MOST, most, cards.cents(1)
"""
BUILD = "from firstcard.app.table import Table\ndef table():\n    return Table().show()\n"


def sources(**changed):
    texts = {"main.py": MAIN, "firstcard/app/modes.py": MODES, "firstcard/app/build.py": BUILD,
             "firstcard/app/table.py": TABLE, "firstcard/core/cards.py": CARDS, "firstcard/core/money.py": MONEY,
             "firstcard/proto/lines.py": LINES}
    texts.update({f"firstcard/{name.replace('_', '/')}.py": text for name, text in changed.items()})
    return texts


def joined(texts, roots=("main",), apart=()):
    return merge(Program(texts), roots, apart)


class Importer:
    """Imports the modules of a program from texts, in the place of those of the firmware."""

    def __init__(self, texts):
        self._texts = texts

    def find_spec(self, name, path=None, target=None):
        file = name.replace(".", "/")
        is_package = any(path.startswith(file + "/") for path in self._texts)
        if f"{file}.py" in self._texts or is_package:
            return ModuleSpec(name, self, is_package=is_package)

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        exec(self._texts.get(module.__name__.replace(".", "/") + ".py", ""), module.__dict__)

    def run(self):
        """What the program's start() returns."""
        kept = {name: sys.modules.pop(name) for name in list(sys.modules) if name.split(".")[0] == "firstcard"}
        sys.meta_path.insert(0, self)
        try:
            return importlib.import_module("firstcard.app.modes").start()
        finally:
            sys.meta_path.remove(self)
            for name in [name for name in sys.modules if name.split(".")[0] == "firstcard"]:
                del sys.modules[name]
            sys.modules.update(kept)


def load(texts):
    return Importer(texts).run()


def test_what_is_loaded_together_is_one_module_for_each_package():
    assert list(joined(sources())) == ["firstcard/core/cards.py", "firstcard/proto/lines.py", "firstcard/app/build.py",
                                       "firstcard/app/modes.py", "main.py"]


def test_the_program_means_the_same():
    want = (("line", 2, 3), ("card", 201, 52), 9, 7, 9, 102)
    assert load(sources()) == want
    assert load(joined(sources())) == want
    assert load(shrink.link(sources(), ("main.py",))[0]) == want


def test_a_name_of_two_modules_never_meets():
    """The check that the test above can fail: names left as they are do meet."""
    texts = {path: text.replace("__money", "").replace("__cards", "") for path, text in joined(sources()).items()}
    with pytest.raises(RecursionError):
        load(texts)


@pytest.mark.parametrize("changed", [
    {"core_money": MONEY + "NAME = __name__\n"},
    {"app_modes": "NAMES = ('firstcard.core.money',)\n" + MODES},
    {"app_build": "from firstcard.core import money\n" + BUILD + "def other():\n    return vars_of(money)\n"
                  "def vars_of(x):\n    return x\n"},
])
def test_what_is_asked_for_as_a_module_stays_one(changed):
    texts = sources(**changed)
    linked = joined(texts)
    assert "firstcard/core/money.py" in linked and "def parse(" in linked["firstcard/core/money.py"]
    assert load(linked) == load(texts)


def test_a_module_can_be_kept_apart():
    linked = joined(sources(), apart=("firstcard.core.money",))
    assert "firstcard/core/money.py" in linked
    assert load(linked) == load(sources())


def test_what_only_a_function_imports_is_not_loaded_with_the_rest():
    linked = joined(sources(app_table=TABLE.replace("from firstcard.core.money", "from firstcard.core.rare"),
                            core_rare="MOST = 9\n"))
    assert linked["firstcard/core/rare.py"] == "MOST = 9"


def test_what_main_imports_itself_does_not_need_the_rest():
    linked = joined(sources(app_modes="from firstcard.proto import lines\nMOST = lines.MOST\n" + MODES))
    assert "lines" not in linked["firstcard/app/build.py"].replace("proto.lines", "").replace("parse__lines", "")
    assert "firstcard/proto/lines.py" in linked


def test_modules_that_import_each_other_are_refused():
    with pytest.raises(PitError, match="import each other: firstcard.core.cards -> firstcard.core.money"):
        joined(sources(core_money="from firstcard.core import cards\n" + MONEY))


def test_packages_that_would_import_each_other_are_refused():
    """proto.lines -> core.tokens while core.cards -> proto.lines: fine one by one, not as two joined modules."""
    with pytest.raises(PitError, match="joined modules would import each other"):
        joined(sources(proto_lines="from firstcard.core import tokens\n" + LINES, core_tokens="X = 1\n",
                       core_cards="from firstcard.proto import lines\n" + CARDS + "X = lines.MOST\n"))


def test_a_name_in_an_assemblers_function_cannot_change():
    texts = sources(core_money=MONEY + "import rp2\n@rp2.asm_pio()\ndef program():\n    set(pins, MOST)\n")
    with pytest.raises(PitError, match=r"money.py:\d+: MOST in an assembler's function"):
        joined(texts)


def test_the_firmware_is_few_files():
    texts = build.sources()
    linked = build.linked(texts)
    assert set(linked) < set(texts)
    assert {"main.py", "board.py", "firstcard/app/modes.py", "firstcard/drivers/edge.py",
            "firstcard/core/oral.py"} <= set(linked)
    assert sum(path.startswith("firstcard/core/") for path in linked) < 12
