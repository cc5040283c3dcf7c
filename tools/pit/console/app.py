"""The terminal UI: one screen, keyboard only, from 80x24 up. It shows a View and gives commands through a Link."""

import time

from textual.app import App, ComposeResult
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Footer, OptionList, RichLog, Static
from textual.widgets.option_list import Option

from pit.console import parts
from pit.console.screens import Form
from pit.timeline import STYLES
from pit.view import View


class Call(Message):
    """Something that another thread wants done in this one; unlike call_from_thread it never waits."""

    def __init__(self, function, *values):
        super().__init__()
        self.function, self.values = function, values


class TableApp(App):
    """`link`: pit.console.link.Link or the like; `port`: its name; `role`: log in as it whenever the table is reached.
    """

    TITLE = "pit console"
    ENABLE_COMMAND_PALETTE = False
    CSS = """
    #head, #prompt { height: 1; padding: 0 1; }
    #prompt { color: $warning; }
    #top { height: 3; }
    #plaque { width: 47; padding: 0 1; }
    #state { width: 1fr; }
    #spots { height: 5; padding: 0 1; }
    #alarms { height: 5; border: round $error; padding: 0; text-wrap: nowrap; text-overflow: ellipsis;
              scrollbar-size-vertical: 1; }
    #alarms > .option-list--option-highlighted { background: $surface-lighten-2; color: $text; }
    #alarms.none { border: round $panel; }
    #log { height: 1fr; min-height: 3; border: round $panel; padding: 0; overflow-x: hidden;
           scrollbar-size-vertical: 1; }
    """
    BINDINGS = [
        ("o", "command('open')", "open"),
        ("c", "command('close')", "close"),
        ("l", "limits", "limits"),
        ("x", "command('limits cancel')", "drop pending"),
        ("a", "ack", "ack"),
        ("i", "login", "log in"),
        ("e", "enter", "type"),
        ("q", "quit", "quit"),
    ]

    def __init__(self, link, port, role=""):
        super().__init__()
        self.view = View()
        self.connected = None
        self._link, self._port, self._wanted = link, port, role
        # Held here, not looked up: a form may lie over them, and at the end they go before the clock does.
        self._head, self._plaque, self._state = Static(id="head"), Static(id="plaque"), Static(id="state")
        self._prompt, self._spots = Static(id="prompt"), Static(id="spots")
        self._alarm_list = OptionList(id="alarms")
        self._log_view = RichLog(id="log", wrap=False, markup=False, min_width=40)
        self._heard = None  # (table's ms, our clock) of the newest event: what the countdown goes by

    def compose(self) -> ComposeResult:
        yield self._head
        yield Horizontal(self._plaque, self._state, id="top")
        yield self._prompt
        yield self._spots
        yield self._alarm_list
        self._log_view.can_focus = False
        yield self._log_view
        yield Footer()

    def on_mount(self):
        self._log_view.border_title = "log"
        self._alarm_list.focus()
        self.refresh_view()
        self.set_interval(1, self._second)
        self._link.start(lambda kind, data: self.post_message(Call(self.take, kind, data)))

    def on_unmount(self):
        self._link.stop()

    def on_call(self, call):
        call.function(*call.values)

    def take(self, kind, data):
        """What the Link tells."""
        if kind == "up":
            log, self.view = self.view.log, data
            self.view.log[:0] = log
            self.connected = True
            self._say("table", "connected")
            if self._wanted:
                self._login(self._wanted, "")
        elif kind == "down":
            if self.connected or not self.view.log:
                self._say("error", data)
            self.connected, self._heard = False, None
        else:
            self.view.event(data)
            self._heard = (data["ms"], time.monotonic())
            self._write(*self.view.log[-1])
        self.refresh_view()

    def refresh_view(self):
        self._head.update(parts.head(self.view, self._port, self.connected))
        self._plaque.update(parts.plaque_rows(self.view))
        self._prompt.update(self.view.prompt or "".join(f"{code}: {text}" for code, text in
                                                        sorted(self.view.faults.items())[:1]))
        self._spots.update(parts.spots(self.view))
        self._second()
        self._alarms()

    def _second(self):
        now_ms = self._heard and self._heard[0] + int(1000 * (time.monotonic() - self._heard[1]))
        self._state.update(parts.state(self.view, now_ms))

    def _alarms(self):
        box = self._alarm_list
        chosen = box.highlighted
        ids = sorted(self.view.alarms)
        box.set_options(Option(parts.alarm(self.view.alarms[number]), id=str(number)) for number in ids)
        if ids:
            box.highlighted = min(chosen or 0, len(ids) - 1)
        box.set_class(not ids, "none")
        box.border_title = f"alarms: {len(ids)}" if ids else "no alarm"

    # what is typed

    def action_command(self, line):
        """One line for the table; the answer goes to the log, and the line, but no PIN in it."""
        words = line.split()
        self._say("", "> " + (f"login {words[1]} ***" if words[0] == "login" and len(words) > 2 else line))
        self._link.command(line, self._answered())

    def action_ack(self):
        box = self._alarm_list
        if box.highlighted is None:
            self._say("error", "no alarm is open: nothing to acknowledge")
        else:
            self.action_command(f"ack {box.get_option_at_index(box.highlighted).id}")

    def action_limits(self):
        def submit(values, told):
            line = f"limits set {values[0]} {values[1]}" + (f" in {values[2]}" if values[2] else "")
            self._say("", f"> {line}")
            self._link.command(line, self._answered(told))

        self.push_screen(Form("New limits, in dollars", [
            ("minimum", "such as 5", False), ("maximum", "such as 100", False),
            ("in", "notice such as 20m; empty: what the rules ask for", False)], submit))

    def action_login(self):
        self.push_screen(Form("Log in: with a PIN, or with the key of this PC", [
            ("role", "operator, supervisor or technician", False),
            ("pin", "empty: by the key of this PC", True)],
            lambda values, told: self._login(values[0], values[1], told)))

    def action_enter(self):
        def submit(values, told):
            told(None)
            if values[0]:
                self.action_command(values[0])

        self.push_screen(Form("Any command; `help` lists what is allowed now", [("command", "such as bets", False)],
                              submit))

    def _login(self, role, pin, told=None):
        self._link.login(role, pin, self._answered(told))

    def _answered(self, told=None):
        return lambda text, refusal: self.post_message(Call(self._told, text, refusal, told))

    def _told(self, text, refusal, told=None):
        if refusal is None:
            self._say("ok", text or "")
        else:
            self._say("error", refusal)
        if told:
            told(refusal)
        self.refresh_view()

    def _say(self, name, text):
        self.view.say(None, name, text)
        self._write(None, name, text)

    def _write(self, ms, name, text):
        from rich.text import Text

        when = f"{ms / 1000:9.3f}" if ms is not None else " " * 9
        self._log_view.write(Text.assemble((when, "dim"), " ", (f"{name:<13} ", STYLES.get(name, "")),
                                                            text))
