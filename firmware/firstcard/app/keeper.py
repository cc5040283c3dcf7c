"""The keeper: writes down what happens, before anybody is told, so that no cut of the power loses it.

Every input that changes the round goes into the log (store/log.py) with the facts that follow from it; facts are copied
to the journal (store/journal.py) when flash may be written: never while bets are open. Between two rounds the log is
begun anew. What a restart makes of it is app/restart.py's. Times are ms since boot.
"""

from firstcard.core import cards
from firstcard.core.events import CAUSES
from firstcard.core.machine import OPEN, READING, SWEEP, TICK, TRAY
from firstcard.proto.login import hmac_sha256
from firstcard.store.cbor import get, put
from firstcard.store.journal import END, FACTS, PAYLOAD, RECORD, ROOM, Journal, head_of
from firstcard.store.log import (ALARM, ALARMED, BASE, COMING, FACT, FLUSH, HEAD, SALT, SEQ, SHUFFLE, SLOT_SIZE, Log,
                                 word)

SWEEPS = 5  # after any other input: what is seen in them can still change something (core.zone: k of n)
SLICE = 4  # entries that are copied in one turn
BOOT, TIME = FACT + FACTS["boot"], FACT + FACTS["time"]  # begin a record of their own: its head changes
NUMBERS = 64  # events: their numbers go on behind the next multiple of this


def lock_values(effect):
    """Values of the fact: round, cause, us, a bit for each main and tip zone that counts, 3 bytes of cents for each."""
    bits, sums = 0, b""
    for wager in effect[4]:
        spot, zone, value = [pair[1] for pair in wager]
        bits |= 1 << (2 * spot - 2 + (zone == "tip"))
        sums += bytes((value & 255, value >> 8 & 255, value >> 16))
    return effect[1], CAUSES.index(effect[2]), effect[3], bits, sums


