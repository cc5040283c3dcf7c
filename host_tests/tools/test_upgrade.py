"""Upgrades over serial: interrupted anywhere the board starts the old program or the new one, whole, and its data are
untouched; the same command then goes on (I-07 to I-12)."""

import functools
import hashlib

import pytest

from pit import build, inplace, upgrade
from pit.errors import PitError

JOURNAL = {"settings.json": b'{"keys":1}', "chips.bin": b"c" * 24, "journal/0": bytes(4096), "events.log": b"old"}


@functools.cache
def program(version, nonce=b"emulated"):
    """A small program: modules that differ, one that does not, one that only one version has."""
    sources = {"board.py": "NAME = 'same'", "firstcard/core/round.py": f"def turn():\n    return {version * 900!r}",
               f"firstcard/only_{version}.py": "def own():\n    return [1, 2, 3, 4]"}
    files = {path[:-3] + ".mpy": build.compile_module(text.encode(), path) for path, text in sources.items()}
    files["texts.bin"] = version.encode() * 50
    files["code.xip"] = inplace.pack(files, nonce)
    files.update({"settings.json": b"factory", "chips.bin": b""})
    files["main.py"] = (build.FIRMWARE / "main.py").read_bytes()
    return files


class Gone(Exception):
    """The power has failed, or the cable is out."""


