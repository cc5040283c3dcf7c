"""Pack the chip registry: pairs of UID and value become the sorted records that firstcard.store.registry looks up."""

from collections.abc import Iterable

MOST_CENTS = 2**30 - 1  # the board's small ints


def pack(pairs: Iterable[tuple[bytes, int]]) -> bytes:
    """File content for (uid, cents) pairs. uid: 8 bytes in the order of the air (least significant byte first).

    Raises ValueError, naming the chip, for a UID of another length, one that occurs twice, or a value outside
    1..2**30-1.
    """
    values: dict[bytes, int] = {}
    for uid, cents in pairs:
        uid = bytes(uid)
        if len(uid) != 8:
            raise ValueError(f"chip {uid.hex()}: a UID has 8 bytes, not {len(uid)}")
        if uid in values:
            raise ValueError(f"chip {uid.hex()} is listed twice")
        if isinstance(cents, bool) or not isinstance(cents, int) or not 0 < cents <= MOST_CENTS:
            raise ValueError(f"chip {uid.hex()}: value {cents!r} is not a number of cents from 1 to {MOST_CENTS}")
        values[uid] = cents
    return b"".join(uid + values[uid].to_bytes(4, "little") for uid in sorted(values))


def unpack(data: bytes) -> list[tuple[bytes, int]]:
    """The (uid, cents) pairs of a packed registry, in its order."""
    if len(data) % 12:
        raise ValueError("registry is cut short: its length is no multiple of 12")
    return [(data[at : at + 8], int.from_bytes(data[at + 8 : at + 12], "little")) for at in range(0, len(data), 12)]
