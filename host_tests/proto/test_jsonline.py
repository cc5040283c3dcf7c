"""Event lines are JSON, keep order, and are the same bytes from CPython and MicroPython."""

import json
import subprocess
import sys
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from firstcard.proto import jsonline
from host_tests.common.written import dumps

ROOT = Path(__file__).resolve().parents[2]
PLAIN = st.none() | st.booleans() | st.integers() | st.text(max_size=12)
VALUE = st.recursive(
    PLAIN,
    lambda inner: st.lists(inner, max_size=4)
    | st.lists(st.tuples(st.text(max_size=5), inner), max_size=4, unique_by=lambda pair: pair[0]).map(tuple)
    | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


def plain(value):
    """As json.loads gives it back, objects as lists of pairs."""
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, tuple):
        return ("object", [(name, plain(item)) for name, item in value])
    if isinstance(value, dict):
        return ("object", [(name, plain(value[name])) for name in sorted(value)])
    return value


@given(VALUE)
def test_json_reads_back_what_was_written(value):
    text = dumps(value)
    assert text.isascii() and "\n" not in text
    assert json.loads(text, object_pairs_hook=lambda pairs: ("object", pairs)) == plain(value)


@given(st.integers(0, 2**40), st.integers(0, 2**40), st.lists(st.tuples(st.text(max_size=8), VALUE), max_size=5))
def test_an_event_is_one_line(seq, ms, pairs):
    line = jsonline.event(seq, ms, "bet", pairs)
    assert line.startswith(b"! {") and line.endswith(b"}\n") and line.count(b"\n") == 1
    names = json.loads(line[2:], object_pairs_hook=lambda found: [name for name, _ in found])
    assert names == ["seq", "ms", "event", *[name for name, _ in pairs]]


SAMPLE = """
import sys
sys.path.insert(0, "firmware")
from firstcard.proto import jsonline
from host_tests.common.written import dumps
text = "".join([chr(code) for code in range(0, 0x180)]) + chr(0x20AC) + chr(0x1F0A1)
d = {}
for k in "zebra apple mango kiwi 10 9 Z".split():
    d[k] = [k, len(k), None, True]
pairs = (("text", text), ("d", d), ("o", (("b", 1), ("a", -2 ** 70))), ("l", [[], (), {}]))
print(jsonline.event(1, 2, "sample", pairs))
"""


def test_both_pythons_write_the_same_bytes():
    micropython = Path(sys.executable).parent / "micropython"
    seen = [
        subprocess.run([program, "-c", SAMPLE], cwd=ROOT, capture_output=True, text=True, check=True, timeout=30).stdout
        for program in (sys.executable, micropython)
    ]
    assert seen[0] == seen[1] and seen[0].startswith("b'! {")
