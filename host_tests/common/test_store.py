"""Chip registry and texts, read from files as the board reads them (firstcard.store)."""

import io

from firstcard.proto.login import begun, hmac_sha256
from firstcard.store import registry as store
from firstcard.store.registry import BUSY, FALSE, GENUINE, Registry
from firstcard.store.texts import Texts
from host_tests.common.raising import error_of

# Three records by hand: UID least significant byte first, then cents little endian, one drawer for all of them
ONE = b"\x01\x00\x00\x00\x00\x01\x04\xe0" + b"\xf4\x01\x00\x00"  # 500
TWO = b"\x01\x00\x00\x00\x00\x02\x04\xe0" + b"\xc4\x09\x00\x00"  # 2500
BIG = b"\xff\x00\x00\x00\x00\x01\x04\xe0" + b"\x80\x96\x98\x00"  # 10,000,000
BAD = b"\xee\x00\x00\x00\x00\x01\x04\xe0" + b"\x00\x00\x00\x30"  # revoked
KEY = b"k" * 32
BODY = b"FCC1" + b"\0\0" + b"\4\0" + b"\0\0" + b"\4\0" + ONE + TWO + BIG + BAD
FILE = BODY + hmac_sha256(KEY, BODY)


def found(registry):
    """What check() comes to in the end."""
    for _ in range(100):
        result = registry.check()
        if result:
            return result
    raise AssertionError("no end")


def test_values_are_found_in_a_file():
    registry = Registry(io.BytesIO(FILE), begun(KEY))
    assert registry.count == 4
    assert registry.lookup(ONE[:8]) == 500
    assert registry.lookup(TWO[:8]) == 2500
    assert registry.lookup(BIG[:8]) == 10000000
    assert registry.lookup(BAD[:8]) == -3
    assert registry.lookup(b"xxx" + TWO, 3) == 2500


def test_unknown_chips():
    registry = Registry(io.BytesIO(FILE), begun(KEY))
    for uid in (b"\x00" * 8, b"\xff" * 8, b"\x01\x00\x00\x00\x00\x01\x04\xe1", b"\x01\x00\x00\x00\x00\x01\x05\x00"):
        assert registry.lookup(uid) == -1
    assert Registry(None).lookup(ONE[:8]) == -1


def test_the_signature_is_that_of_every_byte():
    assert found(Registry(io.BytesIO(FILE), begun(KEY))) == GENUINE
    for at in range(8, len(FILE)):
        registry = Registry(io.BytesIO(FILE[:at] + bytes((FILE[at] ^ 16,)) + FILE[at + 1 :]), begun(KEY))
        assert found(registry) == FALSE
        assert registry.check() == FALSE, "it stays so"
    assert found(Registry(io.BytesIO(FILE), begun(b"K" * 32))) == FALSE
    assert found(Registry(io.BytesIO(FILE))) == FALSE
    assert found(Registry(None)) == GENUINE


def test_a_long_file_is_signed_a_piece_at_a_time():
    steps, store.STEPS = store.STEPS, 1
    body = b"FCC1" + b"\0\0" + b"\xc8\0" + b"\0\0" + b"\xc8\0" + ONE * 200
    registry = Registry(io.BytesIO(body + hmac_sha256(KEY, body)), begun(KEY))
    assert [registry.check() for _ in range(5)] == [BUSY, BUSY, BUSY, GENUINE, GENUINE]
    store.STEPS = steps


def test_a_registry_that_is_cut_short_is_an_error_and_not_a_smaller_one():
    for wrong in (FILE[:-1], FILE + b"x", b"", b"FCC", b"x" + FILE[1:]):
        assert "cut short" in str(error_of(ValueError, Registry, io.BytesIO(wrong), begun(KEY)))


# Two texts by hand: count, two index entries (offset, key length, text length), then keys and texts
TEXTS = b"\x02\x00" + b"\x0a\x00\x03\x0d" + b"\x1a\x00\x01\x07" + b"E10" + b"no {} in {}: " + b"k" + b"a b {} "


def test_texts_are_filled_in_order():
    texts = Texts(io.BytesIO(TEXTS))
    assert texts.count == 2
    assert texts.say("E10", "x", 7) == "no x in 7: "
    assert texts.say(10, "x", 7) == "no x in 7: "
    assert texts.say("k", "{}") == "a b {} "
    assert texts.find("k") == "a b {} "


def test_missing_and_surplus_arguments_do_no_harm():
    texts = Texts(io.BytesIO(TEXTS))
    assert texts.say("E10", "x") == "no x in {}: "
    assert texts.say("E10") == "no {} in {}: "
    assert texts.say("k", 1, 2, 3) == "a b 1 "


def test_quotation_marks_of_an_argument_cannot_end_the_quoted_text():
    assert Texts(io.BytesIO(TEXTS)).say("k", 'say "hi"') == "a b say 'hi' "


def test_a_text_that_is_missing_shows_its_key():
    for texts in (Texts(io.BytesIO(TEXTS)), Texts(None), Texts(io.BytesIO(b"\0\0"))):
        assert texts.say(99, "a", 5) == "E99 a 5"
        assert texts.say("alarm.x") == "alarm.x"
        assert texts.find("zzz") is None and texts.find("A") is None


def test_a_cut_file_is_an_error():
    texts = Texts(io.BytesIO(TEXTS[:-3]))
    error_of(OSError, texts.find, "k")
