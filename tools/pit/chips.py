"""The chips of a scenario: UIDs that repeat exactly, what lies where, and the registry that knows their values."""

HEAD = bytes.fromhex("e0040100")  # ISO 15693, maker 04, tag type 01 (ICODE)
_MASK = 0xFFFFFFFF


def nth_uid(n):
    """UID (hex, order of the air) of a scenario's n-th chip; n from 0.

    The counter is stirred, one to one, so that UIDs are spread over the anticollision slots as real ones are, and
    yet the same file always gives the same chips.
    """
    x = (n + 1) & _MASK
    x = ((x ^ (x >> 16)) * 0x45D9F3B) & _MASK
    x = ((x ^ (x >> 16)) * 0x45D9F3B) & _MASK
    x ^= x >> 16
    return (HEAD + x.to_bytes(4, "big"))[::-1].hex()


def nth_name(n):
    """What the firmware calls the n-th chip of a scenario with ISO 14443A: a UID of 7 or 4 bytes, and zeros."""
    stirred = bytes.fromhex(nth_uid(n))[:4]
    return (stirred + bytes(4) if n % 3 == 2 else b"\x04" + stirred + b"\x01\x80\x00").hex()


def to_name(printed):
    """The same for a UID as printed (8 or 14 hex digits); ValueError if it is none."""
    raw = bytes.fromhex(printed)
    if len(raw) not in (4, 7):
        raise ValueError("8 or 14 hex digits")
    return (raw + bytes(8 - len(raw))).hex()


def to_air(printed):
    """UID as printed on a chip (16 hex digits, E0 first) in the order of the air; ValueError if it is none."""
    raw = bytes.fromhex(printed)
    if len(raw) != 8 or raw[0] != 0xE0:
        raise ValueError("16 hex digits that start with E0")
    return raw[::-1].hex()


class ChipBox:
    """Hands out chips and knows what lies on every zone while a file is read. `reader`: kind of the board's."""

    def __init__(self, reader="pn5180"):
        near = reader == "mfrc522"
        self._nth = nth_name if near else nth_uid
        self.named, self.shape = (to_name, "8 or 14 hex digits") if near else (to_air, "16 hex digits")
        self.registry = {}  # uid -> cents, in the order of the file
        self._made = 0
        self._lying = {}  # (spot, zone) -> [uid, ...], the last one placed last

    def _new(self):
        uid = self._nth(self._made)
        self._made += 1
        return uid

    def place(self, spot, zone, values, uids):
        """UIDs laid on a zone. `values`: cents, or None for an unknown chip; `uids`: given ones; either may be None."""
        if uids is None:
            uids = [self._new() for _ in values]
        for uid, value in zip(uids, values or ()):
            if value is not None:
                self.registry[uid] = value
        self._lying.setdefault((spot, zone), []).extend(uids)
        return list(uids)

    def conflict(self, uid, value):
        """The value that a given UID already has, if it is another one, else None."""
        known = self.registry.get(uid)
        return known if known is not None and known != value else None

    def lying(self, spot, zone):
        """Values on a zone (None = unknown chip), in the order in which they came."""
        return [self.registry.get(uid) for uid in self._lying.get((spot, zone), ())]

    def take(self, spot, zone, value):
        """Take the chip of this value that was laid last; its UID, or None if none lies there."""
        pile = self._lying.get((spot, zone), [])
        for uid in reversed(pile):
            if self.registry.get(uid) == value:
                pile.remove(uid)
                return uid
        return None

    def take_uid(self, spot, zone, uid):
        """Take this very chip; False if it does not lie there."""
        pile = self._lying.get((spot, zone), [])
        if uid not in pile:
            return False
        pile.remove(uid)
        return True

    def clear(self, spot, zone):
        """Take everything from a zone."""
        self._lying.pop((spot, zone), None)
