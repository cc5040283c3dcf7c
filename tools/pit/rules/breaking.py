"""Breaks a clause in a copy of the project and runs its own proofs: one is worth its name only if it goes red then."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from pit.rules import trace
from pit.rules.breaks import BREAKS

COPIED = ("firmware", "tools", "host_tests", "boards")
TIMEOUT_S = 300


def place(root, file):
    """Path of a break's file in a tree."""
    return root / (file if file.startswith("tools/") else f"firmware/firstcard/{file}")


def nodes(row):
    """Proofs of a clause as pytest names them; a scenario is played on the host."""
    out = []
    for proof in row.proofs:
        path, _, rest = proof.partition(":")
        if path.endswith(".yaml"):
            out.append(f"host_tests/scenarios/test_scenarios.py::test_on_the_host[{Path(path).stem}]")
        else:
            out.append(f"{path}::{rest.partition(' ')[2]}")
    return list(dict.fromkeys(out))


def copy(root):
    """The project as it stands, into an empty directory."""
    for name in COPIED:
        shutil.copytree(trace.REPOSITORY / name, root / name, ignore=shutil.ignore_patterns("__pycache__", ".cache"))
    shutil.copy(trace.REPOSITORY / "pyproject.toml", root)


def red(root, proofs):
    """Names of the tests that fail in that tree. Raises RuntimeError if they could not be run."""
    env = dict(os.environ, PYTHONDONTWRITEBYTECODE="1",
               PYTHONPATH=os.pathsep.join(str(root / part) for part in ("tools", "firmware", ".")))
    done = subprocess.run([sys.executable, "-m", "pytest", "-n0", "-q", "--no-header", "--tb=no", "-p",
                           "no:cacheprovider", *proofs], cwd=root, env=env, capture_output=True, text=True,
                          timeout=TIMEOUT_S)
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stdout[-500:] + done.stderr[-500:])
    return re.findall(r"^(?:FAILED|ERROR) \S+?::(\S+)", done.stdout, re.MULTILINE)


def broken(root, clause, proofs):
    """[(file, what stands there now, names of the tests that then fail)] of every break of a clause, in that tree."""
    out = []
    for clauses, file, old, new in BREAKS:
        if clause in clauses.split():
            path = place(root, file)
            source = path.read_text(encoding="utf-8")
            if source.count(old) != 1:
                raise RuntimeError(f"{file} has not once: {old}; put the line as it stands into pit/rules/breaks.py")
            path.write_text(source.replace(old, new), encoding="utf-8")
            out.append((file, new.strip(), red(root, proofs)))
            path.write_text(source, encoding="utf-8")
    return out
