"""Lifts of a tree: trees in which words hang from an ancestor of their head (Kahane, Nasr & Rambow 1998).

``T2`` is a lift of ``T`` when the head of every word in ``T2`` is its head in ``T`` or an ancestor of that head. The
head in ``T`` is the word's *syntactic governor*, the one in ``T2`` its *linear governor*. The dummy root is an ancestor
of every word, so that every tree has a projective lift.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np

from nonproj import _core
from nonproj.errors import NonprojError
from nonproj.trees import Tree

How: TypeAlias = Literal["smallest", "structural", "iterated"]
MAX_WORDS = 12
"""All projective lifts of a longer tree are surely a mistake: their number grows exponentially."""


@dataclass(frozen=True)
class LiftedWord:
    """A word with its governors in a tree and in a lift of it; ``path`` has the words it is lifted through."""

    word: int
    syntactic_governor: int
    linear_governor: int
    path: tuple[int, ...]
    """The words strictly between the two governors, from the syntactic one up."""

    @property
    def is_lifted(self) -> bool:
        """Whether the governors differ."""
        return self.syntactic_governor != self.linear_governor

    @property
    def steps(self) -> int:
        """How many arcs it was lifted over."""
        return len(self.path) + 1 if self.is_lifted else 0


def ancestors(tree: Tree, word: int) -> list[int]:
    """The head of a word, the head of that, and so on to the dummy root.

    >>> ancestors(Tree([2, 0, 1]), 3)
    [1, 2, 0]
    """
    found = []
    while word != 0:
        word = tree.heads[word - 1]
        found.append(word)
    return found


def is_lift(tree: Tree, lifted: Tree) -> bool:
    """Whether the second tree is a lift of the first, projective or not.

    >>> is_lift(Tree([2, 0, 1]), Tree([2, 0, 2])), is_lift(Tree([2, 0, 2]), Tree([2, 0, 1]))
    (True, False)
    """
    if len(tree) != len(lifted):
        return False
    return all(head in ancestors(tree, word) for word, head in enumerate(lifted.heads, 1))


def governors(tree: Tree, lifted: Tree) -> list[LiftedWord]:
    """The syntactic and the linear governor of every word side by side, with the lifting paths.

    >>> [(w.word, w.syntactic_governor, w.linear_governor) for w in governors(Tree([3, 0, 2]), Tree([2, 0, 2]))]
    [(1, 3, 2), (2, 0, 0), (3, 2, 2)]
    """
    if len(tree) != len(lifted):
        raise NonprojError(f"a lift has the words of its tree: the tree has {len(tree)}, the other {len(lifted)}")
    found = []
    for word, (syntactic, linear) in enumerate(zip(tree.heads, lifted.heads, strict=True), 1):
        above = ancestors(tree, word)
        if linear not in above:
            raise NonprojError(f"not a lift: word {word} hangs from {linear}, which is not above {word} in the tree")
        found.append(LiftedWord(word, syntactic, linear, tuple(above[1 : above.index(linear)])))
    return found


def lifted_tree(tree: Tree, how: How = "smallest") -> Tree:
    """Lift a tree; forms and relations are kept.

    ``smallest`` gives the projective lift that takes the fewest steps, and among those one that moves the fewest
    words. ``structural`` lifts every word to the highest ancestor that its arc covers (footnote 2 of the paper); it
    need not be projective, and doing it again changes nothing. ``iterated`` goes on from there: as long as an arc is
    not projective, its dependent goes one step up and then again to the highest ancestor covered.

    >>> lifted_tree(Tree([3, 0, 2])).heads, lifted_tree(Tree([3, 0, 2]), "structural").heads
    ((2, 0, 2), (2, 0, 2))
    """
    if how == "smallest":
        heads = _core.smallest_lifts(np.array(tree.heads, np.int32), np.array([0, len(tree)], np.int64)).tolist()
    elif how == "structural":
        heads = _structural(tree)
    elif how == "iterated":
        heads = _iterated(tree)
    else:
        raise NonprojError(f"no lift is called {how!r}: take one of {', '.join(get_args(How))}")
    return Tree(heads, forms=tree.forms, deprels=tree.deprels)


def _structural(tree: Tree) -> list[int]:
    heads = []
    for word, head in enumerate(tree.heads, 1):
        left, right = sorted((word, head))
        heads.append([above for above in ancestors(tree, word) if left <= above <= right][-1])
    return heads


def _iterated(tree: Tree) -> list[int]:
    lifted = Tree(_structural(tree))
    while not lifted.is_projective:
        heads = list(lifted.heads)
        for word, head in enumerate(lifted.heads, 1):
            if not is_projective_arc(lifted, word):
                heads[word - 1] = lifted.heads[head - 1]
        lifted = Tree(_structural(Tree(heads)))
    return list(lifted.heads)


def is_projective_arc(tree: Tree, dependent: int) -> bool:
    """Whether the head of a word dominates all that lies between them.

    >>> [is_projective_arc(Tree([3, 0, 2]), word) for word in (1, 2, 3)]
    [False, True, True]
    """
    head = tree.heads[dependent - 1]
    left, right = sorted((dependent, head))
    return all(head in ancestors(tree, word) for word in range(left + 1, right))


def projective_lifts(tree: Tree, *, single_root: bool = False) -> Iterator[Tree]:
    """All projective lifts of a small tree; with ``single_root`` only those with one word below the dummy.

    >>> [lift.heads for lift in projective_lifts(Tree([3, 0, 2]), single_root=True)]
    [(2, 0, 2)]
    """
    if len(tree) > MAX_WORDS:
        raise NonprojError(f"all lifts of {len(tree)} words are too many: at most {MAX_WORDS}; lifted_tree finds one")
    choices = [ancestors(tree, word) for word in range(1, len(tree) + 1)]

    def extend(heads: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if len(heads) == len(choices):
            yield heads
            return
        word = len(heads) + 1
        for head in choices[word - 1]:
            if not any(_cross(word, head, other, other_head) for other, other_head in enumerate(heads, 1)):
                yield from extend((*heads, head))

    for heads in extend(()):
        if not single_root or heads.count(0) == 1:
            yield Tree(heads, forms=tree.forms, deprels=tree.deprels)


def _cross(word: int, head: int, other: int, other_head: int) -> bool:
    """Whether two arcs cross. With the dummy's arcs included, a tree without crossing arcs is projective."""
    (a, b), (c, d) = sorted((sorted((word, head)), sorted((other, other_head))))
    return a < c < b < d
