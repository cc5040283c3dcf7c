"""First card: starts the table. The keyboard interrupt is off from the first statement on: no Ctrl-C stops a table."""

__import__("micropython").kbd_intr(-1)

import sys  # noqa: E402

# MicroPython looks for these in the file system at every import, 3 to 4 ms each time, before it takes its own; by the
# name with a `u` it takes them at once.
for name in ("array", "binascii", "hashlib", "io", "json", "machine", "os", "select", "time"):
    sys.modules[name] = __import__("u" + name)

PROGRAM = "/"  # folder of the modules: `pit flash` puts an upgrade into another one, and then changes this line
sys.modules["os"].chdir(PROGRAM)

from firstcard.app import modes  # noqa: E402

modes.start()
