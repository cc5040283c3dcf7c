"""RAM is a budget: heap of the firmware on the emulated table, after all imports and in play; a table per module.

Modules are imported one by one, their bytecode is moved to flash as at power-up, and the heap is collected after each:
what a module costs includes the names and the packages that it is the first to need. What is free in play is asked of
a board as it is built: the probe itself would cost it 4 to 5 kB.
"""

import ast
import hmac
import re

import pytest

from pit import build, firmware, image, inplace
from pit.emu.table import Table

USED_AFTER_IMPORTS = 100_000  # bytes, one board and one profile
FREE_IN_PLAY = 80_000
NAMES = 575  # that MicroPython does not know itself; the 621st costs 3.9 kB, and rare modules bring 40

PROBE = """
import gc, machine, micropython, sys
def used():
    gc.collect()
    return gc.mem_alloc()
import moving
before = used()
names = open("/names.txt")  # one by one: all of them would take 4 kB of what is measured
while True:
    name = names.readline().strip()
    if not name:
        break
    __import__(name)
    moving.move()
    now = used()
    print("#cost", name, now - before)
    before = now
micropython.qstr_info()
print("#used", before)
"""


# Linked with the program, so that the names in it are those of the board.
MOVE = """
from firstcard.drivers import inplace
mover = inplace.Mover()
def move():
    mover.move_new(("firstcard.drivers.inplace", "moving"))
"""

START = "firstcard/app/modes.py"  # imports in its functions what a running table is made of


def order(sources):
    """Names of the modules that a running table has imported, each after those that it imports itself."""
    done, begun = [], set()

    def add(path):
        if path not in sources or path in begun:
            return
        begun.add(path)
        tree = ast.parse(sources[path])
        for node in ast.walk(tree) if path == START else tree.body:
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                base = [node.module] if isinstance(node, ast.ImportFrom) else []
                for module in base + [".".join([*base, alias.name]) for alias in node.names]:
                    add(f"{module.replace('.', '/')}.py")
                    add(f"{module.replace('.', '/')}/__init__.py")
        done.append(path.removesuffix(".py").removesuffix("/__init__").replace("/", "."))

    add(START)
    add("firstcard/rules/us_in_blackjack.py")
    add("firstcard/core/blackjack.py")  # imported by name: the game of the profile
    return done


KEY = bytes(range(32))


def into_play(table):
    """Log in, open, and lay three chips on every spot."""
    board = table.board
    board.send(b"login operator\r\n")
    nonce = bytes.fromhex(board.expect(rb"OK ([0-9a-f]{32})", 2000)[1].decode())
    board.send(b"answer " + hmac.new(KEY, b"operator" + nonce, "sha256").hexdigest().encode() + b"\r\n")
    board.expect(rb"OK operator", 2000)
    board.send(b"open\r\n")
    board.expect(rb'"state":"OPEN"', 2000)
    for spot in range(1, 8):
        table.place(spot, "main", [bytes((spot, n, 0, 0, 0, 1, 4, 0xE0)) for n in range(3)])
    board.run_ms(1500)


def measure(merge):
    """[(module, bytes of heap)] in the order of import, used then, {module: bytes of .mpy}, names.

    `merge`: as on a board, where modules that are always loaded together are one; without, each by itself.
    """
    names = order(build.linked(build.sources(), merge=merge))
    files = build.files("fc7", {"keys": {"operator": KEY.hex()}})
    files = {path: data for path, data in files.items() if not path.endswith(".mpy")}
    files.update(build.modules(tests={"moving.py": MOVE}, merge=merge))
    files[inplace.PATH] = inplace.pack(files)
    files["main.py"] = files["main.py"].split(b"from firstcard")[0] + PROBE.encode()
    files["names.txt"] = "\n".join(names).encode()
    with Table(image.make_fs(files), firmware.image_path()) as table:
        table.board.send(b"\r\n")
        used = int(table.board.expect(rb"#used (\d+)", 6000)[1])
        out = table.board.out.decode()
    costs = [(name, int(cost)) for name, cost in re.findall(r"#cost (\S+) (-?\d+)", out)]
    sizes = {path[:-4].removesuffix("/__init__").replace("/", "."): len(data) for path, data in files.items()
             if path.endswith(".mpy")}
    return costs, used, sizes, int(re.search(r"n_qstr=(\d+)", out)[1])


def free_in_play():
    """Bytes free after the collection of an opening, the panel being there."""
    files = build.files("fc7", {"keys": {"operator": KEY.hex()}})
    with Table(image.make_fs(files), firmware.image_path()) as table:
        table.board.send(b"\r\n")
        table.board.expect(rb'"state":"CLOSED"', 6000)
        table.board.run_ms(300)
        assert table.display.lit, "what is loaded last is loaded"
        into_play(table)
        table.board.send(b"status\r\n")
        return int(table.board.expect(rb"heap=(\d+) ", 3000)[1])


@pytest.fixture(scope="module")
def figures():
    return measure(merge=True)


def test_what_every_module_costs(capsys):
    """For people: which module to look at. What a board pays is less, since it joins them."""
    costs, used, sizes, _ = measure(merge=False)
    with capsys.disabled():
        print(f"\n  {'.mpy':>7}{'heap':>8}  module, each by itself")
        for name, cost in costs:
            print(f"  {sizes.get(name, 0):7,}{cost:8,}  {name}")
        print(f"  {sum(cost for _, cost in costs):15,}  all", end="")
    assert len(costs) > 40


def test_heap_after_all_imports(figures, capsys):
    costs, used, sizes, _ = figures
    with capsys.disabled():
        print(f"\n  joined as on a board: {sum(sizes.get(name, 0) for name, _ in costs):,} bytes of .mpy; "
              f"after all imports {used:,} bytes of heap used", end="")
    assert used <= USED_AFTER_IMPORTS


def test_names(figures, capsys):
    with capsys.disabled():
        print(f"\n  {figures[3]} names", end="")
    assert figures[3] <= NAMES


def test_free_heap_in_play(capsys):
    free = free_in_play()
    with capsys.disabled():
        print(f"\n  in play {free:,} bytes free", end="")
    assert free >= FREE_IN_PLAY
