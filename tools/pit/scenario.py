"""Scenario files: read, checked strictly, turned into steps. Every problem names its line and what to write instead."""

from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path

from pit import contract, yamllines
from pit.chips import ChipBox
from pit.errors import PitError
from pit.rules.files import STARTING_LIMITS

TOP = ("title", "profile", "options", "limits", "board", "login", "steps")


class ScenarioError(PitError):
    """A file that cannot be played; the text has one line a problem: file:line: what, and what to write instead."""

    def __init__(self, path, problems):
        self.problems = sorted(problems)
        super().__init__("\n".join(f"{path}:{line}: {text}" for line, text in self.problems))


@dataclass
class Step:
    """One step: `kind` is its name in the file, `args` what it needs to be played (see scenario_steps)."""

    kind: str
    args: dict
    line: int
    text: str


@dataclass
class Scenario:
    """A checked scenario. `registry` is a list of [uid hex in the order of the air, cents]."""

    path: str
    title: str
    profile: str
    board: str
    login: str
    options: dict = field(default_factory=dict)
    limits: dict = field(default_factory=dict)
    steps: list = field(default_factory=list)
    registry: list = field(default_factory=list)

    def setup(self):
        """What a target needs to start (targets.base)."""
        return {"board": self.board, "profile": self.profile, "options": self.options, "limits": self.limits,
                "registry": self.registry, "keys": {}}


class Checker:
    """Collects problems while values are taken apart; shared by this module and scenario_steps."""

    def __init__(self, board):
        self.board = board
        self.chips = ChipBox(getattr(board, "READER", "pn5180"))
        self.problems = []

    def wrong(self, line, text):
        """Note a problem; returns None, so that a check can say `return check.wrong(...)`."""
        self.problems.append((line, text))

    def fields(self, value, known, what, required=()):
        """Dict of `value`'s fields without unknown ones; None if it is no mapping or lacks a required field."""
        if not isinstance(value.data, dict):
            return self.wrong(value.line, f"{what} needs fields: write {what}: {{{', '.join(required or known)}: ...}}")
        for key in value.data:
            if key not in known:
                self.unknown(value.key_lines[key], f"`{key}` is no field of {what}", key, known)
        missing = [key for key in required if key not in value.data]
        if missing:
            return self.wrong(value.line, f"{what} lacks {', '.join(f'`{key}`' for key in missing)}: add it")
        return {key: child for key, child in value.data.items() if key in known}

    def unknown(self, line, text, word, known):
        """Note an unknown word, with the nearest known one if there is one."""
        near = get_close_matches(str(word), known, 1)
        self.wrong(line, f"{text}: " + (f"did you mean `{near[0]}`?" if near else f"write one of {', '.join(known)}"))

    def word(self, value, known, what):
        """The word if it is a known one, else None with a problem."""
        if isinstance(value.data, str) and value.data in known:
            return value.data
        return self.unknown(value.line, f"{value.plain()!r} is no {what}", value.plain(), known)

    def number(self, value, low, high, what):
        """An int within low..high (high None = no limit), else None with a problem."""
        data = value.data
        if type(data) is int and data >= low and (high is None or data <= high):
            return data
        span = f"{low} to {high}" if high is not None else f"{low} or more"
        return self.wrong(value.line, f"{what} is {value.plain()!r}: write a whole number, {span}")

    def items(self, value):
        """A list of Value; a single scalar counts as a list of one."""
        return value.data if isinstance(value.data, list) else [value]


def load(path):
    """The Scenario in a file. Raises ScenarioError with all problems at once, or PitError if it cannot be read."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise PitError(f"{path} cannot be read ({getattr(error, 'strerror', None) or 'it is not UTF-8 text'}): "
                       "give the path of a scenario file")
    return parse(text, str(path))


def parse(text, path="scenario.yaml"):
    """The Scenario in `text`; `path` is what messages call it. Raises ScenarioError."""
    value, problems = yamllines.load(text)
    if problems or value is None:
        raise ScenarioError(path, problems or [(1, "the file is empty: write `profile:` and `steps:`")])
    check = Checker(_board(value))
    scenario = _head(check, value, path)
    if scenario:
        from pit.scenario_steps import read_steps

        scenario.steps = read_steps(check, value.data["steps"])
        scenario.registry = [[uid, cents] for uid, cents in check.chips.registry.items()]
    if check.problems:
        raise ScenarioError(path, check.problems)
    return scenario


def _board(value):
    """The board's data module; fc7 where the file names none or a wrong one (which _head reports)."""
    from importlib import import_module

    name = value.data.get("board") if isinstance(value.data, dict) else None
    try:
        return import_module(f"boards.{name.data}") if name else import_module("boards.fc7")
    except ImportError:
        return import_module("boards.fc7")


def _head(check, value, path):
    top = check.fields(value, TOP, "a scenario", required=("profile", "steps"))
    if top is None:
        return None
    title = top["title"].plain() if "title" in top else Path(path).stem
    profile = check.word(top["profile"], contract.PROFILES, "profile")
    login = top["login"].plain() if "login" in top else "supervisor"
    if login not in ("none", "supervisor", None):
        check.wrong(top["login"].line, f"login is {login!r}: write `login: none`, or leave it out (supervisor)")
    scenario = Scenario(path, str(title), profile, check.board.NAME, login or "none", _options(check, top),
                        _limits(check, top))
    if "board" in top and top["board"].plain() != check.board.NAME:
        check.wrong(top["board"].line, f"there is no board {top['board'].plain()!r}: write `board: fc7`")
    if profile and not check.problems:
        from pit.scenario_rules import check_rules

        check_rules(check, top, scenario)
    return scenario


def _options(check, top):
    if "options" not in top:
        return {}
    if not isinstance(top["options"].data, dict):
        check.wrong(top["options"].line, "options needs names and values: write options: {soft17: hit}")
        return {}
    return top["options"].plain()


def _usual_limits(top):
    """Limits of a file that names none: legal ones for its profile."""
    low, high = STARTING_LIMITS.get(str(top["profile"].plain()) if "profile" in top else None, (500, 50_000))
    return {"min": low, "max": high}


def _limits(check, top):
    if "limits" not in top:
        return _usual_limits(top)
    both = check.fields(top["limits"], ("min", "max"), "limits", required=("min", "max"))
    if both is None:
        return _usual_limits(top)
    limits = {name: check.number(both[name], 1, None, f"limits {name} (cents)") for name in ("min", "max")}
    if None not in limits.values() and limits["min"] > limits["max"]:
        check.wrong(top["limits"].line, "the minimum is above the maximum: exchange them")
    return limits
