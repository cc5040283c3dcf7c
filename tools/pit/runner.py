"""Plays a scenario on a target, holds it against its expectations, and tells what happened."""

import hashlib

from pit import keys
from firstcard.core import money

from pit.errors import TableError

KEY_MS = 150  # one key of the keypad: down for 80 ms, then the next one is looked for
CARD_MS = 400  # table time that one drawn card takes
BOOT_MS = 20_000  # a table that is not CLOSED by then will not be
REPLY_MS = 10_000  # an operator line that is not answered by then will not be
ANSWER_MS = 500  # as long a person at the table looks for an answer
SETTLED_MS = 1_500  # a chip that lies this long before an edge is in a sweep before it on every target
LEAST_MS = 0.001  # less than 1 us is rounding: an emulated clock could not pass it
TAIL_MS = 500  # after the last step: events of its instant still come
BENCH_KEY = hashlib.sha256(b"firstcard bench, supervisor").hexdigest()  # in boards with mock sensors and emulated ones


class Outcome:
    """What became of one scenario: `failure` is None or the text that tells what was expected and what came."""

    def __init__(self, scenario):
        self.scenario = scenario
        self.events = []
        self.failure = None
        self.warnings = []
        self.figures = {}
        self.table_ms = 0


class Failed(Exception):
    """An expectation was not met; the text tells which, where and what came instead."""


