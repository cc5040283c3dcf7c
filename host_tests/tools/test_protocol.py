"""firmware/PROTOCOL.md says what the firmware does: its tables are those of the code, its sessions are replayed."""

import hashlib
import hmac
import re

import pytest
import yaml

from firstcard.proto import commands
from pit import ROOT, keys, protocol
from pit.emulate import SETTINGS
from pit.sim import files
from pit.sim.table import SimTable

DOCUMENT = protocol.DOCUMENT.read_text(encoding="utf-8")
SITE_KEY = bytes(32)
OPTIONS = {"us-in-blackjack": {"insurance": True, "even_money": True, "surrender": True}}
UP_MS, DRAW_MS = 100, 400


def table_keys(table="1"):
    base = hmac.new(SITE_KEY, b"table " + table.encode(), hashlib.sha256).digest()
    return {role: hmac.new(base, b"login " + role.encode(), hashlib.sha256).hexdigest() for role in commands.ROLES}


class Session:
    """One session of the document: `role` is logged in before it begins; a fresh table each."""

    def __init__(self, role="", profile="us-in-blackjack"):
        files.prepare()
        self.chips = {f"{n:02x}000000000104e0": cents for n, cents in enumerate([500, 2500, 10000] * 4, 1)}
        self.keys = table_keys()
        self.table = SimTable({**SETTINGS, "profile": profile, "options": OPTIONS.get(profile, {}),
                               "registry": list(self.chips.items()), "keys": self.keys}, str(ROOT))
        self.used, self.said = [], []
        self.wait(UP_MS)
        if role and role != "anybody":
            nonce = self.type(f"login {role}")[-1].split()[1]
            assert self.type(f"answer {keys.answer(self.keys[role], role, nonce)}")[-1].startswith("OK")

    def type(self, line):
        """Every line that comes until the final one of this command."""
        self.table.do({"line": line})
        return [text.decode().rstrip("\n") for text in self.table.take()]

    def people(self, step):
        """A line in brackets: a step as in scenario files. What the table says meanwhile."""
        (kind, value), = yaml.safe_load(step).items()
        if kind == "place":
            uids = []
            for cents in value["chips"]:
                uids.append(next(uid for uid, worth in self.chips.items() if worth == cents and uid not in self.used))
                self.used.append(uids[-1])
            self.table.do({"place": {"spot": value["spot"], "zone": value.get("zone", "main"), "uids": uids}})
        elif kind == "remove":
            self.table.do({"remove": {"spot": value["spot"], "zone": value.get("zone", "main"), "uids": None}})
        elif kind == "draw":
            for code in value:
                self.table.do({"draw": {"code": code}})
                self.wait(DRAW_MS)
        else:
            self.wait(value)
        return [text.decode().rstrip("\n") for text in self.said]

    def wait(self, ms):
        end = self.table.now_ms + ms
        while self.table.now_ms < end:
            self.table.advance(end - self.table.now_ms)
            self.said += self.table.take()


def blocks():
    """(line in the document, words behind `session`, lines)."""
    for found in re.finditer(r"^```session ?(.*)\n((?:.*\n)*?)```", DOCUMENT, re.M):
        yield DOCUMENT[:found.start()].count("\n") + 1, found[1].split(), found[2].splitlines()


def fits(expected, line):
    return re.fullmatch(re.escape(expected).replace(r"\.\.\.", ".*"), line) is not None


def replay(words, lines):
    """What differs: list of texts, empty if the session goes as it is written."""
    session = Session(*words)
    wrong, came, skipping = [], [], False
    for line in [*lines, None]:
        if line is None or line.startswith("> ") or line.startswith("("):
            wrong += [f"came, and is not written: {one}" for one in came if not one.startswith("!")]
        if line is None:
            break
        if line.startswith("> "):
            came = session.type(line[2:])
        elif line.startswith("("):
            session.said = []
            came = session.people(line[1:-1])
        elif line == "...":
            skipping = True
            continue
        else:
            while came and (skipping or came[0].startswith("!")) and not fits(line, came[0]):
                came.pop(0)
            skipping = False
            if not came or not fits(line, came[0]):
                wrong.append(f"written: {line}\n  came: {came[0] if came else 'nothing'}")
            came = came[1:]
    return wrong


@pytest.mark.parametrize("number, words, lines", list(blocks()))
def test_the_session_goes_as_it_is_written(number, words, lines):
    wrong = replay(words, lines)
    assert not wrong, f"{protocol.DOCUMENT.name}:{number}\n" + "\n".join(wrong)


def test_the_tables_are_those_of_the_firmware():
    assert protocol.renewed(DOCUMENT) == DOCUMENT, "run `.venv/bin/python -m pit.protocol`"


def test_every_command_has_an_example():
    typed = [line[2:].split() for _, _, lines in blocks() for line in lines if line.startswith("> ")]
    entries = [commands.lookup(words) for words in typed]
    missing = [entry[commands.WORDS] for entry in commands.TABLE if entry not in entries]
    assert not missing, f"add them to a session of {protocol.DOCUMENT.name}: {missing}"


def test_the_worked_example_of_the_login():
    key = table_keys()["operator"]
    assert f"`{key}`" in DOCUMENT
    assert all(len(example) <= 96 for _, _, lines in blocks() for example in lines if example.startswith("> "))


def test_a_session_that_is_wrong_is_found():
    assert replay([], ["> limits", "OK min=5 max=501"])
    assert replay([], ["> limits"])
    assert replay([], ["> limits", "OK ...", "OK"])
    assert not replay([], ["> limits", "OK min=5 max=500"])


def slips():
    part = DOCUMENT[DOCUMENT.index("### When a hand slips"):DOCUMENT.index("### Faults")]
    return re.findall(r"^\| [^|]+ \| ([^|]+) \| `([a-z0-9-]+)` \|$", part, re.M)


@pytest.mark.parametrize(("way", "scenario"), slips())
def test_every_way_back_is_gone_in_the_scenario_that_is_named(way, scenario):
    steps = (ROOT / "host_tests" / "scenarios" / f"{scenario}.yaml").read_text()
    commands = re.findall(r"`(key [a-z-]+|card add|card <n> to|card <code>)", way)
    assert commands
    for command in commands:
        key = command.removeprefix("key ")
        sent = re.escape(command).replace("<n>", r"\d+").replace("<code>", "[2-9TJQKA][SHDC]")
        asked = rf"key: (\{{name: )?{key}\b" if command.startswith("key ") else f"send: {sent}"
        assert re.search(asked, steps), command


def test_the_ways_back_are_read():
    assert len(slips()) == 9
