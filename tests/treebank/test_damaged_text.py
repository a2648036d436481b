"""Whatever happened to a file, reading it gives a treebank or a NonprojError, never anything else."""

from __future__ import annotations

import bz2
import gzip
import lzma

from conll_texts import DUTCH, SPANISH, VIETNAMESE, words
from hypothesis import given, settings
from hypothesis import strategies as st

from nonproj import NonprojError
from nonproj.treebank import Treebank, read, stream
from nonproj.treebank.compression import decompress, gzip_at_once, zstandard

SOUND = [
    (SPANISH + VIETNAMESE).encode(),
    DUTCH.encode() * 2,
    words(2, 0, 2, 3).replace("\n", "\r\n").encode() * 3,
]

damages = st.lists(
    st.tuples(
        st.integers(0, 10**6),
        st.integers(0, 4),
        st.binary(max_size=3) | st.sampled_from([b"\t", b"\n", b"\r", b"#", b"-", b".", b"_", b"\0", b"\xff"]),
    ),
    max_size=6,
)


def damaged(text: bytes, changes: list[tuple[int, int, bytes]]) -> bytes:
    for at, length, bytes_put in changes:
        at %= len(text) + 1
        text = text[:at] + bytes_put + text[at + length :]
    return text


def check_sound(tb: Treebank) -> None:
    for sentence in tb:
        assert sentence.tree.heads == sentence.heads
        assert len(sentence.forms) == len(sentence)
        assert read(bytes(sentence)).heads.tolist() == list(sentence.heads)
        assert sentence.sent_id
        assert isinstance(sentence.text, str)


@settings(max_examples=400, deadline=None)
@given(st.sampled_from(SOUND), damages)
def test_damaged_text(text: bytes, changes: list[tuple[int, int, bytes]]) -> None:
    bad = damaged(text, changes)
    try:
        tb = read(bad, on_error="skip")
        check_sound(tb)
        kept = {sentence.place.begin: bytes(sentence) for sentence in tb}
        assert sum(map(len, kept.values())) + sum(len(skipped.text) for skipped in tb.skipped) in (
            len(bad),
            0,
        )
        assert [(s.heads, s.line) for s in stream(bad, on_error="skip")] == [(s.heads, s.line) for s in tb]
    except NonprojError:
        assert bad.startswith((b"\xff\xfe", b"\xfe\xff", b"\x1f\x8b", b"BZh"))
    try:
        strict = read(bad)
    except NonprojError as error:
        message = str(error)
    else:
        message = "<bytes>: none"
        assert bytes(strict) == bad
        assert not tb.skipped
    assert message.startswith("<bytes>:")


@settings(max_examples=300, deadline=None)
@given(st.sampled_from([gzip.compress, bz2.compress, lzma.compress, zstandard("these tests").compress]), damages)
def test_damaged_compression(pack: object, changes: list[tuple[int, int, bytes]]) -> None:
    bad = damaged(pack(SOUND[0]), changes)  # type: ignore[operator]
    try:
        check_sound(read(bad, on_error="skip"))
        check_sound(Treebank(stream(bad, on_error="skip")))
    except NonprojError:
        pass


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.sampled_from([b"", b"text\n", b"text\n", SOUND[0]]), min_size=1, max_size=3),
    st.sampled_from([b"", b"\0\0\0\0", b"\1\2\3\4"]),
    damages,
)
def test_gzip_at_once_is_what_comes_block_by_block(
    members: list[bytes], behind: bytes, changes: list[tuple[int, int, bytes]]
) -> None:
    def pack(text: bytes) -> bytes:
        return gzip.compress(text, mtime=0)  # the same bytes at any time

    for packed in (b"".join(map(pack, members)) + behind, damaged(pack(SOUND[0]), changes)):
        at_once = gzip_at_once(packed, 1 << 20)
        if at_once is None:
            assert packed != pack(members[0])  # one sound member is always unpacked
        else:
            assert at_once == b"".join(decompress([packed], "gzip", "text.gz"))
            assert gzip_at_once(packed, len(at_once) - 1) is None
