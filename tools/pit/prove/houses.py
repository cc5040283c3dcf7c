"""Random houses for the proof `rounds`: a profile with options, the limits, and a shuffled shoe."""

DECK = [rank + suit for rank in "23456789TJQKA" for suit in "SHDC"]
RICH = [card for card in DECK if card[0] in "89TA"]  # a shoe of many pairs, naturals and twenty-ones
SPLIT_ACE_AGAIN = {"us-nd-twentyone": True, "us-in-blackjack": False, "gcb-blackjack": False}


def house(rnd):
    """(profile, options, low, high) of a random house; limits in cents."""
    profile = rnd.choice(sorted(SPLIT_ACE_AGAIN))
    hole = rnd.random() < 0.8
    options = {"hole_card": hole, "peek": hole and rnd.random() < 0.5, "soft17": rnd.choice(("stand", "hit")),
               "insurance": rnd.random() < 0.85, "max_hands": rnd.choice((1, 2, 3, 4, 4, 4)),
               "double": rnd.choice(("equal", "equal_or_less")), "breakage": rnd.choice(("none", "none", "up", "down"))}
    if profile == "us-nd-twentyone":
        tips = rnd.random() < 0.7
        options.update(tips=tips, tip_double=tips and rnd.random() < 0.6,
                       even_money=options["insurance"] and rnd.random() < 0.6,
                       dealer_natural_beats_21=rnd.random() < 0.8)
        return profile, options, 100, 2500
    options.update(split_tens=rnd.random() < 0.8, resplit_aces=rnd.random() < 0.4)
    if profile == "us-in-blackjack":
        options.update(surrender=rnd.random() < 0.6, even_money=rnd.random() < 0.5,
                       natural_pays=rnd.choice([[3, 2], [6, 5], [2, 1], [7, 5]]))
    else:
        options.update(dealer_natural_beats_21=rnd.random() < 0.5, split_natural=rnd.random() < 0.3)
    return profile, options, 500, 50_000


def shoe(rnd):
    """Six decks, two times in five of every card, else of the ranks that pair and make naturals; the last is dealt
    first."""
    cards = (DECK if rnd.random() < 0.4 else RICH) * 6
    rnd.shuffle(cards)
    return cards
