"""What the plaque's shunt amplifier tells the ADC: the supply current of the LEDs, pulsed as they pulse, then smoothed.

A WS2812B regulates 12 mA a colour and makes shades by switching it on and off 2,000 times a second, all LEDs beginning
together when a picture is shown; its own chip draws 0.6 mA. The amplifier gives 5 V per A (0.1 ohm, gain 50) and
saturates at its supply, 3.3 V or 660 mA; 1.5 kohm and 100 nF behind it smooth with 150 us.
"""

import math

IDLE_MA = 0.6  # a LED that is dark
COLOUR_MA = 12.0  # a colour while it is on
VOLTS_PER_MA = 0.005
MOST_VOLTS = 3.3
PWM_NS = 500_000
SMOOTH_NS = 150_000
_FORGOTTEN_NS = 20 * SMOOTH_NS
_SMALL = 1e-9


class SupplyCurrent:
    """The smoothed current of a strip. `scale`: 1.0, or what the LEDs' current regulators make of it."""

    def __init__(self, scale=1.0):
        self.scale = scale
        self._begun_ns = self._at_ns = 0
        self._ma = 0.0
        self._steps = ((1.0, 0.0),)  # (end as a share of the period, mA until then)

    def show(self, ns, leds, powered):
        """From `ns` on `powered` LEDs draw current and show `leds`, a list of three bytes each."""
        self._follow(ns)
        self._begun_ns = ns
        shades = sorted(shade for led in leds for shade in led if shade)
        idle, steps = powered * IDLE_MA, []
        for lit, shade in zip(range(len(shades), 0, -1), shades):
            steps.append((shade / 255, idle + lit * COLOUR_MA * self.scale))
        steps.append((2.0, idle))
        self._steps = tuple(steps)

    def ma(self, ns):
        """Smoothed current at `ns`, never before an earlier question."""
        self._follow(ns)
        return self._ma

    def volts(self, ns):
        """What the amplifier gives."""
        return min(MOST_VOLTS, self.ma(ns) * VOLTS_PER_MA)

    def _follow(self, end_ns):
        now = max(self._at_ns, end_ns - _FORGOTTEN_NS)
        while now < end_ns:
            phase = (now - self._begun_ns) % PWM_NS / PWM_NS
            end, ma = next((until, ma) for until, ma in self._steps if until > phase + _SMALL)
            step = min(end_ns - now, (min(end, 1.0) - phase) * PWM_NS + _SMALL)
            self._ma = ma + (self._ma - ma) * math.exp(-step / SMOOTH_NS)
            now += step
        self._at_ns = end_ns
