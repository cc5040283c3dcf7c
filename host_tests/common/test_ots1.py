"""Shoe frames: receiver, acknowledgements, gaps (firstcard.proto.ots1)."""

from firstcard.proto import ots1


def feed(receiver, data):
    """Frames of `data`; what the receiver owes is left in its reply."""
    frames = []
    for byte in data:
        frame = receiver.feed(byte)
        if frame is not None:
            frames.append(frame)
    return frames


def sequence_of(reply):
    """[(sequence, type)] of a reply of several frames."""
    return [(int(line[1:3], 16), line[4:7].decode()) for line in reply.split(b"\r\n") if line]


def test_the_encoder_writes_the_frame_of_the_specification():
    # CRC-16/CCITT-FALSE of "05,EDG,1,40" from binascii.crc_hqx: 0x833D
    assert ots1.encode(5, "EDG", 1, 40) == b"@05,EDG,1,40*833D\r\n"
    assert ots1.encode(255, "WHO")[:7] == b"@FF,WHO"
    assert ots1.encode(256, "WHO")[:7] == b"@00,WHO"


def test_a_good_frame_is_given_once_and_acknowledged_with_its_sequence():
    receiver = ots1.Receiver()
    assert feed(receiver, b"@05,EDG,1,40*833D\r\n") == [("EDG", 5, [1, 40])]
    assert receiver.take_reply() == ots1.encode(5, "ACK")
    assert receiver.take_reply() == b""
    assert (receiver.good, receiver.bad, receiver.gap, receiver.late) == (1, 0, 0, False)


def test_fields_are_numbers_and_words_by_type():
    receiver = ots1.Receiver()
    for number, (kind, fields) in enumerate((
        ("HLO", ["1", "maker", "model", "007", "0badcafe", 6, "caps"]),
        ("CRD", [7, "TH", 98, "U", 4294967295]),
        ("CRD", [8, "??", 0, "?", 12]),
        ("MIS", [9, "NOCODE"]),
        ("DBL", [10, 44]),
        ("RTN", [11]),
        ("BRN", [12]),
        ("CUT", [13, 60]),
        ("LID", [1]),
        ("JAM", [0]),
        ("EMP", [1]),
        ("SHF", ["A7", 312]),
        ("KEY", ["burn"]),
        ("HBT", [13, "00", 3600]),
        ("XYZ", ["as", "it", "came"]),
        ("HBT", [13, "00", 3600, "more"]),
    )):
        assert feed(receiver, ots1.encode(number, kind, *fields)) == [(kind, number, fields)], kind
    assert (receiver.good, receiver.bad, receiver.missed) == (16, 0, 0)


def test_every_changed_byte_is_refused_and_asked_for_again():
    frame = ots1.encode(5, "EDG", 1, 40)
    for place in range(1, len(frame) - 2):
        receiver = ots1.Receiver()
        feed(receiver, ots1.encode(4, "LID", 0))
        receiver.take_reply()
        broken = bytearray(frame)
        broken[place] ^= 1
        assert feed(receiver, broken) == [], place
        assert sequence_of(receiver.take_reply())[0] == (5, "NAK"), place
        assert receiver.bad >= 1


def test_good_checksums_do_not_save_bad_shapes():
    for body in ("5,EDG,1,40", "005,EDG,1,40", "05,EDG", "05,EDG,1", "05,EDG,x,40", "05,EDG,1,", "05,EDGE,1,40",
                 "05,ED,1,40", "05,edg,1,40", "05", "0G,EDG,1,40", "05,EDG,12345678901,40", "05,CRD,1,TH,98,U",
                 "", ",,,,,,,"):
        receiver = ots1.Receiver()
        whole = b"@" + body.encode() + b"*%04X\r\n" % ots1.crc.crc16(body.encode())
        assert feed(receiver, whole) == [], body
        assert receiver.bad == 1, body
        assert sequence_of(receiver.take_reply()) == [(0, "NAK")], body


def test_a_repeated_frame_is_acknowledged_again_and_not_given_again():
    receiver = ots1.Receiver()
    frame = ots1.encode(5, "EDG", 1, 40)
    assert len(feed(receiver, frame * 4)) == 1
    assert sequence_of(receiver.take_reply()) == [(5, "ACK")] * 4
    assert receiver.duplicates == 3


def test_a_gap_is_seen_and_a_late_frame_fills_it():
    receiver = ots1.Receiver()
    feed(receiver, ots1.encode(5, "EDG", 1, 40))
    assert len(feed(receiver, ots1.encode(8, "EDG", 2, 90))) == 1
    assert (receiver.gap, receiver.missed, receiver.late) == (2, 2, False)
    assert feed(receiver, ots1.encode(6, "CRD", 1, "TH", 99, "U", 60)) == [("CRD", 6, [1, "TH", 99, "U", 60])]
    assert (receiver.gap, receiver.missed, receiver.late) == (0, 1, True)
    assert feed(receiver, ots1.encode(6, "CRD", 1, "TH", 99, "U", 60)) == []
    assert len(feed(receiver, ots1.encode(9, "LID", 0))) == 1
    assert (receiver.gap, receiver.missed, receiver.late) == (0, 1, False)
    assert receiver.duplicates == 1


def test_sequences_wrap_without_a_gap():
    receiver = ots1.Receiver()
    for number in range(250, 600):
        assert len(feed(receiver, ots1.encode(number, "LID", 0))) == 1
        assert receiver.gap == 0
    assert (receiver.good, receiver.duplicates, receiver.missed) == (350, 0, 0)


def test_a_shoe_that_starts_anew_says_so_and_is_heard():
    receiver = ots1.Receiver()
    hello = ("HLO", "1", "maker", "model", "7", "0badcafe", 6, "-")
    feed(receiver, ots1.encode(0, *hello))
    for number in (1, 2, 3):
        feed(receiver, ots1.encode(number, "LID", 0))
    assert feed(receiver, ots1.encode(0, *hello))[0][0] == "HLO"  # the same sequence as three frames ago: a new start
    assert feed(receiver, ots1.encode(0, *hello)) == []  # but at once again: a repeat
    assert feed(receiver, ots1.encode(1, "LID", 1)) == [("LID", 1, [1])]
    assert (receiver.gap, receiver.missed, receiver.duplicates) == (0, 0, 1)


def test_noise_between_frames_is_ignored_and_a_cut_frame_does_not_eat_the_next():
    receiver = ots1.Receiver()
    good = ots1.encode(5, "EDG", 1, 40)
    assert len(feed(receiver, b"\xff\x00garbage\r\n*1234\r\n" + good)) == 1
    assert receiver.bad == 0
    receiver = ots1.Receiver()
    assert feed(receiver, good[:9] + good) == [("EDG", 5, [1, 40])]
    assert receiver.bad == 1
    receiver = ots1.Receiver()
    assert feed(receiver, b"@" + b"x" * 500 + b"\r\n" + good) == [("EDG", 5, [1, 40])]
    assert receiver.bad == 1


def test_the_longest_frame_is_96_bytes():
    name = "n" * (96 - len("@05,KEY,*CCCC"))
    receiver = ots1.Receiver()
    assert feed(receiver, ots1.encode(5, "KEY", name)) == [("KEY", 5, [name])]
    assert feed(receiver, ots1.encode(6, "KEY", name + "n")) == []
    assert receiver.bad == 1


def test_replies_that_nobody_takes_stay_bounded():
    receiver = ots1.Receiver()
    for number in range(200):
        feed(receiver, ots1.encode(number, "LID", 0))
    assert len(receiver.reply) <= 256
    assert receiver.good == 200
