"""A clumsy dealer, cheating players and a shoe with bad moments, as long as hypothesis likes, on the simulated table,
under all four rule profiles.

Whatever they do: no exception, LOCK is high unless bets are open, no limit changes inside a round (both:
bench.check, after every input), and the book kept here from the events alone agrees (host_tests.sim.book): a wager
changes by a told decision only, each settlement is what the clauses make of wager and cards, what goes in comes out.
"""

import os

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from firstcard.core.zone import FREE
from host_tests import by_hand
from host_tests.sim.bench import UNKNOWN, VALUES, Bench
from host_tests.sim.book import Book
from pit.sim.shoe import FAULTS

CODES = [r + s for r in "23456789TJQKA" for s in "SHDC"]
SPOTS = st.integers(1, 7)
ANY_SPOT = st.sampled_from([0, 0, 0, 1, 2, 3, 4, 5, 6, 7])
CHIPS = st.lists(st.sampled_from([25, 100, 500, 500, 1000, 1000, 2500, 10000, UNKNOWN]), min_size=1, max_size=4)
CARDS = st.sampled_from(CODES + ["??"] * 5 + ["AS", "KD", "TC", "AH", "8S", "8D"] * 3)
ZONE = st.sampled_from(["main"] * 6 + ["tip", "line"] * 2)
KEYS = st.sampled_from(["stand", "stand", "stand", "reveal", "reveal", "settled", "settled", "confirm", "confirm",
                        "cancel", "supervisor-confirm", "misdeal", "void", "burn", "undo", "undo", "peek", "double",
                        "split", "surrender", "insurance-closed", "even-money", "play", "fold", "return-excess",
                        "make-change"])
NO_SPOT = ("reveal", "misdeal", "void", "burn", "undo", "peek", "insurance-closed")
WORDS = st.sampled_from(["bets", "round", "last", "status", "alarms", "limits", "help", "id", "version", "garbage",
                         "limits cancel", "key stand 9", "ack 99", "events on", "option", "profile"])


