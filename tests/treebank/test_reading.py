from __future__ import annotations

import bz2
import gzip
import io
import lzma
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conll_texts import DUTCH, SPANISH, VIETNAMESE, read_plainly, words
from hypothesis import given
from hypothesis import strategies as st

from nonproj import FormatError, NonprojError
from nonproj.treebank import Treebank, example_treebank, read, read_many, stream
from nonproj.treebank.compression import zstandard

ZSTD = zstandard("these tests")
TEXT = (SPANISH + VIETNAMESE + words(2, 0) + words(0)).encode()
PACK: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zst": lambda text: ZSTD.compress(text, options={ZSTD.CompressionParameter.checksum_flag: 1}),
}


def check_same(tb: Treebank, text: str) -> None:
    expected = read_plainly(text)
    assert len(tb) == len(expected)
    assert tb.heads.dtype == np.int32
    assert tb.offsets.dtype == np.int64
    assert tb.heads.tolist() == [head for sentence in expected for head in sentence.heads]
    for i, (sentence, plain) in enumerate(zip(tb, expected, strict=True)):
        assert sentence.heads == plain.heads == tuple(tb.heads[tb.offsets[i] : tb.offsets[i + 1]])
        names = ("forms", "lemmas", "upos", "xpos", "feats", "deprels", "deps", "misc")
        columns = [getattr(sentence, name) for name in names]
        assert columns == [plain.columns[k] for k in (1, 2, 3, 4, 5, 7, 8, 9)]
        assert sentence.comments == plain.comments


@pytest.mark.parametrize(
    "text",
    [
        TEXT.decode(),
        TEXT.decode().rstrip("\n"),
        TEXT.decode().rstrip("\n") + "\n",
        TEXT.decode().replace("\n", "\r\n"),
        TEXT.decode().replace("\n", "\r\n").rstrip(),
        "\ufeff" + TEXT.decode(),
        "\n\n\n" + TEXT.decode().replace("\n\n", "\n\n\n\n"),
        TEXT.decode() + "# nothing but comments\n# at the end\n",
        TEXT.decode() + "# nothing but comments, no line end",
        "# comments alone\n\n" + TEXT.decode(),
        DUTCH,
        "",
        "\n",
        "\ufeff",
        "# only a comment\n",
        "\r\n\r\n",
    ],
)
def test_reads_and_gives_back_the_same_bytes(text: str) -> None:
    tb = read(text.encode())
    check_same(tb, text)
    assert bytes(tb) == text.encode()
    assert tb.to_text() == text
    assert bytes(tb[:]) == text.encode()
    assert not tb.skipped
    assert [s.forms for s in stream(text.encode())] == [s.forms for s in tb]


@pytest.mark.parametrize("extension", PACK)
def test_compression_is_found_by_content(tmp_path: Path, extension: str) -> None:
    misnamed = tmp_path / "file.txt"
    misnamed.write_bytes(PACK[extension](TEXT))
    assert bytes(read(misnamed)) == TEXT
    assert b"".join(map(bytes, stream(misnamed))) == TEXT
    assert bytes(read(PACK[extension](TEXT))) == TEXT
    with open(misnamed, "rb") as file:
        assert bytes(read(file)) == TEXT
    with open(misnamed, "rb") as file:
        assert b"".join(map(bytes, stream(file))) == TEXT


@pytest.mark.parametrize("extension", [".gz", ".bz2", ".xz", ".zst"])
def test_files_of_several_members_and_padding(extension: str) -> None:
    pack = PACK[extension]
    assert bytes(read(pack(TEXT) + pack(b"") + pack(TEXT))) == TEXT * 2
    if extension != ".bz2":
        assert bytes(read(pack(TEXT) + bytes(8))) == TEXT


@pytest.mark.parametrize("extension", [".gz", ".bz2", ".xz", ".zst"])
@pytest.mark.parametrize("threads", [1, 2])
def test_damaged_compression_is_an_error(tmp_path: Path, extension: str, threads: int) -> None:
    packed = PACK[extension](TEXT * 50)
    good, cut, corrupt = (tmp_path / f"{name}.conllu{extension}" for name in ("a", "cut", "corrupt"))
    good.write_bytes(packed)
    cut.write_bytes(packed[: len(packed) // 2])
    middle = len(packed) // 2
    corrupt.write_bytes(packed[:middle] + bytes(b ^ 0x55 for b in packed[middle : middle + 9]) + packed[middle + 9 :])
    for bad, message in ((cut, "cut short|damaged"), (corrupt, "damaged|cut short")):
        for on_error in ("stop", "skip"):
            with pytest.raises(FormatError, match=rf"{bad.name}: .*({message})"):
                read([good, bad], threads=threads, on_error=on_error)
            with pytest.raises(FormatError, match=message):
                list(stream(bad, on_error=on_error))


def test_well_packed_text_is_unpacked_in_small_blocks() -> None:
    from nonproj.treebank.compression import BLOCK
    from nonproj.treebank.inputs import read_blocks

    plain = bytes(16 * BLOCK)
    for pack in (PACK[extension] for extension in PACK if extension):
        blocks = list(read_blocks(pack(plain)))
        assert max(map(len, blocks)) <= BLOCK
        assert sum(map(len, blocks)) == len(plain)


def test_text_files_and_string_files() -> None:
    assert read(io.StringIO(TEXT.decode())).to_text() == TEXT.decode()
    assert read(io.TextIOWrapper(io.BytesIO(TEXT), encoding="ascii")).to_text() == TEXT.decode()


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(TEXT)))
    tb = read("-")
    assert (bytes(tb), tb[0].file, tb.name) == (TEXT, "<stdin>", "<stdin>")


