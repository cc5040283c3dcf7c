"""`pit emulate`: a table to try everything with, no hardware needed."""

import os
import re
import signal
import subprocess
import sys

import pytest

from pit import ROOT


def at_a_terminal():
    """Ctrl-C arrives, also where the tests themselves run behind a shell's `&`, which leaves it ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def emulate(*words):
    return subprocess.Popen([sys.executable, "-m", "pit.cli", "emulate", *words], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, cwd=ROOT, preexec_fn=at_a_terminal)


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
