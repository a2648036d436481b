"""The words of a treebank as columns: what queries, filters and statistics look at, made when it is asked for."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from nonproj import _core
from nonproj.processors import processors
from nonproj.treebank.rows import COLUMNS
from nonproj.treebank.sentence import Sentence
from nonproj.trees import Profiles, TreeClass, profile_trees
from nonproj.trees.profile import PROPERTIES

Mask: TypeAlias = npt.NDArray[np.bool_]
Places: TypeAlias = npt.NDArray[np.int64]

PLACES: dict[str, str] = {
    "head": "the word's head; there is none for a root",
    "child": "some word that it is the head of",
    "ancestor": "some word above it",
    "descendant": "some word below it",
    "crosser": "some word whose arc from its head crosses this word's arc",
    "next": "the next word of the sentence",
    "previous": "the word before it",
    "some": "some word of the sentence",
    "every": "every word of the sentence",
    "no": "no word of the sentence",
}
"""Where else a condition can be asked, and which words that means."""

NUMBERS: dict[str, tuple[str, Callable[[Words], Places]]] = {
    "id": ("the number of the word, from 1", lambda words: words.number_in_sentence),
    "head": ("the number of its head; 0 for a root", lambda words: words.heads),
    "length": ("how far away its head is; 0 for a root", lambda words: words.length),
    "children": ("how many words it is the head of", lambda words: words.children),
    "depth": ("how many arcs lead to it from the root", lambda words: words.depth),
    "crossings": ("how many arcs cross its arc", lambda words: words.crossings),
    "crossing": ("whether any does", lambda words: words.crossings),
    "nonprojective": (
        "whether a word between it and its head is not below that head",
        lambda words: words.is_nonprojective.astype(np.int64),
    ),
    "root": ("whether it is a root", lambda words: (words.heads == 0).astype(np.int64)),
    "leaf": ("whether it has no dependents", lambda words: (words.children == 0).astype(np.int64)),
    "punctuation": ("whether it is a punctuation mark", lambda words: words.is_punctuation.astype(np.int64)),
}


class Sentences(Protocol):
    """What is needed of a treebank."""

    @property
    def heads(self) -> npt.NDArray[np.int32]:
        """The heads of all words."""

    @property
    def offsets(self) -> npt.NDArray[np.int64]:
        """Where sentences begin and end."""

    @property
    def runs(self) -> list[_core.ConllRun]:
        """The sentences for native code."""

    def __iter__(self) -> Iterator[Sentence]: ...


class Words:
    """All words of a treebank, one after the other; arrays have one entry a word, places count from 0."""

    def __init__(self, treebank: Sentences) -> None:
        self.treebank = treebank
        self.heads: Places = treebank.heads.astype(np.int64)
        self.offsets = treebank.offsets
        self._codes: dict[str, tuple[npt.NDArray[np.int32], list[str]]] = {}
        self._profiles: dict[tuple[str, ...], Profiles] = {}

    def __len__(self) -> int:
        return len(self.heads)

    # Where words are

    @cached_property
    def sentence(self) -> Places:
        """The sentence that each word is in."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))

    @cached_property
    def number_in_sentence(self) -> Places:
        """The numbers of the words, from 1."""
        return np.arange(len(self)) - self.offsets[self.sentence] + 1

    @cached_property
    def head_place(self) -> Places:
        """The places of the heads; -1 for roots."""
        return np.where(self.heads > 0, self.offsets[self.sentence] + self.heads - 1, -1)

    @cached_property
    def length(self) -> Places:
        """How far away the heads are."""
        return np.where(self.heads > 0, np.abs(self.heads - self.number_in_sentence), 0)

    @cached_property
    def children(self) -> Places:
        """How many dependents each word has."""
        return np.bincount(self.head_place[self.head_place >= 0], minlength=len(self)).astype(np.int64)

    @cached_property
    def depth(self) -> Places:
        """How many arcs lead from the root to each word."""
        depth = np.zeros(len(self), np.int64)
        at = np.arange(len(self))
        while (at >= 0).any():
            depth += at >= 0
            at = self.above(at)
        return depth

    def above(self, places: Places) -> Places:
        """The heads of words; what is above the root is the root, -1."""
        return np.where(places >= 0, self.head_place[places], -1) if len(self) else places

    def is_above(self, upper: Places, lower: Places) -> Mask:
        """Whether one word is above another, pair by pair; the root, -1, is above all words."""
        found = np.zeros(len(upper), np.bool_)
        while (lower >= 0).any():
            lower = self.above(lower)
            found |= lower == upper
        return found

    # Crossing arcs

    @cached_property
    def crossing_pairs(self) -> Places:
        """Pairs of arcs that cross, the dummy's arcs among them, each the place of its dependent."""
        return _core.crossings_of_trees(self.treebank.heads, self.offsets, processors())

    @cached_property
    def crossings(self) -> Places:
        """How many arcs cross the arc to each word."""
        return np.bincount(self.crossing_pairs.ravel(), minlength=len(self)).astype(np.int64)

    @cached_property
    def is_nonprojective(self) -> Mask:
        """Whether some word between a word and its head is not below that head.

        The arc above such a word that leads out of the interval crosses, and its upper end is not below the head.
        """
        pairs = np.concatenate([self.crossing_pairs, self.crossing_pairs[:, ::-1]])
        arc, other = pairs[:, 0], pairs[:, 1]
        head = self.head_place[arc]
        low, high = np.minimum(arc, head), np.maximum(arc, head)
        leads_out = (head >= 0) & (low < other) & (other < high) & ~self.is_above(head, other)
        found = np.zeros(len(self), np.bool_)
        found[arc[leads_out]] = True
        return found

    # Columns

    def codes(self, column: str) -> tuple[npt.NDArray[np.int32], list[str]]:
        """A number for each word and the values that they stand for."""
        if column not in self._codes:
            self._codes[column] = self._coded(column)
        return self._codes[column]

    def _coded(self, column: str) -> tuple[npt.NDArray[np.int32], list[str]]:
        number_of: dict[str, int] = {}
        parts = [np.zeros(0, np.int32)]
        for run in self.treebank.runs:
            codes, values = run.codes(COLUMNS[column])
            numbers = [number_of.setdefault(value, len(number_of)) for value in values]
            parts.append(np.array(numbers, np.int32)[codes])
        return np.concatenate(parts), list(number_of)

    def matches(self, column: str, key: str, fits: Callable[[str], bool]) -> Mask:
        """Which words have a value in a column, or under a key within it, that fits: each value is asked once."""
        if column == "direction":
            sides = np.array([fits("left"), fits("right"), fits("root")])
            return sides[np.where(self.heads == 0, 2, (self.heads < self.number_in_sentence).astype(np.int64))]
        if column in ("sent_id", "file"):
            asked = [fits(getattr(sentence, column)) for sentence in self.treebank]
            return np.array(asked, np.bool_)[self.sentence]
        codes, values = self.codes(column)
        held = np.array([_fits_key(value, key, fits) if key else fits(value) for value in values], np.bool_)
        return held[codes]

    def number(self, name: str) -> Places:
        """A number for every word, by its name in `NUMBERS` or as ``tree.`` and a property."""
        if name in NUMBERS:
            return NUMBERS[name][1](self)
        column = PROPERTIES.index(name.removeprefix("tree."))
        return self._measured([]).table[:, column].astype(np.int64)[self.sentence]

    def is_settled(self, name: str) -> Mask:
        """Whether the number is known: of a tree that is too entangled, some are not, and fit no comparison."""
        return np.full(len(self), True) if name in NUMBERS else self.number(name) >= 0

    @cached_property
    def is_punctuation(self) -> Mask:
        """Which words are punctuation marks.

        In CoNLL-U those that have the universal tag ``PUNCT``. Where there are no universal tags, in CoNLL-X and in
        CoNLL-U without tags, those that are made of nothing but punctuation characters, as the CoNLL-X scorer has it.
        """
        from_tags = self.matches("upos", "", lambda tag: tag == "PUNCT")
        has_tags = self.some(self.matches("upos", "", lambda tag: tag != "_"))
        is_universal = np.array([sentence.format == "conllu" for sentence in self.treebank], np.bool_) & has_tags
        if is_universal.all():
            return from_tags
        from_forms = self.matches("form", "", is_punctuation_mark)
        return np.where(is_universal[self.sentence], from_tags, from_forms)

    # Classes

    def _measured(self, classes: Sequence[TreeClass]) -> Profiles:
        key = tuple(cls.name for cls in classes if cls.solver.has_only_a_test)
        if key not in self._profiles:
            solvers = [cls.solver for cls in classes]
            self._profiles[key] = profile_trees(self.treebank.heads, self.offsets, solvers=solvers)
        return self._profiles[key]

    def in_one_of(self, classes: Sequence[TreeClass]) -> Mask:
        """Whether the tree of each word is in one of the classes."""
        held = np.array([cls.holds(self._measured(classes)) == 1 for cls in classes])
        found: Mask = np.logical_or.reduce(held)[self.sentence]
        return found

    def outside_all(self, classes: Sequence[TreeClass]) -> Mask:
        """Whether it is outside all of them; a tree that could not be settled is neither inside nor outside."""
        held = np.array([cls.holds(self._measured(classes)) == 0 for cls in classes])
        found: Mask = np.logical_and.reduce(held)[self.sentence]
        return found

    # Conditions on other words

    def some(self, held: Mask) -> Mask:
        """For each sentence, whether the condition holds for some word of it."""
        counts = np.concatenate([np.zeros(1, np.int64), np.cumsum(held, dtype=np.int64)])
        found: Mask = counts[self.offsets[1:]] > counts[self.offsets[:-1]]
        return found

    def at(self, place: str, held: Mask) -> Mask:
        """For each word, whether a condition holds at another place, by its name in `PLACES`."""
        return _AT[place](self, held)

    def _at_head(self, held: Mask) -> Mask:
        return (self.head_place >= 0) & held[self.head_place] if len(self) else held

    def _at_child(self, held: Mask) -> Mask:
        found = np.zeros(len(self), np.bool_)
        heads = self.head_place[held]
        found[heads[heads >= 0]] = True
        return found

    def _at_ancestor(self, held: Mask) -> Mask:
        found = np.zeros(len(self), np.bool_)
        at = self.head_place
        while (at >= 0).any():
            found |= (at >= 0) & held[at]
            at = self.above(at)
        return found

    def _at_descendant(self, held: Mask) -> Mask:
        found = np.zeros(len(self), np.bool_)
        at = self.head_place[held]
        while (at >= 0).any():
            at = np.unique(at[at >= 0])
            found[at] = True
            at = self.above(at)
        return found

    def _at_crosser(self, held: Mask) -> Mask:
        found = np.zeros(len(self), np.bool_)
        first, second = self.crossing_pairs.T
        found[first[held[second]]] = True
        found[second[held[first]]] = True
        return found

    def _at_next(self, held: Mask) -> Mask:
        found = np.append(held[1:], False)
        found[self.offsets[1:][np.diff(self.offsets) > 0] - 1] = False
        return found

    def _at_previous(self, held: Mask) -> Mask:
        found = np.insert(held[:-1], 0, False) if len(held) else held
        found[self.offsets[:-1][np.diff(self.offsets) > 0]] = False
        return found


_AT: dict[str, Callable[[Words, Mask], Mask]] = {
    "head": Words._at_head,
    "child": Words._at_child,
    "ancestor": Words._at_ancestor,
    "descendant": Words._at_descendant,
    "crosser": Words._at_crosser,
    "next": Words._at_next,
    "previous": Words._at_previous,
    "some": lambda words, held: words.some(held)[words.sentence],
    "every": lambda words, held: ~words.some(~held)[words.sentence],
    "no": lambda words, held: ~words.some(held)[words.sentence],
}


def _fits_key(value: str, key: str, fits: Callable[[str], bool]) -> bool:
    """Whether one of the values that a key has in ``A=x,y|B=z`` fits; a key that is not there fits nothing."""
    for pair in value.split("|"):
        name, equals, given = pair.partition("=")
        if name == key:
            return (not equals and fits(name)) or any(map(fits, [given, *given.split(",")]))
    return False


def is_punctuation_mark(form: str) -> bool:
    """Whether a word has only characters that Unicode calls punctuation.

    >>> [is_punctuation_mark(form) for form in ("...", "»", "-", "U.S.", "$")]
    [True, True, True, False, False]
    """
    return bool(form) and all(unicodedata.category(character).startswith("P") for character in form)
