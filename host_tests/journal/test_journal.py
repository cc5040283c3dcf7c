"""The journal on the PC: golden bytes, tampering, what a hole card's record gives away, pulling and exporting."""

import csv
import hashlib
import hmac
import json
import random
import re
import sqlite3
import struct
import zlib
from pathlib import Path

import pytest
import typer

from firstcard.core.events import FIELDS
from firstcard.store.cbor import put
from firstcard.store.journal import FACTS, RECORD
from firstcard.store.log import FACT
from host_tests.sim.bench import KEY as TABLE_KEY
from host_tests.sim.bench import uid_of
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


def face_down(code, broken=None):
    """The records of a round whose hole card, `code`, has not been turned. `broken(keeper)` breaks the table."""
    day = Day()
    e = day.table.engine
    if broken:
        broken(e.keeper)
    day.run(100)
    e.open()
    day.do(place={"spot": 3, "zone": "main", "uids": [uid_of(2500, 0)]})
    day.run(1500)
    for one in ("TH", "KD", "9S", code):
        day.do(draw={"code": one})
        day.run(400)
    e.keeper.flush()
    return records.from_dump(bytes(day.blocks.data))


def commitment_of(found):
    """(place of the record with the face-down card, its commitment)."""
    for n, record in enumerate(found):
        for fact in record.facts:
            if fact.name == "card" and fact.values["code"] == "**":
                return n, fact.values["commitment"]
    raise AssertionError("no card lies face down")


def known_keys(found):
    """Whatever somebody who has the journal, and even the table's keys, may try instead of the salt."""
    keys = [b"", bytes(16), bytes(32)]
    for key in (bytes.fromhex(KEY), bytes.fromhex(TABLE_KEY)):
        keys += [key, key[:16], key[16:]]
    for record in found:
        keys += [record.chain, record.hash, record.hash[:16], record.raw[:16], record.raw[4:8], record.raw[8:16]]
        keys += [one for fact in record.facts for one in fact.values.values() if isinstance(one, bytes)]
    return list(dict.fromkeys(keys))


def with_code(raw, code):
    """A record as it would be if the card were written openly, without its sum: with the commitment and without."""
    own = bytes((0x60 + len(code),)) + code.encode()
    buf = bytearray(4)
    hidden = bytes(buf[:put(buf, 0, "**")])
    for bare in (raw[:124], raw[:124].replace(bytes(commitment_of([records.Record(raw)])[1]), b"")):
        yield bare.replace(hidden, own)


def betrayed(found):
    """Which of the 52 cards some record, hash or sum lets an outsider single out: each is tried in every way."""
    n, commitment = commitment_of(found)
    raw = b"".join(record.raw for record in found)
    sums = {record.raw[124:] for record in found} | {record.chain[at:at + 4] for record in found for at in (0, 4, 8)}
    shown = {fact.values["code"] for record in found for fact in record.facts if fact.name == "card"}
    out = []
    for code in CODES:
        digests = [digest for key in known_keys(found) for digest in (
            hmac.new(key, code.encode(), hashlib.sha256).digest(), hashlib.sha256(key + code.encode()).digest(),
            hashlib.sha256(code.encode() + key).digest(), hmac.new(code.encode(), key, hashlib.sha256).digest())]
        tried = [zlib.crc32(code.encode()).to_bytes(4, "little")]
        for bare in with_code(found[n].raw, code):
            digests.append(hashlib.sha256(bare).digest())
            tried.append(zlib.crc32(bare).to_bytes(4, "little"))
        bare = code not in shown and code.encode() in raw
        if bare or sums & set(tried) or any(digest[:8] in raw for digest in digests):
            out.append(code)
    return out


def test_the_hole_card_cannot_be_had_from_the_journal_before_it_is_turned():
    """52 rounds that differ in the hole card alone, each tried with all 52: no record, hash or sum tells one of them,
    also to somebody who has the journal's key. The records differ in nothing but the commitment and what is computed
    over it, and that is another one for the same card every time.
    """
    rounds = {code: face_down(code) for code in CODES}
    n, _ = commitment_of(rounds["2S"])
    shapes = set()
    for found in rounds.values():
        own, commitment = commitment_of(found)
        assert own == n and "reveal" not in {fact.name for record in found for fact in record.facts}
        assert betrayed(found) == []
        shapes.add(tuple(record.raw[:20] + record.raw[32:124].replace(commitment, b"?") for record in found))
    assert len(shapes) == 1, "something but the commitment depends on the card"
    before = {tuple(record.raw for record in found[:n]) for found in rounds.values()}
    assert len(before) == 1, "a record from before the card depends on it"
    assert len({commitment_of(found)[1] for found in rounds.values()}) == 52


LEAKS = {
    "no salt": lambda keeper: setattr(keeper.engine.ports, "random", lambda n: bytes(n)),
    "the table's key for a salt": lambda keeper: setattr(
        keeper.engine.ports, "random", lambda n: bytes.fromhex(TABLE_KEY)[:n]),
    "the card in the clear": lambda keeper: setattr(
        keeper, "_card", lambda effect: keeper._append(FACT + FACTS["card"], (*effect[1:4], b"\x08" + b"8D" * 8))),
}


@pytest.mark.parametrize("leak", LEAKS)
def test_a_leak_is_found(leak):
    assert betrayed(face_down("8D", LEAKS[leak])) == ["8D"]


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
    assert "this PC has seen" in verdict.wrong and "pit journal forget" in verdict.meaning
    assert files.forget_head("1") and not files.forget_head("1"), "a new board, put there on purpose"
    assert pull.pull_and_prove(FakeBoard(GOLDEN[:-3 * RECORD]), tmp_path / "b", "1", KEY).ok


def test_a_record_with_a_right_check_sum_that_no_board_has_written(tmp_path, capsys):
    """Whatever stands in it: print and export end in a sentence, verify names the record."""
    from pit.journal import cli

    path = tmp_path / "forged.journal"
    for seed in range(300):
        chance = random.Random(seed)
        record = bytearray(GOLDEN[:RECORD])
        for _ in range(chance.choice((1, 3, 20))):
            record[chance.randrange(32, 124)] = chance.randrange(256)
        record[124:] = struct.pack("<I", zlib.crc32(bytes(record[:124])))
        path.write_bytes(record + GOLDEN[RECORD:])
        for call in (lambda: cli.show(path), lambda: cli.export(path, tmp_path / "x.csv")):
            try:
                call()
            except PitError as error:
                assert "pit journal verify says more" in str(error)
        with pytest.raises(typer.Exit) as end:
            cli.verify(path)
        assert end.value.exit_code == 1 or path.read_bytes() == GOLDEN


def test_exports(tmp_path):
    found = records.from_file(GOLDEN)
    export.to_csv(found, tmp_path / "x.csv")
    export.to_sqlite(found, tmp_path / "x.db")
    with open(tmp_path / "x.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    count = sqlite3.connect(tmp_path / "x.db").execute("SELECT count(*) FROM facts").fetchone()[0]
    assert len(rows) == count == len(list(export.rows(found))) and rows[0]["fact"] == "boot"
