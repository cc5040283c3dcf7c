"""Money: integer cents inside, dollars as an operator types and reads them. No floats anywhere."""

MOST_DIGITS = 7  # whole dollars; keeps every amount in cents below 2**30 (small ints on the board)


def parse(text):
    """Cents of an operator's amount in dollars: `5` -> 500, `2.50` -> 250.

    Accepted are 1 to 7 digits, alone or with a point and exactly two more. Everything else (signs, currency marks,
    commas, `2.5`, blanks) raises ValueError with what to type instead: a guess about money is worse than a refusal.
    """
    whole, point, rest = text, "", ""
    if "." in text:
        whole, rest = text.split(".", 1)
        point = "."
    if not whole or not _digits(whole) or (point and not (len(rest) == 2 and _digits(rest))):
        raise ValueError("type dollars as 5 or 2.50")
    if len(whole) > MOST_DIGITS:
        raise ValueError("at most " + "9" * MOST_DIGITS + " dollars")
    return int(whole) * 100 + (int(rest) if rest else 0)


def show(cents):
    """Dollars as text: 500 -> `5`, 250 -> `2.50`, -5 -> `-0.05`."""
    sign = "-" if cents < 0 else ""
    cents = abs(cents)
    if cents % 100:
        return "%s%d.%02d" % (sign, cents // 100, cents % 100)
    return "%s%d" % (sign, cents // 100)


def _digits(text):
    """Only 0..9: str.isdigit also takes digits of other scripts on CPython."""
    for letter in text:
        if not "0" <= letter <= "9":
            return False
    return True
