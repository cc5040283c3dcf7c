"""Nap's look at the compiler: drivers that MicroPython 1.26 to 1.28 compiled are refused, on the real image of 1.27."""

from pit import build, firmware, image
from pit.emu.table import Table

NAME = "firstcard/drivers/nap"


def test_the_images_own_compiler_is_refused_and_ours_is_not():
    files = {"source/nap.py": build.sources()[f"{NAME}.py"].encode(), "nap.mpy": build.plain_modules()[f"{NAME}.mpy"]}
    with Table(image.make_fs(files), firmware.image_path(), heartbeat=False) as table:
        table.board.run_ms(300)
        assert table.board.exec("import nap; nap.nap(100)") == ("", "")
        out, error = table.board.exec("import sys; del sys.modules['nap']; sys.path.insert(0, 'source'); import nap")
    assert out == ""
    assert "RuntimeError: drivers need files compiled by mpy-cross 1.29" in error
