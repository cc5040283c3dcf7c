"""Pack and sign the chip registry of a table: the file that firstcard.store.registry looks chips up in."""

import hashlib
import hmac
from collections.abc import Iterable

from firstcard.core.events import REVOKED, WORTHLESS, WRONG_HOUSE  # noqa: F401  the words are for who shows one
from firstcard.store.registry import HEAD, MAGIC, RECORD, TAG, drawer

MOST_CENTS = 2**28 - 1  # the four bits above say what is wrong with a chip
MOST_CHIPS = 2**16 - 1
FULL = 4  # chips in a drawer, on average
MOST_BITS = 13


def pack(pairs: Iterable[tuple[bytes, int]], key: bytes) -> bytes:
    """File content for (uid, cents) pairs, signed with `key`. uid: 8 bytes in the order of the air (least significant
    byte first). Instead of cents what is wrong with the chip: WRONG_HOUSE or REVOKED of core.events.

    Raises ValueError, naming the chip, for a UID of another length, one that occurs twice, or a value outside
    1..2**28-1; and for more chips than the file can number.
    """
    values: dict[bytes, int] = {}
    for uid, cents in pairs:
        uid = bytes(uid)
        if len(uid) != 8:
            raise ValueError(f"chip {uid.hex()}: a UID has 8 bytes, not {len(uid)}")
        if uid in values:
            raise ValueError(f"chip {uid.hex()} is listed twice")
        if isinstance(cents, bool) or not isinstance(cents, int) or not (
                0 < cents <= MOST_CENTS or cents in (WRONG_HOUSE, REVOKED)):
            raise ValueError(f"chip {uid.hex()}: value {cents!r} is not a number of cents from 1 to {MOST_CENTS}")
        values[uid] = cents
    if len(values) > MOST_CHIPS:
        raise ValueError(f"{len(values):,} chips: a registry holds at most {MOST_CHIPS:,}")
    bits = min(MOST_BITS, (len(values) // FULL).bit_length())
    drawers: list[list[bytes]] = [[] for _ in range(1 << bits)]
    for uid in sorted(values):
        drawers[drawer(uid, 0, bits)].append(uid)
    out = bytearray(MAGIC + bits.to_bytes(2, "little") + len(values).to_bytes(2, "little"))
    begun = 0
    for uids in [*drawers, []]:
        out += begun.to_bytes(2, "little")
        begun += len(uids)
    for uids in drawers:
        for uid in uids:
            value = values[uid]
            out += uid + (value if value > 0 else -value << 28).to_bytes(4, "little")
    return bytes(out) + hmac.digest(key, out, hashlib.sha256)


def unpack(data: bytes) -> list[tuple[bytes, int]]:
    """The (uid, cents) pairs of a packed registry, by UID. ValueError if it is none. Its signature is not looked at."""
    count = int.from_bytes(data[6:8], "little")
    first = HEAD + 2 * (1 << data[4]) + 2 if len(data) > HEAD and data[4] <= MOST_BITS else 0
    if data[:4] != MAGIC or len(data) != first + count * RECORD + TAG:
        raise ValueError("it is no chip registry, or is cut short")
    pairs = []
    for at in range(first, first + count * RECORD, RECORD):
        value = int.from_bytes(data[at + 8 : at + 12], "little")
        pairs.append((data[at : at + 8], -(value >> 28) if value >> 28 else value))
    return sorted(pairs)


def is_signed(data: bytes, key: bytes) -> bool:
    """Is this packed registry signed with `key`?"""
    return hmac.compare_digest(hmac.digest(key, data[:-TAG], hashlib.sha256), data[-TAG:])
