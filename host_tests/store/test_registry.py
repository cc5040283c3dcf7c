"""The chip registry against a dictionary, and what the host packs."""

import io
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firstcard.core.events import REVOKED, WRONG_HOUSE
from firstcard.proto import login
from firstcard.store.registry import GENUINE, Registry
from pit import registry

KEY = bytes(range(32))
UID = st.binary(min_size=8, max_size=8)
CLOSE = st.binary(min_size=1, max_size=1).map(lambda last: b"\x10\x20\x30\x40\x50\x60\x70" + last)
VALUE = st.integers(1, registry.MOST_CENTS) | st.sampled_from((WRONG_HOUSE, REVOKED))
CHIPS = st.dictionaries(UID | CLOSE, VALUE, max_size=60)


class Counted(io.BytesIO):
    reads = 0

    def readinto(self, buf):
        self.reads += 1
        return super().readinto(buf)


@given(CHIPS, st.lists(UID | CLOSE, max_size=20))
def test_lookup(chips, others):
    packed = registry.pack(chips.items(), KEY)
    device = Registry(io.BytesIO(packed), login.begun(KEY))
    assert device.check() == GENUINE
    for uid, cents in chips.items():
        assert device.lookup(uid) == cents
    for uid in others:
        assert device.lookup(uid) == chips.get(uid, -1)
    assert dict(registry.unpack(packed)) == chips and registry.is_signed(packed, KEY)


@pytest.mark.parametrize("spread", ["at random", "one after the other", "equal but for the upper bytes"])
def test_a_lookup_among_twenty_thousand_takes_two_reads(spread):
    rnd = random.Random(1)
    numbers = rnd.sample(range(2**32), 20_000) if spread == "at random" else range(20_000)
    if spread == "equal but for the upper bytes":
        numbers = [n << 16 for n in numbers]
    chips = [((0xE0040100 << 32 | n).to_bytes(8, "little"), 500) for n in numbers]
    source = Counted(registry.pack(chips, KEY))
    device = Registry(source)
    taken = []
    for uid, cents in chips[::7]:
        source.reads = 0
        assert device.lookup(uid) == cents
        taken.append(source.reads)
    assert max(taken) <= 5 and sum(taken) / len(taken) < 2.3
    assert len(source.getvalue()) < 262_144


@pytest.mark.parametrize(("pairs", "why"), [
    ([(b"1234567", 500)], "8 bytes"),
    ([(b"123456789", 500)], "8 bytes"),
    ([(b"12345678", 500), (b"12345678", 100)], "twice"),
    ([(b"12345678", 0)], "cents"),
    ([(b"12345678", -1)], "cents"),
    ([(b"12345678", -4)], "cents"),
    ([(b"12345678", 2**28)], "cents"),
    ([(b"12345678", 5.0)], "cents"),
    ([(b"12345678", True)], "cents"),
])
def test_what_cannot_be_packed_names_the_chip(pairs, why):
    with pytest.raises(ValueError, match=why) as caught:
        registry.pack(pairs, KEY)
    assert pairs[-1][0].hex() in str(caught.value)


@pytest.mark.parametrize("cut", range(1, 12))
def test_a_cut_file_is_refused_on_both_sides(cut):
    data = registry.pack([(b"12345678", 500), (b"87654321", 100)], KEY)[:-cut]
    with pytest.raises(ValueError, match="cut short"):
        Registry(io.BytesIO(data))
    with pytest.raises(ValueError, match="cut short"):
        registry.unpack(data)


def test_a_file_that_shrinks_while_it_is_open_is_an_error():
    source = io.BytesIO(registry.pack([(b"12345678", 500), (b"87654321", 100)], KEY))
    device = Registry(source)
    source.truncate(14)
    with pytest.raises(OSError, match="read"):
        device.lookup(b"87654321")
