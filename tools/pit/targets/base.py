"""What `pit run` asks of a table, whether simulated, emulated or real."""


from abc import ABC, abstractmethod


class Target(ABC):
    """One table that a scenario is played on. Times are table time, in ms since its boot.

    UIDs everywhere here are hex text of the 8 bytes in the order of the air (least significant byte first).
    """

    name = "target"
    slow = False  # True: a run takes long enough that people want to see progress

    @abstractmethod
    def start(self, setup):
        """Power the table up. Returns as soon as it runs; its first events come from `advance`.

        `setup` is JSON-able: board, profile, options, limits {min, max} (cents), registry [[uid, cents], ...],
        keys {"supervisor": hex}. Raises PitError if the table cannot be made.
        """

    @abstractmethod
    def do(self, action):
        """Do one thing to the table, without letting time pass. `action` is a dict of one entry:

        place {spot, zone, uids}    remove {spot, zone, uids or None for all}
        edge {back?, inward?, ms?, lag_ms?}: beams alone    draw {code, to?}: beams and shoe frames of one card
        frame {code} or {type, its OTS-1 fields by name}: shoe frames alone
        press key: number on the dealer's keypad (core/keypad.py)     turn on: the supervisor's key switch, bool
        line text: one operator line     fault {reader: antenna, kind} or {shoe|plaque|store|power: kind}
        """

    @abstractmethod
    def advance(self, ms):
        """Let at most `ms` of table time pass, less if something comes out: list of items, in order, maybe empty.

        An item is an event (dict with "event") or the end of an operator command: {"reply": "ok" or "error",
        "number": int or None, "text": str, "ms": table time}.
        """

    @property
    @abstractmethod
    def now_ms(self):
        """Table time, ms since boot."""

    def leds(self):
        """What the strip shows now: list of (red, green, blue), or [] where that cannot be seen."""
        return []

    def figures(self):
        """Measured facts worth telling after a run: dict of name -> text."""
        return {}

    def close(self):  # noqa: B027  most have nothing to free
        """End it; frees processes and ports. Harmless when repeated."""
