"""Air times of ISO 15693 at the high data rate, and the least time that reading a set of tags costs.

Requests 1-out-of-4, answers on one subcarrier. Whole nanoseconds, so that sums are exact. Request, answer and bit times
follow the PN5180 data sheet (tables 64 and 65); t1 and t2 are those of ISO 15693-3.
"""

T1_NS = 320_900  # end of the reader's EOF -> first bit of an answer
T2_NS = 309_000  # end of an answer -> the reader may send again
SOF_NS = 151_000  # start of frame of an answer
EOF_NS = 37_800  # the reader's lone EOF that opens the next slot
BYTE_NS = 302_000  # one byte, either direction
INVENTORY_BYTES = 3  # flags, command, mask length: the shortest request, two CRC bytes apart
INVENTORY_NS = 1_620_000  # that request with SOF, CRC and EOF
ANSWER_BYTES = 12  # flags, DSFID, UID, CRC
ANSWER_NS = 3_930_000  # that answer with SOF and EOF
POWER_UP_NS = 1_000_000  # field on -> a tag listens
EMPTY_SLOT_NS = T1_NS + SOF_NS  # no SOF by now: nobody answers in this slot
SLOTS = 16


def request_ns(size):
    """Nanoseconds on the air of a request of `size` bytes, its CRC not counted (the chip appends it)."""
    return INVENTORY_NS + (size - INVENTORY_BYTES) * BYTE_NS


def answer_ns(size):
    """Nanoseconds on the air of an answer of `size` bytes, its two CRC bytes counted."""
    return ANSWER_NS + (size - ANSWER_BYTES) * BYTE_NS


def inventory_us(uids):
    """Air time in us of reading `uids` by 16-slot rounds that split every collided slot by four more mask bits.

    `uids`: 8-byte UIDs, least significant byte first. Equal UIDs answer as one tag. The time after the last answer (t2)
    is counted, the field's power-up is not.
    """
    numbers = {int.from_bytes(uid, "little") for uid in uids}
    total_ns = 0
    rounds = [(0, 0)]  # mask value, mask length in bits
    while rounds:
        mask, bits = rounds.pop()
        total_ns += request_ns(INVENTORY_BYTES + (bits + 7) // 8) + (SLOTS - 1) * EOF_NS
        heard = [n for n in numbers if n & ((1 << bits) - 1) == mask]
        for slot in range(SLOTS):
            count = sum(1 for n in heard if n >> bits & (SLOTS - 1) == slot)
            total_ns += T1_NS + ANSWER_NS + T2_NS if count else EMPTY_SLOT_NS
            if count > 1:
                rounds.append((mask | slot << bits, bits + 4))
    return total_ns / 1000


def air_limit_us(uids):
    """The least air time in us for reading this set from a dark field: the yardstick of the benchmarks.

    One millisecond of field, then for none or one tag a one-slot probe, for more of them 16-slot rounds.
    """
    if len(set(uids)) > 1:
        return POWER_UP_NS / 1000 + inventory_us(uids)
    heard_ns = T1_NS + ANSWER_NS + T2_NS if uids else EMPTY_SLOT_NS
    return (POWER_UP_NS + INVENTORY_NS + heard_ns) / 1000
