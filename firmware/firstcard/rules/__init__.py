"""Rule profiles: data per regulation text, and the loader that refuses what a text does not allow.

A profile is a module of this package named after its id (`us-in-blackjack` -> us_in_blackjack.py) with four names:
FIXED    pairs (name, value): what the text or the game settles and no house option changes;
OPTIONS  rows (name, default, allowed values[, clause]): a default of NEEDED means that the house must decide, the
         clause is the one behind the bounds (without it they are only those of the game);
FORBIDDEN  pairs (name, clause) of options that this text forbids: they may only be off;
NEEDS    rows (name, other, reason): `name` may be on only while `other` is.
Allowed values are a tuple of them, or (RANGE, least, most) for a whole number, (MONEY, least, most) for cents, (ODDS,)
for a ratio of at least 1 to 1, (PAYS, least...) for odds to 1 in a pay table, (LIST,) for what rules/lists.py reads.

Only the chosen profile's module is imported. The clause and the sentence behind every parameter are not here: they
stay in the text file on flash under `rule.<id>.<name>` (see firmware/texts/en.txt). Nothing in a loaded Profile
refers to this package, so a board that needs its memory may drop it from sys.modules.
"""

import hashlib
from binascii import hexlify

from firstcard.core import money

PROFILES = ("us-nd-twentyone", "us-in-blackjack", "gcb-blackjack", "us-in-three-card-poker")

NEEDED = "needed"
RANGE = "range"
MONEY = "money"
ODDS = "odds"
PAYS = "pays"
LIST = "list"
ON_OFF = (False, True)
UNHASHED = ("id", "options", "hash", "other_tables")  # the last one is the state of the site, not a rule

# Numbers of refusals; the texts are in texts/en.txt
UNKNOWN_PROFILE = 70
NOT_BUILT = 71
UNKNOWN_OPTION = 72
BAD_VALUE = 73
OPTION_FORBIDDEN = 74
OPTION_NEEDED = 75
CONFLICT = 76
AGAINST_THE_TEXT = 77
NOT_APPROVED = 78


class RuleError(Exception):
    """A profile or option that cannot be used. `number` is that of the error text, `details` its arguments (str)."""

    def __init__(self, number, *details):
        super().__init__(number, *details)
        self.number = number
        self.details = details


class Profile:
    """One loaded profile: each parameter is an attribute; also `id`, `hash`, `options` (names the house may set)."""


def data(profile_id):
    """The module of a profile id. Raises RuleError."""
    if profile_id not in PROFILES:
        raise RuleError(UNKNOWN_PROFILE, profile_id, " ".join(PROFILES))
    try:
        return __import__("firstcard.rules." + profile_id.replace("-", "_"), None, None, ("OPTIONS",))
    except ImportError:
        raise RuleError(NOT_BUILT, profile_id)


def load(profile_id, options=None):
    """Profile of an id with the house's options (dict of name -> value; text as an operator types it is read too).

    Raises RuleError: unknown profile or option, a value that is not allowed, an option that the text forbids or needs.
    """
    text = data(profile_id)
    options = options or {}
    profile = Profile()
    profile.id = profile_id
    for name, value in text.FIXED:
        setattr(profile, name, value)
    names = []
    for row in text.OPTIONS:
        name, value, allowed = row[:3]
        clause = row[3] if len(row) > 3 else ""
        names.append(name)
        if name in options:
            value = checked(name, options[name], value, allowed, clause)
        elif value == NEEDED:
            raise RuleError(OPTION_NEEDED, name, profile_id, clause, show(allowed))
        setattr(profile, name, value)
    known = list(names)
    for name, clause in text.FORBIDDEN:
        known.append(name)
        if options.get(name) not in (None, False, "false", "off", [], ()):
            raise RuleError(OPTION_FORBIDDEN, name, profile_id, clause)
        setattr(profile, name, False)
    for name in options:
        if name not in known:
            raise RuleError(UNKNOWN_OPTION, name, profile_id, " ".join(names))
    for name, other, reason in text.NEEDS:
        if getattr(profile, name) and not getattr(profile, other):
            if name in options:
                raise RuleError(CONFLICT, name, other, reason)
            setattr(profile, name, False)  # only a default
    profile.options = tuple(names)
    profile.hash = _hash(profile)
    return profile


