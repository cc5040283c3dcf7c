"""Framing of OTS-1, the open line between shoe and table, as the shoe sees it: `@SS,TYP[,f1[,f2...]]*CCCC` CR LF.

Written apart from the firmware's own parser on purpose: two readings of one specification check each other.
"""

import binascii
import re

from pit.emu.modelerror import ShoeProtocolError

MAX_LINE = 96  # bytes with CR LF
_LINE = re.compile(rb"@([0-9A-F]{2}),([A-Z]{3})((?:,[^,*\r\n]*)*)\*([0-9A-F]{4})")
# What the table may say, and what its fields look like.
FROM_TABLE = {
    "ACK": rb"",
    "NAK": rb"",
    "WHO": rb"",
    "RPL": rb",[0-9A-F]{2}",
    "INH": rb",[01]",
    "MOD": rb",(BJ|TCP)",
}


def line(sequence, kind, *fields):
    """One whole line, CR LF included; `sequence` is taken modulo 256."""
    body = ",".join([f"{sequence & 0xFF:02X}", kind, *map(str, fields)]).encode("ascii")
    text = b"@%s*%04X\r\n" % (body, binascii.crc_hqx(body, 0xFFFF))
    if len(text) > MAX_LINE:
        raise ValueError(f"OTS-1 line of {len(text)} bytes, at most {MAX_LINE}: {text!r}")
    return text


def parse_table(text):
    """A line from the table without CR LF -> (sequence, type, [fields]). Raises ShoeProtocolError on anything else."""
    found = _LINE.fullmatch(text)
    if found is None or len(text) + 2 > MAX_LINE:
        raise ShoeProtocolError(f"not an OTS-1 line: {text!r}")
    sequence, kind, fields, crc = found.groups()
    if int(crc, 16) != binascii.crc_hqx(text[1:-5], 0xFFFF):
        raise ShoeProtocolError(f"CRC of {text!r} should be {binascii.crc_hqx(text[1:-5], 0xFFFF):04X}")
    kind = kind.decode("ascii")
    if kind not in FROM_TABLE or not re.fullmatch(FROM_TABLE[kind], fields):
        raise ShoeProtocolError(f"the table may not say {text!r}")
    return int(sequence, 16), kind, fields.decode("ascii").split(",")[1:]
