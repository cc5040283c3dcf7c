"""What has been proven already, kept in build/prove/ under a hash of all that could change it."""

import hashlib
import json
import os

from pit import ROOT, build, firmware
from pit.prove.proof import Result

FOLDER = ROOT / "build" / "prove"


def image_hash():
    """Hash (16 hex digits) of MicroPython, the application as built, and the tools that hold it against the rules."""
    digest = hashlib.sha256(firmware.image_path().read_bytes())
    for path, data in sorted(build.files().items()):
        digest.update(path.encode() + b"\0" + data)
    for folder in ("tools/pit", "firmware", "boards"):
        for path in sorted((ROOT / folder).rglob("*.py*")):
            if path.suffix in (".py", ".pyx", ".pxi"):
                digest.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


class Keeper:
    """Results by (proof, unit). Each is one line of a file, appended in one write: several processes may do so."""

    def __init__(self, name=None, folder=FOLDER):
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / f"{name or image_hash()}.jsonl"
        self._known = {}
        self.load()

    def load(self):
        """Read what the file holds; a line torn by a power cut is skipped."""
        for line in self.path.read_text().splitlines() if self.path.exists() else ():
            try:
                row = json.loads(line)
                self._known[row["proof"], row["unit"]] = Result(row["ok"], row["figures"], row["note"])
            except (ValueError, KeyError, TypeError):
                continue

    def get(self, proof, unit):
        """The Result, or None."""
        return self._known.get((proof, unit))

    def add(self, proof, unit, result):
        """Keep a result."""
        line = json.dumps({"proof": proof, "unit": unit, "ok": result.ok, "figures": result.figures,
                           "note": result.note})
        handle = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        try:
            os.write(handle, (line + "\n").encode())
        finally:
            os.close(handle)
        self._known[proof, unit] = result
