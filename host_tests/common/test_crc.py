"""CRC-16/CCITT-FALSE and hexadecimal digits (firstcard.proto.crc)."""

from firstcard.proto import crc


def test_the_published_check_value():
    assert crc.crc16(b"123456789") == 0x29B1


def test_nothing_gives_the_start_value():
    assert crc.crc16(b"") == 0xFFFF


def test_only_the_asked_part_counts():
    assert crc.crc16(bytearray(b"xx123456789yy"), 11, 2) == 0x29B1


def test_every_byte_by_long_division():
    for byte in range(256):
        value = (0xFF ^ byte) << 8
        for _ in range(8):
            value = ((value << 1) ^ 0x1021) & 0xFFFF if value & 0x8000 else value << 1
        assert crc.crc16(bytes((byte,))) == value ^ 0xFF00, byte


def test_hex_digits_of_either_case():
    assert crc.hex4(b"*29B1", 1) == 0x29B1
    assert crc.hex4(b"beef", 0) == 0xBEEF
    for text in (b"29G1", b"29 1", b"@000", b"/000", b":000", b"`000", b"g000"):
        assert crc.hex4(text, 0) == -1, text
