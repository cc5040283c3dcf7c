"""The reader side of a table without a processor: driver sources run on Python (hostcpu) against the same models."""

from types import SimpleNamespace

from boards import fc7

from pit.emu.hostcpu import HostBoard, HostCpu
from pit.emu.pn5180 import Pn5180
from pit.emu.readerbus import ReaderBus
from pit.emu.tagfield import Field


def pins_of(board=fc7, **changes):
    """The data of a board as `import board` gives it, with other values for some names."""
    return SimpleNamespace(**{**{name: value for name, value in vars(board).items() if name.isupper()}, **changes})


class HostTable:
    """`board`, `bus`, `fields` (by antenna) as in emu.table.Table; `run` and `value` are the prompt.

    `pins`: see pins_of(); `changed`: see HostCpu.
    """

    def __init__(self, pins=None, changed=None):
        self.pins = pins or pins_of()
        self.board = HostBoard()
        antennas = [*range(self.pins.ANTENNAS), self.pins.TRAY_ANTENNA]
        self.fields = {number: Field() for number in antennas}
        self.bus = ReaderBus({n: Pn5180(n, field, self._on_field) for n, field in self.fields.items()}, self.pins)
        self.bus.attach(self.board)
        self.cpu = HostCpu(self.board, self.pins, changed)
        self.run, self.value = self.cpu.run, self.cpu.value

    def _on_field(self, number, on, ns):
        self.bus.on_field(number, on, ns)
