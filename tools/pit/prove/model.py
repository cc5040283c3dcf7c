"""A small table for the model check: the real core.round.Round, and the people around it, in one state that can be
copied and compared.

What is abstract: two spots, at most a handful of chips of which at most `moves` are moved in one walk, `garbles`
readings that are noise, one order of cards a round (the order of a Setting), misread ones where `misreads` allows it,
whole sweeps of two steps (spot 1, spot 2) between which everything may happen. Time is what the inputs carry: a sweep
is 1000 ticks, and the card's edge falls now, inside the newest reading, or before it. Everything else is the firmware
as it runs.
"""

import copyreg
import pickle
import types
from dataclasses import dataclass, field
from operator import attrgetter

from firstcard.core import cards, machine
from firstcard.core.blackjack import Blackjack
from firstcard.core.events import LOCK_EDGE, LOCK_FRAME, READ_OK, READ_UNREADABLE, ZONES
from firstcard.core.hands import Hand
from firstcard.core.refused import Refused
from firstcard.core.round import Round
from firstcard.core.threecard import ThreeCard
from firstcard.core.zone import FREE, FREEZE, Zone
from firstcard.rules import load

SPOTS = 2
SWEEP_US = 1000  # from the beginning of one reading to that of the next; it lasts READ_US
READ_US = 700
LATER_MS = 1000
VALUES = {b"a" * 8: 500, b"b" * 8: 500, b"c" * 8: 1000, b"d" * 8: 250, b"e" * 8: 500}  # anything else is unknown


def value_of(uid):
    """The chip registry."""
    return VALUES.get(bytes(uid), -1)


@dataclass(frozen=True)
class Setting:
    """Where a walk begins and what people may do in it. `lie`: antenna -> letters of chips; `chips`: (antenna, letter)
    that may be laid or lifted; `keys`: (name, spot, amount)."""

    name: str
    profile: str = "us-in-blackjack"
    options: tuple = ()
    deck: tuple = ("TH", "9C", "8D", "TD", "9D", "7H", "5C")
    lie: tuple = ((0, "a"), (3, "c"))
    chips: tuple = ()
    moves: int = 0
    garbles: int = 0
    misreads: int = 0
    faults: int = 0
    limits: int = 0
    keys: tuple = ()
    confirms: tuple = ()  # spots that `confirm` and `cancel` are given with
    play: bool = True  # cards leave the shoe after the first edge
    ends: tuple = ("settled",)  # of settled, misdeal, void
    low: int = 500
    high: int = 10_000
    halves: bool = True  # anything may happen between the reading of spot 1 and that of spot 2
    begin: tuple = ()  # events before the search


PROFILES = {}


def profile_of(name, options):
    """A loaded profile, each once."""
    key = name, options
    if key not in PROFILES:
        PROFILES[key] = load(name, dict(options))
        PROFILES[key].key = key
    return PROFILES[key]


copyreg.pickle(type(load("us-in-blackjack")), lambda profile: (profile_of, profile.key))


@dataclass
class Undo:
    """A function made inside a method (`undo`), as data: its code and what it has closed over."""

    where: str
    cells: tuple


CODES = {}


def _undo(function):
    """`function` as it can be pickled."""
    if not isinstance(function, types.FunctionType):
        return function
    CODES[function.__qualname__] = function
    return Undo(function.__qualname__, tuple(cell.cell_contents for cell in function.__closure__))


def _redo(undo):
    if not isinstance(undo, Undo):
        return undo
    made = CODES[undo.where]
    return types.FunctionType(made.__code__, made.__globals__, made.__name__, None,
                              tuple(types.CellType(one) for one in undo.cells))


