"""Snapshots of a running board by os.fork(): try one continuation in a child, and the parent is where it was.

A board has no threads and no files, so a fork carries all of it, with every model attached; pages are shared until
written. A child costs some milliseconds and the memory it touches.
"""

import gc
import os
import pickle
import selectors
import signal
import sys
import traceback


class ChildError(Exception):
    """The child ended without an answer, or raised something that cannot be carried over; the text says what."""


def in_fork(fn, *args):
    """`fn(*args)` in a child: its (pickled) result, or its exception with the child's traceback as a note."""
    return fork_map(lambda _: fn(*args), (None,), workers=1)[0]


def fork_map(fn, items, workers=2, progress=None):
    """[fn(item) for item in items], each in a child of its own, `workers` at a time; results in the order of `items`.

    `progress(done, total)` is called after each. The first exception ends the other children and is raised here, with
    the child's traceback as a note.
    """
    items = list(items)
    results = [None] * len(items)
    waiting = list(enumerate(items))[::-1]
    running = {}  # read end of the pipe -> _Child
    done = 0
    with selectors.DefaultSelector() as selector:
        try:
            while waiting or running:
                while waiting and len(running) < workers:
                    index, item = waiting.pop()
                    child = _Child(fn, index, item)
                    running[child.pipe] = child
                    selector.register(child.pipe, selectors.EVENT_READ)
                for key, _ in selector.select():
                    child = running[key.fd]
                    if not child.read():
                        selector.unregister(child.pipe)
                        del running[child.pipe]
                        results[child.index] = child.result()
                        done += 1
                        if progress:
                            progress(done, len(items))
        finally:
            for child in running.values():
                child.kill()
    return results


class _Child:
    """One forked computation and the pipe its answer comes through."""

    def __init__(self, fn, index, item):
        self.index = index
        self._answer = bytearray()
        self.pipe, writer = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(self.pipe)
            _compute(fn, item, writer)
        os.close(writer)

    def read(self):
        """Take what has come; False at the end."""
        data = os.read(self.pipe, 1 << 16)
        self._answer += data
        return bool(data)

    def result(self):
        """The child's result; raises what it raised."""
        status = self._reap()
        if not self._answer:
            raise ChildError(f"the child ended with status {status} and no answer")
        good, value, text = pickle.loads(self._answer)
        if good:
            return value
        error = value if value is not None else ChildError(text.strip().splitlines()[-1])
        error.add_note("in the child:\n" + text)
        raise error

    def kill(self):
        """End it, whatever it does."""
        os.kill(self.pid, signal.SIGKILL)
        self._reap()

    def _reap(self):
        os.close(self.pipe)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def _compute(fn, item, writer):
    """The child's whole life."""
    gc.disable()  # a collection would touch, and so copy, every page
    try:
        answer = _pack(True, fn(item), "")
    except BaseException as error:  # noqa: B036 - also SystemExit and KeyboardInterrupt go to the parent as they are
        answer = _pack(False, error, traceback.format_exc())
    try:
        with os.fdopen(writer, "wb") as file:
            file.write(answer)
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(0)  # no atexit handlers, no test runner


def _pack(good, value, text):
    try:
        packed = pickle.dumps((good, value, text))
        pickle.loads(packed)  # an exception with a constructor of its own may not come back
    except Exception as error:
        if good:
            text = f"the result of the child cannot be pickled: {error}"
        packed = pickle.dumps((False, None, text))
    return packed
