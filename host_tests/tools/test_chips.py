"""pit chips: the site's list, and a table's registry made of it, brought onto the emulated board."""

import pytest

from pit import build, chiplist, firmware, flash, image, keys, registry
from pit.emu.board import Board
from pit.emu.table import Table
from pit.errors import PitError
from pit.serve import Emulated

ROWS = """uid,dollars,kind,house
E004010000000001,25,chip,
E004010000000002,0.50,,
e004010000000003,10000,plaque,
E004010000000004,5,chip,south
"""


@pytest.fixture
def site(tmp_path, pit):
    """Folder with a list of four chips of house north, one of them of another."""
    (tmp_path / "maker.csv").write_text(ROWS)
    said = pit("chips", "make", str(tmp_path / "site.csv"), str(tmp_path / "maker.csv"), "--house", "north")
    assert (said.status, said.err) == (0, "") and "4 chips added, 4 in all" in said.out
    return tmp_path


def test_a_list_is_made_signed_and_checked(site, pit):
    chips = str(site / "site.csv")
    out = str(site / "chips.bin")
    assert pit("chips", "revoke", chips, "e004010000000001").out.endswith("1 more revoked\n")
    assert pit("chips", "revoke", chips, "E004010000000001").out.endswith("0 more revoked\n")
    said = pit("chips", "check", chips).out
    assert [line.split() for line in said.splitlines()[:4]] == [
        ["1", "of", "0.50"], ["1", "of", "10000"], ["1", "revoked"], ["1", "wrong-house"]]
    assert pit("chips", "sign", chips, out, "--table", "7").status == 0
    data = (site / "chips.bin").read_bytes()
    assert dict(registry.unpack(data)) == {
        bytes.fromhex("01000000000104e0"): -3, bytes.fromhex("02000000000104e0"): 50,
        bytes.fromhex("03000000000104e0"): 1_000_000, bytes.fromhex("04000000000104e0"): -2}
    assert pit("chips", "check", out, "--table", "7").status == 0
    said = pit("chips", "check", out, "--table", "8")
    assert (said.status, said.out) == (1, f"{out}: NOT signed for table 8\n")


def test_a_list_that_was_edited_is_refused(site, pit):
    path = site / "site.csv"
    path.write_text(path.read_text().replace("E004010000000001,25", "E004010000000001,2500"))
    for words in (("check",), ("sign", str(site / "x")), ("revoke", "E004010000000001")):
        said = pit("chips", words[0], str(path), *words[1:])
        assert said.status == 2 and "changed by hand" in said.err
    assert not (site / "x").exists()


@pytest.mark.parametrize(("row", "why"), [
    ("E004010000000001,25", "in the list already"),
    ("E00401000000000,25", "no UID"),
    ("E004010000000009,25.5", "no value"),
    ("E004010000000009,0", "is worth 1 to"),
    ("E004010000000009,3000000", "is worth 1 to"),
])
def test_a_wrong_row_is_named(site, pit, row, why):
    (site / "more.csv").write_text(f"uid,dollars\nE004010000000008,5\n{row}\n")
    before = (site / "site.csv").read_text()
    said = pit("chips", "make", str(site / "site.csv"), str(site / "more.csv"))
    assert said.status == 2 and "row 2" in said.err and why in said.err
    assert (site / "site.csv").read_text() == before


def test_what_is_missing_is_said(site, pit):
    assert "--house" in pit("chips", "make", str(site / "new.csv"), str(site / "maker.csv")).err
    assert "cannot be read" in pit("chips", "check", str(site / "none")).err
    (site / "x.csv").write_text("a,b\n1,2\n")
    assert "columns uid and dollars" in pit("chips", "make", str(site / "site.csv"), str(site / "x.csv")).err
    assert "no list of chips" in pit("chips", "revoke", str(site / "x.csv"), "E004010000000001").err
    assert "no chip registry" in pit("chips", "check", str(site / "x.csv")).err
    assert "not in the list" in pit("chips", "revoke", str(site / "site.csv"), "E0040100000000FF").err


def said_by(flash_bytes, until=rb'"state":"CLOSED"', ms=4000):
    """What a table with this flash says until then."""
    with Board(None, flash=flash_bytes) as board:
        for pull_up in (7, 9):
            board.drive(pull_up, True)
        board.send(b"\r\n")
        board.expect(until, ms)
        return board.out.decode()


def test_a_registry_is_loaded_onto_a_board(site, at_pty):
    """A board whose settings know no key for it yet."""
    own = keys.login_keys("1", create=True)
    settings = {"keys": {role: own[role] for role in keys.ROLES}, "table": "1"}
    table = Emulated(firmware.image_path(), image.make_fs(build.files("fc7", settings)), service=True)
    told = []
    flash.load_chips(at_pty(table).device, chiplist.load(site / "site.csv"), tell=told.append)
    assert told[-1] == "4 chips; the board restarts"
    with Board(None, flash=table.table.board.flash_bytes()) as board:
        files = image.read_fs(board.fs_bytes())
    assert registry.is_signed(files["chips.bin"], bytes.fromhex(own["registry"]))
    assert len(registry.unpack(files["chips.bin"])) == 4
    assert own["registry"].encode() in files["settings.json"]


CHIP = bytes.fromhex("01000000000104e0")


def booted(data):
    """A table with `data` as its registry, as far as CLOSED or a fault."""
    files = build.files("fc7", {"keys": {}}, [(CHIP, 2500)])
    files["chips.bin"] = data
    table = Table(image.make_fs({"main.py": files.pop("main.py"), **files}), firmware.image_path())
    table.board.send(b"\r\n")
    table.board.expect(rb'"event":"fault"|"state":"CLOSED"', 4000)
    table.board.run_ms(600)
    out = table.board.out.decode()
    table.close()
    return out


def signed(pairs=((CHIP, 2500),), key=build.NO_KEY):
    return registry.pack(pairs, bytes.fromhex(key))


@pytest.mark.parametrize("wrong", ["a value", "another table's key", "cut short"])
def test_a_table_with_a_false_registry_does_not_open(wrong):
    data = signed()
    if wrong == "a value":
        data = data.replace(CHIP + (2500).to_bytes(4, "little"), CHIP + (250_000).to_bytes(4, "little"))
        assert data != signed()
    elif wrong == "cut short":
        data = data[:-1]
    else:
        data = signed(key="11" * 32)
    out = booted(data)
    assert '"code":"registry"' in out and "CLOSED" not in out


def test_twenty_thousand_chips_are_checked_before_the_table_leaves_safe(capsys):
    chips = [((0xE0040100 << 32 | 7919 * n).to_bytes(8, "little"), 500) for n in range(20_000)]
    data = signed([*chips, (CHIP, 2500)])
    assert '"state":"CLOSED"' in booted(data)
    assert '"code":"registry"' in booted(data[:150_000] + bytes((data[150_000] ^ 1,)) + data[150_001:])


def test_no_value_reaches_beyond_what_a_record_holds():
    with pytest.raises(PitError, match="is worth"):
        chiplist.ChipList("x").add([{"uid": "E004010000000001", "dollars": "2684354.56"}])