class Runner:
    """One play of one scenario. `tell(kind, data)` is called as things happen, in order:

    kind "event" (dict), "reply" (dict), "step" (scenario.Step), "warning" (text), "time" (table ms; often).
    """

    def __init__(self, scenario, target, tell=lambda kind, data: None):
        self.scenario = scenario
        self.target = target
        self.tell = tell
        self.outcome = Outcome(scenario)
        self._next = 0  # index of the first event after the last matched one
        self._replies = []  # not yet matched
        self._fresh_replies = False  # an expectation has been met since the last line was sent
        self._unread = 0  # operator lines whose reply has not come yet
        self._placed = {}  # (spot, zone) -> table ms of the last chip laid and not yet seen as a `bet`
        self._seen = set()  # (spot, zone) of bets told since the table opened
        self._opened_ms = -SETTLED_MS  # table ms of an opening that lasts
        self._since = "the start"

    def play(self):
        """Start the target, play all steps, close it; returns the Outcome. Raises PitError if the table breaks."""
        try:
            setup = self.scenario.setup()
            setup["keys"] = {"supervisor": BENCH_KEY}
            self.target.start(setup)
            self._come_up()
            if self.scenario.login == "supervisor":
                self._log_in()
            for step in self.scenario.steps:
                self.tell("step", step)
                getattr(self, "_do_" + step.kind)(step)
            self._pass_time(TAIL_MS)
        except Failed as failed:
            self.outcome.failure = str(failed)
        finally:
            self.outcome.figures = self.target.figures()
            self.target.close()
        return self.outcome

    # time and what comes out of the table

    def _pass_time(self, ms, until=None):
        """Let table time pass, taking what comes; stops early when `until()` is true. Returns whether it became so."""
        end = self.target.now_ms + ms
        while True:
            if until and until():
                return True
            left = end - self.target.now_ms
            if left < LEAST_MS:
                break
            for item in self.target.advance(left):
                self._take(item)
            self.outcome.table_ms = self.target.now_ms
            self.tell("time", self.target.now_ms)
        for item in self.target.advance(0):
            self._take(item)
        return bool(until and until())

    def _take(self, item):
        if "reply" in item:
            self._unread -= 1
            self._replies.append(item)
            self.tell("reply", item)
            return
        self.outcome.events.append(item)
        if item["event"] == "bet":
            zone = (item.get("spot"), item.get("zone"))
            self._placed.pop(zone, None)
            self._seen.add(zone)
        elif item["event"] == "state":
            self._seen.clear()
            self._opened_ms = self.target.now_ms if item["state"] == "OPEN" else -SETTLED_MS
        self.tell("event", item)

    def _last(self, name, field):
        for event in reversed(self.outcome.events):
            if event["event"] == name:
                return event.get(field)
        return None

    # start

    def _come_up(self):
        if not self._pass_time(BOOT_MS, lambda: self._last("state", "state") == "CLOSED"):
            raise TableError(f"{self.scenario.path}: the table did not come up in {BOOT_MS // 1000} s of table time "
                             f"(events: {_names(self.outcome.events)})")

    def _log_in(self):
        nonce = self._ask("login supervisor")
        try:
            response = keys.answer(BENCH_KEY, "supervisor", nonce)
        except ValueError:
            raise TableError(f"login: the table's challenge is not hex: {nonce!r}")
        self._ask("answer " + response)

    def _ask(self, line):
        """Send a line and wait for its OK; returns the values behind it."""
        self._send(line)
        if not self._pass_time(REPLY_MS, lambda: not self._unread):
            raise TableError(f"the table does not answer `{line.split()[0]}`")
        reply = self._replies.pop()
        if reply["reply"] != "ok":
            raise TableError(f"the table refuses `{line.split()[0]}`: {reply['text']}")
        return reply["text"]

    def _send(self, line):
        if self._fresh_replies:
            self._replies.clear()
            self._fresh_replies = False
        self._unread += 1
        self.target.do({"line": line})

    # steps

    def _type(self, line):
        """A person types a line and looks at the answer before doing anything else; a dead console gives none."""
        self._send(line)
        self._pass_time(ANSWER_MS, lambda: not self._unread)

    def _do_open(self, step):
        self._type("open")

    def _do_close(self, step):
        self._type("close")

    def _do_send(self, step):
        self._type(step.args["line"])

    def _do_key(self, step):
        args = step.args
        if args["name"] == "ack":
            self._type(f"ack {args['id']}")
            return
        words = ["key", args["name"]]
        if "spot" in args:
            words.append(str(args["spot"]))
        if "amount" in args:
            words.append(money.show(args["amount"]))  # files hold cents, operators type dollars
        self._type(" ".join(words))

    def _do_press(self, step):
        for key in step.args["keys"]:
            self.target.do({"press": key})
            self._pass_time(KEY_MS)

    def _do_turn(self, step):
        self.target.do({"turn": step.args["on"]})
        self._pass_time(KEY_MS)

    def _do_place(self, step):
        if step.args["spot"]:  # what lies in the tray is not told
            self._placed[step.args["spot"], step.args["zone"]] = self.target.now_ms
        self.target.do({"place": step.args})

    def _do_remove(self, step):
        self._warn_unseen(step)
        self.target.do({"remove": step.args})

    def _do_wait(self, step):
        self._pass_time(step.args["ms"])

    def _do_draw(self, step):
        for card in step.args["cards"]:
            self._warn_young(step)
            self.target.do({"draw": card})
            self._pass_time(CARD_MS)

    def _do_edge(self, step):
        self._warn_young(step)
        self.target.do({"edge": step.args})

    def _do_frame(self, step):
        self._warn_young(step)
        self.target.do({"frame": step.args})

    def _do_fault(self, step):
        self.target.do({"fault": step.args})
        if step.args.get("power") == "restore":
            seen = len(self.outcome.events)
            if not self._pass_time(BOOT_MS, lambda: any(e["event"] == "plaque" for e in self.outcome.events[seen:])):
                raise TableError(f"{self._at(step)}: the table did not come up again in {BOOT_MS // 1000} s")
            self._pass_time(ANSWER_MS)
            if self.scenario.login == "supervisor":
                self._log_in()

    def _warn_young(self, step):
        """A chip laid just before a lock may or may not be in the sweep before it, and targets may differ."""
        young = [place for place, at in self._placed.items() if self.target.now_ms - at < SETTLED_MS]
        self._placed.clear()
        if young and self._last("state", "state") == "OPEN":
            where = ", ".join(f"spot {spot} {zone}" for spot, zone in young)
            text = (f"{self._at(step)}: chips on {where} lie less than {SETTLED_MS} ms: targets may differ; "
                    f"write `- wait: {SETTLED_MS}` before this step, or expect their `bet`")
            self._warn(text)

    def _warn_unseen(self, step):
        """Chips lifted just after an opening may or may not be in its first sweep, and targets may differ."""
        zone = (step.args["spot"], step.args["zone"])
        if zone[0] and zone not in self._seen and self.target.now_ms - self._opened_ms < SETTLED_MS:
            self._warn(f"{self._at(step)}: the table opened less than {SETTLED_MS} ms ago and has not told the bet on "
                       f"spot {zone[0]} {zone[1]}: targets may differ; expect its `bet` before this step")

    def _warn(self, text):
        self.outcome.warnings.append(text)
        self.tell("warning", text)

    # expectations

    def _do_expect(self, step):
        fields, within = step.args["fields"], step.args["within_ms"]
        found = self._find_reply if "reply" in fields else self._find_event
        if not self._pass_time(within, lambda: found(fields)):
            raise Failed(self._report(step, f"expected {_words(fields)} within {within} ms"))
        self._since = f"line {step.line}"
        self._fresh_replies = True

    def _do_expect_none(self, step):
        fields, within = step.args["fields"], step.args["within_ms"]
        at, replies = self._next, list(self._replies)
        found = self._find_reply if "reply" in fields else self._find_event
        if self._pass_time(within, lambda: found(fields)):
            self._next, self._replies = at, replies
            raise Failed(self._report(step, f"expected no {_words(fields)} within {within} ms"))

    def _find_event(self, fields):
        """Consume the next event that matches, with all before it."""
        for at in range(self._next, len(self.outcome.events)):
            if matches(self.outcome.events[at], fields):
                self._next = at + 1
                return True
        return False

    def _find_reply(self, fields):
        for at, reply in enumerate(self._replies):
            if matches(reply, fields):
                del self._replies[:at + 1]
                return True
        return False

    def _at(self, step):
        return f"{self.scenario.path}:{step.line}"

    def _report(self, step, text):
        lines = [f"{self._at(step)}: {text}; since {self._since} came:"]
        lines += [f"    {_words(event)}" for event in self.outcome.events[self._next:]]
        lines += [f"    reply {reply['reply']} {reply['number'] or ''} {reply['text']}" for reply in self._replies]
        return "\n".join(lines if len(lines) > 1 else [lines[0] + " nothing"])


def matches(item, fields):
    """True if `item` has all of `fields` with these very values (1 is not true, 0 is not false)."""
    return all(name in item and item[name] == value and isinstance(item[name], bool) == isinstance(value, bool)
               for name, value in fields.items())


def _words(fields):
    return " ".join(f"{name}={value}" if name != "event" else str(value) for name, value in fields.items())


def _names(events):
    return " ".join(event["event"] for event in events) or "none"
