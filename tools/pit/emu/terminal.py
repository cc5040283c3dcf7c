"""The program at the host's end of the console: sends text, waits for text, runs code by the raw REPL."""

import re

_TAIL = 2000  # bytes of output shown by a time-out
_RAW_REPL_GAP_MS = 30  # between Ctrl-C and Ctrl-A: in one packet the firmware would swallow the second


class Terminal:
    """`out`: everything the firmware has said. `run_ms(ms, until)` lets emulated time pass."""

    def __init__(self, run_ms):
        self.out = bytearray()
        self.console = None  # the USB host (usb.Console), once plugged in
        self._run_ms = run_ms
        self._matched = 0  # end of the last match

    def send(self, data):
        """Bytes or text to the firmware."""
        if self.console is None:
            raise RuntimeError("this board has no USB host")
        self.console.send(data if isinstance(data, (bytes, bytearray)) else data.encode())

    def expect(self, pattern, ms):
        """See Board.expect."""
        search = re.compile(pattern).search
        if self._matched > len(self.out):  # the caller has cleared `out`
            self._matched = 0
        found = []

        def look():
            match = search(bytes(self.out[self._matched:]))
            if match:
                found.append(match)
            return bool(match)

        if not self._run_ms(ms, look):
            raise TimeoutError(f"no {pattern!r} within {ms} ms; the output ends with {bytes(self.out[-_TAIL:])!r}")
        self._matched += found[0].end()
        return found[0]

    def exec(self, code, ms):
        """See Board.exec."""
        self.send(b"\r\x03\x03")
        self._run_ms(_RAW_REPL_GAP_MS)
        self._matched = len(self.out)
        self.send(b"\x01")
        self.expect(rb"raw REPL; CTRL-B to exit\r\n>", ms)
        self.send(code.encode() + b"\x04")
        match = self.expect(rb"(?s)OK(.*?)\x04(.*?)\x04>", ms)
        return tuple(part.decode(errors="replace").replace("\r\n", "\n") for part in match.groups())
