"""Readings: where a text is silent, ambiguous or cut off, what this project takes it to say, and where that is decided.

Each reading stands behind a parameter of the profile (`parameter` names it: its value, default and allowed values are
the profile's own data) or is fixed in the code (`parameter` None; `fixed` says what is always done).
"""

from collections import namedtuple

Reading = namedtuple("Reading", "id clauses parameter fixed sentence")
"""id: R1...; clauses: tuple of clause ids; exactly one of `parameter` and `fixed` is set."""

READINGS = {
    "us-nd-twentyone": (
        Reading("R1", ("ND-01", "ND-08"), "unit", None,
                "An even dollar amount is a whole number of dollars, odd ones too."),
        Reading("R2", ("ND-03", "ND-04"), "sole_min", None,
                "At any time at least one active table of the site has a minimum of 3 dollars or less; a table that "
                "knows of no other takes itself for the only one (other_tables)."),
        Reading("R3", ("ND-08",), None, "valued 0",
                "A wager below the table minimum is prompted before the first card; at the lock it counts nothing and "
                "goes back, with an alarm."),
        Reading("R4", ("ND-09",), None, "the amount is told, not the chips",
                "Where no chips equal the excess, the dealer makes change."),
        Reading("R5", ("ND-11", "ND-24"), "dealer_natural_beats_21", None,
                "An ordinary win pays 1 to 1, the higher total wins, a bust hand loses at once, and a dealer's natural "
                "beats a 21 that is none; none of it is in the text."),
        Reading("R6", ("ND-37",), "natural_pays", None,
                "A natural pays 3 to 2, from the layout that section 99-01.3-08-02 prescribes."),
        Reading("R7", ("ND-24",), None, "1 to 1", "A tip on a natural is paid off at an equal amount."),
        Reading("R8", ("ND-09", "ND-23"), None, "valued at the cap, the excess goes back",
                "A tip over its cap is cut down like a wager over the maximum."),
        Reading("R9", ("ND-33", "ND-36"), "insurance_exact", None,
                "Insurance that is not half is prompted until it is; after the closing it is void, goes back and is an "
                "alarm."),
        Reading("R10", ("ND-12",), None, "the first edge at the shoe",
                "The first card is dealt when it leaves the shoe, not when it lands."),
        Reading("R12", ("ND-10",), "notice_s", None,
                "Adequate notice of new limits is 20 minutes, or none while no chips lie on any spot."),
        Reading("R13", ("ND-09", "ND-12"), None, "return-excess is its own transaction",
                "Giving back the excess after the first card changes no wager: it counted the maximum all along."),
        Reading("R14", ("ND-20", "ND-40"), None, "hand 1",
                "After a split the tip rides on the player's right-hand hand (the dealer's left), after "
                "99-01.3-08-11(3)(a)."),
        Reading("R15", ("ND-23",), "tip_step", None, "Tips go in steps that the house sets."),
        Reading("R16", ("ND-34",), None, "exactly then", "Insurance wins if and only if the dealer has a natural."),
        Reading("R17", ("ND-37", "ND-50"), None, "until the next card",
                "A two-card 21 is passed over unless the player doubles it; doubled it is 21 at 1 to 1, no natural."),
        Reading("R18", ("ND-40", "ND-54"), None, "hand by hand",
                "Split and double are asked when a hand becomes active, from the dealer's left."),
    ),
    "us-in-blackjack": (
        Reading("R1", ("IN-BJ-05", "IN-BJ-07"), None, "the blackjack sentences win",
                "A blackjack and a 21 in more cards are the same sum; the special sentences about blackjack go first."),
        Reading("R2", ("IN-BJ-03", "IN-BJ-07"), None, "lost",
                "A player over 21 has lost already; a dealer over 21 as well makes no tie of it."),
        Reading("R3", ("IN-BJ-05", "IN-BJ-09"), "natural_pays", None,
                "Odds stand in section 5; 68 IAC 10-2-1(d) keeps split hands from being blackjacks, lets a double be "
                "identical or less, and pays even money at least 1 to 1."),
        Reading("R4", ("IN-BJ-09", "IN-BJ-10"), None, "all spots at once",
                "One paragraph says round, the next hand: all spots are locked at the first card of the round."),
        Reading("R5", ("IN-BJ-01",), "clamp_over", None,
                "A bet over the maximum is not cut down: it is not accepted, and after the lock only a supervisor may "
                "value it at the maximum."),
        Reading("R6", ("IN-BJ-10",), None, "alarm swap",
                "Other chips of the same value are handling of a wager."),
    ),
    "gcb-blackjack": (
        Reading("R1", ("GCB-08",), None, "unidentified Commonwealth, Gaming Control regulations",
                "The jurisdiction is not named in the text (most likely Belize, not confirmed)."),
        Reading("R2", ("GCB-05",), "dealer_natural_beats_21", None,
                "The sentence on ties breaks off: whether a dealer's two-card 21 beats a player's 21 in more cards has "
                "no default and must be chosen."),
        Reading("R3", ("GCB-04",), "split_natural", None,
                "Whether 21 in two cards includes a split hand."),
        Reading("R4", ("GCB-09",), "breakage", None,
                "3 to 2 may fall below the smallest chip: paid to the cent, or up or down to the smallest chip."),
        Reading("R5", ("GCB-10",), None, "until settled",
                "Locked from the card's removal from the shoe until the decision is implemented, spot by spot."),
        Reading("R6", ("GCB-01",), None, "no wager, no cards",
                "Nobody can be forced to bet: a spot without a wager takes no cards, and a card without one is an "
                "alarm."),
        Reading("R7", ("GCB-04", "GCB-05"), None, "it wins",
                "A two-card 21 against the dealer's 21 in more cards wins; the special paragraph goes before the "
                "proviso on equal scores."),
    ),
    "us-in-three-card-poker": (
        Reading("R1", ("IN-TCP-09", "IN-TCP-10"), None, "push",
                "Does not beat the patron would include a tie; the special sentence on ties makes it a push."),
        Reading("R2", ("IN-TCP-02", "IN-TCP-07"), None, "antes still in play",
                "All antes are won means those not forfeited by a fold."),
        Reading("R3", ("IN-TCP-03", "IN-TCP-11"), "fold_bonus", None, "A folded hand takes no ante bonus."),
        Reading("R4", ("IN-TCP-06", "IN-TCP-12"), None,
                "straight flush, three of a kind, straight, flush, pair, high card",
                "The ranks are not in the text; A-K-Q is the highest straight, A-2-3 the lowest, K-A-2 none, and suits "
                "break no tie."),
        Reading("R5", ("IN-TCP-01", "IN-TCP-02"), None, "limits are those of the ante",
                "Limits are not in the text; the play bet is limited by nothing but the ante."),
        Reading("R6", ("IN-TCP-04",), None, "misdeal",
                "A wrong number of cards is a misdeal (68 IAC 10-11-8)."),
        Reading("R7", ("IN-TCP-07", "IN-TCP-12"), "bonus_pays", None,
                "The odds are minima: a pay table is valid if no entry is below them."),
    ),
}

