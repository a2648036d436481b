"""Every kind of bad input, its message, and what is left when it is skipped."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from conll_texts import SPANISH, words
from hypothesis import given
from hypothesis import strategies as st

from nonproj import FormatError, NonprojError
from nonproj.treebank import read, stream

ROW = "{}\tw\t_\tX\t_\t_\t{}\tdep\t_\t_\n"


def rows(*pairs: tuple[object, object]) -> str:
    return "".join(ROW.format(*pair) for pair in pairs) + "\n"


# The text of a bad sentence, the line of it where the fault is, what the message says.
FAULTS = {
    "nine columns": ("1\tw\t_\tX\t_\t_\t0\troot\t_\n\n", 1, "found 9 columns, expected 10 separated by tabs"),
    "eleven columns": (words(0).replace("\n\n", "\t_\n\n"), 1, "found 11 columns, expected 10"),
    "spaces for tabs": (words(0).replace("\t", "  "), 1, "found 1 column, expected 10 .*: put tabs"),
    "white space": (words(2, 0)[:-1] + " \t\n\n", 3, "nothing but white space: make it empty"),
    "id from 2": (rows((2, 0)), 1, "ID is '2', expected 1: number the words"),
    "id twice": (rows((1, 0), (1, 0)), 2, "ID is '1', expected 2: .* empty line after each sentence"),
    "id skipped": (rows((1, 0), (3, 1)), 2, "ID is '3', expected 2"),
    "id huge": (rows((1, 0), (10**30, 1)), 2, "ID is '10+', expected 2"),
    "id not a number": (rows((1, 0), ("x", 1)), 2, "ID is 'x', expected 2"),
    "id empty": (rows(("", 0)), 1, "ID is '', expected 1"),
    "head too large": (words(2, 0, 12), 3, "word 3 has head 12, but the sentence has 3 words"),
    "head huge": (words(0, 10**30), 2, "HEAD of word 2 is '10+', expected 0 or the ID of a word"),
    "head negative": (words(0, -1), 2, "HEAD of word 2 is '-1', expected 0 or the ID of a word"),
    "head not a number": (words(0, "x"), 2, "HEAD of word 2 is 'x', expected"),
    "head with decimals": (words(0, "1.1"), 2, "HEAD of word 2 is '1.1', expected"),
    "head open": (words(0, "_"), 2, "HEAD of word 2 is '_', expected"),
    "head empty": (words(0, ""), 2, "HEAD of word 2 is '', expected"),
    "own head": (words(0, 2), 2, "word 2 is its own head"),
    "cycle": (words(0, 5, 1, 1, 2), 2, "words 2 -> 5 -> 2 form a cycle"),
    "long cycle": (words(0, *range(3, 41), 2), 2, r"words 2 -> 3 -> .* -> 11 -> \.\.\. -> 2 form a cycle"),
    "no root": (words(2, 1), 1, "no word has head 0"),
    "not UTF-8": (words(0, 1).replace("w2", "\udce9"), 2, "not UTF-8: convert the file"),
    "not UTF-8 at the line's end": (words(0).replace("\n\n", "\udcc3\n\n"), 1, "not UTF-8"),
    "not UTF-8 in a comment": ("# \udcff\n" + words(0), 1, "not UTF-8"),
    "NUL": (words(0, 1).replace("w2", "a\0"), 2, "NUL byte"),
    "range backwards": (rows(("2-1", "_"), (1, 0), (2, 1)), 1, "multiword token '2-1' is out of place"),
    "range too late": (rows((1, 0), ("1-2", "_"), (2, 1)), 2, "multiword token '1-2' .*expected 2-N"),
    "range inside range": (rows(("1-3", "_"), (1, 0), ("2-3", "_"), (2, 1), (3, 1)), 3, "outside any other"),
    "range too long": (rows((1, 0), ("2-3", "_"), (2, 1)), 2, "ends at word 3, but the sentence has 2 words"),
    "range open": (rows(("1-", "_"), (1, 0)), 1, "multiword token '1-' is out of place"),
    "range alone": (rows(("1-2", "_")), 1, "no words"),
    "empty node out of place": (
        rows((1, 0), ("2.1", "_")),
        2,
        "empty node '2.1' is out of place: expected 1.1",
    ),
    "empty node skipped": (rows((1, 0), ("1.2", "_")), 2, "empty node '1.2' is out of place: expected 1.1"),
    "empty node at 0": (rows(("0.2", "_"), (1, 0)), 1, "empty node '0.2' is out of place: expected 0.1"),
    "empty node alone": (rows(("0.1", "_")), 1, "the sentence has no words"),
    "late comment": (words(0)[:-1] + "# late\n" + "\n", 2, "a comment stands after the first word"),
    "missing empty line": (words(0)[:-1] + "# sent_id = next\n" + words(0), 2, "put an empty line before it"),
}
BEFORE, AFTER = SPANISH, words(3, 1, 0)


def as_bytes(text: str) -> bytes:
    return text.encode(errors="surrogateescape")


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize("sent_id", ["# sent_id = bad one\n", "# no id\n", ""])
def test_stop_and_skip(tmp_path: Path, fault: str, line_end: str, sent_id: str) -> None:
    text, line, message = FAULTS[fault]
    before, bad, after = (as_bytes(part.replace("\n", line_end)) for part in (BEFORE, sent_id + text, AFTER))
    path = tmp_path / "file.conllu"
    path.write_bytes(before + bad + after)
    line += BEFORE.count("\n") + sent_id.count("\n")
    name = "bad one" if "sent_id" in sent_id else "next" if fault == "missing empty line" else "2"

    expected = rf"^{re.escape(str(path))}:{line}: sentence {name}: .*{message}"
    with pytest.raises(FormatError, match=expected):
        read(path)
    sentences = stream(path)
    assert next(sentences).sent_id == "mar"
    with pytest.raises(FormatError, match=expected):
        next(sentences)

    tb, sentences = read(path, on_error="skip"), stream(path, on_error="skip")
    assert [s.sent_id for s in tb] == ["mar", "3"]
    assert bytes(tb) == b"".join(map(bytes, sentences)) == before + after
    assert tb.skipped == sentences.skipped
    (skipped,) = tb.skipped
    assert (skipped.file, skipped.line, skipped.sent_id) == (str(path), line, name)
    assert skipped.text == bad
    assert re.match(expected, str(skipped))


def test_all_bad() -> None:
    text = words(1).encode() * 3 + b"# tail\n"
    tb = read(text, on_error="skip")
    assert (len(tb), bytes(tb), tb.heads.tolist(), tb.offsets.tolist()) == (0, b"", [], [0])
    assert b"".join(skipped.text for skipped in tb.skipped) == text


def test_bad_bytes_after_the_last_sentence() -> None:
    text = words(0).encode() + b"# \xff\n"
    with pytest.raises(FormatError, match=r"^<bytes>:3: sentence 2: the line is not UTF-8"):
        read(text)
    tb = read(text, on_error="skip")
    assert (bytes(tb), tb.skipped[0].text) == (words(0).encode(), b"# \xff\n")


def test_utf16() -> None:
    with pytest.raises(FormatError, match="UTF-16: convert it to UTF-8"):
        read(words(0).encode("utf-16"))


def test_a_nested_range_may_follow_another() -> None:
    text = rows(("0.1", "_"), ("1-2", "_"), (1, 0), (2, 1), ("2.1", "_"), ("2.2", "_"), ("3-3", "_"), (3, 1))
    assert read(text.encode())[0].heads == (0, 1, 1)


def test_unknown_on_error() -> None:
    with pytest.raises(NonprojError, match="on_error is 'ignore', expected 'stop' or 'skip'"):
        read(b"", on_error="ignore")  # type: ignore[arg-type]


@pytest.mark.parametrize("size", [1, 2, 3, 63, 64, 65, 127, 128, 129, 200])
@pytest.mark.parametrize("piece", [b"\xc3", b"\xe2\x82", b"\xf0\x9f\x8c", b"\xed\xa0\x80", b"\xc0\x80", b"\x80", b"\0"])
def test_bad_bytes_at_every_distance_from_a_block(size: int, piece: bytes) -> None:
    """The text is judged in blocks of 32 bytes: a fault must be seen wherever it falls."""
    row = words(0).encode().rstrip()
    for text in (row.replace(b"w1", b"w" * size + piece), row[:-1] + b"w" * size + piece):
        (skipped,) = read(text, on_error="skip").skipped
        assert "UTF-8" in skipped.message
        assert skipped.text == text


# Bytes at the edges of what UTF-8 allows after one another, and whole characters of every length.
EDGES = [bytes([byte]) for byte in b"\x7f\x80\x8f\x90\x9f\xa0\xbf\xc0\xc1\xc2\xdf\xe0\xe1\xed\xef\xf0\xf1\xf4\xf5\xff"]
CHARACTERS = [character.encode() for character in "wα\u0800\ud7ff\uffff\U00010000\U0010ffff"]


@given(st.lists(st.sampled_from(EDGES + CHARACTERS * 4), min_size=1, max_size=60).map(b"".join))
def test_utf8_is_what_python_says_it_is(form: bytes) -> None:
    text = words(0).encode().replace(b"w1", form)
    try:
        text.decode()
    except UnicodeDecodeError:
        assert "not UTF-8" in read(text, on_error="skip").skipped[0].message
    else:
        assert bytes(read(text)) == text
