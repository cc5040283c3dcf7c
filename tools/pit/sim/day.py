"""A short day at a simulated table, the same for the same seed: what people might do, at random.

Open, bets, cards (misread ones and some that go back), chips too late and their alarms, extras, keys, settlement, new
limits, the journal read out and released. What the rules refuse is refused; the day goes on. Runs on CPython and
MicroPython. Everything is told to `hear(line)` in order.
"""

from firstcard.core import cards
from firstcard.proto import login
from .table import SimTable

KEY = "5e" * 32
VALUES = (500, 1000, 2500, 10000)
PER_VALUE = 30
PROFILES = (("us-in-blackjack", {"surrender": True}), ("us-nd-twentyone", {}),
            ("gcb-blackjack", {"dealer_natural_beats_21": False}), ("us-in-three-card-poker", {}))
LIMITS = {"min": 500, "max": 50000}
DAKOTA = {"min": 300, "max": 2500}  # ND-03, ND-06
KEYS = ("double", "double", "double", "split", "split", "surrender", "stand", "even-money", "peek", "undo", "burn",
        "make-change", "return-excess")
POKER_KEYS = ("play", "play", "play", "fold", "undo", "make-change", "stand")


def uid_of(value, i):
    return "%08x%08x" % (0xE0040100 + i, value)


REGISTRY = [[uid_of(value, i), value] for value in VALUES for i in range(PER_VALUE)]


class Dice:
    """Numbers at random that are the same on every Python (a linear congruential generator, Numerical Recipes)."""

    def __init__(self, seed):
        self._state = seed & 0xFFFFFFFF

    def below(self, n):
        self._state = (self._state * 1664525 + 1013904223) & 0xFFFFFFFF
        return (self._state >> 8) % n

    def pick(self, row):
        return row[self.below(len(row))]

    def one_in(self, n):
        return not self.below(n)

    def shuffled(self, row):
        out = list(row)
        for i in range(len(out) - 1, 0, -1):
            j = self.below(i + 1)
            out[i], out[j] = out[j], out[i]
        return out


def setup_of(seed):
    """The setup of the table of this day (see pit.targets.base)."""
    profile, options = PROFILES[seed % len(PROFILES)]
    return {"board": "fc7", "profile": profile, "options": options,
            "limits": DAKOTA if profile == "us-nd-twentyone" else LIMITS, "registry": REGISTRY,
            "keys": {"supervisor": KEY}}


