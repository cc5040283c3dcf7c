"""HMAC against the standard library's."""

import hashlib
import hmac

from hypothesis import given
from hypothesis import strategies as st

from firstcard.proto import login


@given(st.binary(max_size=200), st.binary(max_size=300))
def test_hmac(key, message):
    assert login.hmac_sha256(key, message) == hmac.new(key, message, hashlib.sha256).digest()


@given(st.binary(max_size=40), st.binary(max_size=40))
def test_same(a, b):
    assert login.same(a, b) == (a == b)
    assert login.same(a, bytes(a))


@given(st.text(max_size=10))
def test_from_hex(text):
    try:
        expected = bytes.fromhex(text) if text.isascii() and not any(letter.isspace() for letter in text) else None
    except ValueError:
        expected = None
    assert login.from_hex(text) == expected
