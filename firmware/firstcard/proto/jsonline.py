"""Event lines: compact JSON whose fields keep their order, the same bytes on every Python.

MicroPython's dicts have no order and its json module writes them as they come, so an object is a tuple of (name,
value) pairs.
"""


def event(seq, ms, name, pairs):
    """`! {"seq":..,"ms":..,"event":..,...}` with its line end, as bytes.

    pairs: iterable of (name, value) in the order wanted. A value is int, str, bool, None, a list (array), a tuple
    of pairs (object), or a dict (object in the order of its sorted names). Anything else raises TypeError.
    """
    out = ['! {"seq":', str(seq), ',"ms":', str(ms), ',"event":']
    _value(out, name)
    for field, value in pairs:
        out.append(",")
        _value(out, field)
        out.append(":")
        _value(out, value)
    out.append("}\n")
    return "".join(out).encode()


def _value(out, value):
    if value is None:
        out.append("null")
    elif value is True:
        out.append("true")
    elif value is False:
        out.append("false")
    elif isinstance(value, int):
        out.append(str(value))
    elif isinstance(value, str):
        out.append('"')
        out.append(_escaped(value))
        out.append('"')
    elif isinstance(value, list):
        mark = "["
        for item in value:
            out.append(mark)
            _value(out, item)
            mark = ","
        out.append("]" if value else "[]")
    elif isinstance(value, (tuple, dict)):
        mark = "{"
        for field, item in value if isinstance(value, tuple) else sorted(value.items()):
            out.append(mark)
            _value(out, field)
            out.append(":")
            _value(out, item)
            mark = ","
        out.append("}" if value else "{}")
    else:
        raise TypeError("no JSON for " + str(type(value)))


def _escaped(text):
    """ASCII only; most texts need nothing and cost no copy."""
    for letter in text:
        if not " " <= letter <= "~" or letter == '"' or letter == "\\":
            break
    else:
        return text
    out = []
    for letter in text:
        code = ord(letter)
        if letter == '"' or letter == "\\":
            out.append("\\" + letter)
        elif 32 <= code < 127:
            out.append(letter)
        elif code < 0x10000:
            out.append("\\u%04x" % code)
        else:  # JSON has 16-bit escapes only: a surrogate pair
            code -= 0x10000
            out.append("\\u%04x\\u%04x" % (0xD800 + (code >> 10), 0xDC00 + (code & 0x3FF)))
    return "".join(out)
