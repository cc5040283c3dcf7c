"""A device on the board's first I2C bus, at the end of a cable that may be off."""


class Cabled:
    """`ADDRESS`: its own, 7 bits. `powered()`: what a power-up does to it. `present`: is its cable on?"""

    present = True

    def attach(self, board):
        """Wire it to a board that has just been powered, as it has."""
        self._board = board
        self.powered()
        if self.present:
            board.i2c(0).devices[self.ADDRESS] = self

    def unplug(self):
        """Its cable is off: it does not answer."""
        self.present = False
        self._board.i2c(0).devices.pop(self.ADDRESS, None)

    def plug(self):
        """Its cable is on again: power-up."""
        self.present = True
        self.attach(self._board)
