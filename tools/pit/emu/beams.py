"""The two light barriers at the mouth of the shoe: low = gap clear, high = card, cut wire or dark emitter.

Beam B is 15 to 20 mm further out than beam A, so a card that leaves covers A, then both, then B alone; a card that is
pulled back covers A only.
"""

A, B = 0, 1
COVERED_MS = 60  # one card at one beam
LAG_MS = 20  # beam B after beam A
SENSOR_US = 100  # emitter switched -> the sensor follows: 15 us by data sheet, about ten times that at 10 k


class Beams:
    """`pins`: board data with BEAM_A, BEAM_B and EMITTERS (high or undriven = on)."""

    def __init__(self, pins):
        self.pins = pins
        self._board = None
        self._covers = [0, 0]  # how many things are in each gap
        self._cut = [False, False]
        self._coming = []  # [ns, beam, by]: changes that are due

    def attach(self, board):
        """Wire the beams to a board that has just been powered; what covers a gap stays there, what moves goes on."""
        self._board = board
        coming, self._coming = self._coming, []
        for ns, beam, by in coming:
            self._later(ns / 1000, beam, by)
        board.drive(self.pins.EMITTERS, True)  # pull-up: undriven emitters are lit
        self._lit = True
        board.on_pin(self.pins.EMITTERS, self._on_emitters)
        self._show()

    def detach(self):
        """The board is about to go: what moves does not wait for the next one."""
        self._coming = [[max(0, ns - self._board.now_ns), beam, by] for ns, beam, by in self._coming]

    def edge(self, back=False, delay_us=0, ms=COVERED_MS, lag_ms=LAG_MS, inward=False):
        """A card passes in `delay_us` from now (0: at once): A for `ms`, B for `ms` from `lag_ms` on. `back`: A only.
        `inward`: from outside, B first."""
        first, second = (B, A) if inward else (A, B)
        self.cover(first, ms * 1000, delay_us)
        if not back:
            self.cover(second, ms * 1000, delay_us + lag_ms * 1000)

    def glitch(self, us, beam=A, delay_us=0):
        """A pulse of `us` microseconds, for instance too short to be a card."""
        self.cover(beam, us, delay_us)

    def cover(self, beam, us, delay_us=0):
        """Something is in the gap of `beam` for `us`, beginning `delay_us` from now."""
        if delay_us:
            self._later(delay_us, beam, 1)
        else:
            self._change(beam, 1)
        self._later(delay_us + us, beam, -1)

    def _later(self, us, beam, by):
        row = [self._board.now_ns + round(us * 1000), beam, by]
        self._coming.append(row)

        def due():
            self._coming.remove(row)
            self._change(beam, by)

        self._board.after_us(us, due)

    def cut(self, beam, is_cut=True):
        """The wire of `beam` is cut (its pull-up shows a card), or mended."""
        self._cut[beam] = is_cut
        self._show()

    def _change(self, beam, by):
        self._covers[beam] += by
        self._show()

    def _on_emitters(self, level, ns):
        self._board.after_us(SENSOR_US, lambda: self._shine(level))

    def _shine(self, lit):
        self._lit = lit
        self._show()

    def _show(self):
        for beam, gp in ((A, self.pins.BEAM_A), (B, self.pins.BEAM_B)):
            self._board.drive(gp, self._cut[beam] or self._covers[beam] > 0 or not self._lit)
