"""A journal for people (lines), for spreadsheets (CSV) and for questions (SQLite)."""

import csv
import json
import sqlite3
from datetime import datetime, timedelta

from pit.errors import PitError

COLUMNS = ("seq", "boot", "ms", "time", "fact", "round", "spot", "hand", "amount", "values")
_AMOUNTS = ("stake", "amount", "value", "by")
_EPOCH = datetime(2000, 1, 1)


def plain(value):
    """A value that JSON can hold: bytes as hex."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    return value


def rows(records):
    """Dicts with COLUMNS, one a fact. `round` is that of the last lock."""
    number = None
    for record in records:
        for fact in record.facts:
            values = {name: plain(value) for name, value in fact.values.items()}
            if "round" in values and fact.name in ("lock", "round", "state"):
                number = values["round"]
            when = _EPOCH + timedelta(seconds=record.wall, milliseconds=fact.ms) if record.wall else None
            amount = next((values[name] for name in _AMOUNTS if isinstance(values.get(name), int)), None)
            yield {"seq": record.seq, "boot": record.boot, "ms": fact.ms, "fact": fact.name, "round": number,
                   "time": when.isoformat(timespec="milliseconds") if when else None,
                   "spot": values.get("spot"), "hand": values.get("hand"), "amount": amount, "values": values}


def line(row):
    """A row for people."""
    when = row["time"] or f"boot {row['boot']} {row['ms'] / 1000:10.3f}"
    said = " ".join(f"{name}={value}" for name, value in row["values"].items())
    return f"{row['seq']:6} {when}  {row['fact']:<18} {said}"


def save(way, records, path):
    """Write with to_csv or to_sqlite. PitError where that cannot be."""
    try:
        way(records, path)
    except (OSError, sqlite3.Error) as error:
        raise PitError(f"{path} cannot be written ({getattr(error, 'strerror', None) or error}): give another name")


def to_csv(records, path):
    with open(path, "w", newline="", encoding="utf-8") as file:
        out = csv.DictWriter(file, COLUMNS)
        out.writeheader()
        for row in rows(records):
            out.writerow({**row, "values": json.dumps(row["values"])})


def to_sqlite(records, path):
    """Tables `records` (seq, boot, ms, wall, hash, raw) and `facts` (COLUMNS; `values` is JSON, named `data`)."""
    with sqlite3.connect(path) as base:
        base.executescript("DROP TABLE IF EXISTS records; DROP TABLE IF EXISTS facts;"
                           "CREATE TABLE records (seq INTEGER PRIMARY KEY, boot, ms, wall, hash TEXT, raw BLOB);"
                           "CREATE TABLE facts (seq, boot, ms, time, fact, round, spot, hand, amount, data)")
        base.executemany("INSERT INTO records VALUES (?, ?, ?, ?, ?, ?)",
                         ((r.seq, r.boot, r.ms, r.wall, r.hash.hex(), r.raw) for r in records))
        base.executemany("INSERT INTO facts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                         ((*(row[name] for name in COLUMNS[:-1]), json.dumps(row["values"])) for row in rows(records)))
    base.close()
