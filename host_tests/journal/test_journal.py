"""The journal on the PC: golden bytes, tampering, what a hole card's record gives away, pulling and exporting."""

import csv
import hashlib
import hmac
import json
import random
import re
import sqlite3
from pathlib import Path

import pytest

from firstcard.core.events import FIELDS
from firstcard.store.journal import FACTS, RECORD
from host_tests.sim.test_restart import Day
from pit import ROOT
from pit.errors import PitError
from pit.journal import export, files, pull, records
from pit.journal.verify import Head, verify

HERE = Path(__file__).parent
GOLDEN = (HERE / "golden.journal").read_bytes()
KEY = "4a" * 32
CODES = [rank + suit for rank in "23456789TJQKA" for suit in "SHDC"]


def head_over(data, nonce="00" * 16):
    """What the board of the golden file would say."""
    last = records.from_file(data)[-1]
    said = b"%d %d " % (1, last.seq) + last.hash
    proof = hmac.new(bytes.fromhex(KEY), b"head " + bytes.fromhex(nonce) + said, hashlib.sha256).hexdigest()
    return Head(1, last.seq, last.hash.hex(), nonce, proof)


HEAD = head_over(GOLDEN)


def test_the_golden_file_says_what_it_always_said():
    rows = list(export.rows(records.from_file(GOLDEN)))
    assert rows == [json.loads(line) for line in (HERE / "golden.jsonl").read_text().splitlines()]
    verdict = verify(records.from_file(GOLDEN), HEAD, KEY, HEAD)
    assert verdict.ok and not verdict.notes and verdict.first == 1


def test_the_document_lists_every_fact_with_its_values():
    text = (ROOT / "firmware" / "JOURNAL.md").read_text()
    told = dict(re.findall(r"^\| (\d+) \| `([a-z-]+)` \|", text, re.M))
    assert told == {str(number): name for name, number in FACTS.items()}
    for name in FACTS:
        if name != "lock":
            names = records.OWN_FIELDS.get(name) or FIELDS[name]
            assert f"| `{name}` | {', '.join(names)} |" in text, name


def tampered(rnd):
    """(what was done, the file after it)."""
    data = bytearray(GOLDEN)
    n = len(data) // RECORD
    rows = [bytes(data[i * RECORD:(i + 1) * RECORD]) for i in range(n)]
    deed = rnd.choice(["edit", "edit and sum", "drop", "swap", "double", "cut", "append", "anew"])
    i = rnd.randrange(n)
    if deed == "edit":
        data[rnd.randrange(len(data))] ^= 1 << rnd.randrange(8)
        return deed, bytes(data)
    if deed == "edit and sum":
        rows[i] = forged(rows[i], rnd, rows[i][20:32])
    elif deed == "drop":
        del rows[i]
    elif deed == "swap":
        j = (i + 1 + rnd.randrange(n - 1)) % n
        rows[i], rows[j] = rows[j], rows[i]
    elif deed == "double":
        rows.insert(i, rows[i])
    elif deed == "cut":
        rows = rows[:i]
    elif deed == "append":
        rows.append(forged(rows[-1], rnd, hashlib.sha256(rows[-1]).digest()[:12], 1))
    else:  # one record edited, all later ones with a new chain
        rows[i] = forged(rows[i], rnd, rows[i][20:32])
        for k in range(i + 1, n):
            rows[k] = summed(rows[k][:20] + hashlib.sha256(rows[k - 1]).digest()[:12] + rows[k][32:124])
    return deed, b"".join(rows)


def summed(body):
    import zlib

    return body + zlib.crc32(body).to_bytes(4, "little")


def forged(raw, rnd, chain, more=0):
    body = bytearray(raw[:124])
    body[4] += more
    body[20:32] = chain
    body[12] ^= 1 + rnd.randrange(200)  # another time of day
    return summed(bytes(body))


def test_a_thousand_tamperings_are_all_found():
    rnd = random.Random(6)
    deeds = {}
    for _ in range(1000):
        deed, data = tampered(rnd)
        verdict = verify(records.from_file(data), HEAD, KEY)
        assert not verdict.ok, deed
        assert verdict.meaning and (verdict.seq or deed == "edit"), deed
        deeds[deed] = deeds.get(deed, 0) + 1
    assert len(deeds) == 8


