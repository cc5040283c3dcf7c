"""Proof: whatever comes over the operator's line, nothing crashes, no door opens, and each line gets its one answer.

The whole engine on the simulated table, in every state and for every role; then the emulated board, where each answer
is timed while the readers sweep. Lines: pit.prove.fuzzlines.
"""

import io
import random
import re
import time

from firstcard.proto import commands
from firstcard.store.texts import Texts
from pit import ROOT, build, firmware, image, keys
from pit.emu.table import Table
from pit.prove.fuzzlines import Lines, Owed
from pit.prove.proof import Proof, Result
from pit.sim import files
from pit.sim.table import TEXTS, SimTable

BLOCK = 20_000  # lines of a unit on this PC
PER_BOARD_LINE = 500  # lines here for each on the board
BOARD_UNITS = 4
TURN = 250  # lines between two looks at whether the table is still in the state that is wanted
PAUSE_MS = 60  # table time after so many lines
KEY = "5e" * 32
STATES = ("SAFE", "CLOSED", "OPEN", "LOCKED", "EXTRA", "SETTLE")
ROLES = ("", "operator", "supervisor", "technician")
OPENERS = ("operator", "supervisor")
FINAL = (b"OK", b"ERR")
CHIPS = [[f"{0xE0040100 + n:08x}{n:08x}", 500] for n in range(8)]
SETUP = {"board": "fc7", "profile": "us-in-blackjack", "options": {}, "limits": {"min": 500, "max": 50_000},
         "registry": CHIPS, "keys": dict.fromkeys(commands.ROLES, KEY)}
GAP_MS = (5, 45)  # on the board, between an answer and the next line: any place of the sweep
ANSWER_MS = 3000


class Door(AssertionError):
    """Something opened, or was changed, that should not have been."""


class Seat:
    """A simulated table in `state`, and somebody with `role` at its line."""

    def __init__(self, state, role):
        self.state, self.role = state, role
        self.table = SimTable(SETUP, str(ROOT))
        self.table.engine.texts = Texts(io.BytesIO((ROOT / TEXTS).read_bytes()))
        self._owed = Owed()
        self._run(100)
        if state == "SAFE":
            self.table.engine.fault("task")
        elif state != "CLOSED":
            self._play(state)
        if role:
            self.table.engine.console.session._enter(role, "key")
        self.table.take()

    def _play(self, state):
        table = self.table
        table.engine.open()
        table.do({"place": {"spot": 1, "zone": "main", "uids": [CHIPS[0][0], CHIPS[1][0]]}})
        self._run(2500)
        if state != "OPEN":
            for code in ("TS", "AC" if state == "EXTRA" else "9C", "9D", "8D"):
                table.do({"draw": {"code": code}})
                self._run(400)
        if state == "SETTLE":
            table.engine.console.session._enter("operator", "key")
            for line in ("key stand", "key reveal", "logout"):
                table.do({"line": line})

    def _run(self, ms):
        end = self.table.now_ms + ms
        while self.table.now_ms < end:
            self.table.advance(end - self.table.now_ms)
            self.table.take()

    def pause(self):
        self._run(PAUSE_MS)

    @property
    def fits(self):
        """Is the table in the state, and with the role, that it was made for? Then it may be used on."""
        engine = self.table.engine
        return (STATES[engine.round.state] == self.state and engine.console.session.name == self.role
                and not engine.console.leaving)

    def _kept(self):
        """What nobody without a login may change."""
        e = self.table.engine
        r = e.round
        return (r.state, r.number, r.limits.min, r.limits.max, r.limits.pending, len(r.alarms.open), e.profile.hash,
                e.console.leaving, getattr(e.profile, "other_tables", None), [z.value for z in r.zones])

    def give(self, data):
        """Some bytes; raises Door, AssertionError, or whatever the firmware raises. Returns the answers."""
        table = self.table
        engine = table.engine
        before = self._kept()
        role = engine.console.session.role
        for at in range(0, len(data), 64):
            part = data[at:at + 64]
            engine.console_bytes(part, len(part))
        out = table.take()
        after = self._kept()
        state = STATES[engine.round.state]
        if state != "OPEN" and not table.is_locked():
            raise Door(f"LOCK is low in {state}")
        if engine.console.session.role not in (role, commands.NONE):
            raise Door(f"somebody is {engine.console.session.name} now")
        if not role and before != after:
            raise Door(f"changed without a login: {before} {after}")
        if before[0] < 2 and state == "OPEN" and self.role not in OPENERS:
            raise Door(f"opened as {self.role}")
        answers = 0
        for line in out:
            answers += line[:3] == b"ERR" or line[:2] == b"OK"
            if line[-1:] != b"\n" or line.count(b"\n") != 1 or not line.isascii() or KEY.encode() in line:
                raise Door(f"said {line!r}")
        if answers != self._owed.take(data):
            raise AssertionError(f"{answers} answers")
        return answers


