"""The whole emulated table: models and MicroPython's own image together, driven over the raw REPL."""

import pytest

from boards import fc7
from pit import firmware, image
from pit.emu import air
from pit.emu.modelerror import BusViolation, NotModelled, ShoeProtocolError
from pit.emu.table import Table
from pit.emu.tagfield import Field, Tag

# A slow but honest reader driver: what the tests need of it, in the interpreter.
DRIVER = """
import time
from machine import Pin, SPI, UART
lines = [Pin(10 + bit, Pin.OUT, value=0) for bit in range(5)]
strobe = Pin(15, Pin.OUT, value=1)
busy = Pin(20, Pin.IN)
spi = SPI(0, baudrate=6_000_000, sck=Pin(18), mosi=Pin(19), miso=Pin(16))
def select(n):
    for bit in range(5): lines[bit].value(n >> bit & 1)
def frame(data, size=0):
    while busy.value(): pass
    strobe.value(0)
    answer = spi.read(size, 0xFF) if size else spi.write(data)
    strobe.value(1)
    return answer
def get(data, size):
    frame(data)
    return frame(b"", size)
def register(address): return int.from_bytes(get(bytes((4, address)), 4), "little")
def write(address, value, action=0): frame(bytes((action, address)) + value.to_bytes(4, "little"))
def probe(n):
    select(n)
    frame(b"\\x11\\x0d\\x8d"); write(0x19, 1, 1); write(0x12, 1, 1); frame(b"\\x16\\x00"); time.sleep_ms(2)
    write(0, 0xFFFFFFF8, 2); write(0, 3, 1); write(3, 0xFFFFF); frame(b"\\x09\\x00\\x26\\x01\\x00"); time.sleep_ms(8)
    status = register(0x13)
    answer = get(b"\\x0a\\x00", status & 0x1FF)[2:].hex() if status else None
    write(0, 0xFFFFFFF8, 2); frame(b"\\x17\\x00")
    return hex(status), answer
"""
UART = """
import time
from machine import Pin, UART
uart = UART(0, 115200, tx=Pin(0), rx=Pin(1), rxbuf=400)
"""
# The strip by PIO and DMA, as the application drives it: 0.25 us and 0.875 us of 1.25 us.
STRIP = """
import array, rp2, time
from machine import Pin
@rp2.asm_pio(sideset_init=rp2.PIO.OUT_LOW, out_shiftdir=rp2.PIO.SHIFT_LEFT, autopull=True, pull_thresh=24)
def program():
    wrap_target()
    label("bit")
    out(x, 1) .side(0) [2]
    jmp(not_x, "zero") .side(1) [1]
    jmp("bit") .side(1) [4]
    label("zero")
    nop() .side(0) [4]
    wrap()
COUNT = 80
words = array.array("I", [n << 24 | (n * 2 & 255) << 16 | 7 << 8 for n in range(COUNT)])
machine = rp2.StateMachine(4, program, freq=8_000_000, sideset_base=Pin(8))
machine.active(1)
dma = rp2.DMA()
control = dma.pack_ctrl(size=2, inc_read=True, inc_write=False, treq_sel=8, irq_quiet=True)
def show(): dma.config(read=words, write=0x50300010, count=COUNT, ctrl=control, trigger=True)
"""


@pytest.fixture(scope="module")
def files():
    return image.make_fs({"note.txt": b"empty"})


@pytest.fixture
def table(files):
    with Table(files, firmware.image_path(), heartbeat=False) as table:
        table.board.run_ms(60)
        yield table
        assert table.board.faults == []


def run(table, code):
    out, err = table.board.exec(code)
    assert err == ""
    return out.strip()


def test_chips_are_found_where_they_lie(table):
    run(table, DRIVER)
    chip = bytes((1, 2, 3, 4, 5, 1, 4, 0xE0))
    table.place(3, "tip", [chip])
    assert run(table, f"print(probe({table.antenna(3, 'tip')}))") == f"('0xa', '{chip.hex()}')"
    assert run(table, f"print(probe({table.antenna(3, 'main')}))") == "('0x0', None)"
    table.place(3, "tip", [bytes(8)])
    assert run(table, f"print(probe({table.antenna(3, 'tip')})[0])") == hex(10 | 1 << 16 | 1 << 18 | 16 << 19)
    table.remove(3, "tip", [chip])
    assert table.uids(3, "tip") == [bytes(8)]
    table.place(None, "tray", [chip])
    assert run(table, "print(probe(31)[1])") == chip.hex()
    assert table.bus.violations == [] and not table.bus.radiating


def test_chips_that_are_not_there(table):
    with pytest.raises(ValueError, match="does not lie on spot 1"):
        table.remove(1, "main", [bytes(8)])
    with pytest.raises(ValueError, match="spot 8"):
        table.place(8, "main", [bytes(8)])


def test_violation_reaches_the_test(table):
    run(table, DRIVER)
    with pytest.raises(BusViolation, match="A0 moved while the strobe was low"):
        run(table, "strobe.value(0); lines[0].value(1)")


def test_line_to_the_shoe_that_is_not_ots1_reaches_the_test(table):
    with pytest.raises(ShoeProtocolError):
        run(table, UART + "uart.write('hello\\r\\n'); time.sleep_ms(2)")


