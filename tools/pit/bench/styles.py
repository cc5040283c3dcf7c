"""The same edge heard by what others use: soft interrupt, hard interrupt, a poll from asyncio; beside the latch.

At the prompt, in one run and under the same loads: the CPU idle, computing hashes, collecting garbage, erasing a flash
sector. Each style does the same: it stores the tick at which it has heard the edge. What the latch's hardware does is
measured at the LOCK pin.
"""

from pit.bench.rows import Detail
from pit.emu.snapshot import in_fork

EDGES = 8  # of each style under each load
SOURCES = {"bench_styles.py": '''
"""Styles of hearing an edge: what each has heard is in `heard`."""

import array
import asyncio
import gc
import hashlib
import time

import board
import rp2
from firstcard.drivers import latch
from machine import Pin

heard = array.array("i", [0, 0])


def bytecode(pin):
    heard[1] = time.ticks_us()
    heard[0] += 1


async def poll(pin, ms):
    before = 0
    end = time.ticks_add(time.ticks_ms(), ms)
    while time.ticks_diff(end, time.ticks_ms()) > 0:
        now = pin.value()
        if now and not before:
            bytecode(pin)
        before = now
        await asyncio.sleep_ms(1)


async def busy(load, ms):
    end = time.ticks_add(time.ticks_ms(), ms)
    while time.ticks_diff(end, time.ticks_ms()) > 0:
        load()
        await asyncio.sleep_ms(0)


async def both(pin, load, ms):
    await asyncio.gather(poll(pin, ms), busy(load, ms))


def idle():
    time.sleep_us(50)


def hashing(data=bytes(20000)):
    hashlib.sha256(data).digest()


def collecting():
    gc.collect()


def erasing():
    rp2.Flash().ioctl(6, 200)


LOADS = {"idle": idle, "hashing 20 kB": hashing, "collecting": collecting, "erasing": erasing}
armed = None


def watch(style, name, ms):
    """Listen in this style for so long under the load."""
    global armed
    load = LOADS[name]
    heard[0] = 0
    pin = Pin(board.BEAM_A, Pin.IN, Pin.PULL_UP)
    if style == "latch":
        armed = armed or latch.Latch(board)
        if armed.arm():
            raise ValueError("the latch does not arm")
    elif style == "asyncio":
        asyncio.run(both(pin, load, ms))
        return
    else:
        pin.irq(bytecode, Pin.IRQ_RISING, hard=style == "hard")
    end = time.ticks_add(time.ticks_ms(), ms)
    while time.ticks_diff(end, time.ticks_ms()) > 0:
        load()
'''}
STYLES = {"soft": "soft interrupt, bytecode", "hard": "hard interrupt, bytecode", "asyncio": "asyncio, polling each ms",
          "latch": "firstcard: LOCK pin"}
LOADS = ("idle", "hashing 20 kB", "collecting", "erasing")
WATCH_MS = 160
FIRST_US, STEP_US = 90_000, 1_713.4  # the edge falls at another place of the load each time


def _late(lab, style, load, number):
    """us from the edge until it is heard, or None."""
    board, table = lab.board, lab.table
    at = []
    lab.run("import bench_styles")
    board.after_us(FIRST_US + number * STEP_US, lambda: (at.append(board.now_us), table.beams.edge()))
    if style == "latch":
        lab.run(f"bench_styles.watch('latch', {load!r}, {WATCH_MS})")
        ups = [ns / 1000 for ns, level in table.lock_log if level and ns / 1000 >= at[0]]
        return ups[0] - at[0] if ups else None
    count, tick = lab.numbers(f"bench_styles.watch({style!r}, {load!r}, {WATCH_MS})\n"
                              "print(bench_styles.heard[0], bench_styles.heard[1])")
    return tick - at[0] if count else None


def details(lab, edges=EDGES):
    """A Detail for each style under each load."""
    out = []
    for style, text in STYLES.items():
        for load in LOADS:
            times = [in_fork(_late, lab, style, load, number) for number in range(edges)]
            known = sorted(time for time in times if time is not None)
            missed = f", {len(times) - len(known)} of {len(times)} not heard" if len(known) < len(times) else ""
            if known:
                line = f"{text}, {load}: min {known[0]:.2f}, median {known[len(known) // 2]:.2f}{missed}, max"
                out.append(Detail(line, known[-1], "us"))
            else:
                out.append(Detail(f"{text}, {load}: heard", 0, f"of {len(times)}"))
    return out
