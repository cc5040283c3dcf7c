"""The card shoe (pit.sim.shoe) on the wires of a board: its line is the table's UART0."""

from pit.emu.modelerror import ShoeProtocolError
from pit.sim import ots1, shoe

BYTE_US = 1e7 / 115_200
SPOILED = 57_600  # baud of a line with framing errors: each byte takes twice as long


class Shoe(shoe.Shoe):
    """See pit.sim.shoe.Shoe. `beams`: pit.emu.beams.Beams."""

    def __init__(self, uart=0, decks=6, heartbeat=True, beams=None):
        super().__init__(self, beams, decks, heartbeat)
        self.uart = uart

    def attach(self, board):
        """Wire the shoe to a board that has just been powered: the shoe starts with it."""
        self._board = board
        self._port = board.uart(self.uart)
        self._port.listen(self._on_byte)
        self._resets = board.resets
        self.start()

    def _on_byte(self, byte):
        if self._board.resets != self._resets:  # cut short by a reset of the RP2040
            self._resets = self._board.resets
            self.forget_line()
        try:
            self.hear(byte)
        except ots1.ShoeProtocolError as error:
            raise ShoeProtocolError(str(error))

    # the wire

    def now_us(self):
        """Time of the board."""
        return int(self._board.now_us)

    def after(self, us, function, *arguments):
        """Call later."""
        self._board.after_us(us, lambda: function(*arguments))

    def put(self, data, spoiled):
        """Bytes to the table."""
        if spoiled:
            self._port.baud = SPOILED
            self._board.after_us((self._port.sending + len(data)) * 2 * BYTE_US, self._clean)
        self._port.send(data)

    def _clean(self):
        self._port.baud = 115_200

    def busy_us(self):
        """Until the last byte has left."""
        return self._port.sending * BYTE_US
