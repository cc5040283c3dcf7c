"""A stand-in for the simulated table: answers lines and plays events by rote, so that pit can be tested by itself."""

import hashlib
import hmac
import json


class FakeTable:
    """`script` maps an action's name to a function (table, argument) that may call `event` and `line`.

    Time is an integer of ms; `event(..., after_ms)` comes out later.
    """

    def __init__(self, script=None, boots=True):
        self.script = script or {}
        self.boots = boots
        self.now_ms = 0
        self.actions = []
        self.setup = None
        self._seq = 0
        self._due = []  # (ms, order, line)

    def __call__(self, setup, root):
        self.setup = setup
        if self.boots:
            self.event("boot", 5, cause="power", mode="RUN", profile=setup["profile"], version="0")
            self.event("state", 10, state="CLOSED", round=0)
        return self

    def event(self, name, after_ms=0, **fields):
        """An event that comes out `after_ms` from now."""
        self._seq += 1
        ms = self.now_ms + after_ms
        self.line("! " + json.dumps({"seq": self._seq, "ms": ms, "event": name, **fields}), after_ms)

    def line(self, text, after_ms=0):
        self._due.append((self.now_ms + after_ms, len(self._due), text.encode() + b"\n"))

    def do(self, action):
        self.actions.append(action)
        (name, argument), = action.items()
        if name == "line" and self._login(argument):
            return
        if name in self.script:
            self.script[name](self, argument)
        elif name == "line":
            self.line("OK")

    def _login(self, text):
        if text == "login supervisor":
            self.line("OK 0a0b")
        elif text.startswith("answer "):
            key = bytes.fromhex(self.setup["keys"]["supervisor"])
            right = hmac.new(key, b"supervisor\x0a\x0b", hashlib.sha256).hexdigest()
            self.line("OK" if text == "answer " + right else 'ERROR 7 "wrong answer"')
        else:
            return False
        return True

    def advance(self, ms):
        """As SimTable: stops at the first line that falls due."""
        end = self.now_ms + ms
        self.now_ms = max(self.now_ms, min([end] + [at for at, _, _ in self._due]))

    def take(self):
        ready = sorted(entry for entry in self._due if entry[0] <= self.now_ms)
        self._due = [entry for entry in self._due if entry[0] > self.now_ms]
        return [line for _, _, line in ready]
