"""A clumsy dealer, cheating players and a shoe with bad moments, as long as hypothesis likes, on the simulated table.

Whatever they do: no exception, LOCK is high unless bets are open, no limit changes inside a round (both:
bench.check, after every input), and the book kept here from the events alone agrees: a locked wager changes by a
told decision only, each settlement is what the clauses make of wager and cards, a round ends once each of its wagers
is settled, its sums are right.
"""

import os

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from firstcard.core.zone import FREE
from host_tests import by_hand
from host_tests.sim.bench import UNKNOWN, Bench

CODES = [r + s for r in "23456789TJQKA" for s in "SHDC"]
SPOTS = st.integers(1, 7)
CHIPS = st.lists(st.sampled_from([100, 500, 500, 1000, 1000, 2500, 10000, UNKNOWN]), min_size=1, max_size=4)
CARDS = st.sampled_from(CODES + ["??"] * 5 + ["AS", "KD", "TC"] * 3)
KEYS = st.sampled_from(["stand", "stand", "stand", "reveal", "reveal", "settled", "settled", "confirm", "cancel",
                        "supervisor-confirm", "misdeal", "void", "burn"])
WORDS = st.sampled_from(["bets", "round", "last", "status", "alarms", "limits", "help", "id", "version", "garbage",
                         "limits cancel", "key stand 9", "ack 99", "events on"])


class Book:
    """What an inspector can know of a table by reading its events, and what he finds wrong."""

    def __init__(self):
        self.read = 0
        self.wagers = None  # spot -> value, while a round is on
        self.open_alarms = {}
        self.between_rounds()

    def between_rounds(self):
        self.cards = {}  # number -> (code, taker)
        self.undecided, self.settled, self.sums = set(), {}, [0, 0, 0]

    def hand(self, to):
        return [code for n, (code, taker) in sorted(self.cards.items()) if taker == to]

    def add(self, e):
        kind = e["event"]
        if kind == "lock":
            assert self.wagers is None, "two locks in one round"
            self.between_rounds()
            self.wagers = {w["spot"]: w["value"] for w in e["wagers"] if w["zone"] == "main"}
        elif kind == "unsettled" and e["zone"] == "main":
            self.undecided.add(e["spot"])
            assert self.wagers.get(e["spot"], 0) == e["before"]
        elif kind == "unsettled-decided" and e.get("zone", "main") == "main":
            self.undecided.remove(e["spot"])
            self.wagers[e["spot"]] = e["value"]
        elif kind == "card" and self.wagers is not None:
            before = self.cards.get(e["n"], ("??", e["to"]))
            assert before[0] in ("??", "**") or e["to"] == "burn", "a card was renamed"
            self.cards[e["n"]] = (e["code"], e["to"])
        elif kind == "settle":
            self.settle(e)
        elif kind == "alarm":
            place = (e["kind"], e.get("spot"), e.get("zone"))
            assert self.open_alarms.get(e["id"], place) == place, "an alarm's number means something else now"
            assert e["id"] in self.open_alarms or place not in self.open_alarms.values(), "one change, two alarms"
            self.open_alarms[e["id"]] = place
        elif kind == "alarm-cleared":
            assert e["by"] == "supervisor"
            del self.open_alarms[e["id"]]
        elif kind == "round":
            due = {s for s, value in self.wagers.items() if value}
            assert due == set(self.settled) or e["result"] == "void" and due <= set(self.settled), (due, self.settled)
            assert [e["stakes"], e["returned"], e["won"]] == self.sums
            self.wagers = None

    def settle(self, e):
        spot, stake = e["spot"], e["stake"]
        assert spot not in self.settled, "settled twice"
        assert stake == self.wagers.get(spot, 0)
        if e["outcome"] == "void":
            assert (e["returned"], e["won"]) == (stake, 0)
        else:
            assert spot not in self.undecided and stake > 0
            mine, dealer = self.hand("%d.1" % spot), self.hand("dealer")
            assert "??" not in mine + dealer or by_hand.worth(mine) > 21
            if by_hand.worth(mine) <= 21:
                assert "**" not in dealer
                assert by_hand.worth(dealer) >= 17 or by_hand.blackjack(mine)
            else:
                dealer = ["TS", "7S"]  # a bust has lost to anything
            assert (e["outcome"], e["returned"], e["won"]) == by_hand.settle(stake, mine, dealer), (e, mine, dealer)
        assert e["returned"] in (0, stake)  # the stake is given back or lost, never a part of it
        self.settled[spot] = e["outcome"]
        self.sums = [a + b for a, b in zip(self.sums, (stake, e["returned"], e["won"]))]


