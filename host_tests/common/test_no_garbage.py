"""What runs for every byte, tick or picture allocates nothing: it works with the heap locked, where there is a lock."""

import io

from firstcard.core import digits, ticks
from firstcard.proto import crc, lines, ots1
from firstcard.store.registry import Registry
from host_tests.common.written import with_crc

try:
    from micropython import heap_lock, heap_unlock
except ImportError:  # CPython: the calls are made all the same

    def heap_lock():
        pass

    heap_unlock = heap_lock

LINE = with_crc("limits set 5 100").encode()
NOISE = LINE + b"\nxx\xff\r\n" + b"y" * 200 + b"\n"
WHOLE = LINE + b"\n"
FRAME = b"noise\xff" + ots1.encode(5, "CRD", 1, "TH", 99, "U", 1234)[:-2]
CHIPS = b"".join([bytes((7, 6, 5, 4, 3, 2, 1, n, 100, 0, 0, 0)) for n in range(50)])
REGISTRY = b"FCC1" + b"\0\0\x32\0" + b"\0\0\x32\0" + CHIPS + bytes(32)


def test_the_lock_shows_an_allocation():
    """The method itself: under the lock making a list fails on MicroPython."""
    caught = False
    heap_lock()
    try:
        [LINE]  # noqa: B018 the list is the point
    except MemoryError:
        caught = True
    heap_unlock()
    assert caught or heap_lock is heap_unlock


def test_operator_lines():
    assembler = lines.Lines()
    heap_lock()
    try:
        at = 0
        while at < len(NOISE):
            at = assembler.take(NOISE, at, len(NOISE))
        noise = assembler.result
        assembler.take(WHOLE, 0, len(WHOLE))
    finally:
        heap_unlock()
    assert (noise, assembler.result) == (lines.TOO_LONG, lines.LINE)


def test_shoe_bytes_within_a_frame():
    receiver = ots1.Receiver()
    heap_lock()
    try:
        for byte in FRAME:
            receiver.feed(byte)
    finally:
        heap_unlock()
    assert receiver.feed(13)[:2] == ("CRD", 5)


def test_crc_and_ticks():
    heap_lock()
    try:
        crc.crc16(LINE)
        crc.hex4(LINE, len(LINE) - 4)
        ticks.diff(1, 1073741823)
        ticks.add(1073741823, 536870911)
    finally:
        heap_unlock()


def test_the_picture_of_the_strip():
    buf, spots = bytearray(210), bytes(7)
    heap_lock()
    try:
        digits.draw(buf, 999900, 9999900, digits.RED, spots)
        digits.draw(buf, 1000000, -5, digits.RED, spots)
    finally:
        heap_unlock()


def test_chip_lookup():
    registry = Registry(io.BytesIO(REGISTRY))
    heap_lock()
    try:
        found = registry.lookup(CHIPS, 12 * 17)
        missing = registry.lookup(b"unknown!")
    finally:
        heap_unlock()
    assert (found, missing) == (100, -1)
