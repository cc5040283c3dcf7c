"""Reader bus: plays scripts of SPI frames to the reader that the five address lines choose.

All readers share one SPI bus. A 5-bit address and a strobe (/G of two 74HC154) make the NSS of one reader low; the
same address lets that reader's BUSY through a mux. Address lines change only while the strobe is high. A script is a
bytes object:

    n, b1 .. bn     a frame of n bytes (1..63) to the reader; what comes back is dropped
    IN | n          a frame of n bytes from the reader (0xFF is clocked out) into `reply`, from its start
    BRANCH          stop with LEFT unless the IRQ_STATUS just read says "sent, nothing heard, and not too hot"
    0               end

Handshake (PN5180 datasheet 11.4): BUSY low, NSS low, exchange, BUSY high, NSS high. Waiting for BUSY high is optional
there, so that wait ends after HIGH_LIMIT_US and goes on; a BUSY that stays high beyond BUSY_LIMIT_US ends the script
with STUCK. The strobe is high again after every frame, whatever happened (ISSUES 1, 8). Everything here is
preallocated: 0 bytes per access.
"""

import array

import micropython
from machine import SPI, Pin
from micropython import const

DONE, LEFT, STUCK = 0, 1, 2  # results of play()
IN = 0x80
BRANCH = 0xFF

BUSY_LIMIT_US = const(1500)  # the slowest command (LOAD_RF_CONFIG) takes about 300 us
HIGH_LIMIT_US = const(50)
_FIFO = const(8)  # entries of the SPI FIFOs, RP2040 datasheet 4.4
_SIO_PAGE = const(0xD0)  # SIO, address >> 24
_TIMER_PAGE = const(0x40054)

_SHIFT = const(0)
_STROBE = const(1)
_BUSY = const(2)
_SPI = const(3)
_wires = array.array("I", [0] * 4)  # first address line, masks of strobe and BUSY, base of the SPI block
_kept = []  # pins and SPI: their set-up must outlive init()


def init(board):
    """Take the pins of `board`; the strobe is high before anything else can move."""
    _kept.append(Pin(board.STROBE, Pin.OUT, value=1))
    for line in range(5):
        _kept.append(Pin(board.SELECT + line, Pin.OUT, value=0))
    _kept.append(Pin(board.BUSY, Pin.IN))
    _kept.append(
        SPI(
            board.SPI,
            baudrate=board.SPI_BAUD,
            polarity=0,
            phase=0,
            sck=Pin(board.SPI_SCK),
            mosi=Pin(board.SPI_MOSI),
            miso=Pin(board.SPI_MISO),
        )
    )
    _wires[_SHIFT] = board.SELECT
    _wires[_STROBE] = 1 << board.STROBE
    _wires[_BUSY] = 1 << board.BUSY
    _wires[_SPI] = 0x4003C000 + 0x4000 * board.SPI


def script(*frames):
    """One script from frames: bytes go out, an int n reads n bytes, BRANCH branches."""
    out = bytearray()
    for frame in frames:
        if isinstance(frame, int):
            out.append(frame if frame == BRANCH else IN | frame)
        else:
            out.append(len(frame))
            out.extend(frame)
    out.append(0)
    return bytes(out)


@micropython.viper
def play(select: int, frames: ptr8, reply: ptr8) -> int:
    """Play script `frames` to reader `select`: DONE, LEFT or STUCK. Bounded: BUSY_LIMIT_US and wire time a frame."""
    wires = ptr32(_wires)
    page = _SIO_PAGE
    sio = ptr32(page << 24)  # GPIO_IN [1], OUT [4], OUT_SET [5], OUT_CLR [6], OUT_XOR [7]
    page = _TIMER_PAGE
    timer = ptr32(page << 12)
    spi = ptr32(wires[_SPI])  # SSPDR [2], SSPSR [3]
    shift = int(wires[_SHIFT])
    strobe = int(wires[_STROBE])
    busy = int(wires[_BUSY])
    change = ((int(sio[4]) >> shift) & 31) ^ select
    if change:
        sio[7] = change << shift  # one write moves all five lines at once
    at = 0
    while 1:
        n = int(frames[at])
        at += 1
        if n == 0:
            return 0
        if n == 255:
            n = int(reply[1]) & 0x40 | int(reply[2]) & 1  # SOF; TEMPSENS_ERROR
            if n or (int(reply[0]) & 3) != 2:  # RX_IRQ, TX_IRQ
                return 1
            continue
        if int(sio[1]) & busy:
            start = int(timer[10])
            while int(sio[1]) & busy:
                if int(timer[10]) - start > BUSY_LIMIT_US:
                    return 2
        sio[6] = strobe
        if n & 0x80:
            end = n & 0x7F
            n = 0
            while n < end:
                burst = end - n
                if burst > _FIFO:
                    burst = _FIFO
                stop = n + burst
                while burst:
                    spi[2] = 255
                    burst -= 1
                while int(spi[3]) & 0x10:  # busy shifting
                    pass
                while n < stop:
                    reply[n] = int(spi[2])
                    n += 1
        else:
            end = at + n
            while at < end:
                burst = end - at
                if burst > _FIFO:
                    burst = _FIFO
                stop = at + burst
                while at < stop:
                    spi[2] = frames[at]
                    at += 1
                while int(spi[3]) & 0x10:
                    pass
                while burst:
                    n = int(spi[2])  # half duplex: what came back means nothing
                    burst -= 1
        if not int(sio[1]) & busy:
            start = int(timer[10])
            while not int(sio[1]) & busy:
                if int(timer[10]) - start > HIGH_LIMIT_US:
                    break
        sio[5] = strobe
