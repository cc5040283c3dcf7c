"""Values of the journal and of the log, there and back."""

from firstcard.store import cbor
from host_tests.common.raising import error_of

VALUES = (0, 1, 23, 24, 255, 256, 65535, 65536, (1 << 30) - 1, -1, -24, -25, -2500, -70000, None, True, False, "", "a",
          "main", "supervisor", "x" * 60, b"", b"\x00\xff" * 100, (), (1, (2, "tip", None), b"z"), "MAIN")


def there_and_back(value):
    buf = bytearray(600)
    end = cbor.put(buf, 3, value)
    back, at = cbor.get(buf, 3)
    return end == at and back == value and type(back) is type(value)


def test_every_value_comes_back():
    for value in VALUES:
        assert there_and_back(value), value


def test_every_word_takes_two_bytes():
    words = cbor.WORDS.split()
    assert len(set(words)) == len(words) < 224
    for word in words:
        buf = bytearray(4)
        assert cbor.put(buf, 0, word.decode()) == 2 and cbor.get(buf, 0) == (word.decode(), 2)


def test_what_does_not_fit_is_an_index_error():
    for value in VALUES:
        if value != "" and value != b"" and value != ():
            size = cbor.put(bytearray(600), 0, value)
            assert error_of(IndexError, cbor.put, bytearray(size - 1), 0, value), value


def test_what_is_no_value_is_refused():
    for data in (b"\xff", b"\x1f", b"\xf8\x00", b"\xf8\xff", b"\xc0", b"\x1b" + bytes(8)):
        assert error_of(ValueError, cbor.get, data, 0), data
