"""/code.xip as it is made on the host: modules taken apart, functions packed, chunks where littlefs puts them."""

import ast
from pathlib import Path

import pytest

from pit import build, image, inplace, mpy
from pit.errors import PitError

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def modules():
    """The modules with the names of the sources: dict of path -> .mpy."""
    return build.plain_modules()


@pytest.mark.parametrize("make", (build.modules, build.plain_modules))
def test_every_module_is_taken_apart_to_its_last_byte(make):
    for path, data in make().items():
        codes = mpy.codes(data)
        assert codes[0].depth == 0 and codes[0].kind == mpy.BYTECODE, path
        assert {code.kind for code in codes} <= {mpy.BYTECODE, mpy.NATIVE, mpy.VIPER, mpy.ASM}
        for end in range(0, len(data), 97):
            with pytest.raises(PitError, match="not a compiled module"):
                mpy.codes(data[:end])
        with pytest.raises(PitError, match="left over"):
            mpy.codes(data + b"x")


def test_functions_are_found_with_their_kinds():
    source = b"""
import micropython
def plain(a):
    return [b + 1 for b in a]
class Thing:
    def method(self):
        yield 'text', 1.5, b'bytes', 1 << 40, (1, (2, 3))
@micropython.native
def native(a): return a
@micropython.viper
def viper(a: int) -> int: return a
@micropython.asm_thumb
def asm(r0): nop()
"""
    found = [(code.depth, code.kind) for code in mpy.codes(build.compile_module(source, "kinds.py"))]
    assert found == [(0, 2), (1, 2), (2, 2), (1, 2), (2, 2), (1, mpy.NATIVE), (1, mpy.VIPER), (1, mpy.ASM)]


def test_the_file_holds_every_function_once(modules):
    chunks = inplace.unpack(inplace.pack(modules))
    held = [code for chunk in chunks for _, code in chunk.codes]
    assert sorted(held) == sorted(inplace.functions(modules.values())) and len(set(held)) == len(held)
    in_order = sorted(held)
    assert not any(after.startswith(code) for code, after in zip(in_order, in_order[1:])), "one fits at most"
    assert not chunks[-1].codes and all(chunk.codes for chunk in chunks[:-1])
    own = [code.data for data in modules.values() for code in mpy.codes(data) if code.depth and code.kind == 2]
    assert sum(len(code) for code in held) > 0.9 * sum(len(code) for code in set(own))


def test_each_chunk_fills_the_data_of_one_block(modules):
    """Where littlefs puts them: found in the image at the offset that belongs to their number."""
    data = inplace.pack(modules)
    made = image.make_fs({**modules, inplace.PATH: data})
    at = 0
    for number in range(len(inplace.unpack(data))):
        chunk = data[at:at + inplace.data_size(number)]
        places = [place for place in range(0, len(made), 4096) if chunk in made[place:place + 4096]]
        assert len(places) == 1 and made.index(chunk, places[0]) - places[0] == 4 * inplace.pointers(number)
        at += len(chunk)
    assert [inplace.pointers(n) for n in (0, 1, 2, 3, 4, 8, 128)] == [0, 1, 2, 1, 3, 4, 8]


def test_a_damaged_or_short_file_is_refused(modules):
    data = inplace.pack(modules)
    for wrong in (b"", data[:-1], data[:4096], data[:-inplace.HEAD_SIZE], bytes([data[0] ^ 1]) + data[1:],
                  data[:30] + bytes([data[30] ^ 1]) + data[31:]):
        with pytest.raises(PitError):
            inplace.unpack(wrong)
    with pytest.raises(PitError, match="8 bytes"):
        inplace.pack(modules, b"short")


def test_nothing_in_the_firmware_names_it_but_its_driver():
    naming = [path for path in (ROOT / "firmware").rglob("*.py") if inplace.PATH in path.read_text()]
    assert [path.name for path in naming] == ["inplace.py"]
    opened = [node for node in ast.walk(ast.parse(naming[0].read_text())) if isinstance(node, ast.Call)
              and isinstance(node.func, ast.Name) and node.func.id == "open"]
    assert [node.args[1].value for node in opened] == ["rb"], "it only reads"
