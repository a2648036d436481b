"""What a pipeline reads: raw text, words line by line, or CoNLL; each as a file of CoNLL-U, made while it is read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import IO, Literal, cast

from nonproj.errors import FormatError, NonprojError
from nonproj.parser import as_conllu
from nonproj.treebank import Source, Treebank
from nonproj.treebank.compression import refuse_archive
from nonproj.treebank.document import BYTE_ORDER_MARK, Document, ReadOptions
from nonproj.treebank.inputs import label, read_blocks
from nonproj.treebank.reading import ADVICE

Kind = Literal["auto", "conll", "text", "words"]
KINDS: tuple[Kind, ...] = ("auto", "conll", "text", "words")
BEGINNING = 1 << 18
"""As many bytes of a source as say what it is, and which columns it lacks."""
_EMPTY_LINE = re.compile(rb"\n\r?\n")
_ROW = re.compile(rb"\d+(?:[-.]\d+)?\t")
_TREEBANK_COMMENT = re.compile(rb"#\s*(?:sent_id\b|text\s*=|new(?:doc|par)\b|global\.columns\b)")


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


def opened(source: Source, kind: Kind) -> tuple[str, bytes, Iterator[bytes]]:
    """Open a source: its name, the beginning of it, and all of it.

    Of a file the beginning is all there is up to `BEGINNING` bytes. Of a pipe, which may give the next sentence only
    once it has the answer to this one, it ends with the block that completes the first sentence.
    """
    name, blocks = label(source), read_blocks(source)
    text = next(blocks, b"")
    if kind in ("auto", "conll"):
        while len(text) < BEGINNING and not _has_sentence(text) and (block := next(blocks, b"")):
            text += block
    refuse_archive(text, name)
    return name, text[:BEGINNING], chain([text], blocks)


def _has_sentence(text: bytes) -> bool:
    """Whether an empty line ends some line of a text that is no comment."""
    if not _EMPTY_LINE.search(text):
        return False
    has_words = False
    for line in text.split(b"\n")[:-1]:
        if not line.strip():
            if has_words:
                return True
        elif not line.startswith(b"#"):
            has_words = True
    return False


def looks_like_conll(beginning: bytes) -> bool:
    r"""Whether a text is CoNLL, or was meant to be: told by its first line that is neither empty nor a comment.

    That line has an ID and a tab, or 8 cells or more of which two are ``_``, apart by tabs or spaces: rows that lack a
    column, or have spaces for tabs, are meant as CoNLL; headings of Markdown and tables with tabs are not. Comments as
    treebanks have them, such as ``# sent_id = 1``, are enough. A text of comments and empty lines alone is CoNLL too.

    >>> looks_like_conll(b"\n# any comment\n1\tYes"), looks_like_conll(b"1 Yes yes INTJ _ _ 0 root _ _")
    (True, True)
    >>> looks_like_conll(b"# My notes\n\n- Yes."), looks_like_conll(b"name\ttext\nAda\tYes.")
    (False, False)
    """
    has_words = False
    for line in beginning.removeprefix(BYTE_ORDER_MARK).splitlines():
        if not line.strip():
            continue
        if _TREEBANK_COMMENT.match(line):
            return True
        if not line.startswith(b"#"):
            cells = line.split()
            return bool(_ROW.match(line)) or (len(cells) >= 8 and cells.count(b"_") >= 2)
        has_words |= not line.startswith(b"# ")  # but "#words", "## Words"
    return not has_words


def refuse_broken_start(beginning: bytes, name: str) -> None:
    """Raise what is wrong with the first sentence of what looks like CoNLL, and say how it is read as raw text."""
    options = ReadOptions("skip", ignores_heads=True)
    document = Document(beginning, name, options, is_whole=len(beginning) < BEGINNING)
    if document.breaks and document.breaks[0] == 0:
        raise FormatError(f"{document.skipped[0]}{ADVICE}; if it is raw text, say so: --input text, or kind='text'")


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
