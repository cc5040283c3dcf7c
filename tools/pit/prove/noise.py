"""A console that is flooded, and a host that is connected and never reads: the lock holds, and nobody else minds.

On the simulated table with the whole engine, and on the emulated board (prove.tasks.Failing), with the first card in
the midst of it. What is sent is everything but a command: binary, half lines, lines at the limits of every buffer,
words that are nearly commands.
"""

import json
import random

from pit import ROOT
from pit.sim import files
from pit.sim.day import Day
from pit.sim.memory import Blocks, Memory

LENGTHS = (0, 1, 63, 64, 65, 95, 96, 97, 127, 128, 129, 300)
WORDS = ("opem", "open now please", "key", "key nothing 3", "limits set", "limits set x y", "card ZZ", "ack", "ack 99",
         "login", "login nobody", "journal from", "mock place", "\x03", "help me", "bets 1 2 3", "profile nowhere")
AT_ONCE, EVERY_MS = 20, 10  # lines, on the simulated table
TYPED = 64  # bytes that a console task takes at a time
QUIET_MS = 4000  # then a flood is over
LOCK_US, DURABLE_US = 1.0, 4000  # after the edge: budgets with room for the model's grain
LATEST_MS = 120_000
ANSWERED_MS = 2000


def line(rnd):
    """One line of noise, bytes."""
    kind = rnd.randrange(4)
    if kind == 0:
        return rnd.randbytes(rnd.randrange(120)).replace(b"\n", b".") + b"\n"
    if kind == 1:
        return b"z" * rnd.choice(LENGTHS) + rnd.choice((b"\n", b"\r", b"\r\n"))
    if kind == 2:
        return rnd.choice(WORDS).encode() + b"*%04X" % rnd.randrange(1 << 16) + b"\r\n"
    return rnd.choice(WORDS).encode() + rnd.choice((b"\r\n", b"\n", b"", b"\0\n"))


def on_host(state, count, seed=0):
    """([what is wrong], {figures}) of `count` lines at the simulated table, OPEN or LOCKED, a card in the midst."""
    files.prepare()
    heard = []
    day = Day(0, str(ROOT), Memory(), Blocks(), heard.append)
    day.begin()
    day.ask("open")
    day.place(3, "main", (2500, 500))
    day.run(3500)
    draws = [count // 2] if state == "OPEN" else [-1, count // 2]
    if state == "LOCKED":
        day.do({"draw": {"code": "TH"}})
        day.run(400)
    rnd, engine = random.Random(seed), day.table.engine
    for n in range(count):
        data = line(rnd)
        for at in range(0, len(data), TYPED):
            part = data[at:at + TYPED]
            engine.console_bytes(part, len(part))
        if n == draws[-1]:
            day.do({"draw": {"code": "9C"}})
        if not n % AT_ONCE:
            day.run(EVERY_MS)
    engine.console_bytes(b"\r\n", 2)
    day.run(QUIET_MS)
    wrong = [] if day.ask("status").startswith(b"OK state=LOCKED round=1") else [f"status: {day.ask('status')}"]
    return wrong + list(_told(heard, 3000, len(draws))), {"lines": count}


def _told(said, value, cards):
    """What is wrong with the events, [bytes]: one lock with its wager, the cards, the flood named and over."""
    events = [json.loads(one[1:]) for one in said if one[:1] == b"!"]
    locks = [event["wagers"] for event in events if event["event"] == "lock"]
    if locks != [[{"spot": 3, "zone": "main", "value": value}]]:
        yield f"locks: {locks}"
    dealt = [event["code"] for event in events if event["event"] == "card"]
    if len(dealt) != cards:
        yield f"cards: {dealt}"
    for name in ("fault", "fault-cleared"):
        codes = [event["code"] for event in events if event["event"] == name]
        if codes != ["console-flood"]:
            yield f"{name}: {codes}"


def on_board(failing, state, count, reads=True, seed=0):
    """The same on the emulated board, which takes the lines as fast as it can. With `reads` False the host asks and
    never reads until all is over: what it is told then is less, and the table says so. The table is used up."""
    from pit.prove.tasks import SPOT, WAGER

    board, table = failing.board, failing.table
    if state == "LOCKED":
        failing.lock()
    rnd, resets, began = random.Random(seed), board.resets, len(board.out)
    edge_ns, durable_ns = [], []
    table.lock_log.clear()
    board.host_reads = reads
    asked = b"".join(line(rnd) for _ in range(count)) if reads else b"status\r\nbets\r\nround\r\n" * count
    board.send(asked)

    def leave():
        edge_ns.append(board.now_ns)
        table.draw("8C")

    def written(address, size):
        if edge_ns and not durable_ns:
            durable_ns.append(board.now_ns)

    table.fram.on_written = written
    board.after_us(rnd.uniform(200_000, 900_000), leave)
    board.run_ms(LATEST_MS, lambda: edge_ns and not board.console.pending and board.now_ns > edge_ns[0] + 2e9)
    took_ms = (board.now_ns - edge_ns[0]) / 1e6
    board.host_reads = True
    table.fram.on_written = None
    board.send(b"\r\n")
    board.run_ms(QUIET_MS)
    wrong = []
    if state == "OPEN":
        rose = [ns for ns, level in table.lock_log if level]
        if not rose or (rose[0] - edge_ns[0]) / 1000 > LOCK_US:
            wrong.append("LOCK did not rise with the edge")
        if not durable_ns or (durable_ns[0] - edge_ns[0]) / 1000 > DURABLE_US:
            wrong.append("the lock was not durable in time")
    if board.resets != resets:
        wrong.append("the table has restarted")
    if board.console.pending:
        wrong.append(f"{board.console.pending} bytes were never taken")
    if not table.lock_level or any(not level for ns, level in table.lock_log if ns > edge_ns[0]):
        wrong.append("LOCK fell")
    said = bytes(board.out[began:])
    if reads and b'"code":"console-flood"' not in said:
        wrong.append("the flood is not named")
    since = len(board.out)
    board.send(b"status\r\nround\r\n")
    board.run_ms(ANSWERED_MS)
    answers = bytes(board.out[since:])
    for due in (b"OK state=LOCKED round=1 ", b"wager spot=%d zone=main value=%d\r" % (SPOT, WAGER // 100)):
        if due not in answers:
            wrong.append(f"no {due.decode()} in {answers[-300:]}")
    wrong += board.faults
    figures = {"lines": asked.count(b"\n"), "ms": round(took_ms)}
    if durable_ns:
        figures["durable us"] = round((durable_ns[0] - edge_ns[0]) / 1000)
    return wrong, figures
