"""The shoe link under loss, noise and repetition: a small shoe that resends, as the frame's specification says."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firstcard.proto import ots1
from host_tests.common.test_ots1 import feed, sequence_of


@given(st.binary(max_size=400))
def test_any_bytes_do_no_harm(data):
    receiver = ots1.Receiver()
    for kind, sequence, fields in feed(receiver, data + b"\r\n"):
        assert len(kind) == 3 and 0 <= sequence <= 255 and isinstance(fields, list)
    assert len(receiver.reply) <= 256
    good = ots1.encode(receiver.last + 1, "LID", 0)
    assert len(feed(receiver, good)) == 1


@given(st.lists(st.integers(0, 27), max_size=60), st.integers(0, 255))
def test_frames_in_any_order_within_the_window_are_given_once_each(order, start):
    receiver = ots1.Receiver()
    feed(receiver, ots1.encode(start, "LID", 0))
    given_out = []
    for step in order:
        given_out += feed(receiver, ots1.encode(start + step, "LID", 0))
    sequences = [frame[1] for frame in given_out]
    assert len(sequences) == len(set(sequences))
    assert set(sequences) == {(start + step) & 255 for step in order if step}
    newest = max(order, default=0)
    assert receiver.missed == newest - len(sequences)


@pytest.mark.parametrize("seed", range(20))
def test_every_frame_arrives_once_over_a_bad_line(seed):
    """One byte in 200 is damaged, either way; the shoe repeats what is not acknowledged: nothing is lost or doubled."""
    rnd = random.Random(seed)

    def line(data):
        return bytes(byte ^ (1 << rnd.randrange(8)) if rnd.random() < 0.005 else byte for byte in data)

    receiver = ots1.Receiver()
    feed(receiver, ots1.encode(0, "HLO", "1", "m", "m", "1", "0", 6, "-"))
    receiver.take_reply()
    arrived = []
    for number in range(1, 200):
        frame = ots1.encode(number, "CRD", number, "TH", 99, "U", number * 400)
        for _ in range(12):
            arrived += feed(receiver, line(frame))
            if any(entry == (number & 255, "ACK") for entry in answers(line(receiver.take_reply()))):
                break
        else:
            pytest.fail(f"frame {number} never got through")
    assert [frame[2][0] for frame in arrived] == list(range(1, 200))
    assert receiver.missed == 0


def answers(reply):
    """The replies that a shoe would accept: whole, with a good CRC."""
    shoe = ots1.Receiver()
    return [(sequence, kind) for kind, sequence, _ in feed(shoe, reply)]


def test_replies_are_frames_themselves():
    receiver = ots1.Receiver()
    feed(receiver, ots1.encode(7, "LID", 0) + b"@bad\r\n")
    assert sequence_of(receiver.reply) == [(7, "ACK"), (8, "NAK")]
    assert answers(receiver.reply) == [(7, "ACK"), (8, "NAK")]