class Board:
    """Files as littlefs keeps them; fails at the mutation `dies_at`, in the middle of it where it is a write."""

    def __init__(self, files, size=400_000):
        self.files = {"/" + path: data for path, data in files.items()}
        self.folders = {"/" + "/".join(path.split("/")[:n]) for path in files for n in range(1, path.count("/") + 1)}
        self.size = size
        self.dies_at = None
        self.done = 0
        self.sent = []

    def _step(self, torn=None):
        self.done += 1
        if self.done == self.dies_at:
            if torn:
                torn()
            raise Gone

    def sizes(self):
        return {**{path: -1 for path in self.folders}, **{path: len(data) for path, data in self.files.items()}}

    def room(self):
        return self.size

    def hash(self, path):
        return hashlib.sha256(self.files[path]).hexdigest()

    def read(self, path):
        return self.files[path]

    def head(self, path, size):
        return self.files[path][:size]

    def write(self, path, data):
        assert path.rpartition("/")[0] in self.folders | {""}
        self._step(lambda: self.files.update({path: data[: len(data) // 2]}))
        self.files[path] = data
        self.sent.append(path)

    def copy(self, path, new):
        self._step(lambda: self.files.update({new: b""}))
        self.files[new] = self.files[path]

    def rename(self, path, new):
        self._step()
        self.files[new] = self.files.pop(path)

    def remove(self, path):
        self._step()
        if path in self.folders:
            assert not any(other.startswith(path + "/") for other in [*self.files, *self.folders]), "not empty"
            self.folders.remove(path)
        else:
            del self.files[path]

    def make_folder(self, path):
        self._step()
        assert path not in self.folders
        self.folders.add(path)

    def tidy(self, folder):
        self._step(lambda: self.files.update({folder.rstrip("/") + "/main.py.new": b""}))

    def starts(self):
        """What the board would start: dict of path -> bytes of the program that main.py names, without nonce."""
        folder = upgrade.folder_of(self.files["/main.py"]).rstrip("/") + "/"
        return {path[len(folder):]: data for path, data in self.files.items() if path.startswith(folder)}


def same(board, files):
    """Does the board start exactly this program? Files that are data are looked at elsewhere."""
    here = board.starts()
    for path, data in files.items():
        if path in upgrade.DATA or path == "main.py":
            continue
        mine = here.get(path)
        if path == "code.xip" and mine:
            data = inplace.pack(files, mine[4:12])
        if mine != data:
            return False
    return True


def old_board():
    return Board({**program("A"), **JOURNAL})


def quiet(text):
    pass


def test_an_upgrade_and_the_next_one():
    board = old_board()
    new = program("B", b"nonce..1")
    assert upgrade.Upgrade(board, new, quiet).run() == "/a"
    assert same(board, new)
    assert "/board.mpy" not in board.files and "/firstcard" not in board.folders, "the old one is gone (I-07)"
    assert all(board.files["/" + path] == data for path, data in JOURNAL.items())
    assert board.sent[-1] == "/main.py.new", "main.py is last"
    assert "/a/board.mpy" not in board.sent, "what the board has is not sent"
    back = program("A", b"nonce..2")
    assert upgrade.Upgrade(board, back, quiet).run() == "/b"
    assert same(board, back) and "/a" not in board.folders


def test_the_same_version_again_sends_nothing():
    board = old_board()
    work = upgrade.Upgrade(board, program("A", b"another!"), quiet)
    assert work.run() == "/"
    assert work.sent == 0 and work.removed == 0 and board.done == 0


def test_what_is_missing():
    assert upgrade.Upgrade(Board({}), program("A"), quiet).missing() is None
    assert upgrade.Upgrade(old_board(), program("A", b"another!"), quiet).missing() == []
    assert "texts.bin" in upgrade.Upgrade(old_board(), program("B"), quiet).missing()


def steps_of_an_upgrade():
    board = old_board()
    upgrade.Upgrade(board, program("B"), quiet).run()
    return board.done


def test_interrupted_at_every_step():
    """Old or new, never a mixture; the data as they were; and the same command finishes the work."""
    old, new = program("A"), program("B", b"nonce..1")
    seen = set()
    for dies_at in range(1, steps_of_an_upgrade() + 1):
        board = old_board()
        board.dies_at = dies_at
        with pytest.raises(Gone):
            upgrade.Upgrade(board, new, quiet).run()
        starts = "old" if same(board, old) else "new" if same(board, new) else "neither"
        assert starts != "neither", dies_at
        seen.add(starts)
        assert all(board.files["/" + path] == data for path, data in JOURNAL.items()), dies_at
        board.dies_at = None
        upgrade.Upgrade(board, program("B", b"nonce..2"), quiet).run()
        assert same(board, new)
        left = {path for path in board.files if not path.startswith("/a/")}
        assert left == {"/main.py", *("/" + path for path in JOURNAL)}, dies_at
    assert seen == {"old", "new"}


def test_interrupted_twice():
    new = program("B", b"nonce..1")
    total = steps_of_an_upgrade()
    for first in range(1, total, 3):
        for second in range(1, total, 4):
            board = old_board()
            board.dies_at = first
            with pytest.raises(Gone):
                upgrade.Upgrade(board, new, quiet).run()
            board.dies_at = board.done + second
            try:
                upgrade.Upgrade(board, program("B", b"nonce..2"), quiet).run()
            except Gone:
                assert same(board, program("A")) or same(board, new)
            board.dies_at = None
            upgrade.Upgrade(board, program("B", b"nonce..3"), quiet).run()
            assert same(board, new)


def test_work_goes_on_where_it_was():
    board = old_board()
    board.dies_at = steps_of_an_upgrade() - 6
    with pytest.raises(Gone):
        upgrade.Upgrade(board, program("B"), quiet).run()
    board.sent.clear()
    board.dies_at = None
    again = upgrade.Upgrade(board, program("B", b"nonce..2"), quiet)
    again.run()
    assert again.sent <= 1 and "/a/firstcard/core/round.mpy" not in board.sent


def test_an_empty_board_gets_everything():
    board = Board({})
    work = upgrade.Upgrade(board, program("A"), quiet)
    work.put("settings.json", b"{}")
    work.run()
    assert same(board, program("A")) and board.files["/settings.json"] == b"{}"


def test_settings_are_replaced_whole_or_not_at_all():
    for dies_at in range(1, 60):
        board = old_board()
        board.dies_at = dies_at
        work = upgrade.Upgrade(board, program("B"), quiet)
        work.put("settings.json", b'{"keys":2}')
        try:
            work.run()
        except Gone:
            assert board.files["/settings.json"] in (JOURNAL["settings.json"], b'{"keys":2}')
        else:
            assert board.files["/settings.json"] == b'{"keys":2}'
            break
    else:
        raise AssertionError("never done")


def test_a_full_board_is_left_as_it_is():
    board = old_board()
    board.size = 60_000
    with pytest.raises(PitError, match="KiB free.*journal"):
        upgrade.Upgrade(board, program("B"), quiet).run()
    assert board.done == 0


def test_what_a_third_version_has_left_makes_room_first():
    board = old_board()
    board.folders |= {"/a", "/a/firstcard"}
    board.files["/a/firstcard/left.mpy"] = bytes(200_000)
    board.size = 300_000
    upgrade.Upgrade(board, program("B"), quiet).run()
    assert same(board, program("B")) and "/a/firstcard/left.mpy" not in board.files


def test_a_line_that_garbles_is_found():
    board = old_board()
    honest = board.write
    board.write = lambda path, data: honest(path, data[:-1] + b"?" if path.endswith("round.mpy") else data)
    with pytest.raises(PitError, match="did not arrive"):
        upgrade.Upgrade(board, program("B"), quiet).run()
    assert same(board, program("A"))


def test_another_mpy_version_is_refused():
    upgrade.check_mpy(build.modules(), 4870)  # MicroPython 1.27 on RP2040
    for word in (4870 + 1, 4870 ^ 0x100, 4870 ^ 0x400):
        with pytest.raises(PitError, match="cannot load"):
            upgrade.check_mpy(build.modules(), word)


def test_main_names_the_folder():
    main = (build.FIRMWARE / "main.py").read_bytes()
    assert upgrade.folder_of(main) == "/"
    assert upgrade.folder_of(upgrade.main_for(main, "/b")) == "/b"
    assert upgrade.folder_of(b"print(1)") is None and upgrade.folder_of(None) is None
    with pytest.raises(PitError):
        upgrade.main_for(b"print(1)", "/a")


def test_nothing_but_the_program_is_opened_relative_to_it():
    """Data of the table have absolute paths: in another folder they would be lost with the next upgrade."""
    import ast

    relative = set()
    for path in build.FIRMWARE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "open" and node.args:
                name = node.args[0]
                if isinstance(name, ast.Constant) and not name.value.startswith("/"):
                    relative.add(name.value)
    assert relative <= {"texts.bin"}
