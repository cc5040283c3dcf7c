"""The link to the shoe: is the shoe well, and is its line? Heartbeat, card numbers, states, gaps, trouble, flood.

Part of the engine, told by app/intake.py. Whatever is wrong is a fault with a name: what stands keeps the table from
opening until it is over; what has happened closes the table after the round, until somebody opens it again.
Source: OTS-1 rules (a gap of sequence or card number makes the shoe suspect; no heartbeat for 1.5 s is a lost one).
"""

from firstcard.core import machine
from firstcard.proto import ots1

SILENT_MS = 1500  # without a heartbeat, which is due every 500 ms
REPLAY_MS = 400  # what was jumped over comes by then: a replay, or up to three resends 50 ms apart
WINDOW_MS = 250
FLOOD = 1200  # bytes in WINDOW_MS: a replay of 32 frames, or twice eight cards a second, each frame sent four times;
# at full speed it is passed before the ring (2 KiB) overflows, as what waits there counts: the line is faster than we
TROUBLE = 8  # spoiled frames and line errors more than heartbeats since
# Faults that stand until they are over. They close bets that are open; in a round they keep only the next from opening,
# but for the lid.
STANDING = ("lid", "jam", "empty", "shoe-lost", "beam", "cut-card")


class Link:
    """`renumber`: called when the shoe counts its cards anew. Times are those of the intake's clock."""

    def __init__(self, engine, renumber):
        self._engine = engine
        self._renumber = renumber
        self.receiver = ots1.Receiver()
        self.heard_ms = 0  # the last heartbeat
        self._number = -1  # of the shoe's last card, -1 = not known
        self._gap_ms = -1  # since when frames are waited for that were jumped over
        self._window_ms = self._bytes = 0
        self._deaf = False
        self._inhibited = None  # what the shoe was asked last: are cards to stay in?
        self._forgiven = 0  # troubles that heartbeats have made up for
        self.line_errors = 0

    def flooded(self, n, waiting):
        """`n` bytes more, and `waiting` behind them: are they too many to be listened to?"""
        self._bytes += n
        if self._deaf or self._bytes + waiting > FLOOD:
            self._deaf = True
            self.trip("shoe-flood")
        return self._deaf

    def count(self, number, again=False):
        """The shoe speaks of its card `number`, for the first time or `again`; between this one and the last one there
        is none."""
        if self.receiver.late or (again and number == self._number):
            return
        if self._number >= 0 and number != self._number + 1:
            self.trip("shoe-suspect")
        self._number = number

    def heard(self, kind, fields, ms):
        """A frame that is about the shoe, not about a card."""
        engine = self._engine
        if kind == "HBT":
            self._heartbeat(fields[0], fields[1], ms)
        elif kind == "HLO":
            self.heard_ms = ms
            self._inhibited = None
            if self.receiver.anew:
                self._anew()
                if engine.round.state >= machine.OPEN:
                    self.trip("shoe-restart")
        elif kind == "SHF":
            self._anew()
            engine.shuffled()
            engine.clear_fault("cut-card")
        elif kind == "CUT":
            engine.name_fault("cut-card")
        elif kind in ("JAM", "LID", "EMP"):
            self._state(ots1.FLAGS[("JAM", "LID", "EMP").index(kind)], fields[0])

    def _heartbeat(self, number, flags, ms):
        self.heard_ms = ms
        self._engine.clear_fault("shoe-lost")
        if self._forgiven < self._troubles():
            self._forgiven += 1
        try:
            bits = int(flags, 16)
            for code in ots1.FLAGS:
                self._state(code, bits & 1)
                bits >>= 1
        except ValueError:
            self.line_errors += 1  # flags that are none
        if self._number < 0:
            self._number = number
        elif number != self._number and self.receiver.awaited() < 0:
            self._number = number
            self.trip("shoe-suspect")

    def _state(self, code, on):
        if on:
            self.trip(code)
        else:
            self._engine.clear_fault(code)

    def _anew(self):
        self._number = 0
        self._renumber()

    def _troubles(self):
        return self.receiver.bad + self.line_errors

    def trip(self, code):
        """Something is wrong with the shoe. Told once while it stands."""
        engine = self._engine
        state = engine.round.state
        if code in engine.faults:
            return
        if state == machine.OPEN or (state > machine.OPEN and code not in STANDING[1:]):
            engine.fault(code)
        else:
            engine.name_fault(code)

    def obstacle(self):
        """What stands in the way of an opening: the code of a fault, or None."""
        for code in STANDING:
            if code in self._engine.faults:
                return code
        return None

    def _inhibit(self):
        """INH: no cards while the table is closed. Asked at each change, and of a shoe that says hello."""
        closed = self._engine.round.state < machine.OPEN
        if closed != self._inhibited:
            self._inhibited = closed
            self._engine.ports.shoe_write(ots1.encode(0, "INH", int(closed)))

    def tick(self, ms):
        self._inhibit()
        if ms - self.heard_ms > SILENT_MS:
            self.trip("shoe-lost")
        if self.receiver.awaited() < 0:
            self._gap_ms = -1
        elif self._gap_ms < 0:
            self._gap_ms = ms
        elif ms - self._gap_ms > REPLAY_MS:
            self.receiver.forgo()
            self.trip("shoe-suspect")
        if ms - self._window_ms > WINDOW_MS:
            self._deaf = self._bytes > FLOOD
            self._window_ms, self._bytes = ms, 0
            if self._troubles() - self._forgiven > TROUBLE:
                self._forgiven = self._troubles()
                self.trip("shoe-line")
