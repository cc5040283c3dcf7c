"""CRC-16 against the standard library's."""

import binascii

from hypothesis import given
from hypothesis import strategies as st

from firstcard.proto import crc


@given(st.binary(max_size=200))
def test_crc_hqx_agrees(data):
    assert crc.crc16(data) == binascii.crc_hqx(data, 0xFFFF)


@given(st.integers(0, 0xFFFF), st.booleans())
def test_hex4(value, small):
    text = f"{value:04x}" if small else f"{value:04X}"
    assert crc.hex4(text.encode(), 0) == value
