"""Chip registry and texts, read from files as the board reads them (firstcard.store)."""

import io

from firstcard.store.registry import Registry
from firstcard.store.texts import Texts
from host_tests.common.raising import error_of

# Three records by hand: UID least significant byte first, then cents little endian
ONE = b"\x01\x00\x00\x00\x00\x01\x04\xe0" + b"\xf4\x01\x00\x00"  # 500
TWO = b"\x01\x00\x00\x00\x00\x02\x04\xe0" + b"\xc4\x09\x00\x00"  # 2500
BIG = b"\xff\x00\x00\x00\x00\x01\x04\xe0" + b"\x80\x96\x98\x00"  # 10,000,000
FILE = ONE + TWO + BIG


def test_values_are_found_in_bytes_and_in_files():
    for source in (FILE, bytearray(FILE), io.BytesIO(FILE)):
        registry = Registry(source)
        assert registry.count == 3
        assert registry.lookup(ONE[:8]) == 500
        assert registry.lookup(TWO[:8]) == 2500
        assert registry.lookup(BIG[:8]) == 10000000


def test_a_chip_within_a_longer_reading_is_found_without_slicing():
    assert Registry(FILE).lookup(b"xxx" + TWO, 3) == 2500


def test_unknown_chips_before_between_and_behind():
    registry = Registry(FILE)
    for uid in (b"\x00" * 8, b"\xff" * 8, b"\x01\x00\x00\x00\x00\x01\x04\xe1", b"\x01\x00\x00\x00\x00\x01\x05\x00"):
        assert registry.lookup(uid) == -1
    assert Registry(b"").lookup(ONE[:8]) == -1


def test_a_registry_that_is_cut_short_is_an_error_and_not_a_smaller_one():
    assert "cut short" in str(error_of(ValueError, Registry, FILE[:-1]))


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
