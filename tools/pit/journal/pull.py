"""Reads the journal of a board out: resumable, with progress, and verified before anything is released."""

import base64
import binascii
import os
import secrets
from pathlib import Path

from pit.errors import PitError, TableError
from pit.journal import files
from pit.journal.records import BadRecord, from_file, record
from pit.journal.verify import Head, verify


def fields(text):
    """`a=1 b=x` as a dict."""
    return dict(word.split("=", 1) for word in text.split() if "=" in word)


def pull(ask, path, progress=lambda done, total: None):
    """Append to `path` what the board has and the file has not. `ask(line)` -> (values behind OK, PROGRESS lines).

    Returns how many records came. A file that does not belong to this board's journal is an error."""
    path = Path(path)
    have = from_file(path.read_bytes()) if path.exists() else []
    while have and isinstance(have[-1], BadRecord):  # the last pull was broken off in the middle of a record
        have.pop()
    if any(isinstance(one, BadRecord) for one in have):
        raise PitError(f"{path} is damaged: verify it, and pull into another file")
    if path.exists():
        os.truncate(path, 128 * len(have))
    about = fields(ask("journal")[0])
    first, last = int(about["first"]), int(about["last"])
    at = have[-1].seq + 1 if have else first
    if at < first:
        raise PitError(f"{path} ends at {at - 1}, the board begins at {first}: pull into another file")
    came, before = 0, have[-1] if have else None
    with open(path, "ab") as file:
        while at <= last:
            _, lines = ask(f"journal from {at}")
            rows = [line.split() for line in lines if "record" in line.split()[:2]]
            if not rows:
                raise TableError(f"the board does not give record {at}, though it has {first} to {last}")
            for words in rows:
                one = _one(words[-1], at)
                if before and one.seq == before.seq + 1 and any(one.chain) and one.chain != before.hash[:12]:
                    raise PitError(f"record {one.seq} of the board does not follow what {path} holds: the journal is "
                                   "another one, or was put back; pull into another file and verify both")
                file.write(one.raw)
                before, at, came = one, at + 1, came + 1
                progress(at - first, last - first + 1)
        file.flush()
        os.fsync(file.fileno())
    return came


def _one(text, seq):
    try:
        one = record(base64.b64decode(text, validate=True))
    except (binascii.Error, BadRecord) as error:
        raise TableError(f"record {seq} came damaged ({error}): pull again, it goes on where it stopped")
    if one.seq != seq:
        raise TableError(f"record {one.seq} came instead of {seq}: pull again")
    return one


def take_head(ask):
    """The board's Head over a fresh nonce."""
    nonce = secrets.token_hex(16)
    found = fields(ask(f"journal head {nonce}")[0])
    return Head(int(found["first"]), int(found["seq"]), found["hash"], nonce, found["hmac"])


def pull_and_prove(ask, path, table, key, release=False, progress=lambda done, total: None):
    """Pull, take the head, verify against it and against the one seen last; then remember it. Returns the Verdict.

    `release`: allow the board to erase what is safe here now (only if all is well)."""
    pull(ask, path, progress)
    head = take_head(ask)
    while True:  # it goes on writing: until file and head meet
        pull(ask, path, progress)
        records = from_file(Path(path).read_bytes())
        if not records or records[-1].seq <= head.seq:
            break
        head = take_head(ask)
    verdict = verify(records, head, key, files.kept_head(table))
    files.write_head(path, head)
    if verdict.ok:
        files.keep_head(table, head)
        if release and records:
            ask(f"journal release {records[-1].seq} {records[-1].hash[:12].hex()}")
    return verdict
