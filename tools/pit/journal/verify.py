"""Is a journal whole? The first thing that is wrong, what it means, and what a chain alone cannot show.

The chain alone shows any edit, drop, insertion or change of order inside, unless whoever did it wrote every later
record anew: a hash needs no key. The head, an HMAC of the board over number and hash of its last record, shows that
too, and a cut tail. A board that was put back to an earlier state with all its memories has a good chain and a good
head: only the head that this PC kept from the last time shows it.
"""

import hashlib
import hmac
from dataclasses import dataclass

from firstcard.store.journal import CHAIN
from pit.journal.records import BadRecord

FRESH = bytes(CHAIN)


@dataclass
class Head:
    """Number and hash of the last record, with the proof of the board. `first`: the oldest record it still had."""

    first: int
    seq: int
    hash: str
    nonce: str = ""
    hmac: str = ""

    def proven(self, key):
        """Did a board with this journal key (hex) say so?"""
        said = b"%d %d " % (self.first, self.seq) + bytes.fromhex(self.hash)
        due = hmac.new(bytes.fromhex(key), b"head " + bytes.fromhex(self.nonce) + said, hashlib.sha256).hexdigest()
        return hmac.compare_digest(due, self.hmac)


@dataclass
class Verdict:
    """`wrong`: None, or what breaks; `seq`: at which record; `meaning`: what that says; `notes`: what is not known."""

    count: int = 0
    first: int = 0
    last: int = 0
    wrong: str | None = None
    seq: int | None = None
    meaning: str = ""
    notes: tuple = ()

    @property
    def ok(self):
        return self.wrong is None


def verify(records, head=None, key=None, kept=None):
    """Verdict on a list of Record and BadRecord. `head`: the Head that came with it; `key`: the table's journal key
    (hex); `kept`: the Head that this PC remembers of the table."""
    out = Verdict(len(records))
    broken = _inside(records)
    good = [one for one in records if not isinstance(one, BadRecord)]
    if good:
        out.first, out.last = good[0].seq, good[-1].seq
    broken = broken or _end(good, head, key) or _memory(good, kept)
    if broken:
        out.wrong, out.seq, out.meaning = broken
    out.notes = tuple(_notes(good, head, key, kept))
    return out


def _inside(records):
    before = None
    for n, one in enumerate(records):
        at = before.seq + 1 if before else None
        if isinstance(one, BadRecord):
            return f"place {n + 1} holds no record: {one}", at, "damaged, or edited after the board wrote it"
        if before is None:
            if one.seq == 1 and one.chain != FRESH:
                return "record 1 follows another", 1, "it was edited, or its number was"
        elif one.seq != before.seq + 1:
            more = one.seq - before.seq - 1
            what = f"{more} records are missing" if more > 0 else "records are out of order or doubled"
            return f"record {one.seq} follows {before.seq}", before.seq + 1, what
        elif one.chain != before.hash[:CHAIN]:
            reset = [fact for fact in _facts(one) if fact.name in ("reset", "boot") and not any(one.chain)]
            if not reset:
                return (f"record {one.seq} was not written behind this record {before.seq}", before.seq,
                        f"record {before.seq} or {one.seq} was edited or exchanged, or all from {one.seq} on are from "
                        "elsewhere")
        elif one.boot < before.boot or (one.boot == before.boot and one.ms < before.ms):
            return f"record {one.seq} is older than {before.seq}", one.seq, "the board would not write that: edited"
        try:
            one.facts  # noqa: B018  the facts are read for what they raise
        except BadRecord as bad:
            return str(bad), one.seq, "the board would not write that: edited"
        before = one
    return _commitments(records)


def _facts(record):
    try:
        return record.facts
    except BadRecord:
        return []


def _commitments(records):
    """Does every card that was turned fit what was written when it lay face down?"""
    told = {}  # number -> [commitment, code, salt]
    for one in records:
        for fact in one.facts:
            v = fact.values
            if fact.name == "lock":
                told = {}
            elif fact.name == "card" and "commitment" in v:
                told[v["n"]] = [v["commitment"], None, None]
            elif fact.name in ("card", "reveal") and v["n"] in told:
                row = told[v["n"]]
                if fact.name == "reveal":
                    row[2] = v["salt"]
                elif v["code"] != "**":
                    row[1] = row[1] or v["code"]
                if row[1] and row[2] and not any(hmac.new(row[2], code.encode(), "sha256").digest()[:16] == row[0]
                                                 for code in (row[1], "??")):
                    return f"card {v['n']} is not the one that lay face down", one.seq, "the board would not write that"
    return None


def _end(records, head, key):
    if not head:
        return None
    if key and not head.proven(key):
        return "the head was not said by this table", head.seq, "head or file is forged, or the key is another table's"
    last = records[-1] if records else None
    if not last and head.seq:
        return "there are no records", 1, "the file was emptied"
    if last and records[0].seq > head.first:
        return f"it begins at {records[0].seq}, the board had {head.first}", head.first, "the front was cut off"
    if last and last.seq < head.seq:
        return f"it ends at {last.seq}, the head says {head.seq}", last.seq + 1, "the tail was cut off"
    if last and last.seq > head.seq:
        return f"it ends at {last.seq}, the head says {head.seq}", head.seq + 1, "records were appended"
    if last and last.hash.hex() != head.hash:
        return f"record {last.seq} is not the one of the head", last.seq, "it, or everything up to it, was written anew"
    return None


ANEW = "; if you have flashed a board anew yourself, have this PC forget the old one: pit journal forget TABLE"


def _memory(records, kept):
    if not kept:
        return None
    last = records[-1].seq if records else 0
    if last < kept.seq:
        return (f"it ends at {last}, this PC has seen {kept.seq}", last + 1,
                "the tail was cut off, or the board was put back to an earlier state" + ANEW)
    for one in records:
        if one.seq == kept.seq and one.hash.hex() != kept.hash:
            return (f"record {one.seq} is another one than this PC has seen", one.seq,
                    "the board was put back and has written on since, or the journal was written anew" + ANEW)
    return None


def _notes(records, head, key, kept):
    if records and records[0].seq > 1:
        yield f"records 1 to {records[0].seq - 1} are not in it: read out before, or cut off at the front"
    if not head:
        yield "there is no head with it: a tail that was cut off, or a chain written anew, cannot be told"
    elif not key:
        yield "the head's proof was not checked: that takes the site key of this PC, and --table NAME"
    if not kept:
        yield "this PC has not seen the table before: a board that was put back cannot be told"
