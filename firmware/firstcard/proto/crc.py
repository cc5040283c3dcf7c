"""CRC-16/CCITT-FALSE (polynomial 0x1021, start 0xFFFF, not reflected, no final exclusive-or; check value 0x29B1)."""

from array import array

START = 0xFFFF


def _table():
    """Remainders of the 256 byte values. The CRC is linear, so each power of two doubles what is already there."""
    table = array("H", [0] * 256)
    value = 0x1021
    size = 1
    while size < 256:
        for low in range(size):
            table[size + low] = value ^ table[low]
        size *= 2
        value = ((value << 1) ^ 0x1021) & 0xFFFF if value & 0x8000 else value << 1
    return table


TABLE = _table()  # 512 bytes; an application may read it too, for a faster loop in machine code


def crc16(data, n=-1, start=0):
    """CRC of data[start:n] (all without n); allocates nothing."""
    table = TABLE
    crc = START
    for at in range(start, len(data) if n < 0 else n):
        crc = ((crc << 8) & 0xFFFF) ^ table[(crc >> 8) ^ data[at]]
    return crc


def hex4(data, at):
    """Value of the four hexadecimal digits at data[at:at+4], either case; -1 if one is none. Allocates nothing."""
    value = 0
    for place in range(at, at + 4):
        byte = data[place]
        if 48 <= byte <= 57:
            byte -= 48
        elif 65 <= byte <= 70:
            byte -= 55
        elif 97 <= byte <= 102:
            byte -= 87
        else:
            return -1
        value = value << 4 | byte
    return value