class World:
    """One state. `told`: effects of the newest step. Everything is pickled but the Setting, which is given back."""

    def __init__(self, setting):
        self.setting = setting
        profile = profile_of(setting.profile, setting.options)
        game = Blackjack if profile.game == "blackjack" else ThreeCard
        self.round = Round(SPOTS, profile, value_of, setting.low, setting.high, game)
        if profile.oral:
            from firstcard.core.oral import Oral

            self.round.oral = Oral(self.round)
        self.lie = [frozenset(dict(setting.lie).get(n, "")) for n in range(SPOTS * len(ZONES))]
        self.us = 10 * SWEEP_US
        self.half = False  # spot 1 has been read, spot 2 not yet
        self.drawn = 0  # cards out of the shoe
        self.moves, self.garbles, self.misreads = setting.moves, setting.garbles, setting.misreads
        self.faults, self.limits = setting.faults, setting.limits
        self.ended = False  # misdeal or void was asked for
        self.seen = [((0, b"", READ_OK),) * 2 for _ in self.lie]  # newest two readings of each zone, oldest first
        self.told = []
        for event in (("ready",), ("open",), *setting.begin):
            if not self.step(event):
                raise ValueError(f"{setting.name}: {event} is refused")

    # copies

    def pack(self):
        """The state as bytes."""
        r = self.round
        kept = r.undo, self.setting, self.told
        r.undo, self.setting, self.told = _undo(r.undo), None, None
        data = pickle.dumps(self, pickle.HIGHEST_PROTOCOL)
        r.undo, self.setting, self.told = kept
        return data

    @staticmethod
    def unpack(data, setting):
        """A state of its own."""
        self = pickle.loads(data)
        self.setting, self.told = setting, []
        self.round.undo = _redo(self.round.undo)
        return self

    def key(self):
        """What tells this state from others: equal keys, equal futures. Ticks count as seen from now; numbers of
        rounds and alarms, sums already told and memories that only save time do not count."""
        return Key(self).value

    # inputs

    def events(self):
        """Everything that may happen now, as tuples."""
        r, s = self.round, self.setting
        if r.finished:
            return [("reopen",), ("shut",)]
        out = [("read", False)]
        if self.garbles > 0 and not self.half:
            out.append(("read", True))
        if self.moves:
            for antenna, chip in s.chips:
                out.append(("lift" if chip in self.lie[antenna] else "place", antenna, chip))
        if self.faults and r.state != machine.SAFE:
            out.append(("fault",))
        out += [("ack", n) for n in range(len(r.alarms.open))]
        if self.limits:
            out += [("limits", 1000, 0), ("limits", 1000, LATER_MS)]
        if r.limits.pending:
            out += [("limits_cancel",)] + ([("tick",)] if r.now_ms < LATER_MS else [])
        state = r.state
        if state == machine.SAFE:
            return [*out, ("ready",)]
        if state == machine.CLOSED:
            return [*out, ("open",)]
        if state == machine.OPEN:
            out += [("edge", LOCK_EDGE, back) for back in ("now", "in", "before")] + [("edge", LOCK_FRAME, "now")]
            out += [("close",)] if self.faults else []
        elif s.play:
            out += self._play()
        out += [("key", *key) for key in s.keys]
        out += [(name, spot) for spot in s.confirms for name in ("confirm", "cancel", "supervisor_confirm")]
        return out

    def _play(self):
        s, r = self.setting, self.round
        out = [("stand", 0), ("reveal",)]
        if self.drawn < len(s.deck):
            out.append(("card", s.deck[self.drawn]))
            if self.misreads:
                out.append(("card", "??"))
        if s.misreads:
            out.append(("name_card", "6S"))
        if "settled" in s.ends:
            out += [("settled", spot) for spot in (0, *r.live)]
        for how in ("misdeal", "void"):
            if how in s.ends:
                out.append((how,))
        if r.ending:
            out.append(("supervisor_confirm", 0))
        return out

    def step(self, event):
        """Let it happen; False if it was refused. What it tells is in `told`."""
        name, *rest = event
        r = self.round
        r.out = []
        try:
            getattr(self, "_" + name, None)(*rest) if hasattr(self, "_" + name) else self._input(name, *rest)
        except Refused:
            return False
        self.told, r.out = r.out, []
        return True

    def _input(self, name, *rest):
        if name in ("confirm", "cancel", "supervisor_confirm"):
            rest = (*rest, "who")
        elif name == "limits_cancel":
            rest = ("who",)
        elif name == "key":
            rest = (*rest, "who")
        self.round.step(machine.INPUTS.index(name), *rest)
        if name == "reopen" or name == "shut":
            self.drawn = 0

    def _place(self, antenna, chip):
        self.lie[antenna] |= {chip}
        self.moves -= 1

    def _lift(self, antenna, chip):
        self.lie[antenna] -= {chip}
        self.moves -= 1

    def _read(self, garbled):
        """The zones of the next spot are read, or of both; after the last one the sweep ends."""
        self._read_spot(garbled)
        if not self.setting.halves:
            self._read_spot(garbled)

    def _read_spot(self, garbled):
        spot = 1 if self.half else 0
        end = self.us + READ_US
        self.garbles -= garbled and not spot
        for kind in range(len(ZONES)):
            antenna = spot * len(ZONES) + kind
            uids = b"".join(chip.encode() * 8 for chip in sorted(self.lie[antenna]))
            status = READ_OK
            if garbled and antenna == 0:
                uids, status = uids[:8], READ_UNREADABLE
            self.seen[antenna] = (self.seen[antenna][1], (end, uids, status))
            self.round.step(machine.READING, antenna, uids, status, self.us, end)
        self.us += SWEEP_US
        if self.half:
            self.round.step(machine.SWEEP)
        self.half = not self.half

    def instant(self, back):
        """Tick of an edge: in the rest after the newest reading, inside it, or before it began."""
        return self.us - SWEEP_US + {"now": READ_US + 100, "in": READ_US - 100, "before": -100}[back]

    def _edge(self, cause, back):
        self.round.step(machine.EDGE, cause, self.instant(back))

    def _card(self, code):
        self.round.step(machine.CARD, cards.parse(code), False)
        self.drawn += 1
        self.misreads -= code == "??"

    def _name_card(self, code):
        self.round.step(machine.NAME_CARD, cards.parse(code), None, 1)

    def _fault(self):
        self.faults -= 1
        self.round.step(machine.FAULT, "latch")

    def _close(self):
        self.faults -= 1
        self.round.step(machine.CLOSE)

    def _ack(self, place):
        self.round.step(machine.ACK, self.round.alarms.open[place][0], "supervisor")

    def _limits(self, low, due_ms):
        self.limits -= 1
        self.round.step(machine.LIMITS, low, self.setting.high, "who", due_ms)

    def _tick(self):
        self.round.now_ms = LATER_MS
        self.round.step(machine.TICK)


