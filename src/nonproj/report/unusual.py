"""The most unusual trees of a treebank: where annotation errors hide."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nonproj.errors import NonprojError
from nonproj.report.measured import Measured
from nonproj.treebank import Sentence
from nonproj.trees import Explanation, tree_class


@dataclass(frozen=True)
class Unusual:
    """A tree that lies outside a class which nearly all the others are inside."""

    sentence: Sentence
    treebank: str
    class_name: str
    outside: int
    """How many of the trees measured are outside that class."""
    trees: int
    explanation: Explanation

    def __str__(self) -> str:
        rarity = f"{self.outside} of {self.trees} trees {'is' if self.outside == 1 else 'are'}"
        return f"{self.treebank}: {self.sentence.sent_id}: outside {self.class_name} ({rarity}): {self.explanation}"


def most_unusual(coverage: Measured, count: int) -> list[Unusual]:
    """The trees outside the class that the fewest are outside of, then outside the most classes."""
    if count == 0 or not coverage.treebanks:
        return []
    if any(len(t.treebanks) == 0 and t.trees > 0 for t in coverage.treebanks):
        raise NonprojError("the treebanks were not kept: call coverage(..., keep=True)")
    held = np.concatenate(
        [np.stack([cls.holds(t.profiles) for cls in coverage.classes]) for t in coverage.treebanks], axis=1
    )
    crossings = np.concatenate([t.profiles.column("crossings") for t in coverage.treebanks])
    is_outside = held == 0
    totals = np.count_nonzero(is_outside, axis=1)
    # For each tree the class it violates that has the fewest trees outside; projective trees violate none.
    rarity = np.where(is_outside, totals[:, None], np.iinfo(np.int64).max)
    rarest = rarity.argmin(axis=0)
    order = np.lexsort((-crossings, -np.count_nonzero(is_outside, axis=0), rarity.min(axis=0)))
    places = [(t.name, kept, i) for t in coverage.treebanks for kept in t.treebanks for i in range(len(kept))]
    found = []
    for tree in order[:count]:
        if not is_outside[:, tree].any():
            break
        name, treebank, index = places[tree]
        cls = coverage.classes[rarest[tree]]
        sentence = treebank[index]
        found.append(
            Unusual(
                sentence,
                name,
                cls.name,
                int(totals[rarest[tree]]),
                coverage.trees,
                (cls if cls.dummy != "left" else tree_class(cls, coverage.dummy)).explain(sentence.tree),
            )
        )
    return found
