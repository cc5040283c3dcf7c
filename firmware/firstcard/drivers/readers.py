"""Readers: sweeps all antennas of the board, several far-apart fields at a time, and knows which reader is dead.

    begin(); then run() again and again:
      >= 0       nothing due for that many microseconds
      FINISHED   one antenna is done: see antenna, status, uids, start_us, end_us (until the next run)
      SWEPT      every antenna has been read since begin()

A reader that does not answer is READ_FAULT for its own antenna only; it is configured anew at its next turn. Nothing
is allocated while the same chips lie where they lay: their UIDs are handed out as the same bytes object again.
"""

import array
import time

import micropython
from micropython import const

from firstcard.drivers import inventory, pn5180, readerbus
from firstcard.drivers.inventory import advance, start
from firstcard.drivers.nap import nap

FINISHED, SWEPT = -1, -2
THOROUGH = const(2)
_PLANNED = const(1 << 24)
_NAP_US = const(1500)  # a longer wait is worth a turn of the other tasks


@micropython.viper
def _share(took: ptr32, plan: ptr8, load: ptr32, count: int, machines: int):
    """Plan a sweep: the machine that is to read each antenna, so that all end at about the same time.

    The longest first into the first machine that has room for it, else to the one with least work: longest first alone
    leaves one stack too many for the end. `took`: us of each antenna last time.
    """
    room = n = 0
    while n < count:
        room += took[n]
        plan[n] = 255
        n += 1
    room = room // machines + (room >> 5)
    n = 0
    while n < machines:
        load[n] = 0
        n += 1
    left = count
    while left:
        left -= 1
        longest = best = -1
        n = 0
        while n < count:
            if plan[n] == 255 and int(took[n]) > longest:
                longest = int(took[n])
                best = n
            n += 1
        least = n = 0
        while n < machines:
            if int(load[n]) + longest <= room:
                least = n
                break
            if int(load[n]) < int(load[least]):
                least = n
            n += 1
        load[least] = int(load[least]) + longest
        plan[best] = least


class Readers:
    """`board`: pins, ANTENNAS, FIELDS_AT_ONCE, FIELD_DISTANCE, STACK_LIMIT. `urgent`: run() returns while urgent[0] is
    set.
    """

    def __init__(self, board, urgent):
        count = board.ANTENNAS
        readerbus.init(board)
        self._reset_gp = board.READER_RESET
        self._distance = board.FIELD_DISTANCE
        self._urgent = urgent
        self._blocks = [inventory.machine(board.STACK_LIMIT) for _ in range(board.FIELDS_AT_ONCE)]
        self._busy = [-1] * board.FIELDS_AT_ONCE  # antenna of each machine, -1 = free
        self._todo = bytearray(count)  # 1 = not yet begun in this sweep
        self._free = False  # an antenna may be begun: one ended since none was found
        self._how = bytearray(count)  # how to read it next, see inventory.start
        self._deep = bytearray(count)  # 1 = a chip lies there that only a thorough reading finds
        self._doubt = bytearray(b"\1" * count)  # 0 = a thorough reading has found what the one before had found
        self._plain = bytearray(b"\1" * count)  # 0 = the last reading was that
        self._turn = 0
        self._took_us = array.array("I", [0] * count)  # last time
        self._plan = bytearray(count)  # machine that is to read it
        self._load = array.array("I", [0] * board.FIELDS_AT_ONCE)
        self._known = [b""] * count
        self._tx_config = array.array("I", [0] * count)
        self.health = bytearray([pn5180.NOT_CONFIGURED] * count)
        self.antenna = self.status = self.start_us = self.end_us = 0
        self.uids = b""
        self._said = bytearray(count)  # status of the last inventory
        self.changed = False  # since begin(): other chips, or another status

    def power_up(self):
        """Hard reset of all readers, then configure each. Only outside a round; about 30 ms."""
        pn5180.hard_reset(self._reset_gp)
        for antenna in range(len(self.health)):
            self._bring_up(antenna, True)

    def first_dead(self):
        """The first antenna whose reader does not answer, -1 = all do."""
        for antenna in range(len(self.health)):
            if self.health[antenna] != pn5180.READY:
                return antenna
        return -1

    def sure(self, antenna):
        """Is the last reading of `antenna` certain? Only a thorough one is, that has found what the one before had
        found, and of which no chip is read at another antenna as well.
        """
        known = self._known
        uids = known[antenna]
        if self._plain[antenna]:
            return False
        for other in range(len(known)):
            if other != antenna and known[other]:
                for at in range(0, len(uids), 8):
                    if uids[at : at + 8] in known[other]:
                        return False
        return True

    def begin(self):
        """Start a new sweep. What an unfinished one had begun ends first."""
        for antenna in range(len(self._todo)):
            self._todo[antenna] = 1
        _share(self._took_us, self._plan, self._load, len(self._todo), len(self._blocks))
        self._free = True
        self.changed = False

    @micropython.native
    def run(self, slice_us):
        """Advance for at most about `slice_us` microseconds; see the module's text."""
        begun = time.ticks_us()
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
                        self._finish(n)
                        return FINISHED
                    if wait < soonest:
                        soonest = wait
                n += 1
            if soonest == 1 << 28:
                return SWEPT
            if urgent[0] or soonest > _NAP_US or time.ticks_diff(time.ticks_us(), begun) > slice_us:
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
        near = self._distance
        best = longest = -1
        antenna = 0
        for wanted in todo:
            took_us = took[antenna]
            if plan[antenna] == n:
                took_us += _PLANNED
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
        busy[n] = best
        if self.health[best]:
            self._bring_up(best, False)
        if start(self._blocks[n], best, self._how[best], self._tx_config):
            self._finish(n)
            return True
        return False

    def _finish(self, n):
        """Machine `n` is done: take over its result, free it."""
        block = self._blocks[n]
        antenna = self._busy[n]
        self._busy[n] = -1
        self._free = True
        self.antenna = antenna
        self.status = inventory.word(block, inventory.OUTCOME)
        self.start_us = inventory.word(block, inventory.STARTED)
        self.end_us = inventory.word(block, inventory.ENDED)
        self._took_us[antenna] = time.ticks_diff(self.end_us, self.start_us)
        known = self._known[antenna]
        inventory.sort(block)
        sure = inventory.sure(block)
        if not inventory.same(block, known, len(known)):
            self._known[antenna] = known = inventory.uids(block)
            self.changed = True
            self._doubt[antenna] = 1
            sure &= 2
        elif sure & 1:
            self._doubt[antenna] = 0
        self._plain[antenna] = 1 - (sure & 1)
        if sure & 2:
            self._deep[antenna] = 1
        elif not known:
            self._deep[antenna] = 0
        self.uids = known
        if self.status != self._said[antenna]:
            self._said[antenna] = self.status
            self.changed = True
        if self.status:
            self._doubt[antenna] = 1
        how = 1 if len(known) > 8 or self.status == inventory.UNREADABLE else 0
        if self._deep[antenna] or self._doubt[antenna] and self.status == inventory.OK:
            how |= THOROUGH
        self._how[antenna] = how
        if self.status == inventory.FAULT and not self.health[antenna]:
            self.health[antenna] = pn5180.alive(antenna) or pn5180.NOT_CONFIGURED

    def _bring_up(self, antenna, fresh):
        health = pn5180.bring_up(antenna, fresh)
        if health == pn5180.READY:
            self._tx_config[antenna] = pn5180.tx_config(antenna)
        self.health[antenna] = health
