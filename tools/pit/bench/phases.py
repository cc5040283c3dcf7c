"""Phases of the edge sweep: what the table is busy with while the card leaves.

Each `begin(rig)` starts it, runs to the beginning of the phase's window and returns the window's length in us.
"""

from pit.bench.rig import BUSY_PIN, COLLECT, ERASE, PROGRAM, uid
from pit.emu.snapshot import in_fork

SWEEP_WINDOW_US = 1_100_000
CONSOLE_WINDOW_US = 80_000
SPARE_CHIPS = [uid(n) for n in range(40, 64)]
MOVES = [(50, 2, "add"), (170, 5, "lift one"), (230, 7, "add"), (330, 1, "lift one"), (420, 3, "lift all"),
         (520, 6, "add"), (600, 4, "lift one"), (690, 2, "lift one"), (800, 3, "add"), (900, 7, "lift all"),
         (1000, 5, "add")]  # ms from the beginning of the window, spot, how
STACK = SPARE_CHIPS[:7]  # on top of three: a first round of 16 slots is sure to have collisions
AROUND_US = 100  # of a short window, on both sides
ARMED_US = 300  # after LOCK has fallen: the rest of the opening


def _busy_window(rig, job):
    """Start the hook's job; the window is as long as it lasts."""

    def until_done():
        rig.board.run_ms(500, lambda: rig.board.pin(BUSY_PIN))
        begun = rig.board.now_us
        if not rig.board.run_ms(500, lambda: not rig.board.pin(BUSY_PIN)):
            raise TimeoutError("the bench hook did not end its work")
        return rig.board.now_us - begun

    rig.begin(job)
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


def _field_times(rig, number, on):
    """Run until the field of an antenna is switched so; the time, us."""
    at = []
    stock = rig.table.bus.on_field

    def on_field(antenna, now_on, ns):
        stock(antenna, now_on, ns)
        if antenna == number and now_on == on:
            at.append(ns / 1000)

    rig.table.bus.on_field = on_field
    if not rig.board.run_ms(2000, lambda: bool(at)):
        raise TimeoutError(f"antenna {number} was not read")
    return at[0]


def begin_slots(rig):
    """One inventory of ten chips, of which seven are laid down just before it: slots, collisions, deeper masks."""
    board, table = rig.board, rig.table
    antenna = table.antenna(1, "main")
    board.run_us(in_fork(_field_times, rig, antenna, True) - AROUND_US - board.now_us)
    table.place(1, "main", STACK)
    return in_fork(_field_times, rig, antenna, False) + AROUND_US - board.now_us


def begin_collect(rig):
    """A garbage collection."""
    return _busy_window(rig, COLLECT)


def begin_erase(rig):
    """A flash sector erase of 45 ms, interrupts masked by MicroPython."""
    return _busy_window(rig, ERASE)


def begin_program(rig):
    """A flash page being programmed, interrupts masked by MicroPython."""
    return _busy_window(rig, PROGRAM)


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


def _opening(rig):
    """Close the table and send `open`. (now, when the self-test makes the beams dark, when LOCK falls), us."""
    rig.ask("close")
    rig.board.run_ms(400)
    rig.forget_arming()
    rig.board.send(b"open\r\n")

    def times():
        dark, fell = [], []
        rig.board.on_pin(rig.table.pins.EMITTERS, lambda level, ns: dark.append(ns / 1000))
        rig.board.on_pin(rig.table.pins.LOCK, lambda level, ns: None if level else fell.append(ns / 1000))
        if not rig.board.run_ms(1000, lambda: bool(fell)):
            raise TimeoutError("the table did not open")
        return dark[0], fell[0]

    return rig.board.now_us, *in_fork(times)


def begin_opening(rig):
    """From the command `open` until a little after LOCK has fallen: collection, checks, self-test, arming."""
    now, _, fell = _opening(rig)
    return fell + ARMED_US - now


def begin_arming(rig):
    """The last part of it, closely: from just before the beams are made dark until a little after LOCK has fallen."""
    now, dark, fell = _opening(rig)
    rig.board.run_us(dark - AROUND_US - now)
    return fell + ARMED_US - rig.board.now_us


PHASES = {"sweep with chips": begin_sweep, "inventory slots": begin_slots, "collection": begin_collect,
          "plaque write": begin_plaque, "console burst": begin_console, "page program": begin_program,
          "45 ms erase": begin_erase, "opening": begin_opening, "self-test and arming": begin_arming}
MASKED = ("45 ms erase", "page program")  # MicroPython masks interrupts: the hard handler comes late, LOCK does not
OPENING = ("opening", "self-test and arming")  # LOCK may be high at the edge; no frames and latch times are looked at
