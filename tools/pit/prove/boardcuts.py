"""Power cuts on the emulated board: a short day, cut in each operation of flash and FRAM, and at instants in between.

The day is walked through in slices; where one has operations, forks of it go on into the cut. What is left of FRAM and
flash is then put under a second board that has been powered up to its first look at the FRAM. All that it has done so
far does not depend on the journal or the FRAM, so it is the board that would start from this flash
(`host_tests/proofs/test_cuts.py` holds it against a real power-up), without the half second of importing modules.
"""

import random
import re
from array import array

from pit import build, chips, firmware, image, keys
from pit.emu import snapshot
from pit.emu.flash import PowerCut
from pit.emu.table import Table
from pit.emu.tagfield import Tag
from pit.runner import BENCH_KEY
from pit.sim.cuts import facts_wrong, told_fact

SLICE_MS = 10
LAST_US = 60_000  # an operation that begins in a slice has ended by then
FLASH, FRAM, INSTANT = "flash operation", "FRAM write", "instant"
HARMLESS = ("shoe-lost",)  # what a table names that has just been powered up
VALUES = (2500, 500, 1000, 1000, 2500)


def uid(n):
    return bytes.fromhex(chips.nth_uid(n))


CHIPS = [(uid(n), value) for n, value in enumerate(VALUES)]
# What happens, one after the other: (what, ...) and how long it is left alone, ms
DAY = (
    (50, "line", "open"),
    (0, "place", 3, "main", (0, 1)),
    (1500, "place", 5, "main", (2,)),
    (400, "draw", "TH"),
    (400, "draw", "KD"),
    (2000, "place", 3, "main", (4,)),  # too late
    (300, "line", "ack 1"),
    (0, "remove", 3, "main", (4,)),
    (400, "draw", "AS"),
    (400, "draw", "9S"),
    (400, "draw", "9C"),
    (700, "draw", "7D"),
    (1200, "place", 5, "line", (1,)),
    (900, "line", "key insurance-closed"),
    (100, "line", "limits set 10 200"),
    (100, "line", "key stand"),
    (100, "line", "key stand"),
    (300, "line", "key reveal"),
    (500, "line", "key settled"),
    (300, "line", "close"),
    (900, "line", "journal release"),
)


OPS = 160  # operations of the whole day, about


