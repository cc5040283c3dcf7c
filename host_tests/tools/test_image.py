"""The file system image and the drag-and-drop UF2, down to the emulated board that boots it."""

import struct

import pytest

from pit import firmware, image
from pit.emu.board import Board
from pit.errors import PitError

# The console is not there yet when main.py begins, and what is printed before is lost.
MAIN = b"import time, deep.inside\ntime.sleep_ms(200)\nprint('MAIN-RUNS', deep.inside.VALUE)\n"
FILES = {"main.py": MAIN, "deep/inside.py": b"VALUE = 42\n", "big.bin": bytes(range(256)) * 300, "empty": b""}


@pytest.fixture(scope="module")
def combined():
    return image.combine(firmware.image_path().read_bytes(), image.make_fs(FILES))


def blocks(data):
    return [struct.unpack_from("<8I", data, at) for at in range(0, len(data), 512)]


def test_files_come_back_as_they_went_in():
    made = image.make_fs(FILES)
    assert len(made) == image.FS_BLOCKS * image.BLOCK, "a smaller one is reformatted at boot"
    assert image.read_fs(made) == FILES
    assert image.make_fs(FILES) == made, "the same files give the same image"


def test_a_folder_is_found_by_reading_little(monkeypatch):
    """The board sums up a folder's log at every look into it: it holds what is there, once, and no history."""

    def root_log():
        made = image.make_fs({f"module_{n}.mpy": bytes(100) for n in range(25)})
        newer = max(made[:4096], made[4096:8192], key=lambda block: struct.unpack_from("<I", block))
        return len(newer.rstrip(b"\xff"))

    short = root_log()
    monkeypatch.setattr(image, "_shorten_logs", lambda *_: None)
    assert short <= 1024 < root_log()


def test_too_many_files_are_refused_in_one_sentence():
    with pytest.raises(PitError, match="do not fit"):
        image.make_fs({"big": bytes(900 * 1024)})


def test_the_format_is_the_one_that_the_board_makes():
    def superblock(made):
        return made[made.index(b"littlefs") + 8:][:16]  # tag, version, block size, number of blocks

    board = Board(firmware.image_path())
    try:
        board.run_ms(600)  # no file system: _boot.py makes one
        assert superblock(board.fs_bytes()) == superblock(image.make_fs({}))
    finally:
        board.close()


def test_what_is_no_image_is_refused():
    with pytest.raises(PitError, match="no littlefs image"):
        image.read_fs(bytes(image.FS_BLOCKS * image.BLOCK))
    with pytest.raises(PitError, match="multiple of 512"):
        image.read_uf2(b"short")
    with pytest.raises(PitError, match="no UF2 magic"):
        image.read_uf2(bytes(512))


def test_the_uf2_keeps_the_bootrom_rules(combined):
    heads = blocks(combined)
    assert [head[5] for head in heads] == list(range(len(heads))), "blocks are numbered anew from 0"
    assert {head[6] for head in heads} == {len(heads)}
    assert {head[7] for head in heads} == {0xE48BFF56}
    pages = {}
    for head in heads:
        pages.setdefault(head[3] & -4096, []).append(head[3])
    assert all(len(inside) == 16 for inside in pages.values()), "whole 4 KiB sectors only"
    sectors = image.read_uf2(combined)
    assert all(sector.count(0xFF) < 4096 for sector in sectors.values()), "empty sectors are left out"
    assert 0x1012C000 in sectors


def test_another_partition_is_not_overwritten():
    reaching = image.write_uf2({0x1012C000: b"\0" * 4096})
    with pytest.raises(PitError, match="RPI_PICO_W"):
        image.combine(reaching, image.make_fs({}))


def test_the_combined_file_boots_and_runs_main(combined):
    board = Board(combined)
    try:
        board.expect(rb"MAIN-RUNS 42", 3000)
        assert image.read_fs(board.fs_bytes()) == FILES, "nothing was reformatted"
    finally:
        board.close()
