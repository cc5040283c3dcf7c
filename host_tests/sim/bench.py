"""A bench for tests: the simulated table with hands to lay chips, draw cards and type, and a watch that never sleeps.

After every single input of the engine the bench checks what must always hold: LOCK is high unless bets are open, and
while a round is on no locked wager and no limit changes except by a decision that was told. Every event is held
against host_tests.contract.
"""

import hashlib
import hmac
import json
from functools import lru_cache

import pit
from host_tests import contract
from pit.sim import files
from pit.sim.table import SimTable

KEY = "5e" * 32
INPUTS = ("locked", "beam", "shoe_bytes", "line_error", "reading", "sweep_end", "console_bytes", "tick", "fault",
          "clear_fault")
VALUES = (1, 25, 100, 500, 1000, 2500, 5000, 10000, 50000)
PER_VALUE = 40
UNKNOWN = 0  # place(spot, UNKNOWN): a chip that the registry does not know
NO_SPOT = 99


@lru_cache(maxsize=1)
def prepare():
    files.prepare()


def uid_of(value, i):
    """UID of the i-th chip of a value; the value can be read in it, which only tests may do."""
    return "%08x%08x" % (0xE0040100 + i, value)


REGISTRY = [[uid_of(v, i), v] for v in VALUES for i in range(PER_VALUE)]


class Broken(AssertionError):
    """Something that must hold at every moment did not."""


class MissingTable(SimTable):
    """A simulated table whose antennas overlook chips: `miss` has (antenna, uid) -> sweeps still to be missed."""

    def __init__(self, setup, root):
        self.miss = {}
        super().__init__(setup, root)

    def _antenna_end(self, n, chips, start_us):
        seen = b""
        for i in range(0, len(chips), 8):
            key = (n, chips[i : i + 8].hex())
            if self.miss.get(key, 0) > 0:
                self.miss[key] -= 1
            else:
                seen += chips[i : i + 8]
        super()._antenna_end(n, seen, start_us)


