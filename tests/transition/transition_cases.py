"""The systems to test, with the trees each should derive, and all trees of a few words."""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt
from reference.enumeration import trees
from reference.order import last_word
from reference.yields import children

from nonproj.trees import profile_trees, tree_class

# name, oracle, class of the trees it derives (None: the condition below)
SYSTEMS: list[tuple[str, str | None, str | None]] = [
    ("arc-standard", None, "Pr"),
    ("arc-hybrid", None, "Pr"),
    ("arc-eager", None, "Pr"),
    ("sort-parse", "completion", "spanning"),
    ("sort-parse", "printed", None),
    ("swap", "eager", "spanning"),
    ("swap", "lazy", "spanning"),
    ("attardi-1", None, "AD1"),
    ("attardi-2", None, "AD2"),
    ("attardi-3", None, "AD3"),
    ("attardi-back-1", None, "DD1"),
    ("attardi-back-2", None, "DD2"),
    ("attardi-back-3", None, "DD3"),
    ("1-planar", None, "1-P"),
    ("2-planar", None, "2-P"),
    ("3-planar", None, "3-P"),
    ("two-register", None, "2-C"),
    ("3-register", None, "3-C"),
    ("4-register", None, "4-C"),
    ("covington", None, "spanning"),
    ("mh3", None, "MH3"),
    ("mh4", None, "MH4"),
    ("mh5", None, "MH5"),
]


@cache
def all_trees(words: int, single_root: bool = False) -> npt.NDArray[np.int32]:
    """The heads of every tree, one a row."""
    return np.array(list(trees(words, single_root=single_root)), dtype=np.int32)


def offsets_of(heads: npt.NDArray[np.int32]) -> npt.NDArray[np.int64]:
    return np.arange(len(heads) + 1, dtype=np.int64) * heads.shape[1]


@cache
def is_derived(name: str | None, words: int, single_root: bool) -> npt.NDArray[np.bool_]:
    """Which of all trees a system should derive; tests/trees compares the engine's classes with the reference."""
    heads = all_trees(words, single_root)
    if name is None:
        return np.array([is_derived_as_printed(tuple(tree)) for tree in heads.tolist()])
    return tree_class(name).holds(profile_trees(heads.ravel(), offsets_of(heads))) == 1


def is_derived_as_printed(heads: tuple[int, ...]) -> bool:
    """The condition for Nivre's algorithm as printed, by its words."""
    for node in range(len(heads) + 1):
        right = [last_word(heads, child) for child in children(heads, node) if child > node]
        if right != sorted(right):
            return False
        for child in children(heads, node):
            last = last_word(heads, child)
            if child < node < last and not (right and last < right[-1]):
                return False
    return True