def shares(cuts):
    """(torn ones of each operation, instants of each step) that make so many cuts: a third of them at instants."""
    return max(1, cuts * 2 // 3 // OPS - 2), -(-cuts // 3 // len(DAY))


class Walk:
    """The table of the day, logged in, the journal with a full block that may be recycled. `told`: its facts."""

    def __init__(self):
        settings = {"keys": {"supervisor": BENCH_KEY}}
        self.fs = image.make_fs(build.files("fc7", settings, CHIPS))
        self.blocks = array("H", image.read_fs(self.fs)["journal.map"])
        self.table = Table(self.fs, firmware.image_path())
        self.told = []
        self.cut = False
        board = self.table.board
        board.send(b"\r\n")
        board.expect(rb'"state":"CLOSED"', 5000)
        nonce = self.ask("login supervisor").split()[-1]
        self.ask("answer " + keys.answer(BENCH_KEY, "supervisor", nonce))
        self.hear()

    def ask(self, line):
        self.table.board.send(line.encode() + b"\r\n")
        return self.table.board.expect(rb"(?m)^((?:OK|ERROR).*)\r\n", 3000)[1].decode()

    def hear(self):
        """Facts that the console has told so far."""
        for line in self.table.console_lines():
            fact = told_fact(bytes(line))
            if fact:
                self.told.append(fact)

    def begin(self, number):
        """Do step `number` of the day; how many ms it is left alone."""
        ms, what, *rest = DAY[number]
        table = self.table
        if what == "line":
            line, = rest
            if line == "journal release":
                line += self._last_record()
            table.board.send(line.encode() + b"\r\n")
        elif what == "draw":
            table.draw(*rest)
        else:
            spot, zone, numbers = rest
            getattr(table, what)(spot, zone, [uid(n) for n in numbers])
        return ms

    def _last_record(self):
        import hashlib

        from pit.journal.records import from_dump

        last = from_dump(self.journal(self.table))[-1]
        return f" {last.seq} {hashlib.sha256(last.raw).hexdigest()[:24]}"

    def journal(self, table):
        """The journal's blocks, in order, as they are in the flash of a table."""
        fs = table.board.fs_bytes()
        return b"".join(fs[n * image.BLOCK:(n + 1) * image.BLOCK] for n in self.blocks)

    def to(self, number):
        """Live through the steps before `number`."""
        for n in range(number):
            self.table.board.run_ms(self.begin(n))
        return self

    def ops(self):
        """(flash operations, FRAM writes) so far."""
        return len(self.table.board.flash.ops), self.table.fram.writes


def powered_up(walk):
    """A table like the walk's after a power-up, at its first look at the FRAM."""
    table = Table(walk.fs, firmware.image_path())
    stock, seen = table.fram.start, []

    def start(reading):
        seen.append(reading)
        table.board.loop.stopped = True  # before a byte has passed
        stock(reading)

    table.fram.start = start
    table.board.send(b"\r\n")
    if not table.board.run_us(3_000_000, lambda: bool(seen)):
        raise TimeoutError("the board does not look at its FRAM")
    del table.fram.start
    return table


class Bench:
    """The walk and the second table, for all units."""

    def __init__(self):
        self.walk = Walk()
        self.second = powered_up(self.walk)

    def close(self):
        self.walk.table.close()
        self.second.close()

    # one cut; the bench is used up

    def cut(self, kind, at, tear, seed):
        """Cut the walk: in the `at`-th operation of `kind` FLASH or FRAM within the next slice, or `at` us from now
        (INSTANT). Texts: what is wrong with the table that starts again."""
        walk = self.walk
        if kind == FLASH:
            walk.table.board.flash.cut(at, tear, seed)
        elif kind == FRAM:
            walk.table.fram.cut(at, tear, random.Random(seed))
        try:
            walk.table.board.run_us(at if kind == INSTANT else SLICE_MS * 1000 + LAST_US)
            if kind != INSTANT:
                return ["the power did not fail"]
        except PowerCut:
            pass
        walk.hear()
        table = self._restart()
        return self.wrong(table)

    def _restart(self):
        """Put what is left under the second board, and let it go on."""
        walk, table = self.walk, self.second
        fs = walk.table.board.fs_bytes()
        flash = table.board.mcu.flash
        for n in walk.blocks:
            at = image.FS_OFFSET + n * image.BLOCK
            flash[at:at + image.BLOCK] = fs[n * image.BLOCK:(n + 1) * image.BLOCK]
        table.board.flash.remember()
        table.fram.data[:] = walk.table.fram.data
        for number, field in walk.table.fields.items():
            for tag in field.tags:
                table.fields[number].place(Tag(tag.uid), table.board.now_ns)
        return table

    def wrong(self, table):
        """Texts: what is wrong with a table that starts again."""
        board = table.board
        board.expect(rb'"event":"plaque"', 3000)
        board.send(b"bets\r\nstatus\r\n")
        status = board.expect(rb"OK state=(\S+) round=(\d+) .*\r\n", 3000)
        said = bytes(board.out).decode()
        wrong = [f"fault {code}" for code in re.findall(r"PROGRESS fault (\S+)", said) if code not in HARMLESS]
        if not table.lock_level or any(not level for _, level in table.lock_log):
            wrong.append("LOCK fell")
        state, number = status[1].decode(), int(status[2])
        if state == "OPEN":
            wrong.append("bets are open")
        have = [(int(spot), zone, round(float(value) * 100)) for spot, zone, value in re.findall(
            r"bet spot=(\d) zone=(main|tip) sum=\S+ value=(\S+) verdict=locked", said) if float(value)]
        going = state in ("LOCKED", "EXTRA", "SETTLE") and (number, have)
        return wrong + facts_wrong(self.walk.told, self.walk.journal(table), 1, going) + board.faults


def step(bench, number, torn, instants, every=1):
    """([(text of a cut, what is wrong)], how many, {kind: how many}) of one step of the day: each operation before,
    after and `torn` times in the middle, or every `every`-th of these; and so many instants. The bench is used up."""
    walk = bench.walk.to(number)
    ms = walk.begin(number)
    slices = snapshot.in_fork(_probe, walk, ms)
    rnd = random.Random(number)
    moments = sorted(rnd.randrange(ms * 1000) for _ in range(instants)) if ms else []
    wrong, count, kinds, planned = [], 0, {}, 0
    for n, (flash, fram) in enumerate(slices):
        cuts = [(kind, at, tear, rnd.randrange(1 << 30))
                for kind, most in ((FLASH, flash), (FRAM, fram)) for at in range(1, most + 1)
                for tear in ("before", "after", *["torn"] * torn)]
        cuts = [cut for i, cut in enumerate(cuts, planned) if not i % every]
        planned += (flash + fram) * (2 + torn)
        cuts += [(INSTANT, us % (SLICE_MS * 1000), "", 0) for us in moments if us // (SLICE_MS * 1000) == n]
        for cut in cuts:
            found = snapshot.in_fork(bench.cut, *cut)
            count += 1
            kinds[cut[0]] = kinds.get(cut[0], 0) + 1
            if found:
                wrong.append((f"step {number}, slice {n}, {cut[0]} {cut[1]} {cut[2]} seed {cut[3]}", found))
        walk.table.board.run_ms(SLICE_MS)
    return wrong, count, kinds


def _probe(walk, ms):
    """[(flash operations, FRAM writes)] in each slice from here on."""
    out, before = [], walk.ops()
    for _ in range(0, ms, SLICE_MS):
        walk.table.board.run_ms(SLICE_MS)
        now = walk.ops()
        out.append((now[0] - before[0], now[1] - before[1]))
        before = now
    return out
