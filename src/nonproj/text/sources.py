"""What a pipeline reads: raw text, words line by line, or CoNLL; and how it is told which of them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, count, pairwise
from typing import Literal

import numpy as np

from nonproj import _core
from nonproj.errors import FormatError, NonprojError
from nonproj.treebank import Source, Treebank
from nonproj.treebank.compression import refuse_archive
from nonproj.treebank.document import BYTE_ORDER_MARK, ReadOptions
from nonproj.treebank.inputs import label, read_blocks
from nonproj.treebank.reading import ADVICE, block_documents

Kind = Literal["auto", "conll", "text", "words"]
KINDS: tuple[Kind, ...] = ("auto", "conll", "text", "words")
BEGINNING = 1 << 18
"""Bytes of a source that say what it is, and which columns it lacks."""
_MARK = 8
"""Bytes that tell an archive from a text."""
_ROW = re.compile(rb"\d+(?:[-.]\d+)?\t")
_TREEBANK_COMMENT = re.compile(rb"#\s*(?:sent_id\b|text\s*=|new(?:doc|par)\b|global\.columns\b)")
_TELLING = re.compile(rb"[\n\r\t]")


class Beginning:
    """The first bytes of a source, of which no more is read than has to be known; and then all of it.

    What is decided by them is the same for a file and for a pipe, however few bytes that gives at a time.
    """

    def __init__(self, source: Source) -> None:
        is_file = isinstance(source, (str, os.PathLike)) and os.path.isfile(source)
        self.name, self.may_wait = label(source), not is_file and not isinstance(source, bytes)
        self._blocks = read_blocks(source)
        self._read: list[bytes] = []
        self._size = 0

    def parts(self) -> Iterator[bytes]:
        """The beginning block by block, as far as it was read, and then as far as it is asked for."""
        size = 0
        for at in count():
            if size >= BEGINNING or (at == len(self._read) and not self._more()):
                return
            yield self._read[at][: BEGINNING - size]
            size += len(self._read[at])

    def blocks(self) -> Iterator[bytes]:
        """All of the source."""
        while self._size < _MARK and self._more():
            pass
        read = b"".join(self._read)
        refuse_archive(read, self.name)
        return chain([read], self._blocks)

    def _more(self) -> bool:
        block = next(self._blocks, b"")
        if block:
            self._read.append(block)
            self._size += len(block)
        return len(block) > 0

    def is_conll(self) -> bool:
        """Whether it `looks_like_conll`; read until that is known."""
        text = b""
        for part in self.parts():
            text += part
            if _TELLING.search(part) and (told := _told_by_lines(text)) is not None:
                return told
        return looks_like_conll(text)

    def empty_columns(self, columns: Iterable[str], one_of: Iterable[str], *, refuses_broken: bool) -> list[str]:
        """Which columns of a CoNLL text have nothing in them; read until each is known, and ``one_of`` the others.

        Of a pipe, what comes with its first sentence tells.
        If the first sentence is broken, it may have been meant as raw text: then an error says how that is read.
        """
        every, others = set(columns), set(one_of)
        missing, has_any = every | others, False
        for document in block_documents(self.parts(), self.name, ReadOptions("skip", ignores_heads=True)):
            is_cut = document.is_whole and self._size >= BEGINNING
            if refuses_broken and document.breaks and document.breaks[0] == 0 and not (has_any or is_cut):
                raise FormatError(
                    f"{document.skipped[0]}{ADVICE}; if it is raw text, say so: --input text, or kind='text'"
                )
            if document.is_whole and has_any:  # the last sentence may be cut in the middle
                break
            treebank = Treebank.from_documents([document], self.name)
            missing = {column for column in missing if all(cell == "_" for cell in treebank.column(column))}
            has_any = has_any or len(treebank) > 0
            # A pipe may give the next sentence only once it has the answer to the first.
            is_known = not missing & every and (not others or not others <= missing)
            if has_any and (is_known or self.may_wait):
                break
        return sorted(missing) if has_any else []


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
    told = _told_by_lines(beginning + b"\n")
    if told is not None:
        return told
    # But "#words", "## Words".
    return all(line.startswith(b"# ") or not line.strip() for line in _lines(beginning))


def _told_by_lines(beginning: bytes) -> bool | None:
    """What the lines of a text tell, of which the last is not whole; None where all are empty or comments."""
    *lines, last = _lines(beginning + b" ")
    for line in lines:
        if not line.strip():
            continue
        if _TREEBANK_COMMENT.match(line):
            return True
        if not line.startswith(b"#"):
            cells = line.split()
            return bool(_ROW.match(line)) or (len(cells) >= 8 and cells.count(b"_") >= 2)
    return True if _ROW.match(last) else None


def _lines(text: bytes) -> list[bytes]:
    return text.removeprefix(BYTE_ORDER_MARK).splitlines()


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


def blocks_of_words(pieces: Iterable[bytes]) -> Iterator[_core.Block]:
    r"""One sentence a line, words with spaces between them; empty lines are passed over.

    >>> [block.column("form") for block in blocks_of_words([b"Dogs bark\n\nCats", b" sleep"])]
    [['Dogs', 'bark'], ['Cats', 'sleep']]
    """
    rest = b""
    for piece in chain(pieces, [b"\n"]):
        *lines, rest = (rest + piece).split(b"\n")
        if sentences := [words for line in lines if (words := line.decode().split())]:
            yield _core.Block.of_words(sentences)


def parts_by_empty_columns(block: _core.Block, columns: Sequence[str]) -> Iterator[tuple[_core.Block, list[str]]]:
    """Split a block into runs of sentences in which the same of the columns are empty, each with those columns."""
    if not len(block):
        return
    begins = block.offsets[:-1]
    has = [np.logical_or.reduceat([cell != "_" for cell in block.column(name)], begins) for name in columns]
    changes = np.any([each[1:] != each[:-1] for each in has], axis=0).nonzero()[0] + 1
    for begin, end in pairwise([0, *changes.tolist(), len(block)]):
        yield block[begin:end], [name for name, each in zip(columns, has, strict=True) if not each[begin]]
