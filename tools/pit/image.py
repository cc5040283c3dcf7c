"""Flash images: the littlefs partition as MicroPython mounts it, and UF2 files that the RP2040's bootrom accepts."""

import hashlib
import struct

from littlefs import LittleFS, LittleFSError, UserContext

from pit.errors import PitError

FLASH_BASE = 0x10000000
FS_OFFSET = 0x12C000  # RPI_PICO_W: the last 848 KiB of 2 MiB
FS_BLOCKS = 212  # the whole partition: MicroPython reformats a smaller file system at boot, without a word
BLOCK = 4096  # flash sector
PROG = 256  # flash page; an image made with less makes the board erase at every append
JOURNAL, MAP = "journal/", "journal.map"  # files of one erased block each, and where they lie
NOTHING_INLINE = 0xFFFFFFFF
DISK_VERSION = 0x00020001  # littlefs 2.1, what MicroPython 1.27 formats; it upgrades an older one when it first writes

UF2_START, UF2_MARK, UF2_END = 0x0A324655, 0x9E5D5157, 0x0AB16F30
UF2_FAMILY_PRESENT = 0x2000
UF2_RP2040 = 0xE48BFF56
UF2_BLOCK, UF2_PAYLOAD = 512, 256


class _Flash(UserContext):
    """The partition in memory; counts its erases."""

    erases = 0

    def read(self, cfg, block, off, size):  # 100,000 times for an image: as the original, without its log
        start = block * BLOCK + off
        return self.buffer[start:start + size]

    def erase(self, cfg, block):
        self.erases += 1
        return super().erase(cfg, block)


def _file_system(buffer):
    """`inline_max`: no file lies in its folder's metadata, where the board would read past it to find the others."""
    return LittleFS(block_size=BLOCK, block_count=FS_BLOCKS, read_size=32, prog_size=PROG, cache_size=1024,
                    lookahead_size=32, block_cycles=100, inline_max=NOTHING_INLINE, disk_version=DISK_VERSION,
                    mount=False, context=buffer)


def journal(blocks):
    """The journal's files for make_fs: each one erased block, and the map of where they lie, which make_fs fills in."""
    names = {f"{JOURNAL}{n:02d}": b"\xff" * BLOCK for n in range(blocks)}
    return {**names, MAP: bytes(2 * blocks)} if blocks else {}


def is_journal(path):
    """Does this file of build.files() belong to the journal's layout? It is made once, with the file system."""
    return path.startswith(JOURNAL) or path == MAP


