"""Panel: the task of the dealer's side of the table: keys in, display out. It sleeps until a key moves or something is
told.

A part of it that does not answer is a named fault that closes nothing: the console has the same keys and prompts. Both
hang on the I2C of the FRAM, and the lock's record is due there between a card's edge and the step that takes it: then
neither is touched, and at any other time the bus is theirs for one transfer at a time, half a ms at most.
"""

import asyncio

import board

from firstcard.app.dealer import Dealer
from firstcard.app.tasks import readable
from firstcard.core.keypad import NOTHING, Debounce
from firstcard.core.machine import OPEN
from firstcard.drivers.display import Display
from firstcard.drivers.keypad import Matrix
from firstcard.drivers.wake import Wake

LOOK_MS = 10  # between two looks at a key that has moved
HELD_MS = 15  # and at one that stays down
SLICE_MS = 1  # between two slices of the display
CHECK_MS = 900  # between two questions whether the keypad is still there
LONGEST_MS = 50  # of a rest while there is something to do
AGAIN_MS = 2000  # to a part that has not answered
RENEW_MS = 60_000  # a display that was without power for a moment is dark no longer than that


class Panel:
    """`engine` and `ports` of app/build.py."""

    def __init__(self, engine, ports):
        self._engine = engine
        self._ports = ports
        self._keypad = Matrix(ports.bus, board.KEYPAD, board.KEYPAD_INT, self._free)
        self._display = Display(ports.bus, board.DISPLAY, self._free)
        self._debounce = Debounce()
        self._dealer = Dealer(engine)
        self.parts = (self._keypad, self._display, self._debounce, self._dealer)
        self._rested = False
        self._look_ms = self._draw_ms = self._renewed_ms = 0  # when which is due, and was done
        self.words = ports.panel = self._dealer.words = self._keypad.words
        self.words[0] = 1

    def _free(self):
        """May the I2C be used? Not between a card's edge and its record."""
        return self._engine.round.state != OPEN or not self._ports.is_locked()

    async def run(self, here):
        """Never returns. `here()` is called whenever it goes on."""
        wake = Wake(self.words)
        while True:
            await readable(wake)
            wait = 1
            while wait:
                here()
                if self.words[0]:
                    wake.clear()
                    self._display.show(self._dealer.rows())
                    await asyncio.sleep_ms(0)  # a host may wait for its answer
                wait = self._turn(self._ports.ms())
                if wait:
                    await asyncio.sleep_ms(min(wait, LONGEST_MS))

    def _turn(self, ms):
        """Whatever is due. Returns ms until the next turn, 0: nothing is left to do."""
        wait = 0
        if self._keypad.moved() or not self._rested or ms - self._look_ms > CHECK_MS:
            if ms >= self._look_ms:
                self._look_ms = ms + self._look(ms)
            if not self._rested or self._keypad.moved():  # it has moved since: INT is low and falls no more
                wait = max(1, self._look_ms - ms)
        if ms >= self._draw_ms and self._draw(ms):
            wait = SLICE_MS
        return wait

    def _look(self, ms):
        """Look at the keys once. Returns ms until the next look is due."""
        engine = self._engine
        debounce = self._debounce
        idle = self._rested and not self._keypad.moved()
        self._rested = False
        try:
            if idle and self._keypad.rest():  # it is there, and as it was: no need to look at each row
                self._rested = True
                return LOOK_MS
            key = debounce.take(self._keypad.scan(), ms)
            if debounce.quiet():
                self._rested = self._keypad.rest()
        except OSError:
            engine.name_fault("keypad")
            return AGAIN_MS
        if key >= 0:
            self._dealer.press(key)
        if debounce.stuck(ms):
            engine.name_fault("keypad", None, debounce.held)
        else:
            engine.clear_fault("keypad")
        return LOOK_MS if debounce.held == NOTHING else HELD_MS

    def _draw(self, ms):
        """One slice of the display. True: there is more."""
        try:
            more = self._display.step()
        except OSError:
            self._engine.name_fault("display")
            self._display.renew()
            self._draw_ms = ms + AGAIN_MS
            return False
        if not more:
            self._engine.clear_fault("display")
            if ms - self._renewed_ms > RENEW_MS:
                self._renewed_ms = ms
                self._display.renew()
        return more
