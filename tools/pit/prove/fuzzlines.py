"""Lines that nobody should type, at random and the same for the same seed; and how many answers they are owed."""

import re

from firstcard.proto import commands, crc

MOST = 96  # bytes of a line (firmware/PROTOCOL.md)
SIZES = (63, 64, 65, 95, 96, 97, 127, 128, 129)  # of buffers on the way, and one to each side
ENDS = (b"\n", b"\r", b"\r\n")
WORDS = tuple("0 1 3 8 9 99 -1 4294967296 999999999999 5 100 2.50 .5 1e3 0x10 TH AC ?? ** 2.1 dealer burn in 20m 90s "
              "to add on off from set head release reset operator supervisor technician confirm stand reveal settled "
              "void misdeal undo peek oral readers latch decks tips 3-25 idle decks=8 us-nd-twentyone "
              "gcb-blackjack 2026-11-30T08:50:00 00 00ff \" ' %s {} \\ , = * *0000".split())

LIKELY = {  # token of a shape: what may well stand there
    "<min>": "5 10 2.50", "<max>": "100 200 500", "<time>": "90s 20m 0", "<seq>": "0 1 2 99", "<spot>": "1 2 7 8",
    "<amount>": "5 25", "<id>": "1 2 us-nd-twentyone", "<role>": "operator supervisor technician",
    "<part>": "latch store",
    "<name>": "confirm cancel stand reveal settled void misdeal burn undo peek decks tips", "<value>": "8 off equal",
    "<code>|<n>": "TH AC ?? 1 add", "<hand>": "1.1 2.1 dealer burn", "<list>": "3-25 3-25,5-25 off",
    "<iso8601>": "2026-11-30T08:50:00", "<on|off>": "on off", "<command>": "limits key", "<word>": "set",
    "<hmac>": "00" * 24, "<nonce>": "00ff", "<hash>": "00" * 12, "<pin>": "602214"}


class Lines:
    """`random`: a random.Random."""

    def __init__(self, random):
        self._random = random
        self._typed = [(entry[commands.WORDS], re.sub(r"[][]|\.\.\.", "", entry[commands.SHAPE]).split())
                       for entry in commands.TABLE]
        self._kinds = (self._noise, self._sized, self._half, self._arguments, self._arguments, self._arguments,
                       self._mutated, self._mutated, self._summed, self._valid)

    def next(self):
        """Some bytes, mostly one line."""
        return self._random.choice(self._kinds)()

    def _end(self):
        return self._random.choice(ENDS)

    def _words(self):
        """A command's words, and as many others as it takes, or not."""
        random = self._random
        typed, shape = random.choice(self._typed)
        if random.randrange(2):
            rest = [random.choice(LIKELY.get(token, token).split()) for token in shape]
            rest = rest[: random.choice((len(rest), len(rest), random.randrange(len(rest) + 1)))]
        else:
            rest = random.choices(WORDS, k=random.choice((0, len(shape), random.randrange(7))))
        return " ".join([typed, *rest]).encode()

    def _noise(self):
        random = self._random
        return random.randbytes(random.randrange(1, 200)) + self._end()

    def _sized(self):
        size = self._random.choice(SIZES)
        return (self._words() + b" " + b"x" * size)[:size] + self._end()

    def _half(self):
        """A line that breaks off; the next one goes on behind it."""
        words = self._words()
        return words[: self._random.randrange(len(words))]

    def _arguments(self):
        return self._words() + self._end()

    def _valid(self):
        return self._random.choice(self._typed)[0].encode() + self._end()

    def _mutated(self):
        random = self._random
        line = bytearray(self._words())
        for _ in range(random.randrange(1, 4)):
            at = random.randrange(len(line))
            deed = random.randrange(4)
            if deed == 0:
                line[at] ^= 1 << random.randrange(8)
            elif deed == 1 and len(line) > 1:
                del line[at]
            elif deed == 2:
                line[at:at] = line[at:at + 1]
            else:
                line[at:at] = random.randbytes(1)
        return bytes(line) + self._end()

    def _summed(self):
        """A check sum behind it: right, wrong, or not quite one."""
        words, random = self._words(), self._random
        told = crc.crc16(words) ^ random.choice((0, 0, 1, 0x8000, random.randrange(1 << 16)))
        return words + (b"*%04X" % told)[: random.choice((5, 5, 5, 4, 2))] + self._end()


class Owed:
    """Counts the final lines that bytes are owed, by the document alone: one for each line that is not blank."""

    def __init__(self):
        self._begun = b""

    def take(self, data):
        *lines, self._begun = re.split(rb"[\r\n]", self._begun + data)
        return sum(map(_is_line, lines))


def _is_line(line):
    if len(line) > MOST or not all(31 < byte < 127 for byte in line):
        return True
    if re.fullmatch(rb"[ ]*\*[0-9A-Fa-f]{4}", line):  # blanks with a check sum: blank if it is right
        return crc.crc16(line[:-5]) != int(line[-4:], 16)
    return bool(line.strip())
