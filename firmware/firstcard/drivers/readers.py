"""Readers: sweeps all antennas of the board, several far-apart fields at a time, and knows which reader is dead.

    begin(); then run() again and again:
      >= 0       nothing due for that many microseconds
      FINISHED   one antenna is done: see antenna, status, doubt, uids, start_us, end_us (until the next run)
      SWEPT      every antenna has been read since begin()

A reader that does not answer is READ_FAULT for its own antenna only. At each of its next turns it is tried harder: idle
and configured anew; a soft reset; configured once more. Then it is hopeless(): a hard reset is left, which is one line
for all readers, so it is for whoever knows that no round is running. One that is too hot is READ_FAULT as well; its
field stays off for some turns. Nothing is allocated while the same chips lie where they lay: their UIDs are handed out
as the same bytes object again.
"""

import array
import time

import micropython
from micropython import const

from firstcard.drivers import pn5180, readerbus, reading
from firstcard.drivers.field import dark, start
from firstcard.drivers.inventory import advance
from firstcard.drivers.nap import nap
from firstcard.drivers.thorough import conclude, go_on

FINISHED, SWEPT = -1, -2
# How to read an antenna: bits 1 and 2 are those of field.start
_THOROUGH = const(2)
_DEEP = const(4)  # a chip lies there that only a thorough reading finds
_DOUBT = const(8)  # no thorough reading has found yet what the one before had found
_CERTAIN = const(16)  # the last one has
_FOR_GOOD, _FOR_NOW = const(1), const(2)  # doubt in the fields near by: one is not readable; one is read again
_PLANNED = const(1 << 24)
_FIRST = const(1 << 25)
# Readers.doubt: 0, or READ_DOUBTFUL and READ_UNCERTAIN of the seam
_DOUBTFUL = const(3)
_UNCERTAIN = const(4)
_PATIENCE = const(10)  # readings; few stacks that are ever certain take so many (pit.prove.fields)
# Stages of recovery
_SOFT = const(2)
_HOPELESS = const(3)
_ALL_TRIED = const(4)
_COOLING = const(20)  # counts down to _ALL_TRIED, a turn of the reader each: 5 to 30 s
_AGES = const(60_000)  # sweeps
# Columns of Readers.counts
MISSED, RETRIES, RESETS = 0, 1, 2
_PASS_US = const(200)  # what a pass of run() takes, about
_NAP_US = const(1500)  # a longer wait is worth a turn of the other tasks


def sorted_uids(uids):
    """List of the chips of a reading in order."""
    return sorted([uids[at : at + 8] for at in range(0, len(uids), 8)])


def share(took, plan, machines):
    """Plan a sweep: in `plan` the machine that is to read each antenna, so that all end at about the same time.

    The longest first into the first machine that has room for it, else to the one with least work: longest first alone
    leaves one stack too many for the end. `took`: us of each antenna last time.
    """
    room = sum(took) * 33 // (32 * machines)
    load = [0] * machines
    for took_us, antenna in sorted([(took_us, antenna) for antenna, took_us in enumerate(took)], reverse=True):
        best = load.index(min(load))
        for n in range(machines):
            if load[n] + took_us <= room:
                best = n
                break
        load[best] += took_us
        plan[antenna] = best


