"""Rule profiles: data per regulation text, and the loader that refuses what a text does not allow.

A profile is a module of this package named after its id (`us-in-blackjack` -> us_in_blackjack.py) with three names:
FIXED    pairs (name, value): what the text or the game settles and no house option changes;
OPTIONS  triples (name, default, allowed values): a default of NEEDED means that the house must decide;
FORBIDDEN  pairs (name, clause) of options that this text forbids: they may only be off.
Allowed values are a tuple of them, or (RANGE, least, most) for a whole number, or (ODDS,) for a ratio of at least 1
to 1.

Only the chosen profile's module is imported. The clause and the sentence behind every parameter are not here: they
stay in the text file on flash under `rule.<id>.<name>` (see firmware/texts/en.txt).
"""

import hashlib
from binascii import hexlify

PROFILES = ("us-nd-twentyone", "us-in-blackjack", "gcb-blackjack", "us-in-three-card-poker")

NEEDED = "needed"
RANGE = "range"
ODDS = "odds"
ON_OFF = (False, True)

# Numbers of refusals; the texts are in texts/en.txt
UNKNOWN_PROFILE = 70
NOT_BUILT = 71
UNKNOWN_OPTION = 72
BAD_VALUE = 73
OPTION_FORBIDDEN = 74
OPTION_NEEDED = 75
CONFLICT = 76


class RuleError(Exception):
    """A profile or option that cannot be used. `number` is that of the error text, `details` its arguments (str)."""

    def __init__(self, number, *details):
        super().__init__(number, *details)
        self.number = number
        self.details = details


class Profile:
    """One loaded profile: each parameter is an attribute; also `id`, `hash`, `options` (names the house may set)."""


def load(profile_id, options=None):
    """Profile of an id with the house's options (dict of name -> value; text as an operator types it is read too).

    Raises RuleError: unknown profile or option, a value that is not allowed, an option that the text forbids or needs.
    """
    if profile_id not in PROFILES:
        raise RuleError(UNKNOWN_PROFILE, profile_id, " ".join(PROFILES))
    try:
        data = __import__("firstcard.rules." + profile_id.replace("-", "_"), None, None, ("OPTIONS",))
    except ImportError:
        raise RuleError(NOT_BUILT, profile_id)
    options = options or {}
    profile = Profile()
    profile.id = profile_id
    for name, value in data.FIXED:
        setattr(profile, name, value)
    names = []
    for name, default, allowed in data.OPTIONS:
        names.append(name)
        value = default
        if name in options:
            value = _checked(profile_id, name, options[name], allowed)
        elif default == NEEDED:
            raise RuleError(OPTION_NEEDED, name, profile_id, show(allowed))
        setattr(profile, name, value)
    known = list(names)
    for name, clause in data.FORBIDDEN:
        known.append(name)
        if options.get(name) not in (None, False, "false", "off"):
            raise RuleError(OPTION_FORBIDDEN, name, profile_id, clause)
        setattr(profile, name, False)
    for name in options:
        if name not in known:
            raise RuleError(UNKNOWN_OPTION, name, profile_id, " ".join(names))
    if getattr(profile, "peek", False) and not profile.hole_card:
        if "peek" in options:
            raise RuleError(CONFLICT, "peek", "hole_card")
        profile.peek = False  # without a hole card there is nothing to peek at
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
    """An option's value, or a list of allowed ones, as an operator types it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple) and value:
        if value[0] == RANGE:
            return "%d to %d" % value[1:]
        if value[0] == ODDS:
            return "a ratio such as 3:2, at least 1:1"
        if not isinstance(value[0], bool) and isinstance(value[0], int):
            return ":".join([str(part) for part in value])
        return " ".join([show(part) for part in value])
    return str(value)


def _checked(profile_id, name, value, allowed):
    """The value in its stored form if it is allowed, else RuleError."""
    if isinstance(value, str):
        value = read(value)
    if isinstance(value, list):
        value = tuple(value)
    if allowed[0] == RANGE:
        good = _is_number(value) and allowed[1] <= value <= allowed[2]
    elif allowed[0] == ODDS:
        good = isinstance(value, tuple) and len(value) == 2
        good = good and _is_number(value[0]) and _is_number(value[1]) and 0 < value[1] <= value[0] <= 100
    else:
        good = False
        for one in allowed:
            good = good or (type(one) is type(value) and one == value)  # 1 is not True
    if not good:
        raise RuleError(BAD_VALUE, show(value), name, show(allowed))
    return value


def _is_number(value):
    return isinstance(value, int) and not isinstance(value, bool)


def _hash(profile):
    """First 8 hexadecimal digits of SHA-256 over the id and the sorted lines `name=value`.

    Two tables that show the same hash play by the same parameters.
    """
    digest = hashlib.sha256(profile.id.encode())
    for name in sorted(profile.__dict__):
        if name not in ("id", "options", "hash"):
            digest.update(("\n%s=%s" % (name, show(getattr(profile, name)))).encode())
    return hexlify(digest.digest()[:4]).decode()
