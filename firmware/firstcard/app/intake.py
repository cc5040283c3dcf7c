"""Cards come in: the shoe's line and the beams, put together into cards, each of them locking first if it is the first.

Part of the engine; the wired latch reports for itself (Engine.locked). A frame locks only where the latch has not
fired. Whatever is wrong with the shoe is a fault with a name: what stands keeps the table from opening until it is
over; what has happened closes the table after the round, until somebody opens it again.
"""

from firstcard.core import cards, machine, ticks
from firstcard.core.draws import BACK, DOUBLE, EDGE, ENTERED, FREE, LONG, SHORT, Draws, Mouth
from firstcard.core.events import LOCK_EDGE, LOCK_FRAME
from firstcard.core.refused import Refused
from firstcard.proto import ots1

FRAME_LEAD_US = 5000  # the ring of the shoe is looked at every 5 ms: the frame may have begun that much earlier
REPORT_MS = 10  # the latch reports a card within its debounce time
TOLD_MS = 5  # a change of a beam is told by then
SILENT_MS = 1500  # without a heartbeat, which is due every 500 ms
REPLAY_MS = 400  # what was jumped over comes by then: a replay, or up to three resends 50 ms apart
WINDOW_MS = 250
FLOOD = 1200  # bytes in WINDOW_MS: a replay of 32 frames, or twice eight cards a second, each frame sent four times;
# at full speed it is passed before the ring (2 KiB) overflows, though the line is faster than we are
TROUBLE = 8  # spoiled frames and line errors more than heartbeats since
# Faults that stand until they are over. They close bets that are open, and in a round nothing but the next opening.
STANDING = ("lid", "jam", "empty", "shoe-lost", "beam", "cut-card")


class Intake:
    def __init__(self, engine):
        self._engine = engine
        self._ports = engine.ports
        self.draws = Draws()
        self.mouth = Mouth(self._moved)
        self.receiver = ots1.Receiver()
        self._us = self._ports.us()
        self._ms = self._rest_us = 0  # since this object was made, up to _us
        self._frame_ms = 0
        self._frame_us = -1  # lock instant by an EDG frame that came while the latch was about to report
        self._heard_ms = 0  # the last heartbeat
        self._number = -1  # of the shoe's last card, -1 = not known
        self._gap_ms = -1  # since when frames are waited for that were jumped over
        self._window_ms = self._bytes = 0
        self._deaf = False
        self._inhibited = None  # what the shoe was asked last: may cards leave?
        self._troubles = 0
        self.line_errors = 0

    def locked(self):
        """The table is locked: no frame has to do it any more."""
        self._frame_us = -1

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
        return self.ms() - self._heard_ms

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
            if engine.round.state == machine.OPEN:
                engine.locked(LOCK_EDGE, us)
                engine.fault("latch")  # the beams saw a card that the latch did not
            if self.draws.wired(self.ms() + (self._rest_us - ticks.diff(self._us, us)) // 1000):
                engine.alarm("shoe-mismatch")
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
            self._trip("beam")
        elif what == FREE:
            engine.clear_fault("beam")

    # the line

    def feed(self, buf, n):
        """`n` bytes from the shoe's line."""
        self._bytes += n
        if self._deaf or self._bytes > FLOOD:
            self._deaf = True
            self._trip("shoe-flood")
            return
        receiver = self.receiver
        long = receiver.long
        for i in range(n):
            frame = receiver.feed(buf[i])
            if frame:
                self._frame(frame[0], frame[2])
        if receiver.long != long:
            self._trip("shoe-line")
        reply = receiver.take_reply()
        if reply:
            self._ports.shoe_write(reply)

    def line_error(self):
        """The line has spoiled bytes or lost them."""
        self.line_errors += 1

    def _frame(self, kind, fields):
        ms = self.ms()
        draws = self.draws
        self._settle(0)  # the shoe speaks of it: what covers the beam is no glitch
        if kind == "EDG":
            self._announce(ms)
            self._count(fields[0])
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
        elif kind == "HBT":
            self._heartbeat(fields[0], fields[1], ms)
        elif kind == "HLO":
            self._heard_ms = ms
            self._inhibited = None
            if self.receiver.anew:
                self._restarted()
        elif kind == "SHF":
            self._restart()
            self._engine.round.tally.clear(True)
            self._engine.clear_fault("cut-card")
        elif kind == "CUT":
            self._engine.name_fault("cut-card")
        elif kind == "LID" or kind == "JAM" or kind == "EMP":
            self._state({"L": "lid", "J": "jam", "E": "empty"}[kind[0]], fields[0])
        self.deal()

    def _name(self, number, card, ms):
        if number != self._number:
            self._count(number)
        self.draws.named(number, card, ms)

    def _count(self, number):
        """The shoe speaks of its card `number`; between this one and the last one there is none."""
        if self.receiver.late:
            return
        if self._number >= 0 and number != self._number + 1:
            self._trip("shoe-suspect")
        self._number = number

    def _heartbeat(self, number, flags, ms):
        self._heard_ms = ms
        self._engine.clear_fault("shoe-lost")
        if self._troubles < self._trouble():
            self._troubles += 1
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
            self._trip("shoe-suspect")

    def _state(self, code, on):
        if on:
            self._trip(code)
        else:
            self._engine.clear_fault(code)

    def _restart(self):
        """The shoe counts its cards from the beginning."""
        self._number = 0
        self.draws.renumber()

    def _restarted(self):
        self._restart()
        if self._engine.round.state >= machine.OPEN:
            self._trip("shoe-restart")

    def _trouble(self):
        return self.receiver.bad + self.line_errors

    def _trip(self, code):
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
            engine.step(machine.CARD, row[0], row[1])
            if row[2]:
                self._burn(self.draws.number)
        if self.draws.full:
            self.draws.full = False
            self._trip("draws-full")

    def _inhibit(self):
        """INH: no cards while the table is closed. Asked at each change, and of a shoe that says hello."""
        closed = self._engine.round.state < machine.OPEN
        if closed != self._inhibited:
            self._inhibited = closed
            self._ports.shoe_write(ots1.encode(0, "INH", int(closed)))

    def tick(self):
        ms = self.ms()
        self._inhibit()
        if self._frame_us >= 0 and ms - self._frame_ms > REPORT_MS:
            # a card was announced and the latch has said nothing since: the frame locks
            self._engine.locked(LOCK_FRAME, self._frame_us)
        self._settle(TOLD_MS)
        self.deal()
        if self.draws.unseen(ms):
            self._trip("edge-missing")
        if ms - self._heard_ms > SILENT_MS:
            self._trip("shoe-lost")
        if self.receiver.awaited() < 0:
            self._gap_ms = -1
        elif self._gap_ms < 0:
            self._gap_ms = ms
        elif ms - self._gap_ms > REPLAY_MS:
            self.receiver.forgo()
            self._trip("shoe-suspect")
        if ms - self._window_ms > WINDOW_MS:
            self._deaf = self._bytes > FLOOD
            self._window_ms, self._bytes = ms, 0
            if self._trouble() - self._troubles > TROUBLE:
                self._troubles = self._trouble()
                self._trip("shoe-line")
