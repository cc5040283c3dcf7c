"""CBOR (RFC 8949), as much of it as records need: integers, text, bytes, lists, true, false and null.

Words that come often are simple values from 32 on, in the order of WORDS: two bytes instead of the word.
"""

import struct

INT, MINUS, BYTES, TEXT, LIST = 0x00, 0x20, 0x40, 0x60, 0x80
FALSE, TRUE, NULL, SIMPLE = 0xF4, 0xF5, 0xF6, 0xF8
# Only ever added to at the end: what stands in a journal keeps its meaning
WORDS = (b" main tip line double insurance ante play bonus win lose push blackjack surrender even-money"
         b" fold void player tip-box tray split tip-double return-excess make-change oral-converted"
         b" increase decrease swap late-bet late-tip early-line late-line no-window-line line-amount"
         b" no-wager-card no-taker over-limit under-limit moved duplicate-chip unknown-chip duplicate-card"
         b" card-while-closed shoe-mismatch supervisor operator technician dealer burn complete ** ?? OPEN"
         b" CLOSED key pin power watchdog settings confirm stand settled reveal ")


def _head(buf, at, major, n):
    if n < 24:
        buf[at] = major | n
        return at + 1
    if n < 256:
        buf[at], buf[at + 1] = major | 24, n
        return at + 2
    size = 2 if n < 65536 else 4
    buf[at + size]  # IndexError if it does not fit
    struct.pack_into(">BH" if size == 2 else ">BI", buf, at, major | 24 + (size >> 1), n & 0xFFFFFFFF)
    return at + size + 1


def put(buf, at, value):
    """Write a value (of a number the last 32 bits) into the bytearray `buf` at `at`; returns the place behind it.

    IndexError if it does not fit."""
    if value is None or value is True or value is False:
        buf[at] = NULL if value is None else TRUE if value else FALSE
        return at + 1
    if isinstance(value, int):
        return _head(buf, at, INT, value) if value >= 0 else _head(buf, at, MINUS, -1 - value)
    if isinstance(value, (tuple, list)):
        at = _head(buf, at, LIST, len(value))
        for one in value:
            at = put(buf, at, one)
        return at
    major = BYTES
    if isinstance(value, str):
        value, major = value.encode(), TEXT
        place = WORDS.find(b" " + value + b" ")
        if place >= 0 and value:
            buf[at], buf[at + 1] = SIMPLE, 32 + WORDS[:place].count(b" ")
            return at + 2
    at = _head(buf, at, major, len(value))
    end = at + len(value)
    if end > len(buf):
        raise IndexError("no room")
    buf[at:end] = value
    return end


def get(buf, at):
    """The value at `at` and the place behind it; lists come as tuples. ValueError on what `put` does not write,
    IndexError where the buffer ends too soon."""
    first = buf[at]
    at += 1
    if first == SIMPLE:
        words = WORDS.split()
        if not 32 <= buf[at] < 32 + len(words):
            raise ValueError("no value")
        return words[buf[at] - 32].decode(), at + 1
    if first >= FALSE:
        if first > NULL:
            raise ValueError("no value")
        return (None if first == NULL else first == TRUE), at
    major, n = first & 0xE0, first & 31
    if n > 23:
        if n > 26:
            raise ValueError("no value")
        size = 1 << (n - 24)
        n = 0
        while size:
            n = n << 8 | buf[at]
            at += 1
            size -= 1
    if major == INT or major == MINUS:
        return (n if major == INT else -1 - n), at
    if major == LIST:
        out = []
        while n:
            one, at = get(buf, at)
            out.append(one)
            n -= 1
        return tuple(out), at
    end = at + n
    if major > TEXT or end > len(buf):
        raise ValueError("no value")
    value = bytes(buf[at:end])
    return (value.decode() if major == TEXT else value), end
