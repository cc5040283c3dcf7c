"""Upkeep: what a technician does to a table at rest: service, restart, self-test, clock, rules.

Loaded when one of its commands is given. What changes the table is written down before it happens.
"""

from firstcard.core import calendar, limits
from firstcard.core.refused import Refused
from firstcard.store import cell, crash

# Numbers of refusals; the texts are in texts/en.txt
BAD_ARGUMENTS = 11
NOT_HERE = 26
UNKNOWN_PART = 27
NOT_WRITTEN = 48
UNKNOWN_OPTION = 72
NO_CRASH = 124
NOT_WELL = 125
BAD_DATE = 126
PENDING = 127
PARTS = ("readers", "edge", "latch", "plaque", "store", "clock")
SKEW_MS = 20  # between the two clocks, since power-up
CHIP_SILENT = -1


def do_service(console, rest):
    """Restart into MicroPython's prompt."""
    return _leave(console, "service")


def do_reboot(console, rest):
    return _leave(console, "reboot")


def _leave(console, why):
    if console.engine.keeper:
        console.engine.keeper.note("mode", why, console.session.name)
    console.leaving = why
    return why


# the self-test


def do_selftest(console, rest):
    """A line for each part: its name, `ok` or what is wrong, a figure. Raises Refused with the parts that are not well.
    """
    if rest and rest[0] not in PARTS:
        raise Refused(UNKNOWN_PART, rest[0], " ".join(PARTS))
    e, wrong = console.engine, []
    for part in rest or PARTS:
        if part == "store":
            verdict, figure = _store(e)
        elif part == "clock":
            skew = e.skew_ms()
            chip = e.ports.wall()
            verdict = "skewed" if abs(skew) > SKEW_MS else "chip-silent" if chip == CHIP_SILENT else "ok"
            told = "-" if chip is None else calendar.show(chip) if chip > 0 else "unset"
            figure = "%d ms apart, chip %s" % (skew, told)
        else:
            verdict, figure = e.ports.test(part)
        console.say("PROGRESS %s %s %s" % (part, verdict, figure))
        if verdict != "ok":
            wrong.append(part)
    if wrong:
        raise Refused(NOT_WELL, " ".join(wrong))
    return "%d" % len(rest or PARTS)


def _store(e):
    """The fast memory by a cell that is written and read, the journal by the room that is left."""
    keeper = e.keeper
    if not keeper:
        return "ok", "none"
    memory, journal = keeper.log.memory, keeper.journal
    begun = e.ports.us()
    sample = b"%d" % begun
    try:
        cell.save(memory, cell.TEST, sample)
        same = cell.load(memory, cell.TEST) == sample
    except OSError:
        return "memory-silent", "-"
    if not same:
        return "memory-wrong", "-"
    room = journal.room()
    verdict = "journal-stuck" if journal.stuck else "ok" if room else "journal-full"
    return verdict, "%d us, room for %d records, %d bad places" % (
        (e.ports.us() - begun) & 0x3FFFFFFF, room, journal.bad)


# the clock


def do_time_set(console, rest):
    """`time 2026-11-30T08:50:00`, UTC. Records from here on carry it, and the clock chip keeps it."""
    e = console.engine
    keeper = e.keeper
    if not keeper:
        raise Refused(NOT_HERE, "time", e.board.NAME)
    try:
        seconds = calendar.parse(rest[0])
    except ValueError:
        raise Refused(BAD_DATE, rest[0])
    wall = seconds - e.ports.ms() // 1000
    keeper.note("time", wall, console.session.name)
    keeper.flush()
    if keeper.wall != wall:  # the journal takes nothing
        raise Refused(NOT_WRITTEN)
    if e.ports.wall(seconds) == CHIP_SILENT:
        console.say("PROGRESS clock-chip silent: the time is set, and lost at the next restart")
    return console.do_time(())


# after a crash


def do_crash(console, rest):
    """The words of the last part of the firmware that stopped, line by line."""
    memory = console.engine.ports.memory
    if not memory:
        raise Refused(NOT_HERE, "crash", console.engine.board.NAME)
    text = crash.load(memory)
    if not text:
        raise Refused(NO_CRASH)
    rows = text.split("\n")
    for row in rows:
        console.say("PROGRESS crash " + row)
    return "%d" % len(rows)


# the rules


def do_option(console, rest):
    """The house options of the profile and their values, or one of them."""
    profile = console.engine.profile
    names = profile.options
    if rest and rest[0] not in names:
        raise Refused(UNKNOWN_OPTION, rest[0], profile.id, " ".join(names))
    for name in rest or names:
        console.say("PROGRESS option %s=%s" % (name, getattr(profile, name)))
    return "%d" % len(rest or names)


def do_profile_set(console, rest):
    """`profile <id> [<name>=<value> ...]`: other rules, with their options as the loader has them, but for these."""
    options = {}
    for word in rest[1:]:
        name, equals, value = word.partition("=")
        if not equals:
            raise Refused(BAD_ARGUMENTS, "profile", "<id> <name>=<value> ...")
        options[name] = value
    return _rules(console, "profile", rest[0], rest[0], options)


def do_option_set(console, rest):
    """`option <name> <value>`: one option of the house."""
    e = console.engine
    name, value = rest[0], " ".join(rest[1:])
    options = dict(e.settings["options"])
    options[name] = value
    return _rules(console, name, value, e.profile.id, options)


def _rules(console, name, value, profile_id, options):
    """Other rules from the restart on that follows: checked by their loader, written down, kept in the settings."""
    from firstcard.rules import RuleError, load

    e = console.engine
    posted = e.round.limits
    if posted.pending:
        raise Refused(PENDING)
    try:
        profile = load(profile_id, options)
    except RuleError as wrong:
        raise Refused(wrong.number, *wrong.details)
    wrong = limits.check(profile, posted.min, posted.max)
    if wrong:
        raise Refused(wrong[0], *wrong[1])
    settings = dict(e.settings)
    settings["profile"], settings["options"] = profile_id, options
    if e.keeper:
        e.keeper.note("rules", name, value, profile.hash, console.session.name)
    try:
        e.ports.keep(settings)
    except OSError:
        raise Refused(NOT_WRITTEN)
    console.leaving = "reboot"
    return "%s hash=%s" % (profile_id, profile.hash)
