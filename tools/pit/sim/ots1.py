"""Framing of OTS-1, the open line between shoe and table, as the shoe sees it: `@SS,TYP[,f1[,f2...]]*CCCC` CR LF.

Written apart from the firmware's own parser on purpose: two readings of one specification check each other. Runs on
MicroPython too.
"""

MAX_LINE = 96  # bytes with CR LF
HEX = "0123456789ABCDEF"
# What the table may say, and what its field looks like: hh = two hexadecimal digits, else the words.
FROM_TABLE = {"ACK": (), "NAK": (), "WHO": (), "RPL": ("hh",), "INH": ("0", "1"), "MOD": ("BJ", "TCP")}


class ShoeProtocolError(Exception):
    """The table sent the shoe a line that is not OTS-1."""


def crc16(data):
    """CRC-16/CCITT-FALSE, bit by bit as in its definition."""
    crc = 0xFFFF
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = crc << 1 ^ (0x1021 if crc & 0x8000 else 0)
        crc &= 0xFFFF
    return crc


def line(sequence, kind, *fields):
    """One whole line, CR LF included; `sequence` is taken modulo 256."""
    body = "%02X,%s" % (sequence & 0xFF, kind)
    for field in fields:
        body += ",%s" % (field,)
    text = ("@%s*%04X\r\n" % (body, crc16(body.encode()))).encode()
    if len(text) > MAX_LINE:
        raise ValueError("OTS-1 line of %d bytes, at most %d: %r" % (len(text), MAX_LINE, text))
    return text


def parse_table(text):
    """A line from the table without CR LF -> (sequence, type, [fields]). Raises ShoeProtocolError on anything else."""
    if text[:1] != b"@" or text[-5:-4] != b"*" or not is_hex(text[-4:]) or len(text) + 2 > MAX_LINE:
        raise ShoeProtocolError("not an OTS-1 line: %r" % text)
    crc = crc16(text[1:-5])
    if int(text[-4:].decode(), 16) != crc:
        raise ShoeProtocolError("CRC of %r should be %04X" % (text, crc))
    words = text[1:-5].decode().split(",")
    if len(words[0]) != 2 or not is_hex(words[0].encode()):
        raise ShoeProtocolError("not an OTS-1 line: %r" % text)
    kind, fields = words[1] if len(words) > 1 else "", words[2:]
    known = FROM_TABLE.get(kind)
    fits = known is not None and len(fields) == min(1, len(known)) and (
        not known or fields[0] in known or (known == ("hh",) and len(fields[0]) == 2 and is_hex(fields[0].encode())))
    if not fits:
        raise ShoeProtocolError("the table may not say %r" % text)
    return int(words[0], 16), kind, fields


def is_hex(text):
    """Are these bytes capital hexadecimal digits?"""
    for byte in text:
        if chr(byte) not in HEX:
            return False
    return bool(text)
