"""Proof: breadth first over the real round, every state that a small table can come to; the invariants hold in each.

What is abstract is said in pit.prove.model. Besides the invariants: a refused input changes nothing, nothing but
Refused is ever raised, and (where a setting was searched to its end) from every state of a round the people can bring
it to its end. A setting that is larger than MOST states is searched up to there, nearest first: `whole` says so.
"""

from collections import Counter
from dataclasses import dataclass, field

from firstcard.core import machine
from pit.prove import invariants
from pit.prove.model import Setting, World
from pit.prove.proof import Proof, Result

SWEEP = (("read", False), ("read", False))  # of two halves
MOST = 25_000  # states of one setting
LOCK = (("read", False), ("read", False), ("edge", 1, "now"), ("read", False))  # with whole sweeps
DEALER_KEYS = (("double", 0, 0), ("split", 0, 0), ("undo", 0, 0), ("surrender", 0, 0))
SETTINGS = (
    Setting("edge and chips", begin=SWEEP * 2, chips=((0, "b"), (3, "c"), (1, "e")), moves=2, garbles=1,
            confirms=(0, 1), play=False),
    Setting("edge and a chip moved from spot to spot", begin=SWEEP * 2, lie=((0, "ab"), (3, "c")),
            chips=((0, "b"), (3, "b"), (3, "z")), moves=3, confirms=(1, 2), play=False),
    Setting("alarms", begin=SWEEP * 2 + (("edge", 1, "now"), *SWEEP), chips=((0, "b"), (2, "d"), (3, "z")), moves=3,
            garbles=1, play=False, keys=(("return-excess", 1, 0), ("make-change", 1, 0)), confirms=(0,)),
    Setting("split and double", begin=LOCK, halves=False, deck=("8H", "8C", "6D", "8S", "8D", "TH", "3C", "TD", "9D"),
            chips=((0, "b"), (3, "b")), moves=2, confirms=(0,), keys=DEALER_KEYS, options=(("surrender", True),)),
    Setting("insurance", begin=LOCK, halves=False, deck=("TH", "9C", "AD", "AH", "9D", "TS"),
            chips=((2, "d"), (5, "e")), moves=3, confirms=(0,),
            keys=(("insurance-closed", 0, 0), ("even-money", 1, 0), ("peek", 0, 0))),
    Setting("payment", begin=LOCK, halves=False, deck=("TH", "9C", "8D", "TD", "9D", "TS"),
            chips=((0, "a"), (0, "b"), (3, "c")), moves=3),
    Setting("ends", begin=LOCK, halves=False, deck=("TH", "9C", "8D", "TD", "9D", "TS"), chips=((0, "b"),), moves=1,
            misreads=1, ends=("settled", "misdeal", "void"), confirms=(0,), keys=(("undo", 0, 0),)),
    Setting("limits, faults, closing", begin=SWEEP, deck=("TH", "8D", "TD", "TS"), lie=((0, "c"),), halves=True,
            chips=((0, "c"),), moves=1, faults=1, limits=1),
    Setting("North Dakota tip", profile="us-nd-twentyone", begin=LOCK, halves=False, lie=((0, "c"), (1, "a")),
            deck=("TH", "6D", "TD", "TS", "5C"), chips=((0, "b"), (1, "b")), moves=3, confirms=(0, 1),
            keys=(("double", 0, 0), ("undo", 0, 0))),
    Setting("oral", profile="gcb-blackjack", options=(("dealer_natural_beats_21", True),), begin=SWEEP, halves=True,
            deck=("TH", "8D", "TD", "TS"), lie=(), chips=((0, "a"), (0, "b")), moves=2, confirms=(1,),
            ends=("settled", "void"),  # a card without any wager: the supervisor ends such a round
            keys=(("oral", 1, 500), ("undo", 0, 0))),
    Setting("three card poker", profile="us-in-three-card-poker", begin=LOCK, halves=False,
            deck=("TH", "9C", "TD", "9D", "8H", "8C", "QS", "4D", "2C"), chips=((2, "b"), (5, "c")), moves=2,
            confirms=(0,), keys=(("play", 1, 0), ("play", 2, 0), ("fold", 1, 0), ("fold", 2, 0), ("undo", 0, 0))),
)


