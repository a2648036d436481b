"""Steps over blocks of sentences, and the one loop that runs them: for a call, a stream, a treebank alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from nonproj import _core
from nonproj.errors import NonprojError
from nonproj.parser.vocabulary import Fit, Vocabulary
from nonproj.treebank import Treebank
from nonproj.treebank.document import Document, OnError, ReadOptions, Skipped, nothing_in
from nonproj.treebank.reading import ADVICE, block_documents
from nonproj.treebank.writing import joined_blocks

Step: TypeAlias = Callable[[_core.Block, int], None]
"""Fills in something of the sentences of a block, on so many threads."""


@dataclass(frozen=True)
class Given:
    """Sentences to work on, with what says where they stand: the treebank they were read into, or a file of text."""

    block: _core.Block
    file: str
    treebank: Treebank | None = None
    document: Document | None = None
    """The document that ends with these sentences, if one does: what else is in it comes after them."""

    def part(self, first: int, last: int) -> Given:
        """Some of the sentences."""
        treebank = None if self.treebank is None else self.treebank[first:last]
        return Given(self.block[first:last], self.file, treebank)

    def left_out(self, message: str) -> Skipped:
        """The only sentence, as one that was left out."""
        text = b"".join(self.block.written())
        if self.treebank is None:
            line, number = self.block.place(0)
            return Skipped(self.file, line, str(number), message, text)
        (sentence,) = self.treebank
        return Skipped(sentence.document.file, sentence.place.line, sentence.sent_id, message, text)


Source: TypeAlias = tuple[Iterable[Given | bytes], Sequence[Step]]
"""Sentences of one source, and the steps that they need; bytes are given back as they are."""


def run_steps(
    sources: Iterable[Source],
    threads: int,
    on_error: OnError,
    skipped: list[Skipped],
    progress: Callable[[int], None] = lambda _: None,
) -> Iterator[bytes]:
    """Run the steps of each source over its blocks; gives text to be written in order.

    Sentences that cannot be read or analysed raise an error, or are ``skipped``. ``progress`` is told how many
    sentences are done.
    """
    done = 0

    def texts(given: Iterable[Given | bytes], steps: Sequence[Step]) -> Iterator[bytes]:
        nonlocal done
        for each in given:
            if isinstance(each, bytes):
                yield each
                continue
            yield from analysed(each, steps, threads, on_error, skipped)
            if each.document is not None:
                yield each.document.rest
                each.document.raise_first_fault(ADVICE)
                skipped.extend(each.document.skipped)
            done += len(each.block)
            progress(done)

    return joined_blocks(texts(given, steps) for given, steps in sources)


def analysed(
    given: Given, steps: Sequence[Step], threads: int, on_error: OnError, skipped: list[Skipped]
) -> Iterator[bytes]:
    """The text of sentences after all steps; one that a step fails at is found by halving, and named or skipped."""
    for done, step in enumerate(steps):
        try:
            step(given.block, threads)
        except (NonprojError, MemoryError) as error:
            count = len(given.block)
            if count == 0:
                raise
            if count > 1:
                for first, last in ((0, count // 2), (count // 2, count)):
                    yield from analysed(given.part(first, last), steps[done:], threads, on_error, skipped)
                return
            fault = given.left_out(str(error) or "there is not enough memory to parse it")
            if on_error == "stop":
                raise NonprojError(f"{fault}{ADVICE}") from None
            skipped.append(fault)
            return
    yield from given.block.written()


def conll_blocks(blocks: Iterable[bytes], name: str, on_error: OnError, empty: list[str]) -> Iterator[Given]:
    """The sentences of CoNLL, whose heads do not matter; where there is none, ``empty`` is told what is there."""
    has_any = False
    for document in block_documents(blocks, name, ReadOptions(on_error, ignores_heads=True)):
        treebank = Treebank.from_documents([document], name)
        has_any = has_any or not document.emptiness
        yield Given(treebank.block(), name, treebank, document)
    if not has_any:
        empty.append(f"{name}: no sentence: {document.emptiness}")


def text_blocks(blocks: Iterable[_core.Block], name: str, empty: list[str]) -> Iterator[Given]:
    """The sentences of a text; where there is none, ``empty`` is told so."""
    has_any = False
    for block in filter(len, blocks):
        has_any = True
        yield Given(block, name)
    if not has_any:
        empty.append(f"{name}: no sentence: {nothing_in(b'')}")


class Looking:
    """The step that says, once, what the input lacks that a parser was trained with; at the end, what was empty."""

    def __init__(self, vocabulary: Vocabulary, notice: Callable[[str], None]) -> None:
        self._fit, self._notice = Fit(vocabulary), notice
        self.empty: list[str] = []

    def __call__(self, block: _core.Block, threads: int) -> None:
        """Look at sentences before they are parsed."""
        if self._fit.has_seen_enough:
            return
        self._fit.look(block)
        if self._fit.has_seen_enough:
            self._say(self._fit.misfits())

    def to_the_end(self, texts: Iterator[bytes]) -> Iterator[bytes]:
        """Texts as they come, and what is still to be said after the last."""
        yield from texts
        if not self._fit.has_seen_enough:
            self._say(self._fit.misfits())
        self._say(self.empty)

    def _say(self, messages: Iterable[str]) -> None:
        for message in messages:
            self._notice(message)
