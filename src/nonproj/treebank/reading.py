"""Treebanks in: whole, file by file in parallel, or sentence by sentence in constant memory."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from importlib.resources import files
from itertools import islice
from threading import Event
from typing import TypeVar

from nonproj.errors import FormatError, NonprojError
from nonproj.processors import processors, thread_pool
from nonproj.treebank.document import Document, OnError, ReadOptions, Skipped
from nonproj.treebank.formats import Format
from nonproj.treebank.inputs import (
    Source,
    distinct_names,
    label,
    listed,
    parts_of,
    read_blocks,
    read_bytes,
    sources,
    title,
)
from nonproj.treebank.sentence import Sentence
from nonproj.treebank.treebank import Treebank

Result = TypeVar("Result")

LONGEST_SENTENCE = 1 << 28
"""Bytes of a sentence with what stands before it, where memory must not grow with the text."""
_SENTENCE_END = re.compile(rb"\n\r?\n")
ADVICE = " (to leave out such sentences: --on-error skip, or on_error='skip')"


def read(
    source: Source | Iterable[Source],
    *,
    on_error: OnError = "stop",
    threads: int = 0,
    name: str | None = None,
    unparsed: bool = False,
) -> Treebank:
    """Read CoNLL-U or CoNLL-X into one treebank.

    Parameters
    ----------
    source
        A path, a folder (searched to its depths), a glob, ``"-"`` for standard input, an open file, ``bytes``
        that hold the text itself, or several of these. Format and compression are found by content.
    on_error
        What to do about a sentence that is not valid: ``"stop"`` raises `FormatError`, ``"skip"`` leaves it
        out and lists it in `Treebank.skipped`.
    threads
        How many files to read at a time; 0 takes one for every processor.
    name
        What to call the treebank; the file's name if not given.
    unparsed
        Accept sentences whose HEAD is ``_`` throughout; their heads are -1.

    >>> tb = read(b"1\\tYes\\tyes\\tINTJ\\t_\\t_\\t0\\troot\\t_\\t_\\n\\n", name="tiny")
    >>> tb, tb.heads, tb[0].forms
    (<Treebank tiny: 1 sentences, 1 words>, array([0], dtype=int32), ['Yes'])
    """
    given = listed(source)
    documents = _documents(sources(given), ReadOptions(on_error, unparsed), threads)
    return Treebank.from_documents(documents, title(given) if name is None else name)


def read_whole(source: Source | Iterable[Source]) -> Treebank:
    """Read as `read` does, for those who cannot go on when a sentence is left out: the error does not advise it.

    They compare treebanks, which may have the same name in different folders, so each has the whole of its path.
    """
    given = listed(source)
    name = label(given[0]) if len(given) == 1 else title(given)
    return Treebank.from_documents(_documents(sources(given), ReadOptions(), 0, advice=""), name)


def read_unparsed(source: Source | Iterable[Source]) -> Treebank:
    """Read as `read` does what will get other heads: those that are there are ignored."""
    given = listed(source)
    return Treebank.from_documents(_documents(sources(given), ReadOptions(ignores_heads=True), 0), title(given))


def read_many(
    *source: Source | Iterable[Source], on_error: OnError = "stop", threads: int = 0, unparsed: bool = False
) -> list[Treebank]:
    """Read sources as `read` does, in parallel, into one treebank a file.

    >>> text = b"1\\tYes\\tyes\\tINTJ\\t_\\t_\\t0\\troot\\t_\\t_\\n\\n"
    >>> [len(tb) for tb in read_many(text, text + text)]
    [1, 2]
    """
    found = [file for part in source for file in sources(part)]
    documents = _documents(found, ReadOptions(on_error, unparsed), threads)
    names = distinct_names([parts_of(file) for file in found])
    return [Treebank.from_documents([document], name) for name, document in zip(names, documents, strict=True)]


def stream(source: Source | Iterable[Source], *, on_error: OnError = "stop", unparsed: bool = False) -> SentenceStream:
    """Read sources as `read` does, but sentence by sentence, in memory that does not grow with the text.

    >>> text = b"1\\tYes\\tyes\\tINTJ\\t_\\t_\\t0\\troot\\t_\\t_\\n\\n"
    >>> [sentence.sent_id for sentence in stream([text, text + text])]
    ['1', '1', '2']
    """
    return SentenceStream(sources(source), ReadOptions(on_error, unparsed))


def stream_treebanks(source: Source | Iterable[Source], *, on_error: OnError = "stop") -> TreebankStream:
    """Read sources as `read` does, but block by block, in memory that does not grow with the text.

    >>> text = b"1\\tYes\\tyes\\tINTJ\\t_\\t_\\t0\\troot\\t_\\t_\\n\\n"
    >>> sum(len(treebank) for treebank in stream_treebanks([text, text + text]))
    3
    """
    return TreebankStream(sources(source), ReadOptions(on_error))


def example_treebank() -> Treebank:
    """Read the small treebank that comes with the package."""
    text = files("nonproj.treebank").joinpath("sample.conllu").read_bytes()
    return read(text, name="sample")


class TreebankStream(Iterator[Treebank]):
    """Sources block by block, each block a small treebank, in memory that does not grow with the text.

    `skipped` lists the sentences left out so far, `empty` the sources without any.
    """

    def __init__(self, found: list[Source], options: ReadOptions) -> None:
        self.skipped: list[Skipped] = []
        self.empty: list[str] = []
        self._treebanks = self._read(found, options)

    def __next__(self) -> Treebank:
        return next(self._treebanks)

    def _read(self, found: list[Source], options: ReadOptions) -> Iterator[Treebank]:
        for source in found:
            for document in nonempty_documents(source, options, self.empty):
                treebank = Treebank.from_documents([document], document.file)
                treebank.empty = []  # the next block may have a sentence
                if options.on_error == "skip":  # before the block is used, since that may end in the middle of it
                    self.skipped += document.skipped
                yield treebank
                document.raise_first_fault(ADVICE)


class SentenceStream(Iterator[Sentence]):
    """An iterator over sentences; `skipped` lists those left out so far, `empty` the sources without any."""

    def __init__(self, found: list[Source], options: ReadOptions) -> None:
        self._blocks = TreebankStream(found, options)
        self._sentences = (sentence for treebank in self._blocks for sentence in treebank)

    @property
    def skipped(self) -> list[Skipped]:
        """The sentences left out so far."""
        return self._blocks.skipped

    @property
    def empty(self) -> list[str]:
        """The sources that had no sentence, and what was there instead."""
        return self._blocks.empty

    def __next__(self) -> Sentence:
        return next(self._sentences)


def nonempty_documents(source: Source, options: ReadOptions, empty: list[str]) -> Iterator[Document]:
    """Index a source block by block; when there was no sentence in it, tell `empty` what was there instead."""
    has_any = False
    for document in block_documents(read_blocks(source), label(source), options):
        yield document
        has_any = has_any or not document.emptiness
    if not has_any:
        empty.append(f"{label(source)}: no sentence: {document.emptiness}")


def block_documents(
    blocks: Iterable[bytes],
    file: str,
    options: ReadOptions,
    *,
    form: Format | None = None,
    line: int = 1,
    number: int = 1,
) -> Iterator[Document]:
    """Index a text block by block; a sentence that runs on into the next block is left to it.

    A piece of a longer text has the format of the whole, given as ``form``, and its first line and sentence a number.
    """
    text = b""
    start = None if form is None else 0
    pending: list[bytes] = []
    for block in blocks:
        pending.append(block)
        before = pending[-2] if len(pending) > 1 else text
        # A long sentence without an end waits until the text has doubled.
        if sum(map(len, pending)) < len(text) and not _SENTENCE_END.search(before[-2:] + block):
            continue
        text, pending = b"".join([text, *pending]), []
        document = Document(
            text,
            file,
            options,
            format=form,
            start=start,
            is_whole=False,
            first_line=line,
            first_number=number,
        )
        yield document
        if document.index.rest > 0:
            text, form, start = text[document.index.rest :], document.format, 0
            line, number = document.index.rest_line, document.index.rest_number
        if len(text) > LONGEST_SENTENCE:
            raise FormatError(
                f"{file}:{line}: no sentence ends within the next {LONGEST_SENTENCE >> 20} MiB: this is no treebank, "
                "or the empty lines between its sentences are lost"
            )
    text = b"".join([text, *pending])
    yield Document(text, file, options, format=form, start=start, first_line=line, first_number=number)


def _documents(found: list[Source], options: ReadOptions, threads: int, advice: str = ADVICE) -> list[Document]:
    def document(source: Source, is_stopped: Callable[[], bool]) -> Document:
        result = Document(read_bytes(source, is_stopped), label(source), options, is_stopped=is_stopped)
        result.raise_first_fault(advice)
        return result

    return in_parallel(document, found, threads)


def ahead(items: Iterator[Result]) -> Iterator[Result]:
    """Each item is made on another thread while the one before it is in use.

    >>> list(ahead(iter("abc")))
    ['a', 'b', 'c']
    """
    with thread_pool(1) as pool:
        coming = pool.submit(list, islice(items, 1))
        while item := coming.result():
            coming = pool.submit(list, islice(items, 1))
            yield from item


def in_parallel(
    function: Callable[[Source, Callable[[], bool]], Result], found: list[Source], threads: int
) -> list[Result]:
    """Call the function for every source; at the first error, or Ctrl-C, tell the other calls to stop."""
    if threads < 0:
        raise NonprojError(f"threads is {threads}, expected 0 (one for every processor) or more")
    threads = min(threads or processors(), len(found))
    stop = Event()
    if threads <= 1:
        return [function(source, stop.is_set) for source in found]
    with thread_pool(threads) as pool:
        futures = [pool.submit(function, source, stop.is_set) for source in found]
        try:
            return [future.result() for future in futures]
        except BaseException:
            stop.set()
            for future in futures:
                future.cancel()
            raise
