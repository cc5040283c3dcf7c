"""Row of the shoe's line: bytes lost while a flash erase holds the CPU."""

from pit.bench.rig import BUSY_PIN, ERASE
from pit.bench.rows import Detail, Row
from pit.sim import ots1

BYTES = 500
UART_RX_TREQ = 21  # RP2040 datasheet, table 120: UART0 RX
DMA_COUNT = 0x5000_0008  # bytes that channel 0 still has to copy
QUIET_MS = 400


def frames(sequence, least):
    """Heartbeats of together at least `least` bytes: (bytes, how many)."""
    out, count = b"", 0
    while len(out) < least:
        out += ots1.line(sequence + count, "HBT", 0, 0, count)
        count += 1
    return out, count


def rows(rig):
    """500 bytes at 115,200 baud, sent back to back from the beginning of the erase. The rig is used up."""
    board, shoe = rig.board, rig.table.shoe
    shoe.heartbeat = False  # only what is counted here is on the line
    before = rig.status()
    data, count = frames(shoe.sequence, BYTES)
    channel = next(one for one in board.mcu.dma.channels if one.active and one.treq == UART_RX_TREQ)
    count_at = DMA_COUNT + 0x40 * channel.index
    left, acks = board.mcu.read_uint32(count_at), len(shoe.heard)
    operations = len(board.flash.ops)
    rig.begin(ERASE)
    board.run_ms(500, lambda: board.pin(BUSY_PIN))
    begun = board.now_us
    board.uart(rig.table.pins.SHOE_UART).send(data)
    board.run_ms(500, lambda: not board.pin(BUSY_PIN))
    erase_ms = (board.now_us - begun) / 1000
    board.run_ms(QUIET_MS)
    arrived = left - board.mcu.read_uint32(count_at)
    told = [one for one in shoe.heard[acks:] if one[1] == "ACK"]
    after = rig.status()
    broken = []
    if len(told) != count:
        broken.append(f"{count} frames sent, {len(told)} acknowledged")
    if [op.kind for op in board.flash.ops[operations:]] != ["E"]:
        broken.append("there was no flash erase meanwhile")
    for name in ("shoe_bad", "shoe_missed", "faults"):
        if after[name] != before[name]:
            broken.append(f"{name} went from {before[name]} to {after[name]}")
    note = f"{len(data)} bytes in {count} frames; the bench hook erases in the middle of the running application"
    return [Row("shoe_bytes_lost", len(data) - arrived, note, [Detail("erase", erase_ms, "ms")], broken)]