class Table(RuleBasedStateMachine):
    """Rules are what people do; `wait` and every rule let the table go on."""

    @initialize(opened=st.booleans())
    def power(self, opened):
        self.bench = Bench()
        self.book = Book()
        if opened:
            self.bench.ok("open")

    def go_on(self, ms=1):
        self.bench.run(ms)
        events = self.bench.events
        while self.book.read < len(events):
            self.book.add(events[self.book.read])
            self.book.read += 1

    @rule(ms=st.sampled_from([1, 40, 300, 1500, 3000]))
    def wait(self, ms):
        self.go_on(ms)

    @rule(spots=st.lists(SPOTS, min_size=1, max_size=4, unique=True), cards=st.lists(CARDS, max_size=12))
    @precondition(lambda self: self.bench.state in ("CLOSED", "OPEN"))
    def honest_start(self, spots, cards):
        """Bets that count, and the first cards: the others' mischief finds a round in full play."""
        if self.bench.state == "CLOSED":
            self.bench.send("open")
        for spot in spots:
            if not self.bench.lying(spot) and self.has((1000,)):
                self.bench.place(spot, 1000)
        self.go_on(2500)
        for code in cards:
            self.bench.draw(code)
        self.go_on()

    def has(self, chips):
        return all(chips.count(v) <= len(self.bench._free[v]) for v in chips if v)

    @rule(spot=SPOTS, chips=CHIPS, zone=st.sampled_from(["main"] * 6 + ["tip", "line"]),
          ms=st.sampled_from([0, 50, 2000]))
    def lay(self, spot, chips, zone, ms):
        if self.has(chips):
            self.bench.place(spot, *chips, zone=zone)
        self.go_on(ms)

    @rule(spot=SPOTS, n=st.integers(0, 3), zone=st.sampled_from(["main"] * 6 + ["tip", "line"]),
          ms=st.sampled_from([0, 50, 2000]))
    def take(self, spot, n, zone, ms):
        lying = self.bench.lying(spot, zone)
        if lying:
            self.bench.lift(spot, *lying[:n], zone=zone)
        self.go_on(ms)

    @rule(spot=SPOTS, sweeps=st.integers(1, 4))
    def overlook(self, spot, sweeps):
        chips = self.bench._lying.get((spot, "main"))
        if chips:
            self.bench.overlook(spot, chips[0][1], sweeps)
        self.go_on()

    @rule(cards=st.lists(CARDS, min_size=1, max_size=5), ms=st.sampled_from([0, 130]))
    def draw(self, cards, ms):
        for code in cards:
            self.bench.draw(code)
        self.go_on(ms)

    @rule(card=CARDS)
    def burn(self, card):
        self.bench.draw(card, to="burn")
        self.go_on()

    @rule(way=st.sampled_from(["out", "return"]), ms=st.sampled_from([0, 100, 500]))
    def edge(self, way, ms):
        self.bench.edge(way)
        self.go_on(ms)

    @rule(frame=st.sampled_from([{"code": "9H"}, {"code": "AC"}, {"type": "CRD", "code": "KS"}, {"type": "BRN"},
                                 {"type": "MIS"}, {"type": "EDG"}, {"type": "HBT"}]), ms=st.sampled_from([0, 200]))
    def frame(self, frame, ms):
        self.bench.frame(**frame)
        self.go_on(ms)

    @rule(key=KEYS, spot=st.sampled_from([0, 0, 0, 1, 2, 3, 4, 5, 6, 7]))
    def key(self, key, spot):
        spot = "" if key in ("reveal", "misdeal", "void", "burn") or not spot else " %d" % spot
        self.bench.send("key " + key + spot)
        self.go_on()

    @rule(code=st.sampled_from(CODES))
    def name(self, code):
        self.bench.send("card " + code)
        self.go_on()

    @rule()
    def acknowledge_all(self):
        for id in list(self.book.open_alarms):
            self.bench.ok("ack %d" % id)
        self.go_on()

    @rule(line=WORDS)
    def say(self, line):
        self.bench.send(line)
        self.go_on()

    @rule(low=st.integers(1, 20), high=st.integers(10, 500), soon=st.sampled_from(["", " in 3s", " in 1m"]))
    def limits(self, low, high, soon):
        self.bench.send("limits set %d %d%s" % (low, high, soon))
        self.go_on()

    @rule(way=st.sampled_from(["open", "open", "close"]))
    def open_or_close(self, way):
        self.bench.send(way)
        self.go_on()

    @rule(cards=st.lists(st.sampled_from(CODES), min_size=40, max_size=40), stand=st.integers(12, 20))
    @precondition(lambda self: self.bench.state == "LOCKED")
    def play_out(self, cards, stand):
        """The dealer pulls himself together and brings the round to its end."""
        bench, book, deal = self.bench, self.book, self.bench.round.deal
        for spot in list(book.undecided):
            bench.send("key confirm %d" % spot)
            bench.send("key supervisor-confirm %d" % spot)
        self.go_on()
        for code in cards:
            if bench.state != "LOCKED" or not bench.round.live:
                break
            while any(c == "??" and to != "burn" for c, to in book.cards.values()) and not bench.error("card 5C"):
                self.go_on()
            hand = book.hand("%d.1" % (deal.active() + 1))
            if deal.active() >= 0 and "??" not in hand and by_hand.worth(hand) >= stand:
                bench.send("key stand")
            elif bench.error("key reveal"):
                bench.draw(code)
            self.go_on()
        self.acknowledge_all()
        if bench.state == "LOCKED":  # no wager, or a deal beyond help
            bench.send("key void")
            bench.send("key supervisor-confirm")
        bench.send("key settled")
        self.go_on(100)

    @invariant()
    def wagers_stand(self):
        """What the table holds as wager is what it told, until the spot is settled and cleared."""
        if self.book.wagers is None:
            return
        for spot, value in self.book.wagers.items():
            zone = self.bench.round.zone(spot)
            if zone.phase != FREE:
                assert zone.value == value, spot

    @invariant()
    def the_lamp_burns_while_an_alarm_is_open(self):
        assert self.bench.table.lamp_on == bool(self.book.open_alarms)

    def teardown(self):
        if hasattr(self, "bench"):
            self.go_on(3000)


# Shrinking a failure takes minutes: RANDOM_TABLE_SHRINK=1 asks for it. RANDOM_TABLE_EXAMPLES=2000 looks further.
PHASES = [Phase.generate] + ([Phase.shrink] if os.environ.get("RANDOM_TABLE_SHRINK") else [])
Table.TestCase.settings = settings(
    max_examples=int(os.environ.get("RANDOM_TABLE_EXAMPLES", "60")), stateful_step_count=50, deadline=None,
    derandomize="RANDOM_TABLE_EXAMPLES" not in os.environ, database=None, phases=PHASES,
    suppress_health_check=list(HealthCheck))
TestRandomTable = Table.TestCase
