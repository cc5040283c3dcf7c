"""Rows of the readers: one register, an empty antenna, a stack of twenty, a whole sweep."""

import random

from boards import fc7

from pit.bench.rig import Lab, Rig, application, board_with, uid
from pit.bench.rows import Detail, Row
from pit.emu import air, pn5180
from pit.emu.snapshot import fork_map, in_fork

PROBE_BUDGET_US = 800
TWO_BUDGET = 0.65
SWEEPS = 3
REST_MS = 1000  # between two sweeps, longer than a board's, so that they can be told apart; they are the same
STACKS, STACK_SETS = (1, 5, 10, 20, 40), 20
SETTLED = 6  # sweeps after which nothing about a change is left to be done
SOURCES = {"bench_readers.py": '''
"""One register, one antenna."""

import array
import gc
import machine
import time
import board
from bench_timed import timed
from firstcard.drivers import field, inventory, pn5180, readerbus, readers, reading
from firstcard.drivers.nap import nap

R = readers.Readers(board, array.array("i", [0]))


TX = array.array("I", [0])


def start():
    R.power_up()
    TX[0] = pn5180.tx_config(0)


def register():
    reply = bytearray(16)
    timed(lambda: readerbus.play(0, pn5180.IRQ, reply))


def sweep(calls):
    """Time (us) in which the CPU is in the driver while it sweeps; the calls are counted in calls[0]."""
    total = 0
    R.begin()
    while True:
        state = machine.disable_irq()
        t = time.ticks_us()
        wait = R.run(0)
        total += time.ticks_diff(time.ticks_us(), t)
        machine.enable_irq(state)
        calls[0] += 1
        if wait == readers.SWEPT:
            return total
        if wait > 0:
            nap(wait)


def stack(how):
    """Print us and chips of one reading of antenna 0, alone."""
    block = reading.machine()
    field.start(block, 0, how, TX)
    while True:
        wait = inventory.advance(block)
        if wait < 0:
            break
        nap(wait)
    us = time.ticks_diff(reading.word(block, reading.ENDED), reading.word(block, reading.STARTED))
    print(us, block[reading.CHIPS])


def once():
    """Print us, calls and bytes of a sweep; the cost of taking the time is taken off."""
    calls = array.array("i", [0])
    gc.collect()
    gc.disable()
    before = gc.mem_alloc()
    total = sweep(calls)
    after = gc.mem_alloc()
    gc.enable()
    state = machine.disable_irq()
    t = time.ticks_us()
    for _ in range(20):
        time.ticks_diff(time.ticks_us(), t)
    own = time.ticks_diff(time.ticks_us(), t) / 20
    machine.enable_irq(state)
    print(total - calls[0] * own / 2, calls[0], after - before)
'''}


def free_wire(lab):
    """From now on SPI bytes and the readers' BUSY take no time: what is left is the CPU's."""
    lab.table.board.spi(lab.table.pins.SPI)._byte_ns = 0.0
    pn5180.COMMAND_NS = pn5180.REPLY_NS = 0
    pn5180.SLOW_NS = dict.fromkeys(pn5180.SLOW_NS, 0)


def _measure(lab, free):
    """Numbers of a register read, an empty antenna by 16 slots, and one by a probe."""
    lab.run("import bench_readers as b\nb.start()")
    if free:
        free_wire(lab)
    register = lab.numbers("b.register()")
    lab.table.place(1, "main", [uid(0), uid(1)])
    lab.run("b.once()\n" * SETTLED)
    lab.table.remove(1, "main")
    slots = lab.numbers("b.once()")  # no probe where two chips lay last time
    lab.run("b.once()\n" * SETTLED)
    return register, slots, lab.numbers("b.once()")


def single_rows():
    """Register and empty antenna of a board with one antenna: the wire free, and as it is."""
    lab = Lab(SOURCES, board_with(ANTENNAS=1, TRAY_ANTENNA=0))
    (register, register_bytes), slots, probe = in_fork(_measure, lab, True)
    (register_wired, _), slots_wired, probe_wired = in_fork(_measure, lab, False)
    lab.close()
    return [
        Row("register_read_us", register, "readerbus.play of READ_REGISTER; wire and BUSY apart",
            [Detail("allocated", register_bytes, "bytes", 0),
             Detail("with 6 Mbit/s and BUSY as modelled", register_wired, "us")]),
        Row("empty_inventory_us", slots[0], f"16 slots, nobody there: sum over {slots[1]:.0f} calls of Readers.run, "
            "wire and BUSY apart, waits for the air not counted",
            [Detail("allocated", slots[2], "bytes"), Detail("with wire and BUSY spun away", slots_wired[0], "us"),
             Detail("one-slot probe", probe[0], "us", PROBE_BUDGET_US), Detail("its bytes", probe[2], "bytes", 0),
             Detail("probe with wire and BUSY spun away", probe_wired[0], "us")]),
    ]


class Fields:
    """(antenna, on_ns, off_ns) of every inventory of a table from now on."""

    def __init__(self, table):
        self.done, self._on = [], {}
        stock = table.bus.on_field

        def on_field(number, on, ns):
            stock(number, on, ns)
            if on:
                self._on[number] = ns
            elif number in self._on:
                self.done.append((number, self._on.pop(number), ns))

        table.bus.on_field = on_field


