"""New firmware on a board that keeps its journal, settings and chips: the order that survives an interruption anywhere.

The program of a board lies in one folder: `/` as it comes from a UF2 file, then `/a` and `/b` by turns. main.py names
it, in one line. An upgrade fills the other folder, looks at every file's hash, and then puts the new main.py in place
by a rename, which littlefs does whole or not at all: until then the board starts the old program, from then on the new
one, never a mixture (modules of two versions do not fit each other: their names are shortened together). What is left
of the old one is removed last. Interrupted anywhere, the same command goes on: what already lies there with the right
hash is not sent again.
"""

import hashlib
import re

from pit import image, inplace
from pit.errors import PitError

MAIN = "/main.py"
FRESH = ".new"  # behind the name of a file that takes another's place when it is whole
FOLDERS = ("/a", "/b")
DATA = ("settings.json", "chips.bin")  # what an upgrade keeps
BLOCK = 4096
POINTERS = 8  # bytes of a block, on average, in a file of more than one
FOLDER = 2 * BLOCK
_LINE = re.compile(r'^PROGRAM = "(/\w*)"', re.M)


def digest(data):
    return hashlib.sha256(data).hexdigest()


def folder_of(main):
    """The folder of the program that a main.py (bytes or None) starts; None if it is none of ours."""
    found = _LINE.search((main or b"").decode("utf-8", "replace"))
    return found[1] if found else None


def main_for(main, folder):
    """main.py (bytes) for a program in `folder`."""
    text, count = _LINE.subn(f'PROGRAM = "{folder}"', main.decode("utf-8"))
    if count != 1:
        raise PitError("firmware/main.py has no line PROGRAM = \"/\": it cannot be upgraded")
    return text.encode("utf-8")


def check_mpy(contents, word):
    """PitError if a board whose sys.implementation._mpy is `word` cannot load these modules (I-08)."""
    for path, data in contents.items():
        if path.endswith(".mpy"):
            native = data[2] & 0x3F
            if data[1] != word & 0xFF or native and native != word >> 8 & 0x3F:
                raise PitError(f"the board's MicroPython cannot load {path} (mpy {word & 0xFF}.{word >> 8 & 3} for "
                               f"processor {word >> 10}; the file is {data[1]}.{native & 3} for {native >> 2}): put "
                               "MicroPython 1.27 for RP2040 on it with BOOTSEL")


def verify(board, path, data):
    """PitError unless the file that has been written is what was to be written."""
    if board.hash(path) != digest(data):
        raise PitError(f"{path} did not arrive as it was sent: check the cable and run the same command again")


def replace(board, sizes, path, data):
    """Put a file in place by a rename, once it is whole; False if it is there already."""
    if sizes.get(path) == len(data) and board.hash(path) == digest(data):
        return False
    board.write(path + FRESH, data)
    verify(board, path + FRESH, data)
    board.rename(path + FRESH, path)
    return True


