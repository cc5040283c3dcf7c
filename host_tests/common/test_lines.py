"""The operator line assembler (firstcard.proto.lines)."""

from firstcard.proto import lines
from host_tests.common.written import with_crc


def feed(assembler, data):
    """Results of every byte that gave one; a LINE is given as its text."""
    out = []
    at = 0
    while at < len(data):
        at = assembler.take(data, at, len(data))
        result = assembler.result
        if result != lines.NONE:
            out.append(assembler.text() if result == lines.LINE else result)
    return out


def test_cr_lf_and_crlf_end_a_line_and_empty_ones_are_silent():
    assert feed(lines.Lines(), b"status\rbets\nopen\r\n\r\n\n\nclose\n") == ["status", "bets", "open", "close"]


def test_words_are_split_at_any_number_of_blanks():
    assembler = lines.Lines()
    assert feed(assembler, b"  limits  set 5   100 \n") == ["  limits  set 5   100 "]
    assert assembler.words() == ["limits", "set", "5", "100"]
    feed(assembler, b"   \n")
    assert assembler.words() == []


def test_96_bytes_are_a_line_and_97_are_one_error():
    for length in (1, 63, 64, 65, 95, 96):
        assert feed(lines.Lines(), b"x" * length + b"\n") == ["x" * length], length
    for length in (97, 127, 128, 129, 1000):
        assert feed(lines.Lines(), b"x" * length + b"\nstatus\n") == [lines.TOO_LONG, "status"], length


def test_one_error_for_a_line_with_garbage_and_the_next_line_is_clean():
    for byte in range(256):
        data = b"sta" + bytes((byte,)) + b"tus\nbets\n"
        if byte in (10, 13):
            expected = ["sta", "tus", "bets"]
        elif 32 <= byte <= 126:
            expected = ["sta" + chr(byte) + "tus", "bets"]
        else:
            expected = [lines.NOT_PRINTABLE, "bets"]
        assert feed(lines.Lines(), data) == expected, byte


def test_the_first_error_of_a_line_is_the_one_told():
    assert feed(lines.Lines(), b"x" * 97 + b"\xff\n") == [lines.TOO_LONG]
    assert feed(lines.Lines(), b"\xff" + b"x" * 97 + b"\n") == [lines.NOT_PRINTABLE]
    assert feed(lines.Lines(), b"\xff\xfe\x00" * 500 + b"\n\nid\n") == [lines.NOT_PRINTABLE, "id"]


def test_a_checksum_is_checked_if_it_is_there_and_removed():
    assert feed(lines.Lines(), b"123456789*29B1\n") == ["123456789"]
    assert feed(lines.Lines(), b"123456789*29b1\r\n") == ["123456789"]
    assert feed(lines.Lines(), b"123456789*29B0\nid\n") == [lines.BAD_CRC, "id"]
    assert feed(lines.Lines(), b"123456788*29B1\n") == [lines.BAD_CRC]


def test_a_star_that_is_no_checksum_is_text():
    for text in ("a*b", "*", "a*29B", "a*29B1 ", "a*29G1", "1*29B12"):
        assert feed(lines.Lines(), text.encode() + b"\n") == [text], text


def test_a_checksum_counts_towards_the_96_bytes():
    body = "x" * 91
    assert feed(lines.Lines(), with_crc(body).encode() + b"\n") == [body]
    assert feed(lines.Lines(), with_crc(body + "x").encode() + b"\n") == [lines.TOO_LONG]


def test_reset_forgets_a_begun_line():
    assembler = lines.Lines()
    feed(assembler, b"limits set 5 1\xff")
    assembler.reset()
    assert feed(assembler, b"status\n") == ["status"]
