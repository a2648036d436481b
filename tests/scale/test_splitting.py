"""Pieces of files: wherever they are cut, every sentence is in exactly one, and the text is all there."""

import bz2
import gzip
import lzma
import pathlib
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nonproj import example_treebank
from nonproj.distributed.places import Place, places
from nonproj.distributed.splitting import Piece, between_cuts, tasks, text_of, weight_of
from nonproj.treebank.compression import zstandard

SAMPLE = bytes(example_treebank()[:12])
ZSTD = zstandard("these tests").compress
line = st.sampled_from([b"1\tA", b"2\tB", b"# c", b"", b"", b" ", b"1-2\tx", b"7"])
texts = st.builds(
    lambda lines, end, last: end.join(lines) + last,
    st.lists(line, max_size=25),
    st.sampled_from([b"\n", b"\r\n"]),
    st.sampled_from([b"", b"\n", b"\n\n"]),
)


@settings(max_examples=300)
@given(texts, st.lists(st.integers(0, 150), max_size=5), st.integers(1, 9))
def test_pieces_make_up_the_text_and_end_after_words(text: bytes, where: list[int], block: int) -> None:
    starts = [0, *sorted({at for at in where if 0 < at < len(text)})]
    ends = [*starts[1:], len(text)]

    def blocks(part: bytes) -> list[bytes]:
        return [part[i : i + block] for i in range(0, len(part), block)]

    pieces = [
        b"".join(between_cuts(blocks(text[a:b]), blocks(text[b:]), a == 0)) for a, b in zip(starts, ends, strict=True)
    ]
    assert b"".join(pieces) == text
    for piece in pieces[:-1]:
        assert not piece or piece == text or piece.endswith((b"\n\n", b"\n\r\n")) or text.endswith(piece)


@pytest.mark.parametrize(
    "pack", [gzip.compress, bz2.compress, lzma.compress, ZSTD], ids=["gzip", "bzip2", "xz", "zstd"]
)
@pytest.mark.parametrize("size", [700, 5_000])
def test_compressed_members_are_pieces(tmp_path: pathlib.Path, pack, size: int) -> None:
    chance = random.Random(size)
    text, at, stored = SAMPLE * 3, 0, b""
    while at < len(text):  # members end anywhere, in the middle of lines too
        step = chance.randrange(300, 4_000)
        stored += pack(text[at : at + step])
        at += step
    path = tmp_path / "members.conllu.gz"
    path.write_bytes(stored)
    made, notes = tasks(places(path), [1], size)
    assert len(made) > 3
    assert not notes
    assert b"".join(block for (piece,) in made for block in text_of(piece)) == text
    assert {piece.form for (piece,) in made[1:]} == {"conllu"}


def test_a_single_member_is_one_task_and_says_so(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "one.conllu.gz"
    path.write_bytes(gzip.compress(SAMPLE * 20))
    made, notes = tasks(places(path), [1], 1000)
    assert made == [[Piece(str(path))]]
    assert notes == [f"{path}: compressed in one member, which cannot be split: it is one task"]


def test_bytes_that_look_like_a_member_are_none(tmp_path: pathlib.Path) -> None:
    trap = b"\x1f\x8b\x08\x00" + bytes(6)
    path = tmp_path / "trap.conllu.gz"
    path.write_bytes(gzip.compress(SAMPLE + b"# " + trap * 2000, compresslevel=0) + gzip.compress(SAMPLE))
    made, _ = tasks(places(path), [1], 60_000)
    assert len(made) == 2
    assert b"".join(block for (piece,) in made for block in text_of(piece)).endswith(SAMPLE)


def test_small_files_go_together_in_order(tmp_path: pathlib.Path) -> None:
    for i in range(30):
        (tmp_path / f"{i:02d}.conllu").write_bytes(SAMPLE if i != 17 else SAMPLE * 9)
    found = places(tmp_path)
    made, _ = tasks(found, [1] * len(found), len(SAMPLE) * 3)
    names = [piece.source for group in made for piece in group]
    assert list(dict.fromkeys(names)) == [place.name for place in found]
    assert max(len(group) for group in made) == 3
    assert sum(piece.source.endswith("17.conllu") for group in made for piece in group) == 3


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzip"])
def test_the_last_tasks_are_smaller(tmp_path: pathlib.Path, pack) -> None:
    ending = ".conllu" if pack is bytes else ".conllu.gz"
    for i in range(3):
        (tmp_path / f"{i}{ending}").write_bytes(b"".join(pack(SAMPLE) for _ in range(40)))
    (tmp_path / f"9{ending}").write_bytes(pack(SAMPLE))
    found = places(tmp_path)
    size = 10 * (found[-1].size or 0) * (1 if pack is bytes else 6)
    made, _ = tasks(found, [1] * 4, size, ends_finely=True)
    place_of = {place.name: place for place in found}
    weights = [sum(weight_of(piece, place_of[piece.source]) for piece in group) for group in made]
    assert sum(weights) == sum(weight_of(Piece(place.name), place) for place in found)
    plain, _ = tasks(found, [1] * 4, size)
    assert len(plain) < len(made) < 2 * len(plain)
    # The last eighth goes in quarters; what is left of a file may be half as much again.
    assert all(0.7 * size < weight < 1.5 * size for weight in weights[: len(weights) // 2])
    last = [weight for i, weight in enumerate(weights) if sum(weights[: i + 1]) > sum(weights) * 0.93]
    assert len(last) > 3
    assert all(weight < 0.4 * size for weight in last)
    assert b"".join(block for group in made for piece in group for block in text_of(piece)) == SAMPLE * 121


def test_the_end_of_very_much_is_not_all_fine() -> None:
    found = [Place(f"{i}.conllu", 1, "") for i in range(40_000)]
    made, _ = tasks(found, [1] * len(found), 4, ends_finely=True)
    assert len(made) == (len(found) - 64 * 4) // 4 + 64 * 4


def test_a_packed_file_is_not_searched_for_a_finer_end(tmp_path: pathlib.Path) -> None:
    for i in range(9):
        (tmp_path / f"{i}.conllu.gz").write_bytes(gzip.compress(SAMPLE) + gzip.compress(SAMPLE))
    found = places(tmp_path)
    size = weight_of(Piece(found[0].name), found[0])
    made, notes = tasks(found, [1] * 9, size, ends_finely=True)
    assert [[piece.source for piece in group] for group in made] == [[place.name] for place in found]
    assert not notes
