"""Rows of the operator's side: answers while the readers sweep, free heap in play, power-up to the first answer."""

import random
import re

from pit import build, firmware, image
from pit.bench import chips
from pit.bench.rig import LIMITS
from pit.bench.rows import Detail, Row
from pit.emu.snapshot import fork_map, in_fork
from pit.emu.table import Table
from pit.prove import boardcuts

LINES = 200
ASKED = ("status", "limits", "status", "id")
GAP_MS = (5, 45)  # between an answer and the next line: any place of the sweep
SHARES = 2
BOOT_LIMIT_MS = 5000
IDLE_S = 4
IN_ROUND = 11  # steps of boardcuts.DAY: an alarm has come and gone, five cards are dealt


def _ask(rig, share):
    """Answer times, us, of one share of the lines."""
    rnd, board, out = random.Random(share), rig.board, rig.board.out
    board.run_ms(150 * share)
    times = []
    for n in range(LINES // SHARES):
        board.run_ms(rnd.uniform(*GAP_MS))
        at, begun = len(out), board.now_us
        board.send(ASKED[n % len(ASKED)].encode() + b"\r\n")
        if not board.run_ms(2000, lambda at=at: bool(re.search(rb"(?m)^OK.*\n", bytes(out[at:])))):
            raise TimeoutError(f"no answer: {bytes(out[at:])!r}")
        times.append(board.now_us - begun)
    return times


def _garbage(rig):
    """Bytes of garbage that the table makes by itself in a second, and those of a line and its answer beyond."""
    before = rig.free_heap()
    rig.board.run_ms(1000 * IDLE_S)
    idle = (before - rig.free_heap(False)) / IDLE_S
    before, begun = rig.free_heap(), rig.board.now_us
    for line in ASKED:
        rig.ask(line)
    spent = before - rig.free_heap(False)
    return idle, (spent - idle * (rig.board.now_us - begun) / 1e6) / len(ASKED)


def answer_rows(rig, workers=2):
    """200 lines while three fields at a time sweep 7 x 3 chips. The rig stays as it is."""
    times = sorted(sum(fork_map(lambda share: _ask(rig, share), range(SHARES), workers), []))
    idle, answers = in_fork(_garbage, rig)
    p99 = times[len(times) * 99 // 100 - 1] / 1000
    details = [Detail("median", times[len(times) // 2] / 1000, "ms"), Detail("longest", times[-1] / 1000, "ms"),
               Detail("garbage of the sweeping table, a second", idle, "bytes"),
               Detail("of the four lines and their answers, each", answers, "bytes")]
    return [Row("console_p99_ms", p99, f"{len(times)} lines, `status` half of them, from the line sent to its OK read; "
                "7 x 3 chips, bets open", details)]


def heap_rows(rig):
    """Free heap after a collection, with bets open and in the round. The rig is used up."""

    in_open = rig.free_heap() / 1000
    for code in ("TH", "9C", "AS", "8D"):
        rig.table.draw(code)
        rig.board.run_ms(400)
    rig.board.run_ms(1000)
    in_round = rig.free_heap() / 1000
    details = [Detail("bets open, 7 x 3 chips", in_open, "kB"), Detail("in the round, four cards out", in_round, "kB")]
    note = "after a collection; the bench hook takes about 1 kB of it"
    return [Row("heap_free_kb", min(in_open, in_round), note, details)]


def restart_details():
    """The power comes back in the middle of a round, its readings and cards in the log."""
    walk = boardcuts.Walk().to(IN_ROUND)
    with Table(walk.table.board.fs_bytes(), firmware.image_path()) as table:
        table.fram.data[:] = walk.table.fram.data
        walk.table.close()
        board, out = table.board, table.board.out
        board.send(b"\r\nid\r\n")
        board.run_ms(BOOT_LIMIT_MS, lambda: b"OK firstcard" in out)
        answered = board.now_us / 1000
        if b'"state":"LOCKED"' not in out:
            raise ValueError(f"no round goes on: {bytes(out)!r}")
    return [Detail("restart in a round, whose inputs happen again, to the answer to `id`", answered, "ms")]


def boot_rows():
    """Power-up to the first answer, the self-check passed. The image without the bench hook."""
    files = build.files("fc7", {"limits": LIMITS})
    with Table(image.make_fs(files), firmware.image_path()) as table:
        board = table.board
        board.send(b"\r\nid\r\n")
        out = board.out
        board.run_ms(BOOT_LIMIT_MS, lambda: b"OK firstcard" in out)
        answered = board.now_us / 1000
        board.run_ms(BOOT_LIMIT_MS, lambda: b'"state":"CLOSED"' in out)
        checked = board.now_us / 1000
    details = [Detail("first answer to `id`", answered, "ms"), Detail("self-check passed, table CLOSED", checked, "ms")]
    details += [*restart_details(), *chips.details()]
    return [Row("boot_to_console_ms", max(answered, checked), "`id` sent at power-up", details)]