class Day:
    """`memory`, `blocks`: of the table. The first `rounds` rounds of the day are played by `play`."""

    def __init__(self, seed, root, memory, blocks, hear):
        self.dice = Dice(seed)
        self.hear = hear
        self._last = b""
        self._free = {value: [uid_of(value, i) for i in range(PER_VALUE)] for value in VALUES}
        self._lying = {}
        self.poker = seed % len(PROFILES) == 3
        self.table = SimTable(setup_of(seed), root, memory=memory, blocks=blocks)
        self._deck = []
        self.released = None  # (number, hash) of the record up to which the journal may be erased; None: the last one

    # time and lines

    def _take(self):
        for line in self.table.take():
            self._last = line
            self.hear(line)

    def run(self, ms):
        end = self.table.now_ms + ms
        while self.table.now_ms < end:
            self.table.advance(end - self.table.now_ms)
            self._take()

    def do(self, action):
        self.table.do(action)
        self._take()

    def ask(self, line):
        """An operator line; the last line of its answer."""
        self.do({"line": line})
        return self._last

    def begin(self):
        """Power-up to CLOSED, and a supervisor."""
        self.run(100)
        nonce = login.from_hex(str(self.ask("login supervisor").split()[-1], "ascii"))
        self.ask("answer " + login.to_hex(login.hmac_sha256(login.from_hex(KEY), b"supervisor" + nonce)))

    # hands

    @property
    def state(self):
        return self.table.engine.round.state

    def place(self, spot, zone, values):
        lying = self._lying.setdefault((spot, zone), [])
        uids = []
        for value in values:
            if self._free[value]:
                uids.append(self._free[value].pop())
                lying.append((value, uids[-1]))
        self.do({"place": {"spot": spot, "zone": zone, "uids": uids}})

    def lift(self, spot, zone, n=99):
        lying = self._lying.get((spot, zone), [])
        gone = [lying.pop() for _ in range(min(n, len(lying)))]
        for value, uid in gone:
            self._free[value].append(uid)
        self.do({"remove": {"spot": spot, "zone": zone, "uids": [uid for _, uid in gone]}})

    def clear(self):
        for spot, zone in list(self._lying):
            self.lift(spot, zone)

    def draw(self):
        if not self._deck:
            self._deck = self.dice.shuffled([cards.name(n) for n in range(52)])
        code = self._deck.pop()
        if self.dice.one_in(25):
            code = "??"
        if self.dice.one_in(40):
            self.do({"edge": {"back": True}})
            self.run(300)
        if self.dice.one_in(20):
            self.do({"frame": {"code": code}})
        else:
            self.do({"draw": {"code": code}})
        self.run(400)
        if code == "??":
            self.ask("card " + (self._deck.pop() if self._deck else "AS"))

    def late(self, spot):
        """A chip that comes too late, or one that is taken away, and the supervisor."""
        if self.dice.one_in(2):
            self.place(spot, "main", [500])
            self.run(2500)
            self.lift(spot, "main", 1)
        else:
            self.lift(spot, "main", 1)
            self.run(2500)
        self.acknowledge()

    def acknowledge(self):
        for row in list(self.table.engine.round.alarms.open):
            self.ask("ack %d" % row[0])

    def insurance(self, spots):
        """Ace up: perhaps somebody insures, with the right amount or not."""
        if self.state == 4:
            spot = self.dice.pick(spots)
            if self.dice.one_in(2):
                self.place(spot, "line", [self.dice.pick(VALUES)])
                self.run(1200)
            self.ask("key insurance-closed")
            self.lift(spot, "line")
            self.run(1000)

    def extra(self, spot):
        """A key that may move chips, and what it asks for or something else."""
        key = self.dice.pick(POKER_KEYS if self.poker else KEYS)
        whole = key in ("stand", "burn", "undo", "peek", "insurance-closed", "double", "split", "surrender")
        self.ask("key " + key if whole else "key %s %d" % (key, spot))
        window = self.table.engine.round.window
        if window and window.spot:
            spot, zone = window.spot, "line" if key == "play" else "main"
            values = [value for value, _ in self._lying.get((spot, "main"), ())]
            if window.kind != "surrender":
                self.place(spot, zone, [500] if self.dice.one_in(5) else values)
                self.run(1200)
            self.ask("key confirm %d" % spot)
            self.run(1200)
            if self.table.engine.round.window:
                self.ask("key cancel %d" % spot)
                self.lift(spot, zone, len(values))
                self.run(1000)
        if key != "peek":
            self.draw()

    def round(self):
        dice = self.dice
        if self.state == 1:
            self.ask("open")
        spots = dice.shuffled(range(1, 8))[: 1 + dice.below(3)]
        for spot in spots:
            self.place(spot, "main", [dice.pick(VALUES) for _ in range(1 + dice.below(3))])
            if dice.one_in(4):
                self.place(spot, "tip", [500])
        self.run(1600)
        for n in range((3 if self.poker else 2) * (len(spots) + 1)):
            self.draw()
            if not n and dice.one_in(3):
                self.late(dice.pick(spots))
        self.insurance(spots)
        if dice.one_in(3):
            self.ask("limits set %s" % dice.pick(("3 10", "3 25", "5 100", "10 200", "10 500")))
        for _ in range(2 + dice.below(4)):
            self.extra(dice.pick(spots))
        for spot in spots:
            self.ask("key fold %d" % spot if self.poker and dice.one_in(2) else "key stand")
        self.ask("key reveal")
        for _ in range(3):
            if self.state == 3:
                self.draw()
        self.acknowledge()
        self.ask("key settled")
        if self.state > 2:
            self.ask("key void")
            self.ask("key supervisor-confirm")
        self.clear()
        self.run(2500)
        self.acknowledge()

    def read_out(self):
        """Close, and let go of what the journal holds."""
        self.ask("close")
        journal = self.table.engine.keeper.journal
        self.ask("journal release %d %s" % (self.released or (journal.seq, login.to_hex(journal.hash[:12]))))
        self.run(1500)

    def play(self, rounds):
        for n in range(rounds):
            self.round()
            if n % 2:
                self.read_out()
