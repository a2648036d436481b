from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from conll_texts import SPANISH, VIETNAMESE, words

from nonproj import NonprojError
from nonproj.treebank import Sentence, Treebank, read, stream, write
from nonproj.treebank.compression import zstandard

TEXT = (SPANISH + VIETNAMESE + words(2, 0)).encode()
UNPACK: dict[str, Callable[[bytes], bytes]] = {
    ".conllu": bytes,
    ".conllu.gz": gzip.decompress,
    ".conllu.bz2": bz2.decompress,
    ".conll.xz": lzma.decompress,
    ".conllu.zst": zstandard("these tests").decompress,
}


@pytest.mark.parametrize("extension", UNPACK)
@pytest.mark.parametrize("text", [TEXT, b"", "\ufeff".encode() + TEXT.replace(b"\n", b"\r\n").rstrip()])
def test_same_bytes_compressed_by_extension(tmp_path: Path, extension: str, text: bytes) -> None:
    path = tmp_path / f"out{extension}"
    read(text).write(path)
    first = path.read_bytes()
    assert UNPACK[extension](first) == text
    assert bytes(read(path)) == text
    write(stream(text), path)
    assert UNPACK[extension](path.read_bytes()) == text
    read(text).write(str(path))
    assert path.read_bytes() == first
    assert os.listdir(tmp_path) == [path.name]


def test_open_files_and_standard_output(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    tb = read(TEXT)
    binary, string = io.BytesIO(), io.StringIO()
    tb.write(binary)
    tb.write(string)
    assert binary.getvalue() == string.getvalue().encode() == TEXT
    tb.write("-")
    assert capfdbinary.readouterr().out == TEXT


def test_write_takes_a_treebank_sentences_or_one() -> None:
    tb = read(TEXT + b"# nothing but a comment\n")
    chosen: list[tuple[Treebank | list[Sentence] | Sentence, bytes]]
    chosen = [(tb, bytes(tb)), (list(tb), bytes(tb)), (tb[1], bytes(tb[1]))]
    for given, expected in chosen:
        out = io.BytesIO()
        write(given, out)
        assert out.getvalue() == expected


def test_a_failure_leaves_the_old_file_and_no_other(tmp_path: Path) -> None:
    path = tmp_path / "out.conllu.gz"
    path.write_bytes(b"old")

    def sentences() -> object:
        yield read(TEXT)[0]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write(sentences(), path)  # type: ignore[arg-type]
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == [path.name]


def test_permissions_and_links_stay(tmp_path: Path) -> None:
    fresh, old, link = tmp_path / "fresh", tmp_path / "old", tmp_path / "link"
    umask = os.umask(0o027)
    try:
        read(TEXT).write(fresh)
    finally:
        os.umask(umask)
    assert stat.S_IMODE(fresh.stat().st_mode) == 0o640
    old.write_bytes(b"")
    old.chmod(0o604)
    link.symlink_to(old)
    read(TEXT).write(link)
    assert link.is_symlink()
    assert old.read_bytes() == TEXT
    assert stat.S_IMODE(old.stat().st_mode) == 0o604


def test_no_such_folder(tmp_path: Path) -> None:
    with pytest.raises(NonprojError, match=r"out\.conllu: cannot be written: No such file"):
        read(TEXT).write(tmp_path / "missing" / "out.conllu")
    with pytest.raises(NonprojError, match="cannot be written"):
        read(TEXT).write(tmp_path)


def test_a_device_is_written_in_place() -> None:
    read(TEXT).write(os.devnull)
    assert not os.path.isfile(os.devnull)


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize("ending", ["", "\n", "\n\n", "\n\n\n", "\n\n# tail", "\n\n# tail\n"])
def test_texts_are_joined_by_an_empty_line(line_end: str, ending: str) -> None:
    one = ("\ufeff" + words(2, 0).rstrip() + ending).replace("\n", line_end).encode()
    tb = read([one, one, one])
    text = bytes(tb)
    again = read(text)
    assert again.heads.tolist() == [2, 0] * 3
    assert [sentence.comments for sentence in again] == [[]] * 3
    assert text.count("\ufeff".encode()) == 1
    assert text.startswith(one)
    assert (b"\r" in text) == (line_end == "\r\n")
    assert [str(sentence) for sentence in again] == [str(sentence) for sentence in tb]


def test_strings_of_sentences_join_to_a_file() -> None:
    for text in (TEXT, TEXT.rstrip(), TEXT.replace(b"\n", b"\r\n")):
        joined = "".join(str(sentence) for sentence in read(text))
        assert joined.encode().rstrip() == text.rstrip()
        assert Treebank([Sentence.parse(str(s)) for s in read(text)]).to_text() == joined
