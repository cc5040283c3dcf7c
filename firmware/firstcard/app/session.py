"""Session: who is at the operator's line, and how they came in: by challenge and answer, or with a PIN.

A PIN is kept salted and stretched (proto/login.py) and checked in slices of some 10 ms, so that nothing waits for it.
Every try is counted before it is checked, in memory that a power cut does not empty: pulling the plug gives no further
guess. From the fifth wrong one in a row each costs a wait, twice as long as the one before, up to an hour; each role
has its own count, so that who knows one PIN does not get to guess at another; logins by challenge go on, since a key of
256 bits cannot be guessed. A login ends with `logout`, after ROLE_MS without a line, and when the host goes. Sources:
design section 6; lessons I-22, I-27.
"""

import struct

from firstcard.core.refused import Refused
from firstcard.proto import commands, login

# Numbers of refusals; the texts are in texts/en.txt
NOT_ACCEPTED = 15
LOCKED_OUT = 16
NOT_ASKED = 17
UNKNOWN_ROLE = 18
NO_KEY = 110
NO_PIN = 29

ROLE_MS = 900_000  # a login ends after so long without a line
FREE_TRIES = 4  # wrong PINs in a row that cost no wait
WAIT_S = 60
LONGEST_WAIT_S = 3600
SLICE = 40  # rounds of stretching, about 10 ms


def wait_s(tries):
    """Seconds that PINs are refused after so many wrong ones in a row."""
    return min(WAIT_S << min(tries - FREE_TRIES - 1, 6), LONGEST_WAIT_S) if tries > FREE_TRIES else 0


def _place(role):
    """Where a role's count of wrong PINs stands: 0 to 2."""
    return commands.ROLES[role] >> 1


class Session:
    """`role` is a bit of proto.commands, `name` its word. `busy`: a PIN is being checked."""

    def __init__(self, engine):
        self._engine = engine
        self.role = commands.NONE
        self.name = ""
        self.busy = False
        self.tried = ""  # role of the last PIN
        self._challenges = 0  # since power-up
        self._asked = None  # (role name, nonce, key) of a challenge that waits for its answer
        self._check = None  # [digest so far, what is stretched with it, rounds left, digest due]
        self._heard_ms = 0
        self._closed_ms = [engine.ports.ms()] * 3  # when a role's PINs were last closed; begins anew at a restart

    def heard(self):
        """A line has come."""
        self._heard_ms = self._engine.ports.ms()

    def begin(self, rest):
        """`login <role> [<pin>]`: the challenge (hex), or None while a PIN is being checked. Raises Refused."""
        role, settings = rest[0], self._engine.settings
        if role not in commands.ROLES:
            raise Refused(UNKNOWN_ROLE)
        if len(rest) > 1:
            self._begin_pin(role, rest[1].encode(), settings.get("pins", {}).get(role))
            return None
        key = login.from_hex(settings.get("keys", {}).get(role, ""))
        if not key:
            raise Refused(NO_KEY, role)
        nonce = self._nonce()
        self._asked = (role, nonce, key)
        return login.to_hex(nonce)

    def _nonce(self):
        """16 bytes that no challenge of this table has had: number of the power-up, of the challenge in it, noise."""
        self._challenges += 1
        keeper = self._engine.keeper
        return struct.pack("<II", keeper.boot if keeper else 0, self._challenges) + self._engine.ports.random(8)

    def _begin_pin(self, role, pin, kept):
        ports, place = self._engine.ports, _place(role)
        if not kept:
            raise Refused(NO_PIN)
        tries = ports.tries(place)
        left_s = wait_s(tries) - (ports.ms() - self._closed_ms[place]) // 1000
        if left_s > 0:
            raise Refused(LOCKED_OUT, left_s)
        ports.tries(place, tries + 1)
        salt, due = login.from_hex(kept[0]), login.from_hex(kept[1])
        self._check = [b"", salt + pin, login.ROUNDS, due]
        self.tried = role
        self.busy = True

    def answer(self, given):
        """`answer <hmac>` to the last challenge, which is good for one answer. Raises Refused."""
        asked, self._asked = self._asked, None
        given = login.from_hex(given)
        if not asked:
            raise Refused(NOT_ASKED)
        role, nonce, key = asked
        if given is None or not login.same(login.hmac_sha256(key, role.encode() + nonce), given):
            self._engine.tell("login-failed", role, "key", 0)
            raise Refused(NOT_ACCEPTED, role)
        self._enter(role, "key")
        return role

    def _enter(self, role, how):
        self.end("login")
        self.role, self.name = commands.ROLES[role], role
        self._engine.tell("login", role, how)

    def end(self, why):
        """Nobody is logged in any more; `why`: `logout`, `silence`, `host`, `login` (as somebody else)."""
        if self.role:
            self._engine.tell("logout", self.name, why)
        self.role, self.name, self._asked = commands.NONE, "", None
        self._check, self.busy = None, False  # whoever has typed that PIN is gone

    def tick(self):
        """Go on with what takes time. None, or once for every PIN: True, or False for a wrong one."""
        if self.role and self._engine.ports.ms() - self._heard_ms > ROLE_MS:
            self.end("silence")
        check = self._check
        if not check:
            return None
        check[0] = login.stretch(check[0], check[1], SLICE)
        check[2] -= SLICE
        if check[2] > 0:
            return None
        self._check = None
        self.busy = False
        return self._decide(login.same(check[0], check[3]))

    def _decide(self, right):
        ports, place = self._engine.ports, _place(self.tried)
        if right:
            ports.tries(place, 0)
            self._enter(self.tried, "pin")
        else:
            self._closed_ms[place] = ports.ms()
            self._engine.tell("login-failed", self.tried, "pin", wait_s(ports.tries(place)))
        return right
