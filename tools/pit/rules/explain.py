"""A profile in plain words: every parameter with its value, what else is allowed, its clause; the readings chosen."""

import io
import re

from firstcard import rules
from firstcard.core import money
from firstcard.rules import lists
from firstcard.store.texts import Texts

from pit import texts
from pit.rules.readings import PRACTICE, READINGS

CLAUSE = re.compile(r"\b(?:ND|IN-BJ|GCB|IN-TCP)-\d\d\b")
SILENT = ("game", "statute_clause")  # told by the title, or only a name for refusals

LABELS = {
    "unit": "Wagers go in steps of", "statute_min": "Lowest wager that the text allows",
    "statute_max": "Highest wager that the text allows", "sole_min": "The lowest minimum of the site is at most",
    "approval": "Limits must be approved first", "clamp_over": "A bet over the maximum is cut down to it",
    "sign": "A sign must show the limits", "stack_order": "Chips lie with the largest at the bottom",
    "oral": "Oral wagers", "insurance_exact": "Insurance is exactly half",
    "aces_one_card": "Split aces take one card each", "split_natural": "A two-card 21 of a split hand is a natural",
    "tip_min": "Lowest tip", "decks": "Decks in the shoe", "natural_pays": "A natural pays",
    "soft17": "On a soft 17 the dealer is to", "hole_card": "The dealer takes a hole card at the deal",
    "peek": "The dealer looks for a natural", "double": "A double is", "insurance": "Insurance",
    "even_money": "Even money", "surrender": "Surrender", "max_hands": "Hands on one spot, at most",
    "split_tens": "Unlike ten-counts may be split", "resplit_aces": "Aces may be split again",
    "breakage": "What is below the smallest chip is", "smallest_chip": "Smallest chip",
    "notice_s": "Notice of new limits", "dealer_natural_beats_21": "A dealer's natural beats a 21 that is none",
    "promotions": "Promotions", "tips": "Tip bets", "tip_double": "Doubled tips",
    "tip_cap": "Limit of tips", "tip_step": "Tips go in steps of", "tip_insurance": "Insured tips",
    "other_tables": "Other tables of the site", "approved_limits": "Approved limits",
    "bonus_pays": "Ante bonus for straight flush, three of a kind, straight, each to 1", "ante_pays": "The ante pays",
    "play_pays": "The play bet pays", "fold_bonus": "A folded hand takes its bonus",
    "packets": "Three cards are dealt at a time",
}
VALUES = {
    ("unit", 1): "any sum", ("approval", None): "no", ("tip_cap", False): "the table maximum",
    ("sign", "no"): "not by this text", ("sign", "differ"): "where the tables of the site differ",
    ("sign", "always"): "always", ("breakage", "none"): "paid to the cent", ("breakage", "up"): "rounded up",
    ("breakage", "down"): "rounded down", ("double", "equal_or_less"): "equal or less",
}
CENTS = ("unit", "statute_min", "statute_max", "sole_min", "tip_min", "tip_cap", "tip_step", "smallest_chip")


def reason(profile_id, name):
    """The sentence behind a parameter, with its clause where there is one. From firmware/texts/en.txt."""
    return _texts()[f"rule.{profile_id}.{name}"]


def clauses(sentence):
    """Clause ids in a sentence, in order: `ND-02, ND-06: ...` -> [ND-02, ND-06]."""
    return CLAUSE.findall(sentence)


def refusal(number, details):
    """The words that the table itself would use."""
    return Texts(io.BytesIO(texts.build())).say(number, *details)


def parameters(profile_id):
    """Every parameter: list of (name, kind, default, allowed); kind is `fixed`, `option` or `forbidden`. An option
    with one allowed value is fixed."""
    data = rules.data(profile_id)
    out = [(name, "fixed", value, None) for name, value in data.FIXED if name not in SILENT]
    for name, default, allowed in (row[:3] for row in data.OPTIONS):
        single = len(allowed) == 1 and allowed[0] not in (rules.LIST, rules.ODDS)
        out.append((name, "fixed" if single else "option", default, allowed))
    return out + [(name, "forbidden", False, None) for name, _ in data.FORBIDDEN]


def shown(name, value):
    """A value for people: cents as dollars, yes and no, `none`, `MUST BE CHOSEN`."""
    if (name, value) in VALUES:
        return VALUES[name, value]
    if value == rules.NEEDED:
        return "MUST BE CHOSEN"
    if value is None or value == ():
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if name == "approval":
        return "yes"
    if name in CENTS:
        return f"{money.show(value)} dollars"
    if name == "notice_s":
        return f"{value} seconds"
    if name in lists.HINTS:
        return lists.show(name, value)
    return rules.show(value)


def allowed_words(name, allowed):
    """What an option may be: ` [1 to 8]`."""
    if allowed == rules.ON_OFF:
        return " [yes or no]"
    if allowed[0] == rules.LIST:
        return f" [{lists.HINTS[name]}]"
    return f" [{rules.show(allowed)}]"


def explain(profile_id, options=None):
    """Lines about a profile under `options`; with None under its defaults, what must be chosen being said so."""
    loaded = rules.load(profile_id, options) if options is not None else None
    lines = [f"{profile_id}: {reason(profile_id, 'game')}"]
    if loaded:
        lines.append(f"hash {loaded.hash}: two tables with this hash play by the same rules")
    lines += ["", "Always:"]
    for _, sentence, where in PRACTICE:
        if profile_id in where:
            lines.append(f"  {sentence} ({where[profile_id]})")
    for title, wanted in (("Settled by the text or the game:", "fixed"), ("House options:", "option"),
                          ("Refused:", "forbidden")):
        lines += ["", title]
        for name, kind, default, allowed in parameters(profile_id):
            if kind != wanted:
                continue
            value = getattr(loaded, name) if loaded else default
            told = ": " + shown(name, value) + (allowed_words(name, allowed) if kind == "option" else "")
            lines.append(f"  {LABELS[name]}{'' if kind == 'forbidden' else told}")
            lines.append(f"      {name}: {reason(profile_id, name)}")
    lines += ["", "Readings of the text:"]
    for one in READINGS[profile_id]:
        if one.parameter:
            defaults = {name: default for name, _, default, _ in parameters(profile_id)}
            value = getattr(loaded, one.parameter) if loaded else defaults[one.parameter]
            chosen = f"{one.parameter} = {shown(one.parameter, value)}"
        else:
            chosen = one.fixed
        lines.append(f"  {one.id} ({', '.join(one.clauses)}): {one.sentence} Here: {chosen}.")
    return lines


def _texts():
    return texts.parse(texts.SOURCE.read_text(encoding="utf-8"))
