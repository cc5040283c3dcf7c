"""Tasks: who calls the engine on the board, and when. Six asyncio tasks that sleep almost always.

    locks     wakes by the latch's handlers: lock instants and cards
    shoe      wakes by the start bit of a frame: drains the ring
    console   wakes by a byte from the operator
    tick      every 50 ms, or soon while output waits: time-outs, comparison of the latch's two paths
    sweeper   reads the antennas, rests
    panel     wakes by a key of the dealer's (panel.py)

None of them is in the path of the lock itself. What becomes of one that fails is app/supervisor.py's business. A wake
costs about 0.4 ms of CPU, so nothing polls what can wake it.
"""

import asyncio
import gc
import time

import board

from firstcard.app.supervisor import CONSOLE, LOCKS, PANEL, SHOE, SWEEPER, TICK, Supervisor
from firstcard.core import machine
from firstcard.core.zone import FREEZE, WINDOW
from firstcard.drivers.readers import FINISHED, SWEPT
from firstcard.drivers.system import room
from firstcard.drivers.wake import Wake

TICK_MS = 50
TIDY_MS = 1000  # what lives long comes to lie together, else a heap that is filled first stays in small pieces
LEAST = 8_000  # bytes: with less left after an answer it is collected then, rather than in the middle of the next one
CHECK_MS = 10_000  # after power-up, when nobody waits for anything
PUMP_MS = 2  # between two looks at the host while output waits
DEAF = 5  # looks in vain, then the host is left alone until the next tick
CHANGED_GAP_MS = 30  # after a sweep that saw something new
SLOW_GAP_MS = 1500  # while the table is closed
TRAY_TURN = 8  # while it is not: so many rests between two readings of the tray
SLICE_US = 3000  # a sweep gives way to the other tasks at least that often
DRAINED = 8  # buffers of the shoe's bytes at a time: half the ring
PANEL_MS = 20  # between two looks whether the panel's modules may be read
FRAME_MS = 3  # a frame of the shoe takes about that long


def nothing():
    """What a port does before its task runs."""


def readable(stream):
    """Wait until `stream` is readable (asyncio's own way, without a StreamReader that would read text)."""
    yield asyncio.core._io_queue.queue_read(stream)


def soon(task):
    """Let a task that sleeps go on now."""
    queue = asyncio.core._task_queue
    queue.remove(task)
    queue.push(task)


