"""The WS2812 strip, decoded from the edges on its data pin.

An edge costs one list append; a frame is decoded in one go once the line has been low for the reset gap. The alarm that
notices the gap is moved on only when it fires, not at every edge, so a frame of 80 LEDs costs a few alarms, not 1,920.
"""

RESET_NS = 50_000  # low for so long: the frame is shown (WS2812 data sheet)
# High times. By the data sheet of the WS2812B a 0 is 0.25 to 0.55 us and a 1 is 0.65 to 0.95 us; later types vary.
ZERO_NS = (200, 500)
ONE_NS = (550, 1_000)
LONGEST_LOW_NS = 9_000  # a pause within a frame that every WS2812 type still takes for a pause
BITS = 24


class Strip:
    """`leds`: the last frame shown, a list of (g, r, b). `frames`: (ns, leds) of every one, ns = its last edge.

    `malformed`: bits of a wrong length and frames that are no whole number of LEDs, counted. `count`: LEDs on the
    strip, None = as many as come; what comes after them leaves the last LED: `surplus` of the last frame, a list like
    `leds`.
    """

    def __init__(self, gp, count=None):
        self.gp, self.count = gp, count
        self.leds, self.surplus, self.frames, self.malformed = [], [], [], 0
        self.on_frame = None  # fn(ns, leds)

    def attach(self, board):
        """Wire the strip to a board that has just been powered; the LEDs keep what they show."""
        self._board = board
        self._edges, self._level, self._waiting = [], False, False
        board.on_pin(self.gp, self._on_edge)

    def _on_edge(self, level, ns):
        if level is self._level:
            return
        self._level = level
        self._edges.append(ns)
        if not self._waiting:
            self._waiting = True
            self._board.after_us(RESET_NS / 1000, self._look)

    def _look(self):
        now_ns, edges = self._board.now_ns, self._edges
        left_ns = RESET_NS - (now_ns - edges[-1])
        if self._level:
            left_ns = RESET_NS
            if now_ns - edges[-1] > RESET_NS:  # high for that long is no waveform: wait for the line to be used again
                self.malformed += 1
                self._edges = [now_ns]
        if left_ns > 0:
            self._board.after_us(left_ns / 1000, self._look)
            return
        self._waiting, self._edges = False, []
        self._show(edges)

    def _show(self, edges):
        highs = [fall - rise for rise, fall in zip(edges[::2], edges[1::2], strict=False)]
        lows = [rise - fall for fall, rise in zip(edges[1::2], edges[2::2], strict=False)]
        bad = sum(1 for ns in highs if not (ZERO_NS[0] <= ns <= ZERO_NS[1] or ONE_NS[0] <= ns <= ONE_NS[1]))
        bad += sum(1 for ns in lows if ns > LONGEST_LOW_NS)
        whole = len(highs) // BITS
        self.malformed += bad + (1 if len(highs) % BITS else 0)
        if not whole:
            return
        bits = "".join("1" if ns > ZERO_NS[1] else "0" for ns in highs[: whole * BITS])
        data = int(bits, 2).to_bytes(whole * 3, "big")
        pixels = [tuple(data[at : at + 3]) for at in range(0, len(data), 3)]
        shown = whole if self.count is None else self.count
        self.leds, self.surplus = pixels[:shown] + self.leds[whole:], pixels[shown:]
        self.frames.append((edges[-1], self.leds))
        if self.on_frame is not None:
            self.on_frame(edges[-1], self.leds)
