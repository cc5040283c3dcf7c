"""The line assembler against a model that splits the whole input at once."""

import binascii
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from firstcard.proto import lines
from host_tests.common.test_lines import feed
from host_tests.common.written import with_crc


def model(data):
    """What an input must give: split at every CR and LF, then judge each piece as a whole."""
    out = []
    for piece in re.split(rb"[\r\n]", data)[:-1]:
        bad = next((place for place, byte in enumerate(piece) if not 32 <= byte <= 126), None)
        surplus = 96 if len([b for b in piece if 32 <= b <= 126]) > 96 else None
        if bad is not None and len(piece[:bad]) <= 96:
            out.append(lines.NOT_PRINTABLE)
        elif surplus:
            out.append(lines.TOO_LONG)
        elif piece:
            found = re.fullmatch(rb"(.*)\*([0-9A-Fa-f]{4})", piece)
            if not found:
                out.append(piece.decode())
            elif binascii.crc_hqx(found[1], 0xFFFF) == int(found[2], 16):
                out.append(found[1].decode())
            else:
                out.append(lines.BAD_CRC)
    return out


TYPED = st.text("abc 123*?", min_size=0, max_size=40).map(str.encode)
CHECKED = st.text("abc 123*", min_size=0, max_size=91).map(lambda text: with_crc(text).encode())
LONG = st.sampled_from([63, 64, 65, 95, 96, 97, 127, 128, 129]).map(lambda length: b"z" * length)
JUNK = st.binary(max_size=8)
END = st.sampled_from([b"\n", b"\r", b"\r\n", b"\n\n"])


@given(st.lists(st.one_of(TYPED, CHECKED, LONG, JUNK, END, END), max_size=30).map(b"".join))
@example(b"*29B1\n")
@example(b"x" * 96 + b"\x00\n")
@example(b"x" * 97 + b"\x00\n")
def test_any_input(data):
    assert feed(lines.Lines(), data) == model(data)


@given(st.binary(max_size=300))
def test_any_bytes(data):
    assert feed(lines.Lines(), data) == model(data)


@given(st.lists(TYPED | CHECKED | LONG, max_size=8), st.lists(st.integers(0, 70), max_size=20))
def test_packets_do_not_matter(texts, cuts):
    data = b"\n".join(texts) + b"\n"
    assembler = lines.Lines()
    out, at = [], 0
    for cut in [*cuts, len(data)]:
        out += feed(assembler, data[at : at + cut])
        at += cut
    assert out == model(data)


@pytest.mark.parametrize("length", [63, 64, 65, 95, 96, 97, 127, 128, 129])
@pytest.mark.parametrize("end", [b"\r", b"\n", b"\r\n"])
def test_lengths_around_usb_packets_and_the_limit(length, end):
    expected = "y" * length if length <= 96 else lines.TOO_LONG
    assert feed(lines.Lines(), b"y" * length + end + b"status" + end) == [expected, "status"]


@given(st.text("abcxyz 0189", min_size=1, max_size=80), st.integers(0, 200), st.integers(1, 255))
def test_one_changed_byte_of_a_checked_line_is_never_obeyed_as_it_stands(text, place, mask):
    data = bytearray(with_crc(text).encode())
    place %= len(data)
    data[place] ^= mask
    for result in feed(lines.Lines(), bytes(data) + b"\n"):
        # what is obeyed is the text as it was sent: a `*` that became a line end, another letter case of the CRC
        assert result != text or place >= len(text)