def _mark(path, size):
    """Content to find a file by."""
    return (hashlib.sha256(path.encode()).digest() * (size // 32 + 1))[:size]


def _lay_out_journal(image, paths):
    """Erase the journal's blocks where they lie, and write down their numbers."""
    numbers = []
    for path in sorted(path for path in paths if path.startswith(JOURNAL)):
        at = image.find(_mark(path, BLOCK))
        if at < 0 or at % BLOCK:
            raise PitError(f"{path} does not fill a block of its own")
        image[at:at + BLOCK] = b"\xff" * BLOCK
        numbers.append(at // BLOCK)
    if numbers:
        at = image.find(_mark(MAP, 2 * len(numbers)))
        image[at:at + 2 * len(numbers)] = struct.pack(f"<{len(numbers)}H", *numbers)


def make_fs(files):
    """Image (bytes, 848 KiB) of a file system with `files`: dict of path ("firstcard/x.mpy") -> bytes.

    Its metadata is short: for every name on the way to a file the board reads a folder's whole log and sums it up. With
    the logs as littlefs leaves them, 50 modules are found 200 ms later.
    """
    buffer = _Flash(BLOCK * FS_BLOCKS)
    fs = _file_system(buffer)
    fs.format()
    fs.mount()
    try:
        for path, data in files.items():
            path = path.lstrip("/")
            folder = path.rpartition("/")[0]
            if folder:
                fs.makedirs(folder, exist_ok=True)
            with fs.open(path, "wb") as file:
                file.write(_mark(path, len(data)) if is_journal(path) else data)
        _shorten_logs(fs, buffer, files)
    except LittleFSError as error:
        raise PitError(f"the files do not fit the board's file system of {BLOCK * FS_BLOCKS // 1024} KiB ({error})")
    fs.unmount()
    out = bytearray(buffer.buffer)
    _lay_out_journal(out, files)
    return bytes(out)


def _shorten_logs(fs, buffer, paths):
    """Make every log of metadata a single commit: what stands in it now, without how it came to be.

    littlefs does so only when a log is full. So it is filled by an attribute of a file that comes and goes, until the
    commit in which the attribute goes is the one that is written to a fresh block.
    """
    fs.fs_gc()
    for path in paths:
        for _ in range(2 * BLOCK // PROG):
            fs.setattr(path, "x", b"x")
            erases = buffer.erases
            fs.removeattr(path, "x")
            fs.fs_gc()  # writes a log afresh that is nearly full
            if buffer.erases != erases:
                break


def fs_of(uf2):
    """The file system image (bytes) in a UF2 file made by combine()."""
    sectors = read_uf2(uf2)
    first = FLASH_BASE + FS_OFFSET
    return b"".join(bytes(sectors.get(first + at, b"\xff" * BLOCK)) for at in range(0, FS_BLOCKS * BLOCK, BLOCK))


def read_fs(image):
    """The files of a file system image: dict of path (no leading slash) -> bytes; PitError if it cannot mount."""
    buffer = UserContext(len(image))
    buffer.buffer[:] = image
    fs = _file_system(buffer)  # its own mount would format what it cannot read
    try:
        fs.mount()
    except LittleFSError as error:
        raise PitError(f"this is no littlefs image of the board's partition ({error})")
    files = {}
    for folder, _, names in fs.walk("/"):
        for name in names:
            path = f"{folder.rstrip('/')}/{name}"
            with fs.open(path, "rb") as file:
                files[path.lstrip("/")] = file.read()
    fs.unmount()
    return files


def read_uf2(data):
    """Memory of a UF2 file: dict of sector address (multiple of BLOCK) -> bytearray of BLOCK bytes, padded with 0xFF.

    Blocks of another family are left out. Raises PitError on anything that is not UF2.
    """
    sectors = {}
    if not data or len(data) % UF2_BLOCK:
        raise PitError("not a UF2 file: its length is not a multiple of 512 bytes")
    for at in range(0, len(data), UF2_BLOCK):
        start, mark, flags, address, size, _, _, family = struct.unpack_from("<8I", data, at)
        if (start, mark) != (UF2_START, UF2_MARK):
            raise PitError(f"not a UF2 file: block {at // UF2_BLOCK} has no UF2 magic")
        if flags & UF2_FAMILY_PRESENT and family != UF2_RP2040:
            continue
        payload = data[at + 32:at + 32 + size]
        sector = sectors.setdefault(address & -BLOCK, bytearray(b"\xff" * BLOCK))
        offset = address % BLOCK
        sector[offset:offset + size] = payload
    return sectors


def write_uf2(sectors):
    """UF2 file of `sectors` (address -> BLOCK bytes), in order of address.

    Only whole sectors, because the bootrom erases one when it is first touched; blocks numbered anew from 0; empty
    (all 0xFF) sectors left out, since a freshly erased sector reads the same.
    """
    kept = [(address, bytes(data)) for address, data in sorted(sectors.items()) if data.count(0xFF) != len(data)]
    total = len(kept) * (BLOCK // UF2_PAYLOAD)
    out = bytearray()
    number = 0
    for address, data in kept:
        for offset in range(0, BLOCK, UF2_PAYLOAD):
            head = struct.pack("<8I", UF2_START, UF2_MARK, UF2_FAMILY_PRESENT, address + offset, UF2_PAYLOAD, number,
                               total, UF2_RP2040)
            out += (head + data[offset:offset + UF2_PAYLOAD]).ljust(UF2_BLOCK - 4, b"\0")
            out += struct.pack("<I", UF2_END)
            number += 1
    return bytes(out)


def combine(micropython, fs_image):
    """One drag-and-drop UF2: MicroPython (a UF2 file, bytes) and the file system image behind it."""
    sectors = read_uf2(micropython)
    first = FLASH_BASE + FS_OFFSET
    if max(sectors) >= first:
        raise PitError("this MicroPython image reaches into the file system's partition: take one for RPI_PICO_W")
    for offset in range(0, len(fs_image), BLOCK):
        sectors[first + offset] = fs_image[offset:offset + BLOCK]
    return write_uf2(sectors)
