"""Readers and inventory: every chip, in the air's time, without allocating; and a dead reader is only its own
antenna's fault.
"""

import random

import pytest

from pit.emu import air
from pit.emu.tagfield import Disturbance, Tag

SETUP = """
R = readers.Readers(board, [0])
R.power_up()
def one(antenna, many=0):
    block = R._blocks[0]
    cpu = 0
    t = T()
    field.start(block, antenna, many, R._tx_config)
    cpu += D(T(), t)
    while True:
        t = T()
        wait = inventory.advance(block)
        cpu += D(T(), t)
        if wait < 0: break
        nap(wait)
    word = reading.word
    us = D(word(block, reading.ENDED), word(block, reading.STARTED))
    return block[reading.OUTCOME], reading.uids(block), us, cpu
def sweep(report=None):
    R.begin()
    while True:
        wait = R.run(3000)
        if wait == readers.FINISHED:
            if report is not None: report.append((R.antenna, R.status, R.uids))
        elif wait == readers.SWEPT: return
        elif wait > 0: nap(wait)
"""
OK, UNREADABLE, FAULT = 0, 1, 2


def chips(count, seed):
    """UIDs of one maker's type, least significant byte first."""
    rnd = random.Random(seed)
    return [(0xE0040100 << 32 | rnd.getrandbits(32)).to_bytes(8, "little") for _ in range(count)]


def split(uids):
    return {uids[at : at + 8] for at in range(0, len(uids), 8)}


def lay(lab, antenna, uids):
    spot, zone = divmod(antenna, 3)
    lab.table.place(spot + 1, lab.table.pins.ZONES[zone], uids)


TWINS = [bytes((0x30, low)) + bytes(5) + b"\xe0" for low in (0x10, 0x20, 0x30)]  # slot 0, slot 3, slot 0: then apart
DEEP = [bytes(7) + bytes((0xE0 | n,)) for n in (0, 1)]  # equal in 56 bits
STACKS = {"level 2": TWINS, "deep": DEEP, "two": chips(2, 2), "ten": chips(10, 10), "twenty": chips(20, 20)}
STACKS["forty"] = chips(40, 40)


@pytest.mark.parametrize("name", STACKS)
def test_every_chip_is_read(on_lab, figure, name):
    uids = STACKS[name]

    def play(lab):
        lab.run(SETUP)
        lay(lab, 4, uids)
        lab.board.run_ms(5)
        return lab.value("one(4)"), lab.value("one(4, 1)")

    (status, found, _, _), (again, same, us, cpu) = on_lab(play)
    assert (status, split(found), len(found)) == (OK, set(uids), 8 * len(uids))
    assert (again, split(same)) == (OK, set(uids))
    ratio = round(us / air.air_limit_us(uids), 3)
    figure(f"{len(uids)} chips ({name}): {us} us, CPU {cpu} us; over the air's limit", ratio, "", 1.2)


def test_empty_antenna(on_lab, figure):
    def play(lab):
        lab.run(SETUP)
        return lab.value("one(0), one(0, 1)")

    probe, full = on_lab(play)
    assert probe[:2] == full[:2] == (OK, b"")
    figure(f"empty one-slot probe ({probe[2]} us): CPU with interrupts on", probe[3], "us", 800)
    figure(f"empty 16-slot inventory ({full[2]} us): CPU with interrupts on", full[3], "us", 4000)


def test_one_chip(on_lab):
    uids = chips(1, 1)

    def play(lab):
        lab.run(SETUP)
        lay(lab, 20, uids)
        lab.board.run_ms(5)
        return lab.value("one(20), one(20, 1)")

    for status, found, _, _ in on_lab(play):
        assert (status, found) == (OK, uids[0])


