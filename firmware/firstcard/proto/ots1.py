"""OTS-1, the open frame between shoe and table: receiver, acknowledgements, encoder.

    @SS,TYP[,field...]*CCCC CR LF

SS is a sequence 00..FF, TYP three capitals, CCCC a CRC-16/CCITT-FALSE over everything between `@` and `*`; at most
96 bytes. The table answers each good frame `@SS,ACK*CCCC` with the frame's own sequence and each bad one
`@SS,NAK*CCCC` with the sequence it waits for; the shoe sends a frame again, up to three times, until it is
acknowledged.

The lock does not wait for this module: it is raised by whoever first sees an `@` on the line. Here frames get their
meaning. Flags of a heartbeat, one hexadecimal number: 1 jam, 2 lid open, 4 empty (FLAGS).
"""

from firstcard.proto import crc

MOST = 96
WINDOW = 28  # sequences behind the newest that are remembered; a bit each in a small int
ALL = (1 << WINDOW) - 1

FLAGS = ("jam", "lid", "empty")

# Types from the shoe: n = a decimal number (given as int), w = a word; more fields may follow and stay words
SHAPES = (
    "HLOwwwwwnw "  # version, maker, model, serial, firmware hash, decks, capabilities: at boot and on WHO
    "EDGnn "  # card number, t_ms: card starts to leave, sent before it is read
    "CRDnwnwn "  # card number, code, confidence 0-99, orientation U D ?, t_ms
    "MISnw "  # card number, reason NOCODE LOWCONF RANGE DUP
    "DBLnn "  # card number, span_ms: two cards suspected
    "RTNn "  # card number: pulled back into the mouth
    "BRNn "  # card number: marked as a burn
    "CUTnn "  # card number, cards left
    "LIDn "  # 0 closed, 1 open
    "JAMn "  # 0, 1
    "EMPn "  # 0, 1
    "SHFwn "  # shoe id, cards: new shoe, card numbers restart
    "KEYw "  # button on the shoe
    "HBTnwn "  # card number, flags, up_s: every 500 ms
)


class Receiver:
    """Assembles frames from bytes; one per shoe, fed by one task.

    After each feed(): `reply` holds bytes for the shoe (take them with take_reply()). When feed() returned a frame:
    `gap` is how many sequences were jumped over before it, `late` is True for one that fills an earlier gap,
    `anew` for the HLO of a shoe that counts from the beginning again. A gap asks the shoe for a replay.
    Counters: `good`, `bad` (CRC or shape), `long` (of those: longer than a frame may be), `duplicates`, `missed` (sum
    of gaps, late ones taken off again).
    """

    def __init__(self):
        self.buf = bytearray(MOST)
        self._n = -1  # bytes after `@`; -1 = waiting for one
        self._bad = False
        self.last = -1  # newest sequence, -1 = none heard yet
        self._seen = 0  # bit d = sequence (last - d) was heard
        self._newest = ""  # type of the frame with the newest sequence
        self.reply = b""
        self.gap = 0
        self.late = self.anew = False
        self.good = self.bad = self.long = self.duplicates = self.missed = 0

    def feed(self, byte):
        """Take one byte: None, or a new frame (type, sequence, fields) with fields a list of int and str.

        Frames heard before are acknowledged again and not given a second time. Allocates only when a frame ends.
        """
        n = self._n
        if byte == 64:
            if n >= 0:
                self._refuse()  # the frame before it was cut short
            self._n = 0
            self._bad = False
        elif n < 0:
            pass
        elif byte == 13 or byte == 10:
            self._n = -1
            return self._end(n)
        elif 32 <= byte <= 126 and n < MOST - 1:
            self.buf[n] = byte
            self._n = n + 1
        else:
            if n == MOST - 1 and not self._bad:
                self.long += 1
            self._bad = True
        return None

    def awaited(self):
        """The first sequence that was jumped over and is still waited for, or -1."""
        if self.last >= 0 and self._seen != ALL:
            for behind in range(WINDOW - 1, 0, -1):
                if not self._seen & 1 << behind:
                    return self.last - behind & 0xFF
        return -1

    def forgo(self):
        """Wait no longer for what was jumped over."""
        self._seen = ALL

    def take_reply(self):
        """Bytes that the shoe is owed since the last call; b"" if none."""
        reply = self.reply
        self.reply = b""
        return reply

    def _refuse(self):
        self.bad += 1
        self._owe(encode((self.last + 1) & 0xFF, "NAK"))

    def _owe(self, frame):
        if len(self.reply) < 2 * MOST:  # nobody takes them: the shoe asks again
            self.reply += frame

    def _end(self, n):
        frame = None if self._bad else _parse(self.buf, n)
        if frame is None:
            self._refuse()
            return None
        kind, sequence, _ = frame
        self._owe(encode(sequence, "ACK"))
        if not self._is_new(kind, sequence):
            self.duplicates += 1
            return None
        self.good += 1
        return frame

    def _is_new(self, kind, sequence):
        """Book a sequence; False if it was heard before. Sets gap and late."""
        self.gap = 0
        self.late = self.anew = False
        behind = (self.last - sequence) & 0xFF
        if kind == "HLO" and behind < 256 - WINDOW:  # else it is one of the next: the answer to WHO
            if self.last >= 0 and behind == 0 and self._newest == "HLO":
                return False
            self.anew = self.last >= 0
        elif self.last >= 0:
            if behind < WINDOW:
                bit = 1 << behind
                if self._seen & bit:
                    return False
                self._seen |= bit
                self.late = True
                if self.missed:
                    self.missed -= 1
                return True
            step = (sequence - self.last) & 0xFF
            self.gap = step - 1
            self.missed += self.gap
            self._seen = (self._seen << step) & ALL | 1 if step < WINDOW else 1
            self.last = sequence
            self._newest = kind
            if self.gap:
                self._owe(encode(sequence - self.gap, "RPL", "%02X" % (sequence - self.gap & 0xFF)))
            return True
        self.last = sequence  # the first frame ever, or a shoe that has started anew
        self._seen = ALL  # nothing is waited for behind it
        self._newest = kind
        return True


def encode(sequence, kind, *fields):
    """One frame as bytes, either way: encode(5, "EDG", 1, 40)."""
    body = "%02X,%s" % (sequence & 0xFF, kind)
    for field in fields:
        body += ",%s" % (field,)
    return ("@%s*%04X\r\n" % (body, crc.crc16(body.encode()))).encode()


def _parse(buf, n):
    """(type, sequence, fields) of the n bytes between `@` and the line's end, or None for a bad CRC or shape."""
    body = n - 5
    if body < 6 or buf[body] != 42 or crc.hex4(buf, body + 1) != crc.crc16(buf, body):
        return None
    words = bytes(buf[:body]).decode().split(",")
    head = words[0]
    kind = words[1] if len(words) > 1 else ""
    if len(head) != 2 or len(kind) != 3:
        return None
    for letter in kind:
        if not "A" <= letter <= "Z":
            return None
    at = SHAPES.find(kind)
    shape = SHAPES[at + 3 : SHAPES.find(" ", at)] if at >= 0 else ""
    fields = words[2:]
    if len(fields) < len(shape):
        return None
    try:
        sequence = int(head, 16)
        for place in range(len(shape)):
            if shape[place] == "n":
                if len(fields[place]) > 10:
                    return None
                fields[place] = int(fields[place])
    except ValueError:
        return None
    return kind, sequence, fields
