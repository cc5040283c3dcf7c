"""The steps of a scenario file: one reader a kind, each checks its shape and returns what the runner needs."""

import json

from firstcard.core import keypad
from firstcard.core.events import REVOKED, WRONG_HOUSE
from pit import contract
from pit.scenario import Step
from pit.scenario_watch import MAX_WAIT_MS, read_expect, read_fault, read_zone

UNKNOWN_CHIP = "?"  # in `chips`: a chip that the registry does not know
BAD_CHIPS = {"wrong-house": WRONG_HOUSE, "revoked": REVOKED}  # one that it knows to be worth nothing
PLAIN, SHIFTED = keypad.names(keypad.PLAIN), keypad.names(keypad.SHIFTED)
MAX_LINE = 96  # bytes of an operator line


def read_steps(check, value):
    """List of Step; problems are noted in `check` (scenario.Checker)."""
    if not isinstance(value.data, list):
        check.wrong(value.line, "steps is not a list: write each step on a line of its own that starts with `- `")
        return []
    steps = (read_step(check, one) for one in value.data)
    return [step for step in steps if step]


def read_step(check, value):
    """The Step of one value, or None with a problem noted in `check`."""
    if isinstance(value.data, str):
        kind, arg = value.data, None
    elif isinstance(value.data, dict) and len(value.data) == 1:
        kind, arg = next(iter(value.data.items()))
    else:
        return check.wrong(value.line, f"{value.plain()!r} is no step: write one step after each `- `, "
                                       "like `- wait: 1500`")
    if kind not in READERS:
        return check.unknown(value.line, f"{kind!r} is no step", kind, tuple(READERS))
    reader, needs_arg = READERS[kind]
    if arg is None and needs_arg:
        return check.wrong(value.line, f"`{kind}` needs a value: write `- {kind}: {needs_arg}`")
    args = reader(check, arg, value.line)
    if args is None:
        return None
    text = kind if arg is None else f"{kind}: {_short(arg.plain())}"
    return Step(kind, args, value.line, text)


def _short(data):
    return data if isinstance(data, str) else json.dumps(data, ensure_ascii=False).replace('"', "")


def _bare(check, arg, line):
    if arg is not None and arg.data is not None:
        return check.wrong(line, "`open` and `close` take no value: write `- open`")
    return {}


def _values(check, fields):
    """List of cents, None for an unknown chip, a value of BAD_CHIPS; or None where `chips` is left out."""
    if "chips" not in fields:
        return None
    out = []
    for one in check.items(fields["chips"]):
        if one.data == UNKNOWN_CHIP:
            out.append(None)
        elif isinstance(one.data, str) and one.data in BAD_CHIPS:
            out.append(BAD_CHIPS[one.data])
        elif check.number(one, 1, None, "a chip's value (cents; '?' is an unknown chip, or revoked, wrong-house)"):
            out.append(one.data)
    return out


def _uids(check, fields):
    """List of UIDs in the order of the air, or None where `uids` is left out."""
    if "uids" not in fields:
        return None
    out = []
    for one in check.items(fields["uids"]):
        try:
            out.append(check.chips.named(one.data))
        except (TypeError, ValueError):
            check.wrong(one.line, f"{one.plain()!r} is no UID: write {check.chips.shape} as printed, in quotes, "
                                  "like 'E004010012345678'")
    return out


def _place(check, arg, line):
    fields = check.fields(arg, ("spot", "zone", "chips", "uids"), "place")
    if fields is None:
        return None
    before = len(check.problems)
    (spot, zone), values, uids = read_zone(check, fields, line), _values(check, fields), _uids(check, fields)
    if len(check.problems) > before:
        return None
    if not values and not uids:
        return check.wrong(line, "place names no chips: add chips: [500] (cents) or uids: [...]")
    if values and uids and len(values) != len(uids):
        return check.wrong(line, f"{len(values)} chips but {len(uids)} uids: give a UID for each chip")
    for uid, value in zip(uids or (), values or ()):
        known = check.chips.conflict(uid, value)
        if known:
            return check.wrong(line, f"this UID already is a chip of {known}: a chip has one value")
    return {"spot": spot, "zone": zone, "uids": check.chips.place(spot, zone, values, uids)}


def _remove(check, arg, line):
    fields = check.fields(arg, ("spot", "zone", "chips", "uids", "all"), "remove")
    if fields is None:
        return None
    before = len(check.problems)
    (spot, zone), values, uids = read_zone(check, fields, line), _values(check, fields), _uids(check, fields)
    if len(check.problems) > before:
        return None
    ways = [name for name in ("chips", "uids", "all") if name in fields]
    if len(ways) != 1:
        return check.wrong(line, "remove needs one of chips: [..], uids: [..] or all: true")
    if ways == ["all"]:
        if fields["all"].data is not True:
            return check.wrong(line, "write all: true, or name the chips")
        check.chips.clear(spot, zone)
        return {"spot": spot, "zone": zone, "uids": None}
    return _take(check, line, spot, zone, values, uids)


def _name(value):
    """A chip as it is written in a file."""
    return UNKNOWN_CHIP if value is None else next((word for word in BAD_CHIPS if BAD_CHIPS[word] == value), str(value))


def _take(check, line, spot, zone, values, uids):
    lying = ", ".join(_name(value) for value in check.chips.lying(spot, zone))
    taken = []
    for value in values or ():
        uid = check.chips.take(spot, zone, value)
        if uid is None:
            return check.wrong(line, f"no chip of {_name(value)} lies on spot {spot} {zone} here "
                                     f"(there: {lying or 'none'})")
        taken.append(uid)
    for uid in uids or ():
        if not check.chips.take_uid(spot, zone, uid):
            return check.wrong(line, f"this chip does not lie on spot {spot} {zone} here (there: {lying or 'none'})")
        taken.append(uid)
    return {"spot": spot, "zone": zone, "uids": taken}


