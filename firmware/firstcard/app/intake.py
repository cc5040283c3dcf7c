"""Cards come in: the shoe's line and the beams, put together into cards, each of them locking first if it is the first.

Part of the engine; the wired latch reports for itself (Engine.locked). A frame locks only where the latch has not
fired.
"""

from firstcard.core import cards, machine
from firstcard.core.draws import Draws
from firstcard.core.events import LOCK_EDGE, LOCK_FRAME
from firstcard.core.refused import Refused
from firstcard.proto import ots1

FRAME_LEAD_US = 5000  # the ring of the shoe is looked at every 5 ms: the frame may have begun that much earlier
REPORT_MS = 10  # the latch reports a card within its debounce time


class Intake:
    def __init__(self, engine):
        self._engine = engine
        self._ports = engine.ports
        self.draws = Draws()
        self.receiver = ots1.Receiver()
        self._frame_ms = 0
        self._frame_us = -1  # lock instant by an EDG frame that came while the latch was about to report

    def locked(self):
        """The table is locked: no frame has to do it any more."""
        self._frame_us = -1

    def card_out(self):
        """A card has passed both beams."""
        engine = self._engine
        if engine.round.state == machine.OPEN:
            engine.locked(LOCK_EDGE, self._ports.us())
            engine.fault("latch")  # the beams saw a card that the latch did not
        self.draws.wired(self._ports.ms())
        self.deal()

    def feed(self, buf, n):
        """`n` bytes from the shoe's line."""
        for i in range(n):
            frame = self.receiver.feed(buf[i])
            if frame:
                self._frame(frame[0], frame[2])
        reply = self.receiver.take_reply()
        if reply:
            self._ports.shoe_write(reply)

    def _frame(self, kind, fields):
        ms = self._ports.ms()
        draws = self.draws
        if kind == "EDG":
            self._announce(ms)
            draws.leaving(fields[0], ms)
        elif kind == "CRD":
            try:
                card = cards.parse(fields[1])
            except ValueError:
                card = cards.UNKNOWN
            draws.named(fields[0], card, ms)
        elif kind == "MIS":
            draws.named(fields[0], cards.UNKNOWN, ms)
        elif kind == "RTN":
            draws.returned(fields[0])
        elif kind == "BRN":
            if not draws.burned(fields[0]):
                self._burn(fields[0])
        elif kind == "SHF":
            self._engine.round.tally.clear(True)
        self.deal()

    def _announce(self, ms):
        """A frame says that a card is leaving: it locks, unless the latch has fired and is about to report."""
        if self._engine.round.state == machine.OPEN and self._frame_us < 0:
            self._frame_us = self._instant()
            self._frame_ms = ms
            if not self._ports.is_locked():
                self._engine.locked(LOCK_FRAME, self._frame_us)

    def _instant(self):
        return self._ports.us() - FRAME_LEAD_US & 0x3FFFFFFF

    def _burn(self, number):
        engine = self._engine
        try:
            if number != self.draws.number:
                raise Refused(58)
            engine.step(machine.BURN)
        except Refused as refusal:
            engine.refused("BRN", refusal)

    def deal(self):
        """Hand over the cards that are ready."""
        engine = self._engine
        while True:
            r = engine.round
            row = self.draws.next(self._ports.ms(), r.game.face_down())
            if not row:
                return
            if r.state == machine.OPEN:  # nothing announced this card: its name is what locks
                engine.locked(LOCK_FRAME, self._instant())
            engine.step(machine.CARD, row[0], row[1])
            if row[2]:
                self._burn(self.draws.number)

    def tick(self):
        if self._frame_us >= 0 and self._ports.ms() - self._frame_ms > REPORT_MS:
            # a card was announced and the latch has said nothing since: the frame locks
            self._engine.locked(LOCK_FRAME, self._frame_us)
        self.deal()
