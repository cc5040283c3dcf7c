"""Cards come in: the shoe's line and the beams, put together into cards, each of them locking first if it is the first.

Part of the engine; the wired latch reports for itself (Engine.locked). A frame locks only where the latch has not
fired. Whether the shoe itself is well is the link's business (app/link.py).
"""

from firstcard.app.link import Link
from firstcard.core import cards, machine, ticks
from firstcard.core.draws import Draws
from firstcard.core.events import LOCK_EDGE, LOCK_FRAME
from firstcard.core.mouth import BACK, DOUBLE, EDGE, ENTERED, FREE, LONG, SHORT, Mouth
from firstcard.core.refused import Refused

FRAME_LEAD_US = 5000  # the ring of the shoe is looked at every 5 ms: the frame may have begun that much earlier
REPORT_MS = 10  # the latch reports a card within its debounce time
TOLD_MS = 5  # a change of a beam is told by then
SEEN_MS = 100  # the card that locks is known to the draws by then
START_MS = 1000  # what has covered a beam since before the power-up is told by then
IN_MOUTH = 16  # beside the number of cards on their way: one that is dealt is still between the beams


class Intake:
    def __init__(self, engine):
        self._engine = engine
        self._ports = engine.ports
        self.draws = Draws()
        self.mouth = Mouth(self._moved)
        self.link = Link(engine, self.draws.renumber)
        self._us = self._ports.us()
        self._ms = self._rest_us = 0  # since this object was made, up to _us
        self._frame_ms = 0
        self._frame_us = -1  # lock instant by an EDG frame that came while the latch was about to report
        self._coming = self._coming_ms = 0  # cards on their way, as a restart would have it from the log; since when
        self._slow = self._told_slow = 0  # IN_MOUTH or 0, as it is and as the log has it
        self._born_us = self._us
        self._counted = False  # what covers beam A since before the power-up is a card that has been counted

    def locked(self):
        """The table is locked: no frame has to do it any more. The log takes it for a card that is coming."""
        self._frame_us = -1
        if self._engine.round.state == machine.OPEN:
            self._coming, self._coming_ms = 1, self.ms()

    def resume(self, coming):
        """A round goes on after a restart; `coming` is what the log said last, see _count."""
        self._counted = coming > 0
        self._told_slow = coming & IN_MOUTH

    def _count(self, ms):
        """Write down how many cards are on their way, and IN_MOUTH: a restart names them all misread, and asks; what
        it finds in the mouth is then no further card."""
        coming = self.draws.coming()
        if self._engine.round.state <= machine.OPEN:
            return
        if self.mouth.clear():
            self._slow = 0
        if (coming > self._coming or (coming < self._coming and ms - self._coming_ms > SEEN_MS)
                or self._slow != self._told_slow):
            self._coming, self._coming_ms, self._told_slow = coming, ms, self._slow
            if self._engine.keeper:
                self._engine.keeper.coming(coming | self._slow)

    def ms(self):
        """Milliseconds by the clock of the edges, so that an instant is the same whenever it is looked at."""
        us = self._ports.us()
        rest = self._rest_us + ticks.diff(us, self._us)
        self._us = us
        self._ms += rest // 1000
        self._rest_us = rest % 1000
        return self._ms

    def age_ms(self):
        """Milliseconds since the last heartbeat, or since the start."""
        return self.ms() - self.link.heard_ms

    # beams

    def beam(self, beam, covered, us):
        """A beam was covered or cleared at `us`."""
        self.mouth.change(beam, covered, us)

    def _settle(self, late_ms):
        """What has lasted until some ms ago counts: later changes may not have been told yet. In OPEN the latch has its
        say first."""
        if self._engine.round.state == machine.OPEN:
            late_ms = REPORT_MS
        self.mouth.settle(self._ports.us() - late_ms * 1000 & ticks.MASK)

    def _moved(self, what):
        """What the beams have found."""
        engine = self._engine
        if what == EDGE:
            us = self.mouth.edge_us
            if self._counted and ticks.diff(us, self._born_us) <= 0 and self.ms() < START_MS:
                self._counted = False
                self._slow = IN_MOUTH
                return
            if engine.round.state == machine.OPEN:
                engine.locked(LOCK_EDGE, us)
                engine.fault("latch")  # the beams saw a card that the latch did not
            if self.draws.wired(self.ms() + (self._rest_us - ticks.diff(self._us, us)) // 1000):
                engine.alarm("shoe-mismatch")
            self._count(self.ms())
        elif what == BACK:
            if not self.draws.back():
                engine.alarm("reinserted")
        elif what == ENTERED:
            engine.alarm("reinserted")
        elif what == DOUBLE:
            engine.alarm("double-card")
        elif what == SHORT:
            engine.name_fault("beam-short")
        elif what == LONG:
            if self.mouth.leaving():
                self.draws.back()  # something lies there: no card has come through
            self.link.trip("beam")
        elif what == FREE:
            engine.clear_fault("beam")

    # the line

    def feed(self, buf, n, waiting):
        """`n` bytes from the shoe's line, with `waiting` more behind them."""
        if self.link.flooded(n, waiting):
            return
        receiver = self.link.receiver
        long = receiver.long
        for i in range(n):
            frame = receiver.feed(buf[i])
            if frame:
                self._frame(frame[0], frame[2])
        if receiver.long != long:
            self.link.trip("shoe-line")
        reply = receiver.take_reply()
        if reply:
            self._ports.shoe_write(reply)

    def _frame(self, kind, fields):
        ms = self.ms()
        draws = self.draws
        self._settle(0)  # the shoe speaks of it: what covers the beam is no glitch
        if kind == "EDG":
            self._announce(ms)
            self.link.count(fields[0])
            draws.leaving(fields[0], ms)
        elif kind == "CRD":
            try:
                card = cards.parse(fields[1])
            except ValueError:
                card = cards.UNKNOWN
            self._name(fields[0], card, ms)
        elif kind == "MIS":
            self._name(fields[0], cards.UNKNOWN, ms)
        elif kind == "DBL":
            self._name(fields[0], cards.UNKNOWN, ms)
            self._engine.alarm("double-card")
        elif kind == "RTN":
            if not draws.returned(fields[0]):
                self._engine.alarm("reinserted")
        elif kind == "BRN":
            if not draws.burned(fields[0]):
                self._burn(fields[0])
        else:
            self.link.heard(kind, fields, ms)
        self.deal()

    def _name(self, number, card, ms):
        self.link.count(number, True)
        self.draws.named(number, card, ms)

    def busy(self):
        """Is a card on its way, or something in the mouth of the shoe?"""
        return self.draws.waiting() or not self.mouth.clear()

    def _announce(self, ms):
        """A frame says that a card is leaving: it locks, unless the latch has fired and is about to report."""
        if self._engine.round.state == machine.OPEN and self._frame_us < 0:
            self._frame_us = self._instant()
            self._frame_ms = ms
            if not self._ports.is_locked():
                self._engine.locked(LOCK_FRAME, self._frame_us)

    def _instant(self):
        return self._ports.us() - FRAME_LEAD_US & ticks.MASK

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
        self.draws.hold = self.mouth.leaving()
        while True:
            r = engine.round
            row = self.draws.next(self.ms(), r.game.face_down())
            if not row:
                break
            if r.state == machine.OPEN:  # nothing announced this card: its name is what locks
                engine.locked(LOCK_FRAME, self._instant())
            self._coming = max(0, self._coming - 1)
            engine.step(machine.CARD, row[0], row[1])
            self._slow = IN_MOUTH
            if row[2]:
                self._burn(self.draws.number)
        self._count(self.ms())
        if self.draws.full:
            self.draws.full = False
            self.link.trip("draws-full")

    def tick(self):
        ms = self.ms()
        if self._frame_us >= 0 and ms - self._frame_ms > REPORT_MS:
            # a card was announced and the latch has said nothing since: the frame locks
            self._engine.locked(LOCK_FRAME, self._frame_us)
        self._settle(TOLD_MS)
        self.deal()
        if self.draws.unseen(ms):
            self.link.trip("edge-missing")
        self.link.tick(ms)
