"""`pit shoe` on a pair of pseudo terminals: at the other end stands the firmware's own receiver."""

import os
import subprocess
import sys
import threading
import time
import tty
from pathlib import Path

import pytest

from firstcard.proto import ots1

PIT = str(Path(sys.executable).with_name("pit"))


class Table:
    """Answers as a table does, unless it is `mute`. `frames`: (type, fields) of everything new."""

    def __init__(self, mute=False, first_words=b""):
        self.master, slave = os.openpty()
        tty.setraw(self.master)
        tty.setraw(slave)
        self.device, self._slave = os.ttyname(slave), slave
        self.receiver = ots1.Receiver()
        self.frames = []
        self._mute, self._words = mute, first_words
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        while True:
            try:
                data = os.read(self.master, 256)
            except OSError:
                return
            for byte in data:
                frame = self.receiver.feed(byte)
                if frame:
                    self.frames.append((frame[0], frame[2]))
            reply = self.receiver.take_reply()
            if not self._mute:
                os.write(self.master, self._words + reply)
                self._words = b""

    def kinds(self):
        return [kind for kind, _ in self.frames if kind != "HBT"]

    def close(self):
        os.close(self._slave)
        os.close(self.master)


@pytest.fixture
def table():
    made = []

    def make(**how):
        made.append(Table(**how))
        return made[-1]

    yield make
    for one in made:
        one.close()


def shoe(device, *words):
    return subprocess.run([PIT, "shoe", device, "--every", "300", "--seconds", "0.6", *words], capture_output=True,
                          text=True, timeout=60)


def test_cards_heartbeats_and_acknowledgements(table):
    there = table()
    done = shoe(there.device, "--cards", "AS,kd")
    assert done.returncode == 0, done.stdout + done.stderr
    assert there.kinds() == ["HLO", "EDG", "CRD", "EDG", "CRD"]
    assert [fields[1] for kind, fields in there.frames if kind == "CRD"] == ["AS", "KD"]
    assert ("HBT", [2, "0", 1]) in there.frames
    assert there.receiver.bad == there.receiver.missed == there.receiver.duplicates == 0
    assert "> 01,EDG,1," in done.stdout and "< ACK,01" in done.stdout


@pytest.mark.parametrize("fault, kinds, counts", [
    ("gap", ["HLO", "EDG", "CRD"], {"missed": 1}),
    ("misread", ["HLO", "EDG", "MIS"], {}),
    ("double", ["HLO", "EDG", "DBL"], {}),
    ("garbled", ["HLO", "EDG", "CRD"], {"bad": 2}),
    ("lost", ["HLO", "EDG", "CRD"], {"bad": 0}),
    ("twice", ["HLO", "EDG", "CRD"], {"duplicates": 2}),
    ("jam", ["HLO", "JAM", "EDG", "CRD"], {}),
    ("long", ["HLO", "EDG", "CRD"], {"long": 1}),
])
def test_a_fault_on_the_line(table, fault, kinds, counts):
    there = table()
    done = shoe(there.device, "--cards", "AS", "--fault", fault)
    assert done.returncode == 0, done.stdout + done.stderr
    assert there.kinds() == kinds
    for name, number in counts.items():
        assert getattr(there.receiver, name) == number, name


def test_a_table_that_is_silent_is_told_and_ends_in_1(table):
    there = table(mute=True)
    done = shoe(there.device, "--cards", "AS")
    assert done.returncode == 1 and "lines were not acknowledged: 00 01" in done.stdout
    time.sleep(0.1)
    assert there.receiver.duplicates >= 6  # each line came four times


@pytest.mark.parametrize("words, says", [
    (["--cards", "AS,1X"], "1X is no card"),
    (["--fault", "angry"], "angry is no fault of a shoe: choose from"),
    (["--fault", "blocked"], "needs the beams"),
])
def test_wrong_words_are_one_sentence(table, words, says):
    done = shoe(table().device, *words)
    assert done.returncode == 2 and says in done.stderr and done.stderr.count("\n") == 1


def test_no_such_device_and_no_table_are_one_sentence(table):
    done = shoe("/dev/no-such-adapter")
    assert done.returncode == 3 and "cannot be opened" in done.stderr and done.stderr.count("\n") == 1
    done = shoe(table(first_words=b"MicroPython v1.27\r\n").device)
    assert done.returncode == 2 and "is not OTS-1" in done.stderr and done.stderr.count("\n") == 1
