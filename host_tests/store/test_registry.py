"""The chip registry against a dictionary, in memory and from a file."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firstcard.store.registry import Registry
from pit import registry

UID = st.binary(min_size=8, max_size=8)
CLOSE = st.binary(min_size=1, max_size=1).map(lambda last: b"\x10\x20\x30\x40\x50\x60\x70" + last)
CHIPS = st.dictionaries(UID | CLOSE, st.integers(1, 2**30 - 1), max_size=60)


@given(CHIPS, st.lists(UID | CLOSE, max_size=20))
def test_lookup(chips, others):
    packed = registry.pack(chips.items())
    assert packed == b"".join(uid + chips[uid].to_bytes(4, "little") for uid in sorted(chips))
    for source in (packed, io.BytesIO(packed)):
        device = Registry(source)
        for uid, cents in chips.items():
            assert device.lookup(uid) == cents
        for uid in others:
            assert device.lookup(uid) == chips.get(uid, -1)
    assert dict(registry.unpack(packed)) == chips


def test_two_thousand_chips_take_at_most_eleven_reads():
    class Counted(io.BytesIO):
        reads = 0

        def readinto(self, buf):
            self.reads += 1
            return super().readinto(buf)

    chips = [(number.to_bytes(8, "big"), 500) for number in range(2000)]
    source = Counted(registry.pack(chips))
    device = Registry(source)
    for uid, cents in chips[::37]:
        source.reads = 0
        assert device.lookup(uid) == cents
        assert source.reads <= 11


@pytest.mark.parametrize(("pairs", "why"), [
    ([(b"1234567", 500)], "8 bytes"),
    ([(b"123456789", 500)], "8 bytes"),
    ([(b"12345678", 500), (b"12345678", 100)], "twice"),
    ([(b"12345678", 0)], "cents"),
    ([(b"12345678", -5)], "cents"),
    ([(b"12345678", 2**30)], "cents"),
    ([(b"12345678", 5.0)], "cents"),
    ([(b"12345678", True)], "cents"),
])
def test_what_cannot_be_packed_names_the_chip(pairs, why):
    with pytest.raises(ValueError, match=why) as caught:
        registry.pack(pairs)
    assert pairs[-1][0].hex() in str(caught.value)


@pytest.mark.parametrize("cut", range(1, 12))
def test_a_cut_file_is_refused_on_both_sides(cut):
    data = registry.pack([(b"12345678", 500), (b"87654321", 100)])[:-cut]
    with pytest.raises(ValueError, match="cut short"):
        Registry(data)
    with pytest.raises(ValueError, match="cut short"):
        registry.unpack(data)


def test_a_file_that_shrinks_while_it_is_open_is_an_error():
    source = io.BytesIO(registry.pack([(b"12345678", 500), (b"87654321", 100)]))
    device = Registry(source)
    source.truncate(14)
    with pytest.raises(OSError, match="read"):
        device.lookup(b"87654321")