def test_nothing_is_allocated(on_lab, figure):
    def play(lab):
        lab.run(SETUP)
        lay(lab, 4, chips(5, 5))
        lab.board.run_ms(5)
        lab.run("def quiet():\n R.begin()\n while R.run(3000) != -2: pass")
        lab.run("for _ in range(6): quiet()")  # what lies there is settled
        return lab.value("allocated(quiet)")

    figure("allocated by a sweep of 21 antennas with 5 chips", on_lab(play), "bytes", 0)


def test_register_read(on_lab, figure):
    def play(lab):
        lab.run(SETUP)
        lab.run("""
def reads(n):
    play, script, reply = readerbus.play, pn5180.IRQ, bytearray(8)
    state = machine.disable_irq()
    t = T()
    for _ in range(n): play(0, script, reply)
    t = D(T(), t)
    machine.enable_irq(state)
    return t
def nothing(n):
    t = T()
    for _ in range(n): pass
    return D(T(), t)
""")
        return lab.value("reads(20)") / 20

    wire_us, busy_us = 6 * 8 / 6, 15 + 2  # 6 bytes at 6 MHz; what the model keeps BUSY high after a command and a reply
    cpu_us = round(on_lab(play) - wire_us - busy_us, 1)
    figure("register read, CPU, interrupts off, wire and BUSY apart", cpu_us, "us", 40)


def test_sweep_of_seventy_chips(on_lab, figure):
    stacks = {3 * spot: chips(10, 70 + spot) for spot in range(7)}

    def play(lab):
        lab.run(SETUP)
        for antenna, uids in stacks.items():
            lay(lab, antenna, uids)
        lab.board.run_ms(5)
        lab.run("for _ in range(4): sweep()\nreport = []\nt = T()\nsweep(report)\nt = D(T(), t)")
        return lab.value("t, report"), lab.table.bus.max_radiating

    (us, report), most = on_lab(play)
    assert {antenna: (status, split(found)) for antenna, status, found in report if found} == {
        antenna: (OK, set(uids)) for antenna, uids in stacks.items()
    }
    assert len(report) == 21 and most == 3
    total_us = sum(air.air_limit_us(uids) for uids in stacks.values())
    figure(f"7 spots x 10 chips: {us} us, over the sum of their air limits", round(us / total_us, 3), "", 0.5)


@pytest.mark.parametrize("kind", ["silent", "stuck"])
def test_dead_reader_is_its_own_fault_and_comes_back(on_lab, kind):
    uids = chips(3, 3)

    def play(lab):
        lab.run(SETUP)
        for antenna in (6, 7, 8):
            lay(lab, antenna, uids)
        lab.table.fault({"reader": 7, "kind": kind})
        lab.run("report = []\nsweep(report)")
        dead = lab.value("report"), lab.value("R.health[7] and R.all_dead()")
        lab.table.fault({"reader": 7, "kind": "ok"})
        lab.board.run_ms(5)
        lab.run("sweep()\nreport = []\nt = T()\nsweep(report)")
        return dead, (lab.value("report"), lab.value("R.health[7]"))

    (report, first), (after, none) = on_lab(play)
    assert {antenna: status for antenna, status, _ in report if status} == {7: FAULT} and first == -1
    assert len(report) == 21
    assert not [antenna for antenna, status, _ in after if status] and none == 0
    assert {antenna: split(found) for antenna, _, found in after if found} == {n: set(uids) for n in (6, 7, 8)}


def test_noise_is_unreadable_and_bounded(on_lab):
    def play(lab):
        lab.run(SETUP)
        lay(lab, 3, chips(3, 3))
        lab.table.fault({"reader": 3, "kind": "noisy"})
        return lab.value("one(3), one(3, 1)")

    for status, found, us, _ in on_lab(play):
        assert (status, found) == (UNREADABLE, b"") and us < 120_000