class Upgrade:
    """`board`: a pit.prompt.Prompt or the like; `contents`: pit.build.files(); `tell(text)`: what is done, by lines."""

    def __init__(self, board, contents, tell=print):
        self._board, self._tell = board, tell
        self._main = contents["main.py"]
        self._program = {path: data for path, data in contents.items()
                         if path not in DATA and path != "main.py" and not image.is_journal(path)}
        self._data = {}
        self.sent = self.copied = self.kept = self.removed = 0

    def put(self, path, data):
        """Replace a data file (such as settings.json) as well: whole or not at all, before the program changes."""
        self._data["/" + path] = data

    def missing(self):
        """Files of the program that the board starts which are not there as they should be; None if it has none."""
        sizes = self._board.sizes()
        folder = folder_of(self._board.read(MAIN)) if MAIN in sizes else None
        if folder is None:
            return None
        return [path for path, data in self._program.items() if not self._has(sizes, _join(folder, path), data)]

    def run(self):
        """Do it; returns the folder of the program. Raises PitError, NoTable; may then be run again."""
        sizes = self._board.sizes()
        now = folder_of(self._board.read(MAIN)) if MAIN in sizes else None
        if now is not None and self._is_here(sizes, now):
            self._tell(f"{now} holds this version already")
            target = now
        else:
            target = next(folder for folder in FOLDERS if folder != now)
            self._fill(sizes, target, now)
        for path, data in self._data.items():
            self._replace(sizes, path, data)
        self._replace(sizes, MAIN, main_for(self._main, target))
        self._clean(target)
        if self.sent or self.copied or self.removed:
            for folder in sorted({"/", *(path.rpartition("/")[0] for path in self._paths(target))} - {""}):
                self._board.tidy(folder)
        self._tell(f"{self.sent} files sent, {self.copied} copied on the board, {self.kept} already there, "
                   f"{self.removed} removed; the program is in {target}")
        return target

    def _paths(self, folder):
        """Every file of the program in `folder`, and every folder above one."""
        for path in self._program:
            parts = _join(folder, path).split("/")
            yield from ("/".join(parts[:depth]) for depth in range(2, len(parts) + 1))

    def _is_here(self, sizes, folder):
        """Is every file of the program in `folder`, as it should be?"""
        return all(self._has(sizes, _join(folder, path), data) for path, data in self._program.items())

    def _has(self, sizes, path, data):
        """Does the board hold this file? Of code.xip whatever nonce it has, for each installation has its own."""
        if sizes.get(path) != len(data):
            return False
        if path.endswith(inplace.PATH):
            data = self._with_nonce_of(path)
        return self._board.hash(path) == digest(data)

    def _with_nonce_of(self, path):
        nonce = self._board.head(path, inplace.NONCE_AT + len(inplace.NONCE))[inplace.NONCE_AT:]
        return inplace.pack(self._program, nonce)

    def _fill(self, sizes, target, now):
        self._clean_folder(sizes, target)
        missing = {path: data for path, data in self._program.items()
                   if not self._has(sizes, _join(target, path), data)}
        self.kept = len(self._program) - len(missing)
        folders = {path for path, size in sizes.items() if size < 0}
        made = {folder for path in missing for folder in _above(_join(target, path))} - folders
        need = sum(_blocks(len(data)) for data in missing.values()) + FOLDER * len(made)
        gone = sum(_blocks(sizes.get(_join(target, path), 0)) for path in missing)  # what they take the place of
        free = self._board.room() - sum(_blocks(size) for size in sizes.values()) - FOLDER + gone
        old = None if now is None else _join(now, inplace.PATH)
        spare = _blocks(sizes.get(old, 0))
        if free < need <= free + spare:
            self._tell(f"{old} makes room: the old program runs without it, with less heap")
            self._board.remove(old)
            del sizes[old]
        elif need > free:
            raise PitError(f"the board has {free // 1024} KiB free and {need // 1024} are needed: read the journal out "
                           "and clear it, or put the UF2 file on the board, which replaces everything")
        for path, data in missing.items():
            self._make_folders(folders, _join(target, path))
            self._bring(sizes, path, data, target, now)
        for path, data in missing.items():
            self._verify(_join(target, path), data)

    def _bring(self, sizes, path, data, target, now):
        """One file, copied on the board if the old program has it too."""
        old = None if now is None else _join(now, path)
        if sizes.get(old) == len(data) and self._board.hash(old) == digest(data):
            self._board.copy(old, _join(target, path))
            self.copied += 1
        else:
            self._tell(f"{_join(target, path)} {len(data):,} bytes")
            self._board.write(_join(target, path), data)
            self.sent += 1

    def _make_folders(self, folders, path):
        for folder in _above(path):
            if folder not in folders:
                self._board.make_folder(folder)
                folders.add(folder)

    def _verify(self, path, data):
        verify(self._board, path, data)

    def _replace(self, sizes, path, data):
        if replace(self._board, sizes, path, data):
            self.sent += 1
            self._tell(f"{path} replaced")

    def _clean(self, target):
        """Remove every program but the one in `target`, and what an interruption has left."""
        sizes = self._board.sizes()
        for folder in ("/", *FOLDERS):
            self._clean_folder(sizes, folder, keep=folder == target)

    def _clean_folder(self, sizes, folder, keep=True):
        """Remove what does not belong into a program folder (I-07); with `keep` False, all of the program."""
        wanted = {_join(folder, path) for path in self._program} if keep else set()
        for path in sorted((path for path in sizes if self._ours(path, folder)), reverse=True):  # files before folders
            used = any(other == path or other.startswith(path + "/") for other in wanted)
            if not used:
                self._board.remove(path)
                del sizes[path]
                self.removed += 1

    def _ours(self, path, folder):
        """Is it part of a program in `folder`? In `/` only what a program has there: the rest is data of the table."""
        if folder != "/":
            return path == folder or path.startswith(folder + "/")
        top = path.split("/")[1]
        return (top in {own.split("/")[0] for own in self._program} or top.endswith(".mpy")
                or path in {MAIN + FRESH, *("/" + name + FRESH for name in DATA)})


def _blocks(size):
    """Bytes that a file of `size` takes on flash; -1 is a folder. A block of a file holds some pointers as well, but
    for a file of one block, as the journal has them."""
    if size < 0:
        return FOLDER
    return BLOCK if size <= BLOCK else -(-size // (BLOCK - POINTERS)) * BLOCK


def _above(path):
    """The folders above a file, outermost first, without `/`."""
    parts = path.split("/")[1:-1]
    return ["/" + "/".join(parts[:depth]) for depth in range(1, len(parts) + 1)]


def _join(folder, path):
    return f"{folder.rstrip('/')}/{path}"
