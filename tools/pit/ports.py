"""Serial ports of tables: found by USB id, named by the user, opened.

A port is a device (/dev/ttyACM0, COM3) or a URL that pyserial knows: socket://host:port, rfc2217://host:port. Without
one, the only board that is plugged in is taken, and never a guess among several (I-14).
"""

import errno
import os
from typing import NamedTuple

from pit.errors import NoTable, PitError

VID = 0x2E8A  # USB vendor id of Raspberry Pi: every RP2040 with MicroPython
VARIABLE = "FIRSTCARD_PORT"
READ_S = 0.2  # how long a read waits; half a line is kept for the next
WRITE_S = 2.0  # a board that does not take bytes for so long is stuck


class Found(NamedTuple):
    """A board on USB. `serial`: the chip's own number, the same on every PC and socket (I-15)."""

    device: str
    serial: str
    product: str


def boards():
    """The boards that are plugged in, in the order of their names."""
    from serial.tools import list_ports

    return sorted(Found(port.device, port.serial_number or "", port.product or "")
                  for port in list_ports.comports() if port.vid == VID)


def known():
    """The boards on USB, and before them the port of $FIRSTCARD_PORT, which may be anything."""
    found, own = boards(), os.environ.get(VARIABLE, "")
    return ([Found(own, "", "")] if own and own not in [board.device for board in found] else []) + found


def choose(given=""):
    """The port to use: the given one, else that of $FIRSTCARD_PORT, else the only board. NoTable, PitError."""
    if given or os.environ.get(VARIABLE):
        return given or os.environ[VARIABLE]
    found = boards()
    if not found:
        raise NoTable("no board is found on USB: plug one in, or give its port with --port (a device, socket:// or "
                      "rfc2217:// URL); `pit doctor` looks for the reason")
    if len(found) > 1:
        raise PitError(f"{len(found)} boards are plugged in ({', '.join(board.device for board in found)}): choose "
                       "one with --port; `pit ports` says which is which")
    return found[0].device


def open_port(name):
    """The open port (a pyserial object). NoTable says why it cannot be opened."""
    import serial

    options = {} if "://" in name else {"exclusive": True}  # two programs would each read half of the answers
    try:
        return serial.serial_for_url(name, baudrate=115200, timeout=READ_S, write_timeout=WRITE_S, **options)
    except (serial.SerialException, ValueError, OSError) as error:
        raise NoTable(f"{name} cannot be opened ({reason(error)}): {_remedy(name, error)}")


def reason(error):
    """Why a port cannot be opened, in few words."""
    number = getattr(error, "errno", None)
    if number == errno.EAGAIN:  # the lock of an open that asks for the port alone
        return "another program has it"
    if number:
        return os.strerror(number)
    text = str(error)
    if "configure port" in text:
        return "it is no serial port"
    if "NoneType" in text:  # of an address without a number
        return "write socket://HOST:NUMBER"
    return text


def _remedy(name, error):
    if isinstance(error, PermissionError) or getattr(error, "errno", None) == 13:
        return "add yourself to the group that owns it (`sudo usermod -aG dialout $USER`) and log in anew"
    if "://" in name:
        return "is the address right, and is the other end listening?"
    return "is the table plugged in, and is no other program using the port?"
