"""Power cuts on a simulated table: in every operation of its memories, before it, in it and after it.

Where an operation is due, copies of the memories are made as the cut would leave them, and another table is started
from them; the day itself goes on. What that table must be: locked, without bets open; everything that was told before
the cut is in its journal, once, in order, with nothing before it that was not; the journal's chain is whole; a round
that was told has the wagers that were told. Runs on CPython and MicroPython.
"""

import hashlib
import json

from firstcard.core.machine import OPEN
from firstcard.store import cbor
from firstcard.store.journal import BLOCK, CHAIN, END, FACTS, PAYLOAD, RECORD, SLOTS, good
from firstcard.store.log import word
from .day import PROFILES, Day, Dice, setup_of
from .memory import Blocks, Memory
from .table import SimTable

NAMES = {}
for _name in FACTS:
    NAMES[FACTS[_name]] = _name
TOLD = {  # events that are facts: the fields that are the fact's first values
    "unsettled": ("spot", "zone", "before", "after"), "unsettled-decided": ("spot", "zone", "value", "by"),
    "card": ("n", "code", "to"), "extra": ("kind", "spot", "hand", "amount"),
    "alarm": ("id", "kind", "spot", "zone", "by"), "alarm-cleared": ("id", "by"),
    "settle": ("spot", "hand", "bet", "outcome", "stake", "returned", "won", "to"),
    "settle-withdrawn": ("spot", "hand", "bet", "stake"), "round": ("round", "result"),
    "limits": ("min", "max"), "fault": ("code",), "fault-cleared": ("code",), "state": ("state", "round"),
    "login": ("role", "how"), "logout": ("role", "why"), "login-failed": ("role",),
    "key-switch": ("on",),
}
TEARS = ("before", "torn", "after")
WRITE, PROGRAM, ERASE = "FRAM write", "page program", "block erase"


def told_fact(line):
    """The fact (name, values) that an output line tells, or None."""
    if line[:1] != b"!":
        return None
    event = json.loads(str(line[1:], "ascii"))
    name = event["event"]
    if name == "lock":
        return name, (event["round"], tuple([(w["spot"], w["zone"], w["value"]) for w in event["wagers"]]))
    if name not in TOLD or (name == "limits" and event["by"] == "settings") or (
            name == "state" and event["state"] not in ("OPEN", "CLOSED")):
        return None
    return name, tuple([event.get(field) for field in TOLD[name]])


class Broken(Exception):
    """The journal is not whole; the text says where."""


def _records(data):
    found = {}
    for at in range(0, len(data), RECORD):
        raw = data[at : at + RECORD]
        if raw[0] == 0x4A and good(raw):
            found[word(raw, 4)] = bytes(raw)
    return found


def facts(data, first=1):
    """[(name, values)] of the journal's records from number `first` on, as told_fact has them. `data`: its blocks.
    Raises Broken."""
    found = _records(data)
    last = max(found) if found else 0
    out = []
    for seq in range(first, last + 1):
        if seq not in found:
            raise Broken("record %d is missing" % seq)
        raw = found[seq]
        if seq - 1 in found and raw[20 : 20 + CHAIN] != hashlib.sha256(found[seq - 1]).digest()[:CHAIN]:
            raise Broken("record %d was not written behind %d" % (seq, seq - 1))
        at = PAYLOAD
        while at < END and raw[at] != 0xFF:
            (number, _, values), at = cbor.get(raw, at)
            out.append(_fact(NAMES[number], values))
    return out