@dataclass
class Walk:
    """What came of one search. `wrong`: texts, each with the events that lead there."""

    states: int = 0
    transitions: int = 0
    refused: int = 0
    depth: int = 0
    whole: bool = True
    stuck: int = 0
    told: Counter = field(default_factory=Counter)
    wrong: list = field(default_factory=list)


def search(setting, most=10**9, checks=None, limit=1):
    """Breadth first from power-up, at most `most` states; ends after `limit` wrong ones. A Walk."""
    checks = invariants.checks() if checks is None else checks
    first = World(setting)
    walk = Walk()
    numbers = {first.key(): 0}
    came = [(None, None)]  # (state before, event) by which each was found first
    back = [[]]  # states from which each can be reached
    ended = []  # states in which no round is on, or where a setting ends
    layer = [(0, first.pack())]
    while layer and len(walk.wrong) < limit:
        following = []
        for number, data in layer:
            world = World.unpack(data, setting)
            before, key = invariants.Picture(world), None
            if before.state <= machine.OPEN or not setting.play and world.round.frozen and not any(before.unsettled):
                ended.append(number)
            for event in world.events():
                walk.transitions += 1
                try:
                    accepted = world.step(event)
                    wrong = [f"{name}: {text}" for name, check in checks.items()
                             if (text := check(before, event, accepted, world))]
                except Exception as error:
                    accepted, wrong = True, [f"{type(error).__name__}: {error}"]
                then = world.key() if not wrong else None
                if not accepted:
                    walk.refused += 1
                    key = key or World.unpack(data, setting).key()
                    if not wrong and then != key:
                        wrong = ["a refused input has changed something"]
                if wrong:
                    path = _path(came, number)
                    walk.wrong += [f"{text}, after {path}, {event}" for text in wrong]
                    if len(walk.wrong) >= limit:
                        break
                elif accepted:
                    walk.told.update(effect[0] for effect in world.told)
                    if then not in numbers and len(numbers) < most:
                        numbers[then] = len(numbers)
                        came.append((number, event))
                        back.append([])
                        following.append((numbers[then], world.pack()))
                    if then in numbers:
                        back[numbers[then]].append(number)
                    else:
                        walk.whole = False
                if accepted or wrong:
                    world = World.unpack(data, setting)
            if len(walk.wrong) >= limit:
                break
        layer = following
        walk.depth += bool(following)
    walk.states = len(numbers)
    if walk.whole and not walk.wrong:
        walk.stuck = walk.states - len(_reaching(back, ended))
        if walk.stuck:
            stuck = min(set(range(walk.states)) - _reaching(back, ended))
            walk.wrong.append(f"{walk.stuck} states without a way out, the first after {_path(came, stuck)}")
    return walk


def _path(came, number):
    """The events that lead to a state."""
    out = []
    while came[number][1] is not None:
        number, event = came[number]
        out.append(event)
    return out[::-1]


def _reaching(back, goals):
    """All states from which one of `goals` can be reached."""
    seen, todo = set(goals), list(goals)
    while todo:
        for number in back[todo.pop()]:
            if number not in seen:
                seen.add(number)
                todo.append(number)
    return seen


class ModelCheck(Proof):
    """A unit is one Setting, searched to its end."""

    name = "model"
    title = "breadth first over the real round: the invariants hold in every state"

    def units(self, options):
        return [f"{number + 1} {setting.name}" for number, setting in enumerate(SETTINGS)]

    def run(self, shared, unit):
        walk = search(SETTINGS[int(unit.split()[0]) - 1], MOST)
        figures = {"states": walk.states, "transitions": walk.transitions, "refused": walk.refused,
                   "depth": walk.depth, "whole": "yes" if walk.whole else "no"}
        for name in ("lock", "unsettled", "alarm", "extra", "settle", "round"):
            figures[name] = walk.told[name]
        return Result(not walk.wrong, figures, walk.wrong[0] if walk.wrong else "")

    def legend(self, rows):
        """Sums over all settings."""
        states, transitions = (sum(result.figures.get(name, 0) for _, result in rows)
                               for name in ("states", "transitions"))
        whole = sum(result.figures.get("whole") == "yes" for _, result in rows)
        return [f"{states:,} states, {transitions:,} transitions; {whole} of {len(rows)} settings were searched to "
                f"their end, the others up to {MOST:,} states, nearest first. Invariants: "
                f"{', '.join(invariants.checks())}; a refused input changes nothing; in whole settings every state has "
                "a way out.", ""]
