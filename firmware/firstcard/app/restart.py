"""Restart: what a table was in the middle of when the power went, from the log and the journal; imported once, at boot.

The inputs of the log happen again in the same round, told to nobody. Bets that were open are not taken up again: the
table is CLOSED. A round that was dealt goes on, locked, with an open window closed unconfirmed.
"""

from firstcard.app.engine import VERSION
from firstcard.app.intake import IN_MOUTH
from firstcard.app.keeper import lock_values
from firstcard.core.cards import UNKNOWN
from firstcard.core.events import LOCK_EDGE
from firstcard.core.limits import approve
from firstcard.core.machine import CARD, CLOSED, EDGE, INPUTS, OPEN, READING, RESTART, SAFE, SHUT, STAND
from firstcard.core.refused import Refused
from firstcard.store import cell
from firstcard.store.cbor import get
from firstcard.store.journal import FACTS
from firstcard.store.log import (ALARM, ALARMED, BASE, COMING, FACT, HEAD, MAGIC, MOVED, SALT, SEQ, SHUFFLE, SLOT_SIZE,
                                 word)
from firstcard.store.log import SLOTS as ADDRESSES


EFFECTS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 20, 27)  # facts that are effects of an input


class Bad(Exception):
    """Nothing that could be trusted was found; the text is the code of the fault."""


def find_slot(log):
    """Make `log` read the newest slot; returns its (end of the base), or 0 if the memory has never been used.

    Raises Bad where there was a newest slot and it cannot be trusted."""
    best = used = 0
    for slot in (0, 1):
        head = bytearray(16)
        log.memory.read(ADDRESSES[slot], head)
        if head[:4] == MAGIC:
            used += 1
        generation = word(head, 4)
        log.at_end(0, slot, 0, 0)
        if head[:4] == MAGIC and log.checks(head) and generation > best:
            best, found, end = generation, slot, word(head, 8)
    if not best:
        if used:
            raise Bad("memory")
        return 0
    log.at_end(best, found, HEAD, 0)
    return end


def entries(log, base_end):
    """(kind, ms, values) of every entry of the slot; `log` goes on behind the last one. Raises Bad if one is
    damaged that others follow."""
    at, index = HEAD, 0
    generation, slot = log.generation, log.slot
    while True:
        found = log.entry(at)
        if not found or found[3] != index:
            break
        kind, ms, values, _, after = found
        if kind == MOVED:  # what came after was in the other slot, which is not whole any more
            raise Bad("memory")
        at, index = after, index + 1 & 255
        yield kind, ms, get(values, 0)[0]
    if at < base_end or (not log.ended and _follows(log, at, index)):
        raise Bad("memory")
    log.at_end(generation, slot, at, index)


def _follows(log, at, index):
    """Is there a whole entry behind one that is not? A cut leaves none, a flipped bit does."""
    for place in range(at + 1, min(at + 700, SLOT_SIZE - 12)):
        two = bytearray(4)
        log.memory.read(ADDRESSES[log.slot] + place, two)
        if two[2] == index + 1 & 255 and 12 < two[0] | two[1] << 8 < 640 and log.entry(place):
            return True
    return False


def restart(keeper, cause):
    """Bring engine and keeper to where they were. Returns (what is told again after `state`: list of effects).

    Raises Bad with the code of a fault: the table stays SAFE."""
    e = keeper.engine
    r, log, journal = e.round, keeper.log, keeper.journal
    end = find_slot(log)
    if not end:
        journal.search()
        if journal.seq:
            raise Bad("memory")  # the memory is new, the journal is not
        keeper.boot = 1
        start_anew(keeper, cause)
        return []
    settled, owed = [], []
    last_ms = seq = boot = coming = 0
    changed = False  # the rules are others than those of the log
    for kind, ms, values in entries(log, end):
        r.now_ms = last_ms = ms
        if kind == BASE:
            boot, seq, changed = _base(keeper, values)
        elif kind == ALARM:
            r.alarms.open.append(list(values))
        elif kind == SALT:
            keeper.salts[values[0]] = values[1]
        elif kind == ALARMED:
            r.alarm(values[0])
        elif kind == SHUFFLE:
            r.tally.clear(True)
        elif kind == SEQ:
            seq = values[0]
        elif kind == COMING:
            coming = values[0]
        elif kind == FACT + FACTS["boot"]:
            boot = values[0]
        elif kind == FACT + FACTS["reveal"]:
            keeper.salts.pop(values[0], None)
        elif kind == FACT + FACTS["lock"] and owed:  # else of a round that is over: the journal has had no room for it
            _compare(owed, values)
        elif kind < len(INPUTS):
            _again(r, kind, values)
            if kind == EDGE:
                coming = 1
            elif kind == CARD and coming % IN_MOUTH:
                coming -= 1
            elif kind == STAND:
                e.prompt = None
        if changed and r.state > CLOSED and not r.finished:
            raise Bad("profile-changed")
        if r.out:
            owed = [effect for effect in r.out if keeper.journalled(effect)]
        elif owed and (kind - FACT in EFFECTS):
            owed.pop(0)
        elif kind < FACT and kind != SALT and kind != SEQ:
            owed = []
        for effect in r.out:
            if effect[0] == "settle":
                settled.append(effect)
            elif effect[0] == "settle-withdrawn":
                settled = [s for s in settled if s[1:4] != effect[1:4]]
        e.heed(r.out)
        r.out = []
    if r.state == OPEN:
        us = keeper.mark.instant(r.number)
        if us >= 0:  # the latch had fired and the log did not come to it
            _again(r, EDGE, (LOCK_EDGE, us))
            log.append(EDGE, last_ms, (LOCK_EDGE, us))
            owed = [effect for effect in r.out if keeper.journalled(effect)]
            e.heed(r.out)
            r.out = []
            coming = 1
    e.seq = (seq | 63) + 1
    return go_on(keeper, cause, settled, owed, last_ms, boot + 1, coming)


