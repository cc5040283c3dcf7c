"""Dollars as operators type and read them (firstcard.core.money)."""

from firstcard.core import money
from host_tests.common.raising import error_of


def test_dollars_become_cents():
    for text, cents in (("5", 500), ("2.50", 250), ("0.05", 5), ("0", 0), ("007", 700), ("9999999.99", 999999999)):
        assert money.parse(text) == cents, text


def test_junk_is_refused_with_what_to_type():
    for text in ("", ".", "5.", ".50", "2.5", "2.500", "-5", "+5", "$5", "5,00", "1 000", " 5", "5 ", "1e3", "0x10",
                 "5.0.0", "five", "2.5o", "2.-5", "\u0665", "\u00b2"):
        assert "5 or 2.50" in str(error_of(ValueError, money.parse, text)), text


def test_an_amount_beyond_the_small_ints_is_refused():
    assert "9999999" in str(error_of(ValueError, money.parse, "10000000"))


def test_cents_become_dollars():
    for cents, text in ((500, "5"), (250, "2.50"), (5, "0.05"), (0, "0"), (-250, "-2.50"), (-5, "-0.05"),
                        (100001, "1000.01"), (-500, "-5")):
        assert money.show(cents) == text, cents
