"""Puts a UF2 file on a board that waits in BOOTSEL mode, where it shows up as a drive."""

import shutil
from pathlib import Path

from pit.errors import PitError

MARK = "INFO_UF2.TXT"  # on the drive of every UF2 bootloader; the RP2040's says RPI-RP2
PLACES = ("/media/*/*", "/run/media/*/*", "/Volumes/*", "/mnt/*")


def find_drives(places=PLACES):
    """Mount points of boards in BOOTSEL mode."""
    found = []
    for place in places:
        for path in Path("/").glob(place.lstrip("/")):
            try:
                if "RPI-RP2" in (path / MARK).read_text(encoding="ascii", errors="replace"):
                    found.append(path)
            except OSError:
                continue  # not that kind of drive, or not ours to read
    return found


def flash(image, places=PLACES):
    """Copy `image` to the one board that waits; returns what to tell the user. Raises PitError."""
    if not Path(image).exists():
        raise PitError(f"{image} is not built yet: run `make build`")
    drives = find_drives(places)
    if len(drives) != 1:
        state = f"{len(drives)} boards wait" if drives else "no board waits"
        raise PitError(f"{state} in BOOTSEL mode: hold BOOTSEL while you plug in one board, wait for the drive "
                       f"RPI-RP2, and try again (or copy {image} there yourself)")
    shutil.copyfile(image, drives[0] / Path(image).name)
    return (f"{Path(image).name} copied to {drives[0]}: the board restarts by itself. "
            "This replaced all files on it: settings, chips and journal are those of the image.")
