"""Rows of the application's own arithmetic: one input of the round, one operator line. Interrupts masked."""

from pit.bench.rows import Detail, Row

LINE = "limits set 5 500"
SOURCES = {"bench_logic.py": '''
"""One input of the round, one operator line."""

import board
from bench_timed import timed
from firstcard.core import machine
from firstcard.core.blackjack import Blackjack
from firstcard.core.round import Round
from firstcard.proto import commands, crc, lines
from firstcard.rules import load


def events():
    r = Round(board.SPOTS, load("us-in-blackjack"), lambda uid: 500, 500, 50000, Blackjack)
    uids = bytes(16)

    def there_and_back():
        r.step(machine.READY)
        r.step(machine.FAULT, "x")
        r.out.clear()

    timed(there_and_back)
    r.step(machine.READY)
    r.step(machine.OPEN_TABLE)
    step, tick = r.step, machine.TICK  # as the engine keeps it
    timed(lambda: step(tick))
    timed(lambda: r.step(machine.READING, 3, uids, 0, 100, 200))
    timed(lambda: r.step(machine.SWEEP))


def command(text):
    assembler = lines.Lines()
    line = b"%s*%04X\\n" % (text, crc.crc16(text))

    def feed():
        assembler.take(line, 0, len(line))
        return assembler.result

    def look():
        words = assembler.words()
        entry = commands.lookup(words)
        return commands.arguments(entry, words), commands.refusal(entry, 2, 2)

    def whole():
        feed()
        return look()

    assert feed() == lines.LINE and look() == (["5", "500"], None)
    for f in (whole, feed, look, lambda: crc.crc16(text)):
        timed(f)
'''}


def event_rows(lab):
    """One Round.step through the transition table, effects not told."""
    pair, pair_bytes, tick, tick_bytes, reading, reading_bytes, sweep, sweep_bytes = lab.numbers(
        "import bench_logic\nbench_logic.events()")
    details = [Detail("tick: allocated", tick_bytes, "bytes", 0),
               Detail("reading of a zone of two chips, nothing new", reading, "us"),
               Detail("its bytes", reading_bytes, "bytes"),
               Detail("end of a sweep over 21 zones", sweep, "us"), Detail("its bytes", sweep_bytes, "bytes"),
               Detail("change of state and back, effects appended: each", pair / 2, "us"),
               Detail("its bytes", pair_bytes / 2, "bytes")]
    return [Row("fsm_event_us", tick, "Round.step(TICK) with bets open: table look-up, action, next state", details)]


def command_rows(lab):
    """Bytes of one line -> table entry and arguments."""
    whole, whole_bytes, feed, feed_bytes, look, look_bytes, crc, _ = lab.numbers(
        f"import bench_logic\nbench_logic.command({LINE.encode()})")
    details = [Detail("allocated", whole_bytes, "bytes", 0), Detail("assembler, 22 bytes", feed, "us"),
               Detail("of which CRC", crc, "us"), Detail("words, look-up, arguments, rights", look, "us"),
               Detail("their bytes", look_bytes, "bytes")]
    note = (f"`{LINE}*hhhh`; words are str, and MicroPython looks each new str up among all names. With look-up and "
            "all in machine code it took 190 us and 0 bytes, 70 us of it calls, for 2 kB more of heap")
    return [Row("parse_command_us", whole, note, details)]
