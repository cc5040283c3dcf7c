"""The posted limits of the table, and the change that is waiting for its moment. Cents; milliseconds since boot."""

from firstcard.core.machine import CLOSED, OPEN
from firstcard.core.refused import Refused


def left_ms(due_ms, now_ms):
    """Milliseconds until `due_ms`, 0 once it is past; right below 24 days. Only the difference counts: the log keeps 32
    bits of both, and a table may run for longer than 49 days."""
    left = due_ms - now_ms & 0xFFFFFFFF
    return left if left < 0x80000000 else 0


class Posted:
    """`pending` is None or (min, max, by, due_ms)."""

    def __init__(self, min_cents, max_cents):
        self.min = min_cents
        self.max = max_cents
        self.pending = None

    def ask(self, min_cents, max_cents, by, due_ms):
        self.pending = (min_cents, max_cents, by, due_ms)

    def take(self):
        """The pending change becomes the posted limits."""
        self.min, self.max = self.pending[0], self.pending[1]
        self.pending = None

    def told(self):
        """The pending change as fields of an event, or None."""
        p = self.pending
        return (("min", p[0]), ("max", p[1]), ("due_ms", p[3])) if p else None


class Posting:
    """Part of core.round.Round: limits change between rounds only."""

    def on_limits(self, min_cents, max_cents, by, due_ms):
        self.limits.ask(min_cents, max_cents, by, due_ms)
        if not self.change_limits():
            self.tell_limits(by)

    def on_limits_cancel(self, by):
        if not self.limits.pending:
            raise Refused(64)
        self.limits.pending = None
        self.tell_limits(by)

    def tell_limits(self, by):
        self.tell("limits", self.limits.min, self.limits.max, self.limits.told(), by)

    def empty(self):
        """Lies no chip on any spot?"""
        for z in self.zones:
            if z.last or z.before or z.last_status or z.before_status:
                return False
        return True

    def change_limits(self):
        """Take over the pending limits if that is fair now: the table is closed, or the change is due and either no
        chip lies on any spot or the round is over. Returns True if they changed."""
        pending, state = self.limits.pending, self.state
        if not pending:
            return False
        if state > CLOSED:
            if left_ms(pending[3], self.now_ms) or not (state == OPEN or self.finished):
                return False
            if state == OPEN and not self.empty():
                return False
        self.limits.take()
        self.tell_limits(pending[2])  # ND-10: posted and told at one time
        return True

    def on_tick(self):
        if self.limits.pending:
            self.change_limits()
