"""A real board with mock sensors on a serial port: `pit run --on /dev/ttyACM0`."""

from pit.errors import PitError
from pit.targets.base import Target


class SerialTarget(Target):
    """Not there yet: it needs the board `pico_bench`, whose sensors are fed over the console (`mock ...` lines)."""

    name = "serial"

    def __init__(self, device):
        self._device = device

    def start(self, setup):
        raise PitError(f"{self._device}: playing a file on a real board needs a board with mock sensors, which this "
                       "version does not have yet: use --on host, unix or rp2040")
