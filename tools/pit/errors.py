"""Errors that a user can act on: one sentence each, shown without a traceback, and the exit status they end with."""


class PitError(Exception):
    """Something on this PC that the user can put right; the text says what to do. Exit status 2."""

    exit_status = 2


class TableError(PitError):
    """The table (simulated, emulated or real) did not do what every table does, e.g. it never came up."""


class NoTable(PitError):
    """No table is reached: the port is not there, cannot be opened, or nobody answers on it. Exit status 3."""

    exit_status = 3


class Refusal(PitError):
    """The table has refused a command, in its own words. Exit status 1."""

    exit_status = 1

    def __init__(self, text, number=None, rows=()):
        super().__init__(text)
        self.number = number
        self.rows = list(rows)  # what the table has said before it
