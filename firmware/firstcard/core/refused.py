"""The one way in which an input is turned down."""


class Refused(Exception):
    """An input that cannot be done now: (error number, values for its text). Nothing has changed."""
