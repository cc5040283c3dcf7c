"""`pit emulate`: a table to try everything with, no hardware needed."""

import os
import re
import signal
import subprocess
import sys
import time

import pytest

from boards import fc7
from pit import ROOT, build, keys
from pit.chips import nth_uid
from pit.people import People


def at_a_terminal():
    """Ctrl-C arrives, also where the tests themselves run behind a shell's `&`, which leaves it ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def emulate(*words):
    return subprocess.Popen([sys.executable, "-m", "pit.cli", "emulate", *words], stdin=subprocess.PIPE,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT,
                            preexec_fn=at_a_terminal)


def until(seen, seconds=30):
    """Wait until `seen()` is true."""
    end = time.monotonic() + seconds
    while not seen():
        assert time.monotonic() < end
        time.sleep(0.1)


def play(pit, process):
    """One round as a newcomer would try it: hands in this window, the operator in another."""
    device = re.match(r"(/dev/\S+) is the table's port; Ctrl-C ends it", process.stdout.readline())[1]
    assert "`help`" in process.stdout.readline()

    def hand(*lines):
        process.stdin.write("\n".join(lines) + "\n")
        process.stdin.flush()

    def status():
        return pit("status", "--port", device).out

    until(lambda: "CLOSED" in status())
    assert pit("send", "open", "--as", "supervisor", "--port", device).out == "OK\n"
    hand("place: {spot: 3, chips: [2500, 500]}")
    until(lambda: "spot 3 main: $30 in 2 chips, ok" in status())
    hand("opne", "open", "place: {spot: 2, chips: [77]}")
    assert process.stdout.readline() == "'opne' is no step: did you mean `open`?\n"
    assert "in another window" in process.stdout.readline()
    assert "take 100, 500, 2500" in process.stdout.readline()
    hand("wait: 1500", "draw: [TH, KD]", "place: {spot: 3, chips: [2500]}")
    until(lambda: "LOCKED" in status() and "increase by $25 on spot 3" in status())
    process.send_signal(signal.SIGINT)
    assert process.wait(10) == 0 and not process.stderr.read()


def test_a_round_by_hand_on_a_simulated_table(pit):
    play(pit, emulate("--simulated"))


def test_a_round_by_hand_on_the_image_that_goes_on_a_board(pit, tmp_path):
    path, _ = build.build("fc7", keys.login_keys("1", create=True), target=tmp_path / "table.uf2")
    assert path.stat().st_mode & 0o077 == 0, "it holds login keys"
    play(pit, emulate(str(path)))


def test_chips_are_taken_from_the_tray_once_each():
    done = []
    sitting = People(fc7, [("aa", 500), ("bb", 500), ("cc", -1)], done.append)
    for line in ("place: {spot: 1, chips: [500]}", "place: {spot: 2, chips: [500]}", "place: {spot: 1, chips: ['?']}",
                 "remove: {spot: 1, chips: [500]}", "place: {spot: 3, chips: [500]}"):
        assert sitting.told(line) == ""
    assert "take none" in sitting.told("place: {spot: 3, chips: [500]}") and "did you mean" in sitting.told("drw: TH")
    assert "place: " in sitting.told("help") and sitting.told("") == "" and "not valid YAML" in sitting.told("a: [")
    sitting.turn(0)
    assert [(name, one["spot"], one["uids"]) for action in done for name, one in action.items()] == [
        ("place", 1, ["aa"]), ("place", 2, ["bb"]), ("place", 1, [nth_uid(0)]), ("remove", 1, ["aa"]),
        ("place", 3, ["aa"])]


def test_cards_and_keys_take_their_time():
    done = []
    sitting = People(fc7, [], done.append)
    for line in ("draw: [TH, KD]", "wait: 1000", "turn: true"):
        sitting.told(line)
    sitting.turn(0)
    assert done == [{"draw": {"code": "TH"}}]
    sitting.turn(400)
    sitting.turn(800)  # the rest begins
    sitting.turn(1700)
    assert len(done) == 2
    sitting.turn(1800)
    assert done[2:] == [{"turn": True}]


def test_a_simulated_table_until_ctrl_c(pit):
    process = emulate("--simulated")
    first = process.stdout.readline()
    device = re.match(r"(/dev/\S+) is the table's port; Ctrl-C ends it", first)[1]
    assert os.path.exists(device)
    assert pit("limits", "set", "5", "100", "--port", device).out == "$5 to $100\n"
    assert "$5 to $100" in pit("status", "--port", device).out
    process.send_signal(signal.SIGINT)
    assert process.wait(10) == 0 and not process.stderr.read()


@pytest.mark.parametrize("words, text", [(("nowhere.uf2",), "run `make build` first")])
def test_without_an_image(words, text):
    process = emulate(*words)
    assert process.wait(20) == 2 and text in process.stderr.read()
