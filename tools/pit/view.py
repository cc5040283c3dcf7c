"""What a table is known to be, put together from its events and from its answers; what `pit console` and `status` show.

Amounts are cents, times the table's ms. Nothing is guessed: what has not been told yet is None or missing.
"""

from functools import cache

from pit import texts
from pit.operator import fields
from pit.timeline import sentence

LOG_LINES = 500
STATE_WORDS = {"SAFE": "testing itself", "CLOSED": "closed", "OPEN": "open for bets", "LOCKED": "bets are locked",
               "EXTRA": "extra bets", "SETTLE": "settling"}


def cents(text):
    """`25.00`, `25` or `-2.50` dollars as cents; None for `-`."""
    if text in ("-", "", None):
        return None
    whole, _, part = text.lstrip("-").partition(".")
    value = int(whole) * 100 + int((part + "00")[:2])
    return -value if text.startswith("-") else value


@cache
def _texts():
    return texts.parse(texts.SOURCE.read_text(encoding="utf-8"))


def fault_text(code):
    """What a fault means and what to do, as the table's own events say it."""
    return _texts().get(f"fault.{code}", "this version of pit does not know it: see the console")


class View:
    """One table. `bets`: (spot, zone) -> event of what lies there; `alarms`, `faults`: by id and code."""

    def __init__(self):
        self.identity = {}
        self.figures = {}  # heap, counters: what `status` says beyond the state
        self.state = None
        self.round = 0
        self.limits = None  # (min, max)
        self.pending = None  # {"min", "max", "due_ms"}
        self.plaque = None  # the last plaque event
        self.bets = {}
        self.wagers = {}  # (spot, zone) -> locked cents, while a round runs
        self.prompt = ""
        self.role = ""  # who is logged in, as far as it was told
        self.alarms = {}
        self.faults = {}
        self.last_ms = None  # of the newest event
        self.log = []  # (ms, name, text)

    def event(self, e):
        """Take one event in; a line of the log comes with it."""
        self.last_ms = e.get("ms", self.last_ms)
        taker = getattr(self, "_on_" + e["event"].replace("-", "_"), None)
        if taker:
            taker(e)
        self.say(e.get("ms"), e["event"], sentence(e))

    def say(self, ms, name, text):
        self.log.append((ms, name, text))
        del self.log[:-LOG_LINES]

    def _on_boot(self, e):
        self.bets, self.wagers, self.alarms, self.faults = {}, {}, {}, {}
        self.prompt = self.role = ""

    def _on_state(self, e):
        self.state, self.round = e["state"], e["round"]
        if e["state"] in ("CLOSED", "OPEN"):
            self.prompt, self.wagers = "", {}

    def _on_lock(self, e):
        self.wagers = {(one["spot"], one["zone"]): one["value"] for one in e["wagers"]}

    def _on_limits(self, e):
        self.limits, self.pending = (e["min"], e["max"]), e.get("pending")

    def _on_plaque(self, e):
        self.plaque = e

    def _on_bet(self, e):
        if e["verdict"] == "empty":
            self.bets.pop((e["spot"], e["zone"]), None)
        else:
            self.bets[e["spot"], e["zone"]] = e

    def _on_prompt(self, e):
        self.prompt = sentence(e)

    def _on_extra(self, e):
        self.prompt = ""

    def _on_alarm(self, e):
        self.alarms[e["id"]] = e

    def _on_alarm_cleared(self, e):
        self.alarms.pop(e["id"], None)

    def _on_login(self, e):
        self.role = e["role"]

    def _on_logout(self, e):
        self.role = ""

    def _on_fault(self, e):
        self.faults[e["code"]] = e.get("text", "")

    def _on_fault_cleared(self, e):
        self.faults.pop(e["code"], None)

    def ask(self, table):
        """Fill in what a table says of itself when asked. `table`: pit.operator.Operator."""
        self.identity = table.identity()
        answer = table.ask("status")
        self.figures = fields(answer.text)
        self.state = self.figures.pop("state", None)
        self.round = int(self.figures.pop("round", 0))
        self.faults = {row.split()[1]: fault_text(row.split()[1]) for row in answer.rows if row.startswith("fault ")}
        self.take_limits(table.command("limits"))
        self.bets = {}
        for row in table.ask("bets").rows:
            bet = fields(row)
            spot = int(bet["spot"])
            self.bets[spot, bet["zone"]] = {"spot": spot, "zone": bet["zone"], "sum": cents(bet["sum"]),
                                            "value": cents(bet["value"]), "verdict": bet["verdict"],
                                            "chips": int(bet["chips"])}
        self.wagers = {place: bet["value"] for place, bet in self.bets.items() if bet["verdict"] == "locked"}
        self.alarms = {}
        for row in table.ask("alarms").rows:
            alarm = fields(row)
            spot = alarm["spot"]
            self.alarms[int(alarm["id"])] = {"id": int(alarm["id"]), "kind": alarm["kind"],
                                             "spot": int(spot) if spot.isdigit() else None, "zone": alarm["zone"],
                                             "by": cents(alarm["by"]), "text": ""}

    def take_limits(self, text):
        """What the command `limits` answers."""
        told = fields(text)
        self.limits = (cents(told["min"]), cents(told["max"])) if "min" in told else None
        self.pending = None
        if "pending_min" in told:
            self.pending = {"min": cents(told["pending_min"]), "max": cents(told["pending_max"]),
                            "due_ms": int(told.get("due_ms", 0))}

    def as_json(self):
        """For a script: everything but the log."""
        return {"id": self.identity, "state": self.state, "round": self.round,
                "limits": self.limits and {"min": self.limits[0], "max": self.limits[1]}, "pending": self.pending,
                "bets": [self.bets[place] for place in sorted(self.bets)],
                "alarms": [self.alarms[number] for number in sorted(self.alarms)],
                "faults": sorted(self.faults), "figures": self.figures}
