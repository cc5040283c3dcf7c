"""The tags in the field of one antenna: who hears a request, who answers in which slot, what the reader then receives.

ISO 15693, high data rate, one subcarrier. Requests: INVENTORY (1 and 16 slots, mask, AFI), STAY QUIET, RESET TO READY,
READ SINGLE BLOCK and READ MULTIPLE BLOCKS. All times are nanoseconds of the table's clock; nothing here sets an alarm.
"""

import random
from dataclasses import dataclass, field

from pit.emu import air
from pit.emu.modelerror import AirViolation, NotModelled

INVENTORY, STAY_QUIET, READ_SINGLE, READ_MULTIPLE, RESET_TO_READY = 0x01, 0x02, 0x20, 0x23, 0x26
FLAG_SUBCARRIERS, FLAG_HIGH_RATE, FLAG_INVENTORY, FLAG_EXTENSION = 0x01, 0x02, 0x04, 0x08
FLAG_AFI, FLAG_ONE_SLOT = 0x10, 0x20  # with FLAG_INVENTORY
FLAG_SELECT, FLAG_ADDRESS, FLAG_OPTION = 0x10, 0x20, 0x40  # without it
BLOCKS, BLOCK_BYTES = 28, 4  # ICODE SLI and SLIX
ERROR_FLAG, NO_SUCH_BLOCK = 0x01, 0x10  # of an answer
UID_BITS = 64
CAPTURE_RATIO = 3.0  # an answer so much stronger than the next one is received as if it were alone
PERSISTENT_NS = 2_000_000_000  # persistent quiet outlasts a dark field at least that long (SLIX2 data sheet)


@dataclass(eq=False)
class Tag:
    """One tag. `uid`: 8 bytes in the order of the air, least significant first.

    `strength`: of its answer at the reader, see CAPTURE_RATIO. `late_ns`: how much later than t1 it answers.
    `persistent`: it was told to be quiet in a way that outlasts a dark field, until RESET TO READY.
    """

    uid: bytes
    strength: float = 1.0
    late_ns: int = 0
    persistent: bool = False
    afi: int = 0
    dsfid: int = 0
    memory: bytearray = field(default_factory=lambda: bytearray(BLOCKS * BLOCK_BYTES))
    quiet: bool = False
    placed_ns: int = 0
    dark_ns: int = 0  # since when no field has reached it

    def __post_init__(self):
        if len(self.uid) != 8:
            raise ValueError(f"a UID has 8 bytes, not {len(self.uid)}")
        self.number = int.from_bytes(self.uid, "little")


@dataclass(eq=False)
class Reception:
    """What reaches the reader after one request: answers of `tags`, laid over one another."""

    start_ns: int  # first bit of the SOF
    sof_ns: int  # SOF complete
    end_ns: int  # EOF complete
    data: bytes  # without CRC
    tags: tuple = ()
    noise: bool = False  # CRC wrong, no collision seen
    late: bool = False  # it begins after the time in which answers begin
    collision: int | None = None  # first bit in which the answers differ, counted from the first bit of `data`


@dataclass
class Disturbance:
    """Seeded imperfection of one field, chances from 0 to 1.

    miss     that a tag keeps silent
    noise    that an answer is spoilt
    capture  that of answers that collide the strongest is received as if it were alone
    late     that an answer begins up to `late_ns` after t1
    """

    seed: int
    miss: float = 0.0
    noise: float = 0.0
    capture: float = 0.0
    late: float = 0.0
    late_ns: int = 250_000

    def __post_init__(self):
        self._random = random.Random(self.seed)

    def happens(self, chance):
        """Does what has this chance happen now?"""
        return chance > 0 and self._random.random() < chance

    def misses(self):
        """Does this tag miss this request?"""
        return self._random.random() < self.miss

    def spoils(self):
        """Is this answer spoilt?"""
        return self._random.random() < self.noise

    def delay_ns(self):
        """How much later than t1 does this answer begin?"""
        return self._random.randrange(self.late_ns) if self.happens(self.late) else 0


