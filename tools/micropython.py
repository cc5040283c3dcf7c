"""Stand-in on a PC for MicroPython's own module, as far as firstcard.proto uses it: nothing becomes machine code.

The types of viper code are names that only MicroPython's compiler knows: here each gives back what it is given, so that
`ptr8(buf)[n]` is `buf[n]`.
"""

import builtins


def viper(function):
    """The function as it is."""
    return function


def const(value):
    """The value."""
    return value


def _same(thing):
    return thing


builtins.ptr8 = builtins.ptr16 = builtins.ptr32 = _same
