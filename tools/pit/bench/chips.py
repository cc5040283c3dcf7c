"""What a registry of 20,000 chips costs a board: flash, heap, time of a lookup and of its signature."""

import random

from pit import build, firmware, image, registry
from pit.bench.rig import Lab
from pit.bench.rows import Detail
from pit.emu.table import Table

COUNT = 20_000
LOOKED_UP = 40
FLASH_BUDGET, HEAP_BUDGET = 262_144, 2_000  # bytes
LOOKUP_BUDGET_US = 1000  # of twenty chips laid down at once: 20 ms
READY_BUDGET_MS = 2500
SOURCES = {"bench_chips.py": '''
"""Opens the registry, looks chips up."""

import gc
import time
from firstcard.proto import login
from firstcard.store import registry

kept = []


def opened():
    """Print bytes of heap that the open registry takes, us of its signature."""
    gc.collect()
    before = gc.mem_alloc()
    kept.append(registry.Registry(open("/chips.bin", "rb"), login.begun(bytes(32))))
    t = time.ticks_us()
    while kept[0].check() == registry.BUSY:
        pass
    t = time.ticks_diff(time.ticks_us(), t)
    gc.collect()
    print(gc.mem_alloc() - before, t, kept[0].check())


def looked_up(uids):
    """Print us of the longest lookup, and of all."""
    longest = total = 0
    for at in range(0, len(uids), 8):
        t = time.ticks_us()
        value = kept[0].lookup(uids, at)
        t = time.ticks_diff(time.ticks_us(), t)
        if value != 500:
            raise ValueError("chip is worth %d" % value)
        total += t
        longest = max(longest, t)
    print(longest, total)
'''}


def details():
    """Details; all of them with a budget."""
    rnd = random.Random(1)
    uids = [(0xE0040100 << 32 | number).to_bytes(8, "little") for number in rnd.sample(range(2**32), COUNT)]
    data = registry.pack([(uid, 500) for uid in uids], bytes.fromhex(build.NO_KEY))
    lab = Lab(SOURCES, files={"chips.bin": data})
    lab.run("import bench_chips as b")
    heap, sign_us, genuine = lab.numbers("b.opened()")
    longest, total = lab.numbers(f"b.looked_up({b''.join(rnd.sample(uids, LOOKED_UP))!r})")
    lab.close()
    if genuine != 1:
        raise ValueError("the signature is not found to be right")
    files = build.files("fc7")
    files["chips.bin"] = data
    with Table(image.make_fs({"main.py": files.pop("main.py"), **files}), firmware.image_path()) as table:
        table.board.send(b"\r\n")
        table.board.expect(rb'"state":"CLOSED"', 10_000)
        ready = table.board.now_us / 1000
    return [Detail(f"registry of {COUNT:,} chips, flash", len(data), "bytes", FLASH_BUDGET),
            Detail("its heap", heap, "bytes", HEAP_BUDGET),
            Detail("a lookup in it, mean", total / LOOKED_UP, "us", LOOKUP_BUDGET_US),
            Detail("the longest", longest, "us"), Detail("its signature", sign_us / 1000, "ms"),
            Detail("power-up to CLOSED with it", ready, "ms", READY_BUDGET_MS)]
