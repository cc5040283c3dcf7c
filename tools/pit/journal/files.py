"""Where pulled journals are kept: FILE with the records, FILE.head with the board's head, and the heads seen last."""

import json
import os
from dataclasses import asdict
from pathlib import Path

from pit.errors import PitError
from pit.journal.verify import Head

VARIABLE = "FIRSTCARD_HEADS"


def heads_path():
    """Where the last heads lie: $FIRSTCARD_HEADS, or ~/.config/firstcard/heads.json."""
    return Path(os.environ.get(VARIABLE) or Path.home() / ".config" / "firstcard" / "heads.json")


def _heads():
    path = heads_path()
    try:
        return json.loads(path.read_text()) if path.exists() else {}
    except (OSError, ValueError) as error:
        raise PitError(f"{path} cannot be read ({error}): it holds what this PC has seen of each table; restore it")


def kept_head(table):
    """The Head that was seen last of a table, or None."""
    row = _heads().get(table)
    return Head(**row) if row else None


def keep_head(table, head):
    """Remember the head of a table; whole or not at all."""
    rows = {**_heads(), table: asdict(head)}
    path = heads_path()
    path.parent.mkdir(parents=True, exist_ok=True)
    replace(path, json.dumps(rows, indent=1).encode())


def forget_head(table):
    """Remember nothing of a table any more; False if nothing was."""
    rows = _heads()
    if table not in rows:
        return False
    del rows[table]
    replace(heads_path(), json.dumps(rows, indent=1).encode())
    return True


def replace(path, data):
    """Write a file so that it is the old or the new one, whatever happens."""
    part = path.with_name(path.name + ".part")
    with open(part, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)


def head_of(path):
    """The Head beside a pulled file, or None. Raises PitError."""
    beside = Path(f"{path}.head")
    if not beside.exists():
        return None
    try:
        return Head(**json.loads(beside.read_text()))
    except (ValueError, TypeError) as error:
        raise PitError(f"{beside} is no head of a journal ({error}): pull it again")


def write_head(path, head):
    replace(Path(f"{path}.head"), json.dumps(asdict(head)).encode())
