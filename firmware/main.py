"""First card: starts the table. The keyboard interrupt is off from the first statement on: a stray Ctrl-C stops no table."""

__import__("micropython").kbd_intr(-1)

from firstcard.app import modes  # noqa: E402

modes.start()
