"""The one table of operator commands: what is typed, by whom, in which state.

An entry is a tuple: id (also the key of its help text, `help.<id>`), the words typed, the shape of the arguments,
the roles that may (bits; 0 = no login needed), the states in which it is allowed (bits 1 << state). What is not in
the table or not allowed now is refused; the handlers are found by id.
"""

# Roles of a session, and bits of the roles column
NONE = 0
OPERATOR = 1
SUPERVISOR = 2  # may what an operator may
TECHNICIAN = 4
ROLES = {"operator": OPERATOR, "supervisor": SUPERVISOR, "technician": TECHNICIAN}

# Columns
ID = 0
WORDS = 1
SHAPE = 2
WHO = 3
STATES = 4

_CLOSED = 2
_REST = 3  # SAFE CLOSED
_LIVE = 60  # OPEN LOCKED EXTRA SETTLE
_UP = 62  # all but SAFE
_ALL = 63
_PIT = 3  # operator, supervisor
_KEEPERS = 6  # supervisor, technician
_ANY = 7

TABLE = (
    ("id", "id", "", 0, _ALL),
    ("status", "status", "[<spot>|tray]", 0, _ALL),
    ("version", "version", "", 0, _ALL),
    ("help", "help", "[<command> [<word>]]", 0, _ALL),
    ("login", "login", "<role> [<pin>]", 0, _ALL),
    ("answer", "answer", "<hmac>", 0, _ALL),
    ("logout", "logout", "", 0, _ALL),
    ("limits", "limits", "", 0, _ALL),
    ("limits-set", "limits set", "<min> <max> [in <time>]", _PIT, _UP),
    ("limits-cancel", "limits cancel", "", _PIT, _UP),
    ("tables", "tables", "", 0, _ALL),
    ("tables-set", "tables", "<list> ...", _PIT, _UP),
    ("open", "open", "", _PIT, _CLOSED),
    ("close", "close", "", _PIT, _LIVE),
    ("key-confirm", "key supervisor-confirm", "[<spot>] [<amount>]", SUPERVISOR, _UP),
    ("ack", "key ack", "<id>", SUPERVISOR, _ALL),
    ("key", "key", "<name> [<spot>] [<amount>]", _ANY, _UP),
    ("bets", "bets", "", 0, _ALL),
    ("round", "round", "", 0, _ALL),
    ("last", "last", "", 0, _ALL),
    ("card", "card", "<code>|<n> [to] [<hand>]", _ANY, _LIVE),
    ("alarms", "alarms", "", 0, _ALL),
    ("ack", "ack", "<id>", SUPERVISOR, _ALL),  # IN-BJ-12, GCB-12
    ("events", "events", "<on|off>", 0, _ALL),
    ("profile", "profile", "", 0, _ALL),
    ("profile-set", "profile", "<id> ...", _KEEPERS, _CLOSED),
    ("option", "option", "[<name>]", 0, _ALL),
    ("option-set", "option", "<name> <value> ...", _KEEPERS, _CLOSED),
    ("journal", "journal", "[from <seq>]", _ANY, _ALL),
    ("journal-head", "journal head", "<nonce>", _ANY, _ALL),
    ("journal-release", "journal release", "<seq> <hash>", _KEEPERS, _ALL),
    ("journal-reset", "journal reset", "", TECHNICIAN, _ALL),
    ("time", "time", "", 0, _ALL),
    ("time-set", "time", "<iso8601>", _KEEPERS, _REST),
    ("selftest", "selftest", "[<part>]", TECHNICIAN, _REST),
    ("crash", "crash", "", _ANY, _ALL),
    ("reboot", "reboot", "", _ANY, _REST),
    ("service", "service", "", TECHNICIAN, _CLOSED),
)

# Numbers of refusals; the texts are in texts/en.txt
BAD_ARGUMENTS = 11
BAD_STATE = 12
LOGIN_NEEDED = 13
ROLE_NEEDED = 14


def _places():
    """Words typed: place of their first entry in TABLE."""
    out = {}
    for place in range(len(TABLE) - 1, -1, -1):
        out[TABLE[place][WORDS]] = place
    return out


PLACES = _places()


def lookup(words):
    """Entry for a line's words (list of str), or None for a command that does not exist.

    The longer match wins (`limits set` before `limits`), and among equals the one that takes as many arguments.
    """
    place = -1
    if len(words) > 1:
        place = PLACES.get(words[0] + " " + words[1], -1)
    if place < 0:
        place = PLACES.get(words[0], -1) if words else -1
        if place < 0:
            return None
    typed = TABLE[place][WORDS]
    while TABLE[place][WORDS] == typed:  # they stand together
        found = TABLE[place]
        place += 1
        if place == len(TABLE) or arguments(found, words) is not None:
            break
    return found


def arguments(entry, words):
    """The words after the command, or None when there are fewer or more than its shape takes (BAD_ARGUMENTS). What is
    optional in a shape stands in brackets, at its end; `...` there: any number of further words."""
    shape = entry[SHAPE]
    optional = shape.find("[")
    most = shape.count(" ") + 1 if shape else 0
    least = most if optional < 0 else shape.count(" ", 0, optional)
    rest = words[1 + entry[WORDS].count(" ") :]
    if shape.endswith("..."):  # a slice would be a new str: looked up among all names
        return rest if len(rest) >= least - 1 else None
    return rest if least <= len(rest) <= most else None


def refusal(entry, role, state):
    """None if a session with `role` may give this command in `state` (0 SAFE ... 5 SETTLE), else its error number.

    The state comes first: a command that cannot be given now is not worth a login.
    """
    if not entry[STATES] >> state & 1:
        return BAD_STATE
    if entry[WHO] and not entry[WHO] & role:
        return LOGIN_NEEDED if role == NONE else ROLE_NEEDED
    return None


def allowed(entry, role, state):
    """True if a session with `role` may give this command in `state`."""
    return refusal(entry, role, state) is None
