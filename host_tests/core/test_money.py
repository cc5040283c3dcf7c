"""Money there and back (the cases by hand are in host_tests/common)."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firstcard.core import money


@given(st.integers(0, 999_999_999))
def test_what_is_shown_is_understood(cents):
    assert money.parse(money.show(cents)) == cents


@given(st.text(max_size=12))
def test_everything_else_is_refused(text):
    if re.fullmatch(r"[0-9]{1,7}(\.[0-9]{2})?", text, re.ASCII) and not text.endswith("\n"):
        assert money.show(money.parse(text)).split(".")[0] == str(int(text.split(".")[0]))
    else:
        with pytest.raises(ValueError):
            money.parse(text)
