"""The operator protocol from the PC's side: one command, one final answer, over a serial port."""

import time

from pit import keys
from pit.errors import PitError
from pit.targets.lines import item

ANSWER_S = 5.0  # a healthy table answers in milliseconds


class Operator:
    """A session with a table. `port` is a pyserial port or anything with write(bytes) and readline() -> bytes."""

    def __init__(self, port, clock=time.monotonic):
        self._port = port
        self._clock = clock

    @classmethod
    def at(cls, device):
        """Open a serial device (or a pyserial URL). Raises PitError."""
        import serial

        try:
            port = serial.serial_for_url(device, baudrate=115200, timeout=0.2, exclusive=True)
            port.write(b"\r\n")  # ends whatever half a line is there; the table speaks to a host that has spoken
            return cls(port)
        except (serial.SerialException, ValueError, OSError) as error:
            raise PitError(f"{device} cannot be opened ({error}): is the table plugged in, and is no other program "
                           "using the port?")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._port.close()

    def command(self, line):
        """Send one line; returns the values behind OK. Raises PitError with the table's own words on ERROR."""
        import serial

        word = line.split()[0]
        try:
            self._port.write(line.encode("ascii") + b"\r\n")
            reply = self._answer(word)
        except serial.SerialException as error:
            raise PitError(f"the table went away during `{word}` ({error})")
        if reply["reply"] == "error":
            raise PitError(f"the table refuses `{word}`: {reply['text']} (error {reply['number']})")
        return reply["text"]

    def login(self, role, key):
        """Log in as `role` by challenge: the key (hex) itself never goes over the wire."""
        nonce = self.command(f"login {role}")
        try:
            response = keys.answer(key, role, nonce)
        except ValueError:
            raise PitError(f"the table's challenge makes no sense ({nonce!r}): is it the right port?")
        self.command(f"answer {response}")

    def _answer(self, word):
        end = self._clock() + ANSWER_S
        while self._clock() < end:
            line = self._port.readline()
            found = item(line, 0) if line else None
            if found and "reply" in found:
                return found
        raise PitError(f"the table does not answer `{word}` within {ANSWER_S:.0f} s: is it the right port?")
