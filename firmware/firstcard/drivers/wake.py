"""Wake: lets asyncio wait for what a hard handler did, without the handler calling anything.

A handler may only store a small int. So the stream that asyncio polls is readable while words[0] is not 0; the
interrupt itself wakes the poll loop, which then looks. (asyncio.ThreadSafeFlag would be a call into Python from the
handler.) One word for each waiter, cleared by a plain store: clearing one bit of a shared word could lose another
that a handler sets meanwhile.
"""

import io

import micropython
from micropython import const

_POLL = const(3)  # MP_STREAM_POLL
_READABLE = const(1)


class Wake(io.IOBase):
    """For asyncio's queue_read; looked at after every interrupt."""

    def __init__(self, words):
        self._words = words

    @micropython.native
    def ioctl(self, request, flags):
        if request == _POLL and self._words[0]:
            return flags & _READABLE
        return 0

    def clear(self):
        """Forget it. Look at what it announced only afterwards, so that nothing new is lost."""
        self._words[0] = 0