SKIPPED = {"_value_of", "_sums", "profile", "p", "_actions", "_short", "_shorts", "out", "next_id", "r", "answer",
           "lock_us", "stakes", "returned"}
ROUND_ONLY = SKIPPED | {"number", "won"}


def plain(thing, *without):
    """Function (thing) -> tuple of its plain attributes."""
    return attrgetter(*sorted(set(vars(thing)) - SKIPPED - set(without)))


ZONE = plain(Zone(1, 0, None), "spot", "kind", "last_start_us", "last_end_us", "before_end_us")
HAND = plain(Hand(1, 1), "cards", "drawn")


@dataclass
class Key:
    """Makes World.key(): a walk over all attributes, objects that were met before by their number."""

    world: World
    met: dict = field(default_factory=dict)

    @property
    def value(self):
        w = self.world
        return (tuple(w.lie), w.half, w.drawn, w.moves, w.garbles, w.misreads, w.faults, w.limits, w.ended,
                self._of(w.round))

    def _of(self, x):
        kind = type(x)
        if x is None or kind in (int, str, bytes, bool, frozenset):
            return x
        if kind is bytearray:
            return bytes(x)
        if kind in (list, tuple):
            return tuple([self._of(one) for one in x])
        if kind is dict:
            return tuple(sorted((name, self._of(one)) for name, one in x.items()))
        if id(x) in self.met:
            return ("met", self.met[id(x)])
        self.met[id(x)] = len(self.met)
        if kind is Zone:
            return self._zone(x)
        if kind is Hand:
            return (HAND(x), bytes(x.cards[:x.n]), tuple(x.drawn[:x.n]))
        if kind is types.MethodType:
            return x.__name__
        if kind is types.FunctionType:
            return (x.__qualname__, *[self._of(cell.cell_contents) for cell in x.__closure__])
        if kind.__name__ == "Alarms":
            return tuple([tuple(row[1:]) for row in x.open])
        fields = vars(x)
        skipped = ROUND_ONLY if kind is Round else SKIPPED
        return tuple([self._of(one) for name, one in sorted(fields.items()) if name not in skipped])

    def _zone(self, z):
        if z.phase == FREE:
            now = self.world.us
            return ZONE(z), tuple([min(now - ticks, 4 * SWEEP_US) for ticks in
                                   (z.last_start_us, z.last_end_us, z.before_end_us)])
        return ZONE(z), z.phase == FREEZE and z.last_start_us >= self.world.round.lock_us