def test_what_the_chain_alone_cannot_show_and_says_so():
    data = GOLDEN[:-2 * RECORD]
    verdict = verify(records.from_file(data))
    assert verdict.ok and any("no head" in note for note in verdict.notes)
    assert not verify(records.from_file(data), kept=HEAD).ok, "a board that was put back"


def test_a_forged_head_is_found():
    other = Head(HEAD.first, HEAD.seq, HEAD.hash, HEAD.nonce, "00" * 32)
    assert "not said by this table" in verify(records.from_file(GOLDEN), other, KEY).wrong


def test_the_hole_card_cannot_be_had_from_the_journal_before_it_is_turned():
    """Everything that is written before the reveal, tried against all 52 cards without the salt."""
    day = Day()
    from firstcard.core import machine as m

    e = day.table.engine
    day.run(100)
    e.open()
    day.do(place={"spot": 3, "zone": "main", "uids": ["e00401002" + "%07x" % 1]})
    day.run(1500)
    for code in ("TH", "KD", "9S", "7D"):
        day.do(draw={"code": code})
        day.run(400)
    e.keeper.flush()
    found = records.from_dump(bytes(day.blocks.data))
    cards = [fact.values for record in found for fact in record.facts if fact.name == "card"]
    assert cards and "reveal" not in {fact.name for record in found for fact in record.facts}
    raw = b"".join(record.raw for record in found)
    for code in CODES:
        for keyed in (b"", b"\0" * 16):
            tried = hmac.new(keyed, code.encode(), hashlib.sha256).digest()[:8]
            assert tried not in raw and hashlib.sha256(code.encode()).digest()[:8] not in raw
    e.step(m.VOID)


class FakeBoard:
    """Answers the journal's commands from a golden file."""

    def __init__(self, data=GOLDEN, stop_at=None):
        self.rows = [data[i:i + RECORD] for i in range(0, len(data), RECORD)]
        self.stop_at = stop_at
        self.released = None

    def __call__(self, line):
        import base64

        words = line.split()
        n = len(self.rows)
        if line == "journal":
            return f"first=1 last={n} released=0 room=9", []
        if words[1] == "from":
            at = int(words[2])
            if self.stop_at and at >= self.stop_at:
                raise PitError("the cable is out")
            out = [f"PROGRESS record {k} {base64.b64encode(self.rows[k - 1]).decode()}"
                   for k in range(at, min(at + 3, n + 1))]
            return f"next={at + len(out)} last={n}", out
        if words[1] == "head":
            head = head_over(b"".join(self.rows), words[2])
            return f"first=1 seq={head.seq} hash={head.hash} hmac={head.hmac}", []
        self.released = words[2:]
        return "released=1", []


@pytest.fixture
def own_heads(tmp_path, monkeypatch):
    monkeypatch.setenv(files.VARIABLE, str(tmp_path / "heads.json"))


def test_a_pull_goes_on_where_it_was_broken_off(tmp_path, own_heads):
    path = tmp_path / "t.journal"
    with pytest.raises(PitError, match="cable"):
        pull.pull(FakeBoard(stop_at=4), path)
    assert path.stat().st_size == 3 * RECORD
    path.write_bytes(path.read_bytes() + b"J\x01half a record")
    board = FakeBoard()
    verdict = pull.pull_and_prove(board, path, "1", KEY, release=True)
    assert verdict.ok and path.read_bytes() == GOLDEN and board.released[0] == str(len(GOLDEN) // RECORD)
    assert files.kept_head("1").seq == verdict.last == files.head_of(path).seq


def test_a_board_that_was_put_back_is_found(tmp_path, own_heads):
    assert pull.pull_and_prove(FakeBoard(), tmp_path / "a", "1", KEY).ok
    verdict = pull.pull_and_prove(FakeBoard(GOLDEN[:-3 * RECORD]), tmp_path / "b", "1", KEY)
    assert "this PC has seen" in verdict.wrong


def test_exports(tmp_path):
    found = records.from_file(GOLDEN)
    export.to_csv(found, tmp_path / "x.csv")
    export.to_sqlite(found, tmp_path / "x.db")
    with open(tmp_path / "x.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    count = sqlite3.connect(tmp_path / "x.db").execute("SELECT count(*) FROM facts").fetchone()[0]
    assert len(rows) == count == len(list(export.rows(found))) and rows[0]["fact"] == "boot"
