"""A scenario's profile, options and limits held against the firmware's own rules, with the firmware's own words."""

import io

from firstcard.core import limits as core_limits
from firstcard.rules import RuleError
from firstcard.rules import load as load_profile
from firstcard.store.texts import Texts

from pit import texts


def check_rules(check, top, scenario):
    """Note in `check` what the profile's loader refuses; `top` are the file's fields (for their lines)."""
    try:
        profile = load_profile(scenario.profile, scenario.options)
    except RuleError as error:
        check.wrong(_line(top, error), _words(error.number, error.details))
        return
    if None in scenario.limits.values():
        return
    # the limits of a file are entered with whatever approval they need
    core_limits.approve(profile, scenario.limits["min"], scenario.limits["max"])
    refused = core_limits.check(profile, scenario.limits["min"], scenario.limits["max"])
    if refused:
        check.wrong(top["limits" if "limits" in top else "profile"].line, _words(*refused))


def _line(top, error):
    """The line of the option that the loader complains about, else of the options, else of the profile."""
    options = top.get("options")
    if options is None:
        return top["profile"].line
    return next((line for name, line in options.key_lines.items() if name in error.details), options.line)


def _words(number, details):
    return Texts(io.BytesIO(texts.build())).say(number, *details)
