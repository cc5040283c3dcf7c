"""A round for people: one line an event, the plaque in colour whenever it changes."""

from dataclasses import dataclass

from rich.text import Text

from pit import plaque

STYLES = {"alarm": "bold red", "fault": "bold red", "refused": "red", "lock": "bold red", "settle": "bold",
          "prompt": "yellow", "state": "cyan", "plaque": "green", "alarm-cleared": "green",
          "error": "red"}
_SPOKEN = {"event", "seq", "ms"}
FOLLOW_MS = 500  # the strip may be drawn this much later than the event tells; after that it is shown as it is


def dollars(cents):
    """25.00 as people write it: `$25`, or `$2.50`."""
    sign, cents = ("-", -cents) if cents < 0 else ("", cents)
    return f"{sign}${cents // 100:,}" + (f".{cents % 100:02d}" if cents % 100 else "")


def sentence(event):
    """What an event says, without its name and time."""
    teller = _TELLERS.get(event["event"])
    try:
        return teller(event) if teller else _plain(event)
    except (KeyError, TypeError):
        return _plain(event)  # an event that departs from the contract is still shown


def _plain(event):
    return " ".join(f"{name}={value}" for name, value in event.items() if name not in _SPOKEN)


def _place(event):
    spot = f"spot {event['spot']}" if event.get("spot") else ""
    zone = event.get("zone")
    return spot + (f" {zone}" if zone and zone != "main" else "")


def _bet(e):
    if e["verdict"] == "empty":
        return f"{_place(e)}: empty"
    verdict = "" if e["verdict"] == "ok" else f": {e['verdict']}, counts {dollars(e['value'])}"
    return f"{_place(e)}: {dollars(e['sum'])} in {e['chips']} chip{'s' * (e['chips'] != 1)}{verdict}"


def _lock(e):
    wagers = ", ".join(f"spot {w['spot']}{'' if w['zone'] == 'main' else ' ' + w['zone']} {dollars(w['value'])}"
                       for w in e["wagers"])
    return f"BETS LOCKED by {e['cause']} at {e['us']} us: {wagers or 'no wagers'}"


def _limits(e):
    pending = e.get("pending")
    later = f"; next: {dollars(pending['min'])} to {dollars(pending['max'])}" if pending else ""
    return f"{dollars(e['min'])} to {dollars(e['max'])}{later}"


def _alarm(e):
    by = f" by {'+' * (e['by'] > 0)}{dollars(e['by'])}" if e.get("by") is not None else ""
    return f"#{e['id']} {e.get('seen') or e['kind']}{by} {'on ' + _place(e) if e.get('spot') else ''} - {e['text']}"


def _settle(e):
    hand = f" hand {e['hand']}" if e["hand"] != 1 else ""
    paid = f"{dollars(e['returned'])} back, {dollars(e['won'])} won" if e["returned"] or e["won"] else "nothing back"
    return f"{_place(e)}{hand} {e['bet']}: {e['outcome']} on {dollars(e['stake'])}, {paid}"


_TELLERS = {
    "boot": lambda e: f"firstcard {e['version']}, {e['profile']}, {e['cause']}",
    "state": lambda e: f"{e['state']}, round {e['round']}",
    "limits": _limits,
    "plaque": lambda e: f"{dollars(e['min'])} to {dollars(e['max'])}, {e['colour']}"
                        + ("" if e["proven"] else " (not proven)"),
    "bet": _bet,
    "lock": _lock,
    "card": lambda e: f"{e['n']}: {e['code']} to {e['to']}",
    "prompt": lambda e: " ".join(filter(None, (e["kind"], _place(e), e["text"]))),
    "notice": lambda e: f"{e['kind']} {e['text']}",
    "alarm": _alarm,
    "alarm-cleared": lambda e: f"#{e['id']} by {e['by']}",
    "settle": _settle,
    "settle-withdrawn": lambda e: f"{_place(e)} hand {e['hand']} {e['bet']}: {dollars(e['stake'])} was not lost",
    "round": lambda e: f"{e['round']} {e['result']}",
    "fault": lambda e: f"{e['code']} {e['text']}",
    "key-switch": lambda e: "supervisor's key " + ("turned" if e["on"] else "back"),
    "refused": lambda e: f"{e['command']}: {e['number']} {e['text']}",
}


@dataclass
class Row:
    """One row of a time line: something said (`name`, `text`), or the plaque (`leds`). `ms` is None for a step."""

    ms: int | None
    name: str
    text: str = ""
    leds: list | None = None


class Timeline:
    """Prints a play as it happens (give `tell` to a Runner) and keeps its rows for a picture.

    `target`: a Target whose LEDs can be seen, or None. `spots`: LEDs in front of the plaque's digits.
    """

    def __init__(self, console, target=None, spots=7):
        self.rows = []
        self._console = console
        self._target = target
        self._spots = spots
        self._shown = None
        self._stale = None  # the last plaque event, until it is drawn

    def tell(self, kind, data):
        if kind == "event":
            self._row(Row(data["ms"], data["event"], sentence(data)))
            if data["event"] == "plaque":
                self._stale = data
        elif kind == "step":
            if data.kind not in ("expect", "expect_none", "wait"):
                self._row(Row(None, "", f"> {data.text}"))
        elif kind == "reply" and data["reply"] == "error":
            self._row(Row(data["ms"], "error", f"{data['number']} {data['text']}"))
        elif kind == "warning":
            self._console.print(Text(f"warning: {data}", style="yellow"), soft_wrap=True)
        elif kind == "time":
            self._plaque(data)

    def _row(self, row):
        self.rows.append(row)
        if row.leds:
            for part in plaque.rows(row.leds, self._spots):
                self._console.print(Text(" " * 25) + part, soft_wrap=True)
            return
        when = f"{row.ms / 1000:9.3f}" if row.ms is not None else " " * 9
        style = "dim" if row.ms is None else ""
        line = Text.assemble((when, "dim"), "  ", (f"{row.name:<14}", STYLES.get(row.name, "")), (row.text, style))
        self._console.print(line, soft_wrap=True)

    def _plaque(self, now_ms):
        """Draw the plaque if it has changed since it was last drawn: the real LEDs, once they follow the event."""
        if not self._stale:
            return
        event = self._stale
        leds = list(self._target.leds()) if self._target else []
        if not leds:
            leds = plaque.picture(event["min"], event["max"], event["colour"], self._spots)
        elif plaque.shown(leds) != (event["min"], event["max"], event["colour"]) and now_ms - event["ms"] < FOLLOW_MS:
            return
        self._stale = None
        if leds != self._shown:
            self._shown = leds
            self._row(Row(now_ms, "plaque", leds=leds))
