"""The values that a network knows, by number, and treebanks in such numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from nonproj.errors import NonprojError
from nonproj.neural.tags import TagSet
from nonproj.treebank import Treebank
from nonproj.treebank.sentences import Sentences

Numbers = npt.NDArray[np.int64]

PADDING, UNKNOWN = 0, 1
_RESERVED = 2
# A word is known by its characters too, so the rare ones need no vector of their own.
_LEAST = {"form": 2, "lemma": 2}
COLUMNS = ("form", "lemma", "upos", "xpos")
LONGEST_FORM = 40
_LARGEST = 1 << 22
_FEW = 0.1  # a column that less than this share of words has something in is none


@dataclass(frozen=True)
class Alphabets:
    """For each source of what is known about a word its values; a value's number is its place, after the reserved.

    ``columns`` are those of `COLUMNS` that the training set has; ``feats`` are pairs Name=Value. A network that
    predicts tags reads forms alone, and has ``tags``.
    """

    columns: dict[str, list[str]]
    characters: list[str]
    feats: list[str]
    tags: TagSet | None = None

    @classmethod
    def of(cls, treebank: Treebank, tags: TagSet | None = None) -> Alphabets:
        """Those of a training set.

        >>> from nonproj.treebank import example_treebank
        >>> found = Alphabets.of(example_treebank())
        >>> list(found.columns), found.feats
        (['form', 'lemma', 'upos'], [])
        """
        columns = {}
        for name in COLUMNS if tags is None else ("form",):
            counts = Counter(treebank.column(name))
            if sum(counts.values()) - counts.pop("_", 0) >= _FEW * len(treebank.heads) or name == "form":
                columns[name] = _frequent(counts, _LEAST.get(name, 1))
        characters = Counter[str]()
        for form in treebank.column("form"):
            characters.update(form)
        cells = treebank.column("feats") if tags is None else []
        feats = Counter(pair for cell in cells for pair in _pairs(cell))
        return cls(columns, _frequent(characters, 2), _frequent(feats, 1), tags)

    def header(self) -> dict[str, Any]:
        """As a model's header keeps them."""
        tags = {} if self.tags is None else {"tags": self.tags.header()}
        return {"columns": self.columns, "characters": self.characters, "feats": self.feats, **tags}

    @classmethod
    def from_header(cls, given: Any) -> Alphabets:
        """As they were read from a file; what is no alphabet is an error."""
        tags = TagSet.from_header(given["tags"]) if "tags" in given else None
        found = cls(dict(given["columns"]), given["characters"], given["feats"], tags)
        if not set(found.columns) <= set(COLUMNS) or "form" not in found.columns:
            raise NonprojError("its alphabets are of columns that there are not")
        for values in (*found.columns.values(), found.characters, found.feats):
            is_sound = isinstance(values, list) and all(isinstance(value, str) for value in values)
            if not is_sound or len(set(values)) != len(values) or len(values) > _LARGEST:
                raise NonprojError("its alphabets are damaged")
        return found


def size_of(values: Sequence[str]) -> int:
    """How many vectors an alphabet needs."""
    return len(values) + _RESERVED


@dataclass(frozen=True)
class Coded:
    """A treebank in numbers: flat arrays over its words; characters and features once for each distinct cell."""

    offsets: Numbers
    columns: dict[str, Numbers]
    forms: Numbers
    """Of each word the place in `spelt` and the row of `characters`."""
    spelt: list[str]
    characters: Numbers
    cells: Numbers
    """Of each word the row of `feats`."""
    feats: Numbers
    heads: Numbers
    relations: Numbers
    """-1 for those that are not known."""
    tags: Numbers
    rules: Numbers
    """What a network with joint heads is to predict; -1 for what is not known, or not asked."""

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def lengths(self) -> Numbers:
        """How many words each sentence has."""
        return np.diff(self.offsets)


def coded(treebank: Sentences, alphabets: Alphabets, relations: Sequence[str]) -> Coded:
    """A treebank in the numbers of alphabets."""
    columns = {name: _numbered(treebank.column(name), _numbers(values)) for name, values in alphabets.columns.items()}
    characters, pairs = _numbers(alphabets.characters), _numbers(alphabets.feats)
    forms, distinct_forms = _distinct(treebank.column("form"))
    cells, distinct_cells = _distinct(treebank.column("feats"))
    numbers = {relation: number for number, relation in enumerate(relations)}
    nothing = np.full(len(treebank.heads), -1, np.int64)
    tags, rules = (nothing, nothing) if alphabets.tags is None else alphabets.tags.numbered(treebank)
    return Coded(
        np.asarray(treebank.offsets, np.int64),
        columns,
        forms,
        distinct_forms,
        _table(_numbered(form[:LONGEST_FORM], characters) for form in distinct_forms),
        cells,
        _table(_numbered(_pairs(cell), pairs) for cell in distinct_cells),
        np.asarray(treebank.heads, np.int64),
        np.array([numbers.get(relation, -1) for relation in treebank.column("deprel")], np.int64),
        tags,
        rules,
    )


def batches(lengths: Numbers, words: int, order: Numbers | None = None) -> list[Numbers]:
    """Sentences of about equal length together, at most so many words with the padding, but one sentence at least.

    With an ``order``, lengths count by it as up to three words more, so that other sentences meet each time.

    >>> [batch.tolist() for batch in batches(np.array([3, 9, 4, 3]), 9)]
    [[0, 3], [2], [1]]
    """
    ranks = np.zeros(len(lengths)) if order is None else np.argsort(order) * (3 / len(order))
    found: list[list[int]] = []
    longest = 0
    for sentence in np.argsort(lengths + ranks, kind="stable").tolist():
        longest = max(longest, int(lengths[sentence]))
        if found and (len(found[-1]) + 1) * longest <= words:
            found[-1].append(sentence)
        else:
            found.append([sentence])
            longest = int(lengths[sentence])
    return [np.array(batch, np.int64) for batch in found]


def _frequent(counts: Counter[str], least: int) -> list[str]:
    """Most frequent first, so that the same treebank gives the same numbers."""
    return [value for value, n in sorted(counts.items(), key=lambda item: (-item[1], item[0])) if n >= least]


def _pairs(cell: str) -> list[str]:
    return [] if cell == "_" else cell.split("|")


def _numbers(alphabet: Sequence[str]) -> dict[str, int]:
    return {value: number for number, value in enumerate(alphabet, _RESERVED)}


def _numbered(values: Sequence[str], numbers: dict[str, int]) -> Numbers:
    return np.array([numbers.get(value, UNKNOWN) for value in values], np.int64)


def _distinct(values: Sequence[str]) -> tuple[Numbers, list[str]]:
    rows: dict[str, int] = {}
    places = np.array([rows.setdefault(value, len(rows)) for value in values], np.int64)
    return places, list(rows)


def _table(rows: Iterable[Numbers]) -> Numbers:
    """Rows of any length in one array, padded; at least one column."""
    listed = list(rows)
    table = np.full((len(listed), max([1, *(len(row) for row in listed)])), PADDING, np.int64)
    for line, row in zip(table, listed, strict=True):
        line[: len(row)] = row
    return table
