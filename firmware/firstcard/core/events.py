"""Effects of a step: what they are called and which fields they carry, in the order in which they are told.

An effect is a tuple: its name, then its values in the order of FIELDS. A value None is left out when the event is
told, except where the field must be there (`pending`). Amounts are cents, spots are 1-based from the dealer's left.
Source: design, "Events"; the engine runs the effects of one step in the order of CLASS: lock, journal, lamp and
plaque, console. """

FIELDS = {
    "boot": ("cause", "mode", "profile", "version"),
    "state": ("state", "round"),
    "limits": ("min", "max", "pending", "by"),
    "plaque": ("min", "max", "colour", "proven"),
    "bet": ("spot", "zone", "sum", "value", "excess", "verdict", "chips"),
    "lock": ("round", "cause", "us", "wagers"),
    "unsettled": ("spot", "zone", "before", "after"),
    "unsettled-decided": ("spot", "zone", "value", "by"),
    "card": ("n", "code", "to"),
    "prompt": ("kind", "spot", "amount", "text"),
    "notice": ("kind", "text"),
    "extra": ("kind", "spot", "hand", "amount"),
    "alarm": ("id", "kind", "spot", "zone", "by", "seen", "text"),
    "alarm-cleared": ("id", "by"),
    "settle": ("spot", "hand", "bet", "outcome", "stake", "returned", "won", "to"),
    "settle-withdrawn": ("spot", "hand", "bet", "stake"),
    "round": ("round", "result", "stakes", "returned", "won"),
    "fault": ("code", "text", "expected", "seen"),
    "fault-cleared": ("code",),
    "login": ("role", "how"),
    "login-failed": ("role", "how", "wait_s"),
    "logout": ("role", "why"),
    "key-switch": ("on",),
    "refused": ("command", "number", "text"),
}

ZONES = ("main", "tip", "line")
LOCK_EDGE, LOCK_FRAME = 1, 2
CAUSES = ("", "edge", "frame")
# How a reading has ended. DOUBTFUL: these chips, but no reading has asked for hidden ones and found the same yet;
# UNCERTAIN: nor has any of the last ones, so it is not waited for any longer
READ_OK, READ_UNREADABLE, READ_FAULT, READ_DOUBTFUL, READ_UNCERTAIN = 0, 1, 2, 3, 4
# What the registry says of a chip that is worth nothing, and the verdict on it; of several the lowest is told
UNKNOWN_CHIP, WRONG_HOUSE, REVOKED = -1, -2, -3
WORTHLESS = ("", "unknown-chip", "wrong-house", "revoked")
