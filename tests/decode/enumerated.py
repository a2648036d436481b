"""All trees of a few words with their classes, to judge decoders by: every question is answered by looking at each."""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt
import reference

from nonproj.trees import Profiles, TreeClass, profile_trees, tree_class

# The engine's own profiles stand for the definitions here: tests/trees compares them with the reference.
CLASSES = [
    "spanning", "Pr", "1EC", "1-P", "2-P", "3-P", "1-C", "2-C", "3-C", "WG1", "WG2", "M0I", "M1I", "WG1S", "M1IS",
    "MG1", "MG2", "MH3", "MH4", "MH5", "MH6", "AD1", "AD2", "AD3", "AD4", "DD1", "DD2", "DD3",
]  # fmt: skip
NESTED = ["M0I", "M1I", "M1IS", "WG1", "WG1S"]
CHARTED = ["Pr", "1EC", "1-P", "1-C", "AD1", "MH3", "MH4", "MH5", "MH6", "AD2", "AD3", "AD4", "WG2", "MG1", "MG2",
           "DD1", *NESTED]  # fmt: skip
SUMMED = ["spanning", "Pr", "1EC", "1-P", "MH3", "AD2", "WG2", "WG3", *NESTED]


@cache
def trees(words: int) -> tuple[npt.NDArray[np.int32], Profiles]:
    heads = np.array(list(reference.trees(words)), dtype=np.int32)
    return heads, profile_trees(heads.ravel(), np.arange(len(heads) + 1) * words)


@cache
def members(name: str, words: int, single_root: bool) -> npt.NDArray[np.int32]:
    """The heads of every tree of the class, one a row."""
    cls: TreeClass = tree_class(name)
    heads, profiles = trees(words)
    inside = cls.holds(profiles) == 1
    if single_root:
        inside &= (heads == 0).sum(axis=1) == 1
    return heads[inside]


def totals(scores: npt.NDArray[np.floating], heads: npt.NDArray[np.int32]) -> npt.NDArray[np.float64]:
    """The score of every tree."""
    table = scores.astype(np.float64)
    return table[heads, np.arange(1, heads.shape[1] + 1)].sum(axis=1)


def possible_totals(scores: npt.NDArray[np.floating], name: str, single_root: bool) -> npt.NDArray[np.float64]:
    """The scores of the trees of a class that use no forbidden arc, best first."""
    values = totals(scores, members(name, len(scores) - 1, single_root))
    return np.sort(values[values > -np.inf])[::-1]


def tied(rng: np.random.Generator, words: int) -> npt.NDArray[np.float64]:
    return rng.integers(-1, 2, size=(words + 1, words + 1)).astype(np.float64)


def sparse(rng: np.random.Generator, words: int) -> npt.NDArray[np.float64]:
    scores = rng.normal(size=(words + 1, words + 1))
    scores[rng.random(scores.shape) < 0.5] = -np.inf
    return scores


def adversarial(rng: np.random.Generator, words: int) -> npt.NDArray[np.float64]:
    """Arcs that reach far are favoured, so that everything crosses, at the edge of what doubles can tell apart."""
    places = np.arange(words + 1)
    return 1e4 * np.abs(places[:, None] - places[None, :]) + rng.integers(0, 3, size=(words + 1, words + 1)) * 1e-3


SCORES = {
    "random": lambda rng, words: rng.normal(size=(words + 1, words + 1)),
    "tied": tied,
    "sparse": sparse,
    "adversarial": adversarial,
    "single": lambda rng, words: rng.normal(size=(words + 1, words + 1)).astype(np.float32),
    "equal": lambda rng, words: np.zeros((words + 1, words + 1)),
}
