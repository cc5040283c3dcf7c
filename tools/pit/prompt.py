"""The files of a board at MicroPython's prompt, by way of mpremote: list, hash, write, copy, rename, remove.

Every call ends with the change on flash: littlefs makes a closed file, a rename and a removal lasting at once, and a
rename replaces the old file in one step.
"""

import ast
import struct
from abc import ABC, abstractmethod

from mpremote.transport import TransportError
from mpremote.transport_serial import SerialTransport

from pit.errors import NoTable, PitError

WAIT_S = 10
CHUNK = 1024  # bytes of a file in one go: the table is not running, the heap is free

TOOLS = """
import os, sys, hashlib, binascii
m = memoryview(bytearray(1024))
def _hash(p):
 h = hashlib.sha256()
 with open(p, 'rb') as f:
  while True:
   n = f.readinto(m)
   if not n: return binascii.hexlify(h.digest()).decode()
   h.update(m[:n])
def _copy(a, b):
 with open(a, 'rb') as f, open(b, 'wb') as g:
  while True:
   n = f.readinto(m)
   if not n: return
   g.write(m[:n])
def _list(d):
 for e in os.ilistdir(d):
  p = d.rstrip('/') + '/' + e[0]
  if e[1] & 0x4000:
   print((p, -1))
   _list(p)
  else: print((p, e[3]))
def _tidy(d):
 import time
 p = d.rstrip('/') + '/main.py.new'
 for _ in range(32):
  t = time.ticks_us()
  open(p, 'wb').close()
  os.remove(p)
  if time.ticks_diff(time.ticks_us(), t) > 15000: return
"""


class Files(ABC):
    """The files of a board on which code can be run by run(code) -> what it prints. TOOLS must have been run there.

    Paths begin with `/`.
    """

    @abstractmethod
    def run(self, code):
        """What the code prints, as text."""

    def value(self, expression):
        return ast.literal_eval(self.run(f"print(repr({expression}))").strip())

    def about(self):
        """(machine, version of MicroPython, mpy word) of the board."""
        return self.value("(sys.implementation._machine, '.'.join(map(str, sys.implementation[1][:3])), "
                          "sys.implementation._mpy)")

    def sizes(self):
        """All files and folders: dict of path -> bytes, -1 for a folder."""
        return dict(ast.literal_eval(line) for line in self.run("_list('/')").splitlines() if line)

    def room(self):
        """Bytes of the whole file system. What statvfs calls free is less than there is: it counts folders twice."""
        return self.value("(lambda s: s[0] * s[2])(os.statvfs('/'))")

    def hash(self, path):
        """SHA-256 of a file, hexadecimal."""
        return self.value(f"_hash({path!r})")

    def read(self, path):
        return self.value(f"open({path!r}, 'rb').read()")

    def head(self, path, size):
        """The first bytes of a file."""
        return self.value(f"open({path!r}, 'rb').read({size})")

    def write(self, path, data):
        self.run(f"f = open({path!r}, 'wb')")
        for at in range(0, len(data), CHUNK):
            self.run(f"f.write({data[at:at + CHUNK]!r}) and None")
        self.run("f.close()")

    def copy(self, path, new):
        self.run(f"_copy({path!r}, {new!r})")

    def rename(self, path, new):
        self.run(f"os.rename({path!r}, {new!r})")

    def remove(self, path):
        """A file or an empty folder."""
        self.run(f"os.remove({path!r})")

    def make_folder(self, path):
        self.run(f"os.mkdir({path!r})")

    def tidy(self, folder):
        """Make the log of a folder short, as pit.image does: the board reads all of it for every name at boot.

        littlefs writes a log anew when it is full, and that takes an erase: until then a file comes and goes.
        """
        self.run(f"_tidy({folder!r})")


class Prompt(Files):
    """A board that waits at its prompt, at a port."""

    def __init__(self, port):
        """Interrupts nothing but a prompt that was left half typed; NoTable if there is none."""
        try:
            self._transport = SerialTransport(port, timeout=WAIT_S)
        except (TransportError, OSError, ValueError) as error:
            raise NoTable(f"{port} cannot be opened ({error}): is the board plugged in, and no other program using it?")
        try:
            self._transport.enter_raw_repl(soft_reset=False, timeout_overall=WAIT_S)  # a reset could start the table
            self.run(TOOLS)
        except (TransportError, OSError) as error:
            self.close()
            raise NoTable(f"no MicroPython prompt at {port} ({error}): close the SERVICE strap and reset the board")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        try:
            if self._transport.in_raw_repl:
                self._transport.exit_raw_repl()
            self._transport.close()
        except OSError:
            return  # it is gone already: nothing is left open

    def run(self, code):
        """What `code` prints (text). NoTable when the board goes away, PitError when it fails there."""
        try:
            out, errors = self._transport.exec_raw(code, timeout=WAIT_S)
        except (TransportError, OSError, struct.error, TypeError) as error:
            raise NoTable(f"the board went away ({error}): connect it and run the same command again, it goes on from "
                          "there")
        if errors:
            raise PitError(f"the board cannot do that ({errors.decode(errors='replace').strip().splitlines()[-1]}): "
                           "`pit doctor` may know more")
        return out.decode(errors="replace")

    def reset(self):
        """The board starts anew; the prompt is gone."""
        self._transport.exec_raw_no_follow("import machine\nmachine.reset()")
        self._transport.in_raw_repl = False
