"""pit: the host-side tool of firstcard (one command line, one importable package)."""

import sys
from pathlib import Path

__version__ = "0.1.0"

ROOT = Path(__file__).resolve().parents[2]
"""The project folder: pit runs from the source tree, where firmware/, boards/ and host_tests/ lie beside tools/."""


def _share_firmware():
    """Make `firstcard` (firmware/) and `boards` importable, so that tools and board share one source of the rules."""
    for folder in (str(ROOT / "firmware"), str(ROOT)):
        if folder not in sys.path:
            sys.path.append(folder)


_share_firmware()