def test_some_noise_is_asked_again(on_lab):
    """Answers spoilt now and then: every chip that is read is a real one, and most sweeps find all of them."""
    uids = chips(6, 6)

    def play(lab):
        lab.run(SETUP)
        lay(lab, 3, uids)
        lab.table.disturb(1, noise=0.1)
        lab.board.run_ms(5)
        return [lab.value("one(3, 1)") for _ in range(12)]

    results = on_lab(play)
    assert all(split(found) <= set(uids) and len(found) == 8 * len(split(found)) for _, found, _, _ in results)
    assert sum(split(found) == set(uids) for _, found, _, _ in results) >= 10


def test_two_chips_with_one_uid_and_more_than_fit(on_lab):
    many = chips(70, 70)

    def play(lab):
        lab.run(SETUP)
        lay(lab, 0, many)
        lab.board.run_ms(5)
        return lab.value("one(0, 1)")

    status, found, _, _ = on_lab(play)
    assert status == UNREADABLE and split(found) <= set(many)


@pytest.mark.parametrize("seed", [1])
def test_faults_at_any_instant(on_lab, seed):
    """A reader that dies and comes back in the middle of whatever: never a wrong chip, never a forbidden frame."""
    stacks = {3 * spot: chips(3, 30 + spot) for spot in range(7)}
    rnd = random.Random(seed)
    events = [
        (rnd.uniform(1_000, 450_000), rnd.randrange(21), rnd.choice(["silent", "stuck", "noisy"])) for _ in range(24)
    ]

    def play(lab):
        lab.run(SETUP)
        for antenna, uids in stacks.items():
            lay(lab, antenna, uids)

        def strike(antenna, kind):
            if lab.table.bus._number == antenna:  # selected now: the model would lose a frame of the next reader too
                lab.board.after_us(137, lambda: strike(antenna, kind))
            else:
                lab.table.fault({"reader": antenna, "kind": kind})

        for at_us, antenna, kind in events:
            lab.board.after_us(at_us, lambda n=antenna, k=kind: strike(n, k))
            lab.board.after_us(at_us + 25_000, lambda n=antenna: strike(n, "ok"))
        lab.run("report = []\nend = time.ticks_add(time.ticks_ms(), 500)")
        lab.run("while D(end, time.ticks_ms()) > 0: sweep(report)", 60_000)
        lab.run("last = []\nsweep()\nsweep(last)")
        return lab.value("report"), lab.value("last"), lab.value("max(R.health)")

    report, last, dead = on_lab(play)
    assert all(split(found) <= set(stacks.get(antenna, ())) for antenna, _, found in report)
    assert {OK, FAULT} <= {status for _, status, _ in report}
    assert dead == 0 and {n: split(found) for n, _, found in last if found} == {n: set(u) for n, u in stacks.items()}


def host_readers():
    """A HostTable with Readers R, their function sweep() told in `report`, powered up."""
    from pit.emu.hosttable import HostTable

    table = HostTable()
    table.run("import array, board\nfrom firstcard.drivers import readers\nfrom firstcard.drivers.nap import nap\n"
              "R = readers.Readers(board, array.array('i', [0]))\nR.power_up()\nreport = []")
    table.run("""
def sweep():
    R.begin()
    while True:
        wait = R.run(0)
        if wait == readers.FINISHED: report.append((R.antenna, R.status, R.uids))
        elif wait == readers.SWEPT: return
        else: nap(wait)
""")
    return table


def test_what_has_changed_and_what_matters_is_read_first():
    table = host_readers()
    for antenna in range(0, 21, 3):
        for uid in chips(6, antenna):
            table.fields[antenna].place(Tag(uid), table.board.now_ns)
    table.run("for _ in range(8): sweep()")
    table.run("report.clear()\nsweep()")
    assert table.value("report[0][0]") != 19
    table.fields[19].place(Tag(chips(1, 99)[0]), table.board.now_ns)
    table.run("sweep()\nreport.clear()\nsweep()")
    assert 19 in [row[0] for row in table.value("report[:3]")], "found changed: read again at once"
    table.run("sweep()\nsweep()\nreport.clear()\nR.first[16] = R.first[2] = 1\nsweep()")
    assert {2, 16} <= {row[0] for row in table.value("report[:3]")}, "somebody waits for them"
    assert len(table.value("report")) == 21


