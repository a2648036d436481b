"""Encodings: what is lifted is written into the labels, so that a projective parser can learn it and it can be undone.

Nivre & Nilsson (2005), "Pseudo-projective dependency parsing", with the labels of a word lifted from a head that is a
``ccomp`` through another one:

=============  ==========================  ====================
scheme         the lifted word             words on its path
=============  ==========================  ====================
``head``       ``obj↑ccomp``               as they were
``path``       ``obj↑``                    ``ccomp↓``
``head+path``  ``obj↑ccomp``               ``ccomp↓``
=============  ==========================  ====================

The path runs from the syntactic governor up to the last word below the linear one. A word may be both lifted and on the
path of another: ``ccomp↑root↓``. With ``covered_roots`` a word below the dummy root that lies under an arc is first
hung from a word of the shortest such arc, and marked ``punct⇑``: else every arc over it would have to be lifted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from nonproj import _core
from nonproj.errors import NonprojError
from nonproj.trees import Tree

Scheme: TypeAlias = Literal["head", "path", "head+path"]
CoveredRoots: TypeAlias = Literal["keep", "left", "right", "head"]
SCHEMES: tuple[Scheme, ...] = get_args(Scheme)
LIFTED, ON_PATH, FROM_ROOT = "↑", "↓", "⇑"
MARKS = LIFTED + ON_PATH + FROM_ROOT
_MARKED = re.compile(f"[{MARKS}]")


class Label(NamedTuple):
    """An encoded label taken apart."""

    plain: str
    is_lifted: bool
    head_label: str
    """The relation of the syntactic governor; empty when the scheme does not tell."""
    is_on_path: bool
    is_from_root: bool


def plain_label(label: str) -> str:
    """The label without what an encoding added; ``dep`` when nothing else is left.

    >>> plain_label("obj↑ccomp↓"), plain_label("punct⇑"), plain_label("nsubj:pass"), plain_label("↑")
    ('obj', 'punct', 'nsubj:pass', 'dep')
    """
    plain = _MARKED.split(label, maxsplit=1)[0]
    return plain or "dep" if plain != label else label


def read_label(label: str) -> Label:
    """Take a label apart; anything may come, since parsers invent labels.

    >>> read_label("obj↑ccomp↓")
    Label(plain='obj', is_lifted=True, head_label='ccomp', is_on_path=True, is_from_root=False)
    """
    _, lifted, rest = label.partition(LIFTED)
    told = _MARKED.split(rest, maxsplit=1)[0]
    return Label(plain_label(label), bool(lifted), told, ON_PATH in label, FROM_ROOT in label)


@dataclass(frozen=True)
class Encoding:
    """A way to lift trees such that lowering them needs nothing but their labels.

    >>> encoding = Encoding()
    >>> heads, labels = encoding.encode([3, 0, 2], ["obj", "root", "xcomp"])
    >>> heads, labels
    ([2, 0, 2], ['obj↑xcomp', 'root', 'xcomp↓'])
    >>> encoding.decode(heads, labels)
    ([3, 0, 2], ['obj', 'root', 'xcomp'])
    """

    scheme: Scheme = "head+path"
    covered_roots: CoveredRoots = "keep"

    def __post_init__(self) -> None:
        if self.scheme not in SCHEMES:
            raise NonprojError(f"no encoding is called {self.scheme!r}: take one of {', '.join(SCHEMES)}")
        if self.covered_roots not in get_args(CoveredRoots):
            options = ", ".join(get_args(CoveredRoots))
            raise NonprojError(f"covered_roots is {self.covered_roots!r}, expected one of {options}")

    def encode(self, heads: Sequence[int], deprels: Sequence[str]) -> tuple[list[int], list[str]]:
        """Lift a tree by its smallest projective lift and write into the labels how to lower it."""
        tree = Tree(heads, deprels=deprels)
        lifted, labels = self.encode_many(tree.heads, [0, len(tree)], list(deprels))
        return lifted.tolist(), labels

    def encode_many(
        self, heads: npt.ArrayLike, offsets: npt.ArrayLike, deprels: Sequence[str], *, threads: int = 1
    ) -> tuple[npt.NDArray[np.int32], list[str]]:
        """Encode many trees at once: heads and labels of all their words in order, as in a `Treebank`."""
        before = np.ascontiguousarray(heads, np.int32)
        at = np.ascontiguousarray(offsets, np.int64)
        labels = list(deprels)
        _refuse_unreadable(labels)
        hung = before
        if self.covered_roots != "keep":
            hung = before.copy()
            for begin, end in _trees_with_several_roots(before, at):
                hung[begin:end] = _without_covered_roots(before[begin:end].tolist(), self.covered_roots)
        after = _core.smallest_lifts(hung, at, max(1, threads))
        for begin, end in _ranges_with(hung != after, at):
            self._mark(labels, begin, hung[begin:end].tolist(), after[begin:end].tolist())
        for word in np.flatnonzero(hung != before).tolist():
            labels[word] += FROM_ROOT
        return after, labels

    def encode_lift(
        self, heads: Sequence[int], lifted: Sequence[int], deprels: Sequence[str]
    ) -> tuple[list[int], list[str]]:
        """Write into the labels how to lower a given lift of a tree."""
        labels = list(deprels)
        _refuse_unreadable(labels)
        self._mark(labels, 0, list(heads), list(lifted))
        return list(lifted), labels

    def _mark(self, labels: list[str], begin: int, before: list[int], after: list[int]) -> None:
        plain = labels[begin : begin + len(before)]
        on_path = set()
        for word, (head, linear) in enumerate(zip(before, after, strict=True), 1):
            if head == linear:
                continue
            told = "" if self.scheme == "path" else plain[head - 1]
            labels[begin + word - 1] = plain[word - 1] + LIFTED + told
            while head != linear:
                on_path.add(head)
                head = before[head - 1]
        if self.scheme != "head":
            for word in on_path:
                labels[begin + word - 1] += ON_PATH

    def decode(self, heads: Sequence[int], labels: Sequence[str]) -> tuple[list[int], list[str]]:
        """Lower a tree as its labels say: the result is always a tree, and its labels are always plain."""
        if not any(mark in label for label in labels for mark in MARKS):
            return list(heads), list(labels)
        return Lowering(self.scheme, heads, labels).run()

    def decode_many(
        self, heads: npt.ArrayLike, offsets: npt.ArrayLike, labels: Sequence[str]
    ) -> tuple[npt.NDArray[np.int32], list[str]]:
        """Decode many trees at once: heads and labels of all their words in order, as in a `Treebank`."""
        after, plain = np.array(heads, np.int32), list(labels)
        marked = {label for label in set(plain) if any(mark in label for mark in MARKS)}
        is_marked = np.array([label in marked for label in plain], dtype=bool)
        for begin, end in _ranges_with(is_marked, np.asarray(offsets, np.int64)):
            after[begin:end], plain[begin:end] = self.decode(after[begin:end].tolist(), plain[begin:end])
        return after, plain


class Lowering:
    """One tree being lowered.

    Each lifted word looks for its syntactic governor among the descendants of its linear governor, breadth first from
    the left. What is known of it narrows the search: it has the relation that the label tells (schemes with ``head``),
    it is reached through words on a path (schemes with ``path``), and the word could not have stayed with it: an arc
    that is projective is never lifted by the smallest lift.
    """

    def __init__(self, scheme: Scheme, heads: Sequence[int], labels: Sequence[str]) -> None:
        self.scheme = scheme
        self.labels = [read_label(label) for label in labels]
        self.heads = list(heads)
        self.linear = list(heads)
        self.children: list[list[int]] = [[] for _ in range(len(self.heads) + 1)]
        for word, head in enumerate(self.heads, 1):
            self.children[head].append(word)
        self.first, self.last = self._extents()

    def run(self) -> tuple[list[int], list[str]]:
        """Lower the words from the top of the tree down, so that each search sees what was lowered above it."""
        pending = [word for word in self._below(0) if self.labels[word - 1].is_lifted]
        # A path may lead through a word that is itself yet to be lowered: what is not found is tried again.
        for is_last in (False, True):
            waiting = []
            for word in pending:
                target = self._governor(word, is_last)
                if target is None:
                    waiting.append(word)
                else:
                    self._move(word, target)
            pending = waiting
        for word, label in enumerate(self.labels, 1):
            if label.is_from_root:
                self._move(word, 0)
        return self.heads, [label.plain for label in self.labels]

    def _governor(self, word: int, is_last: bool) -> int | None:
        candidates = [node for node in self._below(self.linear[word - 1], without=word) if self._is_told(word, node)]
        apart = [node for node in candidates if not self._could_stay(word, node)]
        if self.scheme == "head":
            choices = apart or (candidates if is_last else [])
        else:
            reached = [node for node in apart if self._is_reached(word, node)]
            # Some path ends at the governor: where nothing below is on a path, one surely does.
            choices = [node for node in reached if self._ends_path(word, node)] or reached
            if is_last:
                choices = choices or apart or candidates
        return choices[0] if choices else None

    def _is_told(self, word: int, node: int) -> bool:
        """Whether the node has what the label says of the governor."""
        told = self.labels[word - 1].head_label
        if self.scheme != "path":
            return not told or self.labels[node - 1].plain == told
        return self.labels[node - 1].is_on_path and self._ends_path(word, node)

    def _ends_path(self, word: int, node: int) -> bool:
        return not any(self.labels[child - 1].is_on_path for child in self.children[node] if child != word)

    def _is_reached(self, word: int, node: int) -> bool:
        """Whether all words from the node up to the linear governor of the word are on a path."""
        top = self.linear[word - 1]
        while node != top:
            if not self.labels[node - 1].is_on_path:
                return False
            node = self.heads[node - 1]
        return True

    def _could_stay(self, word: int, node: int) -> bool:
        """Whether the arc from the node would have been projective in the lifted tree."""
        if node < word:
            return self.last[node] + 1 >= self.first[word]
        return self.last[word] + 1 >= self.first[node]

    def _below(self, top: int, without: int = 0) -> Iterator[int]:
        level = [top]
        for node in level:
            below = [child for child in self.children[node] if child != without]
            level.extend(below)
            yield from below

    def _move(self, word: int, head: int) -> None:
        self.children[self.heads[word - 1]].remove(word)
        self.heads[word - 1] = head
        self.children[head] = sorted([*self.children[head], word])

    def _extents(self) -> tuple[list[int], list[int]]:
        first = list(range(len(self.heads) + 1))
        last = list(range(len(self.heads) + 1))
        for word in reversed(list(self._below(0))):
            head = self.heads[word - 1]
            first[head] = min(first[head], first[word])
            last[head] = max(last[head], last[word])
        return first, last


class UnreadableRelation(NonprojError):
    """A relation that could not be told from one that was encoded, and the first word that has it, from 0."""

    def __init__(self, message: str, word: int) -> None:
        super().__init__(message)
        self.word = word


def _refuse_unreadable(labels: Sequence[str]) -> None:
    for label in dict.fromkeys(labels):
        if any(mark in label for mark in MARKS):
            raise UnreadableRelation(
                f"the relation {label!r} has one of the marks {' '.join(MARKS)} that encodings add: "
                "lower the treebank first, or rename the relation",
                labels.index(label),
            )
        if not label:
            raise UnreadableRelation(
                "a word has an empty relation, which no encoding can tell from none: write '_' or 'dep'",
                labels.index(label),
            )


def _ranges_with(chosen: npt.NDArray[np.bool_], offsets: npt.NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    """The trees that have one of the chosen words."""
    trees = np.unique(np.searchsorted(offsets, np.flatnonzero(chosen), side="right") - 1)
    for tree in trees.tolist():
        yield int(offsets[tree]), int(offsets[tree + 1])


def _trees_with_several_roots(
    heads: npt.NDArray[np.int32], offsets: npt.NDArray[np.int64]
) -> Iterator[tuple[int, int]]:
    for begin, end in _ranges_with(heads == 0, offsets):
        if np.count_nonzero(heads[begin:end] == 0) > 1:
            yield begin, end


def _without_covered_roots(heads: list[int], where: CoveredRoots) -> list[int]:
    """Hang every root that lies under an arc from an end of the shortest arc over it that is not below the root."""
    hung = list(heads)

    def is_below(word: int, root: int) -> bool:
        while word not in (0, root):
            word = hung[word - 1]
        return word == root

    for root in [word for word, head in enumerate(heads, 1) if head == 0]:
        over = sorted(
            (abs(word - above), min(word, above), max(word, above), above)
            for word, above in enumerate(heads, 1)
            if above != 0 and min(word, above) < root < max(word, above)
        )
        for _, left, right, above in over:
            target = {"left": left, "right": right, "head": above}[where]
            if not is_below(target, root):
                hung[root - 1] = target
                break
    return hung
