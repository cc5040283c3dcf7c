"""The operator protocol from the PC's side: one command, one final answer, over a serial port."""

import time
from typing import NamedTuple

from pit import keys
from pit.errors import NoTable, PitError, Refusal, TableError
from pit.targets.lines import item

ANSWER_S = 5.0  # a healthy table answers in milliseconds
PROMPT = ">>>"  # MicroPython's own: nobody is at home but the interpreter
DEFAULT_TABLE = "1"
NOT_ACCEPTED = 15


class Answer(NamedTuple):
    """The end of a command: the values behind OK, and the PROGRESS lines before it, as text."""

    text: str
    rows: list


def fields(text):
    """`state=OPEN round=3` as a dict; words without `=` are left out."""
    return dict(word.split("=", 1) for word in text.split() if "=" in word)


def shown(line):
    """A line (bytes) as text for a terminal; whoever is at the other end must not steer it."""
    return "".join(one if one.isprintable() else "?" for one in line.decode("ascii", "replace").strip())


class Operator:
    """A session with a table. `port`: a pyserial port or anything with write(bytes) and readline() -> bytes.

    `on_event(event)` gets every event line that comes while an answer is awaited, `on_line(text)` every line.
    """

    def __init__(self, port, clock=time.monotonic, on_event=None, on_line=None):
        self._port = port
        self._clock = clock
        self._begun = b""  # half a line
        self._odd = b""  # the last line that is not of the protocol
        self.on_event = on_event
        self.on_line = on_line

    @classmethod
    def at(cls, name, **tellers):
        """Open a port by name (see pit.ports). Raises NoTable."""
        from pit import ports

        port = ports.open_port(name)
        here = cls(port, **tellers)
        here.greet()
        return here

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self._port.close()

    def greet(self):
        """Ends whatever half a line is there; and a table that has started anew tells nobody who has not spoken."""
        self._write(b"\r\n", "the greeting")

    def ask(self, line):
        """Send one line; its Answer. Raises Refusal with the table's own words, NoTable when nobody answers."""
        words = line.split()
        if not words or not line.isascii() or not line.isprintable():
            raise PitError(f"{line!r} is no command: printable ASCII, and not empty")
        self._odd = b""
        self._write(line.encode("ascii") + b"\r\n", words[0])
        rows = []
        reply = self._answer(words[0], rows)
        if reply["reply"] == "error":
            raise Refusal(f"the table refuses `{words[0]}`: {reply['text']} (error {reply['number']})",
                          reply["number"], rows)
        return Answer(reply["text"], rows)

    def command(self, line):
        """Send one line; the values behind OK. Raises as ask()."""
        return self.ask(line).text

    def identity(self):
        """What `id` says, as a dict; `product` is its first two words."""
        text = self.command("id")
        return {"product": " ".join(word for word in text.split() if "=" not in word), **fields(text)}

    def login(self, role, key):
        """Log in as `role` by challenge: the key (hex) itself never goes over the wire."""
        nonce = self.command(f"login {role}")
        try:
            response = keys.answer(key, role, nonce)
        except ValueError:
            raise TableError(f"the table's challenge makes no sense ({nonce!r}): is it the right port?")
        try:
            self.command(f"answer {response}")
        except Refusal as error:
            if error.number != NOT_ACCEPTED:
                raise
            raise Refusal(f"the table does not know this PC's key of the {role}: its image was built with another site "
                          f"key; take that PC, or have it write this one's key with `pit keys give {role}`",
                          error.number)

    def login_here(self, role, table=""):
        """Log in with the key that this PC has for the table: `table`, or the name that the table itself gives."""
        self.login(role, keys.role_key(table or self.identity().get("table", DEFAULT_TABLE), role))

    def listen(self):
        """Wait a moment for one line: an event, or None. Answers that nobody waits for are dropped."""
        line = self._read("listening")
        found = self._item(line) if line else None
        return found if found and "event" in found else None

    def _write(self, data, doing):
        import serial

        try:
            self._port.write(data)
        except (serial.SerialException, OSError) as error:
            raise NoTable(f"the table went away during `{doing}` ({error}): is it still plugged in?")

    def _read(self, doing):
        """A whole line (bytes), or None so far."""
        import serial

        try:
            self._begun += self._port.readline()
        except (serial.SerialException, OSError, TypeError) as error:  # TypeError: closed by another thread
            raise NoTable(f"the table went away during `{doing}` ({error}): is it still plugged in?")
        if not self._begun.endswith(b"\n"):
            return None
        line, self._begun = self._begun, b""
        return line

    def _item(self, line):
        """The item of a line; what is no line of the protocol (the rest of one begun before) is kept to be told."""
        if self.on_line:
            self.on_line(shown(line))
        try:
            return item(line, 0)
        except TableError:
            self._odd = line
            return None

    def _answer(self, word, rows):
        end = self._clock() + ANSWER_S
        while self._clock() < end:
            line = self._read(word)
            if line is None:
                if self._begun.startswith(PROMPT.encode()):
                    break
                continue
            text = shown(line)
            if text.startswith("PROGRESS "):
                rows.append(text[len("PROGRESS "):])
            found = self._item(line)
            if found and "event" in found and self.on_event:
                self.on_event(found)
            if found and "reply" in found:
                return found
        if PROMPT.encode() in self._begun + self._odd:
            raise NoTable("the board shows MicroPython's prompt, the table is not running: it is in service mode (open "
                          "the SERVICE strap and reset it), or has no firmware (`pit flash`)")
        odd = shown(self._odd)[:60]
        raise NoTable(f"the table does not answer `{word}` within {ANSWER_S:.0f} s"
                      + (f" (it says {odd!r})" if odd else "") + ": is it the right port?")
