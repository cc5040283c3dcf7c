"""The event contract as a check that shares nothing with the code: hold a stream of events against it.

Written from the table of events, not from core.events or pit.contract, so that a slip in those does not hide itself.
Further fields and further event names are allowed; a missing field, a wrong type or an unknown word is not.
"""

import re

STATE = set("SAFE CLOSED OPEN LOCKED EXTRA SETTLE".split())
ZONE = {"main", "tip", "line"}
VERDICT = set("""ok under over unit unreadable unknown-chip duplicate-chip revoked wrong-house not-allowed amount oral
    empty""".split())
ALARM = VERDICT | set("""increase decrease swap late-bet late-tip early-line late-line no-window-line line-amount
    no-wager-card no-taker over-limit under-limit moved duplicate-chip unknown-chip duplicate-card card-while-closed
    shoe-mismatch""".split())
PROMPT = set("""insurance even-money split double play fold-cards amount return-excess make-change convert unsettled
    card surrender tip stack settle""".split())
EXTRA = set("""insurance double split surrender even-money tip-double play fold return-excess make-change
    oral-converted""".split())
BET = set("main double insurance tip ante play bonus".split())
OUTCOME = set("win lose push blackjack surrender even-money fold void".split())
CODE = re.compile(r"[2-9TJQKA][SHDC]|\?\?|\*\*")
TAKER = re.compile(r"\d+\.\d+|dealer|burn")


def number(v):
    return type(v) is int


def cents(v):
    return type(v) is int and v >= 0


def spot(v):
    return type(v) is int and v >= 1


def text(v):
    return isinstance(v, str)


def yes_no(v):
    return type(v) is bool


def pending(v):
    return v is None or set(v) == {"min", "max", "due_ms"} and all(number(x) for x in v.values())


def wagers(v):
    """Main and tip zones with chips, in the order spot, zone."""
    places = [(w.get("spot"), ("main", "tip").index(w.get("zone"))) for w in v]
    return places == sorted(set(places)) and all(set(w) == {"spot", "zone", "value"} and cents(w["value"]) for w in v)


FIELDS = {
    "boot": {"cause": text, "mode": text, "profile": text, "version": text},
    "state": {"state": STATE, "round": number},
    "limits": {"min": cents, "max": cents, "pending": pending, "by": text},
    "plaque": {"min": cents, "max": cents, "colour": text, "proven": yes_no},
    "bet": {"spot": spot, "zone": ZONE, "sum": cents, "value": cents, "excess": cents, "verdict": VERDICT,
            "chips": cents},
    "lock": {"round": number, "cause": {"edge", "frame"}, "us": number, "wagers": wagers},
    "unsettled": {"spot": spot, "zone": ZONE, "before": cents, "after": cents},
    "unsettled-decided": {"spot": spot, "value": cents, "by": text},
    "card": {"n": spot, "code": CODE, "to": TAKER},
    "prompt": {"kind": PROMPT, "text": text},
    "extra": {"kind": EXTRA, "spot": spot, "amount": cents},
    "alarm": {"id": spot, "kind": ALARM, "text": text},
    "alarm-cleared": {"id": spot, "by": text},
    "settle": {"spot": spot, "hand": spot, "bet": BET, "outcome": OUTCOME, "stake": cents, "returned": cents,
               "won": cents, "to": {"player", "tip-box", "tray"}},
    "settle-withdrawn": {"spot": spot, "hand": spot, "bet": BET, "stake": cents},
    "round": {"round": number, "result": {"complete", "void"}},
    "fault": {"code": text, "text": text},
    "fault-cleared": {"code": text},
    "notice": {"kind": {"misdeal", "void", "no-wager"}, "text": text},
    "key-switch": {"on": yes_no},
    "refused": {"command": text, "number": number, "text": text},
}
OPTIONAL = {
    "prompt": {"spot": spot, "amount": number},
    "alarm": {"spot": spot, "zone": ZONE, "by": number, "seen": {"reinserted", "double-card"}},
    "extra": {"hand": spot},
}


def _fits(value, rule):
    if callable(rule):
        return rule(value)
    return isinstance(value, str) and (value in rule if isinstance(rule, set) else bool(rule.fullmatch(value)))


def faults_of(event, previous=None):
    """What is wrong with one event, as a list of texts; `previous` is the one told before it, or None.

    Nothing is dropped on a simulated table, so `seq` grows by exactly one; `ms` never runs back.
    """
    wrong = [f"{name} is {event.get(name)!r}" for name, rule in (("seq", number), ("ms", cents), ("event", text))
             if not rule(event.get(name))]
    if wrong:
        return wrong
    if previous and event["seq"] != previous["seq"] + 1:
        wrong.append(f"seq {event['seq']} follows {previous['seq']}")
    if previous and event["ms"] < previous["ms"]:
        wrong.append(f"ms {event['ms']} follows {previous['ms']}")
    for name, rule in FIELDS.get(event["event"], {}).items():
        if name not in event:
            wrong.append(f"{name} is missing")
        elif not _fits(event[name], rule):
            wrong.append(f"{name} is {event[name]!r}")
    for name, rule in OPTIONAL.get(event["event"], {}).items():
        if event.get(name) is not None and not _fits(event[name], rule):
            wrong.append(f"{name} is {event[name]!r}")
    return wrong