def on_host(seed, count):
    """(what is wrong or "", lines, answers) of `count` pieces of fuzz; state and role by the seed."""
    files.prepare()
    state, role = STATES[seed % 6], ROLES[seed // 6 % 4]
    lines = Lines(random.Random(seed))
    seat, answers = Seat(state, role), 0
    for n in range(count):
        if n and not n % TURN:
            seat.pause()
            if not seat.fits:
                seat = Seat(state, role)
        data = lines.next()
        try:
            answers += seat.give(data)
        except Exception as error:  # whatever it is, it is what this proof looks for
            return f"{state}, {role or 'nobody'}, line {n}: {data!r}: {type(error).__name__}: {error}", n, answers
    return "", count, answers


class Board:
    """The emulated table with bets open, its readers sweeping seven spots."""

    def __init__(self):
        uids = [bytes((n, 0, 0, 0, 0, 1, 4, 0xE0)) for n in range(21)]
        contents = build.files("fc7", {"keys": dict.fromkeys(commands.ROLES, KEY)}, [(uid, 500) for uid in uids])
        self.table = Table(image.make_fs(contents), firmware.image_path())
        self.board = self.table.board
        self.board.send(b"\r\n")
        self.board.expect(rb'"state":"CLOSED"', 5000)
        self.login("operator")
        self.send(b"open\r\n")
        self.send(b"logout\r\n")
        for spot in range(7):
            self.table.place(spot + 1, "main", uids[3 * spot:3 * spot + 3])
        self.board.run_ms(2500)

    def login(self, role):
        nonce = self.send(b"login %s\r\n" % role.encode())[0].split()[-1].decode()
        answer = self.send(b"answer %s\r\n" % keys.answer(KEY, role, nonce).encode())
        if answer != [b"OK " + role.encode()]:
            raise ValueError(f"{role} cannot log in: {answer}")

    def send(self, data, answers=1):
        """The final lines that come; as many as are owed, or those of ANSWER_MS."""
        since = len(self.board.out)
        self.board.send(data)
        found = []

        def here():
            found[:] = re.findall(rb"(?m)^((?:OK|ERROR).*)\r\n", bytes(self.board.out[since:]))
            return len(found) >= answers

        if answers:
            self.board.run_ms(ANSWER_MS, here)
        return found


def on_board(rig, seed, count):
    """([what is wrong], [ms of each answered line]) of so many lines; state and role by the seed."""
    rnd, owed = random.Random(seed), Owed()
    lines, board, table = Lines(rnd), rig.board, rig.table
    role, locked = ROLES[seed % 4], seed % 2
    if locked:
        table.draw("TH")
        board.run_ms(900)
    if role:
        rig.login(role)
    wrong, times, resets = [], [], board.resets
    for n in range(count):
        board.run_ms(rnd.uniform(*GAP_MS))
        data = lines.next()
        due, begun = owed.take(data), board.now_us
        answers = rig.send(data, due)
        if len(answers) != due:
            wrong.append(f"line {n}: {data!r}: {len(answers)} answers, {due} owed")
        elif due == 1:
            times.append((board.now_us - begun) / 1000)
        if not table.lock_level and (locked and not role):
            wrong.append(f"line {n}: {data!r}: LOCK is low")
        if board.resets != resets or b"# Traceback" in board.out:
            resets = board.resets
            if not _asked_for(board.out):
                wrong.append(f"line {n}: {data!r}: it has restarted")
            break
    return wrong + board.faults, times


def _asked_for(out):
    """Did somebody with the role for it have the table restart?"""
    return b"# Traceback" not in out and re.search(rb"OK (reboot|service|\S+ hash=\w+)\r", bytes(out))


class Fuzz(Proof):
    """`options["lines"]` on this PC, a 500th of them on the board."""

    name = "fuzz"
    title = "lines of noise, of the wrong length, half, mutated, with wrong arguments: no crash, no unlocked door"

    def units(self, options):
        count = options["lines"]
        host = [f"host {min(BLOCK, count - done)} lines, seed {done // BLOCK}" for done in range(0, count, BLOCK)]
        share = max(1, count // PER_BOARD_LINE // BOARD_UNITS)
        return host + [f"board {share} lines, seed {seed}" for seed in range(BOARD_UNITS)]

    def prepare(self):
        return Board()

    def run(self, shared, unit):
        words = unit.replace(",", "").split()
        count, seed = int(words[1]), int(words[4])
        if words[0] == "host":
            began = time.process_time()
            wrong, lines, answers = on_host(seed, count)
            rate = round(lines / max(time.process_time() - began, 1e-9))
            return Result(not wrong, {"lines": lines, "answers": answers, "lines a second": rate}, wrong)
        wrong, times = on_board(shared, seed, count)
        times.sort()
        figures = {"lines": count, "answers": len(times), "median ms": round(times[len(times) // 2], 1),
                   "p99 ms": round(times[max(0, len(times) * 99 // 100 - 1)], 1), "longest ms": round(times[-1], 1)}
        return Result(not wrong, figures, "; ".join(wrong[:3]))

    def finish(self, shared):
        shared.table.close()