class Bench:
    """One table. `events`: all told so far; `lines`: all output, in order."""

    def __init__(self, min=500, max=50000, login="supervisor", options=None, roles=("supervisor",),
                 profile="us-in-blackjack"):
        prepare()
        self.events, self.lines = [], []
        self._free = {v: [uid_of(v, i) for i in range(PER_VALUE)] for v in VALUES}
        self._strangers = 0
        self._lying = {}  # (spot, zone) -> [(value, uid)]
        self.table = MissingTable({"board": "fc7", "profile": profile, "options": options or {},
                                   "limits": {"min": min, "max": max}, "registry": REGISTRY,
                                   "keys": {role: KEY for role in roles}}, str(pit.ROOT))
        self.engine = self.table.engine
        self.round = self.engine.round
        self._watch()
        self.run(100)
        if login:
            self.login(login)

    # the watch

    def _watch(self):
        for name in INPUTS:
            setattr(self.engine, name, self._watched(getattr(self.engine, name)))
        self._kept = None
        self._inside = 0  # inputs may call each other; what must hold, holds when the first of them is done

    def _watched(self, call):
        def watched(*args):
            self._inside += 1
            try:
                result = call(*args)
            finally:
                self._inside -= 1
            if not self._inside:
                self.check()
            return result

        return watched

    def check(self):
        """What must hold after every input."""
        state = self.state
        if state != "OPEN" and not self.table.is_locked():
            raise Broken("LOCK is low in " + state)
        limits = (self.round.limits.min, self.round.limits.max)
        if state in ("LOCKED", "EXTRA", "SETTLE"):
            if self._kept and self._kept != (self.round.number, limits):
                raise Broken("limits changed inside round %d" % self.round.number)
            self._kept = (self.round.number, limits)
        else:
            self._kept = None

    # time and output

    @property
    def state(self):
        return ("SAFE", "CLOSED", "OPEN", "LOCKED", "EXTRA", "SETTLE")[self.round.state]

    @property
    def now(self):
        return self.table.now_ms

    def _collect(self):
        for raw in self.table.take():
            line = raw.decode()
            assert line.endswith("\n") and line.isascii() and "\n" not in line[:-1]
            self.lines.append(line[:-1])
            if line.startswith("!"):
                event = json.loads(line[1:])
                wrong = contract.faults_of(event, self.events[-1] if self.events else None)
                if wrong:
                    raise Broken("%r: %s" % (event, "; ".join(wrong)))
                self.events.append(event)

    def run(self, ms):
        """Let time pass."""
        end = self.now + ms
        self._collect()
        while self.now < end:
            self.table.advance(end - self.now)
            self._collect()
        return self

    # hands

    def place(self, spot, *cents, zone="main"):
        """Lay chips of these values; returns their UIDs."""
        chips = []
        for value in cents:
            if value:
                chips.append((value, self._free[value].pop(0)))
            else:
                self._strangers += 1
                chips.append((value, "%08xffffffff" % self._strangers))
        self._lying.setdefault((spot, zone), []).extend(chips)
        self.table.do({"place": {"spot": spot, "zone": zone, "uids": [u for _, u in chips]}})
        return [u for _, u in chips]

    def lying(self, spot, zone="main"):
        """Values of the chips that lie there."""
        return [value for value, _ in self._lying.get((spot, zone), [])]

    def lift(self, spot, *cents, zone="main"):
        """Take chips of these values away, of equal ones the last; without values the lot."""
        lying = self._lying.get((spot, zone), [])
        taken = []
        for value in cents or [v for v, _ in lying]:
            at = max(i for i, chip in enumerate(lying) if chip[0] == value)
            taken.append(lying.pop(at))
        for value, uid in taken:
            if value:
                self._free[value].append(uid)
        self.table.do({"remove": {"spot": spot, "zone": zone, "uids": [u for _, u in taken]}})

    def overlook(self, spot, uid, sweeps=1, zone="main"):
        """The next sweeps do not see this chip."""
        self.table.miss[(spot - 1) * 3 + ("main", "tip", "line").index(zone), uid] = sweeps

    def draw(self, *codes, to=None):
        for code in codes:
            self.table.do({"draw": {"code": code, "to": to} if to else {"code": code}})
            self.run(400)
        return self

    def edge(self, **how):
        self.table.do({"edge": how})

    def frame(self, **frame):
        self.table.do({"frame": frame})

    def fault(self, **fault):
        self.table.do({"fault": fault})

    def send(self, line):
        """One operator line: its final answer, `OK ...` or `ERROR n "..."`."""
        start = len(self.lines)
        self.table.do({"line": line})
        self._collect()
        self.check()
        finals = [one for one in self.lines[start:] if one.startswith(("OK", "ERROR"))]
        assert len(finals) == 1, (line, self.lines[start:])
        return finals[0]

    def ok(self, line):
        answer = self.send(line)
        assert answer.startswith("OK"), (line, answer)
        return answer

    def error(self, line):
        """The number of the error that this line gets, or 0."""
        answer = self.send(line)
        return int(answer.split()[1]) if answer.startswith("ERROR") else 0

    def login(self, role):
        nonce = self.ok("login " + role).split()[1]
        digest = hmac.new(bytes.fromhex(KEY), role.encode() + bytes.fromhex(nonce), hashlib.sha256)
        self.ok("answer " + digest.hexdigest())

    # looking back

    def mark(self):
        """A place in the story, for `since`."""
        return len(self.events)

    def told(self, event, since=0, **fields):
        """The events of that name with these fields."""
        return [e for e in self.events[since:] if e["event"] == event
                and all(e.get(name) == value for name, value in fields.items())]

    def one(self, event, since=0, **fields):
        found = self.told(event, since, **fields)
        assert len(found) == 1, (event, fields, found, self.events[-12:])
        return found[0]

    # whole stretches of play

    def bets(self, *bets):
        """Open the table with bets on it: (spot, chip, chip, ...)."""
        if self.state == "CLOSED":
            self.ok("open")
        for spot, *chips in bets:
            self.place(spot, *chips)
        return self.run(2500)

    def alarms(self, since=0):
        return [e["kind"] for e in self.events[since:] if e["event"] == "alarm"]