def test_card_beams_frames_and_lock(table):
    run(table, UART + "lock = Pin(7, Pin.OUT, value=0); a = Pin(2, Pin.IN)")
    assert table.lock_level is False
    start_us = table.board.now_us
    run(table, "edges = []; a.irq(lambda pin: edges.append(pin.value()) or lock.value(1))")
    table.board.run_ms(500)
    run(table, "uart.read()")
    table.draw("TH")
    table.board.run_ms(30)
    assert table.board.pin(fc7.BEAM_A) and table.board.pin(fc7.BEAM_B)
    table.board.run_ms(150)
    assert run(table, "print(edges)") == "[1, 0]"
    heard = run(table, "print(uart.read().decode())")
    assert "EDG,1," in heard and "CRD,1,TH,99,U," in heard
    assert [level for ns, level in table.lock_log if ns / 1000 > start_us] == [True]
    table.board.run_ms(300)
    assert 1 in table.shoe.unacknowledged


def test_card_pulled_back_covers_beam_a_only(table):
    table.fault({"shoe": "return"})
    table.draw("TH")
    table.board.run_ms(30)
    assert table.board.pin(fc7.BEAM_A) and not table.board.pin(fc7.BEAM_B)
    table.board.run_ms(100)
    assert b",RTN,1*" in table.shoe.log[-1][1]


def test_frame_leaves_the_beams_alone(table):
    table.frame("TH")
    table.board.run_ms(30)
    assert not table.board.pin(fc7.BEAM_A)
    assert b",EDG,1," in table.shoe.log[-1][1]


def test_undriven_lock_is_locked(table):
    assert table.lock_level is True and table.lock_log == []


def test_strip_while_the_processor_sleeps(table):
    run(table, STRIP + "show(); time.sleep_ms(4)")
    assert table.leds + table.strip.surplus == [(n, n * 2 & 255, 7) for n in range(80)]
    assert len(table.leds) == 70
    assert table.strip.malformed == 0 and len(table.strip.frames) == 1


def test_strip_by_neopixel(table):
    run(table, "import neopixel, machine; n = neopixel.NeoPixel(machine.Pin(8), 3); n[1] = (9, 8, 7); n.write()")
    table.board.run_ms(1)
    assert table.leds == [(0, 0, 0), (8, 9, 7), (0, 0, 0)]


def test_console_lines_come_once_and_whole(table):
    list(table.console_lines())
    table.board.send(b"print('one\\ntw', end=''); time = __import__('time'); time.sleep_ms(5); print('o')\r\n")
    table.board.expect(rb"\none\r\ntw")
    first = list(table.console_lines())
    table.board.run_ms(20)
    second = list(table.console_lines())
    assert first[-1] == b"one" and second[0] == b"two"


def test_power_cut_keeps_the_flash_and_the_chips(table):
    table.place(1, "main", [bytes(8)])
    run(table, "f = open('note.txt', 'w'); f.write('kept'); f.close()")
    run(table, DRIVER + "select(0); frame(b'\\x11\\x0d\\x8d'); frame(b'\\x16\\x00')")
    assert table.bus.radiating == {0}
    table.fault({"power": "cut"})
    assert table.lock_level is True and table.bus.radiating == set()
    table.place(2, "main", [bytes(8)])
    table.board.run_ms(1000)
    assert list(table.console_lines()) == []
    table.fault({"power": "restore"})
    table.board.run_ms(60)
    assert run(table, "print(open('note.txt').read())") == "kept"
    run(table, DRIVER)
    assert run(table, "print(probe(0)[0], probe(3)[0])") == "0xa 0xa"


def test_power_is_cut_and_restored_in_turn(table):
    with pytest.raises(ValueError, match="not cut"):
        table.restore()
    table.power_cut()
    with pytest.raises(ValueError, match="already"):
        table.power_cut()
    table.restore()


def test_faults_by_name(table):
    run(table, DRIVER)
    table.fault({"spot": 2, "zone": "main", "kind": "silent"})
    assert run(table, "select(3); print(hex(register(2)))") == "0xffffffff"
    table.fault({"reader": 3, "kind": "ok"})
    assert run(table, "print(hex(register(2)))") == "0x4"
    table.fault({"shoe": "jam"})
    assert table.shoe.log[-1][1].startswith(b"@01,JAM,1*")
    table.fault({"plaque": "dark"})
    with pytest.raises(NotModelled):
        table.fault({"store": "full"})


def test_watchdog_in_mid_frame_is_no_violation(table):
    run(table, DRIVER)
    table.board.send(b"select(9); strobe.value(0); spi.write(b'\\x04'); import machine; machine.reset()\x04")
    table.board.run_ms(200, lambda: table.board.resets > 0)
    table.board.run_ms(100)
    assert table.board.resets == 1
    run(table, DRIVER + "print(hex(register(2)))")


def test_the_same_play_gives_the_same_bits(files):
    def play():
        with Table(files, firmware.image_path()) as table:
            table.board.run_ms(60)
            table.disturb(3, miss=0.4, noise=0.3)
            table.place(1, "main", [bytes((n, 0, 0, 0, 0, 1, 4, 0xE0)) for n in range(3)])
            run(table, DRIVER)
            table.draw("9C")
            said = run(table, "print([probe(0) for _ in range(8)])")
            return said, table.board.now_ns, table.shoe.log, bytes(table.board.out)

    first = play()
    assert first == play()
    assert "None" in first[0] and "0xa'" in first[0]


def test_chips_that_lay_there_in_the_dark_answer_as_soon_as_the_power_is_back():
    """The clock begins at 0 again; a chip that was laid at 5 s of the old one does not lie in the future."""
    field = Field()
    field.place(Tag(bytes(range(8))), 5_000_000_000)
    field.switch_on(6_000_000_000)
    field.new_clock()
    field.switch_on(0)
    assert field.request(bytes((0x26, 1, 0)), air.POWER_UP_NS, air.POWER_UP_NS + 1000).tags
