"""Row of the plaque: starting a picture, and making it. At the prompt, interrupts masked for the measurement only."""

from pit.bench.rows import Detail, Row

DRAW_BUDGET_US = 3000
SOURCES = {"bench_plaque.py": '''
"""One picture of the strip."""

import gc
import machine
import time
import board
from bench_timed import timed
from firstcard.core import digits
from firstcard.drivers import leds


def run():
    picture = bytearray(digits.size(board.SPOTS))
    spots = bytes([1, 0, 1, 0, 1, 0, 1])
    strip = leds.Leds(board.LEDS, len(picture) // 3, board.PLAQUE_RETURN, board.PLAQUE_CURRENT)

    def draw():
        digits.draw(picture, 500, 50000, digits.GREEN, spots)

    draw()
    longest = 0
    for _ in range(5):
        state = machine.disable_irq()
        t = time.ticks_us()
        strip.show(picture)
        t = time.ticks_diff(time.ticks_us(), t)
        machine.enable_irq(state)
        longest = max(longest, t)
        time.sleep_ms(4)
    gc.collect()
    gc.disable()
    before = gc.mem_alloc()
    strip.show(picture)
    after = gc.mem_alloc()
    gc.enable()
    print(longest, after - before)
    timed(draw, 5)
'''}


def rows(lab):
    """The kick of the DMA is the figure; drawing the digits into the buffer has its own budget."""
    kick, kick_bytes, draw, draw_bytes = lab.numbers("import bench_plaque\nbench_plaque.run()")
    table = lab.table
    lab.board.run_ms(10)
    broken = []
    if not table.strip.frames or table.strip.malformed:
        broken.append(f"{len(table.strip.frames)} pictures on the strip, {table.strip.malformed} malformed bits")
    note = f"{len(table.strip.frames[-1][1])} LEDs; kick of PIO and DMA, interrupts are never off in the application"
    return [Row("plaque_update_us", kick, note,
                [Detail("allocated", kick_bytes, "bytes"), Detail("drawing the digits", draw, "us", DRAW_BUDGET_US),
                 Detail("its bytes", draw_bytes, "bytes")], broken)]
