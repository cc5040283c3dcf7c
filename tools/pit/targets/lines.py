"""Console lines of a table turned into items: events, final replies; lines for people are left out."""

import json
import re

from pit.errors import TableError

_ERROR = re.compile(r'ERROR (\d+) "(.*)"$')
_CRC = re.compile(r"\*[0-9A-Fa-f]{4}$")


def item(line, ms):
    """The item (see targets.base) of one output line (bytes or str), or None for `#`, PROGRESS and empty lines.

    `ms` is the table time at which the line came, for replies; events carry their own. Raises TableError on a line
    that the protocol does not know.
    """
    text = line.decode("ascii", "replace") if isinstance(line, (bytes, bytearray)) else line
    text = text.strip("\r\n")
    if not text or text.startswith("#") or text.startswith("PROGRESS"):
        return None
    if text.startswith("!"):
        return _event(text)
    text = _CRC.sub("", text).rstrip()
    if text == "OK" or text.startswith("OK "):
        return {"reply": "ok", "number": None, "text": text[3:], "ms": ms}
    found = _ERROR.match(text)
    if found:
        return {"reply": "error", "number": int(found[1]), "text": found[2], "ms": ms}
    raise TableError(f"the table said something that is not in the operator protocol: {text[:200]!r}")


def _event(text):
    try:
        event = json.loads(text[1:])
    except ValueError:
        raise TableError(f"the table sent an event that is not JSON: {text[:200]!r}")
    if not isinstance(event, dict) or not isinstance(event.get("event"), str):
        raise TableError(f"the table sent an event without a name: {text[:200]!r}")
    return event
