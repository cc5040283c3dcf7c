"""The people at a table that `pit emulate` runs: steps of a scenario, typed one a line, played while it runs."""

from collections import deque

from pit import yamllines
from pit.chips import ChipBox, nth_uid
from pit.errors import PitError
from pit.runner import CARD_MS, KEY_MS
from pit.scenario import Checker
from pit.scenario_steps import READERS, read_step
from pit.timeline import dollars

AT_THE_TABLE = ("place", "remove", "draw", "edge", "frame", "press", "turn", "fault", "wait")
VALUES = (100, 500, 2500, 10_000, 50_000, 100_000)  # cents
EACH = 40
REGISTRY = [(nth_uid(n), VALUES[n // EACH]) for n in range(len(VALUES) * EACH)]
"""Chips for a table that has none yet."""


class Tray(ChipBox):
    """Chips to lay down: those of a registry, (UID in the order of the air, cents) each."""

    def __init__(self, registry, reader="pn5180"):
        super().__init__(reader)
        self.registry = dict(registry)

    def place(self, spot, zone, values, uids):
        if uids is None:
            out = {uid for pile in self._lying.values() for uid in pile}
            uids = []
            for value in values:
                uids.append(self._new() if value is None else self._next(value, out))
                out.add(uids[-1])
        return super().place(spot, zone, None, uids)

    def _new(self):
        uid = super()._new()
        return self._new() if uid in self.registry else uid

    def _next(self, value, out):
        uid = next((uid for uid, worth in self.registry.items() if worth == value and uid not in out), None)
        if uid is None:
            here = sorted({worth for uid, worth in self.registry.items() if worth > 0 and uid not in out})
            raise PitError(f"no chip of {value} cents is left in the tray: take {', '.join(map(str, here)) or 'none'}")
        return uid


class People:
    """`board`: its data module; `registry`: the chips that its table knows; `do(action)`: see pit.targets.base."""

    def __init__(self, board, registry, do):
        self._check = Checker(board)
        self._check.chips = Tray(registry, getattr(board, "READER", "pn5180"))
        self._do = do
        self._waiting = deque()  # (action or None, ms that it takes)
        self._due_ms = 0

    def told(self, line):
        """Take one line; what to answer, or "". Nothing is done before turn()."""
        line = line.strip().removeprefix("- ")
        if not line:
            return ""
        if line in ("help", "?"):
            return help_text()
        value, problems = yamllines.load(line)
        step = None if problems else self._step(value, problems)
        if step:
            self._waiting.extend(_actions(step))
        return "; ".join(text for _, text in problems)

    def _step(self, value, problems):
        self._check.problems = problems
        kind = next(iter(value.data), None) if isinstance(value.data, dict) else value.data
        if kind in READERS and kind not in AT_THE_TABLE:
            return self._check.wrong(1, f"`{kind}` is no work of hands: do it in another window, with `pit console` or "
                                        "`pit send`")
        try:
            return read_step(self._check, value)
        except PitError as error:
            return self._check.wrong(1, str(error))

    def turn(self, now_ms):
        """Do what is due at that table time. Raises PitError for what this table cannot."""
        while self._waiting and now_ms >= self._due_ms:
            action, ms = self._waiting.popleft()
            self._due_ms = now_ms + ms
            if action:
                self._do(action)
            if "power" in (action or {}).get("fault", ()):
                self._due_ms = 0  # the clock begins anew


def _actions(step):
    """(action or None, ms until the next one) of a step."""
    if step.kind == "draw":
        return [({"draw": card}, CARD_MS) for card in step.args["cards"]]
    if step.kind == "press":
        return [({"press": key}, KEY_MS) for key in step.args["keys"]]
    if step.kind == "turn":
        return [({"turn": step.args["on"]}, KEY_MS)]
    if step.kind == "wait":
        return [(None, step.args["ms"])]
    return [({step.kind: step.args}, 0)]


def help_text():
    rows = [f"  {kind}: {READERS[kind][1]}".rstrip(": ") for kind in AT_THE_TABLE]
    return "\n".join(["You are the people at the table; a step a line, amounts in cents:", *rows,
                      f"Chips: {', '.join(dollars(value) for value in VALUES)}, {EACH} of each, unless the table has "
                      "its own. host_tests/README.md says more."])
