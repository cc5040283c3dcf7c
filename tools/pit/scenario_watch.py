"""The steps of a scenario file that watch the table or break it: expect, expect_none, fault."""

from pit import contract

EXPECT_MS = 10_000  # how long `expect` waits, and `expect_none` watches, in table time
MAX_WAIT_MS = 3_600_000
TRAY = "tray"


def read_zone(check, fields, line):
    """(spot, zone) of a step's fields; zone is `main` where it is left out. The tray is of no spot: 0."""
    if "zone" in fields and fields["zone"].data == TRAY and check.board.TRAY_ANTENNA:
        return 0, TRAY
    if "spot" not in fields:
        return check.wrong(line, "add `spot`: only the tray (zone: tray) has none"), None
    spot = check.number(fields["spot"], 1, check.board.SPOTS, "spot")
    zone = check.word(fields["zone"], check.board.ZONES, "zone") if "zone" in fields else "main"
    return spot, zone


def read_fault(check, arg, line):
    what = arg.data if isinstance(arg.data, dict) else {}
    if "reader" in what or "spot" in what:
        return _reader_fault(check, arg, line)
    names = [name for name in what if name in contract.FAULTS]
    if len(what) != 1 or len(names) != 1:
        return check.wrong(line, "a fault is {reader: n, kind: silent}, or one of "
                                 "{shoe: ...}, {plaque: ...}, {store: ...}, {power: cut}")
    kind = check.word(what[names[0]], contract.FAULTS[names[0]], f"fault of {names[0]}")
    return {names[0]: kind} if kind else None


def _reader_fault(check, arg, line):
    fields = check.fields(arg, ("reader", "spot", "zone", "kind"), "fault", required=("kind",))
    if fields is None:
        return None
    kind = check.word(fields["kind"], contract.FAULTS["reader"], "fault of a reader")
    at = fields.get("reader")
    if at is not None and isinstance(at.data, dict):
        fields = check.fields(at, ("spot", "zone"), "reader")
        at = None
        if fields is None:
            return None
    if at is not None:
        reader = check.number(at, 0, max(check.board.TRAY_ANTENNA, check.board.ANTENNAS - 1), "reader (antenna)")
    else:
        spot, zone = read_zone(check, fields, line)
        if None in (spot, zone):
            return None
        place = check.board.ZONES.index(zone) if spot else 0
        reader = (spot - 1) * len(check.board.ZONES) + place if spot else check.board.TRAY_ANTENNA
    return None if None in (kind, reader) else {"reader": reader, "kind": kind}


def read_expect(check, arg, line):
    """Args: fields (of an event or a reply) that must match, and within_ms."""
    if not isinstance(arg.data, dict) or ("event" in arg.data) == ("reply" in arg.data):
        return check.wrong(line, "an expectation names an event or a reply: "
                                 "{event: alarm, kind: increase, spot: 3} or {reply: ok}")
    plain = {key: value for key, value in arg.data.items() if key != "within"}
    within = EXPECT_MS
    if "within" in arg.data:
        within = check.number(arg.data["within"], 0, MAX_WAIT_MS, "within (ms)")
    before = len(check.problems)
    if "reply" in plain:
        check.fields(arg, ("reply", "number", "text", "within"), "a reply")
        check.word(plain["reply"], ("ok", "error"), "reply")
    else:
        _event_fields(check, plain, arg)
    if within is None or len(check.problems) > before:
        return None
    return {"fields": {key: value.plain() for key, value in plain.items()}, "within_ms": within}


def _event_fields(check, plain, arg):
    name = check.word(plain["event"], tuple(contract.EVENTS), "event")
    if name is None:
        return
    known = contract.ALWAYS + contract.EVENTS[name]
    for key, value in plain.items():
        if key not in known:
            check.unknown(arg.key_lines[key], f"`{key}` is no field of event {name}", key, known + ("within",))
        elif (name, key) in contract.WORDS:
            check.word(value, contract.WORDS[name, key], f"{key} of event {name}")