class Field:
    """The field of one antenna and the tags that lie in it.

    `most`: so many tags it can feed; those laid on top of them are without power. `near`: [(Field, chance)] whose tags
    hear a request here with that chance, as side lobes do.
    """

    def __init__(self):
        self.tags = []
        self.on_ns = None  # since when the field is up; None: dark
        self.disturbance = None
        self.most = None
        self.near = []
        self.noisy = False  # a fault of the reader's surroundings: every answer window is filled with noise
        self._dark()

    def place(self, tag, now_ns):
        """Lay `tag` into the field; it listens one power-up time later."""
        tag.placed_ns, tag.quiet = now_ns, False
        self.tags.append(tag)

    def remove(self, tag, now_ns):
        """Take `tag` away; an answer that it is giving breaks off and is noise to the reader."""
        self.tags.remove(tag)
        self._round = [t for t in self._round if t is not tag]
        heard = self._heard
        if heard is not None and tag in heard.tags and now_ns < heard.end_ns:
            heard.noise, heard.collision = True, None

    def switch_on(self, now_ns):
        """The reader's field comes up."""
        self._dark()
        self.on_ns = now_ns
        for tag in self._reached():
            if tag.persistent and now_ns - tag.dark_ns > PERSISTENT_NS:
                tag.persistent = False

    def switch_off(self, now_ns=0):
        """The reader's field goes down: every tag forgets its state, but for persistent quiet."""
        self._dark()
        self.on_ns = None
        for tag in self._reached():
            tag.quiet, tag.dark_ns = False, now_ns

    def new_clock(self):
        """The power was gone and time begins at 0 again: the field is down, what lies here has lain here all along."""
        self.switch_off()
        for tag in self.tags:
            tag.placed_ns = tag.dark_ns = 0

    def _reached(self):
        """Every tag that this field can reach."""
        return [*self.tags, *(tag for other, _ in self.near for tag in other.tags)]

    def _hearers(self, start_ns):
        """The tags that hear a request which begins at `start_ns`."""
        here = [t for t in self.tags[: self.most] if start_ns - max(t.placed_ns, self.on_ns) >= air.POWER_UP_NS]
        for other, chance in self.near:
            here += [t for t in other.tags if self.disturbance is not None and self.disturbance.happens(chance)]
        return here

    def earliest_ns(self, now_ns):
        """When a frame handed to the reader at `now_ns` may start: the reader itself keeps t2 after an answer.

        Raises AirViolation when an answer is still on the air, or the window in which one may start is still open.
        """
        late = self._heard
        if late is not None and late.late and now_ns < late.end_ns:
            # it began after the window: the reader need not have waited, the tag is not listening, its answer goes on
            self._round = [t for t in self._round if t not in late.tags]
            self._spilt_ns, self._heard, self._guard_ns = late.end_ns, None, 0
        if now_ns < self._busy_until_ns:
            raise AirViolation(f"sent {(self._busy_until_ns - now_ns) / 1000:.1f} us too early: {self._busy_with}")
        return max(now_ns, self._guard_ns)

    def request(self, data, start_ns, end_ns):
        """A whole request, on the air from `start_ns` to `end_ns`. Returns the Reception it causes, or None."""
        flags, command = data[0], data[1]
        if flags & (FLAG_SUBCARRIERS | FLAG_EXTENSION) or not flags & FLAG_HIGH_RATE:
            raise NotModelled(f"request flags {flags:#04x}: only high data rate, one subcarrier, no protocol extension")
        hearers = self._hearers(start_ns)
        if flags & FLAG_INVENTORY:
            return self._inventory(data, [t for t in hearers if not (t.quiet or t.persistent)], end_ns)
        self._round, self._slot = [], None
        if flags & (FLAG_SELECT | FLAG_OPTION):
            raise NotModelled(f"request flags {flags:#04x}: select and option are not modelled")
        body, addressed = data[2:], [t for t in hearers if command == RESET_TO_READY or not (t.quiet or t.persistent)]
        if flags & FLAG_ADDRESS:
            uid, body = bytes(data[2:10]), data[10:]
            addressed = [t for t in hearers if t.uid == uid]
        if command == STAY_QUIET and flags & FLAG_ADDRESS and not body:
            for tag in addressed:
                tag.quiet = not (self.disturbance is not None and self.disturbance.misses())
            self._wait(end_ns + air.T2_NS, "t2 after STAY QUIET")
            return None
        if command == RESET_TO_READY and not body:
            for tag in addressed:
                tag.quiet = tag.persistent = False
            return self._answers([(t, bytes(1)) for t in addressed], end_ns, 1)
        if command == READ_SINGLE and len(body) == 1:
            return self._answers([(t, _blocks(t, body[0], 1)) for t in addressed], end_ns, 1 + BLOCK_BYTES)
        if command == READ_MULTIPLE and len(body) == 2:
            size = 1 + BLOCK_BYTES * (body[1] + 1)
            return self._answers([(t, _blocks(t, body[0], body[1] + 1)) for t in addressed], end_ns, size)
        raise NotModelled(f"request {bytes(data).hex(' ')} is not modelled")

    def next_slot(self, end_ns):
        """A lone EOF that ended at `end_ns` opens the next of 16 slots. Returns the Reception in it, or None."""
        if self._slot is None or self._slot + 1 >= air.SLOTS:
            raise AirViolation("a lone EOF outside a 16-slot inventory, or after its last slot")
        self._slot += 1
        return self._answer_slot(end_ns)

    def _dark(self):
        self._round, self._slot, self._mask_bits = [], None, 0
        self._heard = None
        self._busy_until_ns = self._guard_ns = self._spilt_ns = 0
        self._busy_with = ""

    def _wait(self, until_ns, why):
        self._busy_until_ns, self._busy_with, self._guard_ns = until_ns, why, until_ns

    def _inventory(self, data, hearers, end_ns):
        flags, rest = data[0], data[2:]
        if data[1] != INVENTORY:
            raise NotModelled(f"command {data[1]:#04x} with the inventory flag")
        if flags & FLAG_AFI:
            afi, rest = rest[0], rest[1:]
            hearers = [t for t in hearers if afi in (0, t.afi)]
        bits, mask = rest[0], bytes(rest[1:])
        value = int.from_bytes(mask, "little")
        limit = UID_BITS if flags & FLAG_ONE_SLOT else UID_BITS - 4
        if bits > limit or len(mask) != (bits + 7) // 8 or value >> bits:
            raise NotModelled(f"inventory mask of {bits} bits with the bytes {mask.hex(' ') or 'none'}")
        self._round = [t for t in hearers if t.number & ((1 << bits) - 1) == value]
        if flags & FLAG_ONE_SLOT:
            self._slot = None
            return self._answers([(t, _inventory_answer(t)) for t in self._round], end_ns, air.ANSWER_BYTES - 2)
        self._slot, self._mask_bits = 0, bits
        return self._answer_slot(end_ns)

    def _answer_slot(self, end_ns):
        mine = [t for t in self._round if t.number >> self._mask_bits & (air.SLOTS - 1) == self._slot]
        return self._answers([(t, _inventory_answer(t)) for t in mine], end_ns, air.ANSWER_BYTES - 2)

    def _answers(self, answers, end_ns, size):
        """Lay the (tag, bytes) `answers` over one another; `size` is what noise would look like."""
        noise = self.noisy or self._spilt_ns > end_ns + air.T1_NS
        late_ns = {tag: tag.late_ns for tag, _ in answers}
        if self.disturbance is not None:
            answers = [a for a in answers if not self.disturbance.misses()]
            noise = bool(answers) and self.disturbance.spoils() or noise
            late_ns = {tag: tag.late_ns or self.disturbance.delay_ns() for tag, _ in answers}
        answers = self._captured(answers)
        if not answers and not noise:
            self._heard = None
            self._wait(end_ns + air.EMPTY_SLOT_NS, "the time in which an answer may begin (t3) is not over")
            return None
        size = max((len(data) for _, data in answers), default=size)
        delays = {late_ns[tag] for tag, _ in answers} or {0}
        noise = noise or len(delays) > 1  # answers that are shifted against one another
        start_ns = end_ns + air.T1_NS + min(delays)
        numbers = [int.from_bytes(data, "little") for _, data in answers] or [0]
        differ = 0
        for number in numbers:
            differ |= number ^ numbers[0]
        heard = Reception(
            start_ns=start_ns,
            sof_ns=start_ns + air.SOF_NS,
            end_ns=start_ns + air.answer_ns(size + 2),
            data=numbers[0].to_bytes(size, "little"),
            tags=tuple(tag for tag, _ in answers),
            noise=noise,
            collision=(differ & -differ).bit_length() - 1 if differ and not noise else None,
            late=min(delays) > 0,
        )
        self._heard = heard
        if heard.late:
            self._wait(end_ns + air.EMPTY_SLOT_NS, "the time in which an answer may begin (t3) is not over")
        else:
            self._wait(heard.end_ns, "a tag is still answering")
        self._guard_ns = heard.end_ns + air.T2_NS
        return heard

    def _captured(self, answers):
        """The answers that the reader can tell are there: of a collision sometimes the strongest only."""
        if len(answers) < 2:
            return answers
        first, second = sorted(answers, key=lambda answer: -answer[0].strength)[:2]
        chance = self.disturbance.capture if self.disturbance is not None else 0
        if first[0].strength >= CAPTURE_RATIO * second[0].strength or chance and self.disturbance.happens(chance):
            return [first]
        return answers


def _inventory_answer(tag):
    return bytes((0, tag.dsfid)) + tag.uid


def _blocks(tag, first, count):
    """The answer to a read: flags byte and data, or the error flag and its code."""
    if first + count > BLOCKS:
        return bytes((ERROR_FLAG, NO_SUCH_BLOCK))
    return bytes(1) + bytes(tag.memory[first * BLOCK_BYTES : (first + count) * BLOCK_BYTES])
