"""Speed: rebuild the emulator's C without the stable ABI, compile two parts of our own, and pick what is there.

 - The wheel is built for Python's stable ABI, which costs a function call for every list item, field and integer; its C
   files are in the wheel. Compiled against the interpreter's own headers they run 2.6 times as fast. The results lie
   next to the stock files in the virtual environment and win over them by their name; the stock files stay.
 - `_loop.pyx` is loop.py in C, with most of the CPU's instructions (_thumb.pxi) and the SIO block (_sio.pxi): another
   three times as fast. It lies in .cache/emu/.
All give the same cycle counts and the same memory as the stock wheel. Without a C compiler everything works, slower.

`python -m pit.emu.native` does both (`make setup`); it takes seconds when all is up to date.
"""

import hashlib
import importlib.machinery
import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from pathlib import Path

import rp2040py

from pit import ROOT
from pit.emu import loop as python_loop

PACKAGE = Path(rp2040py.__file__).parent
SUFFIX = importlib.machinery.EXTENSION_SUFFIXES[0]
HERE = Path(__file__).parent
PYX = HERE / "_loop.pyx"
_NAME = "_loop"
CACHE = ROOT / ".cache" / "emu"
_FLAGS = ("-O2", "-fPIC", "-shared", "-w", "-DNDEBUG", "-fwrapv")
_STAMP = PACKAGE / "native" / ".rebuilt"


class BuildError(Exception):
    """A step of the build failed; the text says which and why. The board works without it."""


def _digest(*parts):
    whole = hashlib.sha256()
    for part in parts:
        whole.update(part if isinstance(part, bytes) else str(part).encode())
    return whole.hexdigest()[:16]


def _sources():
    return sorted((PACKAGE / "native").glob("*.c"))


def _native_key():
    return _digest(SUFFIX, sys.version, _FLAGS, *(file.read_bytes() for file in _sources()))


def _loop_file():
    """Where our compiled loop lies, if it has been built from what is there now."""
    key = _digest(SUFFIX, sys.version, _FLAGS,
                  *(file.read_bytes() for file in (PYX, *sorted(HERE.glob("*.pxi")))),
                  *(file.read_bytes() for file in sorted((PACKAGE / "native").glob("*.pxd"))))
    return CACHE / key / f"{_NAME}{SUFFIX}"


def _compiler():
    """The C compiler's command line; raises BuildError if there is none."""
    command = shlex.split(os.environ.get("CC") or "gcc")
    if shutil.which(command[0]) is None:
        raise BuildError(f"there is no C compiler ({command[0]})")
    return command


def _compile(source, target):
    """One C file to one extension module."""
    command = [*_compiler(), *_FLAGS, f"-I{sysconfig.get_paths()['include']}", str(source), "-o", str(target)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        first = (done.stderr.strip().splitlines() or ["no message"])[0]
        raise BuildError(f"{command[0]} failed on {Path(source).name}: {first}")


def _build_natives():
    """Compile the emulator's own C files, all or none of them; returns what was done."""
    key, folder = _native_key(), PACKAGE / "native"
    if _rebuilt(key):
        return "emulator's C: up to date"
    if not list(folder.glob("*.abi3.so")):
        return "emulator's C: not built for the stable ABI, left as it is"
    start = time.monotonic()
    _STAMP.unlink(missing_ok=True)
    for old in folder.glob("*" + SUFFIX):
        old.unlink()  # of another version: must not win over what is installed now, even if this build fails
    with tempfile.TemporaryDirectory(dir=folder) as fresh:
        for source in _sources():
            _compile(source, Path(fresh) / (source.stem + SUFFIX))
        for made in Path(fresh).iterdir():
            made.replace(folder / made.name)
    _STAMP.write_text(key)
    return f"emulator's C: {len(_sources())} modules rebuilt for this Python in {time.monotonic() - start:.0f} s"


def _rebuilt(key):
    return (_STAMP.exists() and _STAMP.read_text() == key
            and all(source.with_name(source.stem + SUFFIX).exists() for source in _sources()))


def _build_loop():
    """Cython and compile our main loop; returns what was done."""
    target = _loop_file()
    if target.exists():
        return "main loop in C: up to date"
    _compiler()
    from Cython.Compiler.Main import CompilationOptions, compile_single
    start = time.monotonic()
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        c_file = Path(folder) / f"{_NAME}.c"
        options = CompilationOptions(include_path=[str(PACKAGE.parent)], output_file=str(c_file))
        if compile_single(str(PYX), options, f"pit.emu.{_NAME}").num_errors:
            raise BuildError("Cython refused _loop.pyx")
        made = Path(folder) / target.name
        _compile(c_file, made)
        made.replace(target)
    return f"main loop in C: compiled in {time.monotonic() - start:.0f} s"


def build(say=print):
    """Do whatever is not up to date; one line a step through `say`. True if all of it is there."""
    whole = True
    for step in (_build_natives, _build_loop):
        try:
            say(f"setup: {step()}")
        except (BuildError, OSError) as error:
            whole = False
            say(f"setup: the emulated board will be slower: {error}")
    return whole


def _load_loop():
    """The compiled module, or None."""
    if os.environ.get("RP2040PY_SKIP_CYTHON") == "1" or sys.byteorder != "little":  # memory is read as the chip does
        return None
    try:
        file = _loop_file()
        if not file.exists():
            return None
        loader = importlib.machinery.ExtensionFileLoader(f"pit.emu.{_NAME}", str(file))
        module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
        loader.exec_module(module)
    except (ImportError, OSError):
        return None
    return module


_COMPILED = _load_loop()


def loop(mcu):
    """The fastest main loop there is, for the chip `mcu`."""
    return (_COMPILED or python_loop).Loop(mcu)


def sio(mcu):
    """The fastest SIO block there is, for the chip `mcu`."""
    return _COMPILED.Sio(mcu) if _COMPILED else mcu.sio


def describe():
    """One line: which loop and which emulator core are in use."""
    file = getattr(sys.modules.get("rp2040py.native._cortex_m0_core"), "__file__", "")
    core = "rebuilt core" if file.endswith(SUFFIX) else "stock core" if file else "Python core"
    return f"{'compiled' if _COMPILED else 'Python'} loop, {core}"


def take_apart(mcu):
    """Cut the references in a circle inside the chip, so that its memory is freed without a collection."""
    for block in mcu.pio:
        for machine in block.machines:
            machine.rp2040 = machine.pio = None
        block.machines = []
    for channel in mcu.dma.channels:
        channel.rp2040 = channel.dma = None
    if _COMPILED and isinstance(mcu.sio, _COMPILED.Sio):
        mcu.sio.close()
    parts = [*mcu.peripherals.values(), *mcu.gpio, *mcu.qspi, mcu.ppb, mcu.sio, mcu.core]
    for part in parts:
        part.rp2040 = None
    mcu.__dict__.clear()


if __name__ == "__main__":
    build()
