"""A treebank: the sentences of one or more files, with the heads of all their words in one array."""

from __future__ import annotations

import operator
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from typing import Any, Literal, NamedTuple, overload

import numpy as np
import numpy.typing as npt

from nonproj import _core
from nonproj.errors import NonprojError
from nonproj.treebank.document import Document, ReadOptions, Skipped
from nonproj.treebank.formats import Format
from nonproj.treebank.punctuation import without
from nonproj.treebank.query import Query
from nonproj.treebank.rewriting import fill, rewritten
from nonproj.treebank.rows import COLUMNS
from nonproj.treebank.sentence import Sentence
from nonproj.treebank.words import Words
from nonproj.treebank.writing import Target, joined, opened


class Run(NamedTuple):
    """Sentences that follow each other in a document, with nothing skipped between them."""

    document: Document
    start: int
    stop: int

    def range(self) -> tuple[int, int]:
        """Where in the document's text they begin and end."""
        return self.document.place(self.start).begin, self.document.place(self.stop - 1).end


def runs_of(document: Document) -> list[Run]:
    """Split a document where sentences were skipped."""
    cuts = [0, *document.breaks, len(document)]
    return [Run(document, a, b) for a, b in pairwise(cuts) if a < b]


class Treebank(Sequence[Sentence]):
    """Sentences in order, read from files or gathered from other treebanks.

    `read` makes one from files. A slice, a sum and `Treebank(sentences)` are views of the same text, so they
    are cheap, and what is written is what was read, byte for byte.

    >>> tb = Treebank([Sentence.parse("1\\tYes\\tyes\\tINTJ\\t_\\t_\\t0\\troot\\t_\\t_")], name="tiny")
    >>> tb + tb
    <Treebank tiny + tiny: 2 sentences, 2 words>
    >>> (tb + tb).heads
    array([0, 0], dtype=int32)
    """

    __slots__ = ("_heads", "_offsets", "_rest", "_runs", "_stops", "empty", "name", "skipped")

    def __init__(self, sentences: Iterable[Sentence] = (), *, name: str = "treebank") -> None:
        runs: list[Run] = []
        end = 0
        for sentence in sentences:
            document, index, place = sentence.document, sentence.index, sentence.place
            if runs and runs[-1].document is document and runs[-1].stop == index and end == place.begin:
                runs[-1] = runs[-1]._replace(stop=index + 1)
            else:
                runs.append(Run(document, index, index + 1))
            end = place.end
        self._fill(runs, name, [], b"")

    def _fill(self, runs: list[Run], name: str, skipped: list[Skipped], rest: bytes) -> None:
        self._runs = runs
        self._stops = list(accumulate(run.stop - run.start for run in runs))
        self._heads: npt.NDArray[np.int32] | None = None
        self._offsets: npt.NDArray[np.int64] | None = None
        self._rest = rest  # text without any sentence
        self.name = name
        self.skipped = skipped
        self.empty: list[str] = []
        """The sources in which there was no sentence at all, and what was there instead."""

    @classmethod
    def _of(cls, runs: list[Run], name: str, skipped: list[Skipped], rest: bytes = b"") -> Treebank:
        treebank = cls.__new__(cls)
        treebank._fill(runs, name, skipped, rest)
        return treebank

    @classmethod
    def from_documents(cls, documents: Iterable[Document], name: str) -> Treebank:
        """Gather the sentences of documents, and what was skipped in them."""
        documents = list(documents)
        runs = [run for document in documents for run in runs_of(document)]
        skipped = [skipped for document in documents for skipped in document.skipped]
        rest = b"".join(joined(document.rest for document in documents))
        treebank = cls._of(runs, name, skipped, rest)
        treebank.empty = [
            f"{document.file}: no sentence: {why}" for document in documents if (why := document.emptiness)
        ]
        return treebank

    def __len__(self) -> int:
        return self._stops[-1] if self._stops else 0

    def __iter__(self) -> Iterator[Sentence]:
        for document, start, stop in self._runs:
            for index in range(start, stop):
                yield Sentence(document, index)

    @overload
    def __getitem__(self, key: int) -> Sentence: ...
    @overload
    def __getitem__(self, key: slice) -> Treebank: ...
    def __getitem__(self, key: int | slice) -> Sentence | Treebank:
        if isinstance(key, slice):
            start, stop, step = key.indices(len(self))
            if step == 1:
                rest = self._rest if stop - start == len(self) else b""
                return self._of(list(self._between(start, stop)), self.name, [], rest)
            return Treebank((self[i] for i in range(start, stop, step)), name=self.name)
        index = operator.index(key)
        if not -len(self) <= index < len(self):
            raise IndexError(f"the treebank has {len(self)} sentences, there is no sentence {index}")
        index %= len(self)
        run = bisect_right(self._stops, index)
        document, _, stop = self._runs[run]
        return Sentence(document, stop - (self._stops[run] - index))

    def _between(self, start: int, stop: int) -> Iterator[Run]:
        before = 0
        for document, first, last in self._runs:
            begin, end = max(start - before, 0), min(stop - before, last - first)
            if begin < end:
                yield Run(document, first + begin, first + end)
            before += last - first

    def __add__(self, other: Treebank) -> Treebank:
        if not isinstance(other, Treebank):
            return NotImplemented
        rest = b"".join(joined([self._rest, other._rest]))
        name = f"{self.name} + {other.name}"
        both = self._of(self._runs + other._runs, name, self.skipped + other.skipped, rest)
        both.empty = self.empty + other.empty
        return both

    def __repr__(self) -> str:
        skipped = f", {len(self.skipped)} skipped" if self.skipped else ""
        return f"<Treebank {self.name}: {len(self)} sentences, {len(self.heads)} words{skipped}>"

    def _repr_html_(self) -> str:
        from nonproj.draw.notebook import html  # a notebook's hook: drawing is a later room, met only when shown

        return html(self)

    @property
    def heads(self) -> npt.NDArray[np.int32]:
        """The heads of all words in order; 0 is the root, -1 a head yet unknown. Read-only."""
        if self._heads is None:
            parts = [np.zeros(0, np.int32)]
            for (document, start, stop), offsets in zip(self._runs, self._run_offsets(), strict=True):
                parts.append(document.heads[offsets[0] : offsets[stop - start]])
            self._heads = parts[1] if len(parts) == 2 else np.concatenate(parts)
            self._heads.flags.writeable = False
        return self._heads

    @property
    def offsets(self) -> npt.NDArray[np.int64]:
        """Sentence i has the heads from ``offsets[i]`` up to ``offsets[i + 1]``. Read-only."""
        if self._offsets is None:
            lengths = [np.diff(offsets) for offsets in self._run_offsets()]
            self._offsets = np.zeros(len(self) + 1, np.int64)
            np.cumsum(np.concatenate([np.zeros(0, np.int64), *lengths]), out=self._offsets[1:])
            self._offsets.flags.writeable = False
        return self._offsets

    def _run_offsets(self) -> list[npt.NDArray[np.int64]]:
        return [document.offsets[start : stop + 1] for document, start, stop in self._runs]

    @property
    def runs(self) -> list[_core.ConllRun]:
        """The sentences as native code reads them, from the index that was made when they were read."""
        return [document.index.run(start, stop) for document, start, stop in self._runs]

    @property
    def rest(self) -> bytes:
        """Text without any sentence, such as comments, that comes after the last one."""
        return self._rest

    def block(self) -> _core.Block:
        """The sentences as one table, which the steps of a pipeline read and write."""
        return _core.Block(self.runs)

    @property
    def format(self) -> Format | Literal["mixed"]:
        """``"conllu"``, ``"conllx"`` or ``"mixed"``."""
        formats = {run.document.format for run in self._runs}
        return "mixed" if len(formats) > 1 else next(iter(formats), "conllu")

    def column(self, name: str) -> list[str]:
        """Cut one column out of all words: form, lemma, upos, xpos, feats, deprel, deps or misc."""
        if name not in COLUMNS:
            raise NonprojError(f"no column {name!r}, expected one of {', '.join(COLUMNS)}")
        cells: list[str] = []
        for run in self.runs:
            cells += run.column(COLUMNS[name])
        return cells

    def cells(self, name: str) -> Iterator[tuple[npt.NDArray[np.int64], npt.NDArray[np.uint8]]]:
        """Cut one column as `column` does, but into arrays of offsets and bytes, a pair for each run."""
        for run in self.runs:
            yield run.cells(COLUMNS[name])

    def containing(self, text: str) -> npt.NDArray[np.bool_]:
        """Whether each sentence contains this text, as it is written, anywhere in its lines, comments included.

        >>> from nonproj import example_treebank
        >>> treebank = example_treebank()
        >>> [treebank[int(i)].sent_id for i in np.flatnonzero(treebank.containing("hearing"))]
        ['en-hearing']
        """
        wanted, found = text.encode(), np.zeros(len(self), bool)
        before = 0
        for document, start, stop in self._runs:
            begins = np.array([document.place(index).begin for index in range(start, stop)])
            _, end = Run(document, start, stop).range()
            at = document.text.find(wanted, int(begins[0]), end) if wanted else -1
            while at >= 0:
                place = int(np.searchsorted(begins, at, side="right"))
                found[before + place - 1] = True
                # One hit a sentence will do: go on with the next one.
                at = document.text.find(wanted, int(begins[place]), end) if place < len(begins) else -1
            before += stop - start
        return found if wanted else np.ones(len(self), bool)

    def chosen(self, sentences: npt.ArrayLike) -> Treebank:
        """The sentences that are marked in an array with one truth value a sentence."""
        marks = np.asarray(sentences, np.bool_)
        if marks.shape != (len(self),):
            raise NonprojError(f"expected one mark for each of {len(self)} sentences, not the shape {marks.shape}")
        if marks.all():
            return self
        runs: list[Run] = []
        before = 0
        for document, start, stop in self._runs:
            padded = np.concatenate([[False], marks[before : before + stop - start], [False]])
            edges = np.flatnonzero(padded[1:] != padded[:-1]) + start
            runs += [Run(document, int(a), int(b)) for a, b in edges.reshape(-1, 2)]
            before += stop - start
        return self._like(runs)

    def _like(self, runs: list[Run]) -> Treebank:
        changed = self._of(runs, self.name, self.skipped)
        changed.empty = self.empty
        return changed

    def where(self, query: str | Query) -> Treebank:
        """The sentences with a word that fulfils a query, such as ``upos=VERB & crossing & class!=WG1``.

        How queries are written is said in `nonproj.treebank.query`, and what they can ask on the page on treebanks.

        >>> from nonproj.treebank import example_treebank
        >>> example_treebank().where("crossing & upos=ADV & head.upos=VERB")
        <Treebank sample: 6 sentences, 39 words>
        """
        asked = query if isinstance(query, Query) else Query(query)
        return self.chosen(asked.sentences(Words(self)))

    def without_punctuation(self) -> Treebank:
        """The sentences without their punctuation marks, whose dependents go to the next head that stays.

        What counts as a mark, and what happens to roots, is said in `nonproj.treebank.punctuation`.

        >>> from nonproj.treebank import example_treebank
        >>> len(example_treebank()[0]), len(example_treebank().without_punctuation()[0])
        (9, 8)
        """
        words = Words(self)
        left = Treebank(without(words, words.is_punctuation), name=self.name)
        return self._like(left._runs)

    def __bytes__(self) -> bytes:
        return b"".join(self._parts())

    def to_text(self) -> str:
        """Give the text as a file would have it."""
        return bytes(self).decode()

    def write(self, target: Target) -> None:
        """Write to a path, an open file or ``"-"``, as `nonproj.write` does."""
        with opened(target) as file:
            for part in self._parts():
                file.write(part)

    def _parts(self) -> Iterator[bytes]:
        texts = (document.text[slice(*Run(document, start, stop).range())] for document, start, stop in self._runs)
        return joined([*texts, self._rest] if self._rest else texts)

    def with_heads(self, heads: npt.ArrayLike, deprels: Sequence[str] | None = None) -> Treebank:
        """Copy the treebank with other heads, and maybe relations, for all its words in order."""
        written = self.text_with_heads(heads, deprels)
        form = None if self.format == "mixed" else self.format
        return Treebank.from_documents([Document(written, self.name, format=form)], self.name)

    def text_with_heads(self, heads: npt.ArrayLike, deprels: Sequence[str] | None = None) -> bytes:
        """Give the text of `with_heads`, without making a treebank of it."""
        return b"".join(joined([*rewritten(self.runs, heads, deprels), self._rest]))

    def with_columns(self, **cells: Sequence[str]) -> Treebank:
        """Copy the treebank with other cells in some of the columns lemma, upos, xpos and feats, for all its words.

        >>> tb = Treebank([Sentence.parse("1\\tYes\\t_\\tX\\t_\\t_\\t0\\troot\\t_\\t_")])
        >>> tb.with_columns(lemma=["yes"], upos=["INTJ"]).to_text().strip()
        '1\\tYes\\tyes\\tINTJ\\t_\\t_\\t0\\troot\\t_\\t_'
        """
        block = self.block()
        fill(block, cells)
        written = b"".join(joined([*block.written(), self._rest]))
        form = None if self.format == "mixed" else self.format
        options = ReadOptions(unparsed=True)
        return Treebank.from_documents([Document(written, self.name, options, format=form)], self.name)

    def to_conllu(self) -> list[Any]:
        """Convert to a list of `conllu.TokenList`."""
        from nonproj.treebank.tokens import to_conllu

        return to_conllu(self.to_text())

    @staticmethod
    def from_conllu(token_lists: Iterable[Any], *, name: str = "conllu") -> Treebank:
        """Make a treebank of `conllu.TokenList` objects."""
        from nonproj.treebank.tokens import from_conllu

        return Treebank.from_documents([from_conllu(token_lists, name)], name)

    def to_arrow(self) -> Any:
        """Convert to a `pyarrow.Table` with one row a word."""
        from nonproj.treebank.tables import to_arrow

        return to_arrow(self, [sentence.sent_id for sentence in self])

    @staticmethod
    def from_arrow(table: Any, *, name: str = "arrow") -> Treebank:
        """Make a treebank of a `pyarrow.Table` such as `to_arrow` gives."""
        from nonproj.treebank.tables import from_arrow

        return Treebank.from_documents([from_arrow(table, name)], name)

    def to_pandas(self) -> Any:
        """Convert to a `pandas.DataFrame` with one row a word."""
        from nonproj.treebank.tables import to_pandas

        return to_pandas(self, [sentence.sent_id for sentence in self])

    @staticmethod
    def from_pandas(frame: Any, *, name: str = "pandas") -> Treebank:
        """Make a treebank of a `pandas.DataFrame` such as `to_pandas` gives."""
        from nonproj.treebank.tables import from_pandas

        return Treebank.from_documents([from_pandas(frame, name)], name)


def write(sentences: Iterable[Sentence] | Sentence, target: Target) -> None:
    """Write a treebank, sentences one after the other, or a single one, as the bytes they came with.

    The target is a path (compressed when it ends in ``.gz``, ``.bz2``, ``.xz`` or ``.zst``), ``"-"`` for standard
    output or an open file. A file gets its name when all is written: there is never half a file.

    >>> import io
    >>> out = io.BytesIO()
    >>> write([Sentence.parse("1\\tYes\\tyes\\tINTJ\\t_\\t_\\t0\\troot\\t_\\t_")] * 2, out)
    >>> out.getvalue().decode().splitlines()[1:3]
    ['', '1\\tYes\\tyes\\tINTJ\\t_\\t_\\t0\\troot\\t_\\t_']
    """
    if isinstance(sentences, Treebank):
        sentences.write(target)
        return
    given = [sentences] if isinstance(sentences, Sentence) else sentences
    with opened(target) as file:
        for part in joined(bytes(sentence) for sentence in given):
            file.write(part)
