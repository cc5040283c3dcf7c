"""`pit console` at 80x24, by keyboard only: on a simulated table at a pseudo terminal, and its picture."""

import asyncio
import html
import os
import re

import pytest

from host_tests.tools.conftest import CHIPS
from pit import keys
from pit.console import picture
from pit.console.app import TableApp
from pit.console.link import Link
from pit.emulate import SETTINGS
from pit.serve import Server, Simulated

WAIT_S = 20


def rows(svg):
    """The lines of text in a picture of the screen."""
    out = {}
    for x, y, text in re.findall(r'<text[^>]* x="([\d.]+)" y="([\d.]+)"[^>]*>(.*?)</text>', svg):
        line = out.setdefault(float(y), "")
        out[float(y)] = line.ljust(round(float(x) / 12.2)) + html.unescape(text).replace("\xa0", " ")
    return [out[y] for y in sorted(out)]


class Hands:
    """Whoever sits at the screen."""

    def __init__(self, app, pilot):
        self.app, self.pilot = app, pilot

    async def until(self, seen, what):
        """Wait until the screen shows the text `what` (or `seen()` is true)."""
        for _ in range(WAIT_S * 20):
            await self.pilot.pause(0.05)
            if seen():
                return
        raise AssertionError(f"no {what!r} on the screen:\n" + "\n".join(self.screen()))

    def screen(self):
        return rows(self.app.export_screenshot())

    async def see(self, text):
        await self.until(lambda: any(text in line for line in self.screen()), text)

    async def type(self, *words):
        for word in words:
            await self.pilot.press(*([word] if len(word) > 1 and word in ("enter", "escape", "down", "tab") else word))

    async def login(self, role):
        await self.type("i", role, "enter", "enter")
        await self.see(f"{self.app._port}  {role}")
        await self.form_gone()

    async def form_gone(self):
        """A form closes when the table has said OK, which may be after its event."""
        await self.until(lambda: len(self.app.screen_stack) == 1, "no form")


def play(hands_do, port, **options):
    """Run the console on `port` and let `hands_do(hands)` sit at it."""

    async def run():
        app = TableApp(Link(port, retry_s=0.1), port, **options)
        async with app.run_test(size=(80, 24)) as pilot:
            await hands_do(Hands(app, pilot))

    asyncio.run(run())


def test_a_shift_by_keyboard(simulated):
    async def work(hands):
        await hands.see("$5 to $500")
        await hands.see("CLOSED")
        await hands.type("o")
        await hands.see("open needs a login")
        await hands.login("supervisor")
        await hands.type("l", "10", "enter", "5", "enter", "enter")
        await hands.see("the minimum 10 is above the maximum 5")  # in the form, which stays
        await hands.type("escape")
        await hands.type("l", "10", "enter", "200", "enter", "enter")
        await hands.see("$10 to $200")
        await hands.form_gone()
        await hands.type("o")
        await hands.see("open for bets")
        table = simulated.table.table
        table.do({"place": {"spot": 3, "zone": "main", "uids": [CHIPS[0][0]]}})
        await hands.see("$25")
        table.do({"draw": {"code": "TH"}})
        await hands.see("bets are locked")
        table.do({"place": {"spot": 3, "zone": "main", "uids": [CHIPS[1][0]]}})
        await hands.see("1 increase by $25 on spot 3")
        await hands.type("a")
        await hands.see("no alarm")
        await hands.type("a")
        await hands.see("nothing to acknowledge")
        await hands.type("e", "bets", "enter")
        await hands.see("> bets")
        lines = hands.screen()
        assert len(lines) <= 25 and max(len(line.rstrip()) for line in lines) <= 81, "80x24 and the title"
        assert any("q quit" in line for line in lines), "every key is on the screen"

    play(work, simulated.device)


def test_a_table_that_starts_anew_behind_the_port_is_heard(simulated):
    """Its port stays open, as on a pty or behind a network: it speaks to whoever greets it."""
    async def work(hands):
        await hands.see("CLOSED")
        await hands.login("supervisor")
        table = simulated.table
        table.do({"fault": {"power": "cut"}})
        table._spoken = False
        table.do({"fault": {"power": "restore"}})
        await hands.see("not logged in")

    play(work, simulated.device)


def test_log_in_at_once(simulated):
    async def work(hands):
        await hands.until(lambda: hands.app.view.role == "operator", "operator in the head")
        await hands.type("q")
        await hands.until(lambda: not hands.app.is_running, "the end")

    play(work, simulated.device, role="operator")


def test_a_lost_port_is_shown_and_tried_again(tmp_path, at_pty):
    keys.login_keys("1", create=True)
    first = Server(Simulated({**SETTINGS, "keys": {}}))
    port = tmp_path / "port"
    port.symlink_to(first.device)

    async def work(hands):
        for _ in range(200):
            first.turn()
            await hands.pilot.pause(0.01)
            if hands.app.connected:
                break
        assert hands.app.connected
        first.close()
        await hands.see("LOST, trying again")
        await hands.type("o")
        await hands.see("CLOSED")  # what was last known stays
        port.unlink()
        port.symlink_to(at_pty(Simulated({**SETTINGS, "limits": {"min": 2000, "max": 30000}, "keys": {}})).device)
        await hands.see("$20 to $300")
        assert not any("LOST" in line for line in hands.screen()[:2])

    play(work, str(port))


def test_whoever_answers_there_is_no_table(tmp_path):
    """An answer that is not of the protocol is a lost port with its reason, not a crash."""

    class Stranger:
        def __enter__(self):
            return self

        def __exit__(self, *_):
            pass

        def command(self, line):
            from pit.errors import Refusal

            raise Refusal("unknown command events")

    async def run():
        app = TableApp(Link("COM9", open_table=lambda name, on_event: Stranger(), retry_s=0.1), "COM9")
        async with app.run_test(size=(80, 24)) as pilot:
            await Hands(app, pilot).see("unknown command events")

    asyncio.run(run())


def test_the_picture_is_what_the_screen_shows(tmp_path):
    fresh = rows(picture.make(tmp_path / "console.svg"))
    assert any("alarms: 2" in line for line in fresh) and any("locked" in line for line in fresh)
    kept = rows(picture.PICTURE.read_text(encoding="utf-8"))
    for part in ("spot 1", "main", "q quit", "alarms:"):
        (now,), (then,) = ([line for line in lines if part in line][:1] for lines in (fresh, kept))
        assert now == then, "the picture in the README is old: python -m pit.console.picture"
    text = picture.PICTURE.read_text(encoding="utf-8")
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "").replace("https://www.textualize.io", "")


@pytest.mark.skipif(os.name != "posix", reason="pseudo terminals")
def test_nobody_at_the_port(pit, monkeypatch):
    from pit import ports

    monkeypatch.delenv(ports.VARIABLE, raising=False)
    monkeypatch.setattr(ports, "boards", lambda: [])
    assert pit("console").status == 3


def test_a_pin_that_is_typed_as_a_command_is_not_on_the_screen(simulated):
    async def work(hands):
        await hands.see("CLOSED")
        await hands.type("e", "login operator 602214", "enter")
        await hands.see("> login operator ***")
        assert not any("602214" in line for line in hands.screen())

    play(work, simulated.device)
