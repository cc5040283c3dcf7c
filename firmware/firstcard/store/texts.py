"""Texts for people, kept in a file on flash and read one at a time into a preallocated buffer.

File layout (packed on the host by pit.texts): count (2 bytes), then per text, sorted by key, offset (2), length of
the key (1), length of the text (1), then keys and texts back to back at these offsets; little endian, ASCII.
"""

HEAD = 2
ENTRY = 4
MOST_KEY = 63
MOST_TEXT = 200


class Texts:
    """Over a file with seek() and readinto(), or None for a board without its texts (then every text is its key)."""

    def __init__(self, source):
        self._source = source
        self._buf = bytearray(MOST_TEXT)
        self._view = memoryview(self._buf)
        self.count = 0
        if source is not None:
            self._read(0, HEAD)
            self.count = self._buf[0] | self._buf[1] << 8

    def say(self, key, *args):
        """The text of a key (str, or an int for the error of that number) with each `{}` filled by the next argument.

        Never raises for a missing text: key and arguments are then better than nothing. Quotation marks in
        arguments become apostrophes, since replies quote the text.
        """
        if isinstance(key, int):
            key = "E%d" % key
        text = self.find(key)
        if text is None:
            text = key + " {}" * len(args)
        parts = text.split("{}")
        out = parts[0]
        for place in range(1, len(parts)):
            out += str(args[place - 1]).replace('"', "'") if place <= len(args) else "{}"
            out += parts[place]
        return out

    def find(self, key):
        """The text of a key as it stands in the file, or None."""
        wanted = key.encode()
        low = 0
        high = self.count
        buf = self._buf
        while low < high:
            middle = (low + high) // 2
            self._read(HEAD + middle * ENTRY, ENTRY)
            offset = buf[0] | buf[1] << 8
            key_length = buf[2]
            length = buf[3]
            self._read(offset, key_length)
            here = bytes(self._view[:key_length])
            if here == wanted:
                self._read(offset + key_length, length)
                return bytes(self._view[:length]).decode()
            if wanted < here:
                high = middle
            else:
                low = middle + 1
        return None

    def _read(self, offset, length):
        self._source.seek(offset)
        if self._source.readinto(self._view[:length]) != length:
            raise OSError("text file is cut short: copy it again")