def _fact(name, values):
    if name == "lock":
        bits, sums = values[3], values[4]
        wagers = []
        for n in range(14):
            if bits >> n & 1:
                i = 3 * len(wagers)
                wagers.append((n // 2 + 1, "tip" if n & 1 else "main", sums[i] | sums[i + 1] << 8 | sums[i + 2] << 16))
        return name, (values[0], tuple(wagers))
    if name not in TOLD:
        return name, None
    n = len(TOLD[name])
    return name, tuple((tuple(values) + (None,) * n)[:n])


def told_only(rows):
    """Those of the facts that are told as events, the locks behind each other, the others behind each other."""
    locks = [row for row in rows if row[0] == "lock"]
    return locks, [row for row in rows if row[1] is not None and row[0] != "lock"]


def wrong_after(table, told, blocks, first):
    """Texts: what is wrong with a table that has just started. `told`: facts told before the cut; `first`: number of
    the day's first record."""
    engine = table.engine
    r = engine.round
    if engine.faults:
        return ["faults %s" % list(engine.faults)]
    wrong = []
    if r.state == OPEN or not table.is_locked():
        wrong.append("bets are open")
    engine.keeper.flush()
    have = [(z.spot, "tip" if z.kind else "main", z.value) for z in r.zones if z.kind < 2 and z.value]
    return wrong + facts_wrong(told, blocks.data, first, r.state > OPEN and (r.number, have))


def facts_wrong(told, data, first, going):
    """Texts: what is wrong with the journal's blocks `data`, and with the round that goes on after a cut: `going` is
    its (number, [(spot, zone, value), ...]), or false if there is none."""
    try:
        rows = facts(data, first)
    except Broken as broken:
        return [str(broken)]
    wrong = []
    for have, due in zip(told_only(rows), told_only(told)):
        if have[: len(due)] != due:
            n = 0
            while n < len(have) and n < len(due) and have[n] == due[n]:
                n += 1
            wrong.append("fact %d: told %s, written %s" % (n, due[n : n + 1], have[n : n + 1]))
    locks = [n for n, row in enumerate(rows) if row[0] == "lock"]
    if not locks:
        return wrong + (["a round without a lock"] if going else [])
    number, wagers = rows[locks[-1]][1]
    since = rows[locks[-1] + 1 :]
    free = [values[0] for name, values in since if name in ("settle", "unsettled-decided")]  # spots
    if going:
        due = [wager for wager in wagers if wager[2] and wager[0] not in free]
        have = [wager for wager in going[1] if wager[0] not in free]
        if going[0] != number or have != due:
            wrong.append("round %d has %s, locked were %s in %d" % (going[0], have, due, number))
    elif "round" not in [name for name, _ in since]:
        wrong.append("round %d is gone" % number)
    return wrong


class Cuts:
    """All cuts of one day, or every `every`-th. `count`: how many; `wrong`: texts of the first that went wrong."""

    def __init__(self, seed, root, every=1, offset=0):
        self.seed, self.root = seed, root
        self.count = self.ops = 0
        self.kinds = {}
        self.wrong = []
        self._every, self._offset = every, offset
        self._told = []
        self._watching = False
        self._dice = Dice(seed + 1)
        self.memory, self.blocks = _Memory(self), _Blocks(self)
        self.memory.data[:], self.blocks.data[:] = used(seed % len(PROFILES), root)
        self.day = Day(seed, root, self.memory, self.blocks, self._hear)

    def _hear(self, line):
        fact = told_fact(line)
        if fact:
            self._told.append(fact)

    def run(self, rounds=1):
        self.day.begin()
        keeper = self.day.table.engine.keeper
        keeper.flush()
        self._told = []
        self._first = keeper.next
        self.day.released = FULL, hashlib.sha256(_records(self.blocks.data)[FULL]).digest()[:CHAIN].hex()
        self._watching = True
        self.day.play(rounds)
        self._watching = False
        return self

    def due(self, what, data, at, new):
        """An operation is about to be done: `data` becomes `new` from `at` on. What is left in each way to fail?"""
        if not self._watching:
            return
        self.ops += 1
        if self.ops % self._every != self._offset % self._every:
            return
        said = [fact for fact in [told_fact(line) for line in self.day.table.said()] if fact]
        for tear in TEARS:
            memories = bytearray(self.memory.data), bytearray(self.blocks.data)
            if tear != "before":
                n = len(new) if tear == "after" else self._dice.below(len(new))
                _left(what, memories[data is self.blocks.data], at, new, n, self._dice)
            self.kinds[what, tear] = self.kinds.get((what, tear), 0) + 1
            self.count += 1
            wrong = self._restart(*memories, self._told + said)
            if wrong and len(self.wrong) < 5:
                self.wrong.append("seed %d, operation %d, %s, %s: %s" % (
                    self.seed, self.ops, what, tear, "; ".join(wrong)))

    def _restart(self, ram, flash, told):
        memory, blocks = Memory(), Blocks()
        memory.data, blocks.data = ram, flash
        table = SimTable(setup_of(self.seed), self.root, memory=memory, blocks=blocks)
        return wrong_after(table, told, blocks, self._first)


def _left(what, data, at, new, n, dice):
    """What an operation leaves that was broken off after `n` bytes: a byte of FRAM is there or not, one of flash has
    some of its bits; an erase raises all cells together, or has come to a place."""
    if what == ERASE and n < len(new) and dice.one_in(2):
        for i in range(at, at + len(new)):
            data[i] |= dice.below(256)
        return
    data[at : at + n] = memoryview(new)[:n]
    if what != WRITE and n < len(new):
        some = dice.below(256)
        data[at + n] = data[at + n] & (new[n] | some) if what == PROGRAM else data[at + n] | some


class _Memory(Memory):
    def __init__(self, cuts):
        super().__init__()
        self._cuts = cuts

    def write(self, at, data):
        self._cuts.due(WRITE, self.data, at, data)
        super().write(at, data)


class _Blocks(Blocks):
    def __init__(self, cuts):
        super().__init__()
        self._cuts = cuts

    def program(self, block, at, data):
        self._cuts.due(PROGRAM, self.data, block * BLOCK + at, data)
        return super().program(block, at, data)

    def erase(self, block):
        self._cuts.due(ERASE, self.data, block * BLOCK, b"\xff" * BLOCK)
        super().erase(block)


FULL = 2 * SLOTS  # number of the last record of a block that is full when the day begins
_used = {}


def used(profile, root):
    """(FRAM, blocks) of a table with that number of a profile whose third block of the journal is all but full: its
    day comes to the end of a block, and has some to recycle."""
    if profile not in _used:
        memory, blocks = Memory(), Blocks()
        keeper = SimTable(setup_of(profile), root, memory=memory, blocks=blocks).engine.keeper
        while keeper.journal.seq < FULL + SLOTS - 3:
            keeper.note("note", "before")
            keeper.flush()
            if keeper.log.at > 4000:
                keeper.checkpoint()
        keeper.checkpoint()
        _used[profile] = memory.data, blocks.data
    return _used[profile]
