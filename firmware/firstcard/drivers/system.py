"""System: what belongs to the chip itself: service strap, identity, random bytes, Ctrl-C."""

import hashlib
import os
import sys
import time

import machine
import micropython
from machine import Pin

_CTRL_C = 3
_HEAP_END = 0x20040000  # end of the RAM that is in one piece; the image's heap ends there
_nonces = 0


def closed(gp):
    """Function () -> bool: is the contact from `gp` to ground closed? A cut wire is an open one."""
    level = Pin(gp, Pin.IN, Pin.PULL_UP).value
    return lambda: not level()


def keep_repl():
    """Ctrl-C works again: whoever holds the strap may stop the program."""
    micropython.kbd_intr(_CTRL_C)


def unique_id():
    """8 bytes of the flash chip."""
    return machine.unique_id()


def random(n):
    """`n` bytes (at most 32) for a challenge: noise, hashed with what differs between boards, boots and calls."""
    global _nonces
    _nonces += 1
    seed = os.urandom(32) + machine.unique_id() + b"%d %d" % (time.ticks_us(), _nonces)
    return hashlib.sha256(seed).digest()[:n]


def room():
    """Bytes of the heap that are free at most, by the first place that is: between two collections it only climbs.
    gc.mem_free() counts, and takes 6 ms."""
    return _HEAP_END - id(object())


class Lamp:
    """The alarm lamp on `gp`."""

    def __init__(self, gp):
        self.set = Pin(gp, Pin.OUT, value=0).value


def forget(packages):
    """Take packages or modules out of memory, with what only they hold. The next import reads them from flash again."""
    for name in list(sys.modules):
        for package in packages:
            if name.startswith(package) and name[len(package):][:1] in ("", "."):
                parent, _, last = name.rpartition(".")
                sys.modules[name] = None  # a deleted entry would keep its value alive
                del sys.modules[name]
                if parent in sys.modules:
                    setattr(sys.modules[parent], last, None)
                    delattr(sys.modules[parent], last)
