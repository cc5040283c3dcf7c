"""Clock chip: a DS3231 on the I2C bus, which goes on by its battery while the table has no power. It is set to UTC.

Loaded when it is asked or set. Register numbers and bits: DS3231 data sheet, figure 1.
"""

from micropython import const

from firstcard.core import calendar

SILENT, STOPPED = -1, 0  # instead of a time: it does not answer; it has stopped since it was set
_STATUS = const(0x0F)
_STOPPED_SINCE = const(0x80)  # OSF
_MONTH = const(0x1F)


def read(bus, address):
    """Seconds since 2000, or SILENT, or STOPPED, which it also is while its registers hold no date."""
    status, now = bytearray(1), bytearray(7)
    try:
        bus.readfrom_mem_into(address, _STATUS, status)
        bus.readfrom_mem_into(address, 0, now)  # in one go: the chip keeps them together
    except OSError:
        return SILENT
    if status[0] & _STOPPED_SINCE:
        return STOPPED
    try:
        return calendar.parse("20%02x-%02x-%02xT%02x:%02x:%02x" % (
            now[6], now[5] & _MONTH, now[4], now[2], now[1], now[0]))
    except ValueError:
        return STOPPED


def write(bus, address, seconds):
    """Set it to `seconds` since 2000. Raises OSError: it does not answer."""
    text = calendar.show(seconds)
    digits = [int(text[at : at + 2], 16) for at in (17, 14, 11, 8, 5, 2)]
    digits.insert(3, seconds // 86400 % 7 + 1)  # day of the week, which nobody reads
    bus.writeto(address, bytes([0] + digits))
    bus.writeto(address, bytes((_STATUS, 0)))