class Readers:
    """`board`: pins, ANTENNAS, TRAY_ANTENNA, FIELDS_AT_ONCE, FIELD_DISTANCE, STACK_LIMIT, CHIP_AFI. `urgent`: run()
    returns while urgent[0] is set, or somebody waits(). An antenna is a number below ANTENNAS; ANTENNAS itself is the
    tray's, where there is one.
    """

    def __init__(self, board, urgent, waits=bool):
        self.board = board
        self._select = bytes(range(board.ANTENNAS)) + (bytes((board.TRAY_ANTENNA,)) if board.TRAY_ANTENNA else b"")
        count = len(self._select)  # what the select lines call an antenna
        readerbus.init(board)
        self._urgent = urgent
        self._waits = waits
        self._blocks = [reading.machine(board.STACK_LIMIT, board.CHIP_AFI) for _ in range(board.FIELDS_AT_ONCE)]
        self._busy = [-1] * board.FIELDS_AT_ONCE  # antenna of each machine, -1 = free
        self._todo = bytearray(count)  # 1 = not yet begun in this sweep
        self._free = False  # an antenna may be begun: one ended since none was found
        self._how = bytearray(count)  # how to read it next
        self._took_us = array.array("I", [0] * count)  # last time
        self._plan = bytearray(count)  # machine that is to read it
        self._turn = 0
        self._stale = 0  # sweeps for which the plan is made anew
        self._known = [b""] * count
        self._tx_config = array.array("I", [0] * (max(self._select) + 1))  # by the same
        self.health = bytearray([pn5180.NOT_CONFIGURED] * count)
        self.counts = array.array("H", [0] * (3 * count))  # of each antenna
        self._sweeps = 0
        self.good_ms = array.array("I", [0] * count)  # ticks at the end of the last good reading
        self.first = bytearray(count)  # 1 = to be read before others: it matters, or was found changed
        self._before = [b""] * count  # chips before the last change
        self._stage = bytearray(count)  # of recovery
        self._doubts = bytearray(count)  # readings since the last one that was certain, or agreed with it
        self.antenna = self.status = self.doubt = self.start_us = self.end_us = 0
        self.uids = b""
        self._said = bytearray(count)  # status of the last inventory
        self.changed = False  # since begin(): other chips, or another status

    def power_up(self, count=None):
        """Hard reset of all readers, then configure each, 4 ms; or only the first `count` of them, and who calls goes
        on with configure(). Only outside a round."""
        pn5180.hard_reset(self.board.READER_RESET)
        for antenna in range(count or len(self.health)):
            self.configure(antenna)

    def configure(self, antenna):
        """Bring a reader up after a hard reset."""
        if self._stage[antenna]:
            self._stage[antenna] = _ALL_TRIED
        self._bring_up(antenna, True)

    def restart(self):
        """Power-up in the middle of a sweep, which begins anew. Only outside a round."""
        for n in range(len(self._busy)):
            self._busy[n] = -1
        self.power_up()
        self.begin()

    def hopeless(self):
        """Is there a reader that only a hard reset could still bring back?"""
        for stage in self._stage:  # MicroPython does not know `in` here
            if stage == _HOPELESS:
                return True
        return False

    def all_dead(self):
        """-1 if a reader of a spot answers, else the first antenna."""
        return 0 if min(self.health[: self.board.ANTENNAS]) else -1

    def sure(self, antenna):
        """Is the last reading of `antenna` certain? Only a thorough one is, that has found what the one before had
        found, while no field near it was in doubt, and of which no chip is read at another antenna as well.
        """
        known = self._known
        uids = known[antenna]
        if not self._how[antenna] & _CERTAIN or self._doubt_near(antenna):
            return False
        for other in range(len(known)):
            if other != antenna and known[other]:
                for at in range(0, len(uids), 8):
                    if uids[at : at + 8] in known[other]:
                        return False
        return True

    def _near(self, antenna):
        """Antennas whose chips a field may reach, and be reached by."""
        near = self.board.FIELD_DISTANCE
        return range(max(0, antenna - near + 1), min(self.board.ANTENNAS, antenna + near))

    def _doubt_near(self, antenna):
        """_FOR_NOW, _FOR_GOOD or 0: a chip read here may lie at an antenna near by that has not found it yet."""
        doubt = 0
        for other in self._near(antenna):
            if other != antenna and self._how[other] & (_DOUBT | _CERTAIN) == _DOUBT:
                doubt = max(doubt, _FOR_GOOD if self._said[other] else _FOR_NOW)
        return doubt

    def begin(self):
        """Start a new sweep. What an unfinished one had begun ends first; the tray is left, spots do not wait for it.
        """
        self._sweeps += 1
        if self._sweeps == _AGES:  # what is counted beside them ages as well: rates stay those of the last hours
            self._sweeps >>= 1
            for place in range(len(self.counts)):
                self.counts[place] >>= 1
        for antenna in range(self.board.ANTENNAS):
            self._todo[antenna] = 1
        for n in range(len(self._busy)):
            if self._busy[n] == self.board.ANTENNAS:
                dark(self._blocks[n])
                self._busy[n] = -1
        if self.changed:
            self._stale = 4
        if self._stale:  # until plain readings have taken the place of thorough ones
            self._stale -= 1
            share(self._took_us[: self.board.ANTENNAS], self._plan, len(self._blocks))
        self._free = True
        self.changed = False

    def look(self):
        """Begin a sweep of one antenna, thoroughly; the next time of the next one. For when there is time: a chip that
        another one covers, or that was told to be quiet, shows in no plain reading.
        """
        turn = self._turn = (self._turn + 1) % self.board.ANTENNAS
        self._how[turn] |= _THOROUGH
        self.read_only(turn)

    def read_only(self, antenna):
        """Begin a sweep of one antenna; the tray's is read in no other way."""
        for n in range(len(self._todo)):
            self._todo[n] = 0
        self._todo[antenna] = 1
        self._free = True
        self.changed = False

    @micropython.native
    def run(self, slice_us):
        """Advance for at most about `slice_us` microseconds; see the module's text."""
        blocks = self._blocks
        busy = self._busy
        urgent = self._urgent
        while True:
            soonest = 1 << 28
            n = 0
            for block in blocks:
                if busy[n] < 0 and self._free and self._next(n):
                    return FINISHED
                if busy[n] >= 0:
                    wait = advance(block)
                    if wait < 0:
                        if wait == -2 and go_on(block):
                            wait = 0
                        else:
                            self._finish(n)
                            return FINISHED
                    if wait < soonest:
                        soonest = wait
                n += 1
            if soonest == 1 << 28:
                return SWEPT
            slice_us -= soonest + _PASS_US
            if urgent[0] or soonest > _NAP_US or slice_us < 0 or self._waits():
                return soonest
            nap(soonest)

    @micropython.native
    def _next(self, n):
        """Give machine `n` the next antenna; True = its reader is dead, which is the result.

        Of those far enough from the fields that are up, the longest that is planned for it, else the longest of all.
        """
        busy = self._busy
        todo = self._todo
        took = self._took_us
        plan = self._plan
        near = self.board.FIELD_DISTANCE
        best = longest = -1
        antenna = 0
        first = self.first
        for wanted in todo:
            took_us = took[antenna]
            if plan[antenna] == n:
                took_us += _PLANNED
            if first[antenna]:
                took_us += _FIRST
            if wanted and took_us > longest:
                for other in busy:
                    if other >= 0 and -near < other - antenna < near:
                        break
                else:
                    best = antenna
                    longest = took_us
            antenna += 1
        if best < 0:
            self._free = False
            return False
        todo[best] = 0
        first[best] = 0
        busy[n] = best
        if self.health[best]:
            self._recover(best)
        if start(self._blocks[n], self._select[best], self._how[best] & 3, self._tx_config):
            self._finish(n)
            return True
        return False

    def _finish(self, n):
        """Machine `n` is done: take over its result, free it."""
        block = self._blocks[n]
        antenna = self._busy[n]
        how = self._how[antenna] & ~_CERTAIN
        sure = conclude(block) if how & _THOROUGH else 0
        self._busy[n] = -1
        self._free = True
        self.antenna = antenna
        self.status = status = block[reading.OUTCOME]
        self.doubt = 0
        self.start_us = reading.word(block, reading.STARTED)
        self.end_us = reading.word(block, reading.ENDED)
        plain = not how & _THOROUGH
        if plain or how & (_DEEP | _DOUBT):  # else a look, which says nothing about the next sweep
            self._took_us[antenna] = time.ticks_diff(self.end_us, self.start_us)
        self.uids = known = self._known[antenna]
        same = reading.same(block, known, len(known))
        if plain and same and not (status or block[reading.NOISE] or self._said[antenna] or self._stage[antenna]):
            self.good_ms[antenna] = time.ticks_ms()
            self._how[antenna] = how
            return  # as ever
        if not same:
            found = reading.uids(block)
            if len(found) != len(known) or sorted_uids(found) != sorted_uids(known):
                self.changed = True
                self.first[antenna] = 1
                how |= _DOUBT
                sure &= 2
                for other in self._near(antenna):  # what is new here may lie there, covered by a chip that is nearer
                    if not self._said[other]:
                        self._how[other] |= _DOUBT | _THOROUGH
                if len(found) > len(known) and sorted_uids(found) == sorted_uids(self._before[antenna]):
                    self._count(antenna, MISSED, 1)  # there again, as if nothing had been
                self._before[antenna] = known
            self._known[antenna] = known = found
        self.uids = known
        if status != self._said[antenna]:
            self._said[antenna] = status
            self.changed = True
            self.first[antenna] = 1
        if status == reading.OK:
            self.good_ms[antenna] = time.ticks_ms()
        if status != reading.FAULT and self._stage[antenna]:
            self._stage[antenna] = 0
            self._count(antenna, RESETS, 1)
        if block[reading.NOISE]:
            self._count(antenna, RETRIES, block[reading.NOISE])
        if sure & 2:
            how |= _DEEP
        elif not known:
            how &= ~_DEEP
        if sure & 1:
            how |= _CERTAIN
            if self._doubt_near(antenna) != _FOR_NOW:
                how &= ~_DOUBT
        elif status:
            how |= _DOUBT
        many = len(known) > 8 or status == reading.UNREADABLE
        thorough = status == reading.OK and how & (_DEEP | _DOUBT) and antenna < self.board.ANTENNAS
        self._how[antenna] = how & ~3 | (1 if many else 0) | (_THOROUGH if thorough else 0)
        if how & _DOUBT and antenna < self.board.ANTENNAS:
            self._doubts[antenna] = doubts = min(self._doubts[antenna] + 1, _PATIENCE + 1)
            self.doubt = _UNCERTAIN if doubts > _PATIENCE and known else _DOUBTFUL
        else:
            self._doubts[antenna] = 0
        if status == reading.FAULT and not self.health[antenna]:
            self.health[antenna] = pn5180.ailment(self._select[antenna])
            if self.health[antenna] == pn5180.TOO_HOT:
                self._stage[antenna] = _COOLING
                pn5180.soft_reset(self._select[antenna])  # as long as it is not configured nothing turns its field on

    def _count(self, antenna, what, more):
        place = 3 * antenna + what
        self.counts[place] = min(0xFFFF, self.counts[place] + more)

    def spots(self, count, zones):
        """Of the first `count` spots of `zones` antennas each: ([ms since the oldest of their last good readings],
        numbers of those whose readers have anything to tell)."""
        now, ages, uneasy = time.ticks_ms(), [0] * count, []
        good, counts, health, diff = self.good_ms, self.counts, self.health, time.ticks_diff
        for spot in range(count):
            oldest = told = 0
            for antenna in range(spot * zones, (spot + 1) * zones):
                age = diff(now, good[antenna])
                if age > oldest:
                    oldest = age
                at = 3 * antenna
                told |= health[antenna] | counts[at] | counts[at + 1] | counts[at + 2]
            ages[spot] = oldest
            if told:
                uneasy.append(spot + 1)
        return ages, uneasy

    def about(self, antenna):
        """Ms since its last good reading; of the last sweeps, _AGES at most: how many, misses, slots asked again,
        recoveries; health."""
        out = [time.ticks_diff(time.ticks_ms(), self.good_ms[antenna]), self._sweeps]
        out.extend(self.counts[3 * antenna : 3 * antenna + 3])
        out.append(self.health[antenna])
        return out

    def _recover(self, antenna):
        """The next step of bringing a reader back."""
        if self._stage[antenna] > _ALL_TRIED:
            self._stage[antenna] -= 1
            if self._stage[antenna] > _ALL_TRIED:
                return
        elif self._stage[antenna] < _HOPELESS:
            self._stage[antenna] += 1
        if self._stage[antenna] == _SOFT:
            pn5180.soft_reset(self._select[antenna])  # it starts up until its next turn
        else:
            self._bring_up(antenna, False)

    def _bring_up(self, antenna, fresh):
        select = self._select[antenna]
        health = pn5180.bring_up(select, fresh)
        if health == pn5180.READY:
            self._tx_config[select] = pn5180.tx_config(select)
        self.health[antenna] = health