def test_age_misses_and_retries_are_counted():
    table = host_readers()
    tag = Tag(chips(1, 7)[0])
    table.fields[4].place(tag, table.board.now_ns)
    table.run("for _ in range(3): sweep()")
    age_ms, reads, missed, again, resets, health = table.value("R.about(4)")
    assert age_ms < 200 and (reads, missed, again, resets, health) == (3, 0, 0, 0, 0)
    table.fields[4].remove(tag, table.board.now_ns)
    table.run("sweep()")
    table.fields[4].place(tag, table.board.now_ns)
    table.run("sweep()")
    assert table.value("R.about(4)")[2] == 1, "gone for one reading"
    table.fields[4].disturbance = Disturbance(1, noise=0.5)
    table.run("for _ in range(6): sweep()")
    assert table.value("R.about(4)")[3] > 0
    table.bus.fault(4, "silent")
    before = table.value("R.about(4)")[0]
    table.run("for _ in range(3): sweep()\nnap(500_000)")
    age_ms, _, _, _, _, health = table.value("R.about(4)")
    assert age_ms > before + 500 and health


@pytest.mark.parametrize(("kind", "sweeps"), [("reset", 2), ("wedged", 4), ("hung", 3)])
def test_recovery_by_steps(kind, sweeps):
    """What idle and configuring cannot cure a soft reset does, and the rest a hard one, which only the app orders."""
    table = host_readers()
    tag = Tag(chips(1, 7)[0])
    table.fields[4].place(tag, table.board.now_ns)
    table.run("for _ in range(3): sweep()")
    table.bus.fault(4, kind)
    seen = []
    for _ in range(sweeps):
        table.run("report.clear()\nsweep()\nnap(5000)")
        seen += [status for antenna, status, _ in table.value("report") if antenna == 4]
    if kind == "hung":
        table.run("sweep()")
        assert table.value("R.hopeless()") and seen == [FAULT] * sweeps and table.value("R.about(4)")[4] == 0
        table.run("R.power_up()\nsweep()")
        assert not table.value("R.hopeless()") and table.value("R.about(4)")[5] == 0
    else:
        assert seen[-1] == OK and FAULT in seen and not table.value("R.hopeless()")
        assert seen.count(FAULT) == sweeps - 1
    assert table.value("R.about(4)")[4] == 1
    assert not table.bus.violations


def test_a_reader_that_gets_too_hot_never_makes_a_spot_look_empty():
    """Whenever it turns its field off in a reading: a fault, and after it has cooled the chips are there again."""
    uids = chips(5, 8)
    faults = 0
    for at_us in range(40, 45_000, 743):
        table = host_readers()
        for uid in uids:
            table.fields[4].place(Tag(uid), table.board.now_ns)
        table.run("for _ in range(4): sweep()\nreport.clear()\nR.first[4] = 1")
        table.board.after_us(at_us, lambda bus=table.bus: bus.fault(4, "hot"))
        table.run("sweep()")
        [told] = [row for row in table.value("report") if row[0] == 4]
        assert told[1] == FAULT or told[1] == OK and split(told[2]) == set(uids), at_us
        faults += told[1] == FAULT
    table.run("sweep()")
    assert faults > 30 and table.value("R.about(4)")[5] == 7
    up = []
    table.bus.on_field = lambda number, on, ns: up.append(number)
    table.run("report.clear()\nfor _ in range(10): sweep()")
    assert {row[1] for row in table.value("report") if row[0] == 4} == {FAULT} and up and 4 not in up
    table.bus.fault(4, "ok")
    table.run("for _ in range(10): sweep()\nreport.clear()\nsweep()")
    assert [(row[1], split(row[2])) for row in table.value("report") if row[0] == 4] == [(OK, set(uids))]
    assert table.value("R.about(4)")[4:] == [1, 0] and not table.value("R.hopeless()")


