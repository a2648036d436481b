"""What a pipeline reads: raw text, words line by line, or CoNLL; each as a file of CoNLL-U, made while it is read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import IO, Literal, cast

from nonproj.errors import NonprojError
from nonproj.parser import as_conllu
from nonproj.treebank import Source, Treebank
from nonproj.treebank.compression import refuse_archive
from nonproj.treebank.document import BYTE_ORDER_MARK, Document, ReadOptions
from nonproj.treebank.inputs import label, read_blocks

Kind = Literal["auto", "conll", "text", "words"]
KINDS: tuple[Kind, ...] = ("auto", "conll", "text", "words")
BEGINNING = 1 << 18
"""Bytes of a source that say what it is, and which columns it lacks."""


class MadeWhileRead:
    """What reading CoNLL-U asks of a file: to give what there is, and nothing only at the end."""

    def __init__(self, name: str, parts: Iterable[bytes]) -> None:
        self.name, self._parts = name, iter(parts)

    def read(self, size: int = -1) -> bytes:
        """Give the next part that is not empty; all that is left when no size is named."""
        if size < 0:
            return b"".join(self._parts)
        return next((part for part in self._parts if part), b"")


def as_file(name: str, parts: Iterable[bytes]) -> IO[bytes]:
    """Parts of a text as a file with a name."""
    return cast("IO[bytes]", MadeWhileRead(name, parts))


def opened(source: Source) -> tuple[str, bytes, Iterator[bytes]]:
    """A source's name, the beginning of it, and all of it.

    The beginning is all there is up to `BEGINNING` bytes, however few of them a pipe gives at a time: what is decided
    by it is the same for a file and for a pipe.
    """
    name, blocks = label(source), read_blocks(source)
    first: list[bytes] = []
    size = 0
    while size < BEGINNING and (block := next(blocks, b"")):
        first.append(block)
        size += len(block)
    text = b"".join(first)
    refuse_archive(text, name)
    return name, text[:BEGINNING], chain([text], blocks)


def looks_like_conll(beginning: bytes) -> bool:
    r"""Whether the first line that is not empty is a comment or has cells.

    >>> looks_like_conll(b"\n# text = Yes\n1\tYes"), looks_like_conll(b"Yes.\n"), looks_like_conll(b"")
    (True, False, True)
    """
    lines = beginning.removeprefix(BYTE_ORDER_MARK).splitlines()
    first = next((line for line in lines if line.strip()), b"#")
    return first.startswith(b"#") or b"\t" in first


def checked_text(blocks: Iterable[bytes], name: str) -> Iterator[bytes]:
    """Blocks of whole characters, without a byte order mark; what is no text is an error that names the line."""
    rest, line, is_first = b"", 1, True
    for block in chain(blocks, [None]):
        piece = rest + (block or b"")
        if is_first and block is not None:
            if len(piece) < len(BYTE_ORDER_MARK):
                rest = piece
                continue
            piece = piece.removeprefix(BYTE_ORDER_MARK)
        is_first = False
        end = len(piece) if block is None else _whole(piece)
        rest, piece = piece[end:], piece[:end]
        zero = piece.find(b"\0")
        if zero >= 0:
            place = line + piece.count(b"\n", 0, zero)
            raise NonprojError(f"{name}, line {place}: a NUL byte: this is no text (UTF-16 has to be made UTF-8 first)")
        try:
            piece.decode()
        except UnicodeDecodeError as error:
            place = line + piece.count(b"\n", 0, error.start)
            raise NonprojError(
                f"{name}, line {place}: not UTF-8: {error.reason}: convert the text, for instance with iconv"
            ) from None
        line += piece.count(b"\n")
        if piece:
            yield piece


def _whole(piece: bytes) -> int:
    """How much of a piece is surely whole characters: the last one may go on in the next piece."""
    for back in range(1, min(4, len(piece)) + 1):
        byte = piece[-back]
        if byte >= 0xC0:  # it begins a character of two bytes or more
            return len(piece) - back
        if byte < 0x80:
            break
    return len(piece)


def words_as_conllu(pieces: Iterable[bytes]) -> Iterator[bytes]:
    r"""One sentence a line, words with spaces between them, as CoNLL-U with nothing but forms.

    >>> list(words_as_conllu([b"Dogs bark\n"]))[0].split(b"\n")[0]
    b'# text = Dogs bark'
    """
    rest = b""
    for piece in pieces:
        *lines, rest = (rest + piece).split(b"\n")
        yield b"".join(map(_line_as_conllu, lines))
    yield _line_as_conllu(rest)


def _line_as_conllu(line: bytes) -> bytes:
    return b"".join(as_conllu([line.decode()]))


def empty_columns(beginning: bytes, name: str, columns: Iterable[str]) -> list[str]:
    """Which columns have nothing in them at the beginning of a CoNLL text."""
    options = ReadOptions("skip", ignores_heads=True)
    cut = beginning.rfind(b"\n\n") + 2
    for text, is_whole in ((beginning[:cut] if cut > 1 else beginning, False), (beginning, True)):
        treebank = Treebank.from_documents([Document(text, name, options, is_whole=is_whole)], name)
        if len(treebank):
            return [column for column in columns if all(cell == "_" for cell in treebank.column(column))]
    return []
