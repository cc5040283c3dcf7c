"""The thread that owns the port of `pit console`: gives commands, listens in between, and comes back after a loss.

Nobody else touches the port. What happens is told by `tell(kind, data)`, from this thread:

    up View      the table is reached, and this is what it says of itself
    event dict   something has happened
    down text    the port is lost; it is tried again until stop()
"""

import queue
import threading
import time

from pit.errors import NoTable, PitError
from pit.operator import Operator
from pit.view import View

RETRY_S = 1.0
GREET_S = 2.0


class Link:
    """One port. `open_table(name, on_event=)` gives an Operator; tests give another."""

    def __init__(self, port, table="", open_table=Operator.at, retry_s=RETRY_S):
        self._port, self._table_name = port, table
        self._open = open_table
        self._retry_s = retry_s
        self._jobs = queue.Queue()
        self._stop = threading.Event()
        self._thread = None
        self._tell = None
        self._greet_s = 0.0
        self._early = None  # events that come while the table is asked: they belong behind the answers

    def start(self, tell):
        self._tell = tell
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def stop(self):
        self._stop.set()
        if self._thread:
            self._thread.join()

    def command(self, line, done):
        """Give `line` to the table; `done(text or None, refusal or None)` is called from the thread."""
        self._jobs.put((lambda table: table.command(line), done))

    def login(self, role, pin, done):
        """Log in by challenge with this PC's key, or with a PIN if one is given."""
        if pin:
            self.command(f"login {role} {pin}", done)
        else:
            self._jobs.put((lambda table: table.login_here(role, self._table_name), done))

    def _run(self):
        while not self._stop.is_set():
            try:
                with self._open(self._port, on_event=self._event) as table:
                    self._ask(table)
                    while not self._stop.is_set():
                        self._turn(table)
            except NoTable as error:
                self._give_up_jobs(error)
                self._tell("down", str(error))
                self._stop.wait(self._retry_s)

    def _ask(self, table):
        self._early = []
        view = View()
        try:
            table.command("events on")
            view.ask(table)
        except PitError as error:
            raise NoTable(str(error))  # whoever answers there is no table that can be shown
        for event in self._early:
            view.event(event)
        self._early = None
        self._tell("up", view)

    def _event(self, event):
        if self._early is None:
            self._tell("event", event)
        else:
            self._early.append(event)

    def _turn(self, table):
        try:
            job, done = self._jobs.get_nowait()
        except queue.Empty:
            event = table.listen()
            if event:
                self._event(event)
            elif time.monotonic() > self._greet_s:  # behind a pty or a network nobody sees that a board has restarted
                self._greet_s = time.monotonic() + GREET_S
                table.greet()
            return
        try:
            done(job(table), None)
        except NoTable as error:
            done(None, str(error))
            raise
        except PitError as error:
            done(None, str(error))

    def _give_up_jobs(self, error):
        while not self._jobs.empty():
            _, done = self._jobs.get_nowait()
            done(None, str(error))
