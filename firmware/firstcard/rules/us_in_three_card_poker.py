"""Rule profile us-in-three-card-poker: Indiana, 68 IAC 10-11-6 (clauses IN-TCP-01 ... IN-TCP-14).

Data only; the clause and the reason of each line stand under `rule.us-in-three-card-poker.` in firmware/texts/en.txt.
"""

from firstcard.rules import MONEY, ODDS, ON_OFF, PAYS, RANGE

FIXED = (
    ("game", "three-card-poker"),
    ("unit", 1),
    ("statute_min", None),
    ("statute_max", None),
    ("statute_clause", "IN-TCP-01"),
    ("sole_min", None),
    ("approval", None),
    ("clamp_over", False),
    ("sign", "no"),
    ("stack_order", False),
    ("oral", False),
)

OPTIONS = (
    ("decks", 1, (1,)),
    ("bonus_pays", (5, 4, 1), (PAYS, 5, 4, 1), "IN-TCP-12"),
    ("ante_pays", (1, 1), (ODDS,), "IN-TCP-07"),
    ("play_pays", (1, 1), (ODDS,), "IN-TCP-09"),
    ("fold_bonus", False, ON_OFF),
    ("packets", False, ON_OFF),
    ("breakage", "none", ("none", "up", "down")),
    ("smallest_chip", 50, (MONEY, 1, 10000)),
    ("notice_s", 0, (RANGE, 0, 86400)),
)

FORBIDDEN = (("tips", "IN-TCP-01"), ("tip_double", "IN-TCP-01"), ("tip_cap", "IN-TCP-01"))

NEEDS = ()
