"""System: what belongs to the chip itself: service strap, identity, random bytes, Ctrl-C."""

import binascii
import hashlib
import os
import time

import machine
import micropython
from machine import Pin

_CTRL_C = 3
_nonces = 0


def service(gp):
    """True while the SERVICE strap on `gp` is closed (low)."""
    return not Pin(gp, Pin.IN, Pin.PULL_UP).value()


def keep_repl():
    """Ctrl-C works again: whoever holds the strap may stop the program."""
    micropython.kbd_intr(_CTRL_C)


def unique_id():
    """The number of the flash chip, 16 hex digits."""
    return str(binascii.hexlify(machine.unique_id()), "ascii")


def random(n):
    """`n` bytes (at most 32) for a challenge: noise, hashed with what differs between boards, boots and calls."""
    global _nonces
    _nonces += 1
    seed = os.urandom(32) + machine.unique_id() + b"%d %d" % (time.ticks_us(), _nonces)
    return hashlib.sha256(seed).digest()[:n]


class Lamp:
    """The alarm lamp on `gp`."""

    def __init__(self, gp):
        self.set = Pin(gp, Pin.OUT, value=0).value
