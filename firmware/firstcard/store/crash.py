"""Crash: the words of the last part of the firmware that stopped, kept in the fast memory over every restart.

It is written by a table that is dying: in one go, the last words only, and a half-written text is none. Layout:
length (2), 0 (2), CRC-32 of the text (4), text. Pure over the port of store/log.py.
"""

import binascii

from firstcard.store.log import put_word, word

PLACE = 28672  # address; the cells end below it, the mark of the lock lies above
HEAD = 8
MOST = 600  # bytes of text: the last ones, since a traceback ends with what went wrong


def save(memory, text):
    """Keep `text` (str). May raise OSError: the memory does not answer."""
    data = text.encode()[-MOST:]
    buf = bytearray(HEAD)
    buf[0], buf[1] = len(data) & 255, len(data) >> 8
    put_word(buf, 4, binascii.crc32(data))
    memory.write(PLACE, bytes(buf) + data)


def load(memory):
    """The text, or "" where there is none."""
    head = bytearray(HEAD)
    memory.read(PLACE, head)
    data = bytearray(min(head[0] | head[1] << 8, MOST))
    if not data:  # a read of nothing would upset the bus
        return ""
    memory.read(PLACE + HEAD, data)
    if binascii.crc32(data) & 0xFFFFFFFF != word(head, 4):
        return ""
    return "".join([chr(byte) if 31 < byte < 127 or byte == 10 else "?" for byte in data])
