"""The posted limits of the table, and the change that is waiting for its moment. Cents; milliseconds since boot."""


class Posted:
    """`pending` is None or (min, max, by, due_ms)."""

    def __init__(self, min_cents, max_cents):
        self.min = min_cents
        self.max = max_cents
        self.pending = None

    def verdict(self, cents):
        """(verdict, cents that count) of a sum of registered chips. Source: IN-BJ-01; over the maximum nothing counts
        (R5)."""
        if cents < self.min:
            return "under", 0
        if cents > self.max:
            return "over", 0
        return "ok", cents

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