def read(text):
    """Value of an option as an operator types it: on, off, true, false, a number, a ratio `3:2`, else the word."""
    if text in ("true", "on"):
        return True
    if text in ("false", "off"):
        return False
    parts = text.split(":")
    for part in parts:
        if not part or not part.isdigit() or len(part) > 6:
            return text
    return int(text) if len(parts) == 1 else tuple([int(part) for part in parts])


def show(value):
    """An option's value, or the allowed ones, as an operator types it. Amounts and lists as values: see `told`."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple) and value:
        kind = value[0]
        if kind == RANGE:
            return "%d to %d" % value[1:]
        if kind == MONEY:
            return "%s to %s dollars" % (money.show(value[1]), money.show(value[2]))
        if kind == ODDS:
            return "a ratio such as 3:2, at least 1:1"
        if kind == PAYS:
            return "at least " + show(value[1:])
        if kind == LIST:
            return "a list"
        if not isinstance(kind, bool) and isinstance(kind, int):
            return ":".join([str(part) for part in value])
        return " ".join([show(part) for part in value])
    return str(value)


def told(profile, name):
    """An option's value in a loaded profile as an operator types it: money in dollars, lists with commas."""
    value = getattr(profile, name)
    for row in data(profile.id).OPTIONS:
        if row[0] == name and not isinstance(value, bool):
            if row[2][0] == MONEY:
                return money.show(value)
            if row[2][0] == LIST:
                from firstcard.rules import lists

                return lists.show(name, value)
    return show(value)


def checked(name, value, default, allowed, clause=""):
    """The value of an option in its stored form if it is allowed, else RuleError. Text is in dollars, numbers in
    cents."""
    kind = allowed[0]
    if kind == LIST:
        from firstcard.rules import lists

        good = lists.read(name, value, clause)
        if good is None:
            raise RuleError(BAD_VALUE, str(value), name, lists.HINTS[name])
        return good
    given = value
    if isinstance(value, str):
        value = read(value)
        if kind == MONEY and value is not False:
            try:
                value = money.parse(given)
            except ValueError:
                value = given
    elif isinstance(value, list):
        value = tuple(value)
    good = False
    if kind == RANGE or kind == MONEY:
        good = _is_number(value) and allowed[1] <= value <= allowed[2]
        good = good or (value is False and default is False)
    elif kind == ODDS:
        good = _numbers(value, 2) and 0 < value[1] <= value[0] <= 100
    elif kind == PAYS:
        good = _numbers(value, len(allowed) - 1)
        for place in range(1, len(allowed)):
            good = good and allowed[place] <= value[place - 1] <= 100
    else:
        for one in allowed:
            good = good or (type(one) is type(value) and one == value)  # 1 is not True
    if good:
        return value
    if clause:
        raise RuleError(AGAINST_THE_TEXT, show(value), name, show(allowed), clause)
    raise RuleError(BAD_VALUE, show(value), name, show(allowed))


def _numbers(value, count):
    if not isinstance(value, tuple) or len(value) != count:
        return False
    for part in value:
        if not _is_number(part):
            return False
    return True


def _is_number(value):
    return isinstance(value, int) and not isinstance(value, bool)


def _hash(profile):
    """First 8 hexadecimal digits of SHA-256 over the id and the sorted lines `name=value`.

    Two tables that show the same hash play by the same parameters.
    """
    digest = hashlib.sha256(profile.id.encode())
    for name in sorted(profile.__dict__):
        if name not in UNHASHED:
            digest.update(("\n%s=%s" % (name, show(getattr(profile, name)))).encode())
    return hexlify(digest.digest()[:4]).decode()
