"""The words of the event contract: event names, their fields, and the words that a field may hold.

Scenario files are checked against these tables, so that a misspelt word is an error and not an expectation that
nothing can meet (or, worse, an `expect_none` that everything meets). New words are added here.
"""

from pit.sim.frames import ORDER as FRAMES  # noqa: F401  OTS-1 frames that a shoe sends: their fields, in order
from pit.sim.shoe import FAULTS as SHOE_FAULTS

STATES = ("SAFE", "CLOSED", "OPEN", "LOCKED", "EXTRA", "SETTLE")
ZONES = ("main", "tip", "line")
VERDICTS = ("ok", "under", "over", "unit", "unreadable", "unknown-chip", "duplicate-chip", "revoked", "wrong-house",
            "not-allowed", "amount", "oral", "empty")
ALARMS = ("increase", "decrease", "swap", "late-bet", "late-tip", "early-line", "late-line", "no-window-line",
          "line-amount", "no-wager-card", "no-taker", "over-limit", "under-limit", "moved", "duplicate-card",
          "card-while-closed", "shoe-mismatch") + VERDICTS
SEEN = ("reinserted", "double-card")  # what the shoe-mismatch is, where it is known
PROMPTS = ("insurance", "even-money", "split", "double", "play", "fold-cards", "amount", "return-excess",
           "make-change", "convert", "unsettled", "card", "surrender", "tip", "stack", "settle")
NOTICES = ("misdeal", "void", "no-wager")
EXTRAS = ("insurance", "double", "split", "surrender", "even-money", "tip-double", "play", "fold", "return-excess",
          "make-change", "oral-converted")
BETS = ("main", "double", "insurance", "tip", "ante", "play", "bonus")
OUTCOMES = ("win", "lose", "push", "blackjack", "surrender", "even-money", "fold", "void")

ALWAYS = ("seq", "ms", "event")
EVENTS = {  # name: its further fields
    "boot": ("cause", "mode", "profile", "version"),
    "state": ("state", "round"),
    "limits": ("min", "max", "pending", "by"),
    "plaque": ("min", "max", "colour", "proven"),
    "bet": ("spot", "zone", "sum", "value", "excess", "verdict", "chips"),
    "lock": ("round", "cause", "us", "wagers"),
    "unsettled": ("spot", "zone", "before", "after"),
    "unsettled-decided": ("spot", "zone", "value", "by"),
    "card": ("n", "code", "to"),
    "prompt": ("kind", "spot", "hand", "amount", "text"),
    "notice": ("kind", "text"),
    "extra": ("kind", "spot", "hand", "amount"),
    "alarm": ("id", "kind", "spot", "zone", "by", "seen", "text"),
    "alarm-cleared": ("id", "by"),
    "settle": ("spot", "hand", "bet", "outcome", "stake", "returned", "won", "to"),
    "settle-withdrawn": ("spot", "hand", "bet", "stake"),
    "round": ("round", "result", "stakes", "returned", "won"),
    "fault": ("code", "text", "expected", "seen"),
    "fault-cleared": ("code", "text"),
    "login": ("role", "how"),
    "login-failed": ("role", "how", "wait_s"),
    "logout": ("role", "why"),
    "key-switch": ("on",),
    "refused": ("command", "number", "text"),
}
WORDS = {  # (event, field): the words it may hold
    ("state", "state"): STATES,
    ("bet", "zone"): ZONES,
    ("bet", "verdict"): VERDICTS,
    ("lock", "cause"): ("edge", "frame"),
    ("unsettled", "zone"): ZONES,
    ("prompt", "kind"): PROMPTS,
    ("notice", "kind"): NOTICES,
    ("extra", "kind"): EXTRAS,
    ("alarm", "kind"): ALARMS,
    ("alarm", "zone"): ZONES,
    ("alarm", "seen"): SEEN,
    ("settle", "bet"): BETS,
    ("settle-withdrawn", "bet"): BETS,
    ("settle", "outcome"): OUTCOMES,
    ("settle", "to"): ("player", "tip-box", "tray"),
    ("round", "result"): ("complete", "void"),
}

PROFILES = ("us-nd-twentyone", "us-in-blackjack", "gcb-blackjack", "us-in-three-card-poker")
DEALER_KEYS = ("confirm", "cancel", "stand", "double", "split", "surrender", "insurance-closed", "even-money", "play",
               "fold", "peek", "reveal", "settled", "misdeal", "void", "return-excess", "make-change", "oral", "burn",
               "undo")
SUPERVISOR_KEYS = ("supervisor-confirm", "ack")

RANKS, SUITS = "23456789TJQKA", "SHDC"
CODES = tuple(rank + suit for rank in RANKS for suit in SUITS)
MISREAD = "??"

FAULTS = {  # what can fail: the kinds; "ok" ends a fault
    "reader": ("silent", "stuck", "noisy", "reset", "hot", "ok"),
    "shoe": SHOE_FAULTS,
    "plaque": ("dead-led", "short", "long", "stuck", "dark", "weak", "ok"),
    "store": ("full", "bad", "slow", "ok"),
    "power": ("cut", "restore"),
}
