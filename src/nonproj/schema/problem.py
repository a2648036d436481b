"""What a schema is run on: how many words, which arcs are licensed, which category each word has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from nonproj.errors import NonprojError

if TYPE_CHECKING:
    from nonproj.schema.rules import DRules
    from nonproj.trees import Tree

MAX_WORDS = 60
"""A schema is run in Python, at a cost of n to the power of its free indices: more words are surely a mistake."""


@dataclass(frozen=True)
class Problem:
    """A sentence as the deduction steps see it. ``licensed[h][d]`` says whether d may depend on h."""

    n: int
    licensed: list[list[bool]]
    categories: list[int]
    """The category of each node, the dummy first. Unless rules name categories, each node is one of its own."""
    licensed_categories: list[list[bool]]
    category_names: list[str]
    forms: tuple[str, ...] | None = None
    scores: npt.NDArray[np.float64] | None = field(default=None, repr=False)

    @property
    def has_own_categories(self) -> bool:
        """Whether each node is a category of its own, so that categories tell words apart."""
        return self.categories == list(range(self.n + 1))

    @classmethod
    def of_arcs(cls, licensed: list[list[bool]], forms: Sequence[str] | None = None) -> Problem:
        """A table of arcs, with each node a category of its own."""
        n = len(licensed) - 1
        if not 1 <= n <= MAX_WORDS:
            raise NonprojError(f"a schema takes 1 to {MAX_WORDS} words, not {n}")
        table = [[head != word != 0 and bool(row[word]) for word in range(n + 1)] for head, row in enumerate(licensed)]
        names = [str(node) for node in range(n + 1)]
        return cls(n, table, list(range(n + 1)), table, names, None if forms is None else tuple(forms))

    @classmethod
    def of_all_arcs(cls, n: int) -> Problem:
        """Every arc between n words."""
        return cls.of_arcs([[True] * (n + 1) for _ in range(n + 1)])

    @classmethod
    def of_tree(cls, tree: Tree) -> Problem:
        """The arcs of one tree, and no other."""
        heads = (-1, *tree.heads)
        return cls.of_arcs([[head == of_word for of_word in heads] for head in range(len(heads))], tree.forms)

    @classmethod
    def of_scores(cls, scores: npt.ArrayLike) -> Problem:
        """Arcs with a score: (n+1, n+1) by head and dependent, or (n+1, n+1, n+1) by grandparent, head, dependent."""
        table = checked_scores(scores)
        allowed = np.max(table, axis=tuple(range(table.ndim - 2))) > -np.inf
        made = cls.of_arcs(allowed.tolist())
        return cls(made.n, made.licensed, made.categories, made.licensed, made.category_names, None, table)

    @classmethod
    def of_rules(cls, words: Sequence[str], rules: DRules, tags: Sequence[str] | None = None) -> Problem:
        """The arcs that a grammar of D-rules licenses between words, or between their tags."""
        symbols = ["", *rules.symbols(words, tags)]
        if not 2 <= len(symbols) <= MAX_WORDS + 1:
            raise NonprojError(f"a schema takes 1 to {MAX_WORDS} words, not {len(symbols) - 1}")
        names = ["", *sorted(set(symbols[1:]))]
        number = {name: code for code, name in enumerate(names)}
        between = [[dependent != "" and rules.licenses(dependent, head) for dependent in names] for head in names]
        codes = [number[symbol] for symbol in symbols]
        size = range(len(symbols))
        table = [[h != d and between[codes[h]][codes[d]] for d in size] for h in size]
        shown = ["root", *names[1:]]
        return cls(len(symbols) - 1, table, codes, between, shown, tuple(words))


def checked_scores(scores: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Scores as an array, once it is clear that they are some."""
    table = np.asarray(scores, dtype=np.float64)
    if table.ndim not in (2, 3) or len(set(table.shape)) != 1:
        raise NonprojError(f"scores have the shape (n+1, n+1), or (n+1, n+1, n+1) with grandparents, not {table.shape}")
    if np.isnan(table).any() or (table == np.inf).any():
        raise NonprojError("scores must be numbers, or -inf for a forbidden arc")
    return table
