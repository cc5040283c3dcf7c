"""`pit demo` and `pit build` from end to end, here on the host; test_scenarios.py plays the same file on the board."""

import io

from pit import ROOT, build, demo, image, scenario


def test_the_demo_tells_the_round_and_draws_it():
    out = io.StringIO()
    assert demo.show(on="host", out=out, picture_path=ROOT / "build" / "test-first-card.svg") == 0
    text = out.getvalue()
    for words in ("BETS LOCKED by edge", "under-limit", "increase by +$25 on spot 3", "#2 by supervisor",
                  "spot 5 main: blackjack on $50, $50 back, $75 won", "$10 to $200, green", "as expected"):
        assert words in text, words
    svg = (ROOT / "build" / "test-first-card.svg").read_text(encoding="utf-8")
    assert svg.startswith("<svg") and "BETS LOCKED" in svg


def test_the_picture_in_the_readme_is_of_this_round():
    svg = (ROOT / "host_tests" / "scenarios" / "first-card.svg").read_text(encoding="utf-8")
    assert scenario.load(demo.SCENARIO).title in svg


def test_build_writes_one_file_with_everything(tmp_path):
    path, contents = build.build("fc7", {"operator": "00" * 32}, tmp_path / "x.uf2")
    sectors = image.read_uf2(path.read_bytes())
    base = image.FLASH_BASE + image.FS_OFFSET
    empty = bytes(b"\xff" * image.BLOCK)
    fs = b"".join(bytes(sectors.get(base + at * image.BLOCK, empty)) for at in range(image.FS_BLOCKS))
    there = image.read_fs(fs)
    assert {**there, image.MAP: contents[image.MAP]} == contents  # where the journal lies is known last
    assert b'"operator":"0000' in contents["settings.json"]
