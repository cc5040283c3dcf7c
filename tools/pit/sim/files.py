"""What the simulated table reads from disk, made ready on the host."""

import os

from pit import ROOT, texts
from pit.sim.table import TEXTS


def prepare():
    """Pack the text file where SimTable looks for it."""
    path = ROOT / TEXTS
    path.parent.mkdir(exist_ok=True)
    packed = texts.build()
    if not path.exists() or path.read_bytes() != packed:
        part = path.with_suffix(f".{os.getpid()}")  # two test processes may do this at once
        part.write_bytes(packed)
        part.replace(path)