def _wait(check, arg, line):
    ms = check.number(arg, 0, MAX_WAIT_MS, "wait (ms)")
    return None if ms is None else {"ms": ms}


def _code(check, value):
    """A card's code as a shoe may report it, `??` included; None with a problem."""
    if value.data == contract.MISREAD or value.data in contract.CODES:
        return value.data
    return check.wrong(value.line, f"{value.plain()!r} is no card: write rank {contract.RANKS} and suit "
                                   f"{contract.SUITS} in quotes, like 'TH', or '??' for a misread")


def _draw(check, arg, line):
    cards = []
    for one in check.items(arg):
        if isinstance(one.data, dict):
            fields = check.fields(one, ("code", "to"), "a card", required=("code",))
            if fields is None:
                return None
            card = {"code": _code(check, fields["code"])}
            if "to" in fields:
                card["to"] = check.word(fields["to"], ("burn",), "place for a card")
        else:
            card = {"code": _code(check, one)}
        if None in card.values():
            return None
        cards.append(card)
    return {"cards": cards} if cards else check.wrong(line, "draw names no card: write draw: [TH]")


def _edge(check, arg, line):
    """Args of pit.emu.beams.Beams.edge."""
    if arg is None or arg.data is None:
        return {}
    fields = check.fields(arg, ("return", "in", "ms", "lag"), "edge")
    if fields is None:
        return None
    args = {}
    for field, name in (("return", "back"), ("in", "inward")):
        if field in fields:
            if type(fields[field].data) is not bool:
                return check.wrong(line, f"write `edge: {{{field}: true}}`, or `edge` alone for a card that leaves")
            args[name] = fields[field].data
    for field, name in (("ms", "ms"), ("lag", "lag_ms")):
        if field in fields:
            args[name] = check.number(fields[field], 1, MAX_WAIT_MS, f"{field} of edge (ms)")
    return None if None in args.values() else args


def _frame(check, arg, line):
    if isinstance(arg.data, dict) and "type" in arg.data:
        kind = check.word(arg.data["type"], tuple(contract.FRAMES), "OTS-1 frame")
        if kind is None:
            return None
        fields = check.fields(arg, ("type",) + contract.FRAMES[kind], f"frame {kind}")
        return None if fields is None else {name: value.plain() for name, value in fields.items()}
    fields = check.fields(arg, ("code",), "frame", required=("code",))
    code = fields and _code(check, fields["code"])
    return {"code": code} if code else None


def _key(check, arg, line):
    names = contract.DEALER_KEYS + contract.SUPERVISOR_KEYS
    if not isinstance(arg.data, dict):
        name = check.word(arg, names, "key")
        if name == "ack":
            return check.wrong(line, "ack needs the alarm's number: write key: {name: ack, id: 1}")
        return {"name": name} if name else None
    fields = check.fields(arg, ("name", "spot", "amount", "id"), "key", required=("name",))
    name = fields and check.word(fields["name"], names, "key")
    if not name:
        return None
    if (name == "ack") != ("id" in fields):
        return check.wrong(line, "ack takes the alarm's number, and no other key does: write key: {name: ack, id: 1}")
    args = {"name": name}
    for field, high in (("spot", check.board.SPOTS), ("amount", None), ("id", None)):
        if field in fields:
            args[field] = check.number(fields[field], 1, high, field)
    if "amount" in args and "spot" not in args:
        return check.wrong(line, "an amount needs its spot: add `spot`")
    return None if None in args.values() else args


def _press(check, arg, line):
    """Keys of the dealer's keypad, in order: names as in `key`, `shift` is put in; a number is its digits."""
    keys = []
    for one in check.items(arg):
        typed = str(one.data)
        for name in typed if typed.isdigit() else (typed,):
            if name in PLAIN:
                keys.append(PLAIN.index(name))
            elif name in SHIFTED and name != "-":
                keys += [PLAIN.index("shift"), SHIFTED.index(name)]
            else:
                return check.unknown(one.line, f"{name!r} is no key of the keypad", name,
                                     contract.DEALER_KEYS + contract.SUPERVISOR_KEYS)
    return {"keys": keys} if keys else check.wrong(line, "press names no key: write press: [3, double]")


def _turn(check, arg, line):
    if type(arg.data) is not bool:
        return check.wrong(line, "write `turn: true` for the supervisor's key switch, `turn: false` to turn it back")
    return {"on": arg.data}


def _send(check, arg, line):
    text = arg.data
    if not isinstance(text, str) or not text.isascii() or not text.isprintable() or len(text) > MAX_LINE:
        return check.wrong(line, f"send takes one operator line, printable ASCII, at most {MAX_LINE} characters, "
                                 "like `- send: limits set 10 200`")
    return {"line": text}


READERS = {  # kind: (reader, an example of its value, or "" where none is needed)
    "open": (_bare, ""),
    "close": (_bare, ""),
    "place": (_place, "{spot: 3, zone: main, chips: [2500]}"),
    "remove": (_remove, "{spot: 3, zone: main, all: true}"),
    "wait": (_wait, "1500"),
    "draw": (_draw, "[TH, KD]"),
    "edge": (_edge, ""),
    "frame": (_frame, "{code: 9C}"),
    "key": (_key, "stand"),
    "press": (_press, "[3, double]"),
    "turn": (_turn, "true"),
    "send": (_send, "limits set 10 200"),
    "fault": (read_fault, "{reader: 3, kind: silent}"),
    "expect": (read_expect, "{event: alarm, kind: increase, spot: 3}"),
    "expect_none": (read_expect, "{event: alarm, within: 2000}"),
}
