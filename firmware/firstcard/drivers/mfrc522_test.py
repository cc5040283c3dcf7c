"""Wiring of the one MFRC522: pit.build puts this in the place of drivers/selftest.py on boards with such a reader."""

WORDS = ("ok", "-", "miso-stuck-low", "miso-stuck-high-or-no-supply", "wrong-version", "not-configured", "reset-held")
"""By the health that the driver has found."""


def run(board, reader):
    """Yields (part, "ok" or what is wrong, figure): the reader, by a hard reset and its set-up; its version."""
    reader.power_up()
    yield "reader", WORDS[reader.about(0)[5]], "%02x" % reader.version()
