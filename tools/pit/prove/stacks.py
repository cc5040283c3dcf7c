"""Random stacks of chips with everything that spoils a reading, read by the real drivers, held against what lay there.

The same program runs on the drivers' sources on this PC (emu.hosttable) and, linked and compiled, on the emulated
board. A case is made from its number alone.
"""

import ast
import random
from dataclasses import dataclass, field

from pit.bench.rig import Lab, board_with
from pit.emu.hosttable import HostTable, pins_of
from pit.emu.snapshot import in_fork
from pit.emu.tagfield import Disturbance, Tag

SPOT, NEIGHBOUR = 0, 1  # antennas
LIMIT = 40  # so many chips are unreadable
FED = LIMIT + 4  # that the antenna feeds, the rest is silent: more than LIMIT, since chips with one UID count as one
SETTINGS = {"ANTENNAS": 2, "STACK_LIMIT": LIMIT}
SWEEPS = 10  # then a stack that is still uncertain counts as uncertain
TOO_HIGH = 3  # so many readings running that call it unreadable do as well
REST_US = 300_000  # between two sweeps, as on the table
PROGRAM = '''
"""Sweeps two antennas and tells every reading."""

import array
import board
from firstcard.drivers import readers
from firstcard.drivers.nap import nap

R = readers.Readers(board, array.array("i", [0]))


def power_up():
    R.power_up()


def sweep(lag_us):
    """[(antenna, status, sure, uids, start_us, end_us)]; every step comes up to `lag_us` late."""
    R.begin()
    return finished(lag_us)


def look(lag_us):
    """The same of one antenna, thoroughly."""
    R.look()
    return finished(lag_us)


def finished(lag_us):
    out = []
    lag = 0
    while True:
        wait = R.run(0)
        if wait == readers.FINISHED:
            out.append((R.antenna, R.status, R.sure(R.antenna), bytes(R.uids), R.start_us, R.end_us))
        elif wait == readers.SWEPT:
            return out
        else:
            lag = (lag * 5 + 77) & 1023
            nap(wait + (lag * lag_us >> 10))


def rest(us):
    nap(us)
'''


class HostReaders:
    """The program on this PC. `changed`: see HostCpu."""

    def __init__(self, changed=None):
        self.table = HostTable(pins_of(**SETTINGS), changed)
        self.board, self.fields, self.bus = self.table.board, self.table.fields, self.table.bus
        self.table.run(PROGRAM)
        self.table.run("power_up()")

    def sweep(self, lag_us):
        return self.table.value(f"sweep({lag_us})")

    def look(self):
        return self.table.value("look(0)")

    def rest(self, us):
        self.board.run_us(us)


class BoardReaders:
    """The program on the emulated board. `lab`: see lab(); used up by one case, so play() forks."""

    def __init__(self, lab):
        self._lab = lab
        self.board, self.fields, self.bus = lab.board, lab.table.fields, lab.table.bus

    @staticmethod
    def lab():
        """The board with the program, its readers powered up: to be forked for each case."""
        made = Lab({"stack_program.py": PROGRAM}, board_with(**SETTINGS))
        made.run("import stack_program as p\np.power_up()")
        return made

    @classmethod
    def play(cls, lab, numbers):
        """[(Case, Outcome)] of these cases, each on a fork of `lab`."""
        return [(Case(number), in_fork(lambda number: Case(number).play(cls(lab)), number)) for number in numbers]

    def sweep(self, lag_us):
        return ast.literal_eval(self._lab.run(f"print(p.sweep({lag_us}))"))

    def rest(self, us):
        self.board.run_us(us)


@dataclass
class Outcome:
    """What came of a case. `wrong`: texts; `sure_us`: from the last move to the first sure reading, None = never.

    `plain_wrong`: readings that were not sure and not right, `readings`: all of the spot.
    """

    wrong: list = field(default_factory=list)
    sure_us: float | None = None
    readings: int = 0
    plain_wrong: int = 0
    violations: list = field(default_factory=list)


