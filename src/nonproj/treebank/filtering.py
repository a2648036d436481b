"""Which sentences of a treebank to look at."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nonproj.errors import NonprojError
from nonproj.treebank.query import Query
from nonproj.treebank.treebank import Treebank


@dataclass(frozen=True)
class Filter:
    """Sentences by length and by a query, with or without their punctuation marks.

    Marks are taken out first, so that they count neither as words nor for the query. `nonproj.treebank.query` says how
    queries are written.

    >>> from nonproj.treebank import example_treebank
    >>> treebank = example_treebank()
    >>> kept = Filter(max_words=8, no_punctuation=True, where="class!=Pr").apply(treebank)
    >>> len(kept) < len(treebank), max(map(len, kept)) <= 8
    (True, True)
    """

    min_words: int = 0
    max_words: int | None = None
    no_punctuation: bool = False
    where: str | Query | None = None

    def __post_init__(self) -> None:
        if self.min_words < 0 or (self.max_words is not None and self.max_words < max(1, self.min_words)):
            raise NonprojError(f"no sentence has from {self.min_words} to {self.max_words} words")
        if isinstance(self.where, str):
            object.__setattr__(self, "where", Query(self.where))

    @property
    def keeps_all(self) -> bool:
        """Whether every sentence stays as it is."""
        return not (self.min_words > 1 or self.max_words is not None or self.no_punctuation or self.where is not None)

    @property
    def asks_for_ids(self) -> bool:
        """Whether the query has to know the ids of sentences."""
        return isinstance(self.where, Query) and "sent_id" in self.where.fields

    @property
    def needs_main_thread(self) -> bool:
        """Whether it has to run where Ctrl-C is heard: a regular expression may take any time and stops all threads."""
        return isinstance(self.where, Query) and self.where.has_expressions

    def apply(self, treebank: Treebank) -> Treebank:
        """The treebank with the sentences that pass; those skipped while reading are still listed."""
        kept = treebank.without_punctuation() if self.no_punctuation else treebank
        if self.min_words > 1 or self.max_words is not None:
            words = np.diff(kept.offsets)
            most = np.iinfo(np.int64).max if self.max_words is None else self.max_words
            kept = kept.chosen((words >= self.min_words) & (words <= most))
        return kept if self.where is None else kept.where(self.where)

    def __str__(self) -> str:
        """What it says, in words."""
        said = ["without punctuation"] if self.no_punctuation else []
        said += [f"of at least {self.min_words} words"] if self.min_words > 1 else []
        said += [f"of at most {self.max_words} words"] if self.max_words is not None else []
        said += [f"where {self.where}"] if self.where is not None else []
        return ", ".join(said) or "all sentences"
