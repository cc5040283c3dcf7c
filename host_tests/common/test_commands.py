"""The table of operator commands (firstcard.proto.commands); what is expected comes from the protocol text."""

from firstcard.proto import commands

READING = ("id status version help login answer logout limits bets round last alarms events profile option "
           "tables time").split()
SAFE, CLOSED, OPEN, LOCKED, EXTRA, SETTLE = range(6)

#        line that is typed, roles that may, states in which it is allowed
GUARDED = (
    ("limits set 5 100", "operator supervisor", (CLOSED, OPEN, LOCKED, EXTRA, SETTLE)),
    ("limits set 5 100 in 20m", "operator supervisor", (CLOSED, OPEN, LOCKED, EXTRA, SETTLE)),
    ("limits cancel", "operator supervisor", (CLOSED, OPEN, LOCKED, EXTRA, SETTLE)),
    ("tables 3-25", "operator supervisor", (CLOSED, OPEN, LOCKED, EXTRA, SETTLE)),
    ("open", "operator supervisor", (CLOSED,)),
    ("close", "operator supervisor", (OPEN, LOCKED, EXTRA, SETTLE)),
    ("key stand", "operator supervisor technician", (CLOSED, OPEN, LOCKED, EXTRA, SETTLE)),
    ("key confirm 3", "operator supervisor technician", (CLOSED, OPEN, LOCKED, EXTRA, SETTLE)),
    ("key supervisor-confirm", "supervisor", (CLOSED, OPEN, LOCKED, EXTRA, SETTLE)),
    ("key supervisor-confirm 3", "supervisor", (CLOSED, OPEN, LOCKED, EXTRA, SETTLE)),
    ("card TH", "operator supervisor technician", (OPEN, LOCKED, EXTRA, SETTLE)),
    ("ack 1", "supervisor", (SAFE, CLOSED, OPEN, LOCKED, EXTRA, SETTLE)),
    ("journal from 1", "operator supervisor technician", (SAFE, CLOSED, OPEN, LOCKED, EXTRA, SETTLE)),
    ("journal head 00", "operator supervisor technician", (SAFE, CLOSED, OPEN, LOCKED, EXTRA, SETTLE)),
    ("journal release 1 00", "supervisor technician", (SAFE, CLOSED, OPEN, LOCKED, EXTRA, SETTLE)),
    ("journal reset", "technician", (SAFE, CLOSED, OPEN, LOCKED, EXTRA, SETTLE)),
    ("profile gcb-blackjack dealer_natural_beats_21=false", "supervisor technician", (CLOSED,)),
    ("option decks 8", "supervisor technician", (CLOSED,)),
    ("option promotions 7-7-7 suited pays 3:1 approved ED-17", "supervisor technician", (CLOSED,)),
    ("time 2026-11-30T08:50:00", "supervisor technician", (SAFE, CLOSED)),
    ("selftest", "technician", (SAFE, CLOSED)),
    ("selftest latch", "technician", (SAFE, CLOSED)),
    ("crash", "operator supervisor technician", (SAFE, CLOSED, OPEN, LOCKED, EXTRA, SETTLE)),
    ("reboot", "operator supervisor technician", (SAFE, CLOSED)),
    ("service", "technician", (CLOSED,)),
    ("key ack 1", "supervisor", (SAFE, CLOSED, OPEN, LOCKED, EXTRA, SETTLE)),
)


def entry_of(line):
    return commands.lookup(line.split())


def test_reading_commands_need_no_login_and_are_allowed_in_every_state():
    typed = {"answer": "answer 00ff", "login": "login operator", "events": "events on"}
    for name in READING:
        entry = entry_of(typed.get(name, name))
        assert entry[commands.ID] == name
        for state in range(6):
            assert commands.allowed(entry, commands.NONE, state), (name, state)


def test_every_guarded_command_in_every_state_with_every_role():
    roles = {"": commands.NONE}
    roles.update(commands.ROLES)
    for line, who, states in GUARDED:
        entry = entry_of(line)
        assert commands.arguments(entry, line.split()) is not None, line
        for state in range(6):
            for name in roles:
                seen = commands.refusal(entry, roles[name], state)
                if state not in states:
                    expected = commands.BAD_STATE
                elif name == "":
                    expected = commands.LOGIN_NEEDED
                elif name not in who.split():
                    expected = commands.ROLE_NEEDED
                else:
                    expected = None
                assert seen == expected, (line, name, state)
                assert commands.allowed(entry, roles[name], state) == (expected is None)


def test_every_entry_of_the_table_is_one_of_these():
    seen = [entry_of(line) for line, _, _ in GUARDED]
    for entry in commands.TABLE:
        assert entry in seen or entry[commands.ID] in READING, entry


def test_the_longer_command_wins_and_takes_its_own_arguments():
    for line, name, rest in (
        ("limits", "limits", []),
        ("limits set 5 100", "limits-set", ["5", "100"]),
        ("limits set 5 100 in 20m", "limits-set", ["5", "100", "in", "20m"]),
        ("limits cancel", "limits-cancel", []),
        ("key stand 3", "key", ["stand", "3"]),
        ("key oral 3 50", "key", ["oral", "3", "50"]),
        ("key supervisor-confirm 3", "key-confirm", ["3"]),
        ("key ack 2", "ack", ["2"]),
        ("profile", "profile", []),
        ("login operator", "login", ["operator"]),
        ("login operator 1234", "login", ["operator", "1234"]),
        ("help", "help", []),
        ("help limits set", "help", ["limits", "set"]),
        ("option", "option", []),
        ("option decks", "option", ["decks"]),
        ("option decks 8", "option-set", ["decks", "8"]),
        ("option promotions off now then", "option-set", ["promotions", "off", "now", "then"]),
        ("profile a b", "profile-set", ["a", "b"]),
        ("tables 3-25 idle", "tables-set", ["3-25", "idle"]),
        ("time 0", "time-set", ["0"]),
    ):
        entry = entry_of(line)
        assert entry[commands.ID] == name, line
        assert commands.arguments(entry, line.split()) == rest, line


def test_too_few_and_too_many_arguments():
    for line, name in (
        ("limits set", "limits-set"),
        ("limits set 5", "limits-set"),
        ("limits set 5 100 in 20m now", "limits-set"),
        ("limits get", "limits"),
        ("open now", "open"),
        ("login", "login"),
        ("ack", "ack"),
        ("key", "key"),
        ("key stand 3 50 1", "key"),
        ("key ack", "ack"),
        ("selftest latch edge", "selftest"),
        ("time 2026-11-30 08:50:00", "time"),
        ("service now", "service"),
        ("events", "events"),
    ):
        entry = entry_of(line)
        assert commands.arguments(entry, line.split()) is None, line
        assert entry[commands.ID].startswith(name), line


def test_unknown_commands():
    for line in ("", "OPEN", "opens", "limits-set 5 100", "set limits", "help?", "restart", "set time"):
        assert entry_of(line) is None, line
