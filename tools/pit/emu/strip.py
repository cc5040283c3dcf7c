"""The WS2812 strip, decoded from the edges on its data pin.

An edge costs one list append; a frame is decoded in one go once the line has been low for the reset gap. The alarm that
notices the gap is moved on only when it fires, not at every edge, so a frame of 80 LEDs costs a few alarms, not 1,920.
Only what leaves the last LED is passed on in time: reshaped, and 0.3 us later for each LED on its way.
"""

from pit.emu.ledcurrent import SupplyCurrent

RESET_NS = 50_000  # low for so long: the frame is shown (WS2812 data sheet)
# High times. By the data sheet of the WS2812B a 0 is 0.25 to 0.55 us and a 1 is 0.65 to 0.95 us; later types vary.
ZERO_NS = (200, 500)
ONE_NS = (550, 1_000)
LONGEST_LOW_NS = 9_000  # a pause within a frame that every WS2812 type still takes for a pause
BITS = 24
PASS_NS = 300  # from the input of a LED to its output (WS2812B data sheet, tPLZ)
OUT_NS = (320, 800)  # high times of a 0 and a 1 as a LED reshapes them
FAULTS = ("dead-led", "short", "long", "stuck", "dark", "weak")
WEAK = 0.5  # share of its current that a colour makes on a weak supply
_DARK = (0, 0, 0)


class Strip:
    """`leds`: the last frame shown, a list of (g, r, b). `frames`: (ns, leds) of every one, ns = its last edge.

    `malformed`: bits of a wrong length and frames that are no whole number of LEDs, counted. `count`: LEDs on the
    strip, None = as many as come; what comes after them leaves the last LED: `surplus` of the last frame, a list like
    `leds`, and as edges on pin `back`, if there is one. `sense`: pin of the supply current (SupplyCurrent `current`).
    """

    def __init__(self, gp, count=None, back=None, sense=None):
        self.gp, self.count, self.back, self.sense = gp, count, back, sense
        self.leds, self.surplus, self.frames, self.malformed = [], [], [], 0
        self.on_frame = None  # fn(ns, leds)
        self.out_ns = OUT_NS
        self._fault, self._at = None, 0

    def attach(self, board):
        """Wire the strip to a board that has just been powered; the LEDs keep what they show."""
        self._board = board
        self._edges, self._level, self._waiting = [], False, False
        self.current = SupplyCurrent(WEAK if self._fault == "weak" else 1.0)
        self._draw_current()
        board.on_pin(self.gp, self._on_edge)
        if self.back is not None:
            board.drive(self.back, False)
        if self.sense is not None:
            board.analog(self.sense, lambda: self.current.volts(board.now_ns))

    def fault(self, kind, at=None):
        """Break the strip, or mend it (`ok`); needs `count`.

        `dead-led`: LED number `at` (0 ..., default: the middle one) and all behind it are dark, nothing is passed on.
        `short`: the last LED is bridged, its data leaves the strip as if it was surplus. `long`: one LED more, which
        takes what is surplus. `stuck`: the data line is dead, the old picture stays. `dark`: no supply. `weak`: half of
        the light is made. What is broken shows a picture again at the next frame.
        """
        if kind not in (*FAULTS, "ok"):
            raise ValueError(f"plaque fault {kind}: {' '.join(FAULTS)} or ok")
        self._fault = None if kind == "ok" else kind
        self._at = self.count // 2 if at is None else at
        self._edges = []
        self.current.scale = WEAK if kind == "weak" else 1.0
        lit = {"dead-led": self._at, "short": self.count - 1, "dark": 0}.get(kind)
        if lit is not None:
            self.leds = self.leds[:lit] + [_DARK] * len(self.leds[lit:])
        self._draw_current()

    def _draw_current(self):
        powered = len(self.leds) if self.count is None else self.count + (self._fault == "long")
        self.current.show(self._board.now_ns, self.leds, 0 if self._fault == "dark" else powered)

    def _on_edge(self, level, ns):
        if level is self._level:
            return
        self._level = level
        if self._fault in ("stuck", "dark") or not (level or self._edges):
            return
        self._edges.append(ns)
        if self.back is not None and self._fault != "dead-led":
            passed = self.count - (self._fault == "short") + (self._fault == "long")
            if len(self._edges) > passed * BITS * 2:
                self._pass_on(level, ns, passed * PASS_NS)
        if not self._waiting:
            self._waiting = True
            self._board.after_us(RESET_NS / 1000, self._look)

    def _pass_on(self, level, ns, late_ns):
        """An edge of a surplus bit: the last LED sends it on in its own shape."""
        if level:
            self._board.after_us(late_ns / 1000, lambda: self._board.drive(self.back, True))
            return
        high_ns = ns - self._edges[-2]
        late_ns += self.out_ns[high_ns > ZERO_NS[1]] - high_ns
        self._board.after_us(late_ns / 1000, lambda: self._board.drive(self.back, False))

    def _look(self):
        now_ns, edges = self._board.now_ns, self._edges
        if not edges:
            self._waiting = False
            return
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
        if self._fault == "short":
            shown -= 1
        leds, self.surplus = pixels[:shown] + self.leds[whole:], pixels[shown:]
        if self._fault == "short":
            leds.append(_DARK)
        elif self._fault == "long":
            del self.surplus[:1]
        elif self._fault == "dead-led":
            leds, self.surplus = leds[: self._at] + [_DARK] * len(leds[self._at :]), []
        self.leds = leds
        self._draw_current()
        self.frames.append((edges[-1], self.leds))
        if self.on_frame is not None:
            self.on_frame(edges[-1], self.leds)
