"""What a call raises, in the subset of Python that MicroPython's unix port runs too (no pytest there)."""


def error_of(kind, call, *args):
    """The exception of class `kind` that call(*args) raises; AssertionError if it raises none."""
    try:
        result = call(*args)
    except kind as error:
        return error
    raise AssertionError("returned %r and did not raise" % (result,))
