"""The forms of `pit console`: new limits, log in, any command. Enter goes on, Escape leaves."""

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Label


class Form(ModalScreen):
    """Fields one below the other. Enter in the last one gives `submit(values)` what was typed, in order.

    `submit` answers through told(): None closes the form, a text is shown and the form stays.
    """

    BINDINGS = [("escape", "dismiss", "leave")]
    CSS = """
    Form { align: center middle; }
    Form > Vertical { width: 64; height: auto; border: round $accent; padding: 0 1; background: $surface; }
    Form Label { width: 100%; }
    Form Input { height: 3; }
    .wrong { color: $error; }
    """

    def __init__(self, title, fields, submit):
        """`fields`: (name, hint, is secret) each."""
        super().__init__()
        self._title, self._fields, self._submit = title, fields, submit

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Label(self._title)
            for name, hint, secret in self._fields:
                yield Input(placeholder=f"{name}: {hint}", id=name, password=secret)
            yield Label("", classes="wrong", id="answer")

    def on_input_submitted(self, event):
        inputs = list(self.query(Input))
        at = inputs.index(event.input)
        if at + 1 < len(inputs):
            inputs[at + 1].focus()
            return
        self._submit([one.value.strip() for one in inputs], self.told)

    def told(self, refusal):
        if not self.is_attached:
            return
        if refusal is None:
            self.dismiss()
        else:
            self.query_one("#answer", Label).update(refusal)
            self.query(Input).first().focus()
