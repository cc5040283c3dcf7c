"""Errors that a user can act on: one sentence each, shown without a traceback."""


class PitError(Exception):
    """Something the user can put right; the text says what to do. Exit status 2."""

    exit_status = 2


class TableError(PitError):
    """The table (simulated, emulated or real) did not do what every table does, e.g. it never came up."""
