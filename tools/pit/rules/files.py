"""Profile files: YAML with `profile`, `options` and `limits` (cents), held against the firmware's own rules.

A table's own profile file leaves nothing unstated: each option of the profile stands in it. A file with `steps` is a
scenario, in which an option that is left out has its default.
"""

from firstcard import rules
from firstcard.core import limits

from pit import yamllines
from pit.errors import PitError
from pit.rules.explain import reason, refusal

KNOWN = ("profile", "options", "limits")


class RuleFileError(PitError):
    """What is wrong with a file, one `file:line: what to write instead` a line."""


def load(path):
    """(profile, limits (min, max) or None) of a file. Raises RuleFileError."""
    try:
        with open(path, encoding="utf-8") as file:
            value, problems = yamllines.load(file.read())
    except (OSError, UnicodeDecodeError) as error:
        raise RuleFileError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}")
    problems = list(problems)
    profile = both = None
    if not problems:
        if value is None or not isinstance(value.data, dict):
            problems.append((1, "write profile, options and limits, such as `profile: us-in-blackjack`"))
        else:
            profile, both = _check(value, problems)
    if problems:
        raise RuleFileError("\n".join(f"{path}:{line}: {what}" for line, what in sorted(problems)))
    return profile, both


def template(profile_id):
    """Lines of a complete profile file with every default; what must be chosen is left open."""
    out = [f"profile: {profile_id}", "options:"]
    for row in rules.data(profile_id).OPTIONS:
        name, default, allowed = row[:3]
        out.append(f"  # {reason(profile_id, name)}")
        if default == rules.NEEDED:
            out.append(f"  {name}:  # choose: {rules.show(allowed)}")
        elif isinstance(default, tuple):
            out.append(f"  {name}: [{', '.join(str(part) for part in default)}]")
        else:
            out.append(f"  {name}: {rules.show(default)}")
    low, high = STARTING_LIMITS.get(profile_id, (500, 50_000))
    return out + ["# cents", f"limits: {{min: {low}, max: {high}}}"]


STARTING_LIMITS = {"us-nd-twentyone": (300, 2500)}
"""(min, max) in cents where the usual 5 to 500 dollars would be refused (ND-03, ND-06)."""


def _check(value, problems):
    top = value.data
    if "profile" not in top:
        problems.append((value.line, f"profile is missing: write one of {', '.join(rules.PROFILES)}"))
        return None, None
    scenario = "steps" in top
    if not scenario:
        problems += [(value.key_lines[key], f"unknown field {key}: write {', '.join(KNOWN)}")
                     for key in top if key not in KNOWN]
    profile_id = top["profile"].plain()
    given = top.get("options")
    options = given.plain() if given is not None else {}
    if options is None:
        options = {}
    if not isinstance(options, dict):
        problems.append((given.line, "options needs names and values, such as `soft17: hit`"))
        return None, None
    try:
        data = rules.data(profile_id)
    except rules.RuleError as error:
        problems.append((top["profile"].line, refusal(error.number, error.details)))
        return None, None
    unstated = [row for row in data.OPTIONS if options.get(row[0], _MISSING) in (_MISSING, None)]
    line = given.line if given is not None else top["profile"].line
    for row in unstated:
        if not scenario or row[1] == rules.NEEDED:
            where = given.key_lines.get(row[0], line) if given is not None else line
            problems.append((where, f"option {row[0]} is not stated: write one ({rules.show(row[2])}). "
                                    f"{reason(profile_id, row[0])}"))
    if problems:
        return None, None
    try:
        profile = rules.load(profile_id, options)
    except rules.RuleError as error:
        lines = given.key_lines if given is not None else {}
        where = next((lines[name] for name in error.details if name in lines), line)
        problems.append((where, refusal(error.number, error.details)))
        return None, None
    return profile, _limits(top, profile, problems)


_MISSING = object()


def _limits(top, profile, problems):
    if "limits" not in top:
        return None
    both, line = top["limits"].plain(), top["limits"].line
    if not isinstance(both, dict) or sorted(both) != ["max", "min"] or any(type(n) is not int for n in both.values()):
        problems.append((line, "limits needs min and max in cents, such as `limits: {min: 500, max: 50000}`"))
        return None
    limits.approve(profile, both["min"], both["max"])
    refused = limits.check(profile, both["min"], both["max"])
    if refused:
        problems.append((line, refusal(*refused)))
    return both["min"], both["max"]
