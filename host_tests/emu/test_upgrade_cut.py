"""An upgrade on the emulated board, its power cut at each flash operation of two of its files: one of the new program,
and main.py. What is left mounts, names a program that is whole, starts it, and has the journal as it was."""

import pytest

from pit import firmware, image, upgrade
from pit.emu import snapshot
from pit.emu.board import Board
from pit.emu.flash import PowerCut
from pit.prompt import TOOLS, Files

JOURNAL = bytes(range(256)) * 16
MAIN = b'PROGRAM = "/"\nimport os\nos.chdir(PROGRAM)\nimport app\n'
MOST_OPS = 60


def program(name):
    """Sources in place of compiled modules: they are the same to an upgrade, and start as well."""
    return {"app.py": b"NAME = '%s'\n" % name.encode(), "texts.bin": name.encode() * 300, "main.py": MAIN}


OLD, NEW = program("old"), program("new")


class OnBoard(Files):
    """The files of an emulated board at its prompt."""

    def __init__(self, board):
        self.board = board
        self.run(TOOLS)

    def run(self, code):
        out, errors = self.board.exec(code)
        assert not errors, errors
        return out


class Watched(upgrade.Upgrade):
    """At two of its files, forks of the board in which the power fails at the first, second, ... flash operation."""

    def __init__(self, board, contents, tears):
        super().__init__(board, contents, lambda text: None)
        self._chip, self._tears = board.board, tears
        self.left = []  # (file, tear, at which operation, flash or None if the file was through before)

    def _bring(self, sizes, path, *rest):
        if path == "app.py":
            self._cut_everywhere(path, lambda: super(Watched, self)._bring(sizes, path, *rest))
        super()._bring(sizes, path, *rest)

    def _replace(self, sizes, path, data):
        self._cut_everywhere(path, lambda: super(Watched, self)._replace(sizes, path, data))
        super()._replace(sizes, path, data)

    def _cut_everywhere(self, path, work):
        for tear in self._tears:
            for at_op in range(1, MOST_OPS):
                flash = snapshot.in_fork(self._cut, work, at_op, tear)
                self.left.append((path, tear, at_op, flash))
                if flash is None:
                    break
            assert flash is None, "the file was never through"

    def _cut(self, work, at_op, tear):
        self._chip.flash.cut(at_op, tear, seed=at_op)
        try:
            work()
        except PowerCut:
            return self._chip.flash_bytes()
        return None


@pytest.fixture(scope="module")
def cut():
    files = {**OLD, "journal": JOURNAL, "settings.json": b"{}"}
    with Board(firmware.image_path(), image.make_fs({"main.py": files.pop("main.py"), **files})) as board:
        board.run_ms(300)
        work = Watched(OnBoard(board), NEW, ("before", "torn", "after"))
        work.run()
        yield work.left, board.flash_bytes()


def files_of(flash):
    return image.read_fs(flash[image.FS_OFFSET:image.FS_OFFSET + image.FS_BLOCKS * image.BLOCK])


def test_one_program_is_whole_whatever_is_left(cut):
    left, _ = cut
    seen = {}
    for path, tear, at_op, flash in left:
        if flash is None:
            continue
        files = files_of(flash)
        assert files["journal"] == JOURNAL and files["settings.json"] == b"{}", (path, tear, at_op)
        folder = upgrade.folder_of(files["main.py"])
        due = {"/": OLD, "/a": NEW}[folder]
        for name in ("app.py", "texts.bin"):
            assert files[f"{folder}/{name}".lstrip("/")] == due[name], (path, tear, at_op)
        seen.setdefault(path, set()).add(folder)
    assert seen == {"app.py": {"/"}, "/main.py": {"/", "/a"}}
    assert sum(flash is not None for *_, flash in left) > 12, "so many operations at least"


def starts(flash):
    """The name of the program that the board has loaded when it has started from this flash."""
    with Board(None, flash=flash) as board:
        board.run_ms(300)
        return board.exec("import sys; print(sys.modules['app'].NAME)")[0].strip()


def test_it_starts(cut):
    left, end = cut
    torn = [flash for path, tear, _, flash in left if path == "/main.py" and tear == "torn" and flash]
    assert {starts(flash) for flash in torn} == {"old", "new"}
    assert starts(end) == "new"