def test_a_sentence_from_a_pipe_does_not_wait_for_the_next() -> None:
    class Pipe(io.RawIOBase):
        pieces = iter([words(0).encode(), words(2, 0).encode(), b""])
        reads = 0

        def read(self, size: int = -1) -> bytes:
            self.reads += 1
            return next(self.pieces)

    pipe = Pipe()
    sentences = stream(pipe)
    assert len(next(sentences)) == 1
    assert pipe.reads <= 2
    assert len(next(sentences)) == 2


def test_the_format_is_found_by_content(tmp_path: Path) -> None:
    path = tmp_path / "really_conllx.conllu"
    path.write_text(DUTCH)
    assert read(path).format == read(path)[0].format == next(stream(path)).format == "conllx"
    assert read(TEXT).format == "conllu"
    assert (read(TEXT) + read(path)).format == "mixed"
    assert read(words(0).encode()).format == "conllu"
    assert read(b"1\ta\t_\tX\t_\t_\t0\troot\t0:root\t_\n").format == "conllu"
    assert read(b"1\ta\t_\tX\t_\t_\t0\troot\t0\troot\n").format == "conllx"
    assert read(b"1\ta\t_\tX\t_\tsg|nom\t0\troot\t_\t_\n").format == "conllx"


def test_several_sources_make_one_treebank_in_order(tmp_path: Path) -> None:
    paths = [tmp_path / f"{i}.conllu" for i in range(7)]
    for i, path in enumerate(paths):
        path.write_text(words(*range(i + 1)) * (i + 1))
    for threads in (0, 1, 3):
        tb = read(paths, threads=threads)
        assert [len(sentence) for sentence in tb] == [n for n in range(1, 8) for _ in range(n)]
        assert [len(part) for part in read_many(paths, threads=threads)] == list(range(1, 8))
    assert [part.name for part in read_many(*paths[:2])] == ["0", "1"]
    assert read(paths).name == "7 sources"
    assert read(paths[:2]).name == "0 + 1"
    assert read(tmp_path).name == tmp_path.name
    assert read(paths[0], name="mine").name == "mine"
    with pytest.raises(NonprojError, match="threads is -1"):
        read(paths, threads=-1)


@pytest.mark.parametrize("block", [1, 7, 64, 1000])
def test_streaming_is_reading(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nonproj.treebank.inputs.BLOCK", 4 * block)
    text = ("\ufeff" + SPANISH + words(1) + "\n" + VIETNAMESE + "# x\n\n" + words(2, 0)).encode()
    tb, sentences = read(io.BytesIO(text), on_error="skip"), stream(io.BytesIO(text), on_error="skip")
    for streamed, sentence in zip(sentences, tb, strict=True):
        assert streamed == sentence
        assert (streamed.line, streamed.sent_id, bytes(streamed)) == (
            sentence.line,
            sentence.sent_id,
            bytes(sentence),
        )
    assert sentences.skipped == tb.skipped
    assert len(tb.skipped) == 1


@pytest.mark.parametrize("threads", [1, 2])
def test_a_very_long_sentence_takes_linear_time(threads: int) -> None:
    def seconds(n: int) -> float:
        text = words(*range(n)).encode()
        begin = time.process_time()
        assert len(read([text] * threads, threads=threads)[0]) == n
        assert len(next(stream(io.BytesIO(text)))) == n
        return time.process_time() - begin

    seconds(1000)
    assert seconds(100_000) < 2
    assert read(words(*range(2, 100_001), 0).encode()).heads[-1] == 0


def test_text_yet_to_be_parsed() -> None:
    text = words("_", "_", "_").encode()
    with pytest.raises(FormatError, match="HEAD of word 1 is '_'"):
        read(text)
    tb = read(text + words(2, 0).encode(), unparsed=True)
    assert tb.heads.tolist() == [-1, -1, -1, 2, 0]
    assert tb[0].with_heads([2, 0, 2]).heads == (2, 0, 2)
    assert [s.heads for s in stream(text, unparsed=True)] == [(-1, -1, -1)]
    with pytest.raises(FormatError, match=":2: sentence 1: HEAD of word 2 is '_', but other words have heads"):
        read(words(0, "_").encode(), unparsed=True)


def test_the_sample() -> None:
    tb = example_treebank()
    assert tb.name == "sample"
    assert len(tb) > 0
    assert all(sentence.tree.heads == sentence.heads for sentence in tb)


cells = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\t\n\r"), min_size=1, max_size=5)


@given(
    st.lists(st.lists(st.tuples(st.integers(0, 9), *[cells] * 8), min_size=1, max_size=9), max_size=4),
    st.sampled_from(["\n", "\r\n"]),
)
def test_any_text_in_the_cells(sentences: list[list[Any]], line_end: str) -> None:
    """Whatever the cells hold, they come back; a head is the word before or the root, so it is a tree."""
    lines = []
    for sentence in sentences:
        for i, (choice, *cells_before, deprel, deps, misc) in enumerate(sentence):
            row = [str(i + 1), *cells_before, str(min(choice, i)), deprel, deps, misc]
            lines.append("\t".join(row))
        lines.append("")
    text = "".join(line + line_end for line in lines)
    tb = read(text.encode())
    check_same(tb, text)
    assert tb.to_text() == text
