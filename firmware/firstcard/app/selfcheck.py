"""Self-check: what a table looks at once after its start, while it runs: the files of its program, a block at a time,
and its clock chip.

The file MANIFEST beside the modules has a line `<SHA-256> <path>` for each of them.
"""

import hashlib

from firstcard.proto.login import to_hex

MANIFEST = "manifest.txt"
BLOCK = 2048  # bytes in one turn
CHECKING, OK, UNKNOWN = "checking", "ok", "unknown"  # UNKNOWN: without a manifest, as files copied by hand are


def look():
    """Yields (build, state) after each turn: the first 8 digits of the manifest's own hash; CHECKING, and at the end
    OK, UNKNOWN or the path of a file that is not as it was built."""
    try:
        with open(MANIFEST, "rb") as file:
            rows = file.read()
    except OSError:
        yield "-", UNKNOWN
        return
    build = to_hex(hashlib.sha256(rows).digest()[:4])
    buf = memoryview(bytearray(BLOCK))
    for row in str(rows, "ascii").split("\n"):
        due, _, path = row.partition(" ")
        if not path:
            continue
        digest = hashlib.sha256()
        try:
            with open(path, "rb") as file:
                while True:
                    n = file.readinto(buf)
                    if not n:
                        break
                    digest.update(buf[:n])
                    yield build, CHECKING
        except OSError:
            due = ""
        if to_hex(digest.digest()) != due:
            yield build, path
            return
    yield build, OK


def recall(engine):
    """The time of day from the clock chip, for the records from here on; nobody has to set it again."""
    seconds, keeper = engine.ports.wall(), engine.keeper
    if keeper and not keeper.wall and seconds and seconds > 0:
        keeper.note("time", seconds - engine.ports.ms() // 1000, "clock-chip")
