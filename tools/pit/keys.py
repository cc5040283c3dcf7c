"""Login keys: one secret of the site, kept on this PC; each table and role gets its own key derived from it.

A board holds only the keys of its own table, so one that is lost or read out opens no other, and the PC of an operator
only the key of that role (`pit keys give`). Derivation: HMAC-SHA256 of "table <name>" with the site key, then of
"login <role>", "journal" or "registry" with that.
"""

import hashlib
import hmac
import os
import secrets
import string
from pathlib import Path

from firstcard.proto import login

from pit.errors import PitError

VARIABLE = "FIRSTCARD_SITE_KEY"  # path of the file with the site key
ROLES = ("operator", "supervisor", "technician")
USES = ("journal", "registry")
KEY_BYTES = 32
PIN_DIGITS = range(6, 13)
NAME = frozenset(string.ascii_letters + string.digits + "-._")  # of a table: it is told in one word, and names a file


def site_key_path():
    """Where the site key lies: $FIRSTCARD_SITE_KEY, or ~/.config/firstcard/site.key."""
    return Path(os.environ.get(VARIABLE) or Path.home() / ".config" / "firstcard" / "site.key")


def site_key(create=False):
    """The site key (32 bytes). `create`: make one if there is none. Raises PitError."""
    path = site_key_path()
    try:
        if create and not path.exists():
            _write_secret(path, secrets.token_bytes(KEY_BYTES).hex())
        key = bytes.fromhex(path.read_text(encoding="ascii").strip())
    except (OSError, ValueError) as error:
        raise PitError(f"the site key {path} cannot be used ({getattr(error, 'strerror', None) or 'not hex'}): "
                       f"use the PC on which the table's file was built, or name the key's file in {VARIABLE}")
    if len(key) != KEY_BYTES:
        raise PitError(f"the site key {path} is damaged: it has {len(key)} bytes, not {KEY_BYTES}")
    return key


def login_keys(table, create=False):
    """Keys (hex) by role for the table of that name, and those of its `journal` and of its chip `registry`."""
    if not table or not set(table) <= NAME:
        raise PitError(f"{table!r} is no name of a table: write letters, digits, `-` and `.`, such as 12 or pit2-7")
    base = hmac.new(site_key(create), b"table " + table.encode(), hashlib.sha256).digest()
    own = {role: hmac.new(base, b"login " + role.encode(), hashlib.sha256).hexdigest() for role in ROLES}
    return {**own, **{use: hmac.new(base, use.encode(), hashlib.sha256).hexdigest() for use in USES}}


def list_tag(text):
    """Signature (hex) of the site's list of chips: with the site key, which no board has."""
    return hmac.new(site_key(create=True), b"chips\n" + text.encode(), hashlib.sha256).hexdigest()


def journal_key(table):
    """The key (hex) of a table's journal, from the site key; None on a PC that has none."""
    return login_keys(table)["journal"] if site_key_path().exists() else None


def role_key_path(table, role):
    """Where the key of one role at one table lies on a PC that has no site key."""
    return site_key_path().parent / f"table-{table}-{role}.key"


def role_key(table, role):
    """The key (hex) of that role: its own file, else derived from the site key. Raises PitError."""
    if role not in ROLES:
        raise PitError(f"there is no role {role!r}: choose one of {', '.join(ROLES)}")
    path = role_key_path(table, role)
    if not path.exists():
        return login_keys(table)[role]
    key = path.read_text(encoding="ascii", errors="replace").strip()
    if len(key) != 2 * KEY_BYTES or not set(key) <= set("0123456789abcdef"):
        raise PitError(f"{path} is damaged: have it written again with `pit keys give {role}`")
    return key


def give(table, role, path):
    """Write the key of one role at one table to a new file, for another PC. Raises PitError."""
    key = login_keys(table)[role] if role in ROLES else role_key(table, role)
    _write_secret(path, key)


def _write_secret(path, text):
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
            file.write(text + "\n")
    except FileExistsError:
        raise PitError(f"{path} is there already: give another name, or remove it first")
    except OSError as error:
        raise PitError(f"{path} cannot be written ({error.strerror}): give another name")


def answer(key, role, nonce):
    """What to answer (hex) to the challenge `nonce` (hex) of a login as `role`; `key` is hex. ValueError: no hex."""
    message = role.encode() + bytes.fromhex(nonce)
    return hmac.new(bytes.fromhex(key), message, hashlib.sha256).hexdigest()


def pin_record(pin, salt=None):
    """What a table keeps of a PIN: [salt, stretched PIN], both hex. PitError for one that is too short or no number."""
    if not pin.isascii() or not pin.isdigit() or len(pin) not in PIN_DIGITS:
        raise PitError(f"a PIN has {PIN_DIGITS[0]} to {PIN_DIGITS[-1]} digits, and nothing else")
    if len(set(pin)) < 3:
        raise PitError("this PIN is among the first that anybody tries: take one with at least three different digits")
    salt = salt or secrets.token_bytes(16)
    return [salt.hex(), login.stretch(b"", salt + pin.encode(), login.ROUNDS).hex()]
