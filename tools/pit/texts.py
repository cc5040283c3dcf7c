"""Pack the board's texts: firmware/texts/en.txt becomes the indexed file that firstcard.store.texts reads.

Source: one `key<TAB>text` a line, printable ASCII, `#` starts a comment line. Texts stand inside quotation marks in
replies, so they hold none themselves.
"""

import sys
from pathlib import Path

from firstcard.store.texts import ENTRY, HEAD, MOST_KEY, MOST_TEXT

REPOSITORY = Path(__file__).resolve().parents[2]
SOURCE = REPOSITORY / "firmware" / "texts" / "en.txt"


class TextError(ValueError):
    """A line of the source that cannot be packed; says which and why."""


def parse(source: str) -> dict[str, str]:
    """Key -> text of a source file's content, in its order. Raises TextError with the line number."""
    texts: dict[str, str] = {}
    for number, line in enumerate(source.split("\n"), 1):
        if not line.strip() or line.startswith("#"):
            continue
        key, tab, text = line.partition("\t")
        why = ""
        if not tab or not key or not text:
            why = "write a key, one tab, then the text"
        elif not (line.replace("\t", "", 1).isascii() and line.replace("\t", "", 1).isprintable()):
            why = "only printable ASCII after the tab"
        elif '"' in line:
            why = "no quotation marks: replies put the text into them"
        elif key in texts:
            why = f"{key} is already there"
        elif len(key) > MOST_KEY or len(text) > MOST_TEXT:
            why = f"{len(key)} and {len(text)} characters; at most {MOST_KEY} for a key and {MOST_TEXT} for a text"
        if why:
            raise TextError(f"line {number}: {why}")
        texts[key] = text
    return texts


def pack(texts: dict[str, str]) -> bytes:
    """File content for the board; layout in firstcard.store.texts."""
    items = sorted((key.encode(), text.encode()) for key, text in texts.items())
    index = len(items).to_bytes(HEAD, "little")
    offset = HEAD + ENTRY * len(items)
    body = b""
    for key, text in items:
        if offset + len(body) > 0xFFFF:
            raise TextError("more than 64 kB of texts")
        index += (offset + len(body)).to_bytes(2, "little") + bytes((len(key), len(text)))
        body += key + text
    return index + body


def build(source: Path = SOURCE) -> bytes:
    """The packed file of a source file."""
    return pack(parse(source.read_text(encoding="utf-8")))


if __name__ == "__main__":
    Path(sys.argv[1]).write_bytes(build())
