"""The treebanks that the page shows: those named when it was started, and those dropped on it since."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from pathlib import PurePath
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from nonproj.errors import NonprojError
from nonproj.report.coverage import TreebankCoverage
from nonproj.report.names import path_of
from nonproj.treebank import Sentence, Source, Treebank, example_treebank, read, sources
from nonproj.treebank.inputs import distinct_names, read_blocks
from nonproj.trees import profile_trees
from nonproj.trees.classes import CATALOGUE
from nonproj.web.limits import Limits
from nonproj.web.query import NotFound, Query

if TYPE_CHECKING:
    from nonproj.text import Pipeline
    from nonproj.trees import Tree

_RELATIONS_FROM = 20_000  # sentences that the list of relations is made from


class Shelf:
    """One treebank with what is measured of it, once, when it is first asked for."""

    def __init__(self, name: str, treebank: Treebank, *, is_dropped: bool = False) -> None:
        self.name, self.treebank, self.is_dropped = name, treebank, is_dropped
        self._lock = threading.Lock()
        self.having = lru_cache(maxsize=16)(self._having)
        self.containing = lru_cache(maxsize=4)(self._containing)

    @property
    def coverage(self) -> TreebankCoverage:
        """How many trees each class leaves outside; two browsers that ask at once wait for one measurement."""
        with self._lock:
            return self._coverage

    @cached_property
    def _coverage(self) -> TreebankCoverage:
        profiles = profile_trees(self.treebank.heads, self.treebank.offsets, solvers=[cls.solver for cls in CATALOGUE])
        return TreebankCoverage(self.name, profiles, CATALOGUE, self.treebank.skipped, [self.treebank])

    @cached_property
    def held(self) -> dict[str, npt.NDArray[np.int8]]:
        """Membership of every tree by class: 1 inside, 0 outside, -1 where it could not be settled."""
        return {cls.name: cls.holds(self.coverage.profiles) for cls in CATALOGUE}

    @cached_property
    def lengths(self) -> npt.NDArray[np.int64]:
        """The words of every sentence."""
        return np.diff(self.treebank.offsets)

    @property
    def crossings(self) -> npt.NDArray[np.int32]:
        """The crossings of every tree."""
        return self.coverage.profiles.column("crossings")

    @cached_property
    def relations(self) -> list[str]:
        """The relations of the first sentences, the most frequent first."""
        counted = Counter(self.treebank[:_RELATIONS_FROM].column("deprel"))
        return [name for name, _ in counted.most_common(200)]

    def _having(self, relation: str) -> npt.NDArray[np.bool_]:
        """Whether each sentence has an arc of this relation: the bytes of the column are compared, not cut."""
        wanted = relation.encode()
        found = []
        for starts, text in self.treebank.cells("deprel"):
            hit = np.diff(starts) == len(wanted)
            at = starts[:-1][hit]
            equal = np.ones(len(at), bool)
            for place, byte in enumerate(wanted):
                equal &= text[at + place] == byte
            hit[hit] = equal
            found.append(hit)
        words = np.concatenate(found) if found else np.zeros(0, bool)
        counts = np.concatenate([[0], np.cumsum(words)])
        offsets = self.treebank.offsets
        result: npt.NDArray[np.bool_] = counts[offsets[1:]] > counts[offsets[:-1]]
        return result

    def _containing(self, text: str) -> npt.NDArray[np.bool_]:
        return self.treebank.containing(text)

    def sentence(self, number: int, sent_id: str = "") -> tuple[int, Sentence]:
        """A sentence by its number from 0; where another id stands there, the one with the id is looked for."""
        count = len(self.treebank)
        if number < count and (not sent_id or self.treebank[number].sent_id == sent_id):
            return number, self.treebank[number]
        if sent_id:
            for place in np.flatnonzero(self.containing(sent_id)).tolist():
                if self.treebank[place].sent_id == sent_id:
                    return place, self.treebank[place]
            if sent_id.isdigit() and 0 < int(sent_id) <= count:
                return int(sent_id) - 1, self.treebank[int(sent_id) - 1]
            raise NotFound(f"{self.name} has no sentence with the id {sent_id[:80]!r}")
        raise NotFound(f"{self.name} has {count} sentences, there is no sentence {number + 1}")


_SAMPLE = Shelf("sample", example_treebank())


class Library:
    """Treebanks by name, and a trained model if one was given.

    >>> from nonproj import example_treebank
    >>> library = Library([example_treebank()])
    >>> library.names, len(library.shelf("sample").treebank)
    (['sample'], 75)
    """

    def __init__(
        self, treebanks: Iterable[Treebank] = (), *, model: Pipeline | None = None, limits: Limits | None = None
    ) -> None:
        self.model = model
        self.limits = limits or Limits()
        self._shelves: dict[str, Shelf] = {}
        self._lock = threading.Lock()
        given = list(treebanks)
        for name, treebank in zip(distinct_names([(treebank.name,) for treebank in given]), given, strict=True):
            self._shelves[name] = Shelf(name, treebank)

    @classmethod
    def open(cls, files: Sequence[Source], *, model: Pipeline | None = None, limits: Limits | None = None) -> Library:
        """Read files and folders, one treebank a file, without the sentences that are not valid."""
        found = sources(list(files)) if files else []
        names = distinct_names([path_of(source) for source in found])
        treebanks = [read(source, on_error="skip", name=name) for source, name in zip(found, names, strict=True)]
        return cls(treebanks, model=model, limits=limits)

    @property
    def names(self) -> list[str]:
        """The names of the treebanks."""
        return list(self._shelves)

    @property
    def shelves(self) -> list[Shelf]:
        """The treebanks, those dropped on the page last."""
        return list(self._shelves.values())

    def shelf(self, name: str) -> Shelf:
        """The treebank of that name."""
        shelf = self._shelves.get(name)
        if shelf is None and name == _SAMPLE.name:
            return _SAMPLE  # the tour goes through it, whatever else is open
        if shelf is None:
            raise NotFound(f"no treebank is called {name[:80]!r}; there are: {', '.join(self.names) or 'none'}")
        return shelf

    def drop(self, name: str, content: bytes) -> Shelf:
        """Take in a treebank that was dropped on the page; it is kept in memory only."""
        plain, size = [], 0
        for block in read_blocks(content):
            size += len(block)
            if size > self.limits.upload:
                raise NonprojError(
                    f"{name}: unpacked it has more than {self.limits.upload >> 20} MiB: name it on the command line"
                )
            plain.append(block)
        title = PurePath(name.replace("\\", "/")).name[:80] or "dropped"
        treebank = read(b"".join(plain), on_error="skip", name=title)
        if not len(treebank):
            why = str(treebank.skipped[0].message) if treebank.skipped else "; ".join(treebank.empty)
            where = f" at line {treebank.skipped[0].line}" if treebank.skipped else ""
            raise NonprojError(f"{title}: there is no valid sentence in it: {why}{where}")
        with self._lock:
            taken, number = title, 1
            while taken in self._shelves:
                number += 1
                taken = f"{title} ({number})"
            shelf = Shelf(taken, treebank, is_dropped=True)
            self._shelves[taken] = shelf
            self._forget_oldest()
        return shelf

    def _forget_oldest(self) -> None:
        dropped = [shelf for shelf in self._shelves.values() if shelf.is_dropped]
        total = sum(len(bytes(shelf.treebank)) for shelf in dropped)
        while total > self.limits.kept and len(dropped) > 1:
            oldest = dropped.pop(0)
            total -= len(bytes(oldest.treebank))
            del self._shelves[oldest.name]

    def asked(self, query: Query) -> tuple[Shelf, int, Sentence, Tree]:
        """The sentence that a request names by ``treebank``, ``number`` and ``id``, and its tree, or ``heads``."""
        from nonproj.trees import Tree

        shelf = self.shelf(query.text("treebank"))
        number, sentence = shelf.sentence(query.number("number", 0), query.text("id"))
        if len(sentence) > self.limits.words:
            raise NonprojError(f"the sentence has {len(sentence)} words, more than the page draws, {self.limits.words}")
        heads = query.heads()
        if heads is None:
            return shelf, number, sentence, sentence.tree
        return shelf, number, sentence, Tree(heads, forms=sentence.forms, deprels=sentence.deprels)
