"""Options that are lists: promotions, a Board's approved limits, the other tables of a site.

Imported only where an option holds such a list. Each comes from a file (lists and mappings, cents) or from an
operator's line (dollars, items separated by commas):
approved_limits  [[500, 5000]]               5-50,10-100             -> ((min, max), ...)
other_tables     [{min: 300, max: 2500, active: true}]   3-25,5-25 idle   -> ((min, max, active), ...)
promotions       [{cards: 7-7-7 suited, pays: [3, 1], approval: ED-17}]   7-7-7 suited pays 3:1 approved ED-17
                 -> ((ranks 0..12 sorted, suited, odds, approval), ...)
"""

from firstcard.core import cards, money
from firstcard.rules import NOT_APPROVED, RuleError

HINTS = {
    "promotions": "a list such as 7-7-7 suited pays 3:1 approved REFERENCE",
    "approved_limits": "a list such as 5-50,10-100",
    "other_tables": "a list such as 3-25,5-25 idle",
}


def read(name, value, clause=""):
    """The stored form of a list option, or None if it cannot be read. Raises RuleError for a promotion without its
    approval (`clause` says who demands it)."""
    if value is None or value is False or value in ("", "off", "false", "none"):
        return ()
    if isinstance(value, str):
        value = value.split(",")
    if not isinstance(value, (list, tuple)):
        return None
    out = []
    for item in value:
        try:
            out.append(_promotion(item, clause) if name == "promotions" else _pair(name, item))
        except (ValueError, KeyError, TypeError, AttributeError, IndexError):  # whatever is not as above
            return None
    return tuple(out)


def show(name, value):
    """A stored list as an operator types it; `off` for none."""
    parts = []
    for row in value:
        if name == "promotions":
            ranks = "-".join([cards.RANKS[rank] for rank in row[0]])
            suited = " suited" if row[1] else ""
            parts.append("%s%s pays %d:%d approved %s" % (ranks, suited, row[2][0], row[2][1], row[3]))
        else:
            active = len(row) < 3 or row[2]
            parts.append("%s-%s%s" % (money.show(row[0]), money.show(row[1]), "" if active else " idle"))
    return ",".join(parts) or "off"


def _pair(name, item):
    """(min, max) in cents, for a table also whether it is active."""
    active = True
    if isinstance(item, str):
        words = item.split()
        if words[1:] == ["idle"]:
            active = False
        elif len(words) != 1:
            raise ValueError
        low, high = [money.parse(part) for part in words[0].split("-")]
    elif isinstance(item, dict):
        low, high, active = item["min"], item["max"], item.get("active", True)
        if len(item) > 2 + ("active" in item):
            raise ValueError
    else:
        low, high = item
    if type(low) is not int or type(high) is not int or not 0 < low <= high or type(active) is not bool:
        raise ValueError
    if name == "other_tables":
        return low, high, active
    if not active:
        raise ValueError
    return low, high


def _promotion(item, clause):
    """One promotion: the winning cards, whether they must be of one suit, their odds, who approved it."""
    if isinstance(item, dict):
        words = str(item["cards"] if "cards" in item else item["name"]).split()
        approval = item.get("approval")
        if item.get("suited"):
            words.append("suited")
        if "pays" in item:
            pays = item["pays"]
            words += ["pays", pays if isinstance(pays, str) else "%d:%d" % tuple(pays)]
        if approval:
            words += ["approved", str(approval).replace(" ", "-")]
    else:
        words = item.split()
    ranks = sorted([cards.rank(cards.parse(letter + "S")) for letter in words[0].split("-")])
    suited, odds, approval, place = False, None, None, 1
    while place < len(words):
        word = words[place]
        if word == "suited":
            suited = True
        elif word == "pays":
            place += 1
            odds = tuple([int(part) for part in words[place].split(":")])
        elif word == "approved":
            place += 1
            approval = words[place] if place < len(words) else None
        else:
            raise ValueError
        place += 1
    if len(ranks) < 2 or odds is None or len(odds) != 2 or not 0 < odds[1] <= odds[0] <= 1000:
        raise ValueError
    if not approval:
        raise RuleError(NOT_APPROVED, words[0], clause)
    return tuple(ranks), suited, odds, approval