PRACTICE = (
    ("lock", "All wagers are locked when the first card of the round leaves the shoe.",
     {"us-nd-twentyone": "ND-12", "us-in-blackjack": "IN-BJ-09", "gcb-blackjack": "GCB-10",
      "us-in-three-card-poker": "IN-TCP-14"}),
    ("unlock", "A spot is free again once its decision is rendered and paid or taken.",
     {"us-nd-twentyone": "ND-12", "us-in-blackjack": "IN-BJ-10", "gcb-blackjack": "GCB-10",
      "us-in-three-card-poker": "IN-TCP-14"}),
    ("scope", "The lock covers every chip of the spot, tips too; any handling is an alarm.",
     {"us-nd-twentyone": "ND-12", "us-in-blackjack": "IN-BJ-10", "gcb-blackjack": "GCB-10",
      "us-in-three-card-poker": "IN-TCP-14"}),
    ("override", "No employee can wave an alarm away; clearing it takes the supervisor and is kept in the journal.",
     {"us-nd-twentyone": "house rule", "us-in-blackjack": "IN-BJ-12", "gcb-blackjack": "GCB-12",
      "us-in-three-card-poker": "house rule"}),
    ("plaques", "A plaque with a tag counts like a chip.", {"gcb-blackjack": "GCB-07"}),
    ("tie", "A tie pushes: the wager goes back.",
     {"us-nd-twentyone": "ND-26, R5", "us-in-blackjack": "IN-BJ-07", "gcb-blackjack": "GCB-05",
      "us-in-three-card-poker": "IN-TCP-10"}),
    ("after", "After the lock the dealer may open insurance, splits and doubles, and what the options below allow.",
     {"us-nd-twentyone": "ND-13, ND-14", "us-in-blackjack": "IN-BJ-09", "gcb-blackjack": "GCB-06, GCB-11"}),
    ("tip-place", "A tip lies outside the betting space and touches its lower left edge, as the dealer sees it.",
     {"us-nd-twentyone": "ND-21"}),
    ("insured-place", "The chips of an insurance bet are moved to the lower right of the hand's first card.",
     {"us-nd-twentyone": "ND-35"}),
    ("extra-place", "The chips of a split lie beside the wager, those of a double vertically to it.",
     {"us-nd-twentyone": "ND-43, ND-55"}),
    ("intent", "Where the chips do not say whether a split or a double is meant, the dealer asks, and places them.",
     {"us-nd-twentyone": "ND-57"}),
    ("stack", "Chips of several values are stacked with the largest at the bottom; a wrong one is told and restacked.",
     {"us-nd-twentyone": "ND-60, ND-61"}),
    ("cards-place", "Who plays lays the cards under the play bet; the cards of a fold lie beside the bets.",
     {"us-in-three-card-poker": "IN-TCP-05, IN-TCP-13"}),
    ("after", "After the lock each hand is played with a bet equal to its ante, or folded.",
     {"us-in-three-card-poker": "IN-TCP-02"}),
)
"""What every profile does alike, whatever its options: (word, sentence, {profile: clause})."""
