"""The site's list of chips: a CSV file that people can read, signed with the site key; from it every table's registry.

    # chips of north
    uid,dollars,kind,house,revoked
    E004010012345678,25,chip,north,
    E004010012345679,10000,plaque,north,2026-05-01
    # hmac 0123...

A chip of another house is worth nothing at a table of this one, and a revoked one is worth nothing anywhere: both stay
in the list, so that a table can name them. A plaque is a chip of high value.
"""

import csv
import datetime
import hmac
import io
from dataclasses import dataclass, field
from pathlib import Path

from firstcard.core import money
from firstcard.core.events import REVOKED, WRONG_HOUSE
from pit import keys, registry
from pit.chips import to_air
from pit.errors import PitError

COLUMNS = ("uid", "dollars", "kind", "house", "revoked")
KINDS = ("chip", "plaque")
_HEAD, _TAG = "# chips of ", "# hmac "


@dataclass
class Chip:
    """`uid`: as printed (hex, E0 first); `revoked`: the day, or empty."""

    uid: str
    cents: int
    kind: str = "chip"
    house: str = ""
    revoked: str = ""


@dataclass
class ChipList:
    """`house`: whose list it is; `chips`: by UID, in the order of the file."""

    house: str
    chips: dict = field(default_factory=dict)

    def add(self, rows, house=""):
        """Take in rows (dicts of uid, dollars and perhaps kind, house); how many. PitError names the first wrong one.
        """
        count = 0
        for number, row in enumerate(rows, 1):
            chip = _chip(row, house or self.house, f"row {number}")
            if chip.uid in self.chips:
                raise PitError(f"row {number}: chip {chip.uid} is in the list already")
            self.chips[chip.uid] = chip
            count += 1
        return count

    def revoke(self, uids, day=None):
        """Chips that are worth nothing from now on; how many were not before. PitError for one that is not there."""
        unknown = [uid for uid in uids if uid.upper() not in self.chips]
        if unknown:
            raise PitError(f"chip {unknown[0]} is not in the list: write the UID as printed, 16 hex digits")
        fresh = [self.chips[uid.upper()] for uid in uids if not self.chips[uid.upper()].revoked]
        for chip in fresh:
            chip.revoked = day or datetime.date.today().isoformat()
        return len(fresh)

    def pairs(self):
        """(UID in the order of the air, cents or what is wrong with it) for tables of this house."""
        return [(bytes.fromhex(to_air(chip.uid)),
                 REVOKED if chip.revoked else WRONG_HOUSE if chip.house != self.house else chip.cents)
                for chip in self.chips.values()]

    def signed(self, key):
        """The registry of a table of this house, signed with its key (hex). PitError."""
        try:
            return registry.pack(self.pairs(), bytes.fromhex(key))
        except ValueError as error:
            raise PitError(str(error))

    def text(self):
        """The file, without its signature."""
        out = io.StringIO()
        out.write(f"{_HEAD}{self.house}\n")
        rows = csv.writer(out, lineterminator="\n")
        rows.writerow(COLUMNS)
        for chip in self.chips.values():
            rows.writerow((chip.uid, money.show(chip.cents), chip.kind, chip.house, chip.revoked))
        return out.getvalue()

    def save(self, path):
        """Write the file, signed; whole or not at all. PitError."""
        text = self.text()
        fresh = path.with_name(path.name + ".new")
        try:
            fresh.write_text(f"{text}{_TAG}{keys.list_tag(text)}\n", encoding="ascii")
            fresh.replace(path)
        except OSError as error:
            raise PitError(f"{path} cannot be written ({error.strerror}): give another name")


def read_rows(path):
    """The rows of a CSV file with a line of names, as dicts. PitError."""
    try:  # with the mark that spreadsheets put at the front
        table = csv.DictReader(io.StringIO(Path(path).read_text(encoding="utf-8-sig")), strict=True)
        rows = list(table)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise PitError(f"{path} cannot be read ({getattr(error, 'strerror', None) or 'it is no CSV text'}): give the "
                       "maker's list of chips")
    if not {"uid", "dollars"} <= set(table.fieldnames or ()):
        raise PitError(f"{path}: the first line has to name the columns uid and dollars, and perhaps kind and house")
    for number, row in enumerate(rows, 1):
        if None in row:  # as in `E004010012345678,2,50`, which is not two dollars
            raise PitError(f"{path}: row {number} has more columns than the first line names: write dollars as 2.50")
    return rows


def load(path):
    """The ChipList in a signed file. PitError if it was changed by other means than `pit chips`."""
    try:
        text, mark, tag = path.read_text(encoding="ascii").rpartition(_TAG)
    except (OSError, UnicodeDecodeError) as error:
        raise PitError(f"{path} cannot be read ({getattr(error, 'strerror', None) or 'it is not plain text'}): make a "
                       "list with `pit chips make`")
    if not mark or not text.startswith(_HEAD):
        raise PitError(f"{path} is no list of chips: make one with `pit chips make`")
    if not hmac.compare_digest(tag.strip(), keys.list_tag(text)):
        raise PitError(f"{path} is not signed with this site's key, or was changed by hand: take the last good one")
    head, _, rest = text.partition("\n")
    found = ChipList(head.removeprefix(_HEAD))
    for row in csv.DictReader(io.StringIO(rest)):
        chip = _chip(row, row["house"], f"chip {row['uid']}")
        chip.revoked = row["revoked"]
        found.chips[chip.uid] = chip
    return found


def _chip(row, house, where):
    uid = (row.get("uid") or "").strip().upper()
    try:
        to_air(uid)
    except ValueError:
        raise PitError(f"{where}: {uid or 'nothing'} is no UID: write 16 hex digits that start with E0")
    try:
        cents = money.parse((row.get("dollars") or "").strip())
    except ValueError as error:
        raise PitError(f"{where}: {row.get('dollars') or 'nothing'} is no value: {error}")
    if not 0 < cents <= registry.MOST_CENTS:
        raise PitError(f"{where}: a chip is worth 1 to {registry.MOST_CENTS} cents")
    kind = (row.get("kind") or KINDS[0]).strip()
    if kind not in KINDS:
        raise PitError(f"{where}: {kind!r} is none of {', '.join(KINDS)}")
    house = (row.get("house") or house).strip()
    if not house.isascii() or not house.isprintable() or '"' in house or "," in house:
        raise PitError(f"{where}: {house!r} is no name of a house: write it in plain letters")
    return Chip(uid, cents, kind, house)
