"""Reading the journal out over the console: records, the head that proves them, and the release of what has been read.

Loaded when one of its commands is given. Lines: `PROGRESS record <seq> <base64 of 128 bytes>`.
"""

import binascii
import hashlib

from firstcard.core.machine import SAFE
from firstcard.core.refused import Refused
from firstcard.proto import login
from firstcard.store.journal import CHAIN, RECORD, SLOTS, good
from firstcard.store.log import word

AT_ONCE = 3  # records of one answer; the next `journal from` goes on
NO_RECORD = 120
NO_KEY = 121
NOT_THIS = 122
NOT_NEEDED = 123
CLEARED = ("memory", "journal-lost", "store")  # faults that `journal reset` ends
NONCE = 64  # most hex digits


def place_of(journal, seq):
    """(block, slot) of the record `seq`. Raises Refused where it is not there."""
    used = journal.blocks.count - journal.free
    if journal.oldest <= seq <= journal.seq:
        low, high = 0, used - 1  # of the used blocks, oldest first: the last one that begins at or before seq
        tail = journal.block - used + 1
        while low < high:
            middle = (low + high + 1) // 2
            first = journal.first((tail + middle) % journal.blocks.count)
            low, high = (middle, high) if first and first <= seq else (low, middle - 1)
        block = (tail + low) % journal.blocks.count
        buf = bytearray(RECORD)
        for slot in range(SLOTS):
            journal.blocks.read(block, slot * RECORD, buf)
            if good(buf) and word(buf, 4) == seq:
                return block, slot
    raise Refused(NO_RECORD, seq, journal.oldest, journal.seq)


def records(console, rest):
    """`journal [from <seq>]`: a few records, and where to go on. Without `from`, what there is."""
    keeper = console.engine.keeper
    journal = keeper.journal
    if not rest:
        return "first=%d last=%d released=%d room=%d" % (journal.oldest, journal.seq, keeper.released, journal.room())
    if len(rest) != 2 or rest[0] != "from" or not rest[1].isdigit() or len(rest[1]) > 9:
        raise Refused(11, "journal", "[from <seq>]")
    seq = max(int(rest[1]), journal.oldest)
    if seq > journal.seq:
        return "next=%d last=%d" % (seq, journal.seq)
    block, slot = place_of(journal, seq)
    buf = bytearray(RECORD)
    left = AT_ONCE
    while left and seq <= journal.seq:
        if slot == SLOTS:
            block, slot = (block + 1) % journal.blocks.count, 0
        journal.blocks.read(block, slot * RECORD, buf)
        slot += 1
        if good(buf) and word(buf, 4) == seq:
            line = b"PROGRESS record %d " % seq + binascii.b2a_base64(buf)
            if not console.engine.ports.out(line):
                break
            seq += 1
            left -= 1
    return "next=%d last=%d" % (seq, journal.seq)


def head(console, rest):
    """`journal head <nonce>`: number and SHA-256 of the last record, proven with the table's journal key."""
    e = console.engine
    nonce = login.from_hex(rest[0]) if len(rest[0]) <= NONCE else None
    if nonce is None:
        raise Refused(11, "journal head", "<nonce>")
    key = e.settings.get("keys", {}).get("journal")
    if not key:
        raise Refused(NO_KEY)
    journal = e.keeper.journal
    said = b"%d %d " % (journal.oldest, journal.seq) + journal.hash
    proof = login.hmac_sha256(login.from_hex(key), b"head " + nonce + said)
    return "first=%d seq=%d hash=%s hmac=%s" % (journal.oldest, journal.seq, login.to_hex(journal.hash),
                                                login.to_hex(proof))


def release(console, rest):
    """`journal release <seq> <hash>`: whoever has record `seq` and so all before it; they may be erased."""
    keeper = console.engine.keeper
    journal = keeper.journal
    if not rest[0].isdigit() or len(rest[0]) > 9:
        raise Refused(11, "journal release", "<seq> <hash>")
    seq = int(rest[0])
    block, slot = place_of(journal, seq)
    buf = bytearray(RECORD)
    journal.blocks.read(block, slot * RECORD, buf)
    if login.from_hex(rest[1]) != hashlib.sha256(buf).digest()[:CHAIN]:
        raise Refused(NOT_THIS, seq)
    keeper.note("read", seq, console.session.name)
    keeper.released = max(keeper.released, seq)
    return "released=%d" % keeper.released


def reset(console, rest):
    """`journal reset`: the critical state is lost or does not fit the journal; a technician lets the table begin anew,
    and that is written down."""
    e = console.engine
    found = [code for code in CLEARED if code in e.faults]
    if e.round.state != SAFE or not found:
        raise Refused(NOT_NEEDED)
    keeper = e.keeper
    keeper.journal.search()
    keeper.journal.stuck = False
    keeper.next = max(keeper.next, keeper.journal.seq + 1)
    keeper.boot = max(keeper.boot, keeper.journal.boot) + 1
    keeper.begin_anew()
    keeper.note("boot", keeper.boot, keeper.wall, "reset", e.profile.id, e.profile.hash, "")
    keeper.note("reset", " ".join(found), console.session.name)
    for code in found:
        e.clear_fault(code)
    return "next=%d" % keeper.next
