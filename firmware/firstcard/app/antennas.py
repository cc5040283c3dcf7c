"""Readings of the antennas on their way to the round: readers that do not answer, and chips that lie in the tray."""

from firstcard.core import machine
from firstcard.core.chips import sort_uids, without
from firstcard.core.events import READ_FAULT

TOO_HOT = 7  # health of a reader


class Antennas:
    """Part of app.engine.Engine."""

    def no_reading(self):
        """As it is at power-up."""
        self._answered = False  # a reader has answered in this sweep
        self.silent = 0  # bits: antennas whose reader did not answer when it was last asked
        self.tray = 0, 3  # chips of its last reading, and how that ended: 3 = never read
        self._left = False  # a chip that lies in the tray and on a spot was not read in the tray, for the first time

    def reading(self, antenna, uids, status, start_us, end_us):
        """One finished inventory of a zone, or of the tray (the antenna behind those of the zones). A reader that does
        not answer is named and takes its zone out, no more; if none of a whole sweep answers, bets are over."""
        bit = 1 << antenna
        is_tray = antenna == self.board.ANTENNAS
        number = self.board.TRAY_ANTENNA if is_tray else antenna
        if status == READ_FAULT:
            if not self.silent & bit:
                self.silent |= bit
                hot = self.ports.reader(antenna)[5] == TOO_HOT
                self.faults.pop("reader-hot" if hot else "reader", None)  # each of them is named
                self.name_fault("reader-hot" if hot else "reader", None, number)
        else:
            if not is_tray:
                self._answered = True
            if self.silent & bit:
                self.silent &= ~bit
                if self.faults.get("reader-hot") == (None, number):
                    self.clear_fault("reader-hot")
        if self.keeper and self.keeper.tight:
            return
        if is_tray:
            self._tray_read(uids, status)
        else:
            self.step(machine.READING, antenna, uids, status, start_us, end_us)

    def _tray_read(self, uids, status):
        """Chips that lie in the tray and on a spot too: one of the two is a copy. The round is told when they have
        become others; fewer only if that was read twice."""
        r = self.round
        self.tray = len(uids) // 8, status
        found = r.elsewhere(None, sort_uids(uids), True)
        missed = without(r.suspects, found)
        self._left = missed != b"" and (status or not self._left)
        if self._left:
            found = sort_uids(found + missed)
        if found != r.suspects:
            self.step(machine.TRAY, found)

    def sweep_end(self):
        if not self.silent:
            self.clear_fault("reader")
        elif not self._answered:
            self.fault("reader")
        self._answered = False
        if not (self.keeper and self.keeper.tight):
            self.step(machine.SWEEP)