def test_a_field_that_does_not_come_up_is_a_fault_and_no_empty_spot():
    table = host_readers()
    table.fields[4].place(Tag(chips(1, 8)[0]), table.board.now_ns)
    table.run("for _ in range(3): sweep()")
    table.bus.fault(4, "unlit")
    table.run("report.clear()\nfor _ in range(3): sweep()")
    assert [row[1] for row in table.value("report") if row[0] == 4] == [FAULT] * 3


def test_how_sure_a_reading_is():
    """A new chip is doubtful until a thorough reading has found it again; what never agrees is uncertain."""
    table = host_readers()
    table.run("said = []\n"
              "def doubts(n):\n"
              "    for _ in range(n):\n"
              "        R.begin()\n"
              "        while True:\n"
              "            wait = R.run(0)\n"
              "            if wait == readers.FINISHED:\n"
              "                if R.antenna == 4: said.append(R.status or R.doubt)\n"
              "            elif wait == readers.SWEPT: break\n"
              "            else: nap(wait)\n")
    for uid in chips(5, 7):
        table.fields[4].place(Tag(uid), table.board.now_ns)
    table.run("doubts(5)")
    assert table.value("said")[0] == 3 and table.value("said[-2:]") == [0, 0]
    table.run("said.clear()")
    at_the_edge = Tag(chips(1, 9)[0])
    for n in range(14):
        (table.fields[4].remove if n & 1 else table.fields[4].place)(at_the_edge, table.board.now_ns)
        table.run("doubts(1)")
    assert table.value("said") == [3] * 10 + [4] * 4
    table.run("said.clear()\ndoubts(5)")
    assert table.value("said[-2:]") == [0, 0]


def test_what_is_counted_ages():
    table = host_readers()
    table.run("R._sweeps = 59_998\nR.counts[0] = 600\nsweep()")
    assert table.value("R.about(0)[1:3]") == [59_999, 600]
    table.run("sweep()")
    assert table.value("R.about(0)[1:3]") == [30_000, 300]


def test_only_chips_of_the_family_are_read():
    from pit.emu.hosttable import HostTable, pins_of

    table = HostTable(pins_of(CHIP_AFI=0x50))
    ours, other = (Tag(uid, afi=afi) for uid, afi in zip(chips(2, 3), (0x50, 0x31)))
    many = [Tag(uid, afi=0x50) for uid in chips(12, 5)]
    for tag in (ours, other):
        table.fields[0].place(tag, 0)
    for tag in (*many, Tag(chips(1, 9)[0], afi=0x31)):
        table.fields[6].place(tag, 0)
    table.run("import array, board\nfrom firstcard.drivers import readers\nfrom firstcard.drivers.nap import nap\n"
              "R = readers.Readers(board, array.array('i', [0]))\nR.power_up()\nfound = {}\n"
              "for _ in range(3):\n"
              "    R.begin()\n"
              "    while True:\n"
              "        wait = R.run(0)\n"
              "        if wait == readers.FINISHED: found[R.antenna] = R.uids\n"
              "        elif wait == readers.SWEPT: break\n"
              "        else: nap(wait)\n")
    found = table.value("found")
    assert found[0] == ours.uid and split(found[6]) == {tag.uid for tag in many}


def test_whoever_waits_ends_a_slice_at_once(on_lab):
    """A host that has typed, in the app: it does not wait for the end of a slice of 3 ms."""
    def play(lab):
        lab.run(SETUP + "\nR = readers.Readers(board, [0], lambda: True)\nR.power_up()\nR.begin()")
        lay(lab, 0, chips(3, 3))
        return lab.value("[D(T(), t) for t in [T()] for _ in [R.run(3000)]][0]"), lab.value("sweep()")

    took, swept = on_lab(play)
    assert took < 1_500 and swept is None, "and the sweep goes on all the same"
