"""One betting zone: what lies there, what counts, and what has changed since the lock.

A zone knows five phases. FREE: chips are read, a verdict is shown. FREEZE: the first card has left the shoe; the last
sweep that ended before it is the wager, the sweeps that started after it must agree. WATCH: the wager stands, a
change is an alarm once it is certain. WINDOW: a key allows the chips to be moved until it is confirmed. PAY: a
settlement is told, the chips it asks for may move. Chip sets are `bytes`, 8 a chip, sorted; ticks are `ticks_us()`;
amounts are cents.
Sources: design, "The round" (LOCKED); lessons ISSUES 32-33, I-76 (one miss is never a removal, a garbled answer
proves presence).
"""

from firstcard.core.chips import sort_uids, without
from firstcard.core.events import READ_DOUBTFUL, READ_FAULT, READ_OK, READ_UNCERTAIN, READ_UNREADABLE
from firstcard.core.payout import Payment
from firstcard.core.ticks import diff

FREE, FREEZE, WATCH, WINDOW, PAY = range(5)
SUMS = 6  # chip sets whose total a zone remembers
FREEZE_SWEEPS = 3  # the agreeing sweep and at most two more for chips that it missed
# k of the last n sweeps: what lies there too much is certain sooner than what seems to be missing
EXTRA_K, EXTRA_MASK = 2, 0b111
MISSING_K, MISSING_MASK = 3, 0b1111
NOTHING = (0, 0)  # total of no chips
ONES = b"\0\1\1\2\1\2\2\3\1\2\2\3\2\3\3\4"  # bits that are set, of 0 ... 15


