"""Rule profile us-nd-twentyone: North Dakota, twenty-one, Betting (clauses ND-01 ... ND-61).

Data only; the clause and the reason of each line stand under `rule.us-nd-twentyone.` in firmware/texts/en.txt.
"""

from firstcard.rules import LIST, MONEY, ON_OFF, RANGE

FIXED = (
    ("game", "blackjack"),
    ("statute_min", 100),
    ("statute_max", 2500),
    ("statute_clause", "ND-06"),
    ("sole_min", 300),
    ("approval", None),
    ("clamp_over", True),
    ("sign", "differ"),
    ("stack_order", True),
    ("oral", False),
    ("insurance_exact", True),
    ("aces_one_card", True),
    ("split_natural", False),
    ("tip_min", 50),
)

OPTIONS = (
    ("unit", 100, (100,), "ND-08"),
    ("decks", 6, (RANGE, 1, 8)),
    ("natural_pays", (3, 2), ((3, 2),), "ND R6"),
    ("soft17", "stand", ("stand", "hit")),
    ("hole_card", True, ON_OFF),
    ("peek", True, ON_OFF),
    ("double", "equal", ("equal", "equal_or_less"), "ND-52"),
    ("insurance", True, ON_OFF),
    ("even_money", False, ON_OFF),
    ("tips", False, ON_OFF),
    ("tip_cap", False, (MONEY, 50, 2500), "ND-23"),
    ("tip_step", 50, (MONEY, 1, 2500)),
    ("tip_double", False, ON_OFF),
    ("max_hands", 4, (RANGE, 1, 4), "ND-42"),
    ("split_tens", True, (True,), "ND-41"),
    ("resplit_aces", True, (True,), "ND-47"),
    ("breakage", "none", ("none", "up", "down")),
    ("smallest_chip", 50, (MONEY, 1, 2500)),
    ("notice_s", 1200, (RANGE, 0, 86400)),
    ("dealer_natural_beats_21", True, ON_OFF),
    ("other_tables", (), (LIST,)),
    ("promotions", (), (LIST,), "ND R5"),
)

FORBIDDEN = (("surrender", "ND-13"), ("tip_insurance", "ND-32"))

NEEDS = (
    ("peek", "hole_card", "house rule"),
    ("even_money", "insurance", "ND-39"),
    ("tip_double", "tips", "ND-51"),
    ("tip_cap", "tips", "ND-23"),
)