class Case:
    """Case `number`: chips, disturbances, moves. `text` says what is in it."""

    def __init__(self, number):
        rnd = self._random = random.Random(number)
        self.number = number
        count = rnd.choices((rnd.randint(0, 12), rnd.randint(13, 38), rnd.randint(39, 60)), (70, 22, 8))[0]
        common = rnd.choice((0, 0, 0, 8, 16, 24))  # low bits that are the same in all of them
        low = rnd.getrandbits(32) & (1 << common) - 1
        numbers = set()
        while len(numbers) < count + 8:
            numbers.add(0xE0040100 << 32 | (rnd.getrandbits(32) >> common << common | low) & 0xFFFFFFFF)
        numbers = rnd.sample(sorted(numbers), len(numbers))
        strengths = rnd.choice(((1.0,), (1.0, 1.5, 2.0), (1.0, 4.0, 16.0)))
        self.tags = [self._tag(number, strengths) for number in numbers[:count]]
        self.neighbours = [self._tag(number, strengths) for number in numbers[count : count + rnd.randint(0, 4)]]
        late = numbers[count + 4 :][: rnd.choice((0, 0, 1, 2))]
        self.coming = [self._tag(number, strengths) for number in late]
        self.going = rnd.sample(self.tags, min(count, rnd.choice((0, 0, 0, 1, 2))))
        chance = {name: rnd.uniform(0, most) if rnd.random() < 0.5 else 0.0
                  for name, most in (("miss", 0.02), ("noise", 0.05), ("capture", 0.3), ("late", 0.03))}
        self.disturbance = Disturbance(number, **chance)
        self.bleed = rnd.uniform(0.02, 0.3) if self.neighbours and rnd.random() < 0.15 else 0.0
        self.lag_us = rnd.choice((0, 0, 200, 1200))
        self.too_high = count + max(0, len(self.coming) - len(self.going)) >= LIMIT
        if self.tags and rnd.random() < 0.1:  # a clone
            self.tags.append(Tag(rnd.choice(self.tags).uid))
        for tag in self.tags:
            if rnd.random() < 0.02:
                tag.persistent = True
            if rnd.random() < 0.01:
                tag.late_ns = rnd.randrange(20_000, 250_000)
        self.text = (f"{count} chips, {common} low bits equal, {len(self.coming)} coming, {len(self.going)} going, "
                     f"bleed {self.bleed:.2f}, "
                     + ", ".join(f"{name} {value:.3f}" for name, value in chance.items() if value))

    def _tag(self, number, strengths):
        return Tag(number.to_bytes(8, "little"), strength=self._random.choice(strengths))

    def play(self, readers):
        """Lay the chips, read them until the spot is sure, judge every reading. Returns an Outcome."""
        board, spot, neighbour = readers.board, readers.fields[SPOT], readers.fields[NEIGHBOUR]
        out = Outcome()
        spot.most = FED
        spot.disturbance, neighbour.disturbance = self.disturbance, Disturbance(self.number + 1, self.disturbance.miss)
        spot.near, neighbour.near = [(neighbour, self.bleed)], [(spot, self.bleed)]
        for tag in self.tags:
            spot.place(tag, board.now_ns)
        for tag in self.neighbours:
            neighbour.place(tag, board.now_ns)
        history = {SPOT: [(0, frozenset(t.uid for t in self.tags))],
                   NEIGHBOUR: [(0, frozenset(t.uid for t in self.neighbours))]}
        last_us = [board.now_us]

        def move(tag, comes):
            (spot.place if comes else spot.remove)(tag, board.now_ns)
            history[SPOT].append((board.now_us, frozenset(t.uid for t in spot.tags)))
            last_us[0] = board.now_us

        moves = [(tag, True) for tag in self.coming] + [(tag, False) for tag in self.going]
        for tag, comes in moves:
            board.after_us(self._random.uniform(5_000, 900_000), lambda tag=tag, comes=comes: move(tag, comes))
        unreadable = 0
        for _ in range(SWEEPS):
            for antenna, status, sure, uids, start_us, end_us in readers.sweep(self.lag_us):
                found = frozenset(uids[at : at + 8] for at in range(0, len(uids), 8))
                states = history[antenna]
                begun = [state for us, state in states if us <= start_us][-1]
                during = [begun, *(state for us, state in states if start_us < us <= end_us)]
                right = not status and frozenset.intersection(*during) <= found <= frozenset.union(*during)
                right = right and len(found) * 8 == len(uids)
                if antenna == SPOT:
                    unreadable = unreadable + 1 if status else 0
                    out.readings += 1
                    out.plain_wrong += not status and not right
                if sure and not right:
                    out.wrong.append(f"case {self.number}, antenna {antenna}: missing {len(begun - found)}, "
                                     f"too many {len(found - begun)}, status {status} ({self.text})")
                if antenna == SPOT and sure and len(history[SPOT]) == 1 + len(moves) and start_us > last_us[0]:
                    out.sure_us = end_us - last_us[0]
            if out.sure_us is not None or unreadable >= TOO_HIGH and len(history[SPOT]) == 1 + len(moves):
                break
            readers.rest(REST_US)
        out.violations = [text for _, text in readers.bus.violations]
        return out
