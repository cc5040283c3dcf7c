"""Rule profile gcb-blackjack: an unidentified Commonwealth's Gaming Control regulations (clauses GCB-01 ... GCB-12).

Data only; the clause and the reason of each line stand under `rule.gcb-blackjack.` in firmware/texts/en.txt.
"""

from firstcard.rules import LIST, MONEY, NEEDED, ON_OFF, RANGE

FIXED = (
    ("game", "blackjack"),
    ("unit", 1),
    ("statute_min", None),
    ("statute_max", None),
    ("statute_clause", "GCB-08"),
    ("sole_min", None),
    ("approval", "GCB-08"),
    ("clamp_over", False),
    ("sign", "always"),
    ("stack_order", False),
    ("oral", True),
    ("insurance_exact", False),
    ("aces_one_card", True),
)

OPTIONS = (
    ("decks", 6, (RANGE, 1, 8)),
    ("natural_pays", (3, 2), ((3, 2),), "GCB-09"),
    ("soft17", "stand", ("stand", "hit")),
    ("hole_card", True, ON_OFF),
    ("peek", True, ON_OFF),
    ("double", "equal", ("equal", "equal_or_less")),
    ("insurance", True, ON_OFF),
    ("max_hands", 4, (RANGE, 1, 4)),
    ("split_tens", True, ON_OFF),
    ("resplit_aces", False, ON_OFF),
    ("split_natural", False, ON_OFF),
    ("breakage", "none", ("none", "up", "down")),
    ("smallest_chip", 50, (MONEY, 1, 10000)),
    ("notice_s", 0, (RANGE, 0, 86400)),
    ("dealer_natural_beats_21", NEEDED, ON_OFF, "GCB-05"),
    ("approved_limits", (), (LIST,), "GCB-08"),
)

FORBIDDEN = (("tips", "GCB-07"), ("tip_double", "GCB-07"), ("tip_cap", "GCB-07"), ("surrender", "GCB-06"),
             ("even_money", "GCB-06"), ("promotions", "GCB-09"))

NEEDS = (("peek", "hole_card", "house rule"),)