class Tasks:
    """`engine` and `ports` of app/build.py."""

    def __init__(self, engine, ports):
        self._engine = engine
        self._ports = ports
        self._shoe_buf = bytearray(128)
        self._line_buf = bytearray(64)
        self._resting = False
        self._hurried = False
        self._sweeper = None
        self._checker = None
        self._ticker = None
        self._ticking = False
        self._supervisor = Supervisor(engine, ports)
        self._here = self._supervisor.here

    async def run(self):
        """Start all of them; never returns."""
        self._ports.dog.start()
        self._sweeper = self._start(SWEEPER, self._sweep())
        self._start(LOCKS, self._locks())
        self._start(SHOE, self._shoe())
        self._ticker = self._start(TICK, self._tick())
        self._ports.hurry = self._hurry
        self._ports.more = self._more
        if board.KEYPAD:
            self._start(PANEL, self._panel())
        await self._start(CONSOLE, self._console())
        while True:
            await asyncio.sleep(3600)

    def _start(self, task, coroutine):
        return asyncio.create_task(self._guard(task, coroutine))

    async def _guard(self, task, coroutine):
        try:
            await coroutine
            raise RuntimeError("has ended")
        except BaseException as error:  # whatever it is, a cancellation too: a part of the table has stopped
            self._supervisor.failed(task, error)

    # tasks

    async def _locks(self):
        latch = self._ports.latch
        engine = self._engine
        wake = Wake(latch.words)
        while True:
            await readable(wake)
            self._here(LOCKS)
            wake.clear()
            self._events(latch, engine)

    def _events(self, latch, engine):
        cause = latch.take()
        while cause:
            engine.locked(cause, latch.lock_us)
            self._ports.shoe.watch(False)
            cause = latch.take()
        self._beams(engine)

    def _beams(self, engine):
        """What has changed at the two beams, in order."""
        beams = self._ports.beams
        while True:
            a, b = beams[0].next_us(), beams[1].next_us()
            if a < 0 and b < 0:
                return
            n = 1 if a < 0 or (b >= 0 and time.ticks_diff(b, a) < 0) else 0
            engine.beam(n, beams[n].take(), b if n else a)

    async def _shoe(self):
        shoe = self._ports.shoe
        wake = Wake(shoe.words)
        while True:
            if shoe.listen():
                await readable(wake)
            wake.clear()
            last = 0
            while last != 10:  # until the end of a line, or silence
                await asyncio.sleep_ms(FRAME_MS)
                self._here(SHOE)
                last = self._drain(shoe)

    def _drain(self, shoe):
        """Hand what has come to the engine. Returns the last byte, 10 also if there was none. A shoe that sends
        without end does not keep the others waiting."""
        self._events(self._ports.latch, self._engine)  # a frame is judged by what the beams have seen
        buf = self._shoe_buf
        last = 10
        for _ in range(DRAINED):
            n = shoe.read_into(buf)
            if not n:
                break
            last = buf[n - 1]
            self._engine.shoe_bytes(buf, n, shoe.waiting())
        return last

    async def _console(self):
        port, console = self._ports.port, self._engine.console
        buf = self._line_buf
        console.patient = True
        while True:
            await readable(port.stdin)
            self._here(CONSOLE)
            n = port.read_into(buf)
            self._engine.console_bytes(buf, n)
            while console.go_on():
                await asyncio.sleep_ms(0)
                self._here(CONSOLE)
            port.flush()
            if room() < LEAST:
                if not port.empty():
                    await asyncio.sleep_ms(PUMP_MS)
                if port.empty() and not port.waits() and not self._ports.latch.words[0]:
                    gc.collect()

    async def _tick(self):
        engine = self._engine
        ports = self._ports
        session = engine.console.session
        overruns = deaf = 0
        due = tidy = time.ticks_ms()
        while True:
            now = time.ticks_ms()
            if time.ticks_diff(due, now) <= 0:
                due = time.ticks_add(now, TICK_MS)
                self._here(TICK)
                if ports.latch.check():
                    engine.fault("latch")
                self._events(ports.latch, engine)
                self._drain(ports.shoe)
                if ports.shoe.overruns != overruns:
                    overruns = ports.shoe.overruns
                    engine.fault("shoe-overrun")
                if ports.shoe.line_errors():
                    engine.line_error()
                if ports.port.host_left():
                    engine.console.host_left()
                engine.tick()
                if ports.files == "checking" and ports.ms() > CHECK_MS:
                    self._check()
                ports.leds.poll()
                if engine.round.state != machine.OPEN and time.ticks_diff(now, tidy) > TIDY_MS:
                    tidy = now
                    gc.collect()
                self._supervisor.feed()
            elif session.busy:
                engine.console.tick()
            before = ports.port.pending
            deaf = 0 if ports.port.flush() != before else deaf + 1
            wait = max(1, time.ticks_diff(due, time.ticks_ms()))
            if ports.port.pending and deaf < DEAF or session.busy:
                await asyncio.sleep_ms(min(wait, PUMP_MS))
            else:
                self._ticking = True
                await asyncio.sleep_ms(wait)
                self._ticking = False

    def _check(self):
        """Hold a bit more of the program's files against their hashes."""
        from firstcard.app import selfcheck  # in memory for as long as that takes

        if not self._checker:
            self._checker = selfcheck.look()
        ports = self._ports
        ports.build, ports.files = next(self._checker)
        if ports.files != selfcheck.CHECKING:
            self._checker = None
            selfcheck.recall(self._engine)
            if ports.files not in (selfcheck.OK, selfcheck.UNKNOWN):
                self._engine.fault("program", None, ports.files)

    async def _panel(self):
        state = machine.SAFE
        while state == machine.SAFE or state == machine.OPEN:  # to read modules from flash holds everybody up
            await asyncio.sleep_ms(PANEL_MS)
            self._here(PANEL)
            state = self._engine.round.state
        from firstcard.app import modes

        await modes.panel(self._engine, self._ports).run(lambda: self._here(PANEL))

    async def _sweep(self):
        readers = self._ports.readers
        engine = self._engine
        round_ = engine.round
        for antenna in range(1, board.ANTENNAS + (1 if board.TRAY_ANTENNA else 0)):
            readers.configure(antenna)
            await asyncio.sleep_ms(0)
        rests = 0
        while True:
            self._hurried = False
            for n in range(len(round_.zones)):
                z = round_.zones[n]
                if z.phase == WINDOW or z.phase == FREEZE and z.locked:  # somebody waits for it
                    readers.first[n] = 1
            readers.begin()
            await self._read()
            engine.sweep_end()
            if round_.state <= machine.CLOSED and readers.hopeless():
                readers.power_up()
            if self._hurried:
                gap = 0
            elif readers.changed:
                gap = CHANGED_GAP_MS
            elif round_.state > machine.CLOSED:
                gap = board.SWEEP_GAP_MS
            else:
                gap = SLOW_GAP_MS
            if gap >= board.SWEEP_GAP_MS:
                begun = time.ticks_ms()
                rests += 1
                if board.TRAY_ANTENNA and (gap == SLOW_GAP_MS or not rests % TRAY_TURN):
                    readers.read_only(board.ANTENNAS)
                elif gap == board.SWEEP_GAP_MS:
                    readers.look()
                await self._read(True)
                gap = max(0, gap - time.ticks_diff(time.ticks_ms(), begun))
                if self._hurried or readers.changed:
                    gap = 0
            self._resting = True
            await asyncio.sleep_ms(gap)
            self._resting = False

    async def _read(self, may_wait=False):
        """Go through with the sweep that has been begun; one that `may_wait` only until somebody is in a hurry."""
        readers = self._ports.readers
        engine = self._engine
        urgent = self._ports.latch.words
        waits = self._ports.port.waits
        wait = 0
        while wait != SWEPT and not (may_wait and self._hurried):
            await asyncio.sleep_ms(max(wait // 1000, waits()))  # 1: whoever has typed comes first
            self._here(SWEEPER)
            self._supervisor.look()
            begun = time.ticks_us()
            wait = readers.run(SLICE_US)
            while wait == FINISHED:
                status = readers.status or readers.doubt
                engine.reading(readers.antenna, readers.uids, status, readers.start_us, readers.end_us)
                wait = SLICE_US - time.ticks_diff(time.ticks_us(), begun)
                wait = readers.run(wait) if wait > 0 and not urgent[0] else 0

    # ports

    def _hurry(self):
        self._hurried = True
        if self._resting:
            self._resting = False
            soon(self._sweeper)

    def _more(self):
        if self._ticking:
            self._ticking = False
            soon(self._ticker)
