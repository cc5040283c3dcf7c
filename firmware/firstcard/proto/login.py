"""What a login needs: HMAC-SHA256, hexadecimal text, a stretched PIN, a comparison that takes the same time whatever
differs."""

import hashlib
from binascii import hexlify, unhexlify

BLOCK = 64  # of SHA-256, bytes
ROUNDS = 2000  # of stretching a PIN: half a second of a board's time


def hmac_sha256(key, message):
    """HMAC-SHA256 (RFC 2104) of bytes; 32 bytes. MicroPython has no `hmac` module and no copy() of a begun hash."""
    inner, outer = begun(key)
    inner.update(message)
    outer.update(inner.digest())
    return outer.digest()


def begun(key):
    """The two hashes of an HMAC: the inner one takes the message, the outer one its digest."""
    if len(key) > BLOCK:
        key = hashlib.sha256(key).digest()
    return hashlib.sha256(_pad(key, 0x36)), hashlib.sha256(_pad(key, 0x5C))


def _pad(key, mask):
    pad = bytearray(bytes((mask,)) * BLOCK)
    for place in range(len(key)):
        pad[place] ^= key[place]
    return pad


def to_hex(data):
    """Lower-case hexadecimal text of bytes."""
    return hexlify(data).decode()


def from_hex(text):
    """Bytes of hexadecimal text of either case, or None if it is none."""
    if len(text) & 1:
        return None
    for letter in text:
        if letter not in "0123456789abcdefABCDEF":
            return None
    return unhexlify(text)


def same(a, b):
    """True if two byte strings are equal; how long it takes depends on their length only."""
    if len(a) != len(b):
        return False
    differs = 0
    for place in range(len(a)):
        differs |= a[place] ^ b[place]
    return differs == 0


def stretch(digest, salted, rounds):
    """Go on stretching a PIN: from b"" in ROUNDS rounds, `salted` being salt and PIN; 32 bytes.

    What it buys: who reads a board's flash needs ROUNDS hashes for each guess. A PIN of 6 digits is still found by a PC
    in minutes; against that only a longer PIN helps.
    """
    for _ in range(rounds):
        digest = hashlib.sha256(digest + salted).digest()
    return digest
