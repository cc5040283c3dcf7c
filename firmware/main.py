"""First card: starts the table. The keyboard interrupt is off first of all: a stray Ctrl-C stops no table."""

__import__("micropython").kbd_intr(-1)

from firstcard.app import modes  # noqa: E402

modes.start()
