"""The named exceptions with which a model on the pins refuses what it does not know or what hardware would not forgive.

A model never guesses: an access outside its knowledge ends the test that made it, with the reason in words. What the
real part reports by itself (GENERAL_ERROR, a CRC error, a time-out) is modelled and does not raise.
"""


class ModelError(Exception):
    """Base of every refusal of a model."""


class NotModelled(ModelError):
    """A command, register, flag or value that exists, or may exist, but about which the model knows nothing."""


class BusViolation(ModelError):
    """The reader bus was driven against its rules: NSS while BUSY, select lines moved under the strobe, a cut byte."""


class StateViolation(ModelError):
    """A command in a state of the reader that does not allow it (hardware notes 1.5, ISSUES 9, 16, 21)."""


class AirViolation(ModelError):
    """Something was sent at an instant at which the air belongs to the tags (ISO 15693 t1, t2, t3)."""


class ShoeProtocolError(ModelError):
    """The table sent the shoe a line that is not OTS-1."""
