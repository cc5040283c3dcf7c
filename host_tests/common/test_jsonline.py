"""Event lines: the same bytes on every Python (firstcard.proto.jsonline)."""

from firstcard.proto import jsonline
from host_tests.common.raising import error_of
from host_tests.common.written import dumps


def test_an_event_keeps_the_order_of_its_fields():
    pairs = (("spot", 3), ("hand", 1), ("bet", "main"), ("won", 1500), ("to", "player"))
    line = jsonline.event(7, 1234, "settle", pairs)
    assert line == b'! {"seq":7,"ms":1234,"event":"settle","spot":3,"hand":1,"bet":"main","won":1500,"to":"player"}\n'


def test_an_event_without_fields():
    assert jsonline.event(0, 0, "x", ()) == b'! {"seq":0,"ms":0,"event":"x"}\n'


def test_values_of_every_kind():
    for value, text in (
        (None, "null"),
        (True, "true"),
        (False, "false"),
        (0, "0"),
        (1, "1"),
        (-2500, "-2500"),
        (2**40, "1099511627776"),
        ("", '""'),
        ([], "[]"),
        ((), "{}"),
        ({}, "{}"),
        ([1, [2, None], "x"], '[1,[2,null],"x"]'),
        ((("min", 500), ("max", 50000)), '{"min":500,"max":50000}'),
        ([(("spot", 1), ("zone", "main"))], '[{"spot":1,"zone":"main"}]'),
        ({"b": 1, "a": {"z": 2, "y": 3}}, '{"a":{"y":3,"z":2},"b":1}'),
    ):
        assert dumps(value) == text, text


def test_texts_are_escaped_to_ascii():
    for text, escaped in (
        ('say "no"', '"say \\"no\\""'),
        ("back\\slash", '"back\\\\slash"'),
        ("tab\tend\n", '"tab\\u0009end\\u000a"'),
        ("\x00\x7f", '"\\u0000\\u007f"'),
        ("Zo\u00eb", '"Zo\\u00eb"'),
        ("\u20ac", '"\\u20ac"'),
        ("\U0001f0a1", '"\\ud83c\\udca1"'),  # playing card ace of spades
        ("plain ~ text", '"plain ~ text"'),
    ):
        assert dumps(text) == escaped, escaped


def test_what_is_no_json_is_an_error():
    for value in (1.5, b"bytes", bytearray(1)):
        error_of(TypeError, dumps, value)
