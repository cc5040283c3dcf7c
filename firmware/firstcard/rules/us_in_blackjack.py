"""Rule profile us-in-blackjack: Indiana, 68 IAC 10-2-4 (clauses IN-BJ-01 ... IN-BJ-12).

Data only; the clause and the reason of each line stand under `rule.us-in-blackjack.` in firmware/texts/en.txt.
"""

from firstcard.rules import LIST, MONEY, ODDS, ON_OFF, RANGE

FIXED = (
    ("game", "blackjack"),
    ("unit", 1),
    ("statute_min", None),
    ("statute_max", None),
    ("statute_clause", "IN-BJ-01"),
    ("sole_min", None),
    ("approval", None),
    ("clamp_over", False),
    ("sign", "no"),
    ("stack_order", False),
    ("oral", False),
    ("insurance_exact", False),
    ("aces_one_card", True),
    ("split_natural", False),
)

OPTIONS = (
    ("decks", 6, (RANGE, 1, 8)),
    ("natural_pays", (3, 2), (ODDS,)),
    ("soft17", "stand", ("stand", "hit")),
    ("hole_card", True, ON_OFF),
    ("peek", True, ON_OFF),
    ("double", "equal_or_less", ("equal_or_less", "equal")),
    ("insurance", True, ON_OFF),
    ("even_money", False, ON_OFF),
    ("surrender", False, ON_OFF),
    ("max_hands", 4, (RANGE, 1, 4)),
    ("split_tens", True, ON_OFF),
    ("resplit_aces", False, ON_OFF),
    ("breakage", "none", ("none", "up", "down")),
    ("smallest_chip", 50, (MONEY, 1, 10000)),
    ("notice_s", 0, (RANGE, 0, 86400)),
    ("dealer_natural_beats_21", True, (True,), "IN-BJ-08"),
    ("promotions", (), (LIST,), "IN-BJ-06"),
)

FORBIDDEN = (("tips", "IN-BJ-02"), ("tip_double", "IN-BJ-02"), ("tip_cap", "IN-BJ-02"))

NEEDS = (("peek", "hole_card", "house rule"),)
