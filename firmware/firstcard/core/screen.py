"""The dealer's display: five rows of text on 128 x 64 pixels, and what stands in them.

Everything is taken from what has been told (prompts, alarms, limits) and from what lies open at the table, so it cannot
give away a card that nobody has seen. Texts are ASCII; what is too long for its row is cut.
"""

from firstcard.core import money

# A row: its first band of 8 pixels, how many times wider and higher than the font's 8 x 8 its letters are
ROWS = ((0, 1, 2), (2, 2, 2), (4, 2, 2), (6, 1, 1), (7, 1, 1))
LETTERS = (16, 8, 8, 16, 16)
# What ends a prompt: the events that answer it, or take it over
ANSWERS = ("state", "extra", "card", "unsettled-decided")


def dollars(cents):
    """An amount as it fits a wide row: $5, $2.50, $99999, -$5."""
    return ("-$" if cents < 0 else "$") + money.show(abs(cents))


def asking(kind, spot, amount):
    """First three rows of a prompt, or of an open window."""
    return [kind.upper().replace("-", " "), "SPOT %d" % spot if spot else "", "" if amount is None else dollars(amount)]


def resting(state, low, high):
    """The same while nobody is asked for anything: the state, and the limits."""
    return [state, dollars(low), dollars(high)]


def cut(rows):
    """The rows as they are shown."""
    return [row[:LETTERS[n]] for n, row in enumerate(rows)]
