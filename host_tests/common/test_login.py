"""HMAC, hexadecimal text, comparison (firstcard.proto.login). Vectors: RFC 4231."""

from firstcard.proto import login

VECTORS = (
    (b"\x0b" * 20, b"Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
    (b"Jefe", b"what do ya want for nothing?", "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
    (b"\xaa" * 20, b"\xdd" * 50, "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"),
    (b"\xaa" * 131, b"Test Using Larger Than Block-Size Key - Hash Key First",
     "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"),
)


def test_published_vectors():
    for key, message, expected in VECTORS:
        assert login.to_hex(login.hmac_sha256(key, message)) == expected


def test_hex_there_and_back():
    assert login.to_hex(b"\x00\xff\x10") == "00ff10"
    assert login.from_hex("00fF10") == b"\x00\xff\x10"
    assert login.from_hex("") == b""


def test_what_is_no_hex_is_none():
    for text in ("0", "0g", "0x", " 00", "00 ", "0 0 "):
        assert login.from_hex(text) is None, text


def test_comparison():
    assert login.same(b"", b"")
    assert login.same(b"abc", bytearray(b"abc"))
    for other in (b"abd", b"bbc", b"ab", b"abcd", b""):
        assert not login.same(b"abc", other)