def _sweeps(rig, chips_by_spot):
    """Open the table with these chips: sweeps (lists of (antenna, on_ns, off_ns)), most fields at once, violations."""
    rig.boot()
    rig.open()
    for spot, chips in chips_by_spot.items():
        rig.table.place(spot, "main", chips)
    rig.board.run_ms(4000)  # told, read thoroughly, and at rest between sweeps
    fields = Fields(rig.table)
    count = rig.table.pins.ANTENNAS
    rig.table.bus.max_radiating = 0
    rig.board.run_ms(30_000, lambda: len(fields.done) >= (SWEEPS + 1) * (count + 1))
    done = sorted(fields.done, key=lambda one: one[1])
    starts = [n for n in range(len(done)) if n == 0 or done[n][1] - max(one[2] for one in done[:n]) > 50_000_000]
    sweeps = [done[a:b][:count] for a, b in zip(starts, starts[1:])]  # behind each comes a look at one antenna
    whole = [one for one in sweeps if len({number for number, _, _ in one}) == count]
    return whole, rig.table.bus.max_radiating, rig.table.bus.violations


def _registry(chips_by_spot):
    return sorted((chip, 500) for chips in chips_by_spot.values() for chip in chips)


def _stacks_alone(lab, count):
    """Ratios to the air's limit of STACK_SETS random stacks of `count` chips, read alone; chips missed."""
    lab.run("import bench_readers as b\nb.start()")
    rnd, ratios, missed = random.Random(count), [], 0
    for _ in range(STACK_SETS):
        chips = [(0xE0040100 << 32 | number).to_bytes(8, "little") for number in rnd.sample(range(2**32), count)]
        lab.table.place(1, "main", chips)
        lab.board.run_ms(2)
        us, found = lab.numbers(f"b.stack({int(count > 1)})")
        missed += count - found
        ratios.append(us / air.air_limit_us(chips))
        lab.table.remove(1, "main")
    return sorted(ratios), missed


def stack_details():
    """Stacks of every size of STACKS as multiples of the air's limit: Details, and texts of what was missed."""
    lab = Lab(SOURCES, board_with(ANTENNAS=1, TRAY_ANTENNA=0))
    found = fork_map(lambda count: _stacks_alone(lab, count), STACKS)
    lab.close()
    details, broken = [], []
    for count, (ratios, missed) in zip(STACKS, found):
        p95 = ratios[len(ratios) * 95 // 100 - 1]
        details += [Detail(f"{count} alone, {STACK_SETS} random sets, mean", sum(ratios) / len(ratios), "x"),
                    Detail(f"{count} alone, p95", p95, "x")]
        broken += [f"{missed} chips missed in stacks of {count}"] if missed else []
    return details, broken


def stack_rows():
    """Twenty chips on one spot, in the running application: field on to field off against the air's limit."""
    lying = {4: [uid(n) for n in range(20)]}
    rig = Rig(application(_registry(lying), board_with(SWEEP_GAP_MS=REST_MS)))
    sweeps, _, violations = _sweeps(rig, lying)
    antenna = rig.table.antenna(4, "main")
    rig.close()
    times = sorted((off - on) / 1000 for sweep in sweeps for number, on, off in sweep if number == antenna)
    limit = air.air_limit_us(lying[4])
    note = (f"the longest of {len(times)} readings in the running application, three fields at once: a slot is due and "
            "the CPU is with the other fields or tasks; read alone a stack keeps the budget")
    details = [Detail("reading", times[-1] / 1000, "ms"), Detail("air", limit / 1000, "ms"),
               Detail("median ratio", times[len(times) // 2] / limit, "x")]
    alone, missed = stack_details()
    return [Row("stack20_over_air", times[-1] / limit, note, details + alone,
                [text for _, text in violations[:3]] + missed)]


def _sweep_ratio(fs, lying):
    """(longest sweep us, sum of the air limits us, of the empty antennas us, radiating at once, sweeps, violations)."""
    rig = Rig(fs)
    sweeps, radiating, violations = _sweeps(rig, lying)
    rig.close()
    times = [max(one[2] for one in sweep) - sweep[0][1] for sweep in sweeps]
    empty = (fc7.ANTENNAS - fc7.SPOTS) * air.air_limit_us([])
    limit = sum(air.air_limit_us(chips) for chips in lying.values())
    return max(times) / 1000, limit, empty, radiating, len(times), [text for _, text in violations[:3]]


def sweep_rows():
    """7 spots x 10 chips and 14 empty antennas, three or two fields at once, against the sum of the seven airs."""
    lying = {spot: [uid((spot - 1) * 10 + n) for n in range(10)] for spot in range(1, fc7.SPOTS + 1)}
    images = [application(_registry(lying), board_with(FIELDS_AT_ONCE=at_once, SWEEP_GAP_MS=REST_MS))
              for at_once in (3, 2)]
    found = fork_map(lambda fs: _sweep_ratio(fs, lying), images)
    (three, limit, empty, radiating, count, broken), (two, _, _, two_radiating, _, two_broken) = found
    if (radiating, two_radiating) != (3, 2):
        broken.append(f"fields at once: {radiating} and {two_radiating} instead of 3 and 2")
    note = (f"the longest of {count} sweeps in the running application, three fields at once; first field on to last "
            "field off, 14 empty antennas among them. Two fields miss 382 ms: of 412 ms the driver has 251 with "
            "its naps, 12 the 21 readings told to the engine, 149 those of 107 turns of the other tasks, for which "
            "the driver had 65 to spare: 0.8 ms a turn are asyncio's and the ticks'. Half as many turns gain 12 ms, "
            "napping through answers nothing, one viper loop over the machines 8 ms, and the probe loses its budget; "
            "2 x 16 ms are lost because what is left lies too near the field that is on")
    details = [Detail("sweep", three / 1000, "ms"), Detail("sum of the seven airs", limit / 1000, "ms"),
               Detail("airs of the empty antennas, not in the sum", empty / 1000, "ms"),
               Detail("two fields at once", two / limit, "x", TWO_BUDGET)]
    return [Row("sweep70_over_sum", three / limit, note, details, broken + two_broken)]