def go_on(keeper, cause, settled, owed, last_ms, number, coming):
    """The round is as it was when the power went, at `last_ms` of that boot; `number` is this boot's. `owed`: effects
    of the last input that are no facts yet. `coming`: cards that had left the shoe, nobody will name them any more; and
    IN_MOUTH."""
    e = keeper.engine
    r = e.round
    keeper.ready = True
    keeper.owed(owed, last_ms)
    if r.state in (SAFE, CLOSED, OPEN) or r.finished:
        if r.finished:
            e.last_round = (r.number, r.stakes, r.returned, r.won)
            _again(r, SHUT, ())
        _again(r, RESTART, (e.ports.us(), last_ms))
        e.heed(r.out)  # nothing is asked any more
        r.out = []
        keeper.flush()
        keeper.boot, keeper.wall = number, 0  # nobody knows how long the power was off
        keeper.checkpoint()
        _boot_fact(keeper, cause)
        return []
    keeper.flush()
    asked = _asked(e)
    r.now_ms = e.ports.ms()
    us = e.ports.us()
    _again(r, RESTART, (us, last_ms))
    keeper.log.append(RESTART, r.now_ms, (us, last_ms))
    keeper.log.append(SEQ, r.now_ms, (e.seq,))
    keeper.boot, keeper.wall = number, 0
    _boot_fact(keeper, cause)
    out, r.out = r.out, []
    e.intake.resume(coming)
    for _ in range(coming % IN_MOUTH):
        _again(r, CARD, (UNKNOWN, False))
        keeper.log.append(CARD, r.now_ms, (UNKNOWN, False))
        keeper.facts(r.out)
        out, r.out = out + r.out, []
    return [s for s in settled if s[1] in r.live] + asked + out


def _asked(e):
    """What people had been asked for last and have not answered; what an open window waits for ends with it."""
    r = e.round
    if r.ending:
        return [("notice", r.ending)]
    if r.window or not e.prompt:
        return []
    if e.prompt[0] == "no-wager":
        return [("notice", e.prompt[0])]
    return [("prompt",) + e.prompt]


def start_anew(keeper, cause):
    """Begin log and journal where there is nothing to go on from."""
    keeper.begin_anew()
    _boot_fact(keeper, cause)


def _boot_fact(keeper, cause):
    e = keeper.engine
    keeper.note("boot", keeper.boot, keeper.wall, cause, e.profile.id, e.profile.hash, VERSION)
    memory = keeper.log.memory
    if cell.maybe(memory, cell.SERVICED) and cell.load(memory, cell.SERVICED):
        # written down twice if the power goes now, rather than never
        keeper.note("mode", "service", "strap")
        cell.save(memory, cell.SERVICED, b"")


def _base(keeper, values):
    e = keeper.engine
    r = e.round
    (hash_, boot, wall, seq, released, told, state, finished, number, close_after, low, high, pending, next_id,
     last, oral, reads, place, r.tally.told, counts) = values
    r.tally.counts[:] = counts
    if not keeper.journal.go_on(place):
        keeper.journal.search()
    if keeper.journal.seq < seq:
        raise Bad("journal-lost")
    keeper.boot, keeper.wall, keeper.next, keeper.released = boot, wall, seq + 1, released
    r.state, r.finished, r.number, r.close_after = state, finished, number, close_after
    r.limits.min, r.limits.max, r.limits.pending = low, high, pending
    r.alarms.next_id = next_id
    e.last_round = last
    for z, n in zip(r.zones, reads):
        z.reads, z.same = n >> 1, bool(n & 1)
    approve(e.profile, low, high)
    if oral and r.oral:
        r.oral.restore(oral)
    return boot, told, hash_ != e.profile.hash


def _again(r, event, values):
    if event == READING and values[1] is None:  # the same as before
        values = (values[0], r.zones[values[0]].last) + values[2:]
    try:
        r.step(event, *values)
    except (Refused, TypeError, IndexError) as error:
        raise Bad("memory") from error


def _compare(owed, values):
    """The lock that the log names is the one that has come out again, with its wagers, or nothing is trusted."""
    if owed[0][0] != "lock" or lock_values(owed[0]) != values:
        raise Bad("memory")
