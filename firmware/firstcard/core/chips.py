"""Sets of chips: `bytes`, 8 a chip in the order of the air, sorted, so that equal sets are equal bytes."""


def sort_uids(uids):
    """The chip set of an inventory."""
    if len(uids) <= 8:
        return bytes(uids)
    return b"".join(sorted([bytes(uids[i : i + 8]) for i in range(0, len(uids), 8)]))


def holds(uids, uid):
    """Is this chip one of the set?"""
    at = uids.find(uid)
    while at > 0 and at & 7:  # the end of one chip and the beginning of the next
        at = uids.find(uid, at + 1)
    return at >= 0


def without(a, b):
    """The chips of `a` that are not in `b`."""
    if not b:
        return a
    if not a or a == b:
        return b""
    return b"".join([a[i : i + 8] for i in range(0, len(a), 8) if not holds(b, a[i : i + 8])])