class Keeper:
    """`memory`: port of store/log.py; `blocks`: port of store/journal.py. Nothing is written before `ready`."""

    def __init__(self, engine, memory, blocks):
        self.engine = engine
        self.log = Log(memory)
        self.mark = engine.ports.mark
        self.journal = Journal(blocks)
        self.ready = False
        self.boot = 0  # number of this power-up
        self.wall = 0  # seconds since 2000 at boot, 0: not set
        self.released = 0  # records up to this number have been read out
        self.tight = False  # the log is all but full
        self.salts = {}  # number of a card that lies face down: its salt
        self._same = bytearray(len(engine.round.zones))
        self._sweeps = 0
        self._ms = None  # time of an entry that is written late
        self._buf = bytearray(RECORD)
        self._fill = 0  # bytes of the record in hand, 0: none is begun
        self.next = 1  # its number
        self.first = self.packed = HEAD  # entry that it begins with, and the first one that is not in it

    def restart(self, cause):
        """At boot: bring the engine to where it was. (Code of a fault or None, effects that are told again)."""
        from firstcard.app import restart

        try:
            return None, restart.restart(self, cause)
        except restart.Bad as bad:
            code = bad.args[0]
        except OSError:
            code = "fram"
        except ValueError:  # no room to go on
            code = "memory"
        self.ready = False
        self.engine.new_round()
        self.engine.prompt = None  # of what was read before it went wrong
        return code, ()

    # what happens

    def input(self, event, a=None, b=None, c=None, d=None, e=None):
        """An input that the round has taken, or (the lock's edge) is about to take: with the readings before it that is
        the record of the lock. Durable on return, if it changes anything that a restart must know."""
        r = self.engine.round
        if not self.ready:
            return
        if event == READING:
            if r.state < OPEN:
                return
            z = r.zones[a]
            known = self._same[a]
            self._same[a] = z.same
            if z.same and known and (r.frozen or r.state == OPEN):
                return
            b, d, e = None if z.same else z.last, z.last_start_us, z.last_end_us
            self._sweeps = SWEEPS
        elif event == SWEEP:
            if r.state < OPEN or not (r.out or self._sweeps):
                return
            self._sweeps = max(0, self._sweeps - 1)
        elif event == TICK:
            if not r.out:
                return
        else:
            self._sweeps = SWEEPS
        values = (a, b, c, d, e)
        n = len(values)
        while n and values[n - 1] is None:
            n -= 1
        self._append(event, values[:n])

    def facts(self, effects):
        """Effects of a step, before anybody is told."""
        if self.ready:
            for effect in effects:
                name = effect[0]
                if name == "card":
                    self._card(effect)
                elif name == "limits":
                    p = self.engine.round.limits.pending
                    self._fact(name, (effect[1], effect[2], p and (p[0], p[1], p[3]), effect[4]))
                elif name == "lock":
                    self._fact(name, lock_values(effect))
                elif self.journalled(effect):
                    self._fact(name, effect[1:])

    def journalled(self, effect):
        """Is this effect a fact?"""
        name = effect[0]
        return name in FACTS and (name != "state" or effect[1] in ("OPEN", "CLOSED"))

    def owed(self, effects, ms):
        """Facts that the power has kept from being written, with the time of their input."""
        self._ms = ms
        self.facts(effects)
        self._ms = None

    def note(self, name, *values):
        """A fact that no input of the round stands for; texts are cut to 24 letters."""
        if self.ready:
            self._fact(name, [v[:24] if isinstance(v, str) else v for v in values])

    def _fact(self, name, values):
        self._append(FACT + FACTS[name], values)

    def _card(self, effect):
        """A card that lies face down is written as a commitment; its salt follows when it is turned."""
        number, code, to = effect[1:4]
        values = [number, code, to]
        if code == "**":
            card = self.engine.round.game.card_of(number)
            if card is not None and number not in self.salts:
                salt = self.salts[number] = self.engine.ports.random(16)
                self._append(SALT, (number, salt))
                values.append(hmac_sha256(salt, cards.name(card).encode())[:16])
            self._fact("card", values)
            return
        if number in self.salts:
            self._fact("reveal", (number, self.salts[number]))
            del self.salts[number]
        self._fact("card", values)

    def alarm(self, kind):
        """An alarm that concerns no spot and comes from no input of the round."""
        if self.ready:
            self._append(ALARMED, (kind,))

    def coming(self, n):
        """So many cards have left the shoe and are not dealt yet."""
        if self.ready:
            self._append(COMING, (n,))

    def shuffled(self):
        if self.ready:
            self._append(SHUFFLE, ())

    def told(self, seq):
        """Events are numbered up to the next multiple of NUMBERS from here on."""
        if self.ready and not seq % NUMBERS:
            self._append(SEQ, (seq,))

    def _append(self, kind, values):
        ms = self.engine.ports.ms() if self._ms is None else self._ms
        try:
            if self.log.append(kind, ms, values):
                return
        except (OSError, ValueError) as error:  # ValueError: the reserve is used up too
            self.ready = False
            self.engine.fault("log" if isinstance(error, ValueError) else "fram")
            return
        if not self.tight:
            self.tight = True
            self.engine.fault("log")

    # between rounds, and in pauses

    def tick(self):
        """Copy a few facts to the journal where that is allowed; begin a new slot where the log grows long."""
        if not self.ready:
            return
        state = self.engine.round.state
        if state != OPEN:
            self._copy(SLICE)
            if state < OPEN and self.journal.oldest <= self.released:
                self.journal.erase_one(self.released)
        if state <= OPEN and self.log.at > SLOT_SIZE // 2:
            self.checkpoint()

    def full(self):
        """Is there no room for another round?"""
        return self.ready and self.journal.free < ROOM

    def checkpoint(self):
        """Begin the log anew: the table is between two rounds, or bets are open and nothing has been dealt."""
        if not self.ready:
            return
        e, log = self.engine, self.log
        r = e.round
        if r.state != OPEN:
            self.flush()
            self.mark.expect(r.number + 1)  # of the round that may be opened now
        ms = e.ports.ms()
        kept = []
        at = self.first if self._fill else self.packed
        while at < log.at:
            kind, then, values, _, at = log.entry(at)
            if kind >= FACT:
                kept.append((kind, then, get(values, 0)[0]))
        p = r.limits.pending
        oral = r.oral.state() if r.oral else None
        log.begin()
        log.append(BASE, ms, (e.profile.hash, self.boot, self.wall, self.next - 1, self.released, e.seq, r.state,
                              r.finished, r.number, r.close_after, r.limits.min, r.limits.max, p, r.alarms.next_id,
                              e.last_round, oral, bytes([z.reads << 1 | z.same for z in r.zones]),
                              self.journal.place(), r.tally.told, r.tally.counts))
        for row in r.alarms.open:
            log.append(ALARM, ms, row)
        if r.suspects or r.twice:
            log.append(TRAY, ms, (r.suspects, r.twice))
        for n, z in enumerate(r.zones):
            if z.last or z.before or z.last_status or z.before_status:
                log.append(READING, ms, (n, z.before, z.before_status, z.before_end_us, z.before_end_us))
                log.append(READING, ms, (n, None if z.same else z.last, z.last_status, z.last_start_us, z.last_end_us))
        for one in kept:
            log.append(*one)
        log.commit()
        self._fill = 0
        self.first = self.packed = HEAD
        self.tight = False
        self.salts.clear()

    def begin_anew(self):
        """Nothing is there to go on from."""
        self.ready = True
        self._fill = 0
        self.first = self.packed = self.log.at = HEAD
        self.mark.clear()
        self.checkpoint()

    def flush(self):
        """All facts into the journal, the last record as full as it is; a full journal takes what it can."""
        self._copy(SLOT_SIZE)
        if self._fill and self.packed == self.log.at and self.journal.room():
            self.log.append(FLUSH, 0, ())
            self._copy(1)

    def _copy(self, entries):
        log = self.log
        while entries and self.packed < log.at and self.journal.room():
            entries -= 1
            found = log.entry(self.packed)
            if not found:
                raise OSError("the log has changed under us")
            kind, ms, values, _, after = found
            if kind in (BOOT, TIME, FLUSH) and not self.end_record():
                return
            if kind == BOOT:
                self.boot, self.wall = get(values, 0)[0][:2]
            elif kind == TIME:
                self.wall = get(values, 0)[0][0]
            if kind >= FACT and not self._pack(kind - FACT, ms, values):
                if not self.end_record():
                    return
                if not self._pack(kind - FACT, ms, values):
                    raise ValueError("fact %d is too long" % (kind - FACT))
            self.packed = after

    def _pack(self, fact, ms, values):
        """Put one fact into the record in hand; False if it does not fit."""
        buf = self._buf
        if not self._fill:
            head_of(buf, self.next, self.boot, ms, self.wall)
            buf[2] = fact
            self._fill, self.first = PAYLOAD, self.packed
        at = self._fill
        if at + len(values) + 8 > END:
            return False
        buf[at] = 0x83  # a list of three: number of the fact, ms since the record's, values
        at = put(buf, put(buf, at + 1, fact), ms - word(buf, 12) & 0xFFFFFFFF)
        buf[at : at + len(values)] = values
        self._fill = at + len(values)
        return True

    def end_record(self):
        """Write the record in hand, unless flash has it from before a restart. False: flash does not take it."""
        if self._fill:
            if self.next > self.journal.seq and not self.journal.write(self._buf):
                self.engine.fault("store")
                return False
            self._fill = 0
            self.next += 1
        return True
