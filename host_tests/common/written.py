"""What a host writes, and how a value stands in an event: for tests on every Python."""

from firstcard.proto import crc, jsonline


def with_crc(line):
    """`line` (str) with its trailing `*hhhh`, for hosts that send one."""
    return "%s*%04X" % (line, crc.crc16(line.encode()))


def dumps(value):
    """One value as it stands in an event (str)."""
    return jsonline.event(0, 0, "x", (("v", value),)).decode()[len('! {"seq":0,"ms":0,"event":"x","v":') : -2]
