"""Cards as small integers: rank * 4 + suit, 0..51, and one more for a card that could not be read.

Ranks in order `23456789TJQKA`, suits `SHDC`; `TH` is the ten of hearts. The shoe's frames, the console and the
events all use this two-letter code.
"""

RANKS = "23456789TJQKA"
SUITS = "SHDC"
CARDS = 52
UNKNOWN = 52  # a card that is there and could not be read: `??`


def parse(code):
    """Card of a code such as `TH`, `as` or `??`. Raises ValueError for anything else."""
    if code == "??":
        return UNKNOWN
    code = code.upper()
    if len(code) == 2:
        rank = RANKS.find(code[0])
        suit = SUITS.find(code[1])
        if rank >= 0 and suit >= 0:
            return rank * 4 + suit
    raise ValueError("type a card as TH, 9C or ??")


def name(card):
    """Code of a card: 33 -> `TH`, UNKNOWN -> `??`."""
    return "??" if card == UNKNOWN else RANKS[card >> 2] + SUITS[card & 3]


def rank(card):
    """0 for a two ... 12 for an ace. Equal ranks are a pair. UNKNOWN gives 13, equal to none of them."""
    return card >> 2


def points(card):
    """Blackjack points: 2..10, pictures 10, ace 11 (a hand takes 10 off again), UNKNOWN 0."""
    place = card >> 2
    if place < 8:
        return place + 2
    if place < 12:
        return 10
    return 11 if card != UNKNOWN else 0


class Tally:
    """How often each card has left the shoe, to notice one more than the decks hold (alarm `duplicate-card`).

    Cards are counted from one shuffle to the next; as long as no shoe has ever told of a shuffle, each round by itself.
    """

    def __init__(self, decks):
        self.decks = decks  # 1..8
        self.told = False  # has a shuffle been told?
        self.counts = bytearray(CARDS)

    def clear(self, told):
        """A shuffle was told, or a round begins."""
        self.told = self.told or told
        if told or not self.told:
            for card in range(CARDS):
                self.counts[card] = 0

    def add(self, card):
        """Count one card; True if the decks hold no such card any more. UNKNOWN is not counted."""
        if card == UNKNOWN:
            return False
        counts = self.counts
        if counts[card] < 255:
            counts[card] += 1
        return counts[card] > self.decks

    def take(self, card):
        """It was not this card after all."""
        if self.counts[card]:  # else a shuffle was told since
            self.counts[card] -= 1
