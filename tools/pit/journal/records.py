"""Records of a journal: bytes to facts with names, from a pulled file, a flash dump or a board's file system image."""

import hashlib
from dataclasses import dataclass, field
from functools import cached_property

from firstcard.core.events import CAUSES, FIELDS
from firstcard.store import cbor
from firstcard.store.journal import BLOCK, CHAIN, END, FACTS, MARK, PAYLOAD, RECORD, VERSION, good
from firstcard.store.log import word

NAMES = {number: name for name, number in FACTS.items()}
OWN_FIELDS = {  # of facts that are no events, or hold something else
    "boot": ("boot", "wall", "cause", "profile", "hash", "version"),
    "alarm": ("id", "kind", "spot", "zone", "by", "text"),  # the exact kind: reinserted, double-card
    "card": ("n", "code", "to", "commitment"),
    "limits": ("min", "max", "pending", "by"),
    "fault": ("code", "expected", "seen"),
    "reveal": ("n", "salt"),
    "read": ("seq", "by"),
    "reset": ("faults", "by"),
    "key": ("name", "by"),
    "note": ("text",),
    "mode": ("mode", "by"),
    "time": ("wall", "by"),
    "rules": ("name", "value", "hash", "by"),
    "lock": ("round", "cause", "us", "wagers"),
}


class BadRecord(ValueError):
    """These bytes are no record; the text says why."""


@dataclass
class Fact:
    """One fact: `ms` since the boot it belongs to, `values` by name."""

    name: str
    ms: int
    values: dict


@dataclass
class Record:
    """One record. `raw`: its 128 bytes."""

    raw: bytes = field(repr=False)

    @property
    def seq(self):
        return word(self.raw, 4)

    @property
    def boot(self):
        return word(self.raw, 8)

    @property
    def ms(self):
        """Of the first fact, since boot."""
        return word(self.raw, 12)

    @property
    def wall(self):
        """Seconds since 2000 at boot, 0: the clock was not set."""
        return word(self.raw, 16)

    @property
    def chain(self):
        return self.raw[20:20 + CHAIN]

    @cached_property
    def hash(self):
        return hashlib.sha256(self.raw).digest()

    @cached_property
    def facts(self):
        """List of Fact. Raises BadRecord on what the firmware does not write."""
        out, at = [], PAYLOAD
        try:
            while at < END and self.raw[at] != 0xFF:
                (number, ms, values), at = cbor.get(self.raw, at)
                out.append(_fact(NAMES[number], self.ms + ms, values))
        except (ValueError, IndexError, KeyError, TypeError):
            raise BadRecord(f"byte {at} begins no fact that is known")
        return out


def _fact(name, ms, values):
    names = OWN_FIELDS.get(name) or FIELDS[name]
    if len(values) > len(names) + (name == "lock"):  # its wagers are two values
        raise ValueError(f"{name} has {len(values)} values")
    found = dict(zip(names, values))
    if name == "lock":
        found = {**dict(zip(names, values[:3])), "cause": CAUSES[values[1]], "wagers": wagers(values[3], values[4])}
    return Fact(name, ms, {key: value for key, value in found.items() if value is not None})


def wagers(bits, sums):
    """[(spot, zone, cents)] of a lock: a bit for each main and tip zone that counts, three bytes each."""
    places = [n for n in range(32) if bits >> n & 1]
    if len(sums) != 3 * len(places):
        raise ValueError("a lock's wagers")
    return [(n // 2 + 1, ("main", "tip")[n % 2], int.from_bytes(sums[3 * i:3 * i + 3], "little"))
            for i, n in enumerate(places)]


def record(raw):
    """The Record of 128 bytes. Raises BadRecord."""
    if len(raw) != RECORD:
        raise BadRecord(f"{len(raw)} bytes instead of {RECORD}")
    if raw[0] != MARK:
        raise BadRecord("it does not begin like a record")
    if raw[1] != VERSION:
        raise BadRecord(f"layout {raw[1]}, this pit knows {VERSION}")
    if not good(raw):
        raise BadRecord("its check sum does not fit its bytes")
    return Record(bytes(raw))


def from_file(data):
    """List of Record or BadRecord, in the order of a pulled file."""
    out = []
    for at in range(0, len(data), RECORD):
        try:
            out.append(record(data[at:at + RECORD]))
        except BadRecord as bad:
            out.append(bad)
    return out


def from_dump(data):
    """Records of a flash dump, in the order of their numbers: every block is looked into. [] if there are none.

    What an erased or torn place holds is no record and is passed over, as the board does."""
    found = {}
    for block in range(0, len(data) - BLOCK + 1, BLOCK):
        if data[block] != MARK and data[block + RECORD] != MARK:
            continue
        for at in range(block, block + BLOCK, RECORD):
            raw = data[at:at + RECORD]
            if raw[0] == MARK and good(raw):
                found[word(raw, 4)] = Record(bytes(raw))
    return [found[seq] for seq in sorted(found)]


def load(data):
    """Records of whatever file this is: a flash dump has whole blocks and more than the journal."""
    return from_dump(data) if len(data) >= 512 * 1024 and len(data) % BLOCK == 0 else from_file(data)
