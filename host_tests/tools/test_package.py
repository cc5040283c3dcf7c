"""For other ways onto a board: firmware/package.json by mpremote's own installer, boards/manifest.py as far as can be
looked at without MicroPython's build."""

import json
import runpy

from mpremote import mip

from pit import ROOT, build, package


class Files:
    """What mip asks of a transport."""

    def __init__(self):
        self.files, self.folders = {}, set()

    def fs_exists(self, path):
        return path in self.folders or path in self.files

    def fs_mkdir(self, path):
        self.folders.add(path)

    def fs_writefile(self, path, data, progress_callback=None):
        assert path.rpartition("/")[0] in self.folders | {""}
        self.files[path] = data


def test_the_list_is_that_of_the_tree():
    assert package.PATH.read_text(encoding="utf-8") == package.text(), "run `.venv/bin/python -m pit.package`"
    assert json.loads(package.text()) == package.contents()


def test_mip_installs_every_source_and_main_last(capsys):
    board = Files()
    mip._install_json(board, str(package.PATH), "", "", None, False)
    assert {path.lstrip("/"): data.decode() for path, data in board.files.items()} == build.sources()
    assert list(board.files)[-1] == "/main.py"


def test_the_manifest_freezes_the_whole_firmware():
    named = []
    calls = {name: lambda path, base_path=None, name=name, **_: named.append((name, path, base_path))
             for name in ("include", "package", "module")}
    runpy.run_path(str(build.BOARDS / "manifest.py"), init_globals=calls)
    assert ("include", "$(PORT_DIR)/boards/manifest.py", None) in named, "with it MicroPython's own modules stay"
    frozen = {"board.py"}
    for kind, path, base in named:
        if kind == "package":
            folder = (build.BOARDS / base / path).resolve()
            assert folder == ROOT / "firmware" / path
            frozen |= {file.relative_to(ROOT / "firmware").as_posix() for file in folder.rglob("*.py")}
        elif kind == "module" and path != "board.py":
            assert (build.BOARDS / base / path).exists()
            frozen.add(path)
    readers = {build.DRIVERS.format(name) for names in build.READER_KINDS.values() for name in names.values()}
    others = readers - set(build.sources())
    assert frozen == set(build.sources()) | others, "readers of another kind are frozen too, and never imported"
    assert "manifest" not in build.boards()