class Table(RuleBasedStateMachine):
    """Rules are what people do; `wait` and every rule let the table go on."""

    profile, options, limits = "us-in-blackjack", {}, (500, 50_000)
    stake = 1000
    terms = {}
    variant = {"hole_card": False, "peek": False}  # what some tables of this profile do otherwise

    @initialize(opened=st.booleans(), other=st.booleans())
    def power(self, opened, other):
        low, high = self.limits
        self.bench = Bench(min=low, max=high, profile=self.profile,
                           options={**self.options, **(self.variant if other else {})})
        self.book = Book(self.profile, self.source, **self.terms)
        if opened:
            self.bench.ok("open")

    def source(self, spot, new):
        """The hand that the new hand of this spot was split from: the one that plays before it."""
        turns = [h.number for h in self.bench.round.game.deal.turns if h.spot == spot]
        return turns[turns.index(new) - 1]

    def go_on(self, ms=1):
        self.bench.run(ms)
        self.book.read_on(self.bench.events)

    def send(self, line):
        """A line; the book may know that the hole card is being shown."""
        if self.bench.send(line).startswith("OK") and line == "key reveal":
            self.book.revealed = True
        self.go_on()

    def has(self, chips):
        return all(chips.count(v) <= len(self.bench._free[v]) for v in chips if v)

    def lay_cents(self, spot, cents, zone="main"):
        """Chips of this sum, if there are enough."""
        chips = []
        for value in sorted(VALUES, reverse=True):
            while cents >= value and chips.count(value) < len(self.bench._free[value]):
                chips.append(value)
                cents -= value
        if chips and not cents:
            self.bench.place(spot, *chips, zone=zone)

    @property
    def window(self):
        return self.bench.round.window

    # time, chips, cards

    @rule(ms=st.sampled_from([1, 40, 300, 1500, 3000]))
    def wait(self, ms):
        self.go_on(ms)

    @rule(spots=st.lists(SPOTS, min_size=1, max_size=4, unique=True), cards=st.lists(CARDS, max_size=12),
          tips=st.booleans(), up=st.sampled_from(["", "AC", "AC", "TD"]),
          first=st.sampled_from(["", "pair", "natural"]))
    @precondition(lambda self: self.bench.state in ("CLOSED", "OPEN"))
    def honest_start(self, spots, cards, tips, up, first):
        """Bets that count, and the first cards: the others' mischief finds a round in full play."""
        if self.bench.state == "CLOSED":
            self.bench.send("open")
        for spot in spots:
            if not self.bench.lying(spot):
                self.lay_cents(spot, self.stake)
            if tips and "tips" in self.options and not self.bench.lying(spot, "tip"):
                self.lay_cents(spot, 100 * spot, zone="tip")
        self.go_on(2500)
        n = len(spots)
        if up and len(cards) > 2:  # all the first cards, with this up card
            cards = (cards * 4)[: 2 * n + 2]
            cards[n] = up
            if first:
                cards[0], cards[n + 1] = ("AS", "KD") if first == "natural" else (cards[0], cards[0])
        for code in cards:
            self.bench.draw(code)
        self.go_on()

    @rule(spot=SPOTS, chips=CHIPS, zone=ZONE, ms=st.sampled_from([0, 50, 2000]))
    def lay(self, spot, chips, zone, ms):
        if self.has(chips):
            self.bench.place(spot, *chips, zone=zone)
        self.go_on(ms)

    @rule(spot=SPOTS, n=st.integers(0, 3), zone=ZONE, ms=st.sampled_from([0, 50, 2000]))
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

    @rule(way=st.sampled_from([{}, {"back": True}, {"ms": 8, "lag_ms": 3}, {"ms": 700}, {"inward": True}]),
          ms=st.sampled_from([0, 100, 500]))
    def edge(self, way, ms):
        self.bench.edge(**way)
        self.go_on(ms)

    @rule(kind=st.sampled_from(FAULTS + ("ok",) * 6), ms=st.sampled_from([0, 100, 500]))
    def shoe(self, kind, ms):
        self.bench.fault(shoe=kind)
        self.go_on(ms)
        if kind == "flood":  # as long as it takes to be noticed: every byte of it costs this test its time
            self.go_on(500)
            self.bench.fault(shoe="ok")

    @rule(frame=st.sampled_from([{"code": "9H"}, {"code": "AC"}, {"type": "CRD", "code": "KS"}, {"type": "BRN"},
                                 {"type": "MIS"}, {"type": "EDG"}, {"type": "HBT"}, {"type": "RTN"}]),
          ms=st.sampled_from([0, 200]))
    def frame(self, frame, ms):
        self.bench.frame(**frame)
        self.go_on(ms)

    # keys and commands

    @rule(key=KEYS, spot=ANY_SPOT)
    def key(self, key, spot):
        self.send("key " + key + ("" if key in NO_SPOT or not spot else " %d" % spot))

    @rule(code=st.sampled_from(CODES))
    def name(self, code):
        self.send("card " + code)

    @rule(number=st.integers(1, 14), spot=SPOTS, hand=st.integers(1, 2), to_dealer=st.booleans())
    def move(self, number, spot, hand, to_dealer):
        self.send("card %d to %s" % (number, "dealer" if to_dealer else "%d.%d" % (spot, hand)))

    @rule()
    def acknowledge_all(self):
        for id in list(self.book.open_alarms):
            self.bench.ok("ack %d" % id)
        self.go_on()

    @rule(line=WORDS)
    def say(self, line):
        self.send(line)

    @rule(low=st.integers(1, 20), high=st.integers(10, 500), soon=st.sampled_from(["", " in 3s", " in 1m"]))
    def change_limits(self, low, high, soon):
        self.send("limits set %d %d%s" % (low, high, soon))

    @rule(way=st.sampled_from(["open", "open", "close"]))
    def open_or_close(self, way):
        self.send(way)

    # extra bets

    @rule(key=st.sampled_from(["double", "double", "split", "split", "surrender", "return-excess", "make-change"]),
          spot=ANY_SPOT, cents=st.sampled_from(["due", "due", "due", "half", 0, 100, 1000, -500]),
          tip=st.booleans(), end=st.sampled_from(["confirm", "confirm", "confirm", "cancel", "undo", "nothing"]),
          ms=st.sampled_from([0, 2000]))
    @precondition(lambda self: self.bench.state == "LOCKED")
    def extra(self, key, spot, cents, tip, end, ms):
        """A key, chips that may be the right ones, before or after it, and an end that may be the wrong one."""
        hand = self.active()
        spot = spot or (hand.spot if hand else 1)
        self.send("key %s %d" % (key, spot))
        wager = (self.book.wagers or {}).get((spot, "main"), 0)
        if cents == "due" or cents == "half":
            cents = wager // (1 if cents == "due" else 2) if key in ("double", "split") else 0
        if cents > 0:
            self.lay_cents(spot, cents)
        elif cents < 0 and self.bench.lying(spot):
            self.bench.lift(spot, self.bench.lying(spot)[0])
        if tip and key == "double":
            self.lay_cents(spot, (self.book.wagers or {}).get((spot, "tip"), 0), zone="tip")
        self.go_on(ms)
        if end != "nothing":
            self.send("key " + end)
        self.go_on(2500)

    def active(self):
        deal = getattr(self.bench.round.game, "deal", None)
        return deal.active() if deal else None

    @rule(spots=st.lists(SPOTS, max_size=4, unique=True), how=st.sampled_from(["half", "half", "less", "more"]),
          even=st.booleans(), close=st.booleans())
    @precondition(lambda self: self.window and self.window.kind == "insurance")
    def insure(self, spots, how, even, close):
        for spot in spots:
            half = (self.book.wagers or {}).get((spot, "main"), 0) // 2
            self.lay_cents(spot, {"half": half, "less": half // 2, "more": half + 100}[how], zone="line")
        self.go_on(1500)
        if even:
            for spot in range(1, 8):
                self.send("key even-money %d" % spot)
        if close:
            self.send("key insurance-closed")
            self.go_on(1500)

    @rule(spots=st.lists(SPOTS, min_size=1, max_size=4, unique=True),
          how=st.sampled_from(["ante", "ante", "ante", "less", "more"]), fold=st.booleans())
    @precondition(lambda self: self.window and self.window.kind == "play")
    def play_or_fold(self, spots, how, fold):
        for spot in spots:
            ante = (self.book.wagers or {}).get((spot, "main"), 0)
            if not fold:
                self.lay_cents(spot, {"ante": ante, "less": ante // 2, "more": ante + 100}[how], zone="line")
            self.send("key %s %d" % ("fold" if fold else "play", spot))
        self.go_on(1500)

    @rule(spot=SPOTS, cents=st.sampled_from([1000, 1000, 5000, 100, 100_000]),
          steps=st.lists(st.sampled_from(["confirm", "confirm", "supervisor-confirm", "cancel", "undo"]), max_size=4),
          convert=st.booleans())
    @precondition(lambda self: self.profile == "gcb-blackjack")
    def oral(self, spot, cents, steps, convert):
        self.send("key oral %d %d" % (spot, cents // 100))
        for step in steps:
            self.send("key " + step + ("" if step == "undo" else " %d" % spot))
        if convert:
            self.lay_cents(spot, cents)
            self.go_on(2000)

    # a round to its end

    @rule(cards=st.lists(st.sampled_from(CODES), min_size=45, max_size=45), stand=st.integers(12, 20),
          extras=st.lists(st.sampled_from(["", "", "", "double", "tip-double", "split", "surrender"]), min_size=45,
                          max_size=45), void=st.integers(0, 60))
    @precondition(lambda self: self.bench.state in ("LOCKED", "EXTRA"))
    def play_out(self, cards, stand, extras, void):
        """The dealer pulls himself together and brings the round to its end."""
        bench, book = self.bench, self.book
        for spot, _ in sorted(book.undecided):
            self.send("key confirm %d" % spot)
            self.send("key supervisor-confirm %d" % spot)
        for i, (code, extra) in enumerate(zip(cards, extras)):
            if bench.state not in ("LOCKED", "EXTRA") or not bench.round.live or i == void:
                break
            if bench.state == "EXTRA":
                self.finish_window(extra)
                continue
            while any(c == "??" and to != "burn" for c, to in book.cards.values()) and not bench.error("card 5C"):
                self.go_on()
            hand = self.active()
            held = book.hand("%d.%d" % (hand.spot, hand.number)) if hand else []
            if extra and hand and len(held) == 2 and not bench.error("key %s %d" % (extra.split("-")[-1], hand.spot)):
                self.go_on()
                if extra != "surrender":
                    self.lay_cents(hand.spot, book.wagers.get((hand.spot, "main"), 0))
                if extra == "tip-double":
                    self.lay_cents(hand.spot, book.wagers.get((hand.spot, "tip"), 0), "tip")
                self.finish_window(extra)
            elif hand and "??" not in held and by_hand.worth(held) >= stand and not hand.doubled:
                self.send("key stand")
                if bench.round.game.deal.active() is hand:  # one card only
                    bench.draw(code)
            else:
                self.send("key reveal")
                if not book.revealed or bench.state == "LOCKED":
                    bench.draw(code)
            self.go_on()
        self.acknowledge_all()
        if bench.state in ("LOCKED", "EXTRA"):  # no wager, or a deal beyond help
            self.send("key void")
            self.send("key supervisor-confirm")
        self.acknowledge_all()
        for spot in list(bench.round.live):
            for zone in ("main", "tip", "line"):
                if bench.lying(spot, zone):
                    bench.lift(spot, zone=zone)
        self.go_on(2500)
        self.acknowledge_all()
        self.send("key settled")
        self.go_on(100)

    def finish_window(self, extra):
        window = self.window
        if not window:
            return
        if window.kind == "insurance":
            for spot in self.bench.round.live:
                if extra in ("double", "split") and not self.bench.lying(spot, "line"):
                    self.lay_cents(spot, self.book.wagers[spot, "main"] // 2, "line")
                elif extra == "surrender":
                    self.send("key even-money %d" % spot)
            self.go_on(1500)
            self.send("key insurance-closed")
        elif window.kind == "play":
            for spot in self.bench.round.game.open_spots():
                if extra:
                    self.lay_cents(spot, self.book.wagers[spot, "main"] - sum(self.bench.lying(spot, "line")), "line")
                    self.send("key play %d" % spot)
                    self.go_on(1500)
                self.send("key fold %d" % spot)
        else:
            self.send("key confirm")
            self.go_on(1500)
            self.send("key cancel")
        self.go_on(1500)

    # what must hold

    @invariant()
    def wagers_stand(self):
        """What the table holds as wager is what it told, until the spot is settled and cleared."""
        if self.book.wagers is None:
            return
        for (spot, kind), value in self.book.wagers.items():
            zone = self.bench.round.zone(spot, ("main", "tip").index(kind))
            if zone.phase != FREE:
                assert zone.value == value, (spot, kind)

    @invariant()
    def the_lamp_burns_while_an_alarm_is_open(self):
        assert self.bench.table.lamp_on == bool(self.book.open_alarms)

    def teardown(self):
        if hasattr(self, "bench"):
            self.go_on(3000)


class Dakota(Table):
    profile, limits, stake = "us-nd-twentyone", (300, 2500), 500
    options = {"tips": True, "tip_double": True, "even_money": True}


class Indiana(Table):
    options = {"even_money": True, "surrender": True}


class Commonwealth(Table):
    profile, options = "gcb-blackjack", {"dealer_natural_beats_21": False}
    terms = {"beats": False}


class ThreeCards(Table):
    profile = "us-in-three-card-poker"
    variant = {"packets": True}


# Shrinking a failure takes minutes: RANDOM_TABLE_SHRINK=1 asks for it. RANDOM_TABLE_EXAMPLES=2000 looks further.
PHASES = [Phase.generate] + ([Phase.shrink] if os.environ.get("RANDOM_TABLE_SHRINK") else [])
SETTINGS = settings(
    max_examples=int(os.environ.get("RANDOM_TABLE_EXAMPLES", "60")), stateful_step_count=50, deadline=None,
    derandomize="RANDOM_TABLE_EXAMPLES" not in os.environ, database=None, phases=PHASES,
    suppress_health_check=list(HealthCheck))
for machine in (Dakota, Indiana, Commonwealth, ThreeCards):
    machine.TestCase.settings = SETTINGS
TestDakota, TestIndiana = Dakota.TestCase, Indiana.TestCase
TestCommonwealth, TestThreeCards = Commonwealth.TestCase, ThreeCards.TestCase
del machine
