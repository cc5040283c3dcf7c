"""Phases of the edge sweep: what the open table is busy with while the card leaves.

Each `begin(rig)` starts it, runs to the beginning of the phase's window and returns the window's length in us.
"""

from pit.bench.rig import BUSY_PIN, COLLECT_PIN, ERASE_PIN, uid
from pit.emu.snapshot import in_fork

SWEEP_WINDOW_US = 1_100_000
CONSOLE_WINDOW_US = 80_000
SPARE_CHIPS = [uid(n) for n in range(40, 64)]
MOVES = [(50, 2, "add"), (170, 5, "lift one"), (230, 7, "add"), (330, 1, "lift one"), (420, 3, "lift all"),
         (520, 6, "add"), (600, 4, "lift one"), (690, 2, "lift one"), (800, 3, "add"), (900, 7, "lift all"),
         (1000, 5, "add")]  # ms from the beginning of the window, spot, how


def _busy_window(rig, pin):
    """Start the hook's work on `pin`; the window is as long as it lasts."""

    def until_done():
        rig.board.run_ms(500, lambda: rig.board.pin(BUSY_PIN))
        begun = rig.board.now_us
        if not rig.board.run_ms(500, lambda: not rig.board.pin(BUSY_PIN)):
            raise TimeoutError("the bench hook did not end its work")
        return rig.board.now_us - begun

    rig.pulse(pin)
    length = in_fork(until_done)
    rig.board.run_ms(500, lambda: rig.board.pin(BUSY_PIN))
    return length


def begin_sweep(rig):
    """Sweeps with chips that come and go: each instant falls between other readings."""
    table, spare = rig.table, iter(SPARE_CHIPS)

    def move(spot, how):
        if how == "add":
            table.place(spot, "main", [next(spare)])
        else:
            lying = table.uids(spot, "main")
            table.remove(spot, "main", lying if how == "lift all" else lying[:1])

    for at_ms, spot, how in MOVES:
        rig.board.after_us(at_ms * 1000, lambda spot=spot, how=how: move(spot, how))
    return SWEEP_WINDOW_US


def begin_collect(rig):
    """A garbage collection."""
    return _busy_window(rig, COLLECT_PIN)


def begin_erase(rig):
    """A flash sector erase of 45 ms, interrupts masked by MicroPython."""
    return _busy_window(rig, ERASE_PIN)


def begin_plaque(rig):
    """A picture on its way to the strip by DMA: the limits change while chips lie, so the digits turn amber."""
    board = rig.board
    board.send(b"limits set 2 400\r\n")

    def first_edge():
        seen = []
        board.on_pin(rig.table.pins.LEDS, lambda level, ns: seen.append(ns))
        if not board.run_ms(500, lambda: bool(seen)):
            raise TimeoutError("the limits were set and nothing was drawn")
        start = seen[0]
        board.run_ms(20)
        return start / 1000, (seen[-1] - start) / 1000

    start_us, length = in_fork(first_edge)
    board.run_us(start_us - board.now_us)
    return length


def begin_console(rig):
    """A dozen operator lines at once, each with an answer."""
    rig.board.send(b"status\r\nbets\r\nlimits\r\n" * 4)
    return CONSOLE_WINDOW_US


PHASES = {"sweep with chips": begin_sweep, "collection": begin_collect, "plaque write": begin_plaque,
          "console burst": begin_console, "45 ms erase": begin_erase}
MASKED = ("45 ms erase",)  # MicroPython masks interrupts: the hard handler comes late there, LOCK does not