class Zone(Payment):
    """A zone of a spot. `value_of(uid) -> cents, or below 0` is the chip registry; every method is a function of state
    and arguments."""

    def __init__(self, spot, kind, value_of):
        self.spot = spot
        self.kind = kind  # index into events.ZONES
        self._value_of = value_of
        self._sums = None  # chip set: its total; made for the first one
        self.heard = self.sorted = b""  # chip set of the newest reading as it came (readers repeat the object), sorted
        self.last = b""  # newest reading, and the one before it, with their ticks
        self.last_status = READ_OK
        self.last_start_us = self.last_end_us = 0
        self.before = b""
        self.before_status = READ_OK
        self.before_end_us = 0
        self.reads = 0  # how many of the two above are real
        self.lost = False  # chips lay here when the reader ceased to answer
        self.same = False  # the newest two readings agree, and the newest is certain
        self.shared = False  # another zone has read one of these chips too
        self.shown = b""  # chip set, verdict and value last told as a `bet`
        self.shown_verdict = "empty"
        self.shown_value = 0
        self.phase = FREE
        self.locked = b""  # chip set of the wager
        self.locked_sum = 0  # cents that lay there at the lock
        self.value = 0  # cents of it that count: the wager, which never changes
        self.expected = 0  # cents that count and stand here: the wager and what was confirmed beside it
        self.oral = 0  # cents of an oral wager that is not turned into chips yet
        self.after = b""  # union of the sweeps since the lock
        self.sweeps = 0
        self.unsettled = False  # the sweeps disagree
        self.reference = b""  # chip set that raises no alarm: the wager's, or the one a supervisor has acknowledged
        self.known = b""  # chip set that is certain to lie here, told or expected
        self.tolerated = None  # chip set on the way back to the wager's
        self.extra_bits = self.missing_bits = 0
        self.paying = False  # PAY, also while a window interrupts it

    def total(self, uids):
        """(cents of the good chips, what is wrong with the others: 0 or a number of core.events). Remembered, so that
        the lock looks nothing up."""
        if not uids:
            return NOTHING
        known = self._sums and self._sums.get(uids)
        if known:
            return known
        cents = wrong = 0
        for i in range(0, len(uids), 8):
            v = self._value_of(uids[i : i + 8])
            if v < 0:
                wrong = min(wrong, v)
            else:
                cents += v
        if not self._sums or len(self._sums) >= SUMS:
            self._sums = {}
        self._sums[uids] = cents, wrong
        return cents, wrong

    def mixed(self):
        """Do chips of different values lie here?"""
        value = self._value_of
        return len(self.last) > 8 and any([value(self.last[i : i + 8]) != value(self.last[:8])
                                           for i in range(8, len(self.last), 8)])

    def note(self, uids, status, start_us, end_us):
        """Keep a finished reading. One that is not certain keeps the chips it could name; it counts as read, but never
        as read the same twice: see `same`."""
        self.before, self.before_status, self.before_end_us = self.last, self.last_status, self.last_end_us
        if status != READ_FAULT:
            self.lost = False
        elif self.last:
            self.lost = True
        doubtful = status == READ_DOUBTFUL
        if doubtful:
            status = READ_OK
        self.last, self.last_status = uids, status
        self.last_start_us, self.last_end_us = start_us, end_us
        self.same = self.reads > 0 and uids == self.before and status == self.before_status and not doubtful
        if self.reads < 2:
            self.reads += 1
        if not self.same:
            self.total(uids)

    # FREEZE

    def lock(self, us, judge):
        """Take as wager the last sweep that ended before the lock instant `us`. `judge(zone, uids, status)` gives
        verdict, value and excess. The zone is fresh: see free().

        Returns the verdict, "" where nothing lay there."""
        self.phase = FREEZE
        uids, status = b"", READ_OK
        if self.last or self.before or self.last_status or self.before_status:
            if self.reads > 0 and diff(us, self.last_end_us) > 0:
                uids, status = self.last, self.last_status
            elif self.reads > 1 and diff(us, self.before_end_us) > 0:
                uids, status = self.before, self.before_status
        out = status == READ_FAULT and not self.lost
        if not uids and (not status or out) and not self.oral:
            return ""
        self.locked = self.reference = self.known = uids
        self.locked_sum = self.total(uids)[0]
        verdict, self.value = judge(self, uids, status)[:2]
        self.tolerated = b"" if uids and not self.value else None  # no wager: it is given back (ND R3, IN-BJ R5)
        self.expected = 0 if self.oral else self.value
        return verdict

    def agree(self, us):
        """Hold the newest reading against the wager; the zone is decided when its phase has become WATCH."""
        if self.phase != FREEZE or diff(self.last_start_us, us) < 0:
            return
        self.sweeps += 1
        self.after = sort_uids(self.after + without(self.last, self.after))
        garbled = self.last_status != READ_OK
        if (garbled or without(self.locked, self.after)) and self.sweeps < FREEZE_SWEEPS:
            return
        self.phase = WATCH
        self.unsettled = self.after != self.locked or (self.last_status == READ_UNREADABLE and not self.locked)
        self.known = self.reference = self.after

    def settle_on(self, uids, value):
        """The dealer has said what counts: the chip set `uids` with `value` cents; what differs from it is expected
        to go back."""
        self.unsettled = False
        self.tolerated = self.after
        self.locked = self.reference = uids
        self.locked_sum = self.total(uids)[0]
        self.value = self.expected = value

    # WATCH and PAY

    def change(self):
        """The chip set that lay here until now, once it is certain that it does no longer, else None.

        The newest reading is held against what is known to lie here: chips too many are certain when 2 of 3 sweeps see
        some, missing ones when 3 of 4 miss some."""
        uids = self.last
        if self.last_status != READ_OK and self.last_status != READ_UNCERTAIN:
            return None
        extra, missing = without(uids, self.known), without(self.known, uids)
        self.extra_bits = (self.extra_bits << 1 | (1 if extra else 0)) & 15
        self.missing_bits = (self.missing_bits << 1 | (1 if missing else 0)) & 15
        if not extra and not missing:
            return None
        if extra and ONES[self.extra_bits & EXTRA_MASK] < EXTRA_K:
            return None
        if missing and ONES[self.missing_bits & MISSING_MASK] < MISSING_K:
            return None
        before, self.known = self.known, uids
        self.extra_bits = self.missing_bits = 0
        return before

    def in_order(self, before):
        """Is it in order that the chips `before` have become what is known to lie here?"""
        uids = self.known
        if uids == self.locked or uids == self.reference:
            if self.value:
                self.tolerated = None
            self.reference = uids
            return self.phase != PAY or self.payment(before, uids)
        if self.tolerated is not None:
            if not without(uids, self.locked + self.tolerated):
                if not without(without(self.locked, without(self.locked, self.tolerated)), uids):
                    return True
        if self.phase == PAY and self.payment(before, uids):
            self.reference = uids
            return True
        return False

    def accept_alarm(self):
        """A supervisor has acknowledged what lies here: it is the reference now, the wager stays what it was."""
        self.reference = self.known

    def excess(self):
        """Cents that lie here beyond what counts."""
        return self.total(self.known)[0] - self.expected

    def take_over(self, cents):
        """What lies here now is right, and `cents` of it are expected to stand."""
        self.locked = self.reference = self.known = self.last
        self.tolerated = None
        self.locked_sum = self.total(self.last)[0]
        self.expected = cents
        self.extra_bits = self.missing_bits = 0

    # WINDOW

    def open_window(self):
        """Chips may be moved here until the window closes; returns the cents that stood here before it."""
        self.phase = WINDOW
        self.sweeps = 0
        return self.total(self.reference)[0]

    def certain(self):
        """Has the zone been read the same twice since its window was to be closed?"""
        return self.sweeps > 1 and self.same and self.last_status == READ_OK

    def close_window(self, accepted, cents=0):
        """Accepted: what lies here is right and `cents` more of it count. Else what was moved may go back."""
        self.phase = PAY if self.paying else WATCH
        self.extra_bits = self.missing_bits = 0
        if not accepted:
            self.tolerated = self.known = self.last
        if accepted:
            self.take_over(self.expected + cents)

    def pay(self, stake, returned, won):
        """A decision is told: of the `stake` here `returned` goes back and `won` is added; the rest is lost."""
        if not self.paying:
            self.phase = PAY
            self.extra_bits = self.missing_bits = 0
        self.owe(stake, won)

    def free(self):
        """The round is over for this zone: what lies here is a new wager that has not been told yet. All that belongs
        to the round is cleared here, and not at the lock, which has to be quick."""
        self.phase = FREE
        self.shown, self.shown_verdict, self.shown_value = b"", "empty", 0
        self.locked = self.reference = self.known = self.after = b""
        self.tolerated = None
        self.locked_sum = self.value = self.expected = self.oral = 0
        self.sweeps = self.extra_bits = self.missing_bits = 0
        self.unsettled = self.paying = False
